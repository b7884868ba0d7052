"""Is a thread held up in one construct, or slow in all of them? And did launches meet cores that were equally far apart?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from tenken.judge.common import digits, distances, duration, finding, percent, plural, unlike
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

TABLE = "thread_times"  # rows HOST/RANK/THREAD/PROCESSOR, columns constructs, us in the body
SLOW = 0.10  # of a thread's own time in most constructs: clocks of healthy cores differ by less
MOST = 2 / 3
HELD, HELD_US = 0.3, 0.15  # in one construct: beyond both
ENTRY = "entry of barrier"  # what a barrier costs the thread that comes last: lines of other cores are in it
FAR, FAR_US = 1.0, 1.0  # there beyond both: a core of another socket waits longer for these lines
MOST_NAMED = 4

Thread = tuple[str, int, int, int]  # host, rank, thread, processor
Cells = dict[int, list[float]]  # construct -> a figure a launch


def judge(of: ToJudge) -> OwnJudgement:
    """Balance between threads; steadiness only where launches met different core-to-core modes."""
    balance, findings = _balance(of.case.id, of.measured)
    modes = _unlike_modes(of.measured)
    steadiness = () if modes is None else (AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, modes, ground=True),)
    return OwnJudgement(axes=(balance, *steadiness), findings=tuple(findings))


def _unlike_modes(measured: tuple[Measured, ...]) -> str | None:
    trips = unlike(distances(each.record for each in measured))
    if trips is None:
        return None
    return (f"the first and the last core were {digits(trips[0])} to {digits(trips[1])} ns apart "
            "(round trip of a cache line). Figures of different modes are not compared")


def _balance(case_id: str, measured: tuple[Measured, ...]) -> tuple[AxisResult, list[Finding]]:
    constructs, times = _thread_times([each.record for each in measured])
    if len(times) < 2:
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "a single thread cannot be compared"), []
    found: list[Finding] = []
    for thread in times:
        found += _of_thread(case_id, constructs, times, thread, len(measured))
    found.sort(key=lambda one: -(one.ratio or 0))
    if len(found) > MOST_NAMED:
        left = f"{len(found) - MOST_NAMED} more threads or constructs are slow"
        found = [*found[:MOST_NAMED], finding(Axis.BALANCE, Verdict.WARN, case_id, left, "see the table thread_times")]
    if found:
        return AxisResult(Axis.BALANCE, Verdict.WARN, found[0].what), found
    return AxisResult(Axis.BALANCE, Verdict.OK, f"{len(times)} threads alike in {_counted(constructs)}"), []


def _counted(constructs: Sequence[str]) -> str:
    bodies = plural(len([construct for construct in constructs if construct != ENTRY]), "construct")
    return f"{bodies} and at the {ENTRY}" if ENTRY in constructs else bodies


def _above(mine: float, others: float, part: float, us: float) -> bool:
    return mine > (1 + part) * others and mine - others > us


def _thread_times(records: Sequence[Record]) -> tuple[tuple[str, ...], dict[Thread, Cells]]:
    """Of each thread the figures of all launches; its processor is that of the first."""
    constructs: tuple[str, ...] = ()
    names: dict[tuple[str, int, int], Thread] = {}
    times: dict[Thread, Cells] = {}
    for table in (table for record in records for table in record.tables if table.name == TABLE):
        constructs = constructs or table.columns
        if table.values is None or table.columns != constructs:
            continue
        for label, row in zip(table.rows, table.values, strict=True):
            host, *numbers = label.rsplit("/", 3)
            if len(numbers) != 3 or not all(number.isascii() and number.isdigit() for number in numbers):
                continue
            rank, thread, cpu = map(int, numbers)
            cells = times.setdefault(names.setdefault((host, rank, thread), (host, rank, thread, cpu)), {})
            for column, value in enumerate(row):
                if value is not None and 0 < value < float("inf"):
                    cells.setdefault(column, []).append(value)
    return constructs, times


def _of_thread(
    case_id: str, constructs: tuple[str, ...], times: dict[Thread, Cells], thread: Thread, launches: int,
) -> list[Finding]:
    own: dict[int, tuple[float, float]] = {}  # construct -> (this thread, the others)
    entry = constructs.index(ENTRY) if ENTRY in constructs else None
    for column, values in times[thread].items():
        others = [median(cells[column]) for name, cells in times.items() if name != thread and column in cells]
        if others:
            own[column] = median(values), median(others)
    host, rank, number, cpu = thread
    name = f"thread {number} of rank {rank} (processor {cpu} of {host})"
    where = Where(host=host, rank=rank, cpu=cpu)
    # No band: other load cannot have made these medians. It falls on few of thousands of samples of half a microsecond.
    evidence = f"medians of {plural(launches, 'launch')}, without waiting; compared with the median of the others"
    bodies = [mine / others for column, (mine, others) in own.items() if column != entry]
    slow = [ratio for ratio in bodies if ratio > 1 + SLOW]
    if len(bodies) > 1 and len(slow) > MOST * len(bodies):
        ratio = median(bodies)
        what = f"{name} is slow: the same work takes {percent(ratio - 1)} longer there, "
        what += f"in {len(slow)} of {len(bodies)} constructs"
        return [finding(Axis.BALANCE, Verdict.WARN, case_id, what, evidence, measured=ratio, expected=1.0,
                        unit="slow/equal threads", where=where)]
    return [
        finding(Axis.BALANCE, Verdict.WARN, case_id,
                f"{name} is delayed {'at the' if column == entry else 'in'} {constructs[column]}: "
                f"{duration(1000 * (mine - others))} more than other threads, each time",
                evidence, section="barrier" if column == entry else constructs[column],
                measured=mine, expected=others, unit="us", where=where)
        for column, (mine, others) in own.items()
        if _above(mine, others, *((FAR, FAR_US) if column == entry else (HELD, HELD_US)))
    ]
