"""Tables that programs record of ranks and of repetitions, for the judges of checks of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from tenken.base.phrases import percent
from tenken.model.assessment import AxisResult
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

LATE_SHARE = 0.15  # of the calls of a rank: a planted fault makes 20 % late, a quiet system none
MOST_NAMED = 4  # ranks
MOST_SPREAD = 0.30  # (largest - least) / median over repetitions: beyond this spread a median is no figure


def rows_of_ranks(record: Record, name: str) -> Iterator[tuple[str, int, list[float]]]:
    """Host, rank and figures of a table whose rows are HOST/RANK; rows that lack a figure are passed over."""
    for table in (table for table in record.tables if table.name == name and table.values is not None):
        for label, row in zip(table.rows, table.values or (), strict=True):
            host, _, rank = label.rpartition("/")
            if rank.isascii() and rank.isdigit() and None not in row:
                yield host, int(rank), [float(value) for value in row if value is not None]


@dataclass(frozen=True)
class LateCalls:
    """Calls of one kind of a rank in a launch: their number, the late calls, and the longest call with its place."""

    kind: str  # "write"
    calls: float
    late: float
    longest_ms: float
    at: int


@dataclass(frozen=True)
class OftenLate:
    """Late calls of a rank in every launch: median share, and the longest call of all launches with its place."""

    host: str
    rank: int
    kind: str
    share: float
    longest_ms: float
    at: int


def often_late(
    measured: Sequence[Measured], name: str, calls_of: Callable[[list[float]], Iterable[LateCalls]],
) -> list[OftenLate]:
    """Ranks with a share of late calls above LATE_SHARE in every launch, the largest share first, at most MOST_NAMED.

    `name`: of the table of ranks. `calls_of`: the kinds of calls of one of its rows.
    """
    seen: dict[tuple[str, int, str], list[LateCalls]] = {}
    for each in measured:
        for host, rank, row in rows_of_ranks(each.record, name):
            for calls in calls_of(row):
                if calls.calls > 0 and calls.late / calls.calls > LATE_SHARE:
                    seen.setdefault((host, rank, calls.kind), []).append(calls)
    often = []
    for (host, rank, kind), launches in seen.items():
        if len(launches) == len(measured):
            longest = max(launches, key=lambda one: one.longest_ms)
            share = median(one.late / one.calls for one in launches)
            often.append(OftenLate(host, rank, kind, share, longest.longest_ms, longest.at))
    return sorted(often, key=lambda one: (-one.share, one.host, one.rank, one.kind))[:MOST_NAMED]


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
