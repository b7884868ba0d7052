"""Robust location, scale, shape and loss of samples. All functions are pure; arrays are one-dimensional and not empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tenken.base.rows import MAD_TO_SIGMA as MAD_TO_SIGMA
from tenken.stats.tails import Array


def median(samples: ArrayLike) -> float:
    """Middle order statistic; the mean of the two middle ones for an even number."""
    ordered = np.array(samples, dtype=float)
    ordered.sort()  # a tenth of the time of np.median, where samples are few
    middle = ordered.size // 2
    if ordered[-1] != ordered[-1]:  # NaN stands at the end
        return float("nan")
    return float(ordered[middle] if ordered.size % 2 else (ordered[middle - 1] + ordered[middle]) / 2)


def mad(samples: ArrayLike) -> float:
    """Median absolute deviation from the median, median(|x - median(x)|), not scaled."""
    values = np.asarray(samples, dtype=float)
    return median(np.abs(values - median(values)))


@dataclass(frozen=True, slots=True)
class Spread:
    """Middle and spread of samples."""

    median: float
    mad: float  # not scaled
    loss: float  # time that the median does not see: sum/(n x median) - 1; 0 where the median is 0
    jitter: float  # spread of a typical sample: MAD/median; 0 where the median is 0


def spread(samples: ArrayLike) -> Spread:
    values = np.asarray(samples, dtype=float)
    middle = median(values)
    away = median(np.abs(values - middle))
    seen = values.size * middle
    return Spread(
        middle, away, float(values.sum()) / seen - 1.0 if seen > 0 else 0.0, away / middle if middle > 0 else 0.0,
    )


def mad_sigma(samples: ArrayLike) -> float:
    """The MAD scaled to estimate the standard deviation of normal noise: 1.4826 x MAD x n/(n - 0.8).

    The last factor removes most of the small-sample bias (Croux and Rousseeuw, Compstat 1992, p. 411).
    """
    n = np.asarray(samples).size
    return MAD_TO_SIGMA * mad(samples) * (n / (n - 0.8) if n > 1 else 0.0)


def residual_sigma(residuals: ArrayLike, fitted: int) -> float:
    """Standard deviation of normal noise from the residuals of a fit by medians of `fitted` parameters.

    Such a fit makes about `fitted` residuals zero, and the median of all of them says too little: a median polish leaves
    42 % of the truth from the 10 pairs of 5 nodes, 96 % from those of 64. The smallest `fitted` - 1 are left out, as
    R. W. Hill and P. W. Holland do (J. Am. Stat. Assoc. 72 (1977) 828): 1.4826 x the median of the other |r|.
    """
    ordered = np.sort(np.abs(np.asarray(residuals, dtype=float)))
    return MAD_TO_SIGMA * float(np.median(ordered[min(max(fitted - 1, 0), ordered.size - 1):]))


def quantiles(samples: ArrayLike, probabilities: Sequence[float]) -> tuple[float, ...]:
    """Linear-interpolation quantiles (type 7 of Hyndman and Fan, Am. Stat. 50 (1996) 361)."""
    return tuple(float(q) for q in np.quantile(np.asarray(samples, dtype=float), probabilities))


def imbalance(per_rank: ArrayLike) -> float:
    """max/mean over ranks (DeRose, Homer and Johnson, Euro-Par 2007); 1 where the mean is 0."""
    values = np.asarray(per_rank, dtype=float)
    mean = float(values.mean())
    return float(values.max()) / mean if mean > 0 else 1.0


def lag1_autocorrelation(samples: ArrayLike) -> float:
    """Correlation of neighbours in time, sum (x_i - m)(x_(i+1) - m) / sum (x_i - m)^2 (Box and Jenkins, ch. 2).

    Samples are clipped to 3 sigma (from the MAD) around the median first: a single outlier must not hide the memory
    of all the others. 0 for fewer than 3 samples or without spread.
    """
    values = np.asarray(samples, dtype=float)
    if values.size < 3:
        return 0.0
    spread = 3.0 * mad_sigma(values)
    if spread > 0:
        values = np.clip(values, median(values) - spread, median(values) + spread)
    centred: NDArray[np.float64] = values - values.mean()
    power = float(centred @ centred)
    return float(centred[:-1] @ centred[1:]) / power if power > 0 else 0.0


# Time that the median of a rank does not see, without the time that other load took from it. Pure.

def lost_time(more: Array, seen: Array, taken: Array) -> Array:
    """Loss of each section, and last of all of them together: (launches, sections + 1, ranks).

    more: elapsed - n x median, seen: n x median, both (launches, sections, ranks); taken (launches, sections + 1, ranks): time
    that other load may have added to each. A loss shrinks by it, but not below 0.
    """
    more = np.concatenate([more, more.sum(axis=1, keepdims=True)], axis=1)
    seen = np.concatenate([seen, seen.sum(axis=1, keepdims=True)], axis=1)
    own = np.where(more > 0, np.maximum(more - taken, 0.0), more)
    return np.divide(own, seen, out=np.zeros(more.shape), where=seen > 0)


def shares(taken: Array, seen: Array) -> Array:
    """`taken` in units of n x median; shapes as in `lost_time`."""
    whole = np.concatenate([seen, seen.sum(axis=1, keepdims=True)], axis=1)
    return np.divide(taken, whole, out=np.zeros(taken.shape), where=whole > 0)


def of_rank(values: Array) -> Array:
    """Of each rank the median over launches; values (launches, ranks)."""
    return np.asarray(np.median(values, axis=0))


# Thinning of a long series for drawing.

def thin(samples: ArrayLike, points: int) -> tuple[float, ...]:
    """At most `points` (>= 2) samples in time order that keep every visible extreme.

    The series is cut into points/2 equal stretches; each gives its minimum and maximum in the order they came.
    """
    values = np.asarray(samples, dtype=float)
    if values.size <= points:
        return tuple(values.tolist())
    size, longer = divmod(values.size, points // 2)  # the first stretches are longer by a sample
    thinned: list[float] = []
    for stretches in (values[: longer * (size + 1)].reshape(-1, size + 1), values[longer * (size + 1):].reshape(-1, size)):
        if stretches.size:
            ends = np.sort(np.stack([stretches.argmin(axis=1), stretches.argmax(axis=1)], axis=1), axis=1)
            extremes = np.take_along_axis(stretches, ends, axis=1)
            thinned += [value for (first, last), pair in zip(ends.tolist(), extremes.tolist(), strict=True)
                        for value in pair[: 1 if first == last else 2]]
    return tuple(thinned)
