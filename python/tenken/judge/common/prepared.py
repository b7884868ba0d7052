"""The facts of a case before it is compared with anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from types import MappingProxyType

from tenken.base.words import digits, plural
from tenken.judge.common.confirm import chosen_launches
from tenken.judge.common.findings import finding, own_judgement
from tenken.judge.common.grids import RankRows, rank_rows
from tenken.judge.common.sections import Launches, case_sections
from tenken.judge.common.validity import judge_validity, validity_results
from tenken.model.assessment import AxisResult, Finding, SectionSummary, ValidityResult
from tenken.model.judgement import Judge, OwnJudgement, ToJudge
from tenken.model.machine import Machine, Offer
from tenken.model.record import Record
from tenken.model.run import OVERSUBSCRIBED, CaseRun, Measured, crowding, nodes_of, strangers
from tenken.model.verdict import Axis, Verdict

Choice = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    run: str  # name of the run, for the commands that findings end with
    case_run: CaseRun
    recorded: tuple[Measured, ...]  # the launches whose answers count, whatever they chose
    measured: tuple[Measured, ...]  # the launches that count
    by_launch: tuple[tuple[SectionSummary, ...], ...]  # for each of them
    by_rank: tuple[Mapping[str, RankRows], ...]  # the same: figures of each rank in each section
    sections: tuple[SectionSummary, ...]  # over all of them, without ceilings
    proofs: tuple[ValidityResult, ...]
    validity: AxisResult
    validity_findings: tuple[Finding, ...]
    crowded: str  # why no time is judged: more threads than cores, ranks that share a card; "" where times are judged
    exclusive: bool  # every node was ours alone
    strangers: tuple[str, ...]  # hosts of ranks that were not probed
    fault: str | None
    own: OwnJudgement  # the check's judgement of it
    own_failures: tuple[Finding, ...]  # its judge went wrong
    unlike: tuple[Finding, ...]  # launches that are left out because their program chose otherwise

    @property
    def valid(self) -> bool:
        """Whether rates may be shown: nothing measured is known to be wrong."""
        return self.validity.verdict is not Verdict.INVALID

    @property
    def on_device(self) -> bool:
        """Whether its kernels ran on a device: the rates of processors are no measure of theirs, nor theirs of processors."""
        return self.case_run.check.on_device(self.case_run.case.variant)


def _finite(measured: Measured) -> Measured:
    """Without the values that are not finite: the case is INVALID by them, and no other code has to know of them."""
    values = tuple(recorded for recorded in measured.record.values if isfinite(recorded.value))
    if len(values) == len(measured.record.values):
        return measured
    return replace(measured, record=replace(measured.record, values=values))


def prepare(
    run: str, case_run: CaseRun, machine: Machine, judges: Mapping[str, Judge] = MappingProxyType({})
) -> Prepared:
    """`judges` are those that checks bring, by the name of the check; they see no ceilings of the run."""
    return judged(_without_judge(run, case_run, machine), judges)


def judged(case: Prepared, judges: Mapping[str, Judge], ceilings: tuple[Offer, ...] = ()) -> Prepared:
    """`case` with the judgement of its check. The axis of validity needs it: a check can explain a broken proof."""
    run = case.case_run
    own, failures = own_judgement(
        judges.get(run.check.name), ToJudge(case.run, run.check, run.case, case.measured, ceilings))
    if not case.measured:
        return replace(case, own=own, own_failures=failures)
    validity, findings = judge_validity(run.case.id, run.check, run.case.parameters, case.recorded, case.proofs, own)
    return replace(case, own=own, own_failures=failures, validity=validity, validity_findings=tuple(findings))


def _without_judge(run: str, case_run: CaseRun, machine: Machine) -> Prepared:
    known = Launches()
    recorded = chosen_launches(case_run, machine, known)
    check, parameters = case_run.check, case_run.case.parameters
    proofs = validity_results(check, parameters, recorded)  # a wrong answer is wrong whatever was chosen
    counting, unlike = alike(case_run.case.id, recorded)
    by_launch = tuple(map(known.sections, counting))
    measured = tuple(_finite(each) for each in counting)
    faults = [each.record.fault for each in measured if each.record.fault is not None]
    planned_fault = case_run.case.parameters.get("fault", "none")  # a crash leaves no record that could name it
    return Prepared(
        run=run,
        case_run=case_run,
        recorded=recorded,
        measured=measured,
        by_launch=by_launch,
        by_rank=tuple(rank_rows(each.record, known.timed(each)) for each in counting),
        sections=case_sections(by_launch),
        proofs=proofs,
        validity=AxisResult(Axis.VALIDITY, Verdict.NOT_JUDGED, "no measurement"),
        validity_findings=(),
        crowded=_crowded(case_run, measured, machine),
        exclusive=bool(measured) and all(
            node.exclusive for each in measured for node in nodes_of(each.record, machine)
        ),
        strangers=tuple(dict.fromkeys(host for each in measured for host in strangers(each.record, machine))),
        fault=faults[0] if faults else str(planned_fault) if planned_fault != "none" else None,
        own=OwnJudgement(),
        own_failures=(),
        unlike=tuple(unlike),
    )


def _crowded(case_run: CaseRun, measured: Sequence[Measured], machine: Machine) -> str:
    """Of the plan, else of the first launch that it is true of."""
    if case_run.case.oversubscribed:
        return OVERSUBSCRIBED
    return next((why for each in measured if (why := crowding(each.record, machine))), "")


def choice(record: Record) -> Choice:
    """The choices of the program in this launch, by name."""
    return tuple(sorted((recorded.name, recorded.value) for recorded in record.values if recorded.chosen))


def alike(case_id: str, launches: Sequence[Measured]) -> tuple[tuple[Measured, ...], list[Finding]]:
    """The most launches of equal choice, the first group where two are as large, and a finding that names the others."""
    groups: dict[Choice, list[Measured]] = {}
    for each in launches:
        groups.setdefault(choice(each.record), []).append(each)
    if len(groups) < 2:
        return tuple(launches), []
    measured = max(groups.values(), key=len)
    common = set.intersection(*(set(group) for group in groups))
    chosen = ", ".join(
        f"{_launches(each)}{' ran' if number == 0 else ''} with {_words(chosen_values, common)}"
        for number, (chosen_values, each) in enumerate(groups.items())
    )
    others = [each for some in groups.values() if some is not measured for each in some]
    sentence = f"{chosen}; {_launches(others)} {'is' if len(others) == 1 else 'are'} not counted"
    return tuple(measured), [finding(
        Axis.TRUST, Verdict.WARN, case_id, sentence, f"choices of {plural(len(launches), 'launch')}", launches=len(launches),
    )]


def _words(choice: Choice, common: set[tuple[str, float]]) -> str:
    own = [f"{name}={digits(value)}" for name, value in choice if (name, value) not in common]
    return " ".join(own) or "no choice"


def _launches(some: Sequence[Measured]) -> str:
    """"launch 1", "launches 2 and 3"."""
    numbers = [str(each.launch.number) for each in some]
    return f"launch {numbers[0]}" if len(numbers) == 1 else f"launches {', '.join(numbers[:-1])} and {numbers[-1]}"
