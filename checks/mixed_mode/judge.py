"""Wrong shares with the thread whose share they are, and threads that begin their messages late."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tenken.judge.common import digits, finding, plural
from tenken.judge.repeated import MOST_NAMED, rows_of_ranks
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Record
from tenken.model.verdict import Axis, Verdict

SHARES = "shares"  # proof
MODES = ("master_only", "funnelled", "serialized", "multiple")
LATE_US = 3.0  # after the first thread of the rank: threads of healthy ranks begin within 1 us of each other


def judge(of: ToJudge) -> OwnJudgement:
    """Wrong shares by rank and thread; late threads where ranks do not share cores."""
    wrong, late = tuple(_wrong(of)), tuple(_late(of))
    axes = (AxisResult(Axis.BALANCE, Verdict.WARN, late[0].what),) if late else ()
    return OwnJudgement(axes=axes, findings=(*wrong, *late), explained=(SHARES,) if wrong else ())


def _wrong(of: ToJudge) -> Iterator[Finding]:
    """The ranks with wrong shares, in the first launch where there are some."""
    for each in of.measured:
        rows = list(rows_of_ranks(each.record, "wrong_shares"))
        for host, rank, row in rows[:MOST_NAMED]:
            shares, mode, thread, sender, word, other, late = map(int, row)
            if other >= 0:
                what = f"it is the share of thread {other}"
            elif late > 0:
                what = f"it is {plural(late, 'exchange')} old"
            else:
                what = f"word {word} is of no thread"
            name = MODES[mode] if 0 <= mode < len(MODES) else MODES[0]
            sentence = (f"wrong answer: thread {thread} of rank {rank} on {host} got {plural(shares, 'wrong share')} in all; "
                        f"the first in mode {name} from thread {thread} of rank {sender}: {what}")
            if len(rows) > MOST_NAMED:
                sentence += f"; {len(rows)} ranks have wrong shares"
            yield finding(Axis.VALIDITY, Verdict.INVALID, of.case.id, sentence,
                          f"the sum of every share compared; launch {each.launch.number} of {len(of.measured)}", section=name,
                          measured=float(shares), expected=0.0, where=Where(host=host, rank=rank, launch=each.launch.number))
        if rows:
            return


def _shares_cores(record: Record) -> bool:
    return any(one.name == "cores_shared" and one.value > 0 for one in record.values)


def _late(of: ToJudge) -> Iterator[Finding]:
    """Threads that begin their messages more than LATE_US after the first thread, in every launch."""
    seen: dict[tuple[str, int, int], list[float]] = {}
    for each in of.measured:
        if _shares_cores(each.record):
            return
        for host, rank, row in rows_of_ranks(each.record, "thread_entries"):
            for thread, late_us in enumerate(row[1:]):
                if late_us > LATE_US:
                    seen.setdefault((host, rank, thread), []).append(late_us)
    always = {key: late for key, late in seen.items() if len(late) == len(of.measured)}
    for (host, rank, thread), late in sorted(always.items(), key=lambda item: -median(item[1]))[:MOST_NAMED]:
        what = (f"thread {thread} of rank {rank} on {host} begins its messages {digits(median(late))} us after the first thread, "
                f"expected at most {digits(LATE_US)} us")
        yield finding(Axis.BALANCE, Verdict.WARN, of.case.id, what,
                      f"medians of all exchanges in mode multiple; in each of {plural(len(late), 'launch')}", section="multiple",
                      measured=median(late), expected=LATE_US, band=(None, LATE_US), unit="us",
                      where=Where(host=host, rank=rank, section="multiple"))
