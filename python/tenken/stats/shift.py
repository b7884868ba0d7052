"""By how much a sample of launches is above another that was made pair by pair with it: the shift of Hodges and Lehmann.

The median of all differences between launches of the two samples (Hodges and Lehmann, Ann. Math. Stat. 34
(1963) 598): for normal noise as sharp as the mean but for 5 %, and where a neighbour slows some launches much sharper, for
it takes them out against each other whichever pair they stand in. The common part of the launches of a pair, the minute of the
machine, is taken off before: its best linear prediction 2r/(1 + r) x (mean of the pair - median of these means), where r
is the correlation inside pairs, from the scatter of sums and differences (Gnanadesikan and Kettenring, Biometrics 28
(1972) 81). With r = 0 pairs do not matter, with r = 1 the Walsh averages of the differences inside pairs remain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats.nested import mean, middle, variances
from tenken.stats.tails import t_quantile

Array = NDArray[np.float64]

_AT_ONCE = 2_000_000  # differences in memory
_FURTHEST = 0.45  # from the median, in shares of the differences: few launches have no more


def shift(first: Array, second: Array) -> tuple[Array, Array]:
    """Shift of `second`, shape (...), and the part of each pair in its error, (..., pairs): their sample variance over the
    number of pairs is the variance of the shift.

    `first` and `second` (..., pairs); NaN where a pair does not tell, in either.
    """
    rows = first.reshape(-1, first.shape[-1]), second.reshape(-1, second.shape[-1])
    effects, errors = np.empty(len(rows[0])), np.empty(rows[0].shape)
    step = max(1, _AT_ONCE // first.shape[-1] ** 2)
    for begin in range(0, len(effects), step):
        part = slice(begin, begin + step)
        effects[part], errors[part] = _shift(rows[0][part], rows[1][part])
    return effects.reshape(first.shape[:-1]), errors.reshape(first.shape)


def _shift(first: Array, second: Array) -> tuple[Array, Array]:
    shared = _shared(first, second)
    from_all = (second - shared)[:, None, :] - (first - shared)[:, :, None]  # (rows, launch of first, launch of second)
    effect = middle(from_all.reshape(len(first), -1))
    about = from_all - effect[:, None, None]
    # The share of differences above the shift is, but for smaller terms, 1/2 + the mean over pairs of these ranks.
    rank = (mean(np.sign(about), axis=1) + mean(np.sign(about), axis=2)) / 2
    rank = rank - mean(rank)[:, None]
    pairs = (~np.isnan(rank)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.sqrt(np.nansum(rank**2, axis=1) / (pairs - 1) / pairs)
    share = np.clip(np.nan_to_num(share), 1e-6, _FURTHEST)
    # A standard error of the share either side lie the differences that are an error of the shift away
    # (Lehmann, Ann. Math. Stat. 34 (1963) 1507).
    ordered = np.sort(about.reshape(len(first), -1), axis=1)
    slope = (_quantile(ordered, pairs**2, 0.5 + share) - _quantile(ordered, pairs**2, 0.5 - share)) / (2 * share)
    return effect, rank * slope[:, None]


def _shared(first: Array, second: Array) -> Array:
    """The part of both launches of a pair that is due to their minute, (rows, pairs)."""
    sums, differences = (_scatter(combined) ** 2 for combined in (first + second, second - first))
    total = np.where(sums + differences > 0, sums + differences, 1.0)
    correlation = np.clip(np.nan_to_num((sums - differences) / total), 0.0, 1.0)[:, None]
    means = (first + second) / 2
    result: Array = 2 * correlation / (1 + correlation) * (means - middle(means)[:, None])
    return result


def _scatter(values: Array) -> Array:
    """Median distance from the median."""
    return middle(np.abs(values - middle(values)[:, None]))


def _quantile(ordered: Array, count: NDArray[np.int64], share: Array) -> Array:
    """Of the first `count` of each row, by linear interpolation; where there are none, the first."""
    last = np.maximum(count - 1, 0)
    place = np.clip(share * count - 0.5, 0, last)
    below = np.floor(place).astype(int)
    low, high = (np.take_along_axis(ordered, index[:, None], axis=1)[:, 0] for index in (below, np.minimum(below + 1, last)))
    result: Array = low + (place - below) * (high - low)
    return result


# Two environments in pairs of launches: how much longer the second takes, and how sure that is.
# The shift between the launches of both is robust against launches that a neighbour hit, and free of the part the two launches
# of a pair share. Six pairs alone know their scatter badly, so it is moderated over alike quantities (stats/nested.py). Arrays
# are (..., quantities), leading axes independent comparisons. Positive is worse: the second takes longer.

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
