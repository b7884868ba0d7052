"""Wrong copies and late calls with their place, and the spread of repetitions."""

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
KINDS = ("bytes that no rank wrote", "nothing was read", "stale", "exchanged", "length", "it is missing",
         "the link is missing or has another target", "strange", "left")
STALE, EXCHANGED, LENGTH, MISSING, LINK, STRANGE, LEFT = 2, 3, 4, 5, 6, 7, 8


def judge(of: ToJudge) -> OwnJudgement:
    """Wrong files by rank and file; steadiness by the spread of repetitions and late calls."""
    wrong = list(_wrong(of))
    late = list(_late(of))
    rows = "; ".join(dict.fromkeys(_row(each.record) for each in of.measured))
    if late:
        steadiness = AxisResult(Axis.STEADINESS, Verdict.WARN, late[0].what)
    else:
        steadiness = steadiness_of_rates(of.measured, "rates", rows)
    speed = AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, "no ceiling of staging is known")
    explained = (FILES,) if wrong else ()
    balance, slow = balance_of_ranks(of.measured)
    axes = (steadiness, speed, *([balance] if balance else []))
    return OwnJudgement(axes=axes, findings=(*wrong, *late, *_slow(of, slow)), explained=explained)


def _row(record: Record) -> str:
    """Work, file systems and cache state, as the program recorded them."""
    rows = (table.rows[0] for table in record.tables if table.name == "staged" and table.rows)
    return next(rows, "file systems unknown")


def _file(record: Record, owner: int, number: int) -> str:
    """The file without its folders."""
    if record.variant == "checkpoint":
        return f"state.{owner}"
    if record.variant == "stage_out":
        return "out" if record.parameters.get("into") == "one_file" else f"out.{owner}"
    return f"f.{number}" if number >= 0 else "of the tree"


def _what(record: Record, row: list[float]) -> str:
    _, kind, owner, number, at, launch, rank, found, length, expected = map(int, row)
    name = f"file {_file(record, owner, number)}"
    if kind == STALE and record.variant != "stage_in":
        return f"{name}, offset {at}: stale data of pass {found} of launch {launch}, expected pass {number}"
    if kind == STALE:
        return f"{name}, offset {at}: stale data of launch {launch}"
    if kind == EXCHANGED:
        return f"{name}, offset {at}: data of another place of {_file(record, rank, found)}"
    if kind == LENGTH:
        return f"{name}: it has {plural(length, 'byte')}, expected {expected}"
    if kind == STRANGE:
        return f"an entry that is not in the tree, in the copy of rank {owner}"
    if kind == LEFT:
        return f"{name}.new is there after the rename"
    if kind == LINK:
        return f"{KINDS[LINK]}, in the copy of rank {owner}"
    if kind == MISSING:
        return f"{name}: {KINDS[MISSING]}"
    return f"{name}, offset {at}: {KINDS[kind] if 0 <= kind < len(KINDS) else KINDS[0]}"


def _wrong(of: ToJudge) -> Iterator[Finding]:
    """The ranks that report wrong files, in the first launch where there are some."""
    for each in of.measured:
        rows = list(rows_of_ranks(each.record, "wrong_files"))
        for host, rank, row in rows[:MOST_NAMED]:
            files, owner = int(row[0]), int(row[2])
            sentence = (f"wrong answer: rank {rank} on {host}, comparing the files of rank {owner}: {_what(each.record, row)} "
                        f"({plural(files, 'wrong file')} in all passes)")
            if len(rows) > MOST_NAMED:
                sentence += f"; {len(rows)} ranks have wrong files"
            yield finding(Axis.VALIDITY, Verdict.INVALID, of.case.id, sentence,
                          f"each word compared with the written word; launch {each.launch.number} of {len(of.measured)}",
                          measured=float(files), expected=0.0, where=Where(host=host, rank=rank, launch=each.launch.number))
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
    for late in often_late(of.measured, "late_calls", _calls):
        record = of.measured[0].record
        place = f"file f.{late.at}" if record.variant == "stage_in" else f"offset {late.at}"
        yield finding(Axis.STEADINESS, Verdict.WARN, of.case.id, late.sentence("calls", place),
                      f"late: ten times the median and 20 ms; in each of {plural(len(of.measured), 'launch')}",
                      section=late.kind, measured=late.share, expected=LATE_SHARE, band=(None, LATE_SHARE),
                      where=Where(host=late.host, rank=late.rank, section=late.kind))
