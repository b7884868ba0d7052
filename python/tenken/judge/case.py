"""The verdict of one case: its worst judged axis."""

from __future__ import annotations

from dataclasses import replace

from tenken.base import units
from tenken.judge.bounds import at_best
from tenken.judge.ceilings import Roofs, roofs, roofs_at
from tenken.judge.change import CaseChange
from tenken.judge.failures import failure_findings
from tenken.judge.findings import finding, worst_first
from tenken.judge.granted import fewer_than_granted
from tenken.judge.limits import DISTURBED
from tenken.judge.metrics import band_for, baseline_bands, best_of_sweep, launch_values, summarise_metric
from tenken.judge.phrases import percent, plural
from tenken.judge.prepared import Prepared
from tenken.judge.sections import stated_path
from tenken.judge.speed import ceilings_of, impossible_rates, judge_speed
from tenken.judge.steadiness import steady_sections
from tenken.judge.tables import assess_tables
from tenken.judge.trust import clock_told, trusted
from tenken.judge.unsteady import judge_unsteady
from tenken.judge.where import judge_where
from tenken.model.assessment import (
    AxisResult,
    CaseAssessment,
    Ceiling,
    Finding,
    MetricSummary,
    SectionSummary,
    Trusted,
    Where,
)
from tenken.model.check import MetricSpec
from tenken.model.formerly import older_ids
from tenken.model.machine import Band, Machine
from tenken.model.offer import Offer
from tenken.model.verdict import Axis, Verdict, severity, worst

Judged = tuple[list[AxisResult], list[Finding]]


def assess_case(
    case: Prepared, offers: tuple[Offer, ...], machine: Machine, bands: tuple[Band, ...], change: CaseChange,
) -> CaseAssessment:
    roof = roofs(case, offers, machine)
    impossible = impossible_rates(case, roof) if case.valid and not case.oversubscribed else []
    forbidden = not case.valid or bool(impossible)
    sections = tuple(_finish_section(section, case, roof, forbidden) for section in case.sections)
    fitting = _bands(case, machine, bands)
    metrics = _metrics(case, roof, fitting, forbidden)
    trust = replace(trusted(case.measured, machine), oversubscribed=case.oversubscribed) if case.measured else None

    if trust is not None and trust.disturbed:
        metrics = tuple(replace(one, disturbed=not one.quantity.startswith("value:")) for one in metrics)
    failures = [*failure_findings(case.case_run), *case.own_failures]
    axes, findings = [_validity_axis(case, failures)], [*failures, *case.validity_findings, *impossible]
    if trust is None:
        time_axes: Judged = (_unjudged(_why_unmeasured(case)), [])
    elif forbidden:
        time_axes = (_unjudged("the answer is wrong" if not case.valid else "the measurement is impossible"), [])
        if impossible:
            time_axes[0][0] = AxisResult(Axis.SPEED, Verdict.INVALID, impossible[0].what)
    elif case.strangers:
        time_axes = ([replace(one, ground=True) for one in _unjudged(_not_probed(case.strangers))], [])
    elif case.oversubscribed:
        time_axes = (_unjudged("oversubscribed: more threads than cores, so time is never judged"), [])
    else:
        time_axes = _judge_time(case, trust, sections, metrics, roof, fitting, change, machine)
    axes += time_axes[0]
    findings += time_axes[1]
    ordered = worst_first(findings)
    untimed = forbidden or case.oversubscribed
    verdict = _verdict(axes, sections, metrics)
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
        reason=_reason(verdict, axes, ordered, trust),
        fault=case.fault,
        axes=tuple(axes),
        findings=ordered,
        validity=case.proofs,
        sections=sections,
        metrics=metrics if untimed else baseline_bands(metrics, change.summaries),
        changes=() if untimed else change.summaries,
        trust=trust,
        launches=run.launches,
        seconds=sum(launch.seconds or 0.0 for launch in run.launches),
        micro_benchmark=bool(fitting),
        values=() if forbidden or not case.measured else case.measured[-1].record.values,
        tables=() if forbidden else assess_tables(case.measured),
        formerly=older_ids(run.check, run.case.name),
    )


