"""The verdict of a case: its worst judged axis."""

from __future__ import annotations

from dataclasses import replace

from tenken.base.words import percent, plural
from tenken.judge.change import CaseChange
from tenken.judge.common import Prepared, waited, worst_first
from tenken.judge.launch_set import LaunchSet, Timed
from tenken.judge.place import judge_unsteady, judge_where
from tenken.model.assessment import AxisResult, CaseAssessment, ChangeSummary, Finding, MetricSummary, SectionSummary
from tenken.model.check import older_ids
from tenken.model.limits import WAITED
from tenken.model.verdict import Axis, Verdict, severity, worst

OF_TIME = (Axis.SPEED, Axis.CHANGE, Axis.BALANCE, Axis.STEADINESS)


def assess_case(case: Prepared, alone: LaunchSet, change: CaseChange) -> CaseAssessment:
    """`alone`: the judgement of the case without any other; `change`: against its baseline."""
    axes, findings = [alone.validity], [*alone.findings]
    if isinstance(alone.timed, Timed):
        time_axes, time_findings = _judge_time(case, alone.sections, alone.timed, change)
        axes += time_axes
        findings += time_findings
    else:
        axes += alone.timed
    ordered = worst_first(_with_alike(each, alone.sections) for each in findings)
    untimed = alone.forbidden or case.crowded
    verdict = _verdict(axes, alone.sections, alone.metrics)
    run = case.case_run
    return CaseAssessment(
        id=run.case.id,
        check=run.check.name,
        title=run.check.title,
        question=run.check.question,
        repetition=run.check.repetition,
        variant=run.case.variant,
        parameters=dict(run.case.parameters),
        ranks=run.case.ranks,
        threads=run.case.threads,
        verdict=verdict,
        reason=_reason(verdict, axes, ordered),
        fault=case.fault,
        axes=tuple(axes),
        findings=ordered,
        validity=case.proofs,
        sections=alone.sections,
        metrics=alone.metrics if untimed else _baseline_bands(alone.metrics, change.summaries),
        changes=() if untimed else change.summaries,
        trust=alone.trust,
        launches=run.launches,
        seconds=sum(launch.seconds or 0.0 for launch in run.launches),
        micro_benchmark=alone.micro_benchmark,
        values=() if alone.forbidden or not case.measured else case.measured[-1].record.values,
        tables=alone.tables,
        counters=alone.counters,
        formerly=older_ids(run.check, run.case.name),
    )


def _with_alike(finding: Finding, sections: tuple[SectionSummary, ...]) -> Finding:
    """That all ranks of its section were compared and alike, where that is so; a finding on balance names ranks itself."""
    where = finding.where
    placed = where.rank is not None or where.host is not None or where.group or finding.axis is Axis.BALANCE
    compared = [each for each in sections if each.path == finding.section and len(each.ranks) > 1]
    alike = any(each.imbalance <= each.imbalance_limit for each in compared)
    return replace(finding, where=replace(where, alike="" if placed or not alike else where.alike or "all ranks alike"))


def _judge_time(
    case: Prepared, sections: tuple[SectionSummary, ...], alone: Timed, change: CaseChange
) -> tuple[list[AxisResult], list[Finding]]:
    """Speed, change, balance, steadiness and trust of right answers on cores of their own."""
    balance, balance_findings = judge_where(case, sections)
    steadiness, steadiness_findings = case.own.on(Axis.STEADINESS) or judge_unsteady(case, sections)
    balance, steadiness = (_bounded(case, each) for each in (balance, steadiness))
    if alone.trust.throttled and steadiness_findings:  # our own limit explains it: a single finding, not two
        steadiness = AxisResult(Axis.STEADINESS, Verdict.WARN, f"{steadiness_findings[0].what}; see the CPU quota")
        steadiness_findings = []
    of_all = (
        change.findings, alone.trust.worsened, alone.speed_findings, alone.trust.met_load, balance_findings, steadiness_findings,
    )
    speed = alone.speed
    if change.summaries:  # judged against them, if not against a limit
        speed = replace(speed, reason=speed.reason.replace("not judged, no baseline yet", "compared with the baseline only"))
    return [speed, change.axis, balance, steadiness, alone.trust.axis], [finding for some in of_all for finding in some]


def _bounded(case: Prepared, axis: AxisResult) -> AxisResult:
    """Ranks waited for a processor: figures may be alike and steady because all of them waited. Load only
    lengthens a time, so that speed and change within their limits stand; balance and steadiness do not only grow with it.
    """
    part = waited(case.measured)
    few = axis.axis is Axis.STEADINESS and axis.verdict is Verdict.NOT_JUDGED and case.case_run.check.repetitions_alike
    if part <= WAITED or not (axis.verdict is Verdict.OK or few):
        return axis
    reason = f"other load: ranks waited for a processor for {percent(part)} of the wall time (limit {percent(WAITED)})"
    return AxisResult(axis.axis, Verdict.NOT_JUDGED, reason, ground=True)


def _baseline_bands(metrics: tuple[MetricSummary, ...], changes: tuple[ChangeSummary, ...]) -> tuple[MetricSummary, ...]:
    """The metrics with the band of their baseline, where no absolute band is about them."""
    by_quantity = {change.quantity: change for change in changes if change.expected is not None}

    def banded(metric: MetricSummary) -> MetricSummary:
        change = by_quantity.get(f"metric:{metric.name}" + ("" if metric.at is None else f"/{metric.at}"))
        if change is None or metric.band is not None:
            return metric
        return replace(metric, band=change.band, band_source=f"baseline of {plural(change.sittings, 'sitting')}")

    return tuple(banded(metric) for metric in metrics)


def _verdict(
    axes: list[AxisResult], sections: tuple[SectionSummary, ...], metrics: tuple[MetricSummary, ...]
) -> Verdict:
    """OK only where the answers are right and, of a case that times sections, an axis of time was judged."""
    verdict = worst(axis.verdict for axis in axes)
    unproven = axes[0].verdict is Verdict.NOT_JUDGED
    empty = not sections and all(metric.value is None for metric in metrics)
    if severity(verdict) <= severity(Verdict.OK) and (unproven or empty or (sections and not _time_judged(axes))):
        return Verdict.NOT_JUDGED
    return verdict


def _time_judged(axes: list[AxisResult]) -> bool:
    return any(each.axis in OF_TIME and each.verdict is not Verdict.NOT_JUDGED for each in axes)


def _reason(verdict: Verdict, axes: list[AxisResult], findings: tuple[Finding, ...]) -> str:
    """The sentence behind the verdict: its worst finding, or the judged axes, or why nothing was judged."""
    if findings and severity(findings[0].verdict) == severity(verdict):
        return findings[0].what
    if verdict is Verdict.OK:
        return "; ".join(f"{axis.axis.value}: {axis.reason}" for axis in axes if axis.verdict is Verdict.OK)
    unjudged = [axis for axis in axes if axis.verdict is verdict]
    if verdict is Verdict.NOT_JUDGED and axes[0].verdict is Verdict.OK:
        return f"the answers are right; times not judged: {_cause(unjudged)}"
    return unjudged[0].reason if unjudged else axes[0].reason


def _cause(unjudged: list[AxisResult]) -> str:
    """Why no axis of time was judged: the lost ground, else the needs of steadiness, which asks for the least."""
    lost = [axis.reason for axis in unjudged if axis.ground]
    unsteady = [axis.reason for axis in unjudged if axis.axis is Axis.STEADINESS]
    return next(iter(lost + unsteady), "no section was timed")
