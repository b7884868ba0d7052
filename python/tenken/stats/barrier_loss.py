"""The time that a barrier of many ranks loses to detours: it waits for the rank that met the longest detour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tenken.stats.space import Array


def barrier_loss(rates: Array, shares: Array, quantum: float, ranks: Sequence[int]) -> Array:
    """Mean time that a barrier after each quantum of work loses, over the quantum; (len(ranks),).

    rates: (cores, bins) detours a second of watched time by their size; shares: (cores, bins) of that time that they took;
    quantum: s of undisturbed work. Each rank draws its quantum from any core, independently of the others: the mean of the
    maximum over P such draws, the limit of resampling (T. Hoefler, T. Schneider, A. Lumsdaine, SC10).
    """
    work = 1 - shares.sum(axis=1, keepdims=True)  # of the watched time: the time left for quanta
    chance = np.where(work > 0, rates * quantum / np.maximum(work, 1e-12), 0).mean(axis=0)  # of a quantum to meet such a detour
    counted = rates.sum(axis=0)
    length = np.divide(shares.sum(axis=0), counted, out=np.zeros_like(counted), where=counted > 0)  # s, mean of each size
    order = np.argsort(length)
    length, chance = length[order], np.minimum(chance[order], 1.0)
    above = np.minimum(np.cumsum(chance[::-1])[::-1], 1.0)  # of a detour of this size or longer
    at_most = np.append(1 - above[1:], 1.0)  # of none longer
    losses = []
    for count in ranks:
        up_to = at_most**count
        losses.append(float(np.sum(length * np.diff(np.concatenate([[(1 - above[0]) ** count], up_to])))) / quantum)
    return np.array(losses)
