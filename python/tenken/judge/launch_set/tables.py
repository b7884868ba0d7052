"""Tables of records over all launches, thinned to what can be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from tenken.model.assessment import TableAssessment, TableCell
from tenken.model.record import Table
from tenken.model.run import Measured

MOST_CELLS = 64  # of a side; of a larger matrix a cell stands for a block, by its worst
MOST_SAMPLES = {"curves": (512, 16), "field": (128, 128), "ranks": (128, 128)}  # rows and columns of other forms
_WORST = 5
_ANSWERS = ("curves", "field")  # forms that show the answer itself


def assess_tables(measured: Sequence[Measured], wrong: bool = False) -> tuple[TableAssessment, ...]:
    """Each table that launches wrote alike; of several launches the median of each cell.

    Of a wrong answer only its curves and fields, which show the error; never a figure of speed.
    """
    groups: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[Table]] = {}
    for table in (table for each in measured for table in each.record.tables):
        if wrong and table.form not in _ANSWERS:
            continue
        groups.setdefault((table.name, table.form, table.rows, table.columns), []).append(table)
    return tuple(map(_assessed, groups.values()))


def _assessed(tables: Sequence[Table]) -> TableAssessment:
    if any(one.values is None for one in tables):
        return _summary(tables)
    return _whole(tables) if tables[0].form == "matrix" else _sampled(tables)


def _whole(tables: Sequence[Table]) -> TableAssessment:
    first, middle = tables[0], _middle(tables)
    high = first.better == "higher"
    step = max(1, -(-max(middle.shape, default=0) // MOST_CELLS))
    found = middle[np.isfinite(middle)]
    order = np.argsort(np.where(np.isfinite(middle), middle if high else -middle, np.inf), axis=None, kind="stable")
    places = [divmod(int(flat), len(first.columns)) for flat in order[: min(_WORST, found.size)]]
    return TableAssessment(
        name=first.name, unit=first.unit, better=first.better, launches=len(tables), rows=first.rows[::step],
        columns=first.columns[::step], block=step, values=_blocks(middle, step, high),
        median=float(np.median(found)) if found.size else None,
        worst=tuple(TableCell(first.rows[row], first.columns[column], float(middle[row, column])) for row, column in places),
    )


def _sampled(tables: Sequence[Table]) -> TableAssessment:
    """Every n-th row and column: signed values and places have no worst."""
    first = tables[0]
    sides = zip((len(first.rows), len(first.columns)), MOST_SAMPLES[first.form], strict=True)
    down, across = (max(1, -(-count // most)) for count, most in sides)
    cells = _middle(tables)[::down, ::across]
    return TableAssessment(
        name=first.name, unit=first.unit, better=first.better, launches=len(tables), rows=first.rows[::down],
        columns=first.columns[::across], block=down, median=None, worst=(), form=first.form,
        values=tuple(tuple(float(cell) if isfinite(cell) else None for cell in row) for row in cells),
    )


def _middle(tables: Sequence[Table]) -> NDArray[np.float64]:
    layers = np.array([[[np.nan if cell is None else cell for cell in row] for row in one.values or ()] for one in tables])
    return _median(layers.reshape(len(tables), len(tables[0].rows), len(tables[0].columns)))


def _median(layers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each cell over the launches that have it; what is not finite counts as missing."""
    layers = np.where(np.isfinite(layers), layers, np.nan)
    result = np.full(layers.shape[1:], np.nan)
    known = np.isfinite(layers).any(axis=0)
    result[known] = np.nanmedian(layers[:, known], axis=0)
    return result


def _blocks(values: NDArray[np.float64], step: int, high: bool) -> tuple[tuple[float | None, ...], ...]:
    """The worst cell of each block of `step` x `step`."""
    worst = np.fmin.reduceat if high else np.fmax.reduceat
    rows = worst(values, range(0, values.shape[0], step), axis=0) if values.size else values
    cells = worst(rows, range(0, values.shape[1], step), axis=1) if values.size else values
    return tuple(tuple(float(cell) if isfinite(cell) else None for cell in row) for row in cells)


def _summary(tables: Sequence[Table]) -> TableAssessment:
    """Of a table too large for its record: what the newest launch kept of it."""
    last = next(one for one in reversed(tables) if one.summary)
    kept = last.summary
    assert kept is not None
    return TableAssessment(
        name=last.name, unit=last.unit, better=last.better, launches=len(tables), rows=(), columns=(), block=0, values=(),
        median=kept.median,
        worst=tuple(TableCell(last.rows[one.row], last.columns[one.column], one.value) for one in kept.worst[:_WORST]),
    )
