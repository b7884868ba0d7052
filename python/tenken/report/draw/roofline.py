"""The roofline: every section with work against the roofs above it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.assessment import CaseAssessment, Ceiling, SectionSummary
from tenken.report.draw.axis import logarithmic
from tenken.report.draw.style import BAD, INK, KIND, MUTED, canvas, drawn
from tenken.report.plain import clip, plain

_WIDTH, _HEIGHT = 640, 400
_LABELS = 14  # sections with a name beside their mark: those with the largest share
_LINE = 13  # pixels between two names


def roofs(case: CaseAssessment) -> list[Ceiling]:
    """Each ceiling met by a section of the case, once: peaks, then memory, then others."""
    found = dict.fromkeys(item.ceiling for section in case.sections for item in section.ceilings)
    return sorted(found, key=lambda roof: (not _is_peak(roof), roof.name != "memory", roof.name, -roof.value))


def outside(case: CaseAssessment) -> list[SectionSummary]:
    """Leaf sections that have no point: no flop, no counted bytes, or no rate because the answer was wrong."""
    return [section for section in case.sections if section.leaf and not _has_point(section)]


def _has_point(section: SectionSummary) -> bool:
    return section.leaf and bool(section.flop_rate) and section.intensity is not None


def _is_peak(roof: Ceiling) -> bool:
    return roof.name.startswith("peak")


@drawn
def roofline(case: CaseAssessment) -> tuple[Figure, str] | None:
    """Sections at (flop per byte, flop/s of all ranks). Those without memory traffic sit on the right edge."""
    points = [section for section in case.sections if _has_point(section)]
    finite = [section.intensity for section in points if section.intensity and math.isfinite(section.intensity)]
    if not finite:
        return None
    peaks = [roof for roof in roofs(case) if _is_peak(roof)]
    memory = [roof for roof in roofs(case) if roof.name == "memory"]
    ridges = [peak.value / roof.value for peak in peaks for roof in memory]
    low, high = min(finite + ridges) / 4, max(finite + ridges) * 6
    rates = [section.flop_rate for section in points if section.flop_rate]
    top = max([peak.value for peak in peaks] + rates) * 2.2
    figure, (plot,) = canvas(_WIDTH, _HEIGHT, 62, 12, 44, 10)
    plot.set(xlim=(low, high), ylim=(min(rates) / 4, top),
             xlabel="intensity (flop per byte)", ylabel="rate of all ranks (FLOP/s)")
    _axes(plot)
    for peak in peaks:
        start = min((peak.value / roof.value for roof in memory), default=low)
        _line(plot, (start, high), (peak.value, peak.value))
        plot.annotate(f"{plain(peak.name)}  {units.rate(peak.value, 'flop/s')}", (high, peak.value), (-4, 5), color=INK,
                      textcoords="offset points", ha="right", fontsize=10)
    highest = max((peak.value for peak in peaks), default=top)
    for roof in memory:
        end = min(highest / roof.value, high)
        _line(plot, (low, end), (low * roof.value, end * roof.value))
        _along(plot, roof, end)
    _points(plot, points, high, peaks)
    return figure, f"Roofline of {plain(case.id)}"


def _axes(plot: Axes) -> None:
    plot.grid(True)
    logarithmic(plot, "x")
    logarithmic(plot, "y", _with_prefix)


def _with_prefix(value: float) -> str:
    prefix, factor = units.rate_scale(value)
    return f"{value / factor:g} {prefix}".strip()


def _line(plot: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    plot.plot(x, y, color=INK, linewidth=1.8)


def _along(plot: Axes, roof: Ceiling, end: float) -> None:
    """The name of a memory roof, written along it."""
    bottom = plot.get_ylim()[0]
    start = max(plot.get_xlim()[0], bottom / roof.value)
    middle = math.sqrt(start * end)
    (x0, y0), (x1, y1) = plot.transData.transform([(start, start * roof.value), (end, end * roof.value)])
    plot.annotate(f"{plain(roof.name)}  {units.rate(roof.value, 'byte/s')}", (middle, middle * roof.value), (-5, 5),
                  textcoords="offset points", ha="center", va="bottom", fontsize=10, color=INK, rotation_mode="anchor",
                  rotation=math.degrees(math.atan2(y1 - y0, x1 - x0)))


def _points(plot: Axes, points: Sequence[SectionSummary], edge: float, peaks: Sequence[Ceiling]) -> None:
    """Marks coloured by kind, above every roof (impossible) in vermilion; names keep off each other and off peaks."""
    named = sorted(points, key=lambda section: -section.share)[:_LABELS]
    places = []
    for section in points:
        if section.intensity is None or section.flop_rate is None:
            continue
        infinite = not math.isfinite(section.intensity)
        x, y = edge / 1.12 if infinite else section.intensity, section.flop_rate
        above = any(item.binding and item.fraction > 1.0 for item in section.ceilings)
        plot.plot([x], [y], linestyle="", marker=">" if infinite else "o", markersize=8, markeredgecolor="white",
                  color=BAD if above else KIND.get(section.kind, MUTED), clip_on=False, zorder=3)
        if section in named:
            places.append((*plot.transData.transform((x, y)), section))
    right = plot.transData.transform((edge, 1.0))[0]
    taken = [(0.0, right, plot.transData.transform((edge, peak.value))[1] + 3) for peak in peaks]
    for x, y, section in sorted(places, key=lambda place: -place[1]):
        text = clip(plain(section.path), 30)
        length = 6.2 * len(text)
        left = x - 9 - length if x + 9 + length > right else x + 9
        line = y
        while any(abs(line - other) < _LINE and left < end and begin < left + length for begin, end, other in taken):
            line -= 2
        taken.append((left, left + length, line))
        plot.annotate(
            text, (x, y), (left, line), xycoords="figure pixels", textcoords="figure pixels", va="center", fontsize=10,
            color=INK, arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.6} if y - line > 8 else None,
        )
