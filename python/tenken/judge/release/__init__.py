"""May this environment be released? Two runs made in pairs of launches, compared with each other. Pure.

The door of its package: other packages import only the names listed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tenken.base.words import plural
from tenken.judge.common import Prepared, prepare
from tenken.judge.release.pairs import Answer, Judged, judge_pairs
from tenken.judge.release.words import (
    alike, broken_findings, missing_finding, named, seems, slower_findings, unseen, worst_of, would_find,
)
from tenken.model import limits
from tenken.model.assessment import Assessment, CaseAssessment, Finding
from tenken.model.baseline import Difference
from tenken.model.comparison import EXIT_CODES, CaseComparison, CheckComparison, Comparison, ComparisonPlan, Decision
from tenken.model.machine import Machine
from tenken.model.run import CaseRun, Run
from tenken.model.verdict import EXIT_NOTHING_JUDGED, Axis, Verdict

__all__ = ["compare", "further_pairs"]
Runs = tuple[Run, Run]
_TIMED = ("right", "unproven")  # answers whose times may be compared
_BROKEN = ("wrong", "impossible", "crashed", "hung", "slow")
_ORDER = (Decision.HOLD, Decision.RESTRICT, Decision.RELEASE, Decision.UNDECIDED)


def compare(
    plan: ComparisonPlan, runs: Runs, assessments: tuple[Assessment, Assessment], machine: Machine,
    differences: Sequence[Difference] = (),
) -> Comparison:
    """`runs` and `assessments` of A and B hold the same cases in the same order."""
    judged = judge_pairs(_comparable(runs, machine), plan.most_pairs)
    seen = {case.id: case for case in assessments[0].cases}, {case.id: case for case in assessments[1].cases}
    cases = tuple(
        _case(first, second, (seen[0].get(first.case.id), seen[1].get(first.case.id)), judged.get(first.case.id, ()), plan)
        for first, second in zip(runs[0].cases, runs[1].cases, strict=True)
    )
    decision, reason = _whole(cases, judged)
    state = "finished" if all(run.state == "finished" for run in runs) else "interrupted"
    seconds = [run.seconds for run in runs if run.seconds is not None]
    return Comparison(
        plan=plan,
        state=state,
        seconds=max(seconds, default=None),
        decision=decision,
        reason=reason,
        exit_code=EXIT_CODES[decision] if state == "finished" else EXIT_NOTHING_JUDGED,
        drill=any(assessment.drill for assessment in assessments),
        machine=machine,
        checks=_checks(cases, {case_run.check.name: case_run.check.title for case_run in runs[1].cases}),
        cases=cases,
        findings=worst_of([finding for case in cases for finding in case.findings]),
        differences=tuple(differences),
        notes=tuple(dict.fromkeys(note for assessment in assessments for note in assessment.notes)),
    )


def further_pairs(plan: ComparisonPlan, runs: Runs, machine: Machine) -> dict[str, int]:
    """As many pairs again for each case of which more could tell, up to the most.

    None where a slowdown was detected in the case, and none at all once B crashes: that is the answer.
    """
    if any(launch.status in ("crashed", "hung", "slow") for case_run in runs[1].cases for launch in case_run.launches):
        return {}
    judged = judge_pairs(_comparable(runs, machine), plan.most_pairs)
    wanted = {}
    for case_run in runs[0].cases:
        some, made = judged.get(case_run.case.id, ()), len(case_run.launches)
        if any(judged.open for judged in some) and not any(judged.slower and judged.is_time for judged in some):
            wanted[case_run.case.id] = min(made, plan.most_pairs - made)
    return {case_id: pairs for case_id, pairs in wanted.items() if pairs > 0}


def _comparable(runs: Runs, machine: Machine) -> list[tuple[Prepared, Prepared]]:
    """The cases whose times may be compared with each other."""
    comparable = []
    for first, second in zip(runs[0].cases, runs[1].cases, strict=True):
        pair = prepare(runs[0].name, first, machine), prepare(runs[1].name, second, machine)
        if all(case.measured and case.valid and not case.crowded for case in pair):
            comparable.append(pair)
    return comparable


def _case(
    first: CaseRun, second: CaseRun, seen: tuple[CaseAssessment | None, CaseAssessment | None], judged: Sequence[Judged],
    plan: ComparisonPlan,
) -> CaseComparison:
    case_id = second.case.id
    essential = bool({case_id, second.check.name} & set(plan.essential))
    answers = _answer(first, seen[0]), _answer(second, seen[1])
    comparable = all(answer in _TIMED for answer in answers)
    decision, reason, findings = _decide(first, second, seen, answers, judged if comparable else (), essential, plan)
    return CaseComparison(
        id=case_id,
        check=second.check.name,
        decision=decision,
        reason=reason,
        essential=essential,
        answers=answers,
        findings=worst_of(findings),
        quantities=tuple(quantity.of for quantity in judged) if comparable else (),
        pairs=max((quantity.of.pairs for quantity in judged), default=0),
    )


def _answer(case_run: CaseRun, seen: CaseAssessment | None) -> str:
    """How the launches of a case ended, the worst of them."""
    if case_run.lacking is not None:
        return "unavailable"
    axes = {axis.axis: axis.verdict for axis in seen.axes} if seen else {}
    if axes.get(Axis.VALIDITY) is Verdict.INVALID:
        return "wrong"
    states = {launch.status for launch in case_run.launches}
    ended = next((word for word in ("crashed", "hung", "slow", "refused") if word in states), None)
    if ended or case_run.unreadable:
        return ended or "crashed"
    if axes.get(Axis.SPEED) is Verdict.INVALID:
        return "impossible"
    if not case_run.records:
        return "none"
    return "right" if axes.get(Axis.VALIDITY) is Verdict.OK else "unproven"


def _decide(
    first: CaseRun, second: CaseRun, seen: tuple[CaseAssessment | None, CaseAssessment | None], answers: tuple[str, str],
    judged: Sequence[Judged], essential: bool, plan: ComparisonPlan,
) -> tuple[Decision, str, list[Finding]]:
    old, new = plan.environments
    if answers[1] in _BROKEN and seen[0] is not None and seen[1] is not None and answers != ("impossible", "impossible"):
        broken = broken_findings(seen[1], seen[0], plan)
        return Decision.HOLD, broken[0].what if broken else f"{answers[1]} in {new}", broken
    if answers[1] in ("unavailable", "refused") and answers[0] != answers[1]:
        why = second.lacking or next(launch.reason for launch in second.launches if launch.status == "refused")
        missing = missing_finding(second.case.id, why, plan)
        return (Decision.HOLD if essential else Decision.RESTRICT), missing.what, [missing]
    if answers[0] not in _TIMED or answers[1] not in _TIMED:
        how = f"{answers[0]} in {old}" + (" too" if answers[0] == answers[1] else f", {answers[1]} in {new}")
        return Decision.UNDECIDED, f"nothing to compare with: {first.lacking or how}", []
    if seen[1] is not None and seen[1].trust is not None and seen[1].trust.crowded:
        return Decision.RELEASE, f"answers right; {seen[1].trust.crowded}: times are not judged", []
    slower = [quantity for quantity in judged if quantity.slower]
    if slower:
        findings = slower_findings(second.case.id, judged, Verdict.FAIL if essential else Verdict.WARN, plan)
        more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
        return (Decision.HOLD if essential else Decision.RESTRICT), findings[0].what + more, findings
    if _doubted(judged):
        return Decision.UNDECIDED, seems(judged), []
    if not _seen(judged):
        return Decision.UNDECIDED, unseen(judged), []
    return Decision.RELEASE, alike(judged), []


def _seen(judged: Sequence[Judged]) -> bool:
    """Whether a case is judged: each of its times, or a time that is slower."""
    times = [quantity for quantity in judged if quantity.is_time]
    blind = any(time.answer in (Answer.NOT_JUDGED, Answer.SEEMS_SLOWER) for time in times)
    return bool(times) and (not blind or any(time.slower for time in times))


def _doubted(judged: Sequence[Judged]) -> bool:
    return any(quantity.is_time and quantity.answer is Answer.SEEMS_SLOWER for quantity in judged)


def _whole(cases: Sequence[CaseComparison], judged: Mapping[str, Sequence[Judged]]) -> tuple[Decision, str]:
    on_hold, restricted, released, undecided = ([case for case in cases if case.decision is word] for word in _ORDER)
    timed = [case for case in cases if case.quantities and _seen(judged[case.id])]
    much = [case for case in timed if any(each.answer is Answer.MUCH_SLOWER and each.is_time for each in judged[case.id])]
    if on_hold:
        return Decision.HOLD, f"{on_hold[0].id}: {on_hold[0].reason}" + _others(on_hold)
    if much and len(much) >= limits.HELD_BACK * len(timed):
        how_many = f"{len(much)} of {plural(len(timed), 'judged case')}"
        return Decision.HOLD, f"slower beyond the limits in {how_many} ({named(much)}): too many for restrictions"
    blind = [case for case in undecided if case.essential or all(answer in _TIMED for answer in case.answers)]
    if restricted:
        return Decision.RESTRICT, f"{plural(len(restricted), 'restriction')}: {named(restricted)}" + _unknown(undecided)
    if blind or not timed:
        first = (blind or undecided or list(cases))[:1]
        return Decision.UNDECIDED, "; ".join(f"{case.id}: {case.reason}" for case in first) + _others(blind or undecided)
    fine = (Answer.ALIKE, Answer.FASTER)
    effects = [each.of.detectable for case in timed for each in judged[case.id] if each.is_time and each.answer in fine]
    return Decision.RELEASE, (
        f"answers right and no time worse in {plural(len(released), 'case')}; {would_find(effects)}" + _unknown(undecided)
    )


def _others(cases: Sequence[CaseComparison]) -> str:
    return f" (and {plural(len(cases) - 1, 'more case')})" if len(cases) > 1 else ""


def _unknown(undecided: Sequence[CaseComparison]) -> str:
    return f"; not enough evidence on {named(undecided)}" if undecided else ""


def _checks(cases: Sequence[CaseComparison], titles: Mapping[str, str]) -> tuple[CheckComparison, ...]:
    by_check: dict[str, list[CaseComparison]] = {}
    for case in cases:
        by_check.setdefault(case.check, []).append(case)
    return tuple(
        CheckComparison(name, titles[name], min((case.decision for case in some), key=_ORDER.index), len(some))
        for name, some in by_check.items()
    )
