"""Other load bounds a time, it does not veto it: the undisturbed time lies in [t - w, t].

Lost time is counted for a launch, on each rank: time in the run queue and stolen by the hypervisor. Where in the
launch it was lost the counters do not tell, but the samples do in part: a repetition that was interrupted is longer. Loss that
outliers do not show may lie under the median of any section. Another hardware thread is seen in samples: it
takes no larger part of any time than it took in the worst of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tenken.base.rows import medians
from tenken.judge.common.grids import ROUNDING, Grid
from tenken.model.limits import DISTURBED, UNKNOWN_LOSS
from tenken.model.record import Rank
from tenken.model.run import Measured
from tenken.stats.bounds import least_median, least_medians, most_hidden, outliers, stretched, uninterrupted, visible_excess
from tenken.stats.robust import median
from tenken.stats.space import Array

WAITING = ("comm", "wait")


@dataclass(frozen=True, slots=True, eq=False)
class Lost:
    """Nanoseconds of a launch that other load took, by rank."""

    total: Array  # at most
    hidden: Array  # of it, the part that no outlier of that rank shows
    together: float  # hidden from the maximum over ranks: any of them delays it
    wall: float
    threads: Threads | None = None  # other hardware threads, where they took something


@dataclass(frozen=True, slots=True, eq=False)
class Threads:
    """The time of a launch that other hardware threads took."""

    part: Array  # of any time of a rank at most, where the units of its cores bind
    besides: Lost  # the time that all other load took


def lost_in(measured: Measured, sections: Iterable[Grid]) -> Lost:
    """`sections`: the repeated leaf sections of the launch."""
    record = measured.record
    total, besides, part = np.zeros((3, 1 + max((rank.rank for rank in record.rank), default=0)))
    for rank in record.rank:
        total[rank.rank], besides[rank.rank] = lost_by(rank, record.threads), counted_by(rank, record.threads)
        part[rank.rank] = rank.trust.shared_part or 0.0
    shown = np.zeros(total.size)
    waited = 0.0
    for grid in sections:
        if grid.section.kind in WAITING:  # a stopped rank looks like a waiting rank: only the excess of all ranks counts
            if grid.whole and len(grid.ranks) == len(record.rank):
                waited += float(np.nan_to_num(visible_excess(grid.ns)).min(axis=0).sum())
            continue
        own = grid.rows.outlying if grid.rows is not None else np.nan_to_num(visible_excess(grid.ns)).sum(axis=1)
        shown[list(grid.ranks)] += own
    wall = float(max((rank.trust.wall_ns for rank in record.rank), default=0))
    hidden = np.maximum(total - shown, 0.0)
    lost = Lost(total, hidden, max(float(hidden.sum()) - waited, 0.0), wall)
    if not part.any():
        return lost
    return replace(lost, threads=Threads(part, Lost(besides, besides, float(besides.sum()), wall)))  # outliers may be of them


def lost_by(rank: Rank, threads: int) -> float:
    """Nanoseconds that other load took from a rank at most.

    Of the hardware threads on its cores the worst is known at each moment: they can have taken no more.
    """
    return min(counted_by(rank, threads) + (rank.trust.shared_lost_ns or 0), float(rank.trust.wall_ns))


def counted_by(rank: Rank, threads: int) -> float:
    """The same as the system counts it; each thread of the rank may have been the thread that lost most.

    The time that a CPU quota took is no other's load. Where the system does not count, it is UNKNOWN_LOSS of the wall.
    """
    trust = rank.trust
    throttled = (trust.throttled_ns or 0) > DISTURBED * trust.wall_ns
    counted = [None if throttled else trust.run_queue_wait_ns, trust.steal_ns]
    unknown = UNKNOWN_LOSS * trust.wall_ns if None in counted[int(throttled):] else 0.0
    return min(threads * sum(ns or 0 for ns in counted) + unknown, float(trust.wall_ns))


def hidden_in(ns: Array, hidden: float, lost: float) -> float:
    """w: the time that may hide in the median of the samples `ns`. All of `hidden` may be under it."""
    samples = ns[~np.isnan(ns)]
    if samples.size == 0 or lost <= 0:
        return 0.0
    best = least_median(uninterrupted(outliers(samples[None]), np.array([lost]), ROUNDING)[0], hidden)
    return max(median(samples) - best, 0.0)


def hidden_in_ranks(grid: Grid, hidden: Array, lost: Array) -> Array:
    """The same of each rank that took part, given its lost time; where its samples were not stored, an upper bound."""
    if grid.rows is None:
        return np.array([hidden_in(row, *loss) for row, *loss in zip(grid.ns, hidden, lost, strict=True)])
    if not grid.whole and lost.any():
        hidden_ns = most_hidden(grid.rows, hidden, lost)
        at = np.searchsorted(grid.ranks, grid.kept)
        exact = [hidden_in(row, *loss) for row, *loss in zip(grid.ns, hidden[at], lost[at], strict=True)]
        hidden_ns[at] = exact
        return hidden_ns
    if not lost.any():
        return np.zeros(lost.size)
    best = least_medians(grid.uninterrupted(lost), hidden)
    return np.where(lost > 0, np.maximum(grid.rows.median - best, 0.0), 0.0)


def hidden_by_rank(grid: Grid, lost: Lost) -> Array:
    """w of the median of each rank that took part. A section that waits is delayed by whoever lost most."""
    hidden, total, ranks = (lost.total if grid.once else lost.hidden), lost.total, list(grid.ranks)
    if grid.section.kind in WAITING:
        hidden, total = (np.full(each.size, each.max(initial=0.0)) for each in (hidden, total))
    hidden_ns = hidden_in_ranks(grid, hidden[ranks], total[ranks])
    if lost.threads is None or grid.section.kind in WAITING:
        return hidden_ns
    middle = medians(grid.ns) if grid.rows is None else grid.rows.median
    return _within(hidden_ns, middle, hidden_by_rank(grid, lost.threads.besides), grid.shared(lost.threads.part)[ranks])


def hidden_in_maximum(grid: Grid, lost: Lost) -> float:
    """w of the median of the maximum over ranks."""
    hidden_ns = _in_maximum(grid, lost)
    if lost.threads is None or grid.section.kind in WAITING:
        return hidden_ns
    ends = (hidden_ns, median(grid.slowest), _in_maximum(grid, lost.threads.besides), float(grid.shared(lost.threads.part).max()))
    return float(_within(*map(np.array, ends)))


def beside_median(grid: Grid, lost: Lost) -> float:
    """The most that other load may have added to the time beside the median of the maximum over ranks."""
    everywhere = float(lost.total.sum())
    if lost.threads is None or grid.section.kind in WAITING:
        return everywhere
    counted = float(lost.threads.besides.total.sum())
    longer = stretched(grid.slowest[None], grid.shared(lost.threads.part).max(keepdims=True))[0]
    return counted + min(everywhere - counted, float(longer))


def _within(hidden_ns: Array, time: Array, besides: Array, part: Array) -> Array:
    """w where other hardware threads took at most that part of the time that all other load left."""
    return np.minimum(hidden_ns, besides + part * (time - besides))


def _in_maximum(grid: Grid, lost: Lost) -> float:
    """w of the maximum over ranks. Each rank may be interrupted in few repetitions, and the maximum in most of them.

    A section that waits is delayed by whoever lost time. Any other takes at least the best of any of its ranks. Where the
    samples of some ranks alone were stored, those bound it, less tightly.
    """
    everywhere = float(lost.total.sum())
    if grid.once or everywhere <= 0 or np.isnan(grid.ns).any() or grid.ns.shape[0] == 0:
        return hidden_in(grid.slowest, everywhere, everywhere)
    waiting, stored = grid.section.kind in WAITING, list(grid.kept)
    rows = grid.uninterrupted(np.full(len(stored), everywhere) if waiting else lost.total[stored])
    least = least_median(rows.max(axis=0), lost.together)
    if not waiting:
        least = max(least, float(least_medians(rows, lost.hidden[stored]).max()))
    return max(median(grid.slowest) - least, 0.0)
