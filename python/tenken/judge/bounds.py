"""Another's load bounds a time, it does not veto it: the undisturbed time lies in [t - w, t].

What was lost is counted for a launch, on each rank: time in the run queue and stolen by the hypervisor. Where in the
launch it was lost the counters do not tell, but the samples do in part: a repetition that was interrupted is longer. What
outliers do not show may lie under the median of any section.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tenken.judge.launches import Measured
from tenken.judge.limits import DISTURBED, UNKNOWN_LOSS
from tenken.model.assessment import SectionSummary
from tenken.model.record import Rank
from tenken.stats.bounds import least_median, visible_excess
from tenken.stats.space import Array

WAITING = ("comm", "wait")
ROUNDING = 0.01  # of a loss: counters are read beside the samples


@dataclass(frozen=True, slots=True)
class Lost:
    """Nanoseconds of one launch that another's load took, by rank."""

    total: Mapping[int, float]  # at most
    hidden: Mapping[int, float]  # of it, what no outlier of that rank shows
    together: float  # hidden from the maximum over ranks: any of them delays it
    wall: float


@dataclass(frozen=True, slots=True)
class Timed:
    """The repetitions of one leaf section: `ns` of shape (ranks, repetitions), NaN where a rank took no part."""

    kind: str
    ranks: tuple[int, ...]
    ns: Array


def lost_in(measured: Measured, sections: Iterable[Timed]) -> Lost:
    """`sections`: the repeated leaf sections of the launch."""
    record = measured.record
    total = {rank.rank: lost_by(rank, record.threads) for rank in record.rank}
    shown = dict.fromkeys(total, 0.0)
    waited = 0.0
    for one in sections:
        excess = np.nan_to_num(visible_excess(one.ns))
        if one.kind in WAITING:  # who was stopped and who waited for it cannot be told: only what all ranks show counts
            waited += float(excess.min(axis=0).sum()) if len(one.ranks) == len(total) else 0.0
            continue
        for rank, own in zip(one.ranks, excess.sum(axis=1), strict=True):
            shown[rank] += float(own)
    hidden = {rank: max(lost - shown[rank], 0.0) for rank, lost in total.items()}
    wall = float(max((rank.trust.wall_ns for rank in record.rank), default=0))
    return Lost(total, hidden, max(sum(hidden.values()) - waited, 0.0), wall)


def lost_by(rank: Rank, threads: int) -> float:
    """Nanoseconds that another's load took from a rank at most: each of its threads may have been the one that lost most.

    The time that a CPU quota took is no other's load. What the system does not count is UNKNOWN_LOSS of the wall.
    """
    trust = rank.trust
    throttled = (trust.throttled_ns or 0) > DISTURBED * trust.wall_ns
    counted = [None if throttled else trust.run_queue_wait_ns, trust.steal_ns]
    unknown = UNKNOWN_LOSS * trust.wall_ns if None in counted[int(throttled):] else 0.0
    return min(threads * sum(one or 0 for one in counted) + unknown, float(trust.wall_ns))


def hidden_in(ns: Array, hidden: float, lost: float) -> float:
    """w: what may hide in the median of the samples `ns`. All of `hidden` may be under it."""
    samples = ns[~np.isnan(ns)]
    if samples.size == 0 or lost <= 0:
        return 0.0
    return max(float(np.median(samples)) - least_median(_uninterrupted(samples, lost), hidden), 0.0)


def _uninterrupted(samples: Array, lost: float) -> Array:
    """`samples` without what outliers show of `lost`.

    What an interrupted repetition took without it nobody knows: it may have been the fastest.
    """
    excess = visible_excess(samples)
    order = np.argsort(excess)
    paid = order[(excess[order] > 0) & (np.cumsum(excess[order]) <= (1 + ROUNDING) * lost)]
    found = samples.copy()
    found[paid] = samples.min()
    return found


def hidden_in_maximum(grid: Timed, lost: Lost) -> float:
    """w of the maximum over ranks. Each rank may be interrupted in few repetitions, and the maximum in most of them.

    What waits is delayed by whoever lost time. What does not is at least what any of its ranks was at best.
    """
    slowest = np.nanmax(grid.ns, axis=0)
    everywhere = sum(lost.total.values())
    if everywhere <= 0 or np.isnan(grid.ns).any():
        return hidden_in(slowest, everywhere, everywhere)
    waiting = grid.kind in WAITING
    rows = [
        _uninterrupted(row, everywhere if waiting else lost.total.get(rank, 0.0))
        for rank, row in zip(grid.ranks, grid.ns, strict=True)
    ]
    least = least_median(np.max(rows, axis=0), lost.together)
    if not waiting:
        least = max(least, *(
            least_median(row, lost.hidden.get(rank, 0.0)) for rank, row in zip(grid.ranks, rows, strict=True)
        ))
    return max(float(np.median(slowest)) - least, 0.0)


def at_best(section: SectionSummary) -> SectionSummary:
    """The section as it may have been without another's load: its time and its rates at t - w."""
    if section.hidden_ns <= 0 or section.median_ns <= 0:
        return section
    fast = max(section.median_ns - section.hidden_ns, 1e-9 * section.median_ns)
    faster = section.median_ns / fast

    def more(rate: float | None) -> float | None:
        return None if rate is None else rate * faster

    return replace(section, median_ns=fast, flop_rate=more(section.flop_rate), byte_rate=more(section.byte_rate))
