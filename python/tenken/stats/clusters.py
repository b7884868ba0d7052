"""Which of many things lie together, from the times between all pairs: levels of distance, and groups within each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tenken.stats.space import Array

GAP = 0.12  # of the logarithm: two levels of distance differ by this much at least
FEWEST_PAIRS = 2  # a gap that cuts off a single pair is a slow pair, not a level
INSIDE = 0.9  # of the pairs inside a group are no farther apart than its level, or it is none


@dataclass(frozen=True, slots=True)
class Level:
    """Groups of a partition; `inside` is the median time between members of a group."""

    groups: tuple[tuple[int, ...], ...]  # members in order, groups by their first member; single ones are left out
    inside: float
    farthest: float  # time up to which two belong together


def levels(times: Array) -> tuple[Level, ...]:
    """Partitions from the closest groups to all together; the last partition holds everything.

    times: (n, n) positive and symmetric, NaN where not measured. Gaps in the sorted logarithms of the times part levels of
    distance. Up to such a gap two things belong together where they, and the median of all pairs of their groups (average
    linkage), are closer than it: a single fast or slow pair neither joins nor parts groups.
    """
    n = times.shape[0]
    logs = np.log(times)
    partitions: list[Level] = []
    for cut in _cuts(logs):
        groups = _linked(logs, cut)
        inside = np.concatenate([_between(logs, group, group) for group in groups if len(group) > 1] or [np.array([])])
        if inside.size < FEWEST_PAIRS or len(groups) == 1 or np.mean(inside <= cut) < INSIDE:
            continue
        members = tuple(tuple(group) for group in groups if len(group) > 1)
        if not partitions or partitions[-1].groups != members:
            partitions.append(Level(members, float(np.exp(np.median(inside))), float(np.exp(cut))))
    everything = _between(logs, list(range(n)), list(range(n)))
    if everything.size:
        partitions.append(Level((tuple(range(n)),), float(np.exp(np.median(everything))), float(np.exp(everything.max()))))
    return tuple(partitions)


def expected(times: Array, levels: tuple[Level, ...]) -> Array:
    """(n, n): for each pair the median time of all pairs that lie in the same level, NaN on the diagonal.

    The level of a pair is the closest level that has both in the same group.
    """
    n = times.shape[0]
    level_of = np.full((n, n), len(levels))
    for number in range(len(levels) - 1, -1, -1):
        for group in levels[number].groups:
            level_of[np.ix_(group, group)] = number
    result = np.full((n, n), np.nan)
    upper = np.triu(np.ones((n, n), dtype=bool), 1) & np.isfinite(times)
    for number in range(len(levels)):
        of_level = level_of == number
        if (of_level & upper).any():
            result[of_level] = np.median(times[of_level & upper])
    np.fill_diagonal(result, np.nan)
    return result


def _cuts(logs: Array) -> list[float]:
    """Middles of the gaps between levels, ascending."""
    values = np.sort(logs[np.triu_indices(logs.shape[0], 1)])
    values = values[np.isfinite(values)]
    gaps = np.diff(values)
    return [
        float((values[i] + values[i + 1]) / 2) for i in np.flatnonzero(gaps > GAP)
        if i + 1 >= FEWEST_PAIRS and values.size - i - 1 >= FEWEST_PAIRS
    ]


def _between(logs: Array, first: list[int], second: list[int]) -> Array:
    block = logs[np.ix_(first, second)]
    block = block[np.triu_indices(len(first), 1)] if first == second else block.ravel()
    return block[np.isfinite(block)]


def _linked(logs: Array, cut: float) -> list[list[int]]:
    """Groups that are joined, closest medians first, while the median between two is not beyond `cut`."""
    n = logs.shape[0]
    groups = [[i] for i in range(n)]
    distance = np.where(np.isfinite(logs), logs, np.inf)
    np.fill_diagonal(distance, np.inf)
    while len(groups) > 1:
        i, j = divmod(int(np.argmin(distance)), len(groups))
        if distance[i, j] > cut:
            break
        i, j = min(i, j), max(i, j)
        groups[i] = sorted(groups[i] + groups[j])
        del groups[j]
        distance = np.delete(np.delete(distance, j, 0), j, 1)
        for k, group in enumerate(groups):
            if k != i:
                pairs = _between(logs, groups[i], group)
                distance[i, k] = distance[k, i] = np.median(pairs) if pairs.size else np.inf
    return sorted(groups)
