"""Times between all pairs, split into the cost of the two ends and the cost of the path between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats.nested import middle
from tenken.stats.robust import residual_sigma
from tenken.stats.space import EFFICIENCY, MEDIAN_VARIANCE, Array, slow_peers
from tenken.stats.tails import student_limit

FEWEST_ENDS = 5  # of three nodes a bad path looks like two bad nodes, of four the two fits are equally good
ROUNDS = 80
SPREAD_FLOOR = 0.02  # of the logarithm of a pair's time: clock and scheduler
FLOOR_FREEDOM = 2.0  # degrees of freedom that this is worth: a few pairs cannot tell their own spread
SETTLED = 1e-7  # of the logarithm


@dataclass(frozen=True, slots=True)
class Fit:
    """ln t_ij = level + end_i + end_j + path_ij."""

    level: float
    end: Array  # (n,), median 0
    path: Array  # (n, n), symmetric, NaN where not measured


@dataclass(frozen=True, slots=True)
class Guilt:
    ends: tuple[int, ...]  # bad ends, worst first
    end_limit: float  # of the score of an end
    end_score: Array
    paths: tuple[tuple[int, int], ...]  # bad paths, worst first
    path_limit: float  # of the logarithm
    spread: float  # of the paths


def median_polish(times: Array) -> Fit:
    """Robust fit of an additive table (J. W. Tukey, Exploratory Data Analysis (1977) ch. 11), always symmetric.

    times: (n, n) positive and symmetric, NaN on the diagonal and where a pair did not meet.
    """
    y = np.log(times)
    end = np.zeros(y.shape[0])
    for _ in range(ROUNDS):
        rest = middle(y - end)
        step = 0.5 * (rest - np.median(rest) - end)
        end += step
        if np.abs(step).max() < SETTLED:
            break
    end -= np.median(end)
    centred = y - end[:, None] - end[None, :]
    level = float(np.nanmedian(centred))
    return Fit(level, end, centred - level)


def guilty_pairs(fit: Fit, rate: float, least_effect: float) -> Guilt:
    """Bad ends and bad paths, one-sided; anything is named with probability `rate` in a clean table.

    An end is bad where it is slow against the other ends (`slow_peers`); a path where it is slower than its two ends
    explain by more than the spread of all paths allows, Student's t. Its degrees of freedom are those of the MAD of
    the residuals beside the ends; the spread is moderated by its floor as in `equal_peers`.
    """
    n = fit.end.size
    upper = np.triu_indices(n, 1)
    rest = fit.path[upper]
    known = rest[np.isfinite(rest)]
    freedom = EFFICIENCY * max(known.size - n, 0)
    moderated = (FLOOR_FREEDOM * SPREAD_FLOOR**2 + freedom * residual_sigma(known, n) ** 2) / (FLOOR_FREEDOM + freedom)
    spread = max(moderated**0.5, SPREAD_FLOOR)
    met = max(known.size / n * 2, 1.0)  # partners of each end
    ends = slow_peers(fit.end[None, :], rate / 2 / n, least_effect, spread * np.sqrt(MEDIAN_VARIANCE / met))
    limit = max(student_limit(rate / 2 / known.size, FLOOR_FREEDOM + freedom) * spread, least_effect)
    bad = [int(i) for i in np.argsort(-fit.end) if ends.named[0, i]]
    order = [int(i) for i in np.argsort(-np.nan_to_num(rest, nan=-np.inf)) if rest[i] > limit]
    paths = tuple((int(upper[0][i]), int(upper[1][i])) for i in order)
    return Guilt(tuple(bad), float(ends.limit[0]), ends.score[0], paths, limit, spread)


def pair_table(n: int, pairs: NDArray[np.int64], times: Array) -> Array:
    """(n, n) symmetric table of the median time of each pair; pairs (k, 2), times (k,)."""
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    key = low * n + high
    order = np.argsort(key, kind="stable")
    cells, start = np.unique(key[order], return_index=True)
    table = np.full((n, n), np.nan)
    for cell, values in zip(cells, np.split(times[order], start[1:]), strict=True):
        table[cell // n, cell % n] = table[cell % n, cell // n] = np.median(values)
    return table
