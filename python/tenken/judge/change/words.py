"""Sentences and figures on change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tenken.base.words import detectable, digits, duration, percent, plural
from tenken.judge.change.rule import Answer, Decision
from tenken.judge.common import EXCESSES, PLAIN, VECTORS, finding, kind_of, scaled, unscaled
from tenken.model import limits
from tenken.model.assessment import AxisResult, ChangeSummary, Finding, Where
from tenken.model.baseline import Quantity, Seen
from tenken.model.verdict import Axis, Verdict, severity
from tenken.stats import change as stats

CLOCKS = {PLAIN: "the clock", VECTORS: "the clock under the widest vectors"}
LOWERED = "power or heat limit, governor, or code that lowers the clock; compute times are judged in clock cycles"
VERDICTS = {
    Answer.NOT_JUDGED: Verdict.NOT_JUDGED, Answer.OK: Verdict.OK, Answer.FASTER: Verdict.WARN,
    Answer.SLOWER_WITH_REST: Verdict.WARN, Answer.SLOWER_WITH_CLASS: Verdict.WARN, Answer.SLOWER: Verdict.WARN,
    Answer.FAILED_WITH_REST: Verdict.FAIL, Answer.FAILED_WITH_CLASS: Verdict.FAIL, Answer.FAILED: Verdict.FAIL,
}


def summary_of(
    quantity: Quantity, now: tuple[float, ...], fast: tuple[float, ...], index: int, change: stats.Change, decision: Decision
) -> ChangeSummary:
    value, best = (unscaled(quantity, float(np.median([scaled(quantity, figure) for figure in some]))) for some in (now, fast))
    sittings = int(change.sittings[index])
    figures = (quantity.name, quantity.unit, quantity.better, quantity.klass)
    if sittings == 0 or not np.isfinite(change.effect[index]):
        nothing = (None, None)
        return ChangeSummary(*figures, Verdict.NOT_JUDGED, value, None, None, nothing, nothing, None, len(now), sittings)
    sign = -1.0 if quantity.better == "higher" else 1.0
    half = float(stats.t_quantile(0.025, change.df[index]) * change.sigma[index])
    ratios = [float(np.exp(sign * (change.effect[index] + side * half))) for side in (-1, 0, 1)]
    band = [unscaled(quantity, float(limit)) for limit in (decision.low[index], decision.high[index])]
    return ChangeSummary(
        *figures,
        verdict=VERDICTS[Answer(int(decision.answers[index]))],
        value=value,
        expected=unscaled(quantity, float(change.expected[index])),
        ratio=ratios[1],
        interval=(min(ratios), max(ratios)),
        band=(min(band), max(band)),
        detectable=float(np.expm1(decision.detectable[index])),
        launches=len(now),
        sittings=sittings,
        at_best=None if now == fast else best,
    )


def finding_of(
    case_id: str, of: ChangeSummary, answer: Answer, index: int, change: stats.Change, tests: int, split: bool = False
) -> Finding:
    """A quantity that moved by itself; `split`: not in every launch."""
    sentence = f"{_name(of)}: {_moved(of)}"
    if change.compared and kind_of(of.quantity) == "time":
        rest = float(np.expm1(abs(change.rest)))
        how = "slower" if change.rest > 0 else "faster"
        sentence += f"; all other figures are {percent(rest)} {how}"
    if of.quantity in CLOCKS:
        sentence += f": {LOWERED}"
    if answer is Answer.FASTER:
        sentence += ": faster than the baseline, or a measurement error. Confirm, then accept a new baseline"
    elif answer is Answer.SLOWER and of.sittings < limits.FEWEST_SITTINGS:
        sentence += f"; a FAIL needs {limits.FEWEST_SITTINGS} sittings, the baseline has {of.sittings}"
    elif answer is Answer.SLOWER and of.launches < limits.CONFIRMED:
        sentence += "; not confirmed"
    elif answer is Answer.SLOWER and split:
        sentence += "; not in every launch"
    t = abs(float(change.own[index] / change.own_sigma[index]))
    freedom = float(change.own_df[index])
    made = _finding(case_id, of, answer, sentence, f"t = {digits(t)} with {freedom:.0f} degrees of freedom among {tests}")
    return made


def shift_finding(
    case_id: str, of: ChangeSummary, answer: Answer, count: int, index: int, change: stats.Change
) -> Finding:
    """A case that moved with everything else; `of` is the quantity that moved most, of `count`."""
    rest = float(np.expm1(change.rest))
    sentence = f"all figures are {percent(rest)} slower than the baseline; the largest change is {_name(of)}: "
    sentence += _moved(of) + (f", and {count - 1} more" if count > 1 else "")
    if answer is Answer.SLOWER_WITH_REST:
        sentence += ". One sitting does not separate a slow day from a slower node: run again in another allocation"
    t = float(change.rest / change.rest_sigma)
    statistic = f"common shift (median of all times and rates), t = {digits(t)} with {change.rest_df:.0f} degrees of freedom"
    return _finding(case_id, of, answer, sentence, statistic)


def class_finding(
    case_id: str, of: ChangeSummary, answer: Answer, counts: tuple[int, int], index: int, change: stats.Change
) -> Finding:
    """A class that moved against all others; `of` is its quantity that moved most in this case, of `counts` here and in all."""
    row = int(np.flatnonzero(change.members[:, index])[0])
    shift = float(change.class_shift[row])
    here, everywhere = counts
    figures = plural(everywhere, f"{of.klass} figure") + (" is" if everywhere == 1 else " together are")
    sentence = f"{figures} {percent(float(np.expm1(shift)))} slower than all other figures; "
    sentence += f"the largest change is {_name(of)}: {_moved(of)}"
    sentence += f", and {here - 1} more" if here > 1 else ""
    if answer is Answer.SLOWER_WITH_CLASS:
        sentence += ". One sitting does not separate a slow day from a lasting change: run again in another allocation"
    t = float(shift / change.class_sigma[row])
    freedom = float(change.rest_df)
    statistic = f"shift of the class (medians against the baselines), t = {digits(t)} with {freedom:.0f} degrees of freedom"
    return _finding(case_id, of, answer, sentence, statistic)


def lasts(of: ChangeSummary, seen: Sequence[Seen]) -> str:
    """The values in the sittings before of a quantity that is slower in all of them, newest first."""
    figures = " and ".join(f"{_figure(of, earlier.value)} in {earlier.sitting}" for earlier in seen)
    return f". The {len(seen)} sittings before show the same, {figures}: a lasting change"


def axis_result(
    summaries: tuple[ChangeSummary, ...], findings: list[Finding], could_hide: float = 0.0, again: Sequence[float] = ()
) -> AxisResult:
    """`could_hide`: of quantities that seem slower and are not, the largest part that other load may have caused.

    `again`: by how much quantities are slower along with the run or their class, as they were in an earlier sitting."""
    if findings:
        worst = max(findings, key=lambda finding: severity(finding.verdict))
        return AxisResult(Axis.CHANGE, worst.verdict, worst.what)
    if could_hide > 0:
        return AxisResult(
            Axis.CHANGE, Verdict.NOT_JUDGED,
            f"slower than the baseline; other load can explain up to {percent(could_hide)}", ground=True,
        )
    judged = [change for change in summaries if change.verdict is Verdict.OK]
    if judged:
        seen = [change.detectable or 0.0 for change in judged]
        return AxisResult(Axis.CHANGE, Verdict.OK, (
            f"{len(judged)} of {len(summaries)} quantities as in {plural(max(change.sittings for change in judged), 'sitting')}; "
            f"smallest detectable change: {detectable(min(seen), max(seen))}"
            + (f" ({len(again)} slower together with the run, by up to {percent(max(again))}, as in an earlier sitting)"
               if again else "")
        ))
    seen = [change.detectable for change in summaries if change.detectable is not None]
    if not seen:
        return AxisResult(Axis.CHANGE, Verdict.NOT_JUDGED, "the baseline has no quantity of this case", ground=True)
    return AxisResult(
        Axis.CHANGE, Verdict.NOT_JUDGED,
        f"not enough evidence: smallest detectable change: {detectable(min(seen))}; accept more sittings",
        ground=True,
    )


def _name(of: ChangeSummary) -> str:
    if of.quantity in CLOCKS:
        return CLOCKS[of.quantity]
    kind, name = of.quantity.split(":", 1)
    return {"loss": "loss of ", "jitter": "jitter of "}.get(kind, "") + name


def _figure(of: ChangeSummary, value: float) -> str:
    if kind_of(of.quantity) in EXCESSES:
        return percent(value)
    return duration(value) if of.unit == "ns" else f"{digits(value)} {of.unit}"


def _moved(of: ChangeSummary) -> str:
    expected, value = of.expected or 0.0, of.value
    low, high = (_figure(of, edge or 0.0) for edge in of.band)
    if kind_of(of.quantity) in EXCESSES:
        return f"{_figure(of, value)}, was {_figure(of, expected)} (band {low} to {high})"
    worse = (of.ratio or 1.0) if of.better == "lower" else 1 / (of.ratio or 1.0)
    how = f"{percent(worse - 1)} slower" if worse > 1 else f"{percent(1 / worse - 1)} faster"
    return f"{_figure(of, value)}, {how} than {_figure(of, expected)} before (band {low} to {high})"


def _finding(case_id: str, of: ChangeSummary, answer: Answer, sentence: str, statistic: str) -> Finding:
    low, high = of.interval
    section = of.quantity.split(":", 1)[1] if not of.quantity.startswith(("metric:", "clock:")) else None
    made = finding(
        Axis.CHANGE,
        VERDICTS[answer],
        case_id,
        sentence,
        f"median of {plural(of.launches, 'launch')} against {plural(of.sittings, 'sitting')}, {statistic}; "
        f"ratio {digits(of.ratio or 0.0)} (95 %: {digits(low or 0.0)} to {digits(high or 0.0)}), "
        f"smallest detectable change: {detectable(of.detectable or 0.0)}",
        section=section,
        measured=of.value,
        expected=of.expected,
        band=of.band,
        unit=of.unit,
        where=Where(section=section),
    )
    return replace(made, ratio=of.ratio)
