"""Variances of many quantities that were seen in few sittings each: empirical Bayes.

With three sittings a variance has two degrees of freedom, and 40 quantities would hardly ever prove a change. But the
quantities of a class are alike: their variances scatter around a common variance. How far they do is estimated from the
variances themselves, and each is drawn towards the common variance accordingly (G. K. Smyth, Linear models and empirical
Bayes methods, Stat. Appl. Genet. Mol. Biol. 3 (2004) 3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tenken.stats.nested import mean, middle
from tenken.stats.tails import digamma, trigamma, trigamma_inverse

Array = NDArray[np.float64]

FEWEST_ALIKE = 8  # quantities of a group from which their variances can be moderated
_MOST = 1e4  # prior degrees of freedom: more changes no result
_ROUNDING = 1e-12  # standard deviation of logarithms: less is the rounding of the sums, whose logarithm means nothing


def prior(variances: Array, df: Array, group: NDArray[np.int64]) -> tuple[Array, Array]:
    """Degrees of freedom d0, shape (...), and variances s0^2 of the groups' priors, (..., quantities).

    ln s^2 of a quantity with d degrees of freedom has mean ln s0^2 + psi(d/2) - ln(d/2) - psi(d0/2) + ln(d0/2) and
    variance psi'(d/2) + psi'(d0/2) (Smyth, section 6.2). Observed means, group by group, and the variance around them
    give s0^2 of each group and the common d0. Quantities with df <= 0 take no part, nor do those whose residuals are
    rounding: where few sittings are known, a quantity can be the median in each of them.
    """
    known = (df > 0) & (variances > _ROUNDING**2)
    d = np.where(known, df, 1.0)
    scaled = np.where(known, np.log(np.where(known, variances, 1.0)) - digamma(d / 2) + np.log(d / 2), np.nan)
    centre = np.empty(variances.shape)
    for label in np.unique(group):
        inside = group == label
        centre[..., inside] = mean(scaled[..., inside])[..., None]
    free = np.maximum(known.sum(axis=-1) - len(np.unique(group)), 1)
    spread = np.nansum((scaled - centre) ** 2, axis=-1) / free
    more = spread - mean(np.where(known, trigamma(d / 2), np.nan))
    d0 = 2 * trigamma_inverse(np.maximum(np.nan_to_num(more), trigamma(_MOST / 2)))
    shift = (digamma(d0 / 2) - np.log(d0 / 2))[..., None]
    return d0, np.nan_to_num(np.exp(centre + shift))


def independent(residuals: Array, df: Array) -> Array:
    """How many independent quantities the rows of `residuals` (..., quantities, sittings) are worth, shape (...).

    Between rows that share nothing the squared cosine averages 1/d in d dimensions, between rows with correlation r it
    is about 1/d + (1 - 1/d) r^2. The mean r^2 over all pairs of Q rows leaves Q/(1 + (Q - 1) r^2) of them.
    """
    filled = np.nan_to_num(residuals)
    length = np.sqrt((filled**2).sum(axis=-1, keepdims=True))
    known = length > _ROUNDING  # the direction of rounding means nothing either
    unit = np.where(known, filled / np.where(known, length, 1.0), 0.0)
    count = known[..., 0].sum(axis=-1).astype(float)
    gram = np.swapaxes(unit, -1, -2) @ unit
    pairs = np.maximum(count * (count - 1), 1.0)
    cosine = ((gram**2).sum(axis=(-1, -2)) - count) / pairs
    d = np.maximum(np.nan_to_num(middle(np.where(df > 0, df, np.nan))), 1.0)
    shared = np.where(d > 1, (cosine - 1 / d) / np.maximum(1 - 1 / d, 1e-9), 0.0)
    return np.maximum(count / (1 + (count - 1) * np.clip(shared, 0.0, 1.0)), 1.0)


def moderate(residuals: Array, df: Array, group: NDArray[np.int64]) -> tuple[Array, Array]:
    """Moderated variance and its degrees of freedom for each row of `residuals` (..., quantities, sittings).

    s~^2 = (d0 s0^2 + d s^2)/(d0 + d) with d0 + d degrees of freedom (Smyth, section 3).
    """
    variances = np.nansum(residuals**2, axis=-1) / np.maximum(df, 1.0)
    d0, common = prior(variances, df, group)
    d0 = d0[..., None]
    return (d0 * common + df * variances) / (d0 + df), d0 + df


def variances(
    residuals: Array, df: Array, group: NDArray[np.int64], together: NDArray[np.bool_], guess: Array, guess_df: float
) -> tuple[Array, Array]:
    """Variance of each row of `residuals` (..., quantities, samples) and its degrees of freedom, moderated where it can be.

    Inside groups that are large enough; small groups that are `together` (quantities,) are joined. Where even they are
    few, or there is a single sample, the standard deviation `guess` (quantities,) counts as `guess_df` degrees of freedom.
    """
    known = np.maximum(df, 0.0)
    guessed = (np.nansum(residuals**2, axis=-1) + guess_df * guess**2) / (known + guess_df)
    sizes = np.bincount(group, minlength=1)[group]
    pools = np.where((sizes < FEWEST_ALIKE) & together, -1, group)
    large = np.array([(pools == pool).sum() >= FEWEST_ALIKE for pool in pools], dtype=bool)
    variance, worth = guessed, known + guess_df
    for kind in (together, ~together):
        pool = large & kind
        if not pool.any():
            continue
        usable = ((known[..., pool] > 0).sum(axis=-1) >= FEWEST_ALIKE)[..., None]
        moderated, freedom = moderate(residuals[..., pool, :], known[..., pool], pools[pool])
        variance[..., pool] = np.where(usable, moderated, variance[..., pool])
        worth[..., pool] = np.where(usable, freedom, worth[..., pool])
    return variance, worth
