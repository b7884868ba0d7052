"""A matrix of figures as shaded cells: light where good, dark where bad, with the figures in them where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.figure import Figure

from tenken.base import units
from tenken.report.draw.style import BAD, FAINT, INK, MUTED, canvas, drawn
from tenken.report.plain import clip, plain

SHADES = LinearSegmentedColormap.from_list("shades", ["#dce8f0", "#8fb3cc", "#1d4766"])  # by lightness: prints in grey
_ALIKE = 0.02  # cells that differ less have the same shade: noise is no pattern
_WIDE = 30.0  # greatest over least from which shades go by ratio
_DARK = 0.55  # shade from which text is white
_LABELS, _LETTERS = 32, 16  # most labels of a side, and letters of a label
_CELL_WIDTH, _CELL_HEIGHT, _ROOM = (8.0, 74.0), (8.0, 30.0), (46.0, 16.0)  # pixels: least and most; for a figure
_BAR = 92  # pixels right of the cells, for the scale


@dataclass(frozen=True, slots=True)
class Matrix:
    title: str
    unit: str
    better: str  # higher | lower
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]  # of each row; None: nothing was measured
    row_name: str = ""
    column_name: str = ""
    signs: dict[tuple[int, int], str] = field(default_factory=dict)  # (row, column) -> the text after its figure
    wrong: frozenset[tuple[int, int]] = frozenset()  # cells that get a cross


@drawn
def matrix(shown: Matrix, width: float = 760) -> tuple[Figure, str] | None:
    """Cells of `shown` in at most about `width` pixels; None where none has a figure."""
    values = np.array([[np.nan if cell is None else cell for cell in row] for row in shown.values], dtype=float)
    if not np.isfinite(values).any():
        return None
    rows, columns = values.shape
    labels = [clip(plain(name), _LETTERS) for name in shown.columns]
    left = 24 + 6.2 * max(len(clip(plain(name), _LETTERS)) for name in shown.rows) + (16 if shown.row_name else 0)
    cell = min(max((width - left - _BAR) / columns, _CELL_WIDTH[0]), _CELL_WIDTH[1])
    height = min(max(520 / rows, _CELL_HEIGHT[0]), _CELL_HEIGHT[1])
    turned = max(map(len, labels)) * 6.2 > cell * max(1, ceil(columns / _LABELS)) - 4
    bottom = (16 + 5.2 * max(map(len, labels)) if turned else 24) + (18 if shown.column_name else 0)
    body = max(height * rows, 60.0)
    total = max(left + cell * columns + _BAR, 7.0 * len(shown.title) + left)
    figure, (plot,) = canvas(total, body + bottom + 34, left, total - left - cell * columns, bottom, 34)
    norm = _norm(values)
    colours = SHADES if shown.better == "lower" else SHADES.reversed()
    plot.set_facecolor("white")
    line = 0.6 if rows < 40 else 0.2
    plot.pcolormesh(np.ma.masked_invalid(values), cmap=colours, norm=norm, edgecolors="white", linewidth=line)
    if cell >= _ROOM[0] and height >= _ROOM[1]:
        _figures(plot, shown, values, norm)
    for row, column in shown.wrong:
        plot.plot([column + 0.5], [row + 0.5], "x", color=BAD, markersize=8, markeredgewidth=2)
    _frame(plot, shown, labels, turned)
    _scale(plot, shown, norm, columns, rows, 10 / cell)
    plot.set_title(shown.title, loc="left", color=INK, pad=10, fontsize=12)
    return figure, f"{shown.title}: {rows} rows and {columns} columns, dark where bad"


def _norm(values: np.ndarray) -> Normalize:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if low > 0 and high > _WIDE * low:
        return LogNorm(low, high)
    middle, room = (low + high) / 2, _ALIKE * max(abs(low), abs(high))
    return Normalize(min(low, middle - room), max(high, middle + room))


def _figures(plot: Axes, shown: Matrix, values: np.ndarray, norm: Normalize) -> None:
    for (row, column), value in np.ndenumerate(values):
        if not np.isfinite(value):
            continue
        shade = float(norm(value)) if shown.better == "lower" else 1 - float(norm(value))
        plot.text(column + 0.5, row + 0.5, units.number(value, 3) + shown.signs.get((row, column), ""), ha="center", va="center",
                  fontsize=9.5, color="white" if shade > _DARK else INK)


def _frame(plot: Axes, shown: Matrix, labels: Sequence[str], turned: bool) -> None:
    plot.set(xlim=(0, len(labels)), ylim=(len(shown.rows), 0))
    every = [max(1, ceil(count / _LABELS)) for count in (len(labels), len(shown.rows))]
    plot.set_xticks([place + 0.5 for place in range(0, len(labels), every[0])], labels[::every[0]], fontsize=9,
                    rotation=60 if turned else 0, ha="right" if turned else "center", rotation_mode="anchor")
    names = [clip(plain(name), _LETTERS) for name in shown.rows]
    plot.set_yticks([place + 0.5 for place in range(0, len(names), every[1])], names[::every[1]], fontsize=9)
    plot.set_xlabel(shown.column_name)
    plot.set_ylabel(shown.row_name)
    for spine in plot.spines.values():
        spine.set_visible(False)


def _scale(plot: Axes, shown: Matrix, norm: Normalize, columns: int, rows: int, gap: float) -> None:
    """A bar of shades beside the cells, the good end on top, with the figures of both ends."""
    place = plot.inset_axes((columns + gap, 0, gap, rows), transform=plot.transData)
    shades = np.linspace(1, 0, 33)[:, None]  # the dark end at the bottom
    place.pcolormesh(shades, cmap=SHADES, vmin=0, vmax=1)
    place.set_xticks([])
    worst, best = (norm.vmax, norm.vmin) if shown.better == "lower" else (norm.vmin, norm.vmax)
    place.yaxis.tick_right()
    place.set_yticks([0, 33], [units.number(worst, 3), units.number(best, 3)], fontsize=9, color=MUTED)
    for spine in place.spines.values():
        spine.set_color(FAINT)