def _finish_section(section: SectionSummary, case: Prepared, roof: Roofs, forbidden: bool) -> SectionSummary:
    if forbidden:
        return replace(section, flop_rate=None, byte_rate=None)
    if case.oversubscribed:
        return section
    return replace(section, ceilings=ceilings_of(section, case, roof))


def _bands(case: Prepared, machine: Machine, bands: tuple[Band, ...]) -> dict[str, Band]:
    """The bands of this case by the name of their metric; the class is that of its first node."""
    node = machine.node(case.measured[0].record.rank[0].host) if case.measured else machine.nodes[0]
    node_class = node.node_class
    check = case.case_run.check
    older = dict.fromkeys(one.partition(":")[0] for one in older_ids(check, case.case_run.case.name))
    found = {metric.name: band_for((check.name, *older), metric.name, node_class, bands) for metric in check.metrics}
    return {name: band for name, band in found.items() if band is not None}


def _metrics(case: Prepared, roof: Roofs, bands: dict[str, Band], forbidden: bool) -> tuple[MetricSummary, ...]:
    summaries: list[MetricSummary] = []
    if not case.measured:
        return ()
    stated = {stated_path(section): section.precisions[0] for section in case.sections if section.precisions}
    for metric in case.case_run.check.metrics:
        of_launches = list(zip(case.measured, case.by_launch, strict=True))
        launches = [launch_values(metric, each, own) for each, own in of_launches]
        best = [launch_values(metric, each, tuple(map(at_best, own))) for each, own in of_launches]

        def ceiling_at(at: int | None, metric: MetricSpec = metric) -> Ceiling | None:
            bound = roofs_at(roof, metric.by, at, case.case_run.case.threads)
            peak = bound.peak.get(stated.get(metric.section or "", metric.precision))
            known = {"flop": peak, "memory": bound.memory, **bound.elsewhere}
            return None if case.oversubscribed else known.get(metric.ceiling)

        own = summarise_metric(metric, launches, best, ceiling_at, forbidden)
        band, shown = bands.get(metric.name), best_of_sweep(own, metric.name)
        if band is not None and shown is not None:
            held = replace(shown, band=_in_unit(band, shown), band_source=band.source)
            own = tuple(held if one is shown else one for one in own)
        summaries += own
    return tuple(summaries)


def _in_unit(band: Band, metric: MetricSummary) -> tuple[float | None, float | None]:
    """The band in the unit of the metric: a fraction of the ceiling becomes a rate."""
    if band.of == "value" or metric.ceiling is None:
        return band.low, band.high
    ceiling = metric.ceiling.value / units.factor(metric.unit)
    low, high = (None if bound is None else bound * ceiling for bound in (band.low, band.high))
    return low, high


def _validity_axis(case: Prepared, failures: list[Finding]) -> AxisResult:
    if failures and case.valid:
        return AxisResult(Axis.VALIDITY, Verdict.ERROR, failures[0].what)
    if not case.measured:
        return AxisResult(Axis.VALIDITY, Verdict.NOT_JUDGED, _why_unmeasured(case), ground=True)
    return case.validity


def _not_probed(hosts: tuple[str, ...]) -> str:
    names = ", ".join(hosts[:4]) + (", ..." if len(hosts) > 4 else "")
    return f"ranks ran on {names}, which the probe did not see: what can be expected there is not known; start it with --nodes"


def _why_unmeasured(case: Prepared) -> str:
    run = case.case_run
    if run.lacking is not None:
        return run.lacking
    states = [launch.status for launch in run.launches]
    if "interrupted" in states:
        return "interrupted before a launch was finished"
    return "no launch was finished" if any(state != "planned" for state in states) else "never launched"


def _unjudged(reason: str) -> list[AxisResult]:
    """The axes after validity, none judged, in their order."""
    unjudged = (Axis.SPEED, Axis.CHANGE, Axis.BALANCE, Axis.STEADINESS, Axis.TRUST)
    return [AxisResult(axis, Verdict.NOT_JUDGED, reason) for axis in unjudged]


