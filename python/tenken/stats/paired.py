"""Two environments in pairs of launches: how much longer the second takes, and how sure that is.

The two launches of a pair share the minute, so their difference in logarithms is free of what drifts over the sitting. Over
the pairs of a quantity the trimmed mean is taken (Tukey and McLaughlin, Sankhya A 25 (1963) 331; of pairs: Yuen, Biometrika
61 (1974) 165): a neighbour that hits one launch moves neither the mean nor, much, its standard error. Six pairs alone know
their scatter badly, so it is moderated over alike quantities (moderated.py).
Arrays are (..., quantities), leading axes independent comparisons. Positive is worse: the second takes longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats.moderated import variances
from tenken.stats.nested import mean
from tenken.stats.tails import t_quantile

Array = NDArray[np.float64]

TRIMMED = 0.2  # of the pairs, at each end: none of 4, 1 of 5 to 9, 2 of 10 to 14


@dataclass(frozen=True, slots=True)
class Paired:
    effect: Array  # second over first, in logarithms; NaN where no pair is known
    sigma: Array  # its standard error
    df: Array
    pairs: Array


def paired(
    differences: Array, group: NDArray[np.int64], together: NDArray[np.bool_], floor: Array, guess: Array, guess_df: float
) -> Paired:
    """`differences` of shape (..., quantities, pairs): logarithm of second over first, NaN where a pair does not tell.

    group, together, guess, guess_df: as in `moderated.variances`, of one pair. floor (quantities,): no standard deviation
    of a pair is below.
    """
    count = (~np.isnan(differences)).sum(axis=-1)
    cut = np.floor(TRIMMED * count + 1e-9).astype(int)
    ordered = np.sort(differences, axis=-1)  # NaN last
    place = np.arange(differences.shape[-1])
    inside = (place >= cut[..., None]) & (place < (count - cut)[..., None])
    effect = mean(np.where(inside, ordered, np.nan))
    low, high = (_at(ordered, index) for index in (cut, count - cut - 1))
    drawn_in = np.clip(ordered, low, high)  # winsorised: the trimmed ones count as the outermost that are kept
    residuals = drawn_in - mean(drawn_in)[..., None]
    kept = (count - 2 * cut).astype(float)
    variance, df = variances(residuals, kept - 1, group, together, guess, guess_df)
    with np.errstate(divide="ignore"):
        sigma = np.sqrt(np.maximum(variance, floor**2) / kept)
    return Paired(effect, sigma, df, count.astype(float))


def limit(found: Paired, tail: Array) -> Array:
    """What the effect exceeds with probability `tail` where both environments are alike."""
    result: Array = t_quantile(tail, found.df) * found.sigma
    return result


def detectable(found: Paired, tail: Array, least: Array) -> Array:
    """Smallest effect, in logarithms, that these very pairs would have shown in at least 8 of 10 cases.

    Found is what is at least `least` and above `limit`. The estimate lies above either with 90 % where the effect exceeds it
    by the 90 % quantile of its error; what is over 80 % is for noise that is not normal.
    """
    return np.maximum(limit(found, tail), least) + limit(found, np.asarray(0.1))


def interval(found: Paired, confidence: float = 0.95) -> tuple[Array, Array]:
    half = limit(found, np.asarray((1 - confidence) / 2))
    return found.effect - half, found.effect + half


def _at(ordered: Array, index: NDArray[np.int64]) -> Array:
    """The order statistics number `index` (from 0), shape (..., quantities, 1); NaN where there are none."""
    return np.take_along_axis(ordered, np.clip(index, 0, ordered.shape[-1] - 1)[..., None], axis=-1)
