"""The imbalance of equal but noisy ranks, so that a really slow rank stands out from chance."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from tenken.base.rows import Rows, of_rows, sigma
from tenken.stats.robust import median

# Standard error of a median of normal samples against that of their mean: sqrt(pi/2).
MEDIAN_ERROR = 1.2533
# Memory longer than this looks like a drift in as few samples as a launch has.
MAX_AUTOCORRELATION = 0.95


def noise_limit(relative_sigma: float, n: int, ranks: int, alpha: float, autocorrelation: float = 0.0) -> float:
    """Imbalance (max/mean of medians) that `ranks` equal ranks exceed with probability `alpha`.

    relative_sigma: standard deviation of a sample / median; n: samples a rank.
    Standard error of each median: s = 1.2533 sigma/sqrt(n) x sqrt((1 + r)/(1 - r)), r the lag-1 autocorrelation
    (effective sample size of an AR(1) series, Bayley and Hammersley 1946). A rank differs from the mean of all by
    s sqrt(1 - 1/R), and the largest of R normals stays below Phi^-1((1 - alpha)^(1/R)) with probability 1 - alpha
    (David and Nagaraja, Order Statistics, ch. 2).
    """
    if ranks < 2 or n < 1:
        return 1.0
    r = min(max(autocorrelation, 0.0), MAX_AUTOCORRELATION)
    error = MEDIAN_ERROR * relative_sigma / sqrt(n) * sqrt((1 + r) / (1 - r))
    highest = NormalDist().inv_cdf((1 - alpha) ** (1 / ranks))
    return 1.0 + highest * error * sqrt(1 - 1 / ranks)


def imbalance_limit(samples: ArrayLike, alpha: float) -> float:
    """`noise_limit` for samples of shape (ranks, repetitions) in time order.

    Noise and autocorrelation are the medians over ranks of each rank's own, so that a single sick rank does not
    widen the limit that shall find it.
    """
    values = np.asarray(samples, dtype=float)
    return rows_limit(of_rows(values), alpha) if values.shape[0] > 1 else 1.0


def rows_limit(rows: Rows, alpha: float) -> float:
    """The same from the figures of each rank, all of the same number of samples."""
    ranks = rows.median.size
    middle = median(rows.median)
    if ranks < 2 or middle <= 0:
        return 1.0
    relative = median(sigma(rows.mad, rows.count)) / middle
    return noise_limit(relative, int(rows.count[0]), ranks, alpha, median(rows.memory))
