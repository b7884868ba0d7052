"""Metrics of a case: derived launch by launch, summarised over launches, with their ceiling and band."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

from tenken.judge.launches import Measured
from tenken.judge.phrases import plural
from tenken.judge.sections import stated_path
from tenken.model import units
from tenken.model.assessment import Ceiling, ChangeSummary, MetricSummary, SectionSummary
from tenken.model.check import MetricSpec
from tenken.model.machine import Band
from tenken.stats.robust import mad, median


def launch_values(metric: MetricSpec, measured: Measured, sections: tuple[SectionSummary, ...]) -> dict[
    int | None, float
]:
    """The metric in one launch, in base units (s, flop/s, byte/s, ...), by the value it is repeated over, if any."""
    if metric.quantity.startswith("value:"):
        return _recorded(metric, measured)
    found = {}
    for section in sections:
        if stated_path(section) == metric.section and (section.at is not None) == (metric.by is not None):
            value = _quantity(metric.quantity, section)
            if value is not None:
                found[section.at] = value
    return found


def summarise_metric(
    metric: MetricSpec, launches: list[dict[int | None, float]], at_best: list[dict[int | None, float]],
    ceiling_at: Callable[[int | None], Ceiling | None], forbidden: bool,
) -> tuple[MetricSummary, ...]:
    """One summary for each value that the metric is repeated over; no figures where a wrong answer forbids them.

    `at_best` are the values of `launches` without what another's load may have cost.
    """
    places = list(dict.fromkeys(at for values in launches for at in values)) or [None]
    summaries = []
    for at in places:
        ceiling = ceiling_at(at)
        values = [] if forbidden else [values[at] for values in launches if at in values]
        middle = median(values) if values else None
        best = median([values[at] for values in at_best if at in values]) if values else None
        scale = units.factor(metric.unit)
        summaries.append(
            MetricSummary(
                name=metric.name,
                section=metric.section if at is None or metric.section is None else f"{metric.section}/{at}",
                at=at,
                quantity=metric.quantity,
                unit=metric.unit,
                better=metric.better,
                klass=metric.klass,
                value=middle / scale if middle is not None else None,
                mad=mad(values) / scale if values else None,
                launches=len(values),
                fraction=middle / ceiling.value if middle is not None and ceiling is not None else None,
                ceiling=ceiling,
                band=None,
                band_source=None,
                at_best=best / scale if best is not None and best != middle else None,
            )
        )
    return tuple(summaries)


def best_of_sweep(metrics: tuple[MetricSummary, ...], name: str) -> MetricSummary | None:
    """The best figure of one metric over all values it is repeated over: the one that a band is about."""
    known = [metric for metric in metrics if metric.name == name and metric.value is not None]
    if not known:
        return None
    return max(known, key=lambda metric: (metric.value or 0.0) * (1 if metric.better == "higher" else -1))


def baseline_bands(metrics: tuple[MetricSummary, ...], changes: tuple[ChangeSummary, ...]) -> tuple[MetricSummary, ...]:
    """The metrics with the band of their baseline, where no absolute band is about them."""
    held = {change.quantity: change for change in changes if change.expected is not None}

    def banded(metric: MetricSummary) -> MetricSummary:
        change = held.get(f"metric:{metric.name}" + ("" if metric.at is None else f"/{metric.at}"))
        if change is None or metric.band is not None:
            return metric
        return replace(metric, band=change.band, band_source=f"baseline of {plural(change.sittings, 'sitting')}")

    return tuple(banded(metric) for metric in metrics)


def band_for(checks: Sequence[str], metric: str, node_class: str, bands: tuple[Band, ...]) -> Band | None:
    """The band of that node class, else the one for any, of the first of `checks` (its name, then older ones) that has one."""
    for check in checks:
        fitting = [band for band in bands if band.metric == f"{check}.{metric}"]
        own = [band for band in fitting if band.node_class == node_class]
        for band in own + [band for band in fitting if band.node_class == "*"]:
            return band if check == checks[0] else replace(band, source=f"{band.source} (formerly {check})")
    return None


def _quantity(quantity: str, section: SectionSummary) -> float | None:
    if quantity == "time":
        return section.median_ns * 1e-9
    if quantity == "time_per_call":
        return section.median_ns * 1e-9 / section.calls if section.calls > 0 else None
    if quantity == "flop_rate":
        return section.flop_rate
    if quantity == "byte_rate":
        return section.byte_rate
    return section.messages / section.median_ns * 1e9 if section.messages > 0 and section.median_ns > 0 else None


def _recorded(metric: MetricSpec, measured: Measured) -> dict[int | None, float]:
    """Value NAME of the record, or NAME/1, NAME/2, ... where the metric is repeated."""
    name = metric.quantity.removeprefix("value:")
    found: dict[int | None, float] = {}
    for value in measured.record.values:
        at = value.name.removeprefix(name + "/")
        place = int(at) if metric.by is not None and at != value.name and at.isdigit() else None
        named = place is not None if metric.by is not None else value.name == name
        same_kind = value.unit in units.UNITS and units.dimension(value.unit) == units.dimension(metric.unit)
        if named and same_kind and isfinite(value.value):
            found[place] = value.value * units.factor(value.unit)
    return found
