"""Judges the health counters of a node, and whether a drain rule is met. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from tenken.base.words import digits, percent, size
from tenken.model.assessment import Assessment
from tenken.model.health import Health, HealthResult
from tenken.model.verdict import Axis, Verdict

MANY_CORRECTABLE = 1000  # since boot: a module that will fail, not a cosmic ray
LEAST_TMP, LEAST_TMP_SHARE = 1 << 30, 0.05  # bytes, of /tmp: below, jobs fail for want of room
SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit")  # a call costs a microsecond, not 20 ns


@dataclass(frozen=True, slots=True)
class DrainRules:
    """When a node shall take no more jobs. A rule that is None does not apply."""

    wrong_answer: bool = False
    uncorrectable_errors: int | None = None  # since boot, at least
    below_band_percent: float | None = None  # a metric below this part of the low end of its band
    tmp_free_bytes: int | None = None  # less free


def judge_health(before: Health, now: Health) -> tuple[HealthResult, ...]:
    """`before` and `now` enclose a measurement: only throttling that happened in between counts."""
    return _memory(now), _throttling(before, now), _tmp(now), _clock(now)


def drain_reasons(rules: DrainRules, assessment: Assessment, health: Health) -> list[str]:
    """A sentence for each rule that is met; none, and the node goes on."""
    reasons = []
    if rules.wrong_answer:
        reasons += [
            each.what for each in assessment.findings if each.axis is Axis.VALIDITY and each.verdict is Verdict.INVALID
        ]
    least = rules.uncorrectable_errors
    if least is not None and health.uncorrectable is not None and health.uncorrectable >= least:
        reasons.append(f"{health.uncorrectable} uncorrectable memory errors since boot, rule {least}")
    if rules.below_band_percent is not None:
        for case in assessment.cases:
            for metric in case.metrics:
                low = metric.band[0] if metric.band else None
                if metric.value is None or low is None or metric.better != "higher":
                    continue
                most = max(metric.value, metric.at_best or 0.0)  # other load can only have lowered it
                if case.verdict is not Verdict.NOT_JUDGED and 100 * most < rules.below_band_percent * low:
                    reasons.append(
                        f"{case.check} {metric.name} {digits(most)} {metric.unit} is below "
                        f"{digits(rules.below_band_percent)} % of {digits(low)} {metric.unit}, the low end of its band"
                    )
    free = health.tmp_free_bytes
    if rules.tmp_free_bytes is not None and free is not None and free < rules.tmp_free_bytes:
        reasons.append(f"/tmp has {size(free)} free, rule {size(rules.tmp_free_bytes)}")
    return reasons


def _memory(now: Health) -> HealthResult:
    if now.uncorrectable is None and now.correctable is None:
        return HealthResult("memory", Verdict.NOT_JUDGED, "the system does not report memory errors (no EDAC)")
    bad, corrected = now.uncorrectable or 0, now.correctable or 0
    if bad:
        return HealthResult("memory", Verdict.FAIL, f"{bad} uncorrectable memory errors since boot")
    verdict = Verdict.WARN if corrected > MANY_CORRECTABLE else Verdict.OK
    return HealthResult("memory", verdict, f"{corrected} corrected memory errors since boot")


def _throttling(before: Health, now: Health) -> HealthResult:
    if before.throttled is None or now.throttled is None:
        return HealthResult("throttling", Verdict.NOT_JUDGED, "the system does not report thermal throttling")
    count = now.throttled - before.throttled
    if count > 0:
        return HealthResult("throttling", Verdict.WARN, f"cores were slowed for heat {count} times during the check")
    return HealthResult("throttling", Verdict.OK, "no thermal throttling")


def _tmp(now: Health) -> HealthResult:
    if now.tmp_free_bytes is None or not now.tmp_bytes:
        return HealthResult("tmp", Verdict.NOT_JUDGED, "/tmp cannot be read")
    share = now.tmp_free_bytes / now.tmp_bytes
    sentence = f"/tmp has {size(now.tmp_free_bytes)} free ({percent(share)})"
    scarce = now.tmp_free_bytes < LEAST_TMP or share < LEAST_TMP_SHARE
    return HealthResult("tmp", Verdict.WARN if scarce else Verdict.OK, sentence)


def _clock(now: Health) -> HealthResult:
    if now.clock_source is None:
        return HealthResult("clock", Verdict.NOT_JUDGED, "the system does not report its clock source")
    if now.clock_source in SLOW_CLOCKS:
        sentence = f"the kernel uses the slow clock source {now.clock_source} instead of the processor's counter"
        return HealthResult("clock", Verdict.WARN, sentence)
    return HealthResult("clock", Verdict.OK, f"clock source {now.clock_source}")
