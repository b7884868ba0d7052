"""Tables that programs record of ranks and of repetitions, for the judges of checks of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from tenken.base.words import digits, percent
from tenken.model.assessment import AxisResult
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

LATE_SHARE = 0.15  # of the calls of a rank: a planted fault makes 20 % late, a quiet system none
MOST_NAMED = 4  # ranks
MOST_IMBALANCE = 1.5  # time of a rank in calls on files over the median of the other ranks
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
    """Calls of a kind of a rank in a launch: their number, the late calls, and the longest call with its place."""

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

    def sentence(self, calls: str, place: str) -> str:
        """`calls`: as the check names them. `place`: of the longest call."""
        return (f"{percent(self.share)} of the {self.kind} {calls} of rank {self.rank} on {self.host} were late, "
                f"expected at most {percent(LATE_SHARE)}; the longest took {digits(self.longest_ms)} ms, {place}")


def often_late(
    measured: Sequence[Measured], name: str, calls_of: Callable[[list[float]], Iterable[LateCalls]],
) -> list[OftenLate]:
    """Ranks with a share of late calls above LATE_SHARE in every launch, the largest share first, at most MOST_NAMED.

    `name`: of the table of ranks. `calls_of`: the kinds of calls of a row of it.
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
            longest = max(launches, key=lambda late_calls: late_calls.longest_ms)
            share = median(late_calls.late / late_calls.calls for late_calls in launches)
            often.append(OftenLate(host, rank, kind, share, longest.longest_ms, longest.at))
    return sorted(often, key=lambda calls: (-calls.share, calls.host, calls.rank, calls.kind))[:MOST_NAMED]


@dataclass(frozen=True)
class SlowRank:
    """A rank that needs more time in calls on files than the others in every launch: the median ratio."""

    host: str
    rank: int
    over_others: float

    @property
    def sentence(self) -> str:
        return (f"rank {self.rank} on {self.host} needs {digits(self.over_others)} times the time of the others in calls on "
                f"files, expected at most {digits(MOST_IMBALANCE)}")


def balance_of_ranks(measured: Sequence[Measured]) -> tuple[AxisResult | None, list[SlowRank]]:
    """Balance by the time of a repetition that a rank spends in sections of kind io which all ranks have.

    Sections are not compared singly: the file system serialises calls, and a rank that waits in a section does not in the next.
    None where the record has no samples of each rank: then the general rule judges.
    """
    if all(each.record.ranks < 2 for each in measured):
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "a single rank cannot be compared"), []
    if any(each.record.summaries for each in measured):
        return None, []
    ratios: dict[tuple[str, int], list[float]] = {}
    for each in measured:
        hosts = {rank.rank: rank.host for rank in each.record.rank}
        times = _io_times(each.record)
        for rank, time in times.items():
            others = median(other for peer, other in times.items() if peer != rank)
            ratios.setdefault((hosts.get(rank, "?"), rank), []).append(time / others if others > 0 else 1.0)
    if not ratios:
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "no section of all ranks has calls on files"), []
    slow = [SlowRank(host, rank, median(of)) for (host, rank), of in ratios.items()
            if len(of) == len(measured) and min(of) > MOST_IMBALANCE]
    slow = sorted(slow, key=lambda slow_rank: (-slow_rank.over_others, slow_rank.rank))[:MOST_NAMED]
    worst = max(median(of) for of in ratios.values())
    reason = f"no rank needs more than {digits(worst)} times the time of the others in calls on files"
    if slow:
        reason = slow[0].sentence
    return AxisResult(Axis.BALANCE, Verdict.WARN if slow else Verdict.OK, reason), slow


def _io_times(record: Record) -> dict[int, float]:
    """ns of each rank in a median repetition."""
    kinds = {section.id: section.kind for section in record.sections if section.leaf}
    of_all = {section for section in kinds if kinds[section] == "io"
              and len({series.rank for series in record.series if series.section == section}) == record.ranks}
    by_repetition: dict[int, dict[int, float]] = {}
    for series in record.series:
        if series.section in of_all:
            times = by_repetition.setdefault(series.rank, {})
            for repetition, ns in zip(series.repetition, series.ns, strict=True):
                if repetition >= 0:
                    times[repetition] = times.get(repetition, 0.0) + ns
    return {rank: median(times.values()) for rank, times in by_repetition.items() if times}


def steadiness_of_rates(measured: tuple[Measured, ...], name: str, rows: str) -> AxisResult:
    """Steadiness by the rates of the table `name`, over the repetitions of all launches: a column each, of which the column
    with the largest spread counts. `rows`: the end of the reason."""
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
