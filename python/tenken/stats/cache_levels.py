"""Caches detected from latency against working set: where it rises from one plateau to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tenken.stats.space import Array

RISING = 0.25  # of ln(latency), for each power of two of the working set: less is a plateau
LEAST_RISE = 1.35  # latency behind a level over that before it
SHORT = 0.5  # powers of two: a pause in a rise that is no plateau
MISSES = 0.35  # share of misses at which the size is read
LEAST_MISSING = 1.15  # latency over that before the level from which a set counts as missing
FEWEST = 4  # sets that a line is laid through


@dataclass(frozen=True, slots=True)
class CacheLevel:
    bytes: float
    before: float  # latency of working sets that fit
    behind: float  # of the plateau beyond


def cache_levels(sizes: Array, latency: Array, chased_round: float) -> tuple[CacheLevel, ...]:
    """From the smallest cache to the largest.

    sizes: (n,) ascending, bytes; latency: (n,) of a load, in any unit. Load of others only lengthens: a latency above that of
    any larger working set is taken down to it. A set of up to `chased_round` bytes was gone round before it was timed: in
    cyclic order a set that is larger than a cache by little misses nearly always, so the set at which MISSES of the loads
    miss is as large as the cache. Of a larger set, read once in order and then loaded here and there, the part that misses
    is 1 - cache/set: latency is a straight line over 1/set, which also tells the plateau that the sets may not reach.
    """
    if sizes.size < 4:
        return ()
    x = np.log2(sizes)
    y = np.log(np.minimum.accumulate(latency[::-1])[::-1])
    steps = []
    rises = _rises(x, y)
    for number, (first, last) in enumerate(rises):
        before, behind = float(np.exp(y[first])), float(np.exp(y[last]))
        if behind < LEAST_RISE * before:
            continue
        at = before + MISSES * (behind - before)
        size = float(np.exp2(np.interp(np.log(at), y[first : last + 1], x[first : last + 1])))
        if size > chased_round:
            end = rises[number + 1][0] if number + 1 < len(rises) else sizes.size - 1
            size, behind = _of_large_sets(sizes[first : end + 1], np.exp(y[first : end + 1]), size * (1 - MISSES), behind)
        steps.append(CacheLevel(size, before, behind))
    return tuple(steps)


def _of_large_sets(sizes: Array, latency: Array, size: float, behind: float) -> tuple[float, float]:
    """Size and plateau by least squares over 1/set; the reading of the curve where too few sets miss."""
    before = latency[0]
    missing = latency > LEAST_MISSING * before
    if missing.sum() < FEWEST:
        return size, behind
    slope, plateau = np.polyfit(1 / sizes[missing], latency[missing], 1)
    fitted = -slope / (plateau - before) if plateau > before else 0.0
    return (float(fitted), float(plateau)) if sizes[0] / 2 < fitted < sizes[-1] else (size, behind)


def _rises(x: Array, y: Array) -> list[tuple[int, int]]:
    """First and last point of each rise."""
    rising = np.diff(y) > RISING * np.diff(x)
    rises: list[tuple[int, int]] = []
    for i in np.flatnonzero(rising):
        if rises and x[i] - x[rises[-1][1]] <= SHORT:
            rises[-1] = (rises[-1][0], int(i) + 1)
        else:
            rises.append((int(i), int(i) + 1))
    return rises
