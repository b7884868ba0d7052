"""Confidence interval of a median without assuming a distribution."""

from __future__ import annotations

from math import comb, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

EXACT_UP_TO = 200  # samples; beyond, the binomial is normal to better than an order statistic


def median_interval(samples: ArrayLike, confidence: float = 0.95) -> tuple[float, float] | None:
    """Narrowest symmetric pair of order statistics that holds the median with at least `confidence`.

    x_(k) and x_(n+1-k) miss it with probability 2 P(Binomial(n, 1/2) < k) (David and Nagaraja, Order Statistics,
    section 7.1). None where even minimum and maximum do not reach it (fewer than 6 samples for 95 %).
    """
    ordered = np.sort(np.asarray(samples, dtype=float))
    n = ordered.size
    left_out = _left_out(n, confidence)
    if left_out == 0:
        return None
    return float(ordered[left_out - 1]), float(ordered[n - left_out])


def _left_out(n: int, confidence: float) -> int:
    """The largest k with 2 P(Binomial(n, 1/2) < k) <= 1 - confidence."""
    if n > EXACT_UP_TO:
        return int(n / 2 - NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(n) / 2)
    k, outcomes = 0, 1  # outcomes: how many of the 2^n have at most k heads
    while 2 * outcomes <= (1 - confidence) * 2**n:
        k += 1
        outcomes += comb(n, k)
    return k
