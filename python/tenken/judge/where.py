"""The balance axis: equal ranks in equal time, and where not, the guilty place before its consequences."""

from __future__ import annotations

from tenken.judge.balance import judge_balance
from tenken.judge.late import judge_waiting
from tenken.judge.place import judge_place
from tenken.judge.prepared import Prepared
from tenken.model.assessment import AxisResult, Finding, SectionSummary
from tenken.model.verdict import Axis, Verdict


def judge_where(case: Prepared, sections: tuple[SectionSummary, ...]) -> tuple[AxisResult, list[Finding]]:
    """Slow places, late ranks and slow communicators first; of the uneven sections only what these do not explain."""
    run, case_id = case.run, case.case_run.case.id
    own = case.own.on(Axis.BALANCE)
    if own is not None:
        return own
    axis, uneven = judge_balance(case_id, case.measured, case.by_launch, sections)
    places, named = judge_place(run, case_id, case.measured, case.by_launch, sections)
    waiting, waited = judge_waiting(run, case_id, sections, named)
    by_path = {one.path: one for one in sections}
    late = {one.where.rank for one in waiting if one.where.rank is not None}

    def explained(one: Finding) -> bool:
        section = by_path[one.section or ""]
        if section.kind == "comm":
            return section.path in waited
        return section.slowest_rank in named or section.slowest_rank in late

    findings = [*places, *waiting, *(one for one in uneven if not explained(one))]
    if not findings:
        return axis, []
    return AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what), findings
