"""Who is waited for. Pure: sums of times of each rank in, ranks out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats.robust import mad_sigma
from tenken.stats.space import Array

SURE = 5.0  # spreads below the others' waiting: by chance 1 rank in a million
FEWEST_IN_RING = 5  # ranks, of which two wait for a third and two do not
ALONE = 2.0  # times the next largest gap: a pattern of the decomposition has many
MOST_LAUNCHES = 0.75


@dataclass(frozen=True, slots=True)
class Late:
    """The rank that the others wait for."""

    index: int
    waited: float  # that the others wait longer than it does: median of theirs minus its own
    excess: Array  # of each section: its time in it minus the median of the others
    explained: float  # part of `waited` that its timed sections explain


def late_rank(compute: Array, wait: Array, least: float) -> Late | None:
    """compute: (sections, ranks), wait: (ranks,) or (launches, ranks) times of a repetition; `least`: waiting worth naming.

    Where all ranks leave together, a rank is late by the time it waits less: the late rank waits least, by more than the
    spread of the others' waiting. In a ring of halos only its neighbours wait for it, and theirs for them in the next repetition:
    it is the rank that waits less than both ranks beside it, by more than any other does. It is the same in most launches.
    None where there is none, or where fewer than three ranks leave open who is normal.
    """
    waits = np.atleast_2d(np.asarray(wait, dtype=float))
    if waits.shape[1] < 3:
        return None
    each = np.median(waits, axis=0)
    candidate = _least(each, least)
    if candidate is None or not _in_most(np.argmin(waits, axis=1), candidate[0]):
        candidate = _between_waiting(each, least)
        if candidate is None or not _in_most(np.argmax(_beside(waits), axis=1), candidate[0]):
            return None
    index, waited = candidate
    excess = compute[:, index] - np.median(np.delete(compute, index, axis=1), axis=1)
    return Late(index, waited, excess, float(np.clip(excess, 0, None).sum()) / waited)


def _least(wait: Array, least: float) -> tuple[int, float] | None:
    """The rank that waits least, and how much longer the others do."""
    index = int(np.argmin(wait))
    others = np.delete(wait, index)
    waited = float(np.median(others) - wait[index])
    return (index, waited) if waited >= max(least, SURE * mad_sigma(others)) else None


def _between_waiting(wait: Array, least: float) -> tuple[int, float] | None:
    """The rank that waits less than both beside it, and how much; none where another does so by half as much."""
    if wait.size < FEWEST_IN_RING:
        return None
    gap = _beside(wait)
    index = int(np.argmax(gap))
    others = np.delete(gap, index)
    clear = gap[index] >= max(least, float(np.median(others)) + SURE * mad_sigma(others), ALONE * float(others.max()))
    return (index, float(gap[index])) if clear else None


def _beside(wait: Array) -> Array:
    """The time that both ranks beside each wait longer than it does; (..., ranks)."""
    return np.minimum(np.roll(wait, 1, axis=-1), np.roll(wait, -1, axis=-1)) - wait


def _in_most(indices: NDArray[np.int64], index: int) -> bool:
    return bool(np.mean(indices == index) >= MOST_LAUNCHES)


@dataclass(frozen=True, slots=True)
class Group:
    """A communicator among others of its kind, both counted from 0."""

    number: int
    count: int
    layout: str  # "consecutive" ranks, or every count-th ("strided")


def group_of(slow: NDArray[np.int64], ranks: int) -> Group | None:
    """The communicator that a set of ranks fills exactly: a block of consecutive ranks, or every n-th rank.

    So programs split a grid of ranks into rows and columns. None where the set is neither, or a single rank.
    """
    slow = np.sort(np.asarray(slow))
    size = slow.size
    if size < 2 or ranks % size or size == ranks:
        return None
    count = ranks // size
    if slow[0] % size == 0 and slow[-1] - slow[0] == size - 1:
        return Group(int(slow[0]) // size, count, "consecutive")
    if slow[0] < count and (np.diff(slow) == count).all():
        return Group(int(slow[0]), count, "strided")
    return None


def slow_together(times: Array, least_effect: float) -> NDArray[np.int64]:
    """Indices of ranks that are slow together: those above the only gap that splits all times into two clear groups.

    The gap in the logarithms must be at least `least_effect`, and larger than the spread inside each group. Fewer than
    half of the ranks; empty where there is no such gap.
    """
    logs = np.log(np.asarray(times, dtype=float))
    order = np.argsort(logs)
    gaps = np.diff(logs[order])
    start = (logs.size + 1) // 2  # at least half are normal
    if gaps[start - 1:].size == 0:
        return np.array([], dtype=np.int64)
    at = start - 1 + int(np.argmax(gaps[start - 1:]))
    low, high = logs[order[:at + 1]], logs[order[at + 1:]]
    inside = max(np.ptp(low), np.ptp(high))
    return np.sort(order[at + 1:]) if gaps[at] >= max(least_effect, inside) else np.array([], dtype=np.int64)