def _judge_time(
    case: Prepared,
    trust: Trusted,
    sections: tuple[SectionSummary, ...],
    metrics: tuple[MetricSummary, ...],
    roof: Roofs,
    bands: dict[str, Band],
    change: CaseChange,
    machine: Machine,
) -> Judged:
    """Speed, change, balance, steadiness and trust of right answers on cores of their own."""
    speed, speed_findings = case.own.on(Axis.SPEED) or judge_speed(case, sections, metrics, roof, bands)
    balance, balance_findings = judge_where(case, sections)
    steadiness, steadiness_findings = case.own.on(Axis.STEADINESS) or judge_unsteady(case, sections)
    throttled = trust.throttled is not None and trust.throttled > DISTURBED
    quota = [_throttled(case, trust.throttled or 0.0)] if throttled else []
    if throttled and steadiness_findings:  # our own limit explains it: one finding, not two
        steadiness = AxisResult(Axis.STEADINESS, Verdict.WARN, f"{steadiness_findings[0].what}; see the CPU quota")
        steadiness_findings = []
    met_load = [_disturbed(case, trust)] if trust.disturbed and case.exclusive else []
    trust_axis = _trust_axis(trust, met_load)
    masked = fewer_than_granted(case, machine)
    worsened = [*quota, *masked, *case.unlike]
    if worsened:
        trust_axis = AxisResult(Axis.TRUST, Verdict.WARN, worsened[0].what)
    findings = [*change.findings, *worsened, *speed_findings, *met_load, *balance_findings, *steadiness_findings]
    return [speed, change.axis, balance, steadiness, trust_axis], findings


def _trust_axis(trust: Trusted, met_load: list[Finding]) -> AxisResult:
    if met_load:
        return AxisResult(Axis.TRUST, Verdict.WARN, met_load[0].what)
    if trust.disturbed:
        reason = f"another's load on a shared or virtual machine: {trust.reason}; times are bounds"
        return AxisResult(Axis.TRUST, Verdict.NOT_JUDGED, reason)
    if trust.run_queue_wait is None and trust.steal is None:
        return AxisResult(Axis.TRUST, Verdict.NOT_JUDGED, "the system tells neither run-queue wait nor steal")
    known = {"run-queue wait": trust.run_queue_wait, "steal": trust.steal}
    told = [f"{name} {percent(one)}" for name, one in known.items() if one is not None]
    return AxisResult(Axis.TRUST, Verdict.OK, ", ".join([*told, *clock_told(trust)]))


def _disturbed(case: Prepared, trust: Trusted) -> Finding:
    return finding(
        Axis.TRUST,
        Verdict.WARN,
        case.case_run.case.id,
        f"another's load: {trust.reason}",
        f"worst of {plural(len(case.measured), 'launch')} and all ranks",
        where=trust.where,
    )


def _throttled(case: Prepared, fraction: float) -> Finding:
    loss = max((section.loss for section in steady_sections(case.sections, case.case_run.check)), default=0.0)
    return finding(
        Axis.TRUST,
        Verdict.WARN,
        case.case_run.case.id,
        f"throttled by a CPU quota for {percent(fraction)} of the timed wall (limit {percent(DISTURBED)}), "
        f"loss {percent(loss)}: our own limit, not another's load",
        f"worst of {plural(len(case.measured), 'launch')} and all ranks",
        measured=fraction,
        expected=DISTURBED,
        band=(None, DISTURBED),
        unit="of the timed wall",
        where=Where(),
    )


def _verdict(
    axes: list[AxisResult], sections: tuple[SectionSummary, ...], metrics: tuple[MetricSummary, ...]
) -> Verdict:
    verdict = worst(axis.verdict for axis in axes)
    unproven = axes[0].verdict is Verdict.NOT_JUDGED
    empty = not sections and all(metric.value is None for metric in metrics)
    if severity(verdict) <= severity(Verdict.OK) and (unproven or empty):
        return Verdict.NOT_JUDGED
    return verdict


def _reason(verdict: Verdict, axes: list[AxisResult], findings: tuple[Finding, ...], trust: Trusted | None) -> str:
    """The sentence behind the verdict: its worst finding, or what was judged, or why nothing was."""
    if findings and severity(findings[0].verdict) == severity(verdict):
        return findings[0].what
    if verdict is Verdict.OK:
        judged = [f"{axis.axis.value}: {axis.reason}" for axis in axes if axis.verdict is Verdict.OK]
        extra = ["oversubscribed: time is not judged"] if trust is not None and trust.oversubscribed else []
        return "; ".join(judged + extra)
    unjudged = next((axis for axis in axes if axis.verdict is verdict), axes[0])
    return unjudged.reason
