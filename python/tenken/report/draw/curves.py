"""Recorded columns over the numbers of their rows: a panel each, the exact values dashed over the computed ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.assessment import TableAssessment
from tenken.report.draw.scale import Scale, scale_of
from tenken.report.draw.style import FAINT, INK, canvas, drawn
from tenken.report.plain import clip, plain

EXACT = "exact_"  # column exact_X is drawn over column X
_PANELS, _HEIGHT, _GAP = 6, 104.0, 26.0
_BROAD = "#7fb0d3"  # under the dashes; apart from them in grey, too
_QUANTITIES = {"t": "time"}
Column = Sequence[float | None]


def exact_of(table: TableAssessment) -> dict[str, str]:
    """Column -> the column of its exact values, where the table has them."""
    return {name: EXACT + name for name in table.columns if EXACT + name in table.columns}


def difference(computed: Column, exact: Column) -> float | None:
    """Relative L2 of the rows that have both; None where the exact values vanish or a row lacks them."""
    pairs = [(a, b) for a, b in zip(computed, exact, strict=True) if a is not None and b is not None]
    norm = sum(b * b for _, b in pairs)
    return sqrt(sum((a - b) ** 2 for a, b in pairs) / norm) if norm > 0 and len(pairs) == len(computed) else None


@drawn
def curves(table: TableAssessment) -> tuple[Figure, str] | None:
    """At most six panels; None where rows state no numbers or nothing has a figure."""
    scale, exact = scale_of(table.rows), exact_of(table)
    columns = {name: [row[index] for row in table.values] for index, name in enumerate(table.columns)}
    shown = [name for name in columns if name not in exact.values() and any(cell is not None for cell in columns[name])]
    shown = shown[:_PANELS]
    if scale is None or not shown:
        return None
    name = plain(table.name).replace("_", " ")
    unit = "" if table.unit == "1" else f"  ({plain(table.unit)})"
    figure, plots = canvas(720, 74 + len(shown) * (_HEIGHT + _GAP), 66, 14, 42, 32, len(shown), _GAP)
    for number, (plot, column) in enumerate(zip(plots, shown, strict=True)):
        title = f"{name}{unit}: {clip(plain(column), 24)}" if number == 0 else clip(plain(column), 24)
        _panel(plot, scale, title, columns[column], columns.get(exact.get(column, "")))
        plot.label_outer()
    axis = _QUANTITIES.get(scale.name, plain(scale.name))
    plots[-1].set_xlabel(f"{axis} ({plain(scale.unit)})" if scale.unit else axis)
    return figure, f"{name} against {axis}: {', '.join(map(plain, shown))}"


def _panel(plot: Axes, scale: Scale, title: str, computed: Column, exact: Column | None) -> None:
    _line(plot, scale, computed, _BROAD, "-", 4.0)
    if exact is not None:
        _line(plot, scale, exact, INK, (0, (4, 3)), 1.2)
        off = difference(computed, exact)
        title += f", computed and exact differ by {units.percent(off)} (relative L2)" if off is not None else ""
    plot.set_title(title, loc="left", color=INK, pad=4)
    plot.margins(x=0)
    plot.locator_params(axis="y", nbins=4)
    plot.yaxis.set_major_formatter(lambda value, _: units.number(value, 3))
    plot.grid(True)
    plot.spines["left"].set_color(FAINT)


def _line(plot: Axes, scale: Scale, column: Column, colour: str, dashes: object, width: float) -> None:
    points = [(x, y) for x, y in zip(scale.numbers, column, strict=True) if y is not None]
    plot.plot([x for x, _ in points], [y for _, y in points], color=colour, linestyle=dashes, linewidth=width)
