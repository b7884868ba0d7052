"""Wrong data and late calls with their place, where the bytes of reads came from, and the spread of repetitions."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tenken.judge.common import digits, finding, percent, plural
from tenken.judge.repeated import (
    LATE_SHARE, MOST_IMBALANCE, MOST_NAMED, LateCalls, SlowRank, balance_of_ranks, often_late,
    rows_of_ranks, steadiness_of_rates,
)
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict

DATA, OVER_DIRECT = "data", "read_over_direct"  # proofs
STATES = ("cached", "dropped", "direct", "outgrown", "other_node", "memory", "unknown")
KINDS = ("bytes that no rank wrote", "nothing was read", "stale", "exchanged", "short")
DISK = {"dropped", "direct", "outgrown", "other_node"}  # labels of reads from a device or another node
CLOSE_SHARE = 0.50  # of the time from open to close


def judge(of: ToJudge) -> OwnJudgement:
    """Wrong data by rank, file and offset; steadiness by the spread of repetitions, late calls and time in close."""
    wrong = list(_wrong(of))
    states = sorted({state for each in of.measured if (state := _state(each.record)) is not None})
    findings = [*_late(of), *_close(of)]
    rows = "; ".join(dict.fromkeys(_row(each.record) for each in of.measured))
    if findings:
        steadiness = AxisResult(Axis.STEADINESS, Verdict.WARN, findings[0].what)
    else:
        steadiness = steadiness_of_rates(of.measured, "rates_with_open_and_close", rows)
    axes = [steadiness, AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, _speed(of.measured, states))]
    explained = (DATA,) if wrong else ()
    balance, slow = balance_of_ranks(of.measured)
    axes += [balance] if balance else []
    return OwnJudgement(axes=tuple(axes), findings=(*wrong, *findings, *_slow(of, slow)), explained=explained)


def _state(record: Record) -> str | None:
    number = next((one.value for one in record.values if one.name == "cache_state"), None)
    return None if number is None or not 0 <= number < len(STATES) else STATES[int(number)]


def _row(record: Record) -> str:
    """File system and cache state of the reads, as the program found them."""
    rows = (table.rows[0] for table in record.tables if table.name == "cache_state" and table.rows)
    return next(rows, "cache state of reads unknown")


def _speed(measured: tuple[Measured, ...], states: list[str]) -> str:
    """No ceiling is known of a file system; a cache is never compared with a disk."""
    of = " and ".join(states) or "unknown"
    if not set(states) <= DISK:
        return f"reads are of state {of}: no rate of a disk"
    over = [one.value for each in measured for one in each.record.values if one.name == OVER_DIRECT]
    if not over:
        return f"reads are of state {of}; no direct reads to compare with"
    return (f"reads are of state {of}; their slowest repetition is {digits(median(over))} times as fast as the fastest direct "
            "reads of as many ranks")


def _file(record: Record, writer: int) -> str:
    return f"data.{writer}" if record.parameters.get("layout", "file_a_rank") == "file_a_rank" else "data"


def _wrong(of: ToJudge) -> Iterator[Finding]:
    """The ranks that read wrong data, in the first launch where there are some."""
    for each in of.measured:
        rows = list(rows_of_ranks(each.record, "wrong_data"))
        for host, rank, (words, kind, writer, at, launch, by, place, length, expected) in rows[:MOST_NAMED]:
            name = _file(each.record, int(writer))
            what = KINDS[int(kind)] if 0 <= int(kind) < len(KINDS) else KINDS[0]
            if what == "stale":
                what = f"stale: launch {int(launch)}"
            elif what == "exchanged":
                of_rank = "" if by == writer else f" of rank {int(by)}"
                what = f"block of offset {int(place)}{of_rank} at {int(at)}"
            elif what == "short":
                what = f"the file has {int(length)} bytes, expected {int(expected)}"
            sentence = (f"wrong answer: rank {rank} on {host} read wrong data in file {name}, offset {int(at)}: {what} "
                        f"({plural(int(words), 'wrong word')} of 8 bytes)")
            if len(rows) > MOST_NAMED:
                sentence += f"; {len(rows)} ranks did"
            yield finding(Axis.VALIDITY, Verdict.INVALID, of.case.id, sentence,
                          f"each word compared with the written word; launch {each.launch.number} of {len(of.measured)}",
                          section="read", measured=words, expected=0.0,
                          where=Where(host=host, rank=rank, launch=each.launch.number))
        if rows:
            return


def _slow(of: ToJudge, ranks: list[SlowRank]) -> Iterator[Finding]:
    """Ranks that need more time in calls on files than the others."""
    for rank in ranks:
        yield finding(Axis.BALANCE, Verdict.WARN, of.case.id, rank.sentence,
                      f"median repetitions of {plural(len(of.measured), 'launch')}",
                      measured=rank.over_others, expected=MOST_IMBALANCE, band=(None, MOST_IMBALANCE),
                      where=Where(host=rank.host, rank=rank.rank))


def _calls(row: list[float]) -> Iterator[LateCalls]:
    for kind, (late, calls, ms, at) in (("write", row[1:5]), ("read", row[5:9])):
        yield LateCalls(kind, calls, late, ms, int(at))


def _late(of: ToJudge) -> Iterator[Finding]:
    """Ranks with many calls of more than ten times their median and 20 ms, in every launch."""
    readers = {rank: int(row[9]) for each in of.measured for _, rank, row in rows_of_ranks(each.record, "late_calls")}
    for late in often_late(of.measured, "late_calls", _calls):
        name = _file(of.measured[0].record, late.rank if late.kind == "write" else readers[late.rank])
        yield finding(Axis.STEADINESS, Verdict.WARN, of.case.id, late.sentence("calls", f"file {name}, offset {late.at}"),
                      f"late: ten times the median and 20 ms; in each of {plural(len(of.measured), 'launch')}",
                      section=late.kind, measured=late.share, expected=LATE_SHARE, band=(None, LATE_SHARE),
                      where=Where(host=late.host, rank=late.rank, section=late.kind))


def _close(of: ToJudge) -> Iterator[Finding]:
    """Ranks that spend most of the time from open to close in close: then the rate of write calls is none of the storage."""
    shares: dict[int, list[float]] = {}
    for each in of.measured:
        record = each.record
        paths = {section.id: section.path for section in record.sections}
        time: dict[int, dict[str, float]] = {}
        for series in record.series:
            spent = sum(ns for number, ns in zip(series.repetition, series.ns, strict=True) if number >= 0)
            time.setdefault(series.rank, {})[paths.get(series.section, "")] = float(spent)
        for rank, by in time.items():
            whole = sum(by.get(one, 0.0) for one in ("open", "write", "sync", "close"))
            if whole > 0:
                shares.setdefault(rank, []).append(by.get("close", 0.0) / whole)
    hosts = {one.rank: one.host for one in of.measured[0].record.rank}
    slow = {rank: median(of_rank) for rank, of_rank in shares.items() if median(of_rank) > CLOSE_SHARE}
    for rank, share in sorted(slow.items(), key=lambda item: -item[1])[:MOST_NAMED]:
        name = _file(of.measured[0].record, rank)
        what = (f"{percent(share)} of the time to write file {name} of rank {rank} on {hosts.get(rank, '?')} lies in close, "
                f"expected at most {percent(CLOSE_SHARE)}. Read the rate with open and close, not that of the write calls")
        yield finding(Axis.STEADINESS, Verdict.WARN, of.case.id, what, f"medians of {plural(len(of.measured), 'launch')}",
                      section="close", measured=share, expected=CLOSE_SHARE, band=(None, CLOSE_SHARE),
                      where=Where(host=hosts.get(rank), rank=rank, section="close"))
