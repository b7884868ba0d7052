"""Tables that programs record of ranks and of repetitions, for the judges of checks of files."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tenken.base.phrases import percent
from tenken.model.assessment import AxisResult
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

MOST_SPREAD = 0.30  # (largest - least) / median over repetitions: beyond this spread a median is no figure


def rows_of_ranks(record: Record, name: str) -> Iterator[tuple[str, int, list[float]]]:
    """Host, rank and figures of a table whose rows are HOST/RANK; rows that lack a figure are passed over."""
    for table in (table for table in record.tables if table.name == name and table.values is not None):
        for label, row in zip(table.rows, table.values or (), strict=True):
            host, _, rank = label.rpartition("/")
            if rank.isascii() and rank.isdigit() and None not in row:
                yield host, int(rank), [float(value) for value in row if value is not None]


def steadiness_of_rates(measured: tuple[Measured, ...], name: str, rows: str) -> AxisResult:
    """Steadiness by the rates of the table `name`, over the repetitions of all launches: a column each, of which the column
    with the largest spread counts. `rows`: what the reason ends with."""
    rates: dict[str, list[float]] = {}
    for each in measured:
        for table in (table for table in each.record.tables if table.name == name and table.values):
            for row in table.values or ():
                for column, rate in zip(table.columns, row, strict=True):
                    if rate is not None and rate > 0:
                        rates.setdefault(column, []).append(rate)
    spreads = [((max(of) - min(of)) / median(of), column) for column, of in rates.items() if len(of) > 1]
    if not spreads:
        return AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, f"fewer than two repetitions; {rows}", ground=True)
    worst, column = max(spreads)
    differ = f"repetitions of {column} differ by {percent(worst)} of their median"
    if worst > MOST_SPREAD:
        reason = f"{differ}, and at most {percent(MOST_SPREAD)} make a figure; {rows}"
        return AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, reason, ground=True)
    return AxisResult(Axis.STEADINESS, Verdict.OK, f"{differ}; {rows}")
