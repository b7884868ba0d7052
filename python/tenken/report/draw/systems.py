"""Drawings of things side by side: percent of peak of systems and runs, and the quantities of two environments."""

from __future__ import annotations

from math import exp, log

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from tenken.model.comparison import Comparison
from tenken.model.machine import Cell, Systems
from tenken.report import compared
from tenken.report.draw.style import BAD, BLUE, FAINT, GRID, INK, MUTED, ORANGE, PURPLE, TEAL, canvas, drawn
from tenken.report.plain import clip, clip_middle, plain


# Ratios of the times of two environments with their intervals, a line a quantity.

_WIDTH, _ROW, _LETTERS, _MOST = 900, 17, 52, 60
_COLOURS, _MARKS = (BLUE, ORANGE, TEAL, PURPLE, BAD, MUTED), "os^Dvp"


def lines_drawn(systems: Systems) -> list[tuple[str, tuple[float | None, ...]]]:
    """Name and percentages by system of the first lines that two systems share."""
    found = []
    for block in systems.blocks:
        for line in block.lines:
            values = tuple(map(_percent, line.cells))
            if sum(one is not None for one in values) > 1:
                found.append((f"{plain(block.application)}   {plain(line.name)}", values))
    return found[:_MOST]


def _percent(cell: Cell | None) -> float | None:
    """As recomputed, else as printed; nothing that a logarithmic axis cannot show."""
    if cell is None:
        return None
    percent = cell.percent if cell.percent is not None else float(cell.percent_printed or 0)
    return percent if percent > 0 else None


@drawn
def percents(systems: Systems) -> tuple[Figure, str] | None:
    """Percent of peak on a logarithmic axis; None where no line has two."""
    rows = lines_drawn(systems)
    if not rows:
        return None
    figure, (plot,) = canvas(_WIDTH, _ROW * len(rows) + 84, 6.2 * _LETTERS + 12, 20, 44, 32)
    for place, (_, values) in enumerate(rows):
        known = [one for one in values if one is not None]
        plot.plot([min(known), max(known)], [place, place], color=GRID, linewidth=2, zorder=1)
    for number, name in enumerate(systems.names):
        points = [(values[number], place) for place, (_, values) in enumerate(rows) if values[number] is not None]
        if points:
            x, y = zip(*points, strict=True)
            colour, mark = _COLOURS[number % len(_COLOURS)], _MARKS[number % len(_MARKS)]
            plot.plot(x, y, mark, color=colour, markersize=5.5, label=clip(plain(name), 30), zorder=2)
    plot.set_xscale("log")
    plot.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    plot.set_yticks(range(len(rows)), [clip_middle(name, _LETTERS) for name, _ in rows], color=INK)
    plot.set(ylim=(len(rows) - 0.5, -0.5), xlabel="percent of peak (of a run: of its measured ceiling)")
    plot.grid(axis="x")
    figure.legend(loc="upper right", ncols=len(systems.names), frameon=False)
    plot.spines["left"].set_visible(False)
    return figure, "Percent of peak of each line, by system"


_FOREST_WIDTH, _FOREST_ROW, _FOREST_MOST, _FOREST_LETTERS = 900, 19, 40, 56
_FOREST_COLOURS = {"slower": BAD, "faster": TEAL, "alike": BLUE, "seems slower": ORANGE}
_WIDEST = log(4.0)  # beyond, an interval is cut: a quantity without power must not flatten all others


@drawn
def forest(comparison: Comparison) -> tuple[Figure, str] | None:
    """The times and rates nearest to being slower, worst first."""
    rows = [
        (case.id, paired) for case in comparison.cases for paired in case.quantities if compared.is_time(paired)
    ]
    rows.sort(key=lambda row: (row[1].word != "slower", row[1].word != "seems slower", -log(row[1].ratio)))
    rows = rows[:_FOREST_MOST]
    if not rows:
        return None
    reach = min(max(max(abs(log(end)) for end in (*paired.interval, paired.ratio)) for _, paired in rows), _WIDEST) * 1.08
    figure, (plot,) = canvas(_FOREST_WIDTH, _FOREST_ROW * len(rows) + 62, 6.2 * _FOREST_LETTERS + 12, 20, 44, 12)
    for row, (_, one) in enumerate(rows):
        least = log(1.0 + one.least)
        plot.barh(row, 2 * least, left=-least, height=0.8, color=GRID)
        low, high = (max(-reach, min(reach, log(end))) for end in one.interval)
        colour = _FOREST_COLOURS.get(one.word, MUTED)
        plot.plot([low, high], [row, row], color=colour, linewidth=2.2, solid_capstyle="butt")
        plot.plot(max(-reach, min(reach, log(one.ratio))), row, "o", color=colour, markersize=5)
    plot.axvline(0, color=FAINT, linewidth=1, zorder=0)
    names = [clip(f"{plain(case_id)}   {compared.name(paired)}", _FOREST_LETTERS) for case_id, paired in rows]
    plot.set_yticks(range(len(rows)), names, color=INK)
    plot.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{exp(x):.3g}"))
    plot.xaxis.set_minor_locator(NullLocator())
    plot.set(xlim=(-reach, reach), ylim=(len(rows) - 0.5, -0.5), xlabel="time of B over time of A")
    plot.spines["left"].set_visible(False)
    return figure, "Time of B over time of A of each quantity"
