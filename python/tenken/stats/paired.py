"""Two environments in pairs of launches: how much longer the second takes, and how sure that is.

The shift between the launches of both (shift.py) is robust against launches that a neighbour hit, and free of the part the two
launches of a pair share. Six pairs alone know their scatter badly, so it is moderated over alike quantities (moderated.py).
Arrays are (..., quantities), leading axes independent comparisons. Positive is worse: the second takes longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats.moderated import variances
from tenken.stats.shift import shift
from tenken.stats.tails import t_quantile

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Paired:
    effect: Array  # second over first, in logarithms; NaN where no pair is known
    sigma: Array  # its standard error
    df: Array
    pairs: Array


def paired(
    first: Array, second: Array, group: NDArray[np.int64], together: NDArray[np.bool_], floor: Array, guess: Array,
    guess_df: float,
) -> Paired:
    """`first` and `second` of shape (..., quantities, pairs): logarithms, worse is larger, NaN where a pair does not tell.

    group, together, guess, guess_df: as in `moderated.variances`, of a pair. floor (quantities,): no standard deviation
    of a pair is below.
    """
    lost = np.isnan(first) | np.isnan(second)
    effect, errors = shift(np.where(lost, np.nan, first), np.where(lost, np.nan, second))
    count = (~lost).sum(axis=-1).astype(float)
    variance, df = variances(errors, count - 1, group, together, guess, guess_df)
    with np.errstate(divide="ignore"):
        sigma = np.sqrt(np.maximum(variance, floor**2) / count)
    return Paired(effect, sigma, df, count)


def limit(paired: Paired, tail: Array) -> Array:
    """The limit that the effect exceeds with probability `tail` where both environments are alike."""
    result: Array = t_quantile(tail, paired.df) * paired.sigma
    return result


def detectable(paired: Paired, tail: Array, least: Array) -> Array:
    """Smallest effect, in logarithms, that these very pairs would have shown in at least 8 of 10 cases.

    Shown means at least `least` and above `limit`. The estimate lies above either with 90 % where the effect exceeds it
    by the 90 % quantile of its error; the excess over 80 % is for noise that is not normal.
    """
    return np.maximum(limit(paired, tail), least) + limit(paired, np.asarray(0.1))


def interval(paired: Paired, confidence: float = 0.95) -> tuple[Array, Array]:
    half = limit(paired, np.asarray((1 - confidence) / 2))
    return paired.effect - half, paired.effect + half
