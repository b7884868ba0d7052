"""Speed against ceilings: impossible figures, and the bands of micro-benchmarks. Nothing else is judged yet."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from tenken.base.words import digits, hidden, percent, plural, si
from tenken.judge.common import Powers, Prepared, evidence, finding, stated_path
from tenken.judge.launch_set.ceilings import PRECISIONS, Roofs, roofs, roofs_at, section_ceilings
from tenken.judge.launch_set.figures import best_of_sweep
from tenken.model.assessment import AxisResult, CeilingFraction, Finding, MetricSummary, SectionSummary, Where
from tenken.model.check import Check
from tenken.model.limits import ABOVE_CEILING, HALF_BAND, IMPOSSIBLE, TEAMS
from tenken.model.machine import Band, Machine, Offer
from tenken.model.verdict import Axis, Verdict

OF_THE_CORE = ("cache L1", "cache L2")  # ceilings that rise and fall with its clock, as the peak does
UNLIMITED = "not judged, no baseline yet"
TIMES, RATES = ("time", "time_per_call"), ("flop_rate", "byte_rate")


def section_precisions(section: SectionSummary, check: Check) -> tuple[str, ...]:
    """The precisions in which a section may count its flop: those of the record, else those of its flop rates' metrics, else
    of the nearest section around it that has any, else any."""
    if section.precisions:
        return section.precisions
    rates = [metric for metric in check.metrics if metric.quantity == "flop_rate"]
    path = stated_path(section)
    while path:
        stated = [metric.precision for metric in rates if metric.section == path]
        if stated:
            return tuple(dict.fromkeys(stated))
        path = path.rpartition("/")[0]
    return PRECISIONS


def ceilings_of(section: SectionSummary, case: Prepared, roof: Roofs) -> tuple[CeilingFraction, ...]:
    """The bounds of a section of `case`."""
    check = case.case_run.check
    precisions = section_precisions(section, check)
    own = [metric for metric in check.metrics if metric.section == stated_path(section)]
    bounded_by_peak = any(metric.ceiling == "flop" for metric in own)
    bound = roofs_at(roof, own[0].by if own else None, section.at, case.case_run.case.threads)
    return section_ceilings(section, bound, precisions[0], bounded_by_peak)


def impossible_rates(case: Prepared, roof: Roofs) -> list[Finding]:
    """Flop rates above the most that code can reach at the highest measured frequency: work, clock or answer must be wrong."""
    findings = []
    for section in case.sections:
        check = case.case_run.check
        by = next((metric.by for metric in check.metrics if metric.section == stated_path(section)), None)
        limits = roofs_at(roof, by, section.at, case.case_run.case.threads).impossible
        known = [limits[precision] for precision in section_precisions(section, check) if precision in limits]
        if section.flop_rate is None or not known or section.flop_rate <= IMPOSSIBLE * max(known):
            continue
        peak = max(known)
        units = "multiprocessors" if case.on_device else "cores"
        findings.append(
            finding(
                Axis.SPEED,
                Verdict.INVALID,
                case.case_run.case.id,
                f"impossible rate: section {section.path} at {si(section.flop_rate, 'FLOP/s')} is "
                f"{percent(section.flop_rate / peak)} of {si(peak, 'FLOP/s')}, the highest rate of these {units}; "
                "its work count, the clock or machines/cores.toml is wrong",
                evidence(section),
                section=section.path,
                measured=section.flop_rate,
                expected=peak,
                band=(None, IMPOSSIBLE * peak),
                unit="FLOP/s",
                launches=1,
            )
        )
    return findings


def judge_speed(
    case: Prepared, sections: tuple[SectionSummary, ...], metrics: tuple[MetricSummary, ...], roof: Roofs, bands: dict[
        str, Band
    ]
) -> tuple[AxisResult, list[Finding]]:
    """`sections` carry their ceilings; `bands` are those that apply here, by the name of the metric."""
    findings = [_above_memory(case, section, fraction) for section, fraction in _rates_above_memory(sections, roof)]
    inside: list[str] = []
    unjudged: list[str] = []
    for name, band in bands.items():
        metric = best_of_sweep(metrics, name)
        measured, best = (None, None) if metric is None else _against(band, metric)
        if metric is None or measured is None or best is None:
            continue
        text = f"{_figure(case, metric)}; expected {_band_text(band, metric)}"
        if _above_ceiling(band, measured, roof):
            unjudged.append(f"{text}: more than the ceiling, which was measured too low")
        elif _side(band, measured) == 0:
            inside.append(text)
        elif _within_clock(band, metric, measured, roof):
            inside.append(f"{text}, inside the range of the clock")
        elif _side(band, measured) == _side(band, best):
            findings.append(_outside(case, metric, band, (measured, best), text))
        else:
            unjudged.append(f"{text}: other load can explain {hidden(abs(best / measured - 1))}")
    if findings:
        return AxisResult(Axis.SPEED, Verdict.WARN, findings[0].what), findings
    if unjudged:
        return AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, unjudged[0], ground=True), []
    if inside:
        return AxisResult(Axis.SPEED, Verdict.OK, inside[0]), []
    return AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, _why_not_judged(case, metrics, roof), ground=bool(bands)), []


def _against(band: Band, metric: MetricSummary) -> tuple[float | None, float | None]:
    """The figure compared with the band: at worst (as measured, of a ceiling that was disturbed of its most), and at best."""
    figure = metric.fraction if band.of == "ceiling" else metric.value
    if figure is None or not metric.value:
        return figure, figure
    ceiling = metric.ceiling if band.of == "ceiling" else None
    worst = figure if ceiling is None else figure * ceiling.value / ceiling.most
    return worst, figure * (metric.at_best or metric.value) / metric.value


def _side(band: Band, measured: float) -> int:
    """-1 below the band, 0 inside, 1 above."""
    if band.low is not None and measured < band.low:
        return -1
    return 1 if band.high is not None and measured > band.high else 0


def _above_ceiling(band: Band, measured: float, roof: Roofs) -> bool:
    """More than a ceiling allows, also at the highest clock, without an upper limit: the part of the ceiling is not known."""
    return band.of == "ceiling" and band.high is None and measured > ABOVE_CEILING * roof.moved[1]


def _within_clock(band: Band, metric: MetricSummary, measured: float, roof: Roofs) -> bool:
    """The band is of a peak at a clock that moved while it was sampled, and some clock in between fits."""
    if band.of != "ceiling" or metric.ceiling is None or not metric.ceiling.name.startswith("peak"):
        return False
    sides = [_side(band, measured / clock) for clock in roof.moved]
    return sides[0] != sides[1] or sides[0] == 0


def _by_a_factor(band: Band, metric: MetricSummary, best: float) -> bool:
    """Worse than half of the band even at best: other load does not explain it, and neither does a small fault."""
    if metric.better == "higher":
        return band.low is not None and best < HALF_BAND * band.low
    return band.high is not None and HALF_BAND * best > band.high


def _rates_above_memory(sections: tuple[SectionSummary, ...], roof: Roofs) -> Iterator[tuple[SectionSummary, float]]:
    for section in sections:
        for ceiling in section.ceilings:
            if ceiling.ceiling == roof.memory and roof.uncached and ceiling.rate > ABOVE_CEILING * ceiling.ceiling.most:
                yield section, ceiling.fraction


def _above_memory(case: Prepared, section: SectionSummary, fraction: float) -> Finding:
    bound = next(ceiling for ceiling in section.ceilings if ceiling.ceiling.name == "memory")
    return finding(
        Axis.SPEED,
        Verdict.WARN,
        case.case_run.case.id,
        f"{section.path} moves {si(bound.rate, 'B/s')}, {percent(fraction)} of the memory rate "
        f"({bound.ceiling.formula}) with a working set far beyond the cache; its byte count or the ceiling is wrong",
        evidence(section),
        section=section.path,
        measured=bound.rate,
        expected=bound.ceiling.value,
        band=(None, ABOVE_CEILING * bound.ceiling.value),
        unit="B/s",
    )


def _outside(case: Prepared, metric: MetricSummary, band: Band, ends: tuple[float, float], text: str) -> Finding:
    """`ends`: as measured, and at best without other load."""
    measured, best = ends
    beyond_low = band.low is not None and measured < band.low
    better = beyond_low == (metric.better == "lower")
    meaning, remedy = "worse than expected of this node", ""
    if better:
        meaning = "better than expected: the band or the measurement is wrong"
    if _by_a_factor(band, metric, best):
        meaning = ". ".join(sentence for sentence in (_linked(case, band), band.advice) if sentence) or meaning
        remedy = band.remedy
    return finding(
        Axis.SPEED,
        Verdict.WARN,
        case.case_run.case.id,
        f"{text}: {meaning} ({band.source})",
        f"median of {plural(metric.launches, 'launch')}",
        section=metric.section,
        measured=measured,
        expected=band.low if beyond_low else band.high,
        band=(band.low, band.high),
        unit="of the ceiling" if band.of == "ceiling" else metric.unit,
        where=Where(section=metric.section),
        remedy=remedy,
    )


def _linked(case: Prepared, band: Band) -> str:
    """The library that a metric measures, as the launches recorded it."""
    known = {each.record.environment.libraries.get(band.library or "", "") for each in case.measured} - {""}
    return f"{band.library} linked here: {' or '.join(sorted(known))}" if known else ""


def _why_not_judged(case: Prepared, metrics: tuple[MetricSummary, ...], roof: Roofs) -> str:
    shown = [metric for metric in metrics if metric.fraction is not None]
    if shown and (best := best_of_sweep(metrics, shown[0].name)):
        return f"{_figure(case, best)}; {UNLIMITED}"
    wanted = {metric.ceiling for metric in case.case_run.check.metrics}
    if "flop" in wanted and roof.no_peak:
        return roof.no_peak
    if "memory" in wanted and roof.no_memory:
        return roof.no_memory
    if "network" in wanted:
        return "no network rate was measured"
    return f"measured; {UNLIMITED}"


def _figure(case: Prepared, metric: MetricSummary) -> str:
    """`double reaches 45.2 GFLOP/s, 96.3 % of peak`; of a sweep over threads `2 threads reach ...`."""
    spec = next((other for other in case.case_run.check.metrics if other.name == metric.name), None)
    name = metric.name if metric.at is None else f"{metric.name}/{metric.at}"
    name += " reaches" if metric.better == "higher" else " is"
    if spec is not None and spec.by == TEAMS and metric.at is not None and metric.better == "higher":
        name = "1 thread reaches" if metric.at == 1 else f"{metric.at} threads reach"
    value = "-" if metric.value is None else f"{digits(metric.value)} {metric.unit}"
    return f"{name} {value}" + ("" if metric.fraction is None else f", {percent(metric.fraction)} of {_ceiling(metric)}")


def _ceiling(metric: MetricSummary) -> str:
    name = metric.ceiling.name if metric.ceiling else "its ceiling"
    return "peak" if name.startswith("peak") else {"memory": "the memory rate", "network": "the network rate"}.get(name, name)


def _band_text(band: Band, metric: MetricSummary) -> str:
    def bound(value: float) -> str:
        return percent(value) if band.of == "ceiling" else f"{digits(value)} {metric.unit}"

    if band.low is not None and band.high is not None:
        return f"{bound(band.low)} to {bound(band.high)}"
    return f"at least {bound(band.low)}" if band.low is not None else f"at most {bound(band.high or 0.0)}"


def following_clock(
    cases: Iterable[Prepared], ids: Container[str], offers: tuple[Offer, ...], machine: Machine
) -> dict[str, Powers]:
    """By case id the answer of `clock_bound`, of those of `cases` that are in `ids`."""
    known = {case.case_run.case.id: case for case in cases if case.case_run.case.id in ids}
    return {case_id: clock_bound(case, offers, machine) for case_id, case in known.items()}


def clock_bound(case: Prepared, offers: tuple[Offer, ...], machine: Machine) -> Powers:
    """The quantities of `case` that follow the clock of its cores: of sections that the peak or a cache of the core binds."""
    if not case.measured or case.crowded:
        return {}
    roof, powers = roofs(case, offers, machine), {}
    for section in case.sections:
        if section.kind != "compute" or not _bound(section, case, roof):
            continue
        powers[f"time:{section.path}"] = 1
        for metric in case.case_run.check.metrics:
            if metric.section == stated_path(section) and metric.quantity in TIMES + RATES:
                name = f"metric:{metric.name}" + ("" if section.at is None else f"/{section.at}")
                powers[name] = 1 if metric.quantity in TIMES else -1
    return powers


def _bound(section: SectionSummary, case: Prepared, roof: Roofs) -> bool:
    binding = next((ceiling.ceiling for ceiling in ceilings_of(section, case, roof) if ceiling.binding), None)
    if binding is None:
        return False
    if binding.name in OF_THE_CORE:
        return True
    stated = any(metric.ceiling == "flop" and metric.section == stated_path(section) for metric in case.case_run.check.metrics)
    # Where the rate of its bytes is not known, an L3 may bind a section that seems bound by the peak.
    return binding.name.startswith("peak") and (stated or section.byte_rate is None or roof.memory is not None)
