"""Tables of records and counters of the processors, over all launches; tables are thinned to a size for the eye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from tenken.base.words import plural
from tenken.model.assessment import CountedRates, CountersAssessment, TableAssessment, TableCell
from tenken.model.check import Check
from tenken.model.limits import COUNTED_APART
from tenken.model.record import CountedSection, Record, Table
from tenken.model.run import Measured
from tenken.stats.robust import median

MOST_CELLS = 64  # of a side; of a larger matrix a cell stands for a block, by its worst
# Rows and columns of other forms.
MOST_SAMPLES = {"curves": (512, 16), "field": (128, 128), "ranks": (128, 128), "figures": (64, 32)}
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
    if any(table.values is None for table in tables):
        return _summary(tables)
    return _whole(tables) if tables[0].form == "matrix" else _sampled(tables)


def _whole(tables: Sequence[Table]) -> TableAssessment:
    first, middle = tables[0], _middle(tables)
    high = first.better == "higher"
    step = max(1, -(-max(middle.shape, default=0) // MOST_CELLS))
    finite = middle[np.isfinite(middle)]
    order = np.argsort(np.where(np.isfinite(middle), middle if high else -middle, np.inf), axis=None, kind="stable")
    places = [divmod(int(flat), len(first.columns)) for flat in order[: min(_WORST, finite.size)]]
    return TableAssessment(
        name=first.name, unit=first.unit, better=first.better, launches=len(tables), rows=first.rows[::step],
        columns=first.columns[::step], block=step, values=_blocks(middle, step, high),
        median=float(np.median(finite)) if finite.size else None,
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
    layers = np.array([[[np.nan if cell is None else cell for cell in row] for row in table.values or ()] for table in tables])
    return _median(layers.reshape(len(tables), len(tables[0].rows), len(tables[0].columns)))


def _median(layers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each cell over the launches that have it; values that are not finite count as missing."""
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
    """Of a table too large for its record: the part that the newest launch stored."""
    last = next(table for table in reversed(tables) if table.summary)
    table_summary = last.summary
    assert table_summary is not None
    return TableAssessment(
        name=last.name, unit=last.unit, better=last.better, launches=len(tables), rows=(), columns=(), block=0, values=(),
        median=table_summary.median,
        worst=tuple(
            TableCell(last.rows[cell.row], last.columns[cell.column], cell.value) for cell in table_summary.worst[:_WORST]
        ),
    )


def assess_counters(
    measured: Sequence[Measured], check: Check, uncached: bool, forbidden: bool
) -> CountersAssessment | None:
    """None where no launch had its counters on. `uncached`: the working set is far larger than the last cache.

    Of several launches the median of each rate; no rate where a wrong answer forbids it.
    """
    records = [each.record for each in measured if each.record.counters is not None]
    counting = [record for record in records if record.counters is not None and record.counters.problem is None]
    if not records:
        return None
    if not counting:
        last = records[-1].counters
        return CountersAssessment(problem=last.problem if last else None, notes=(), rows=())
    groups: dict[str, list[tuple[Record, CountedSection]]] = {}
    for record in counting:
        paths = {section.id: section.path for section in record.sections}
        for counted in record.counters.sections if record.counters else ():
            groups.setdefault(paths[counted.section], []).append((record, counted))
    rows = tuple(_rates(path, counts) for path, counts in groups.items()) if not forbidden else ()
    notes = _left_out(counting, groups)
    if uncached and not forbidden:
        notes += _apart(groups, _stated_from_memory(check, counting))
    return CountersAssessment(problem=None, notes=tuple(notes), rows=rows)


