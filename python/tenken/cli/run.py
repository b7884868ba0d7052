"""`tenken run`: plan, build, launch, judge, report."""

from __future__ import annotations

import argparse
import dataclasses
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.cli import answer, builds, here, options, places
from tenken.cli.again import require_known, start_of
from tenken.cli.builds import Builds
from tenken.cli.start import require_place, require_room, srun_options
from tenken.cli.terminal import LaunchProgress, Progress
from tenken.launch.budget import Budget, points_of, rest
from tenken.launch.build import built_already
from tenken.launch.command import Command, command
from tenken.launch.plan import Selection, by_importance, earlier_seconds, estimate, plan, seconds_by_case, select
from tenken.launch.resolve import Facts, Overrides, of_each, resolve
from tenken.launch.runner import drive
from tenken.launch.study import expand, impossible
from tenken.machine.match import facts
from tenken.machine.published import published_points
from tenken.model.baseline import occasion_of
from tenken.model.check import Case, Suite, Topic, named
from tenken.model.machine import Machine
from tenken.model.run import CaseRun
from tenken.model.study import StudyRun
from tenken.store.casefile import GENERIC
from tenken.store.files import write_json
from tenken.store.runfolder import RunFolder, find_run

# Options that shape the plan: a resumed run has its plan. (--on is typed again where it is a command.)
_PLANNING = (
    "names", "set", "variant", "ranks", "threads", "launches", "environment", "machine", "nodes", "dry_run",
    "budget",
)
_UNSET = re.compile(r" -u \w+")  # in the line of a launch: it lacks this variable of the calling shell


def main(arguments: Sequence[str]) -> int:
    """The word `run`; returns the exit code."""
    typed = _parser().parse(arguments)
    progress = Progress()
    return _resume(typed, progress) if typed.resume else _start(typed, progress)


def _parser() -> options.Parser:
    parser = options.Parser("run", "Measure and judge. Ctrl-C loses no finished launch; --resume continues.")
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="suite, check, check:case or check:study (default: quick)")
    options.add_overrides(parser, "job starts of each case")
    options.add_environment(parser)
    options.add_machine(parser)
    options.add_place(parser)
    add("--budget", metavar="TIME", help="time that the launches of the suite share, such as 600 (seconds), 30min or 8h")
    add("--resume", metavar="RUN", help="continue a run: path, unique prefix or last")
    add("--require-baseline", action="store_true", help="exit code 3 where a case has no accepted baseline")
    add("--dry-run", action="store_true", help="print the plan and the exact commands, and run nothing")
    options.add_runs(parser)
    options.add_baselines(parser)
    options.add_all(parser)
    return parser


def _start(typed: argparse.Namespace, progress: Progress) -> int:
    here.sitting()  # refused before anything is built
    checks, suites = here.catalogue()
    here.name_broken(checks, progress)
    selection = select(typed.names, checks, suites, typed.variant)
    here.name_renamed(selection.renamed, progress)
    known = here.look(typed.machine)
    on, nodes = place(typed)
    if not typed.dry_run:
        require_place(on, nodes)
    cases, studies = resolved(selection, here.resolving_facts(known, nodes), typed)
    _name_partly_set(typed, cases, progress)
    studies = [
        dataclasses.replace(study_run, published=published_points(check, study_run.study, known.files))
        for (check, _, _), study_run in zip(selection.studies, studies, strict=True)
    ]
    chosen = builds.select(builds.typed_names(typed.environment), cases, known)
    runs = places.runs(typed.runs)
    if typed.dry_run:
        built = builds.made(chosen, lambda environment: built_already(places.TREE, environment))
    else:
        built = builds.build_all(chosen, cases, progress)
    seed = secrets.randbits(32)
    planned = plan(by_importance(list(map(built.marked, cases)), selection.topics), seed, selection.order)
    if typed.dry_run:
        _print_plan(planned, studies, built, on, nodes, runs, selection)
        return 0
    require_room(on, nodes, planned)
    start = {"on": on, "nodes": nodes} | ({"chosen": typed.environment} if typed.environment else {}) | places.typed_config()
    budget = _budget(typed, suites.get(selection.label), studies, runs)
    return begin(
        selection.label, planned, seed, built, known, start, runs, typed, progress, studies, budget, selection.topics)


def _budget(typed: argparse.Namespace, suite: Suite | None, studies: Sequence[StudyRun], runs: Path) -> Budget | None:
    """The time that the launches share: as typed, else that of the suite; none where launches were asked for by number."""
    if typed.budget is None and (suite is None or typed.launches is not None):
        return None
    if suite is None:
        raise TenkenError(f"--budget {typed.budget}: the launches of a suite share it; name one suite alone, such as quick.")
    seconds = suite.budget_s if typed.budget is None else options.seconds("--budget", typed.budget)
    ends = bool(typed.budget or suite.topics)
    return Budget(suite.name, seconds, earlier_seconds(runs), studies=points_of(studies), ends=ends)


