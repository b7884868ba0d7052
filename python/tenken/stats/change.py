"""A new sitting against earlier ones: how far each quantity moved, and how sure that is.

Model, in logarithms: value = centre of the quantity + common shift of the sitting + own part of the quantity in that
sitting + launch. What moved with all the rest (a slow day, another node) is told from what moved by itself: the latter is
held against the own parts of the earlier sittings, whose variances are moderated over alike quantities.
Arrays are (..., quantities) unless said otherwise; leading axes are independent runs. Positive is worse (slower).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats import nested
from tenken.stats.moderated import variances
from tenken.stats.tails import t_quantile

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEWEST_TOGETHER = 5  # quantities: fewer have no common shift that could be told from their own
ORDINARY_SITTINGS = 2  # that must remain when slow ones are left out
LEAST_KEPT = 0.5  # of the variance of a sitting, however many launches


@dataclass(frozen=True, slots=True)
class History:
    """Earlier sittings of many quantities."""

    sittings: Array  # (..., quantities, sittings): medians of launches, in logarithms, worse is larger; NaN unknown
    launch_sigma: Array  # of one launch inside its sitting (`nested.launch_sigma`)
    launches: Array  # in a typical sitting
    group: NDArray[np.int64]  # (quantities,): variances are moderated inside a group
    together: Flags  # (quantities,): takes part in the common shift
    floor: Array  # (quantities,): no standard deviation of a sitting is below
    guess: Array  # (quantities,): standard deviation of a sitting where no other quantity tells


@dataclass(frozen=True, slots=True)
class Ordinary:
    """What earlier sittings say of an unchanged machine."""

    history: History
    expected: Array  # mean over ordinary sittings, their common shifts taken off
    variance: Array  # of the own part of one sitting
    df: Array
    sittings: Array  # ordinary ones that know the quantity
    shift_variance: Array  # (...): of the common shift of one sitting
    shift_df: Array  # (...)
    days: Array  # (...): ordinary sittings
    slow: Flags  # (..., sittings): left out as slow (or fast) as a whole


@dataclass(frozen=True, slots=True)
class Change:
    """What a new sitting shows against `Ordinary`."""

    expected: Array
    effect: Array  # new - expected
    own: Array  # of it, what the quantity moved by itself
    own_sigma: Array  # standard error of `own` if nothing changed
    own_df: Array
    sigma: Array  # standard error of `effect` if nothing changed
    df: Array
    sittings: Array
    compared: Flags  # (...): enough quantities to tell a common shift from own ones
    rest: Array  # (...): common shift of the new sitting; 0 where not compared
    rest_sigma: Array  # (...): its standard error if nothing changed
    rest_df: Array  # (...)


def learn(history: History, guess_df: float, shift_guess: tuple[float, float], slow_least: float) -> Ordinary:
    """What is ordinary.

    guess_df: degrees of freedom that the guessed standard deviations are worth. shift_guess: smallest guess of the standard
    deviation of a common shift (a larger own part raises it: noisy machines are noisy as a whole), and its degrees of
    freedom. slow_least: smallest common shift for which an earlier sitting may be left out.
    """
    sittings, together = history.sittings, history.together[:, None]
    shared = np.where(together, sittings, np.nan)
    enough = _enough(~np.isnan(nested.middle(shared)))
    shift = np.where(enough[..., None], nested.polish(shared)[1], 0.0)
    slow = nested.slow_sittings(shift, slow_least, ORDINARY_SITTINGS)
    shift = shift - nested.mean(np.where(slow, np.nan, shift))[..., None]
    ordinary = np.where(slow[..., None, :], np.nan, sittings) - np.where(together, shift[..., None, :], 0.0)
    expected = nested.mean(ordinary)
    residuals = ordinary - expected[..., None]
    count = (~np.isnan(residuals)).sum(axis=-1).astype(float)
    variance, df = variances(residuals, count - 1, history.group, together[:, 0], history.guess, guess_df)
    least, worth = shift_guess
    typical = nested.middle(np.where(history.together, variance, np.nan))
    guess = np.maximum(np.nan_to_num(typical), least**2)
    days = (~slow).sum(axis=-1).astype(float)
    shift_df = np.maximum(days - 1, 0) + worth
    shift_variance = (np.where(slow, 0.0, shift**2).sum(axis=-1) + worth * guess) / shift_df
    return Ordinary(history, expected, variance, df, count, shift_variance, shift_df, days, slow)


def compare(ordinary: Ordinary, new: Array, launches: Array) -> Change:
    """Hold `new` (medians over `launches` each, NaN unknown) against what is ordinary."""
    history = ordinary.history
    effect = new - ordinary.expected
    shared = history.together & ~np.isnan(effect)
    enough = _enough(shared)
    rest = np.where(enough, np.nan_to_num(nested.middle(np.where(shared, effect, np.nan))), 0.0)
    own = effect - np.where(history.together, rest[..., None], 0.0)
    now = nested.median_variance(np.maximum(launches, 1))
    then = nested.median_variance(np.maximum(history.launches, 1))
    # More launches than then make a median steadier, fewer less so; a sitting has its own part all the same.
    variance = ordinary.variance + (now - then) * history.launch_sigma**2
    variance = np.maximum(variance, np.maximum(LEAST_KEPT * ordinary.variance, now * history.launch_sigma**2))
    variance = np.maximum(variance, history.floor**2)
    both = np.where(history.together & enough[..., None], ordinary.shift_variance[..., None], 0.0)
    shift_df = ordinary.shift_df[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        more = 1 + 1 / ordinary.sittings
        df = (variance + both) ** 2 / (variance**2 / ordinary.df + both**2 / shift_df)  # Welch and Satterthwaite
        rest_sigma = np.sqrt(ordinary.shift_variance * (1 + 1 / ordinary.days))
    own_sigma, sigma = np.sqrt(variance * more), np.sqrt((variance + both) * more)
    return Change(ordinary.expected, effect, own, own_sigma, ordinary.df, sigma, df, ordinary.sittings, enough, rest,
                  rest_sigma, ordinary.shift_df)


def _enough(shared: Flags) -> Flags:
    flags: Flags = shared.sum(axis=-1) >= FEWEST_TOGETHER
    return flags


def limit(change: Change, tail: Array) -> Array:
    """What `own` exceeds with probability `tail` if nothing changed."""
    result: Array = t_quantile(tail, change.own_df) * change.own_sigma
    return result


def detectable(change: Change, tail: Array, least: Array) -> Array:
    """Smallest effect, in logarithms, that is found with at least 80 %.

    Found is what is significant at probability `tail` by itself and at least `least` as a whole: each of both holds with
    90 % where the effect exceeds its limit by the 90 % quantile of its own error, so both with 80 %.
    """
    significant = limit(change, tail) + limit(change, np.asarray(0.1))
    fewer = np.minimum(change.own_df, change.rest_df[..., None])  # Welch's lie between the smaller and the sum
    result: Array = np.maximum(significant, least + t_quantile(0.1, fewer) * change.sigma)
    return result


def interval(change: Change, confidence: float = 0.95) -> tuple[Array, Array]:
    """Interval of the effect, in logarithms: effect -+ t x standard error of the difference of two sittings' medians."""
    half = t_quantile((1 - confidence) / 2, change.df) * change.sigma
    return change.effect - half, change.effect + half
