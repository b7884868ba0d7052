"""Percent of peak of every line that two systems or runs share, a line of dots each."""

from __future__ import annotations

from matplotlib.figure import Figure

from tenken.model.systems import Cell, Systems
from tenken.report.draw.style import BAD, BLUE, GRID, INK, MUTED, ORANGE, PURPLE, TEAL, canvas, drawn
from tenken.report.plain import clip, clip_middle, plain

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
