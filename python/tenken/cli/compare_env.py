"""`tenken compare-env A B`: may environment B be released in the place of A? Both are run in turn on the same nodes."""

from __future__ import annotations

import argparse
import dataclasses
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tenken.base import units
from tenken.base.errors import TenkenError
from tenken.base.words import plural, unknown
from tenken.cli import builds, comparisons, here, options, places
from tenken.cli.again import require_known, start_of
from tenken.cli.comparisons import find_comparison, new_folder, read_plan, write_plan
from tenken.cli.run import first_screen, place, resolved
from tenken.cli.start import require_place, require_room, srun_options
from tenken.cli.terminal import LaunchProgress, Progress
from tenken.launch import environment as environments
from tenken.launch.build import Built, build, programs
from tenken.launch.command import Command, command
from tenken.launch.environment import BuildEnvironment
from tenken.launch.plan import estimate, plan, seconds_by_case, select
from tenken.launch.runner import Driven, drive_pairs
from tenken.machine.match import facts
from tenken.model import limits
from tenken.model.check import Case, present
from tenken.model.comparison import ComparisonPlan
from tenken.model.run import CaseRun
from tenken.store.files import write_json
from tenken.store.runfolder import RunFolder

PAIRS = 6  # launches of each case in each environment to begin with; an even number balances who goes first
# Timed in a launch at least, though a case of a quick run asks for less: to start it takes as long, and longer launches
# agree better (decision 12). A case without a stated time takes 1 s too.
LAUNCH_SECONDS = 1.0
Two = tuple[Built, Built]


def main(arguments: Sequence[str]) -> int:
    """The word `compare-env`; returns the exit code of the decision."""
    parser = options.Parser(
        "compare-env", "May environment B be released in the place of A? Runs both in turn on the same nodes and answers "
        "release (exit code 0), release with restrictions (1), hold (2) or not enough evidence (3).",
    )
    add = parser.add_argument
    add("a", nargs="?", metavar="A", help="environment that users have, as for run --environment")
    add("b", nargs="?", metavar="B", help="environment that they may get")
    add("names", nargs="*", metavar="NAME", help="suite, check, check:case or check:study (default: quick)")
    add("--suite", metavar="S", help="the same as NAME")
    add("--essential", action="append", default=[], metavar="NAME", help="check or check:case whose slowdown means hold")
    options.add_overrides(parser, f"pairs of job starts of each case (default: {PAIRS} to {limits.MOST_PAIRS}, by evidence)")
    options.add_machine(parser)
    options.add_place(parser)
    add("--resume", metavar="COMPARISON", help="continue a comparison: path, unique prefix or last")
    add("--show", metavar="COMPARISON", help="judge a comparison again and print the answer")
    options.add_runs(parser)
    options.add_all(parser)
    typed = parser.parse(arguments)
    progress = Progress()
    if typed.show or typed.resume:
        if typed.a:
            raise TenkenError(f"--{'show' if typed.show else 'resume'} repeats a comparison unchanged: leave out {typed.a}.")
        folder = find_comparison(places.runs(typed.runs), typed.show or typed.resume)
        return _resume(folder, typed, progress) if typed.resume else comparisons.show(read_plan(folder), typed, progress)
    if not typed.b:
        raise TenkenError("compare-env takes two environments, such as: ./tenken compare-env gcc clang quick")
    return _start(typed, progress)


