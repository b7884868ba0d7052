"""`tenken node-check`: a few very short checks of this node alone, by hand, from cron or in a Slurm prolog."""

from __future__ import annotations

import dataclasses
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenken.cli import answer, here, options, places
from tenken.cli.drain import read_rules
from tenken.judge.health import DrainRules, drain_reasons, judge_health
from tenken.launch.build import Built
from tenken.launch.command import Command, command
from tenken.launch.limited import Ended, began, end_by, now
from tenken.launch.one_writer import end_left_over
from tenken.launch.plan import plan, select
from tenken.launch.resolve import Overrides, resolve
from tenken.launch.runner import Driven
from tenken.launch.shares import launch_in_shares
from tenken.launch.singleton import newest_build
from tenken.machine.health import health, stolen_s
from tenken.machine.probe import assemble
from tenken.model.assessment import Assessment
from tenken.model.check import Case, CaseSpec, Check, Suite
from tenken.model.errors import TenkenError
from tenken.model.health import Health
from tenken.model.run import CaseRun
from tenken.report import plugin
from tenken.store.files import write_json
from tenken.store.runfolder import RunFolder

_DRAIN = 1
# Seconds kept for judging for each second from the start to the first launch. A third was measured, in processor time.
_JUDGING_PART = 1.0


@dataclass(frozen=True, slots=True)
class Extent:
    """What is checked, and in which time."""

    suite: str
    seconds: float  # of the timed part of each case
    limit_s: float  # for everything, from the first line of the bootstrap on
    ending_s: float  # of it, to end what still runs and to remove it


WHOLE = Extent("node", 0.8, 30.0, 2.0)
PROLOG = Extent("prolog", 0.3, 5.0, 0.8)


def main(arguments: Sequence[str]) -> int:
    """The word `node-check`; exit codes of monitoring plugins, with --prolog 1 only where a drain rule is met."""
    begin = began()
    parser = options.Parser(
        "node-check", "Is this node fit for work? Ends within 30 s. Prints OK, WARNING, CRITICAL or UNKNOWN (exit code 0 to 3) "
        "with one cause, and details on the lines after it. UNKNOWN: other load or lack of time left a case unjudged. "
        "Uses the newest build; ./tenken build makes one.",
    )
    parser.add_argument(
        "--prolog", action="store_true",
        help="end within 5 s; exit code 1 where a rule of [drain] in config.toml is met, else 0",
    )
    options.add_machine(parser)
    if "--prolog" in arguments:
        return _prolog(parser, arguments, begin)
    typed = parser.parse(arguments)

    def work(step: Callable[[str], None], folder: Path) -> tuple[str, int]:
        assessment, before, after = _measure(typed.machine, WHOLE, begin, step, folder)
        return plugin.line(_host(), assessment, judge_health(before, after))

    return _within(WHOLE, begin, work, plugin.UNKNOWN)


def _prolog(parser: options.Parser, arguments: Sequence[str], begin: float) -> int:
    """Never stands in the way of a job for troubles of its own."""
    try:
        typed = parser.parse(arguments)
        rules = read_rules(places.config("config.toml"))
        if rules == DrainRules():
            print("tenken: no [drain] rules in config.toml: nothing was checked.", file=sys.stderr)
            return 0

        def work(step: Callable[[str], None], folder: Path) -> tuple[str, int]:
            assessment, before, after = _measure(typed.machine, PROLOG, begin, step, folder)
            reasons = drain_reasons(rules, assessment, after)
            if reasons:
                return "\n".join(f"DRAIN - {_host()}: {reason}" for reason in reasons), _DRAIN
            return plugin.line(_host(), assessment, judge_health(before, after))[0], 0

        return _within(PROLOG, begin, work, 0)
    except Exception as error:  # noqa: BLE001  # a prolog that fails drains the node
        print(f"tenken: node-check did not work, the node goes on: {error}", file=sys.stderr)
        return 0


def _host() -> str:
    return platform.node() or "this node"


