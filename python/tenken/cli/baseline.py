"""`tenken baseline`: accept, list, show and drop sittings."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.cli import options, places
from tenken.model.check import Check, same_case
from tenken.model.verdict import EXIT_NOTHING_JUDGED, EXIT_OK

ACTIONS = {
    "accept": "accept the cases of a run as the state of this node class",
    "list": "list the accepted sittings",
    "show": "show the sittings of one case, with figures and environments",
    "drop": "remove one sitting (its file is renamed)",
}


def main(arguments: Sequence[str]) -> int:
    """The word `baseline`; returns the exit code."""
    if arguments and arguments[0] in ACTIONS:
        return {"accept": _accept, "list": _list, "show": _show, "drop": _drop}[arguments[0]](arguments[1:])
    parser = options.Parser("baseline", "Accepted results of cases, in a folder that can be put under git. "
                            "./tenken baseline ACTION --help lists the options of an action.")
    parser.add_argument("action", metavar="ACTION", help="; ".join(f"{name}: {does}" for name, does in ACTIONS.items()))
    raise unknown("action", parser.parse(arguments[:1]).action, ACTIONS, of=" of tenken baseline")


def _parse(action: str, arguments: Sequence[str], add: Callable[[options.Parser], None]) -> argparse.Namespace:
    parser = options.Parser(f"baseline {action}", f"{ACTIONS[action][0].upper()}{ACTIONS[action][1:]}.")
    add(parser)
    options.add_baselines(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser.parse(arguments)


def _accept(arguments: Sequence[str]) -> int:
    def add(parser: options.Parser) -> None:
        parser.add_argument("run", metavar="RUN", help="path, unique prefix or last")
        parser.add_argument("--case", action="append", default=[], metavar="CASE", help="check:case, again for more")
        parser.add_argument("--note", default="", metavar="TEXT", help="reason, stored with the sitting")
        parser.add_argument("--drill", action="store_true", help="accept a drill (TENKEN_SITTING) into a folder of drills")
        options.add_runs(parser)

    typed = _parse("accept", arguments, add)
    from tenken.cli.accept import accept, require_kind
    from tenken.store.runfolder import RunFolder, find_run

    root = places.baselines(typed.baselines)
    run = RunFolder(find_run(places.runs(typed.runs), typed.run)).read()
    require_kind(run, root, bool(typed.baselines), typed.drill)
    checks, ids = _checks(), [case_run.case.id for case_run in run.cases]
    of_run = {name: case_id for case_id in ids for name in (*same_case(case_id, checks), case_id)}
    typed.case = [of_run.get(name, name) for name in typed.case]
    for name in typed.case:
        if name not in {case_run.case.id for case_run in run.cases}:
            raise unknown("case", name, [case_run.case.id for case_run in run.cases], of=f" in run {run.name}")
    outcomes = accept(run, root, set(typed.case), typed.note, datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    done = [outcome for outcome in outcomes if outcome.path]
    if typed.json:
        rows = [
            {"case": outcome.case_id, "done": outcome.word, "why": outcome.why, "path": outcome.path and str(outcome.path)}
            for outcome in outcomes
        ]
        print(json.dumps({"run": run.name, "baselines": str(root), "cases": rows}, indent=1))
    else:
        print(f"{len(done)} of {len(outcomes)} cases of {run.name} accepted into {root}")
        for outcome in sorted(outcomes, key=lambda outcome: outcome.word):
            print(f"{outcome.word:<9}{outcome.case_id}{'   ' + _plain(outcome.why) if outcome.why else ''}")
        if any(outcome.why.startswith("disturbed") for outcome in outcomes):
            print("next     ./tenken rerun last   (when the node is quiet)\n"
                  "         ./tenken compare-env A B   (on a node that is never quiet: pairs of launches, no baseline)")
    return EXIT_OK if any(outcome.word != "refused" for outcome in outcomes) else EXIT_NOTHING_JUDGED


def _list(arguments: Sequence[str]) -> int:
    typed = _parse("list", arguments, lambda parser: None)
    from tenken.judge.sittings import first_runs
    from tenken.report.plain import table

    root, stored, notes = _stored(typed)
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for accepted in stored:
        groups.setdefault((accepted.node_class, accepted.case_id, accepted.case_hash), []).append(accepted)
    rows = []
    for (node_class, case_id, hash8), sittings_alike in sorted(groups.items()):
        days = [accepted.sitting.started[:10] for accepted in sittings_alike]
        sittings = set(first_runs(accepted.sitting for accepted in sittings_alike).values())
        rows.append((_plain(node_class), case_id, hash8, str(len(sittings)), days[0], days[-1]))
    headings = ("node class", "case", "hash", "sittings", "first", "last")
    if typed.json:
        cases = [dict(zip(headings, (*row[:3], int(row[3]), *row[4:]), strict=True)) for row in rows]
        print(json.dumps({"baselines": str(root), "cases": cases, "notes": notes}, indent=1))
        return EXIT_OK
    nothing = f"no baseline in {root}: ./tenken baseline accept RUN makes one"
    print("\n".join(table(headings, rows, 3)) if rows else nothing)
    _say(notes)
    return EXIT_OK


def _show(arguments: Sequence[str]) -> int:
    def add(parser: options.Parser) -> None:
        parser.add_argument("case", metavar="CASE", help="check:case")

    typed = _parse("show", arguments, add)
    root, stored, notes = _stored(typed)
    chosen = _of_case(stored, typed.case)
    if typed.json:
        from tenken.store.files import to_plain

        rows = [
            to_plain(accepted.sitting) | {"node_class": accepted.node_class, "note": accepted.note, "path": str(accepted.path)}
            for accepted in chosen
        ]
        print(json.dumps({"case": typed.case, "sittings": rows, "notes": notes}, indent=1))
        return EXIT_OK
    from tenken.cli.accept import describe

    print("\n".join(describe(chosen)))
    _say(notes)
    return EXIT_OK


def _drop(arguments: Sequence[str]) -> int:
    def add(parser: options.Parser) -> None:
        parser.add_argument("case", metavar="CASE", help="check:case")
        parser.add_argument("sitting", metavar="SITTING", help="name of the run, or a unique part of it")

    typed = _parse("drop", arguments, add)
    from tenken.store.baseline_write import drop

    _, stored, notes = _stored(typed)
    chosen = _of_case(stored, typed.case)
    names = sorted({accepted.sitting.id for accepted in chosen})
    fitting = [name for name in names if typed.sitting == name] or [name for name in names if typed.sitting in name]
    if not fitting:
        raise unknown("sitting", typed.sitting, names, of=f" of {typed.case}")
    if len(fitting) > 1:
        some = ", ".join(fitting[-5:])
        raise TenkenError(f"'{typed.sitting}' fits {len(fitting)} sittings: {some}; type more of it.")
    paths = [drop(accepted.path) for accepted in chosen if accepted.sitting.id == fitting[0]]
    if typed.json:
        print(json.dumps({"case": typed.case, "sitting": fitting[0], "kept": [str(path) for path in paths]}, indent=1))
    else:
        for path in paths:
            print(f"dropped  {typed.case}   {fitting[0]}   renamed to {_plain(path)}")
    _say(notes)
    return EXIT_OK


def _stored(typed: argparse.Namespace) -> tuple[Path, Sequence[Any], Sequence[str]]:
    from tenken.store.baseline import scan

    root = places.baselines(typed.baselines)
    return root, *scan(root)


def _checks() -> dict[str, Check]:
    from tenken.store.checkfile import load_checks

    return load_checks([places.TREE / "checks"])


def _of_case(stored: Sequence[Any], case_id: str) -> list[Any]:
    """Sittings of the case under any of its names."""
    names = (case_id, *same_case(case_id, _checks()))
    chosen = [accepted for accepted in stored if accepted.case_id in names]
    if not chosen:
        raise unknown("case", case_id, {accepted.case_id for accepted in stored}, of=" among the baselines")
    return chosen


def _say(notes: Sequence[str]) -> None:
    import sys

    for note in notes:
        print(f"note     {_plain(note)}", file=sys.stderr)


def _plain(text: object) -> str:
    from tenken.report.plain import plain

    return plain(text)
