"""Figures of many rows of samples at once: a rank's figures where the samples of all ranks are too many.

Plain twins of each figure are in `stats`; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# 1/Phi^-1(3/4): scales the MAD of a normal distribution to its standard deviation
# (Rousseeuw and Croux, J. Am. Stat. Assoc. 88 (1993) 1273).
MAD_TO_SIGMA = 1.4826
OUTLYING, LEAST_EXCESS = 5.0, 0.02  # spreads above the median, and part of it: a longer sample was visibly interrupted
CLIPPED = 3.0  # sigma around the median, beyond which a sample does not count for the memory of a row


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Of each row; all of shape (rows,), times in the unit of the samples."""

    count: Array  # of samples
    sum: Array
    median: Array
    mad: Array  # not scaled
    least: Array
    low: Array  # 10 % quantile (type 7 of Hyndman and Fan)
    high: Array  # 90 % quantile
    outlying: Array  # excess of the outliers over the median, in all
    memory: Array  # lag-1 autocorrelation

    @property
    def loss(self) -> Array:
        """Time that the median does not see: sum/(count x median) - 1; 0 where the median is 0."""
        return loss(self.count, self.sum, self.median)


def loss(count: Array, total: Array, median: Array) -> Array:
    seen = count * median
    return np.divide(total, seen, out=np.ones(np.shape(seen)), where=seen > 0) - 1.0


def sigma(mad: Array, count: Array) -> Array:
    """Standard deviation of normal noise from a MAD, with its small-sample factor n/(n - 0.8) (stats.robust.mad_sigma)."""
    return np.where(count > 1, MAD_TO_SIGMA * mad * (count / np.maximum(count - 0.8, 0.2)), 0.0)


def of_rows(samples: Array) -> Rows:
    """samples: (rows, repetitions) in time order, none missing, at least 1 repetition."""
    rows, n = samples.shape
    count = np.full(rows, float(n))
    ordered = np.sort(samples, axis=1)
    median = _middle(ordered)
    away = samples - median[:, None]
    mad = _middle(np.sort(np.abs(away), axis=1))
    beyond = np.maximum(OUTLYING * MAD_TO_SIGMA * mad, LEAST_EXCESS * median)
    return Rows(
        count, samples.sum(axis=1), median, mad, ordered[:, 0], _quantile(ordered, 0.1), _quantile(ordered, 0.9),
        np.where(away > beyond[:, None], away, 0.0).sum(axis=1), _memory(away, CLIPPED * sigma(mad, count)),
    )


def medians(samples: Array) -> Array:
    """Along the last axis, NaN counts as none: for few samples a tenth of the time of numpy.nanmedian."""
    ordered = np.sort(samples, axis=-1)
    missing = np.isnan(ordered)
    if not missing[..., -1:].any():
        n = ordered.shape[-1]
        return np.asarray((ordered[..., (n - 1) // 2] + ordered[..., n // 2]) / 2)
    last = ordered.shape[-1] - missing.sum(axis=-1, keepdims=True) - 1  # -1, a NaN, where there is none
    ends = (np.take_along_axis(ordered, np.where(last < 0, -1, place), axis=-1) for place in (last // 2, (last + 1) // 2))
    return np.asarray((next(ends) + next(ends))[..., 0] / 2)


def _middle(ordered: Array) -> Array:
    n = ordered.shape[1]
    return (ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2


def _quantile(ordered: Array, probability: float) -> Array:
    n = ordered.shape[1]
    place = (n - 1) * probability
    below = int(place)
    above = min(below + 1, n - 1)
    return ordered[:, below] + (place - below) * (ordered[:, above] - ordered[:, below])


def _memory(away: Array, spread: Array) -> Array:
    """`away`: distances from the median of the row."""
    if away.shape[1] < 3:
        return np.zeros(away.shape[0])
    limit = np.where(spread > 0, spread, np.inf)[:, None]
    centred = np.clip(away, -limit, limit)
    centred -= centred.mean(axis=1, keepdims=True)
    power = np.einsum("ij,ij->i", centred, centred)
    together = np.einsum("ij,ij->i", centred[:, :-1], centred[:, 1:])
    return np.divide(together, power, out=np.zeros(away.shape[0]), where=power > 0)
