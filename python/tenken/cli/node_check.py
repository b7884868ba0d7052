"""`tenken node-check`: a few very short checks of this node alone, by hand, from cron or in a Slurm prolog."""

from __future__ import annotations

import dataclasses
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tenken.cli import answer, here, options, places
from tenken.cli.drain import read_rules
from tenken.judge.health import DrainRules, drain_reasons, judge_health
from tenken.launch.build import Built
from tenken.launch.budget import Budget
from tenken.launch.command import Command, command
from tenken.launch.plan import plan, select
from tenken.launch.resolve import Overrides, resolve
from tenken.launch.runner import drive
from tenken.launch.singleton import newest_build
from tenken.machine.health import health
from tenken.machine.probe import assemble
from tenken.model.assessment import Assessment
from tenken.model.check import Case, CaseSpec, Check
from tenken.model.errors import TenkenError
from tenken.model.health import Health
from tenken.model.run import CaseRun, Launch, RankState
from tenken.report import plugin
from tenken.store.files import write_json
from tenken.store.runfolder import RunFolder

SUITE, PROLOG_SUITE = "node", "prolog"
# Seconds of the timed part of each case, and those after which each is ended, all cases together.
_SECONDS, _LIMIT_S = 0.8, 28.0
_PROLOG_SECONDS, _PROLOG_LIMIT_S = 0.3, 3.8
_DRAIN = 1


class _Quiet:
    """An observer that says nothing: the answer is one line."""

    def launch_started(self, launch: Launch, index: int, total: int) -> None: ...
    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None: ...
    def ports_open(self, ports: tuple[int, ...]) -> None: ...
    def launch_ended(self, launch: Launch) -> None: ...
    def left_out(self, launches: Sequence[Launch], budget: Budget) -> None: ...


def main(arguments: Sequence[str]) -> int:
    """The word `node-check`; exit codes of monitoring plugins, with --prolog 1 only where a drain rule is met."""
    parser = options.Parser(
        "node-check", "Is this node fit for work? Under 30 s, one line: OK, WARNING, CRITICAL or UNKNOWN (exit code "
        "0 to 3). Uses the newest build; ./tenken build makes one.",
    )
    parser.add_argument(
        "--prolog", action="store_true",
        help="under 5 s; exit code 0 unless a rule of [drain] in config.toml is met (then 1), whatever else happens",
    )
    options.add_machine(parser)
    if "--prolog" in arguments:
        return _prolog(parser, arguments)
    typed = parser.parse(arguments)
    host = platform.node() or "this node"
    try:
        assessment, before, now = _measure(typed.machine, SUITE, _SECONDS, _LIMIT_S)
    except TenkenError as error:
        text, code = plugin.unknown(host, str(error))
    else:
        text, code = plugin.line(host, assessment, judge_health(before, now))
    print(text)
    return code


def _prolog(parser: options.Parser, arguments: Sequence[str]) -> int:
    """Never stands in the way of a job for troubles of its own."""
    try:
        typed = parser.parse(arguments)
        rules = read_rules(places.config("config.toml"))
        if rules == DrainRules():
            print("tenken: no [drain] rules in config.toml: nothing was checked.", file=sys.stderr)
            return 0
        assessment, _, now = _measure(typed.machine, PROLOG_SUITE, _PROLOG_SECONDS, _PROLOG_LIMIT_S)
        reasons = drain_reasons(rules, assessment, now)
    except Exception as error:  # noqa: BLE001  # a prolog that fails drains the node
        print(f"tenken: node-check did not work, the node goes on: {error}", file=sys.stderr)
        return 0
    for reason in reasons:
        print(f"DRAIN - {platform.node()}: {reason}")
    return _DRAIN if reasons else 0


def _measure(
    machine: str | None, suite: str, seconds: float, limit_s: float
) -> tuple[Assessment, Health, Health]:
    """Run the cases on all cores of this node, in `limit_s` together, in a folder that is thrown away."""
    known = here.look(machine)
    checks, suites = here.catalogue()
    selected = select([suite], checks, suites).cases
    built = newest_build(places.TREE, here.named_environments(known), {check.name for check, _ in selected})
    before = health()
    with tempfile.TemporaryDirectory(prefix="tenken-node-check-") as folder:
        run_folder = RunFolder.create(Path(folder), "node-check", _cases(known, selected, seconds, limit_s, built), 0, {
            "name": built.environment.name, "on": "local", "nodes": 1,
            "machine": known.file.name if known.file else None,
        })
        write_json(run_folder.path / "machine.json", assemble([known.node], {}, {}, here.now()))

        def command_of(case: Case, place: Path) -> Command:
            return command(case, built.program(case.check), built.environment, place)

        drive(run_folder, command_of, _Quiet())
        assessment = answer.assess(run_folder.read(), places.baselines(None))
    return assessment, before, health()


def _cases(
    known: here.Here, selected: Sequence[tuple[Check, CaseSpec]], seconds: float, limit_s: float, built: Built
) -> tuple[CaseRun, ...]:
    facts = here.resolving_facts(known, 1)
    found = []
    for check, spec in selected:
        overrides = Overrides({"seconds": str(seconds)}, ranks="1", threads="fill", launches=1)
        case = dataclasses.replace(resolve(check, spec, facts, overrides), timeout_s=limit_s / len(selected))
        if built.program(check.name).exists():
            found.append(CaseRun(case, check, (), ()))
    return plan(found, 0, "given")
