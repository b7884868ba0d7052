"""Metrics of a case, summarised over its launches, with their ceiling and band."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tenken.base import units
from tenken.base.words import si
from tenken.judge.common import Prepared, launch_values, stated_path
from tenken.judge.launch_set.ceilings import Roofs, roofs_at
from tenken.model.assessment import Ceiling, MetricSummary
from tenken.model.check import MetricSpec, older_ids
from tenken.model.machine import Band, Machine
from tenken.model.run import cores_by_host
from tenken.stats.robust import mad, median


def summarise_metric(
    metric: MetricSpec, launches: list[dict[int | None, float]], at_best: list[dict[int | None, float]],
    ceiling_at: Callable[[int | None], Ceiling | None], forbidden: bool,
) -> tuple[MetricSummary, ...]:
    """A summary for each value that the metric is repeated over; no figures where a wrong answer forbids them.

    `at_best` are the values of `launches` without the time that other load may have cost.
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
                headline=_headline(metric.headline, at),
            )
        )
    return tuple(summaries)


def _headline(words: str, at: int | None) -> str:
    """With the value that the section is repeated over: "triad by {at} threads" is "triad by 2 threads"."""
    return re.sub(r"\b1 (\w+)s\b", r"1 \1", words.replace("{at}", str(at)))


def best_of_sweep(metrics: tuple[MetricSummary, ...], name: str) -> MetricSummary | None:
    """The best figure of a metric over all values it is repeated over: the figure that a band is about."""
    known = [metric for metric in metrics if metric.name == name and metric.value is not None]
    if not known:
        return None
    return max(known, key=lambda metric: (metric.value or 0.0) * (1 if metric.better == "higher" else -1))


def band_for(checks: Sequence[str], metric: str, node_class: str, bands: tuple[Band, ...]) -> Band | None:
    """The band of that node class, else that for any, of the first of `checks` (its name, then older ones) that has a band."""
    for check in checks:
        fitting = [band for band in bands if band.metric == f"{check}.{metric}"]
        own = [band for band in fitting if band.node_class == node_class]
        for band in own + [band for band in fitting if band.node_class == "*"]:
            return band if check == checks[0] else replace(band, source=f"{band.source} (formerly {check})")
    return None


def bands_of(case: Prepared, roof: Roofs, machine: Machine, bands: tuple[Band, ...]) -> dict[str, Band]:
    """The bands of this case by the name of their metric; the class is that of its first node. All bands are about
    processors: a case on a device has none."""
    if case.on_device:
        return {}
    node = machine.node(case.measured[0].record.rank[0].host) if case.measured else machine.nodes[0]
    node_class = node.node_class
    check = case.case_run.check
    older = dict.fromkeys(name.partition(":")[0] for name in older_ids(check, case.case_run.case.name))
    by_metric = {metric.name: band_for((check.name, *older), metric.name, node_class, bands) for metric in check.metrics}
    units_of = {metric.name: metric.unit for metric in check.metrics}
    fitting = {name: _of_cores(band, units_of[name], case, roof, machine) for name, band in by_metric.items() if band is not None}
    return {name: band for name, band in fitting.items() if band is not None}


def _of_cores(band: Band, unit: str, case: Prepared, roof: Roofs, machine: Machine) -> Band | None:
    """A band of the memory rate of the cores of `case` becomes a band of the value, in `unit`; others stay as they are.

    None where the rate of a node is not known, or a cache holds the data.
    """
    if band.of != "cores":
        return band
    if not case.measured or roof.fits_cache:
        return None
    expected, sources = 0.0, []
    for host, cores in cores_by_host(case.measured[0].record, machine).items():
        node = machine.node(host)
        if node.memory_rate_a_core is None:
            return None
        expected += node.memory_rate_a_core * cores
        sources.append(node.memory_rate_source)
    low, high = (None if part is None else part * expected / units.factor(unit) for part in (band.low, band.high))
    source = f"{band.source}, {si(expected, 'B/s')} ({'; '.join(dict.fromkeys(sources))})"
    return replace(band, low=low, high=high, of="value", source=source)


def metrics_of(case: Prepared, roof: Roofs, bands: dict[str, Band], forbidden: bool) -> tuple[MetricSummary, ...]:
    summaries: list[MetricSummary] = []
    if not case.measured:
        return ()
    stated = {stated_path(section): section.precisions[0] for section in case.sections if section.precisions}
    for metric in case.case_run.check.metrics:
        of_launches = list(zip(case.measured, case.by_launch, strict=True))
        launches = [launch_values(metric, each, own) for each, own in of_launches]
        best = [launch_values(metric, each, own, best=True) for each, own in of_launches]

        def ceiling_at(at: int | None, metric: MetricSpec = metric) -> Ceiling | None:
            bound = roofs_at(roof, metric.by, at, case.case_run.case.threads)
            peak = bound.peak.get(stated.get(metric.section or "", metric.precision))
            known = {"flop": peak, "memory": bound.memory, **bound.elsewhere}
            return None if case.crowded else known.get(metric.ceiling)

        own = summarise_metric(metric, launches, best, ceiling_at, forbidden)
        band, shown = bands.get(metric.name), best_of_sweep(own, metric.name)
        if band is not None and shown is not None:
            banded = replace(shown, band=_in_unit(band, shown), band_source=band.source)
            own = tuple(banded if metric is shown else metric for metric in own)
        summaries += own
    return tuple(summaries)


def _in_unit(band: Band, metric: MetricSummary) -> tuple[float | None, float | None]:
    """The band in the unit of the metric: a fraction of the ceiling becomes a rate."""
    if band.of == "value" or metric.ceiling is None:
        return band.low, band.high
    ceiling = metric.ceiling.value / units.factor(metric.unit)
    low, high = (None if bound is None else bound * ceiling for bound in (band.low, band.high))
    return low, high
