"""The guilty place in a machine of nodes, NUMA domains and ranks: one answer for all sections together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tenken.stats.space import FEWEST, Array, SlowPeers, slow_peers

LEVELS = ("node", "numa", "rank")
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Guilty:
    """One slow place. Rows are sections in the order given, and last the sum of all of them."""

    level: str  # node | numa | rank
    unit: int  # label of the place on its level
    rows: tuple[int, ...]  # in which it was found slow, worst first
    effect: tuple[float, ...]  # logarithm of slow/normal, of every row
    score: float  # of the worst row, in standard errors
    limit: float
    spread: float  # of a good peer in that row
    peers: int


@dataclass(frozen=True, slots=True)
class Level:
    """How the ranks fall into the units of one level."""

    name: str
    label: Labels  # unit of each rank


def levels_of(node: Labels, numa: Labels) -> list[Level]:
    """The levels that differ from each other: with one rank a node only nodes are compared.

    `node` and `numa`: label of each rank; NUMA labels are unique over nodes.
    """
    levels = [Level("node", node), Level("numa", numa), Level("rank", np.arange(node.size))]
    kept: list[Level] = []
    for level in levels:
        units = np.unique(level.label).size
        if units > 1 and all(units != np.unique(one.label).size for one in kept):
            kept.append(level)
    return kept


def guilty(ns: Array, levels: list[Level], rate: float, least_effect: float) -> list[Guilty]:
    """Slow places, coarsest level first; what a coarser place explains is not looked at again.

    ns: (launches, sections, ranks) medians of one launch each, all positive. Each launch is centred on its own median
    (effects common to all nodes fall out), then the median over launches counts. A coarse place has the value of the
    lower median of its parts: it is slow where at least half of them are. `rate`: probability that anything is named
    in a clean case; half of it is for the sum of all sections, half is shared by the sections (Bonferroni, so that
    sections may be correlated), both evenly over all places.
    """
    total = ns.sum(axis=1, keepdims=True)
    logs = np.log(np.concatenate([ns, total], axis=1))
    share = rate / 2 / max(sum(np.unique(level.label).size for level in levels), 1)
    alpha = np.full(logs.shape[1], share / ns.shape[1])
    alpha[-1] = share
    free = np.ones(ns.shape[2], dtype=bool)
    found: list[Guilty] = []
    for depth, level in enumerate(levels):
        units, label = np.unique(level.label[free], return_inverse=True)
        if units.size < FEWEST:
            continue
        values = _lower_median(logs[:, :, free], label, units.size)
        values -= np.median(values, axis=2, keepdims=True)
        y = np.median(values, axis=0)
        independent = np.unique(levels[0].label[free]).size
        answer = slow_peers(y, alpha, least_effect, _launch_error(values, y), independent)
        here = [_guilty(level, units, answer, column) for column in np.flatnonzero(answer.named.any(axis=0))]
        for coarser in levels[:depth]:
            here = _joined(here, level, coarser)
        found += here
        for one in here:
            free &= next(each.label for each in levels if each.name == one.level) != one.unit
    return found


def _guilty(level: Level, units: Labels, answer: SlowPeers, column: int) -> Guilty:
    rows = np.flatnonzero(answer.named[:, column])
    rows = rows[np.argsort(-answer.score[rows, column], kind="stable")]
    return Guilty(
        level=level.name,
        unit=int(units[column]),
        rows=tuple(int(row) for row in rows),
        effect=tuple(float(one) for one in answer.effect[:, column]),
        score=float(answer.score[rows[0], column]),
        limit=float(answer.limit[rows[0]]),
        spread=float(answer.spread[rows[0]]),
        peers=int(units.size),
    )


def _joined(found: list[Guilty], level: Level, coarser: Level) -> list[Guilty]:
    """The same with the parts of a coarser place joined where two or more, and at least half of them, are slow."""
    groups: dict[int, list[Guilty]] = {}
    kept: list[Guilty] = []
    for one in found:
        if one.level == level.name:
            groups.setdefault(int(coarser.label[level.label == one.unit][0]), []).append(one)
        else:
            kept.append(one)
    for unit, parts in groups.items():
        size = np.unique(level.label[coarser.label == unit]).size
        if len(parts) < 2 or 2 * len(parts) < size:
            kept += parts
            continue
        clearest = max(parts, key=lambda part: part.score - part.limit)
        effect = tuple(float(row) for row in np.median([part.effect for part in parts], axis=0))
        peers = np.unique(coarser.label).size
        kept.append(replace(clearest, level=coarser.name, unit=unit, effect=effect, peers=int(peers)))
    return kept


def _lower_median(logs: Array, label: Labels, units: int) -> Array:
    """(launches, rows, units): the lower median over the ranks of each unit."""
    sizes = np.bincount(label, minlength=units)
    if (sizes == sizes[0]).all():
        order = np.argsort(label, kind="stable")
        parts = logs[:, :, order].reshape(*logs.shape[:2], units, sizes[0])
        middle = (sizes[0] - 1) // 2
        return np.partition(parts, middle, axis=3)[..., middle].copy()
    columns = [np.sort(logs[:, :, label == unit], axis=2)[..., (sizes[unit] - 1) // 2] for unit in range(units)]
    return np.stack(columns, axis=2)


def _launch_error(values: Array, y: Array) -> Array:
    """Standard error of a median over launches, from the scatter of the places between launches; 0 for one launch."""
    launches = values.shape[0]
    if launches < 2:
        return np.zeros(y.shape[0])
    # Of two values about their median only half of the deviations are free.
    scatter = np.sqrt(np.median((values - y) ** 2, axis=(0, 2)) * launches / (launches - 1)) * 1.4826
    return np.asarray(np.sqrt(np.pi / 2 / launches) * scatter)
