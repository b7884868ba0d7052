"""Drawings of a case: its ceilings, its ranks by time and by place, its repetitions, its sweep over sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import CaseAssessment, MetricSummary, SectionSummary, TableAssessment
from tenken.report.draw import thin
from tenken.report.draw.axis import logarithmic, spans_decades
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.draw.space import compute_sections
from tenken.report.draw.style import BAD, BLUE, CEILING, FAINT, GRID, INK, MUTED, canvas, drawn
from tenken.report.plain import clip, plain
from tenken.report.select import binding, letter

_WIDTH, _ROW, _MOST = 420, 23, 24
_LETTER = 6.0  # pixels of a letter of a label, at most


@drawn
def ceilings(case: CaseAssessment) -> tuple[Figure, str] | None:
    """Percent of the binding ceiling for each section; a thin stroke shows each other ceiling."""
    rows = [(section, first) for section in case.sections if section.leaf and (first := binding(section))][:_MOST]
    if not rows:
        return None
    names = [clip(plain(section.path), 22) for section, _ in rows]
    figure, (plot,) = canvas(_WIDTH, _ROW * len(rows) + 34, _margin(names), 62, 26, 8)
    top = max(1.0, *(first.fraction for _, first in rows))
    for row, (section, first) in enumerate(rows):
        sign = letter(first.ceiling)
        plot.barh(row, 1.0, height=0.62, color=GRID)
        plot.barh(row, first.fraction, height=0.62, color=BAD if first.fraction > 1 else CEILING.get(sign, MUTED))
        for other in section.ceilings:
            if not other.binding:
                plot.plot([other.fraction] * 2, [row - 0.31, row + 0.31], color=INK, linewidth=1.2)
        plot.annotate(
            f"{units.percent(first.fraction)} {sign}", (top, row), (6, 0), textcoords="offset points", va="center",
            fontsize=10, annotation_clip=False,
        )
    plot.set_yticks(range(len(rows)), names, color=INK)
    plot.set_xticks([0, 0.5, 1.0], ["0", "50 %", "100 %"])
    plot.set(xlim=(0, top), ylim=(len(rows) - 0.5, -0.5))
    plot.spines[["left", "bottom"]].set_visible(False)
    return figure, f"Percent of ceiling of the sections of {plain(case.id)}"


@drawn
def ranks(section: SectionSummary) -> tuple[Figure, str] | None:
    """Median of each rank with its 10 % and 90 % quantiles, slowest first; many ranks are thinned."""
    if len(section.ranks) < 2:
        return None
    rows = thin.ranks(section.ranks)
    pitch = _ROW if len(rows) <= 12 else 15
    unit, scale = units.time_scale(max(time.high_ns for _, time in rows))
    names = [clip(f"{label}, {plain(time.host)}", 24) for label, time in rows]
    figure, (plot,) = canvas(_WIDTH, pitch * len(rows) + 60, _margin(names), 62, 40, 20)
    plot.set_title(clip(plain(section.path), 44), loc="left", color=INK, x=0, pad=4)
    for row, (_, time) in enumerate(rows):
        plot.barh(row, time.median_ns / scale, height=0.66, color=BAD if time.rank == section.slowest_rank else BLUE)
        plot.plot(
            [time.low_ns / scale, time.high_ns / scale], [row, row], color=INK, linewidth=1.2, solid_capstyle="butt"
        )
        plot.annotate(
            units.number(time.median_ns / scale), (1, row), (6, 0), xycoords=("axes fraction", "data"), fontsize=10,
            textcoords="offset points", va="center", annotation_clip=False,
        )
    if len(rows) > thin.WORST and len(section.ranks) > len(rows):
        plot.axhline(thin.WORST - 0.5, color=FAINT, linewidth=1)
    plot.set_yticks(range(len(rows)), names, color=INK, fontsize=10 if pitch == _ROW else 9)
    plot.set(xlim=(0, None), ylim=(len(rows) - 0.5, -0.5), xlabel=f"median of one repetition ({unit})")
    plot.spines["left"].set_visible(False)
    plot.grid(True, axis="x")
    return figure, f"Time of each rank in {plain(section.path)}"


def _margin(names: list[str]) -> float:
    return _LETTER * max(map(len, names)) + 12


# The repetition strip: every sample in the order in which it was measured, launch beside launch.

_DOTS = 400  # of a strip, over all launches
_INSIDE = 0.02, 0.98  # quantiles between which the axis is scaled: a single outlier must not flatten all others
_FENCE = 1.0  # times the distance of the quantiles, added at both ends: samples beyond it are outliers, drawn at the edge
_ZOOM = 0.05  # the axis always spans at least this part of the median on both sides: noise must not look like drama


@drawn
def strip(sections: Sequence[SectionSummary], width: float = 640) -> tuple[Figure, str] | None:
    """A strip for each section, with its median (line) and a MAD on both sides (grey); outliers are arrows at the edge."""
    shown = [section for section in sections if any(section.strip_ns)]
    if not shown:
        return None
    figure, plots = canvas(width, 86 * len(shown) + 18 * (len(shown) - 1) + 40, 62, 12, 22, 18, len(shown), gap=36)
    for plot, section in zip(plots, shown, strict=True):
        _strip(plot, section)
    return figure, f"Samples in time order of {', '.join(plain(section.path) for section in shown)}"


def _strip(plot: Axes, section: SectionSummary) -> None:
    unit, scale = units.time_scale(section.median_ns)
    launches = [values for values in section.strip_ns if values]
    samples = [value / scale for values in launches for value in values]
    low, high = limits(samples, section.median_ns / scale)
    start, ticks = 0, []
    x: list[float] = []
    y: list[float] = []
    outliers: list[tuple[int, float]] = []
    for values in launches:
        for index, value in thin.samples(values, _DOTS // len(launches)):
            if not low <= value / scale <= high:
                outliers.append((start + index, value / scale))
                continue
            # A stroke of no length with round ends is a dot; all dots are a single path, so that the page is small.
            x += [start + index, start + index, float("nan")]
            y += [value / scale, value / scale, float("nan")]
        ticks.append(start + (len(values) - 1) / 2)
        start += len(values)
        plot.axvline(start - 0.5, color=FAINT, linewidth=1)
    median, mad = section.median_ns / scale, section.mad_ns / scale
    plot.axhspan(median - mad, median + mad, color=GRID, linewidth=0)
    plot.axhline(median, color=INK, linewidth=1)
    plot.plot(x, y, color=BLUE, linewidth=3, solid_capstyle="round", alpha=0.75)
    for edge, marker, places in ((low, "v", [place for place, value in outliers if value < low]),
                                 (high, "^", [place for place, value in outliers if value > high])):
        plot.plot(places, [edge] * len(places), marker=marker, markersize=6, color=BAD, linestyle="", clip_on=False)
    plot.set(xlim=(-0.5, start - 0.5), ylim=(low - 0.06 * (high - low), high + 0.06 * (high - low)))
    few = len(launches) <= 8
    plot.set_xticks(ticks if few else [], [f"launch {number}" for number in range(1, len(ticks) + 1)] if few else [])
    marks = [median, *(edge for edge in (low, high) if abs(edge - median) > 0.2 * (high - low))]
    plot.set_yticks(marks, [units.number(value, 3) for value in marks])
    title = f"{clip(plain(section.path), 60)}  ({unit})"
    if beyond := [value for value in samples if not low <= value <= high]:
        furthest = max(beyond, key=lambda value: abs(value - median))
        title += f"   {plural(len(beyond), 'outlier')}, the farthest {units.number(furthest, 3)} {unit}"
    plot.set_title(title, loc="left", color=INK, pad=4)
    plot.spines["bottom"].set_visible(False)


def limits(values: Sequence[float], median: float) -> tuple[float, float]:
    """The least and the greatest time that are drawn at their place."""
    first, last = np.quantile(values, _INSIDE).tolist()
    fence = max(_FENCE * (last - first), _ZOOM * median)
    return min(max(min(values), first - fence), (1 - _ZOOM) * median), max(min(max(values), last + fence), (1 + _ZOOM) * median)


# A metric against the value that its section is repeated over: message sizes, team sizes.

def sweeps(metrics: Sequence[MetricSummary]) -> list[list[MetricSummary]]:
    """Metrics of the same name at two or more values, in order of the value."""
    groups: dict[str, list[MetricSummary]] = {}
    for metric in metrics:
        if metric.at is not None and metric.value is not None:
            groups.setdefault(metric.name, []).append(metric)
    return [sorted(group, key=lambda metric: metric.at or 0) for group in groups.values() if len(group) > 1]


@drawn
def sweep(metrics: Sequence[MetricSummary]) -> tuple[Figure, str] | None:
    """Median over launches with a MAD on both sides; the ceiling, if any, as a grey line."""
    figure, (plot,) = canvas(420, 236, 52, 14, 40, 26)
    x = [metric.at or 0 for metric in metrics]
    y = [metric.value or 0.0 for metric in metrics]
    first = metrics[0]
    roofs = [metric.value / metric.fraction if metric.value and metric.fraction else float("nan") for metric in metrics]
    plot.plot(x, roofs, color=MUTED, linewidth=1.4, linestyle=(0, (4, 3)))
    plot.vlines(x, [v - (m.mad or 0) for v, m in zip(y, metrics, strict=True)],
                [v + (m.mad or 0) for v, m in zip(y, metrics, strict=True)], color=INK, linewidth=1.2)
    plot.plot(x, y, color=BLUE, marker="o", markersize=5)
    if min(x) > 0 and max(x) > 4 * min(x):
        plot.set_xscale("log", base=2)
        plot.xaxis.set_major_locator(LogLocator(base=2, numticks=7))
        plot.xaxis.set_minor_locator(NullLocator())
    else:
        plot.set_xticks(x)
    plot.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _binary(value)))
    if spans_decades(y):
        plot.set_ylim(min(y) / 1.3, 1.3 * max(y))
        logarithmic(plot, "y")
    else:
        plot.set_ylim(0, None)
        plot.yaxis.set_major_formatter(FuncFormatter(lambda value, _: units.number(value, 3)))
    plot.set_title(f"{clip(plain(first.name), 40)}  ({plain(first.unit)})", loc="left", color=INK, pad=6)
    plot.set_xlabel(f"value that {clip(plain(first.section or first.name), 40)} is repeated over")
    plot.grid(True)
    plot.spines["left"].set_color(FAINT)
    return figure, f"{plain(first.name)} against the value it is repeated over"


def _binary(value: float) -> str:
    """Whole multiples of 1024 with a binary prefix: 65536 is "64 Ki"."""
    for prefix in ("", "Ki", "Mi"):
        if value < 1024 or value % 1024:
            return f"{units.number(value, 3)} {prefix}".rstrip()
        value /= 1024
    return f"{units.number(value, 3)} Gi"


# Times of ranks at their places in the cut box: which part of the box takes longer.

_MAPS, _RANK_MAP_WIDTH = 4, 420  # sections, those first whose slowest rank costs the most; pixels of a map


def mapped(case: CaseAssessment) -> list[SectionSummary]:
    """The sections that are drawn, the most uneven first: by the share of time that equal ranks would save."""
    sections = compute_sections(case)
    return sorted(sections, key=lambda section: -section.share * (1 - 1 / max(section.imbalance, 1.0)))[:_MAPS]


def rank_maps(case: CaseAssessment) -> list[str]:
    """A map for each section of `mapped`; none where the record has no places of ranks."""
    places = next((table for table in case.tables if table.form == "ranks" and table.values), None)
    return [] if places is None else [drawing for section in mapped(case) if (drawing := _map(places, section))]


def _map(places: TableAssessment, section: SectionSummary) -> str:
    times = {rank.rank: rank.median_ns / 1e6 for rank in section.ranks}
    values = [[None if cell is None else times.get(round(cell)) for cell in row] for row in places.values]
    title = f"{plain(section.path)}  (ms)"
    return matrix(Matrix(title, "ms", "lower", places.rows, places.columns, values), _RANK_MAP_WIDTH)