def place(typed: argparse.Namespace) -> tuple[str, int]:
    """Where to run and on how many nodes, as typed."""
    on, nodes = typed.on or "local", typed.nodes or 1
    if nodes < 1 or (on == "local" and nodes != 1):
        raise TenkenError(f"--nodes {nodes}: only 1 node without a scheduler; add --on slurm or --on 'TEMPLATE'.")
    return on, nodes


def begin(
    label: str, cases: Sequence[CaseRun], seed: int, built: Builds, known: here.Here, start: Mapping[str, Any],
    runs: Path, typed: argparse.Namespace, progress: Progress, studies: Sequence[StudyRun] = (),
    budget: Budget | None = None, topics: Sequence[Topic] = (),
) -> int:
    """Probe, make the run folder, show the first screen, go. `start`: on, nodes and, of a rerun, without, repeats."""
    progress("probe    this node ...", False)
    machine_json = here.probe(built.run, known, start["on"], start["nodes"], start.get("without", ()))
    described = built.describe() | {"machine": known.file.name if known.file else None} | dict(start) | here.sitting()
    described |= {"budget": budget.described()} if budget else {}
    folder = RunFolder.create(runs, label, cases, seed, described, studies=studies, topics=topics)
    progress.log_into(folder.path)
    write_json(folder.path / "machine.json", machine_json)
    machine = facts(machine_json, known.files, known.file)
    limit = budget.seconds if budget else None
    phrases = _plan_phrases(cases, studies, runs, label, start["nodes"], limit)
    named = occasion_of(described).name
    first_screen(machine, machine_json, [*([f"DRILL, sitting {named}"] if named else []), *phrases], progress)
    return _go(folder, cases, built, start, runs, typed, progress, budget)


def _resume(typed: argparse.Namespace, progress: Progress) -> int:
    for name in _PLANNING:
        if getattr(typed, name):
            option = "names" if name == "names" else f"--{name.replace('_', '-')}"
            raise TenkenError(f"--resume continues the plan unchanged: leave out {option}.")
    runs = places.runs(typed.runs)
    folder = RunFolder(find_run(runs, typed.resume))
    run = folder.read()
    if comparison := run.environment.get("comparison"):
        raise TenkenError(f"{run.name} is one half of {comparison}; go on with both: ./tenken compare-env --resume {comparison}")
    start = start_of(run, typed.on)
    began = occasion_of(run.environment).place
    if began and began != occasion_of(here.sitting()).place:
        progress(f"sitting  {run.name} began in {began}: its launches will be of two sittings, and count as one")
    require_known(run.cases, here.catalogue()[0])
    chosen = builds.again(run, here.look(run.environment.get("machine")))
    if typed.timeout:
        limited = [dataclasses.replace(case_run, case=_limit(case_run.case, typed.timeout)) for case_run in run.cases]
        folder.write_run(dataclasses.replace(run, cases=tuple(limited)))
    require_room(start["on"], start["nodes"], run.cases)
    progress.log_into(folder.path)
    here.name_not_passed_on(progress)
    built = builds.build_all(chosen, run.cases, progress)
    return _go(folder, run.cases, built, start, runs, typed, progress, rest(run, earlier_seconds(runs)))


def _go(
    folder: RunFolder, cases: Sequence[CaseRun], built: Builds, start: Mapping[str, Any], runs: Path,
    typed: argparse.Namespace, progress: Progress, budget: Budget | None = None,
) -> int:
    on, nodes, without = start["on"], start["nodes"], start.get("without", ())

    def command_of(case: Case, place: Path) -> Command:
        own = built.of(case)
        more = srun_options(on, own.environment.mpi.flavour)
        return command(case, own.program(case.check), own.environment, place, on, nodes, without, more)

    baselines = places.baselines(typed.baselines)
    drive(
        folder, command_of, LaunchProgress(progress, seconds_by_case(cases, runs)),
        lambda run: answer.disturbed(run, baselines), lambda run: answer.suspects(run, baselines), budget,
    )
    progress("report   judging and drawing ...", False)
    return answer.show(
        folder, progress, baselines, everything=typed.all, as_json=typed.json, files=True,
        require_baseline=typed.require_baseline,
    )