def _within(
    extent: Extent, begin: float, work: Callable[[Callable[[str], None], Path], tuple[str, int]], unknown_code: int
) -> int:
    """Do `work` in a folder that is removed, print what it answers, or UNKNOWN where it has no answer in time."""
    try:
        place = Path(tempfile.mkdtemp(prefix="tenken-node-check-"))
    except OSError as error:
        print(plugin.unknown(_host(), f"cannot make a temporary folder: {error.strerror or error}")[0], flush=True)
        return unknown_code

    def in_place(step: Callable[[str], None]) -> tuple[str, int]:
        try:
            return work(step, place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def say(ended: Ended) -> None:
        print(ended.answer[0] if ended.answer else plugin.unknown(_host(), _why(ended, extent))[0], flush=True)

    ended = end_by(begin + extent.limit_s - extent.ending_s, in_place, say)
    try:
        for path in place.glob("*/run.json"):
            end_left_over(RunFolder(path.parent))
    except TenkenError as error:
        print(f"tenken: {error}", file=sys.stderr)
    shutil.rmtree(place, ignore_errors=True)
    return ended.answer[1] if ended.answer else unknown_code


def _why(ended: Ended, extent: Extent) -> str:
    """Why there is no answer."""
    if ended.cause.startswith("error: "):
        return ended.cause.removeprefix("error: ")
    during = f" during {ended.step}" if ended.step else " before the first launch"
    if ended.cause == "time":
        limit = f"the time limit of {extent.limit_s:g} s was reached{during}"
        return f"{limit}: the node is busy, or a file system does not answer"
    return f"stopped by {ended.cause}{during}"


def _measure(
    machine: str | None, extent: Extent, begin: float, step: Callable[[str], None], place: Path
) -> tuple[Assessment, Health, Health]:
    """Run the cases on all cores of this node, in what start and judging leave of the time, in the folder `place`."""
    known = here.look(machine)
    checks, suites = here.catalogue()
    selected = _selected(extent, checks, suites)
    built = newest_build(places.TREE, here.named_environments(known), {check.name for check, _ in selected})
    before = health()
    folder = RunFolder.create(place, "node-check", _cases(known, selected, extent, built), 0, {
        "name": built.environment.name, "on": "local", "nodes": 1,
        "machine": known.file.name if known.file else None,
    })
    write_json(folder.path / "machine.json", assemble([known.node], {}, {}, here.now()))

    def command_of(case: Case, into: Path) -> Command:
        return command(case, built.program(case.check), built.environment, into)

    answer.load()
    end = begin + extent.limit_s - extent.ending_s
    judging = _JUDGING_PART * min(now() - begin, extent.limit_s / 4)
    run = launch_in_shares(
        Driven(folder, command_of), now, end - judging, 2 * extent.seconds, "./tenken node-check", step, stolen_s
    )
    step("judging")
    return answer.assess(run, places.baselines(None)), before, health()


def _selected(
    extent: Extent, checks: Mapping[str, Check], suites: Mapping[str, Suite]
) -> list[tuple[Check, CaseSpec]]:
    """The cases that the suite file names, in its order, then those that name the suite."""
    named = suites[extent.suite].include
    cases = select([extent.suite], checks, suites).cases
    return sorted(cases, key=lambda pair: (f"{pair[0].name}:{pair[1].name}" not in named))


def _cases(
    known: here.Here, selected: Sequence[tuple[Check, CaseSpec]], extent: Extent, built: Built
) -> tuple[CaseRun, ...]:
    facts = here.resolving_facts(known, 1)
    found = []
    for check, spec in selected:
        overrides = Overrides({"seconds": str(extent.seconds)}, ranks="1", threads="fill", launches=1)
        case = dataclasses.replace(resolve(check, spec, facts, overrides), timeout_s=extent.limit_s / len(selected))
        if built.program(check.name).exists():
            found.append(CaseRun(case, check, (), ()))
    return plan(found, 0, "given")
