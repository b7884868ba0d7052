"""Wrong files and late operations with their place, and the spread of repetitions."""

from __future__ import annotations

from collections.abc import Iterator

from tenken.judge.common import finding, plural
from tenken.judge.repeated import (
    LATE_SHARE, MOST_IMBALANCE, MOST_NAMED, LateCalls, SlowRank, balance_of_ranks, often_late,
    rows_of_ranks, steadiness_of_rates,
)
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record
from tenken.model.verdict import Axis, Verdict

FILES = "files"  # proof
PHASES = ("create", "stat", "read", "remove")
KINDS = ("it has bytes that no rank wrote", "nothing was read", "stale", "exchanged", "length", "it is missing",
         "it is left after removal", "strange")
STALE, EXCHANGED, LENGTH, STRANGE = 2, 3, 4, 7


def judge(of: ToJudge) -> OwnJudgement:
    """Wrong files by rank and file; steadiness by the spread of repetitions and late operations."""
    wrong = list(_wrong(of))
    late = list(_late(of))
    rows = "; ".join(dict.fromkeys(_row(each.record) for each in of.measured))
    if late:
        steadiness = AxisResult(Axis.STEADINESS, Verdict.WARN, late[0].what)
    else:
        steadiness = steadiness_of_rates(of.measured, "operations_per_second", rows)
    speed = AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, "no ceiling of operations on files is known")
    explained = (FILES,) if wrong else ()
    balance, slow = balance_of_ranks(of.measured)
    axes = (steadiness, speed, *([balance] if balance else []))
    return OwnJudgement(axes=axes, findings=(*wrong, *late, *_slow(of, slow)), explained=explained)


def _row(record: Record) -> str:
    """File system, files and place of the entries, as the program found them."""
    rows = (table.rows[0] for table in record.tables if table.name == "entries" and table.rows)
    return next(rows, "file system unknown")


def _file(writer: int, file: int) -> str:
    """The name without its folders."""
    return f"f.{writer}.{file}"


def _what(kind: int, at: int, launch: int, rank: int, file: int, length: int, expected: int) -> str:
    if kind == STALE:
        return f"offset {at}: stale data of launch {launch}"
    if kind == EXCHANGED:
        return f"offset {at}: data of file {_file(rank, file)}"
    if kind == LENGTH:
        return f"it has {plural(length, 'byte')}, expected {expected}"
    what = KINDS[kind] if 0 <= kind < len(KINDS) else KINDS[0]
    return f"offset {at}: {what}" if kind <= 1 else what


def _wrong(of: ToJudge) -> Iterator[Finding]:
    """The ranks that found wrong files, in the first launch where there are some."""
    for each in of.measured:
        rows = list(rows_of_ranks(each.record, "wrong_files"))
        for host, rank, row in rows[:MOST_NAMED]:
            files, kind, phase, writer, file, *rest = map(int, row)
            name = PHASES[phase] if 0 <= phase < len(PHASES) else PHASES[0]
            if kind == STRANGE:
                sentence = (f"wrong answer: rank {rank} on {host} lists an entry that no rank made, "
                            f"in the folders of rank {writer} after creation")
            else:
                sentence = (f"wrong answer: rank {rank} on {host}, phase {name}, file {_file(writer, file)}: "
                            f"{_what(kind, *rest)}")
            sentence += f" ({plural(files, 'wrong file')} in all passes)"
            if len(rows) > MOST_NAMED:
                sentence += f"; {len(rows)} ranks found wrong files"
            yield finding(Axis.VALIDITY, Verdict.INVALID, of.case.id, sentence,
                          f"each file compared in each phase; launch {each.launch.number} of {len(of.measured)}",
                          section=name, measured=float(files), expected=0.0,
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


def _operations(row: list[float]) -> Iterator[LateCalls]:
    for number, phase in enumerate(PHASES):
        late, operations, ms, file = row[1 + 4 * number:5 + 4 * number]
        yield LateCalls(phase, operations, late, ms, int(file))


def _late(of: ToJudge) -> Iterator[Finding]:
    """Ranks with many operations of more than ten times their median and 20 ms, in every launch."""
    readers = {rank: int(row[-1]) for each in of.measured for _, rank, row in rows_of_ranks(each.record, "late_operations")}
    for late in often_late(of.measured, "late_operations", _operations):
        writer = readers[late.rank] if late.kind in ("stat", "read") else late.rank
        yield finding(Axis.STEADINESS, Verdict.WARN, of.case.id, late.sentence("operations", f"file {_file(writer, late.at)}"),
                      f"late: ten times the median and 20 ms; in each of {plural(len(of.measured), 'launch')}",
                      section=late.kind, measured=late.share, expected=LATE_SHARE, band=(None, LATE_SHARE),
                      where=Where(host=late.host, rank=late.rank, section=late.kind))
