"""A plane of a signed field as an image: white where zero, blue below, vermilion above."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tenken.base import units
from tenken.model.assessment import TableAssessment
from tenken.report.draw.scale import Scale, scale_of
from tenken.report.draw.style import BAD, FAINT, INK, MUTED, canvas, drawn
from tenken.report.plain import plain

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
