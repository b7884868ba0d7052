"""The repetition strip: every sample in the order in which it was measured, launch beside launch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import SectionSummary
from tenken.report.draw import thin
from tenken.report.draw.style import BAD, BLUE, FAINT, GRID, INK, canvas, drawn
from tenken.report.plain import clip, plain

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
