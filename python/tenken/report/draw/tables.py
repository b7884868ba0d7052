"""Tables that a case recorded: matrices, such as a figure for each pair of ranks, curves, and planes of a field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
import numpy as np
from numpy.typing import NDArray

from tenken.base import units
from tenken.model.assessment import CaseAssessment, TableAssessment
from tenken.report.draw.axis import logarithmic, spans_decades
from tenken.report.draw.labels import apart
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.draw.style import BAD, BLUE, FAINT, INK, MUTED, ORANGE, PURPLE, TEAL, canvas, drawn
from tenken.report.plain import clip, plain

_COLOURS = (BLUE, ORANGE, TEAL, PURPLE)
_ABREAST = 8  # columns of figures on a page


def tables(case: CaseAssessment) -> list[tuple[TableAssessment, str]]:
    """Each table with its drawing, "" where its record has no cells and of figures, which the page has as text. Places of
    ranks are drawn by `rank_map`."""
    return [(_upright(table), _drawn(table)) for table in case.tables if table.form != "ranks"]


def _upright(table: TableAssessment) -> TableAssessment:
    """Figures in more columns than a page is wide become rows."""
    if table.form != "figures" or len(table.columns) <= max(_ABREAST, len(table.rows)):
        return table
    return replace(table, rows=table.columns, columns=table.rows, values=tuple(zip(*table.values, strict=True)))


def _drawn(table: TableAssessment) -> str:
    if not table.values or table.form == "figures":
        return ""
    if table.form in _FORMS:
        return _FORMS[table.form](table)
    if table.iterations:
        return _curves(table)
    title = f"{plain(table.name)}  ({plain(table.unit)})"
    side = max(len(table.rows), len(table.columns))
    return matrix(Matrix(title, table.unit, table.better, table.rows, table.columns, table.values), 420 if side < 12 else 760)


@drawn
def _curves(table: TableAssessment) -> tuple[Figure, str] | None:
    """A line for each column over the iterations; a logarithmic axis where decades are spanned."""
    found = [value for row in table.values for value in row if value is not None]
    if not found:
        return None
    names = [clip(plain(column), 24) for column in table.columns]
    several = len(names) > 1
    figure, (plot,) = canvas(640, 260, 62, 16 + 6 * max(map(len, names)) * several, 40, 30)
    if spans_decades(found):
        plot.set_ylim(min(found) / 1.3, 1.3 * max(found))
        logarithmic(plot, "y")
    else:
        plot.set_ylim(min(0.0, *found), 1.08 * max(found))
        plot.yaxis.set_major_formatter(lambda value, _: units.number(value, 3))
    ends = []
    for column, name in enumerate(names):
        points = [(x, row[column]) for x, row in zip(table.iterations, table.values, strict=True) if row[column] is not None]
        colour = _COLOURS[column % len(_COLOURS)]
        plot.plot([x for x, _ in points], [y for _, y in points], color=colour, marker="o", markersize=2.5, linewidth=1.4)
        ends += [(*points[-1], name, colour)] if points and several else []
    right, top = plot.transAxes.transform((1, 1))
    heights = apart([plot.transData.transform((x, y))[1] for x, y, *_ in ends], 14, plot.transAxes.transform((0, 0))[1], top)
    for (x, y, name, colour), height in zip(ends, heights, strict=True):
        plot.annotate(name, (x, y), (right + 8, height), textcoords="figure pixels", va="center", color=colour,
                      annotation_clip=False)
    what = plain(table.name).replace("_", " ") + ("" if several else f": {names[0]}") + (
        "" if table.unit == "1" else f"  ({plain(table.unit)})")
    plot.set_title(what, loc="left", color=INK, pad=8)
    plot.set_xlabel("iteration")
    plot.grid(True)
    plot.spines["left"].set_color(FAINT)
    return figure, f"{what} against the iteration"


# Recorded columns over the numbers of their rows: a panel each, the exact values dashed over the computed ones.

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


# A plane of a signed field as an image: white where zero, blue below, vermilion above.

SIGNED = LinearSegmentedColormap.from_list("signed", ["#1d4766", "#8fb3cc", "#ffffff", "#f0b48c", BAD])
_LONGER, _LEAST = 420.0, 60.0  # pixels of the longer side of the plane; of the shorter at least
_LEFT, _RIGHT, _BOTTOM, _TOP = 62.0, 110.0, 42.0, 34.0


def greatest(table: TableAssessment) -> float | None:
    """Of the sizes of all values, the full shade of both colours; None where the plane has no value."""
    return max((abs(cell) for row in table.values for cell in row if cell is not None), default=None)


@drawn
def field(table: TableAssessment) -> tuple[Figure, str] | None:
    """The plane in equal scale of both sides; None where labels state no numbers or nothing has a figure."""
    down, across, most = scale_of(table.rows), scale_of(table.columns), greatest(table)
    if down is None or across is None or most is None:
        return None
    most = most or 1.0
    left, right = _ends(across)
    top, bottom = _ends(down)
    pixels = _LONGER / max(right - left, bottom - top)
    width, height = (max(pixels * side, _LEAST) for side in (right - left, bottom - top))
    figure, (plot,) = canvas(width + _LEFT + _RIGHT, height + _BOTTOM + _TOP, _LEFT, _RIGHT, _BOTTOM, _TOP)
    plot.imshow(_cells(table), cmap=SIGNED, vmin=-most, vmax=most, extent=(left, right, bottom, top), aspect="auto",
                interpolation="none")
    bar = plot.inset_axes((1 + 14 / width, 0, 12 / width, 1))
    bar.imshow(np.linspace(1, -1, 101)[:, None], cmap=SIGNED, vmin=-1, vmax=1, extent=(0, 1, -1, 1), aspect="auto",
               interpolation="none")
    bar.set_xticks([])
    bar.yaxis.tick_right()
    bar.set_yticks([-1, 0, 1], [units.number(-most, 3), "0", units.number(most, 3)], fontsize=9, color=MUTED)
    for spine in (*plot.spines.values(), *bar.spines.values()):
        spine.set_visible(True)
        spine.set_color(FAINT)
    for name, scale in ((plot.set_xlabel, across), (plot.set_ylabel, down)):
        name(f"{plain(scale.name)} ({plain(scale.unit)})" if scale.unit else plain(scale.name))
    what = plain(table.name).replace("_", " ")
    plot.set_title(f"{what}  ({plain(table.unit)})", loc="left", color=INK, pad=8)
    return figure, f"{what} on a plane, {len(table.rows)} x {len(table.columns)} values"


def _ends(scale: Scale) -> tuple[float, float]:
    """First and last number, with half a cell on both sides."""
    first, last = scale.numbers[0], scale.numbers[-1]
    half = (last - first) / (len(scale.numbers) - 1) / 2 if len(scale.numbers) > 1 and last != first else 0.5
    return first - half, last + half


def _cells(table: TableAssessment) -> NDArray[np.float64]:
    return np.array([[np.nan if cell is None else cell for cell in row] for row in table.values], dtype=float)


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers that labels state, alike in name and unit: "z 0.25 km" is 0.25 of z in km."""

    name: str
    unit: str
    numbers: tuple[float, ...]  # as many as labels


def scale_of(labels: Sequence[str]) -> Scale | None:
    """None where a label is no "NAME NUMBER[ UNIT]", or name and unit differ."""
    words = [label.split(" ") for label in labels]
    if not words or any(len(each) not in (2, 3) or [each[0], *each[2:]] != [words[0][0], *words[0][2:]] for each in words):
        return None
    try:
        numbers = tuple(float(each[1]) for each in words)
    except ValueError:
        return None
    return Scale(words[0][0], "".join(words[0][2:]), numbers) if all(map(isfinite, numbers)) else None


_FORMS = {"curves": curves, "field": field}
