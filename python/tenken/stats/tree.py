"""Times between all pairs of ends that lie in groups (switches of a tree), which are learned from the times.

Two ends of a group are nearer than others are. The part common to all pairs of a level is taken off; then a path stands out from
its two ends as in a flat network, and paths that agree are joined as the group that they lead to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tenken.stats.pairs import Fit, Guilt, guilty_pairs, median_polish
from tenken.stats.robust import MAD_TO_SIGMA
from tenken.stats.space import Array

GAP = 0.12  # of the logarithm: two levels of distance differ by this much at least,
CLEAR = 4.0  # and by so many spreads of their residuals
CUTS, ROUNDS = 12, 3  # distances that are tried as the limit of a group, and how often the best of them is made finer
LEVELS = 3
FEWEST_NEAR = 3  # pairs inside groups, and between them
LIKE = 0.5  # of the ends that are near to either of two: both lie in the same group
WELL = 0.85  # of the pairs inside groups are near, of those between them far
COVERED = 0.75  # of the ends lie in groups, else they are no order of the network
AGREEING = 0.5  # of the paths of a group that must be bad
FEWEST_AGREEING = 4  # paths, and ends of a group that no level shows
# Of the sum of two bad ends: a path shorter by that much shows that they share a part, or the way out.
SHARED, SHARED_OUT = 0.25, 0.75
Groups = tuple[tuple[int, ...], ...]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Tree:
    fit: Fit  # of the times without the part that levels have in common
    like: Array  # (n, n) factor that a pair takes by its level
    levels: tuple[Groups, ...]  # in the order of detection; groups of two or more ends


@dataclass(frozen=True, slots=True)
class SlowGroup:
    """Ends that lie together, and their slow paths: to others, to each other, or to a single `other` group."""

    members: tuple[int, ...]
    other: tuple[int, ...]
    outside: bool
    inside: bool
    effect: float  # logarithm of slow/normal
    paths: int  # that agree


@dataclass(frozen=True, slots=True)
class TreeGuilt:
    guilt: Guilt  # ends and paths that no group explains
    groups: tuple[SlowGroup, ...]


def tree_of(times: Array) -> Tree:
    """times: (n, n) positive and symmetric, NaN on the diagonal and where a pair did not meet."""
    like = np.ones(times.shape)
    levels: list[Groups] = []
    even = _with_ways_out_as_ends(times)
    fit = median_polish(even)
    while len(levels) < LEVELS:
        candidate = _clearest(fit.path)
        if candidate is None or not _nested(candidate[0], levels):
            break
        groups, share = candidate
        levels.append(groups)
        like *= np.exp(share)
        fit = median_polish(even / like)
    return Tree(median_polish(times / like), like, tuple(levels))


def _with_ways_out_as_ends(times: Array) -> Array:
    """`times`, where ends that share a slow part are as slow to each other as independent bad ends would be.

    They are near to each other by the shared part, the way out or all of it: a level must not be learned from that.
    """
    fit = median_polish(times)
    cost = np.where(fit.end > GAP, fit.end, np.nan)
    both = cost[:, None] + cost[None, :]
    with np.errstate(invalid="ignore"):
        part = np.where(fit.path < -SHARED_OUT * both, 1.0, np.where(fit.path < -SHARED * both, 0.5, 0.0))
    return times * np.exp(part * np.nan_to_num(both))


def _nested(groups: Groups, levels: list[Groups]) -> bool:
    """Whether groups lie in groups, or hold them: a group that crosses known groups is chance."""
    known = [set(group) for level in levels for group in level]
    return all(set(group) <= ends or ends <= set(group) or not ends & set(group) for group in groups for ends in known)


def guilty_in_tree(tree: Tree, rate: float, least_effect: float) -> TreeGuilt:
    """Bad ends and paths as in `guilty_pairs`; those that a group explains are named as the group."""
    guilt = guilty_pairs(tree.fit, rate, least_effect)
    groups = sorted({group for level in tree.levels for group in level}, key=lambda group: (-len(group), group))
    slow_groups: list[SlowGroup] = []
    for group in groups:
        slow = _reached_slowly(tree.fit, guilt, group, least_effect)
        if slow is not None:
            slow_groups.append(slow)
            guilt = replace(guilt, ends=tuple(end for end in guilt.ends if end not in group))
    for group in _sharing(tree.fit, guilt.ends):
        slow_groups.append(_slow(tree.fit, group, len(group), least_effect, _nearer(tree, group)))
        guilt = replace(guilt, ends=tuple(end for end in guilt.ends if end not in group))
    for number, group in enumerate(groups):
        for other in (other for other in groups[number:] if other == group or not set(other) & set(group)):
            inside = [pair for pair in guilt.paths if _joins(pair, group, other)]
            possible = _paths_between(tree.fit, group, other)
            if len(inside) >= max(FEWEST_AGREEING, AGREEING * possible):
                effect = float(np.median([tree.fit.path[pair] for pair in inside]))
                slow_groups.append(SlowGroup(group, other if other != group else (), False, other == group, effect, len(inside)))
                guilt = replace(guilt, paths=tuple(pair for pair in guilt.paths if pair not in set(inside)))
    return TreeGuilt(guilt, tuple(slow_groups))


def _reached_slowly(fit: Fit, guilt: Guilt, group: tuple[int, ...], least_effect: float) -> SlowGroup | None:
    """Where at least half of the ends of a group are bad, two or more, and others are not, the group is."""
    bad = [end for end in group if end in guilt.ends]
    if len(bad) < 2 or len(bad) < AGREEING * len(group) or 2 * len(group) > fit.end.size:
        return None
    return _slow(fit, group, len(bad), least_effect)


def _nearer(tree: Tree, group: tuple[int, ...]) -> float:
    """How much nearer the ends of a healthy group are that no level shows, as a logarithm: as in the groups of this size."""
    sizes = [len(level) for level in tree.levels[0]] if tree.levels else [0]
    return float(np.log(tree.like.min())) if len(group) <= max(sizes) else 0.0


def _slow(fit: Fit, group: tuple[int, ...], bad: int, least_effect: float, nearer: float = 0.0) -> SlowGroup:
    """A group of which `bad` ends are slow to all others. `nearer`: the rest of a healthy group in the paths of `fit`."""
    effect = float(np.median(fit.end[list(group)]))
    block = fit.path[np.ix_(group, group)] + fit.end[list(group), None] + fit.end[None, list(group)]
    inside = float(np.nanmedian(block)) - nearer
    return SlowGroup(group, (), True, inside > least_effect, effect, bad * (fit.end.size - len(group)))


def _sharing(fit: Fit, ends: tuple[int, ...]) -> Groups:
    """Bad ends that share a slow part, where no level shows it: between two of them it is not paid twice."""
    if len(ends) < FEWEST_AGREEING:
        return ()
    at = np.array(sorted(ends))
    both = fit.end[at][:, None] + fit.end[at][None, :]
    with np.errstate(invalid="ignore"):
        shared = fit.path[np.ix_(at, at)] < -SHARED * both
    groups = (tuple(int(at[index]) for index in group) for group in _blocks(shared))
    return tuple(group for group in groups if len(group) >= FEWEST_AGREEING and 2 * len(group) <= fit.end.size)


def _joins(pair: tuple[int, int], group: tuple[int, ...], other: tuple[int, ...]) -> bool:
    i, j = pair
    return (i in group and j in other) or (j in group and i in other)


def _paths_between(fit: Fit, group: tuple[int, ...], other: tuple[int, ...]) -> float:
    met = np.isfinite(fit.path[np.ix_(group, other)]).sum()
    return float(met) / 2 if group == other else float(met)


def _clearest(rest: Array) -> tuple[Groups, Array] | None:
    """The groups that best tell near pairs from far ones, and (n, n) the time of pairs inside them; None where none do."""
    known = np.triu(np.isfinite(rest), 1)
    if known.sum() < 2 * rest.shape[0]:
        return None
    tried = [_split(rest, known, float(cut)) for cut in np.unique(np.quantile(rest[known], np.linspace(0.02, 0.9, CUTS)))]
    best = max((split for split in tried if split is not None), key=lambda split: split.clear, default=None)
    for _ in range(ROUNDS if best is not None else 0):
        assert best is not None
        finer = _split(rest, known, best.middle)  # half way from the near to the far
        best = finer if finer is not None and finer.clear >= min(CLEAR, best.clear) else best
    if best is None or best.apart < GAP or best.clear < CLEAR:
        return None
    return best.groups, np.where(best.inside, -best.apart, 0.0)


@dataclass(frozen=True, slots=True)
class _Split:
    groups: Groups
    inside: Mask  # (n, n) pairs inside a group
    apart: float  # far pairs are by so much farther than near ones
    clear: float  # the same in spreads of the residuals
    middle: float


def _split(rest: Array, known: Mask, cut: float) -> _Split | None:
    """Groups of pairs nearer than `cut`; None where they are no order of the network."""
    groups = _blocks(np.where(np.isfinite(rest), rest, np.inf) < cut)
    inside = np.zeros(rest.shape, dtype=bool)
    for group in groups:
        inside[np.ix_(group, group)] = True
    near, far = rest[inside & known], rest[~inside & known]
    if sum(map(len, groups)) < COVERED * len(rest) or near.size < FEWEST_NEAR or far.size < FEWEST_NEAR:
        return None
    if min(np.mean(near < cut), np.mean(far >= cut)) < WELL:
        return None
    low, high = float(np.median(near)), float(np.median(far))
    spread = MAD_TO_SIGMA * float(np.median(np.abs(np.concatenate([near - low, far - high]))))
    return _Split(groups, inside, high - low, (high - low) / max(spread, 1e-9), (low + high) / 2)


def _blocks(near: Mask) -> Groups:
    """Ends whose near ends are nearly the same; single ones are left out. `near`: diagonal False."""
    n = near.shape[0]
    links = (near | np.eye(n, dtype=bool)).astype(float)
    common = links @ links.T
    degree = links.sum(axis=1)
    together = common >= LIKE * (degree[:, None] + degree[None, :] - common)
    group = np.full(n, -1)
    for end in np.argsort(-degree, kind="stable"):
        if group[end] < 0:
            group[together[end] & (group < 0)] = end
    for _ in range(ROUNDS):  # each end to the group that most of whose ends are near to it, as long as half of them are
        members = group[:, None] == np.arange(n)
        size = np.maximum(members.sum(axis=0) - members, 1)  # without the end itself
        share = np.where(members.any(axis=0), near @ members.astype(float) / size, 0.0)
        group = np.where(share.max(axis=1) >= LIKE, share.argmax(axis=1), np.arange(n))
    blocks = (tuple(int(index) for index in np.flatnonzero(group == label)) for label in np.unique(group))
    return tuple(sorted(block for block in blocks if len(block) > 1))
