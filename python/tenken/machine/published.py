"""Published results of machine files that a study draws beside its measurement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tenken.base import units
from tenken.base.errors import TenkenError
from tenken.machine.files import Files, MachineFile, Published, PublishedSection
from tenken.machine.reference import UNITS
from tenken.model.check import Check, MetricSpec, PublishedRow, Study
from tenken.model.study import PublishedPoint


def published_points(check: Check, study: Study, files: Files) -> tuple[PublishedPoint, ...]:
    """The rows that a study names, in the units of their metrics. TenkenError names a row that no machine file has.

    Times are as printed. Rates are as printed, of all ranks; where only a percentage of the peak was printed, of a
    rank: flop per cycle of the core x frequency x cores of a rank x percentage. Where no table of sections has it, a row of
    `[[results]]` of that application and size is meant, whose unit measures the metric's quantity. A change is added to the
    row that it is a change of, of the same size.
    """
    metrics = {metric.name: metric for metric in check.metrics}
    return tuple(_point(row, metrics, files, f"study {check.name}:{study.name}") for row in study.published)


def _point(row: PublishedRow, metrics: Mapping[str, MetricSpec], files: Files, where: str) -> PublishedPoint:
    machine = files.machines.get(row.machine)
    if machine is None:
        raise TenkenError(f"{where}, published: no machine file is named '{row.machine}'; known: {', '.join(files.machines)}.")
    candidates = [
        (published, section) for published in machine.published for section in published.sections
        if (published.application, section.name) == (row.application, row.section) and row.size in ("", published.size)
    ]
    if not candidates and (point := _of_results(row, metrics[row.metric], machine)):
        return point
    if len(candidates) != 1:
        raise TenkenError(
            f"{where}, published: {machine.path} has {len(candidates)} results of {row.application}, section {row.section}"
            f"{f', size {row.size}' if row.size else ''}; name one of them by application, section and size."
        )
    metric = metrics[row.metric]
    value = _value(metric, machine, *candidates[0], files)
    if value is None:
        raise TenkenError(
            f"{where}, published: {machine.path} has no {'seconds' if metric.quantity.startswith('time') else 'rate'} of "
            f"{row.application}, section {row.section}, for metric {row.metric}; name another section."
        )
    source = f"{_paper(machine, candidates[0][0].source)}; {candidates[0][0].source}"
    label = f"{machine.name}, {row.application} {row.section}"
    return PublishedPoint(row.metric, label, row.x, value / units.factor(metric.unit), source, row.panel)


def _of_results(row: PublishedRow, metric: MetricSpec, machine: MachineFile) -> PublishedPoint | None:
    """None unless there is exactly one such figure, and exactly one that it is a change of."""
    figure = _figure(row, metric, machine)
    if figure is None:
        return None
    printed, value, entry = figure
    label = f"{machine.name}, {row.application} {row.section}"
    source = f"{_paper(machine, entry)}; {entry}"
    if row.change_of is not None:
        application, section = row.change_of
        before = _figure(replace(row, application=application, section=section, number=None), metric, machine)
        if before is None:
            return None
        value += before[1]
        label += f": {before[0]} {printed}"
    return PublishedPoint(row.metric, label, row.x, value, source, row.panel)


def _paper(machine: MachineFile, entry: str) -> str:
    """Of the sources of a machine file the source whose name the entry has, else the first; without that name."""
    papers = [part.strip() for part in machine.source.split(";")]
    return next((paper for paper in papers if f'"{entry.split("/")[0]}"' in paper), papers[0]).partition(', "')[0]


def _figure(row: PublishedRow, metric: MetricSpec, machine: MachineFile) -> tuple[str, float, str] | None:
    """As printed, in the unit of the metric, and the entry it was taken from."""
    measured = units.dimension(metric.unit)
    candidates = [
        (results, line.values[row.number or 0]) for results in machine.results for line in results.rows
        if (results.application, line.name) == (row.application, row.section) and row.size in ("", results.size)
        and UNITS[results.unit][0] == measured
        and (len(line.values) == 1 if row.number is None else row.number < len(line.values))
    ]
    if len(candidates) != 1:
        return None
    results, printed = candidates[0]
    return printed, float(printed) * UNITS[results.unit][1] / units.factor(metric.unit), results.entry


def _value(
    metric: MetricSpec, machine: MachineFile, of: Published, section: PublishedSection, files: Files
) -> float | None:
    """In the base unit of the metric; None where it was not published."""
    if metric.quantity.startswith("time"):
        return float(section.seconds) if section.seconds else None
    if section.rate:
        return float(section.rate)
    core = files.core(machine.core) if machine.core else None
    if metric.quantity != "flop_rate" or not section.percent_of_peak or core is None or not machine.frequency_ghz:
        return None
    rate = core.rates[-1]
    per_cycle = rate.single if metric.precision == "single" else rate.double
    return float(section.percent_of_peak) / 100 * per_cycle * machine.frequency_ghz * 1e9 * of.cores_a_rank
