"""Ratios of the times of two environments with their intervals, a line a quantity."""

from __future__ import annotations

from math import exp, log

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from tenken.model.comparison import Comparison
from tenken.report import compared
from tenken.report.draw.style import BAD, BLUE, FAINT, GRID, INK, MUTED, ORANGE, TEAL, canvas, drawn
from tenken.report.plain import clip, plain

_WIDTH, _ROW, _MOST, _LETTERS = 900, 19, 40, 56
_COLOURS = {"slower": BAD, "faster": TEAL, "alike": BLUE, "seems slower": ORANGE}
_WIDEST = log(4.0)  # beyond, an interval is cut: a quantity without power must not flatten all others


@drawn
def forest(comparison: Comparison) -> tuple[Figure, str] | None:
    """The times and rates nearest to being slower, worst first."""
    rows = [
        (case.id, paired) for case in comparison.cases for paired in case.quantities if compared.is_time(paired)
    ]
    rows.sort(key=lambda row: (row[1].word != "slower", row[1].word != "seems slower", -log(row[1].ratio)))
    rows = rows[:_MOST]
    if not rows:
        return None
    reach = min(max(max(abs(log(end)) for end in (*paired.interval, paired.ratio)) for _, paired in rows), _WIDEST) * 1.08
    figure, (plot,) = canvas(_WIDTH, _ROW * len(rows) + 62, 6.2 * _LETTERS + 12, 20, 44, 12)
    for row, (_, one) in enumerate(rows):
        least = log(1.0 + one.least)
        plot.barh(row, 2 * least, left=-least, height=0.8, color=GRID)
        low, high = (max(-reach, min(reach, log(end))) for end in one.interval)
        colour = _COLOURS.get(one.word, MUTED)
        plot.plot([low, high], [row, row], color=colour, linewidth=2.2, solid_capstyle="butt")
        plot.plot(max(-reach, min(reach, log(one.ratio))), row, "o", color=colour, markersize=5)
    plot.axvline(0, color=FAINT, linewidth=1, zorder=0)
    names = [clip(f"{plain(case_id)}   {compared.name(paired)}", _LETTERS) for case_id, paired in rows]
    plot.set_yticks(range(len(rows)), names, color=INK)
    plot.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{exp(x):.3g}"))
    plot.xaxis.set_minor_locator(NullLocator())
    plot.set(xlim=(-reach, reach), ylim=(len(rows) - 0.5, -0.5), xlabel="time of B over time of A")
    plot.spines["left"].set_visible(False)
    return figure, "Time of B over time of A of each quantity"
