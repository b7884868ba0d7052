"""Tables that a case recorded: matrices, such as a figure for each pair of ranks, curves, and planes of a field."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from tenken.base import units
from tenken.model.assessment import CaseAssessment, TableAssessment
from tenken.report.draw.axis import logarithmic, spans_decades
from tenken.report.draw.curves import curves
from tenken.report.draw.field import field
from tenken.report.draw.labels import apart
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.draw.style import BLUE, FAINT, INK, ORANGE, PURPLE, TEAL, canvas, drawn
from tenken.report.plain import clip, plain

_COLOURS = (BLUE, ORANGE, TEAL, PURPLE)
_ABREAST = 8  # columns of figures on a page
_FORMS = {"curves": curves, "field": field}


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