def _rates(path: str, rates: Sequence[tuple[Record, CountedSection]]) -> CountedRates:
    def of(rate: Callable[[Record, CountedSection], float | None]) -> float | None:
        values = [value for record, sums in rates if sums.samples and sums.ns and (value := rate(record, sums)) is not None]
        return median(values) if values else None

    def each_second(record: Record, counted: CountedSection, count: float | None) -> float | None:
        """`ns` is summed over the ranks, which work at the same time."""
        return None if count is None else count * record.ranks / (counted.ns * 1e-9)

    def lines(record: Record, count: int | None) -> float | None:
        return None if count is None or record.counters is None else float(count * record.counters.line_bytes)

    return CountedRates(
        path=path,
        samples=sum(counted.samples for _, counted in rates),
        dropped=sum(counted.dropped for _, counted in rates),
        flop_rate=of(lambda record, sums: each_second(record, sums, sums.flop) if sums.flop else None),
        instruction_rate=of(lambda record, sums: each_second(record, sums, sums.instructions)),
        instructions_per_cycle=of(
            lambda record, sums: sums.instructions / sums.cycles if sums.instructions is not None and sums.cycles else None),
        l2_miss_rate=of(lambda record, sums: each_second(record, sums, lines(record, sums.l2_misses))),
        last_level_miss_rate=of(lambda record, sums: each_second(record, sums, lines(record, sums.last_level_misses))),
        memory_rate=of(_memory_rate),
        busy=of(lambda record, sums: sums.processor_ns / (sums.ns * record.threads)),
    )


def _memory_rate(record: Record, counted: CountedSection) -> float | None:
    moved = _counted(record, counted)
    return None if moved is None else moved / (counted.ns * 1e-9 / counted.samples)


def _counted(record: Record, counted: CountedSection) -> float | None:
    """Bytes of memory in a sample, of all nodes."""
    if counted.memory_read is None or counted.memory_written is None or not counted.memory_samples or record.counters is None:
        return None
    return (counted.memory_read + counted.memory_written) / counted.memory_samples * record.counters.memory_ranks


def _left_out(counting: Sequence[Record], groups: dict[str, list[tuple[Record, CountedSection]]]) -> list[str]:
    notes = []
    every = [counted for counts in groups.values() for _, counted in counts]
    dropped = sum(counted.dropped for counted in every)
    if dropped:
        samples = dropped + sum(counted.samples for counted in every)
        notes.append(f"{dropped} of {plural(samples, 'sample')} are left out: their counters were not on all the time, "
                     "OpenMP started a new thread, or another sample lay inside")
    late = max((record.counters.late_threads for record in counting if record.counters), default=0)
    if late:
        notes.append(f"{plural(late, 'thread')} started during the timed part and {'are' if late > 1 else 'is'} not counted")
    problems = [record.counters.memory_problem for record in counting if record.counters and record.counters.memory_problem]
    if problems:
        notes.append(f"memory: {problems[-1]}")
    return notes


def _stated_from_memory(check: Check, counting: Sequence[Record]) -> frozenset[str]:
    """Paths of the sections whose stated bytes come from memory: a metric compares them with it."""
    stated = {metric.section for metric in check.metrics if metric.ceiling == "memory"}
    return frozenset(section.path for record in counting for section in record.sections if section.of in stated)


def _apart(groups: dict[str, list[tuple[Record, CountedSection]]], stated_from_memory: frozenset[str]) -> list[str]:
    """A plain store reads the line that it writes, so that memory moves up to the stated bytes and, again, those written."""
    notes = []
    for path, counts in groups.items():
        figures = [(moved, (counted.bytes_read + counted.bytes_written) / counted.samples * record.ranks,
                    counted.bytes_written / counted.samples * record.ranks)
                   for record, counted in counts if counted.samples and (moved := _counted(record, counted)) is not None]
        if path not in stated_from_memory or not figures:
            continue
        counted, stated, written = (median([figure[place] for figure in figures]) for place in range(3))
        if not stated * (1 - COUNTED_APART) <= counted <= (stated + written) * (1 + COUNTED_APART):
            with_allocate = f"; with write-allocate at most {stated + written:,.0f}" if written else ""
            notes.append(f"{path}: counted {counted:,.0f} bytes, stated {stated:,.0f}{with_allocate}")
    return notes