def resolved(selection: Selection, facts: Facts, typed: argparse.Namespace) -> tuple[list[CaseRun], list[StudyRun]]:
    """The cases of a selection with the options typed for all of them, and the studies whose points are among them."""
    overrides = Overrides(options.parameters(typed.set), typed.variant, typed.ranks, typed.threads, typed.launches)
    if typed.timeout is not None and not typed.timeout > 0:
        raise TenkenError(f"--timeout {typed.timeout:g}: expected a positive number of seconds.")
    checks = {check.name: check for check, _ in selection.cases} | {check.name: check for check, _, _ in selection.studies}
    per_check = of_each(checks, overrides)
    cases = [(check, resolve(check, spec, facts, per_check[check.name])) for check, spec in selection.cases]
    studies, of_topics = [], named(selection.topics)
    builds_named = builds.typed_names(getattr(typed, "environment", None))
    if len(builds_named) > 1 and (cases or not all(builds.sweeps_environments(study) for _, study, _ in selection.studies)):
        raise TenkenError(
            f"--environment {typed.environment}: several are for studies with the axis environment alone; "
            "two environments are compared with ./tenken compare-env."
        )
    for check, study, point in selection.studies:
        study = builds.sweep(check, study, builds_named)
        try:
            planned, points = expand(check, study, facts, per_check[check.name], point)
        except TenkenError as error:
            if f"{check.name}:{study.name}" not in of_topics:
                raise
            planned, points = impossible(check, study, str(error)), ()
        studies.append(planned)
        cases += [(check, case) for case in points]
    return [CaseRun(_limit(case, typed.timeout), check, (), ()) for check, case in cases], studies


def _name_partly_set(typed: argparse.Namespace, cases: Sequence[CaseRun], progress: Progress) -> None:
    """Say of a typed parameter which checks have it, where others do not."""
    checks = {case_run.check.name: {parameter.name for parameter in (*case_run.check.parameters, *GENERIC)} for case_run in cases}
    for name in options.parameters(typed.set):
        have = [check for check, own in checks.items() if name in own]
        if len(have) < len(checks):
            progress(f"set      {name}: for {', '.join(have)}; the other checks have no parameter {name}")


def _limit(case: Case, timeout_s: float | None) -> Case:
    return dataclasses.replace(case, timeout_s=timeout_s) if timeout_s else case


def _plan_phrases(
    cases: Sequence[CaseRun], studies: Sequence[StudyRun], runs: Path, label: str, nodes: int,
    limit_s: float | None = None,
) -> list[str]:
    from tenken.base.words import plural

    needs = estimate(cases, runs, limit_s)
    launches = sum(len(case_run.launches) for case_run in cases)
    phrases = [
        f"{label}: {plural(len(cases), 'case')}, {plural(launches, 'launch')}",
        str(needs),
        f"{nodes * needs.seconds / 3600:.2g} node-hours",
    ]
    crowded = sum(case_run.case.oversubscribed for case_run in cases)
    phrases += [f"{crowded} with more threads than cores"] if crowded else []
    left_out = sum(bool(point.left_out) for study in studies for point in study.points)
    phrases += [f"{plural(left_out, 'point')} left out"] if left_out else []
    missing = {f"{_left_out(case_run)} left out: {case_run.unavailable}" for case_run in cases if case_run.unavailable}
    return phrases + sorted(missing)


def _left_out(case_run: CaseRun) -> str:
    alone = case_run.check.requires_of(case_run.case.variant) != case_run.check.requires
    return f"{case_run.case.check}, variant {case_run.case.variant}," if alone else case_run.case.check


def first_screen(machine: Machine, machine_json: dict, phrases: Sequence[str], progress: Progress) -> None:
    """Print the machine, how far it can be trusted, and the plan."""
    from tenken.report import text

    for line in text.first_screen(machine, phrases, answer.doubts(machine_json)).splitlines():
        progress(line)
    here.name_not_passed_on(progress)


def _options_to_show(on: str, flavour: str) -> tuple[str, ...]:
    """Those of srun; none where it cannot be asked here: a plan is shown all the same."""
    try:
        return srun_options(on, flavour)
    except TenkenError:
        return ()


def _print_plan(
    cases: Sequence[CaseRun], studies: Sequence[StudyRun], built: Builds, on: str, nodes: int, runs: Path,
    selection: Selection,
) -> None:
    print("plan     " + "   ".join(_plan_phrases(cases, studies, runs, selection.label, nodes)))
    for point in (point for study in studies for point in study.points if point.left_out):
        print(f"left out {point.case_id}: {point.left_out}")
    by_id = {case_run.case.id: case_run.case for case_run in cases}
    launches = sorted((launch for case_run in cases for launch in case_run.launches), key=lambda launch: launch.number)
    lines: list[tuple[str, str]] = []
    for launch in launches:
        case = by_id[launch.case_id]
        place = runs / "RUN" / launch.folder
        own = built.of(case)
        more = _options_to_show(on, own.environment.mpi.flavour)
        words = command(case, own.program(case.check), own.environment, place, on, nodes, (), more).line()
        lines.append((f"{launch.number:4d}  {launch.case_id}  time-out {case.timeout_s:g} s", words))
    everywhere = set.intersection(*(set(_UNSET.findall(words)) for _, words in lines)) if lines else set()
    if everywhere:
        print(f"first    unset {' '.join(sorted(name.split()[-1] for name in everywhere))}")
    for head, words in lines:
        print(f"{head}\n      {_UNSET.sub(lambda unset: '' if unset[0] in everywhere else unset[0], words)}")
