"""The measurement behind `tenken node-check`, apart from the word, whose process must be ready to end it in no time."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tenken.base.toml import read_toml
from tenken.cli import answer, here, places
from tenken.judge.health import DrainRules, drain_reasons, judge_health
from tenken.launch.build import Built
from tenken.launch.command import Command, command
from tenken.launch.limited import now
from tenken.launch.plan import plan, select
from tenken.launch.resolve import Overrides, resolve
from tenken.launch.runner import Driven
from tenken.launch.shares import launch_in_shares
from tenken.launch.singleton import newest_build
from tenken.machine.devices import cuda_devices
from tenken.machine.probe import assemble
from tenken.machine.quick import health, stolen_s
from tenken.model.assessment import Assessment
from tenken.model.check import Case, CaseSpec, Check, Suite
from tenken.model.health import Extent, Health
from tenken.model.run import CaseRun
from tenken.report import plugin
from tenken.store.files import write_json
from tenken.store.runfolder import RunFolder

_DRAIN = 1
# Seconds reserved for judging for each second from the start to the first launch. Measured in processor time: 0.15 to 0.38.
_JUDGING_PART = 0.6


def checked(
    host: str, machine: str | None, extent: Extent, begin: float, step: Callable[[str], None], place: Path
) -> tuple[str, int]:
    """The answer for monitoring, and its exit code."""
    assessment, before, after = measure(machine, extent, begin, step, place)
    return plugin.line(host, assessment, judge_health(before, after))


def drained(
    host: str, machine: str | None, extent: Extent, begin: float, step: Callable[[str], None], place: Path
) -> tuple[str, int]:
    """The answer in a prolog: why the node takes no more jobs, else the answer for monitoring with exit code 0."""
    rules = read_rules(places.config("config.toml"))
    if rules == DrainRules():
        print("tenken: no [drain] rules in config.toml: nothing was checked.", file=sys.stderr, flush=True)
        return "", 0
    assessment, before, after = measure(machine, extent, begin, step, place)
    reasons = drain_reasons(rules, assessment, after)
    if reasons:
        return "\n".join(f"DRAIN - {host}: {reason}" for reason in reasons), _DRAIN
    return plugin.line(host, assessment, judge_health(before, after))[0], 0


def measure(
    machine: str | None, extent: Extent, begin: float, step: Callable[[str], None], place: Path
) -> tuple[Assessment, Health, Health]:
    """Run the cases on all cores of this node, in the time that start and judging leave, in the folder `place`."""
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
    """The cases that the suite file names, in its order, then those that name the suite; of cards, where the node has some."""
    named = suites[extent.suite].include
    cases = select([extent.suite], checks, suites).cases
    of_cards = select([extent.cards], checks, suites).cases if extent.cards and cuda_devices() else ()
    return [*sorted(cases, key=lambda pair: (f"{pair[0].name}:{pair[1].name}" not in named)), *of_cards]


def _cases(
    known: here.Here, selected: Sequence[tuple[Check, CaseSpec]], extent: Extent, built: Built
) -> tuple[CaseRun, ...]:
    facts = here.resolving_facts(known, 1)
    case_runs = []
    for check, spec in selected:
        overrides = Overrides({"seconds": str(extent.seconds)}, ranks="1", threads="fill", launches=1)
        case = dataclasses.replace(resolve(check, spec, facts, overrides), timeout_s=extent.limit_s / len(selected))
        if built.program(check.name).exists():
            case_runs.append(CaseRun(case, check, (), ()))
    return plan(case_runs, 0, "given")


# Drain rules out of the configuration: `[drain]` in config.toml. Without it no node is ever drained.

def read_rules(path: Path) -> DrainRules:
    """The rules in `path`; none where the file or its table is missing. TenkenError names the key that it cannot read.

        [drain]
        wrong_answer = true           # any core, any kernel
        uncorrectable_errors = 1      # of the memory since boot, at least
        below_band_percent = 80       # a metric below 80 % of the low end of its band
        tmp_free_bytes = 1073741824   # less free in /tmp
    """
    if not path.is_file():
        return DrainRules()
    table = read_toml(path).table("drain")
    if table is None:
        return DrainRules()
    wrong = table.raw("wrong_answer", False)
    if not isinstance(wrong, bool):
        table.fail("wrong_answer", "expected true or false")
    rules = DrainRules(
        wrong_answer=wrong,
        uncorrectable_errors=table.count("uncorrectable_errors") if "uncorrectable_errors" in table else None,
        below_band_percent=table.number("below_band_percent", 0.0) if "below_band_percent" in table else None,
        tmp_free_bytes=table.count("tmp_free_bytes") if "tmp_free_bytes" in table else None,
    )
    table.done()
    return rules