def _start(typed: argparse.Namespace, progress: Progress) -> int:
    sitting = here.sitting()
    checks, suites = here.catalogue()
    selection = select([*typed.names, *([typed.suite] if typed.suite else [])], checks, suites)
    here.name_renamed(selection.renamed, progress)
    typed.essential = [present(name, checks) for name in typed.essential]
    known = here.look(typed.machine)
    on, nodes = place(typed)
    require_place(on, nodes)
    cases = [_enough(case_run, typed) for case_run in resolved(selection, here.resolving_facts(known, nodes), typed)[0]]
    _require_essential(typed.essential, cases)
    if swept := next((case_run.case.id for case_run in cases if case_run.case.environment), None):
        raise TenkenError(f"{swept} belongs to a study that sweeps environments; start the study with ./tenken run.")
    require_room(on, nodes, cases)
    named = here.named_environments(known)
    chosen = [environments.select(name, named) for name in (typed.a, typed.b)]
    runs = places.runs(typed.runs)
    both = _build_both(chosen, cases, progress)
    progress("probe    this node ...", False)
    machine_json = here.probe(both[0], known, on, nodes)
    seed = secrets.randbits(32)
    cases = list(plan([_mark(case_run, both) for case_run in cases], seed, selection.order))
    folder = new_folder(runs, selection.label)
    progress.log_into(folder)
    start = {"machine": known.file.name if known.file else None, "on": on, "nodes": nodes, "comparison": folder.name} | sitting
    made = []
    for side, built in zip("AB", both, strict=True):
        own = [dataclasses.replace(case, unavailable=built.missing(case.check, case.case.variant)) for case in cases]
        described = built.environment.describe() | start | {"side": side}
        made.append(RunFolder.create(runs, f"{side} {selection.label}", own, seed, described))
        write_json(made[-1].path / "machine.json", machine_json)
    of = write_plan(
        folder, selection.label, seed, (chosen[0].name, chosen[1].name), (made[0].path.name, made[1].path.name), typed.essential,
        typed.launches or limits.MOST_PAIRS,
    )
    pairs, of_one = sum(len(case_run.launches) for case_run in cases), estimate(cases, runs)
    phrases = [
        f"{selection.label}: {chosen[1].name} (B) instead of {chosen[0].name} (A)",
        f"{plural(len(cases), 'case')}, {plural(pairs, 'pair')} of launches{'' if typed.launches else ' or more'}",
        str(dataclasses.replace(of_one, seconds=2 * of_one.seconds)),
    ]
    if not typed.launches:
        most = 2 * of_one.seconds * of.most_pairs / PAIRS
        phrases.append(f"up to {units.duration(most)} where the first pairs do not decide")
    first_screen(facts(machine_json, known.files, known.file), machine_json, phrases, progress)
    return _go(of, both, start, typed, progress)


def _build_both(chosen: Sequence[BuildEnvironment], cases: Sequence[CaseRun], progress: Progress) -> Two:
    targets = programs(places.TREE, (case_run.case.check for case_run in cases))
    return build(places.TREE, chosen[0], progress, targets=targets), build(places.TREE, chosen[1], progress, targets=targets)


def _resume(folder: Path, typed: argparse.Namespace, progress: Progress) -> int:
    of = read_plan(folder)
    progress.log_into(folder)
    halves = [RunFolder(folder.parent / name).read() for name in of.runs]
    start = [start_of(half, typed.on) for half in halves][0]
    require_known([case_run for half in halves for case_run in half.cases], here.catalogue()[0])
    require_room(start["on"], start["nodes"], [case_run for half in halves for case_run in half.cases])
    known = here.look(halves[0].environment.get("machine"))
    chosen = [builds.again(run, known).run for run in halves]
    both = _build_both(chosen, halves[0].cases, progress)
    return _go(of, both, start, typed, progress)


def _go(of: ComparisonPlan, both: Two, start: Mapping[str, Any], typed: argparse.Namespace, progress: Progress) -> int:
    runs = Path(of.folder).parent

    def side(name: str, built: Built) -> Driven:
        def command_of(case: Case, into: Path) -> Command:
            more = srun_options(start["on"], built.environment.mpi.flavour)
            return command(case, built.program(case.check), built.environment, into, start["on"], start["nodes"], (), more)

        return Driven(RunFolder(runs / name), command_of)

    sides = side(of.runs[0], both[0]), side(of.runs[1], both[1])
    seconds = {name: 2 * each for name, each in seconds_by_case(sides[0].folder.read().cases, runs).items()}
    resume = f"./tenken compare-env --resume {of.name}"
    drive_pairs(sides, LaunchProgress(progress, seconds), resume, comparisons.further(of, progress))
    progress("report   judging and drawing ...", False)
    return comparisons.show(of, typed, progress, files=True)


def _enough(case_run: CaseRun, typed: argparse.Namespace) -> CaseRun:
    launches = case_run.case.launches if typed.launches else max(case_run.case.launches, PAIRS)
    parameters = dict(case_run.case.parameters)
    if "seconds" in parameters and "seconds" not in options.parameters(typed.set):
        parameters["seconds"] = max(parameters["seconds"], LAUNCH_SECONDS)
    return dataclasses.replace(case_run, case=dataclasses.replace(case_run.case, launches=launches, parameters=parameters))


def _mark(case_run: CaseRun, both: Two) -> CaseRun:
    """A case that an environment lacks is launched in neither."""
    reasons = [built.missing(case_run.check, case_run.case.variant) for built in both]
    return dataclasses.replace(case_run, unavailable=next((reason for reason in reasons if reason), None))


def _require_essential(names: Sequence[str], cases: Sequence[CaseRun]) -> None:
    known = {name for case_run in cases for name in (case_run.case.check, case_run.case.id)}
    for name in names:
        if name not in known:
            raise unknown("essential check or case", name, known, of=" among those that are compared")
