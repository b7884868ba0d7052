"""Launches nested in sittings, many quantities at once.

Arrays end in (..., quantities), (..., quantities, sittings) or (..., quantities, sittings, launches); NaN is a value that
was not measured. Leading axes are independent runs, so that a simulation calls the very functions that judge a run.
"""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tenken.stats.robust import MAD_TO_SIGMA
from tenken.stats.tails import digamma, trigamma, trigamma_inverse

Array = NDArray[np.float64]


def middle(values: ArrayLike, axis: int = -1) -> Array:
    """Median along `axis` of the values that are not NaN; NaN where nothing is left."""
    ordered = np.sort(np.moveaxis(np.asarray(values, dtype=float), axis, -1), axis=-1)  # NaN sort to the end
    count = (~np.isnan(ordered)).sum(axis=-1)
    low, high = (np.maximum(count - 1, 0) // 2)[..., None], np.minimum(count // 2, ordered.shape[-1] - 1)[..., None]
    pair = np.take_along_axis(ordered, low, -1) + np.take_along_axis(ordered, high, -1)
    return pair[..., 0] / 2


def mean(values: ArrayLike, axis: int = -1) -> Array:
    """Mean along `axis` of the values that are not NaN; NaN where nothing is left."""
    array = np.asarray(values, dtype=float)
    known = ~np.isnan(array)
    with np.errstate(invalid="ignore"):
        result: Array = np.where(known, array, 0.0).sum(axis=axis) / known.sum(axis=axis)
    return result


def lowest(launches: ArrayLike) -> Array:
    """The value that all launches reach, of more than ten 9 in 10: (..., quantities) of (..., quantities, launches)."""
    ordered = np.sort(np.asarray(launches, dtype=float), axis=-1)  # NaN sort to the end
    count = (~np.isnan(ordered)).sum(axis=-1)
    return np.take_along_axis(ordered, (np.maximum(count - 1, 0) // 10)[..., None], -1)[..., 0]


def median_variance(launches: ArrayLike) -> Array:
    """Variance of the median of n normal values of variance 1: pi/(2n + pi - 2), exact for 1 and for very many.

    (Kenney and Keeping, Mathematics of Statistics, part 1, 14.14.) 2 % low for n = 3, up to 22 % high for even n.
    """
    return np.pi / (2 * np.asarray(launches, dtype=float) + np.pi - 2)


def launch_sigma(launches: ArrayLike) -> Array:
    """Standard deviation of a launch inside its sitting, (..., quantities); 0 where no sitting has two launches.

    The A/A floor is the difference between two launches of a sitting: the median of |x_i - x_j| over all pairs of all
    sittings. For normal noise it is sqrt(2) sigma/1.4826, with any number of launches.
    """
    values = np.asarray(launches, dtype=float)
    pairs = list(combinations(range(values.shape[-1]), 2))
    if not pairs:
        return np.zeros(values.shape[:-2])
    apart = np.stack([np.abs(values[..., i] - values[..., j]) for i, j in pairs], axis=-1)
    floor = middle(apart.reshape(*apart.shape[:-2], -1))
    return np.nan_to_num(floor) * MAD_TO_SIGMA / sqrt(2)


def common_shift(sittings: Array, centre: Array, votes: Array | None = None) -> Array:
    """The shift of all quantities of a sitting together: the median over quantities of sitting - centre.

    `sittings` (..., quantities, sittings), `centre` (..., quantities), `votes` (quantities,), 1 each without; returns
    (..., sittings), 0 where nothing is known. The median leaves out quantities that moved alone, if they have less than half of
    the votes.
    """
    moved = sittings - centre[..., None]
    if votes is None or np.ptp(votes) == 0:
        return np.nan_to_num(middle(moved, axis=-2))
    return np.nan_to_num(voted(np.swapaxes(moved, -1, -2), votes))


def polish(sittings: Array, votes: Array | None = None, rounds: int = 3) -> tuple[Array, Array]:
    """Centre of each quantity and common shift of each sitting by median polish (Tukey, Exploratory Data Analysis, ch. 11).

    `votes` as in `common_shift`. Returns (..., quantities) and (..., sittings); the shifts have median 0.
    """
    shift = np.zeros(sittings.shape[:-2] + sittings.shape[-1:])
    centre = middle(sittings)
    for _ in range(rounds):
        shift = common_shift(sittings, centre, votes)
        shift = shift - middle(shift)[..., None]
        centre = middle(sittings - shift[..., None, :])
    return centre, shift


def slow_sittings(shift: Array, least: float, fewest: int) -> NDArray[np.bool_]:
    """Sittings whose common shift is no part of the ordinary: beyond 4 robust sigma and `least` from the median.

    Shape of `shift`. Nothing is left out where fewer than `fewest` sittings would remain.
    """
    away = np.abs(shift - middle(shift)[..., None])
    sigma = MAD_TO_SIGMA * middle(away)[..., None]
    outside = away > np.maximum(4 * sigma, least)
    enough = (~outside).sum(axis=-1, keepdims=True) >= fewest
    return outside & enough


# Locations of many quantities that do not all have a whole vote: those of the same case and class share theirs.
# Arrays are (..., quantities); NaN does not vote.

_NEAR = 1e-9  # of all votes: sums of fractions that are equal by arithmetic


def quantile(values: Array, votes: Array, part: float) -> Array:
    """The value that `part` of the votes do not exceed, (...); the mean of two where they are met exactly, NaN without votes.

    `votes` (quantities,) above 0. With equal votes and part 1/2 it is the median.
    """
    low, high = _pair(values, votes, part)
    result: Array = (low + high) / 2
    return result


def voted(values: Array, votes: Array) -> Array:
    """Median of the votes, (...)."""
    return quantile(values, votes, 0.5)


def agreed(values: Array, votes: Array) -> Array:
    """The shift that more than half of the votes show, (...): their median; of the two voted values the value nearer to 0.

    Where exactly half of the votes moved, nothing says that the others did.
    """
    low, high = _pair(values, votes, 0.5)
    opposite = np.signbit(low) != np.signbit(high)
    result: Array = np.where(opposite, 0.0, np.where(np.abs(low) < np.abs(high), low, high))
    return np.where(np.isnan(low + high), np.nan, result)


def _pair(values: Array, votes: Array, part: float) -> tuple[Array, Array]:
    """The two values between which `part` of the votes lie, (...): the same twice unless the votes meet `part` exactly."""
    order = np.argsort(values, axis=-1)  # NaN sort to the end
    ordered = np.take_along_axis(values, order, -1)
    total = np.where(np.isnan(ordered), 0.0, votes[order]).cumsum(axis=-1)
    wanted, near = part * total[..., -1:], _NEAR * total[..., -1:]
    known = np.maximum((~np.isnan(ordered)).sum(axis=-1) - 1, 0)
    low = np.minimum((total < wanted - near).sum(axis=-1), known)
    high = np.minimum((total <= wanted + near).sum(axis=-1), known)
    return np.take_along_axis(ordered, low[..., None], -1)[..., 0], np.take_along_axis(ordered, high[..., None], -1)[..., 0]


# Variances of many quantities that were seen in few sittings each: empirical Bayes.
# With three sittings a variance has two degrees of freedom, and 40 quantities would hardly ever prove a change. But the
# quantities of a class are alike: their variances scatter around a common variance. How far they do is estimated from the
# variances themselves, and each is drawn towards the common variance accordingly (G. K. Smyth, Linear models and empirical
# Bayes methods, Stat. Appl. Genet. Mol. Biol. 3 (2004) 3).

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
