"""The sittings before a run that were not accepted, from the run folder: does the difference of the run last?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenken.history.hosts import class_in_results, class_of
from tenken.judge.sittings import first_runs
from tenken.model.baseline import Baseline, Sitting
from tenken.model.earlier import EarlierSitting, Shown
from tenken.model.errors import RecordError
from tenken.model.machine import Machine
from tenken.model.run import Run
from tenken.model.sitting import occasion_of
from tenken.stats.robust import median
from tenken.store.baseline import case_hash, resolved
from tenken.store.files import read_json

_MOST_RUNS = 100  # that are looked through, newest first
_MOST_SITTINGS = 4  # most: two of them measured a quantity, unless cases change every day

Key = tuple[str, str, str]  # of a case: its id, node class and hash


@dataclass(frozen=True, slots=True)
class _Seen:
    """An earlier run of some of the cases."""

    sitting: Sitting  # without launches
    shown: tuple[Shown, ...]


def earlier_sittings(
    run: Run, machine: Machine, runs: Path, accepted: Mapping[str, Baseline]
) -> tuple[EarlierSitting, ...]:
    """Newest first. `accepted`: all accepted sittings of the cases of `run`, run by run.

    Of a case only what was measured after the last of these counts: they say how the machine was then. Drills stay among
    drills. Names of runs begin with their time. What cannot be read is as good as not there.
    """
    keys = {
        (one.case.id, class_of(one, machine), case_hash(resolved(one.case))): _last(accepted[one.case.id], run.started)
        for one in run.cases if one.case.id in accepted
    }
    now = Sitting(run.name, run.started, (), {}, (), occasion=occasion_of(run.environment))
    folders = sorted((path.parent for path in runs.glob("*/results.json") if path.parent.name < run.name), reverse=True)
    seen = [one for folder in folders[:_MOST_RUNS] if (one := _seen(folder, keys, bool(now.occasion.name))) is not None]
    known = [each for baseline in accepted.values() for each in baseline.sittings]
    first = first_runs([now, *known, *(earlier.sitting for earlier in seen)])
    closed = {first[each.id] for each in (now, *known)}
    found: dict[str, list[_Seen]] = {}
    for one in seen:
        if first[one.sitting.id] not in closed:
            found.setdefault(first[one.sitting.id], []).append(one)
    sittings = [_joined(name, of) for name, of in found.items()]
    sittings.sort(key=lambda earlier: (earlier.started, earlier.id), reverse=True)
    return tuple(sittings[:_MOST_SITTINGS])


def _last(of: Baseline, before: str) -> str:
    return max((each.started for each in of.sittings if each.started <= before), default="")


def _seen(folder: Path, keys: Mapping[Key, str], drill: bool) -> _Seen | None:
    """None where it has none of these cases, or is (or is not) a drill."""
    try:
        results = read_json(folder / "results.json")
        occasion, started = occasion_of(results["environment"]), str(results["started"])
        if bool(occasion.name) != drill or results["state"] != "finished" or "comparison" in results["environment"]:
            return None  # who compares environments makes some slow on purpose
        shown = [
            each for case in results["cases"]
            if case["fault"] is None and keys.get(_key(case, results), started) < started for each in _shown(case)
        ]
    except (RecordError, KeyError, TypeError, AttributeError, ValueError):
        return None
    return _Seen(Sitting(folder.name, started, (), {}, (), occasion=occasion), tuple(shown)) if shown else None


def _key(case: Mapping[str, Any], results: Mapping[str, Any]) -> Key:
    of = {name: case[name] for name in ("variant", "parameters", "ranks", "threads")}
    return str(case["id"]), class_in_results(case, results), case_hash(of)


def _shown(case: Mapping[str, Any]) -> list[Shown]:
    shown = []
    for change in case["changes"]:
        value = change.get("at_best")
        value = change["value"] if value is None else value
        if isinstance(value, (int, float)):
            shown.append(Shown(
                str(case["id"]), str(change["quantity"]), str(change["unit"]), str(change["better"]), float(value),
                int(change["launches"]),
            ))
    return shown


def _joined(name: str, runs: list[_Seen]) -> EarlierSitting:
    """The runs of a sitting as a single run: of a quantity that several measured the median."""
    of: dict[tuple[str, str, str, str], list[Shown]] = {}
    for run in runs:
        for figure in run.shown:
            of.setdefault((figure.case_id, figure.quantity, figure.unit, figure.better), []).append(figure)
    shown = tuple(
        Shown(*key, median([shown.value for shown in several]), sum(shown.launches for shown in several))
        for key, several in sorted(of.items())
    )
    return EarlierSitting(name, min(seen.sitting.started for seen in runs), shown)
