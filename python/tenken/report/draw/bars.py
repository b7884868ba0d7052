"""Bars: how much of its ceiling each section reaches, and how long each rank takes."""

from __future__ import annotations

from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.assessment import CaseAssessment, SectionSummary
from tenken.report.draw import thin
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
