"""Whether the threads that a case asked for ran. Where fewer ran, neither answer nor time says anything about the node."""

from __future__ import annotations

from tenken.base.phrases import plural
from tenken.judge.common import Prepared, finding
from tenken.model.assessment import Finding, Where
from tenken.model.record import Rank, Record
from tenken.model.verdict import Axis, Verdict


def threads_run(rank: Rank) -> int | None:
    """The threads of a rank that were seen on a processor at the begin or end of the timed part; None where none was seen."""
    return sum(max(thread.cpu_begin, thread.cpu_end) >= 0 for thread in rank.threads) or None


def rank_with_fewest(record: Record) -> tuple[Rank, int] | None:
    """The rank on which the fewest threads ran, with their number; None where all threads ran, or the system does not tell."""
    counted = [(rank, count) for rank in record.rank if (count := threads_run(rank)) is not None]
    fewest = min(counted, key=lambda one: one[1], default=None)
    return fewest if fewest is not None and fewest[1] < record.threads else None


def fewer_threads(case: Prepared) -> list[Finding]:
    """An ERROR where fewer threads ran than were asked for, with the first launch in which they did."""
    short = [(each, found) for each in case.measured if (found := rank_with_fewest(each.record)) is not None]
    if not short:
        return []
    measured, (rank, ran) = short[0]
    asked = measured.record.threads
    return [
        finding(
            Axis.VALIDITY,
            Verdict.ERROR,
            case.case_run.case.id,
            f"{ran} of {plural(asked, 'thread')} ran on rank {rank.rank} ({rank.host}): a variable such as OMP_THREAD_LIMIT or a "
            "limit of the system kept the others from starting; remove it and run again",
            f"seen in {len(short)} of {plural(len(case.measured), 'launch')}",
            measured=float(ran),
            expected=float(asked),
            unit="threads",
            where=Where(host=rank.host, rank=rank.rank, launch=measured.launch.number),
            launches=1,
        )
    ]
