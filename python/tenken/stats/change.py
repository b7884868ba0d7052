"""A new sitting against earlier ones: how far each quantity moved, and how sure that is.

Model, in logarithms: value = centre of the quantity + common shift of the sitting + own part of the quantity in that
sitting + launch. A shift common to all the rest (a slow day, another node) is separated from the own part: the latter is
compared with the own parts of the earlier sittings, whose variances are moderated over alike quantities and whose tails are
learned (shape.py). The shift of a class against all others is a shift of its own.
Arrays are (..., quantities) unless stated otherwise; leading axes are independent runs. Positive is worse (slower).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.stats import nested, shape
from tenken.stats.nested import agreed, quantile, variances, voted
from tenken.stats.tails import t_quantile

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

ORDINARY_SITTINGS = 2  # that must remain when slow ones are left out
FOLLOWING = 5  # ordinary sittings: from so many on they tell whether a quantity follows the common shift
FOLLOWS_NOT = 4.0  # times the variance: a quantity whose own part exceeds its whole shift by that much does not


@dataclass(frozen=True, slots=True)
class History:
    """Earlier sittings of many quantities."""

    sittings: Array  # (..., quantities, sittings): medians of launches, in logarithms, worse is larger; NaN unknown
    launch_sigma: Array  # of a launch inside its sitting (`nested.launch_sigma`)
    launches: Array  # in a typical sitting
    group: NDArray[np.int64]  # (quantities,): kind and class; variances are moderated inside a group
    kind: NDArray[np.int64]  # (quantities,): inside a kind the tails of noise are alike
    votes: Array  # (quantities,): how much each counts for the common shift
    together: Flags  # (quantities,): takes part in the common shift
    floor: Array  # (quantities,): no standard deviation of a sitting is below
    guess: Array  # (quantities,): standard deviation of a sitting where no other quantity tells


@dataclass(frozen=True, slots=True)
class Ordinary:
    """The ordinary state of a machine, from earlier sittings."""

    history: History
    expected: Array  # mean over ordinary sittings, their common shifts taken off
    follows: Flags  # (..., quantities): the common shift, which is taken off
    variance: Array  # of the own part of a sitting
    df: Array
    stray: Array  # (..., quantities, levels): the limits that its strays exceed (`shape.exceeded`)
    sittings: Array  # ordinary ones that know the quantity
    shift_variance: Array  # (...): of the common shift of a sitting
    shift_df: Array  # (...)
    class_variance: Array  # (..., classes): of the shift of a class against all others in a sitting (`along.apart`)
    days: Array  # (...): ordinary sittings
    slow: Flags  # (..., sittings): left out as slow (or fast) as a whole
    shifts: Array  # (..., sittings): common shift of every sitting, those left out too, against the ordinary ones; NaN unknown
    class_shifts: Array  # (..., sittings, classes): the shift of the class against all others; NaN where too few tell
    highest: Array  # (..., quantities): of all sittings, those left out too, the slowest against `expected`; never below 0


@dataclass(frozen=True, slots=True)
class Change:
    """A new sitting compared with `Ordinary`."""

    expected: Array
    follows: Flags  # as in Ordinary
    effect: Array  # new - expected
    own: Array  # of it, the part of the quantity itself
    own_sigma: Array  # standard error of `own` if nothing changed
    own_df: Array
    stray: Array  # (..., quantities, levels): as in Ordinary ...
    stray_sigma: Array  # ... in these: more launches make a sitting no tamer
    low: Array  # of the effect, the part that the lowest launch shows
    unmoved: Array  # (...): effect of the unchanged quantities, between 0 and `rest` (`along.unmoved`)
    explained: Array  # of the effect, the part that a slow day of all or of its class may explain
    sigma: Array  # standard error of `effect` if nothing changed
    df: Array
    sittings: Array
    compared: Flags  # (...): enough quantities to tell a common shift from own ones
    rest: Array  # (...): common shift of the new sitting; 0 where not compared
    rest_sigma: Array  # (...): its standard error if nothing changed
    rest_df: Array  # (...)
    class_shift: Array  # (..., classes): shift of a class against all others
    class_sigma: Array  # (..., classes): its standard error if nothing changed
    members: Flags  # (classes, quantities)
    shifts: Array  # (..., sittings)
    class_shifts: Array  # (..., sittings, classes)
    highest: Array


def learn(history: History, guess_df: float, shift_guess: tuple[float, float], slow_least: float) -> Ordinary:
    """Ordinary behaviour.

    guess_df: degrees of freedom that the guessed standard deviations are worth. shift_guess: smallest guess of the standard
    deviation of a common shift (a larger own part raises it: noisy machines are noisy as a whole), and its degrees of
    freedom. slow_least: smallest common shift for which an earlier sitting may be left out.
    """
    sittings, together = history.sittings, history.together[:, None]
    shared = np.where(together, sittings, np.nan)
    enough = _enough(~np.isnan(nested.middle(shared)))
    shift = np.where(enough[..., None], nested.polish(shared, history.votes)[1], 0.0)
    slow = nested.slow_sittings(shift, slow_least, ORDINARY_SITTINGS)
    shift = shift - nested.mean(np.where(slow, np.nan, shift))[..., None]
    # A quantity without the shift is as loud on a slow day as that day is, and that belongs to its noise.
    ordinary = np.where(slow[..., None, :] & together, np.nan, sittings) - np.where(together, shift[..., None, :], 0.0)
    expected = nested.mean(ordinary)
    own = ordinary - expected[..., None]
    whole = np.where(slow[..., None, :] & together, np.nan, sittings)
    follows = history.together & ~_aloof(whole, own)
    ordinary = np.where(follows[..., None], ordinary, whole)
    expected = nested.mean(ordinary)
    residuals = ordinary - expected[..., None]
    count = (~np.isnan(residuals)).sum(axis=-1).astype(float)
    variance, df = variances(residuals, count - 1, history.group, together[:, 0], history.guess, guess_df)
    floor = np.maximum(history.floor, _launch_floor(history.launches, history.launch_sigma))
    stray = shape.exceeded(shape.strays(residuals, variance, df, floor), residuals, count - 1, history.kind)
    least, worth = shift_guess
    typical = nested.middle(np.where(history.together, variance, np.nan))
    guess = np.maximum(np.nan_to_num(typical), least**2)
    days = (~slow).sum(axis=-1).astype(float)
    shift_df = np.maximum(days - 1, 0) + worth
    shift_variance = (np.where(slow, 0.0, shift**2).sum(axis=-1) + worth * guess) / shift_df
    class_variance = _class_variance(history, np.where(together, own, np.nan), variance, worth)
    away = sittings - expected[..., None]
    shifts = np.where(np.isnan(shared).all(axis=-2), np.nan, shift)
    class_shifts, highest = _class_shifts(history, away), np.fmax(away, 0.0).max(axis=-1)
    return Ordinary(
        history, expected, follows, variance, df, stray, count, shift_variance, shift_df, class_variance, days, slow,
        shifts, class_shifts, highest,
    )


def _aloof(whole: Array, own: Array) -> Flags:
    """Which quantities vary much more once the common shift is taken off, (..., quantities): it is none of theirs.

    A loop in registers is steady where memory is not; the shift of the others would make it the loudest of all.
    `whole`, `own` (..., quantities, sittings): ordinary sittings as measured, and from their mean without the shift."""
    moved = whole - nested.mean(whole)[..., None]
    known = (~np.isnan(moved)).sum(axis=-1) >= FOLLOWING
    flags: Flags = known & (np.nansum(own**2, axis=-1) > FOLLOWS_NOT * np.nansum(moved**2, axis=-1))
    return flags


def _launch_floor(launches: Array, launch_sigma: Array) -> Array:
    """Standard deviation of the median of a sitting's launches."""
    result: Array = np.sqrt(nested.median_variance(np.maximum(launches, 1))) * launch_sigma
    return result


def _class_variance(history: History, residuals: Array, variance: Array, worth: float) -> Array:
    """Of the shift of a class against all others, (..., classes); guessed from its quantities as if these moved together."""
    moved = _class_shifts(history, residuals)
    typical = [nested.middle(_shared(variance[..., None], history)[..., inside, 0]) for _, inside in classes(_groups(history))]
    known = (~np.isnan(moved)).sum(axis=-2)
    guess = np.stack(typical, axis=-1) if typical else np.zeros(known.shape)
    result: Array = (np.nansum(moved**2, axis=-2) + worth * guess) / (np.maximum(known - 1, 0) + worth)
    return result


def _class_shifts(history: History, residuals: Array) -> Array:
    """The shift of each class against all others in each sitting, (..., sittings, classes)."""
    return apart(np.swapaxes(_shared(residuals, history), -1, -2), _votes(history), _groups(history))


def _shared(values: Array, history: History) -> Array:
    """Of (..., quantities, any) the rows that take part in the common shift."""
    return values[..., history.together, :]


def _members(history: History) -> Flags:
    """Of each class that can be separated its quantities, (classes, quantities)."""
    flags = np.zeros((len(list(classes(_groups(history)))), history.together.size), dtype=bool)
    for row, (klass, _) in enumerate(classes(_groups(history))):
        flags[row] = history.together & (history.group == klass)
    return flags


def _votes(history: History) -> Array:
    return history.votes[history.together]


def _groups(history: History) -> NDArray[np.int64]:
    return history.group[history.together]


def compare(ordinary: Ordinary, new: Array, launches: Array, low: Array | None = None) -> Change:
    """Compare `new` (medians over `launches` each, NaN unknown) with `ordinary`.

    low: the values that all launches reach (`nested.lowest`); `new` without.
    """
    history = ordinary.history
    effect = new - ordinary.expected
    shared = history.together & ~np.isnan(effect)
    enough = _enough(shared)
    rest = np.where(enough, np.nan_to_num(agreed(np.where(shared, effect, np.nan), history.votes)), 0.0)
    own = effect - np.where(ordinary.follows, rest[..., None], 0.0)
    now = nested.median_variance(np.maximum(launches, 1))
    then = nested.median_variance(np.maximum(history.launches, 1))
    # More launches than then make a median steadier, fewer less so; a sitting has its own part all the same.
    variance = ordinary.variance + (now - then) * history.launch_sigma**2
    variance = np.maximum(variance, now * history.launch_sigma**2)
    variance = np.maximum(variance, history.floor**2)
    both = np.where(ordinary.follows & enough[..., None], ordinary.shift_variance[..., None], 0.0)
    shift_df = ordinary.shift_df[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        more = 1 + 1 / ordinary.sittings
        df = (variance + both) ** 2 / (variance**2 / ordinary.df + both**2 / shift_df)  # Welch and Satterthwaite
        rest_sigma = np.sqrt(ordinary.shift_variance * (1 + 1 / ordinary.days))
    own_sigma, sigma = np.sqrt(variance * more), np.sqrt((variance + both) * more)
    stray = np.broadcast_to(ordinary.stray, (*effect.shape, ordinary.stray.shape[-1]))
    steady = np.sqrt(np.maximum(variance, np.maximum(ordinary.variance, history.floor**2)) * more)
    base, day, shift, shift_sigma = _of_day(ordinary, np.where(shared, effect, np.nan), own_sigma, enough, rest)
    return Change(
        ordinary.expected, ordinary.follows, effect, own, own_sigma, ordinary.df, stray, steady,
        effect if low is None else low - ordinary.expected, base, day, sigma, df, ordinary.sittings, enough, rest, rest_sigma,
        ordinary.shift_df, shift, shift_sigma, _members(history),
        ordinary.shifts, ordinary.class_shifts, ordinary.highest,
    )


def _of_day(ordinary: Ordinary, effect: Array, own_sigma: Array, enough: Flags, rest: Array) -> tuple[Array, ...]:
    """Effect without a change, the part of each quantity that a day may explain, shifts of classes, and their standard errors."""
    history = ordinary.history
    own, votes, group = effect[..., history.together], _votes(history), _groups(history)
    base, day = rest, np.zeros(effect.shape)
    if own.shape[-1] >= FEWEST_TOGETHER:
        spread = np.nan_to_num(nested.middle(np.where(np.isnan(own), np.nan, own_sigma[..., history.together])))
        base = np.where(enough, unmoved(own, rest, spread, votes), 0.0)
        day[..., history.together] = np.where(enough[..., None], explained(own, rest, base, votes, group), 0.0)
    with np.errstate(divide="ignore"):
        sigma = np.sqrt(ordinary.class_variance * (1 + 1 / ordinary.days[..., None]))
    return base, day, np.where(enough[..., None], apart(own, votes, group), np.nan), sigma


def _enough(shared: Flags) -> Flags:
    flags: Flags = shared.sum(axis=-1) >= FEWEST_TOGETHER
    return flags


def limit(change: Change, tail: Array, doubt: float = 1.0) -> Array:
    """The limit of `own` at probability `tail` if nothing changed: by Student's t, and by how far earlier sittings strayed.

    doubt: factor to which the probability of a stray beyond all that were seen is known.
    """
    by_model = t_quantile(tail, change.own_df) * change.own_sigma
    # More launches narrow the normal part of the noise, not its tails.
    with np.errstate(invalid="ignore"):  # a quantity unknown to all sittings has no standard error
        narrower = t_quantile(tail, np.inf) * (change.stray_sigma - change.own_sigma)
        by_strays = shape.at(change.stray, tail / doubt) * change.stray_sigma - narrower
    result: Array = np.fmax(by_model, by_strays)
    return result


def detectable(change: Change, tail: Array, least: Array) -> Array:
    """Smallest effect, in logarithms, that is detected with at least 80 %.

    Detected means significant at probability `tail` by itself and at least `least` as a whole: each of both holds with
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


# The part of a change that many quantities share: with the whole run (a slow day) or with their class (a slow network).
# Effects are (..., quantities), in logarithms, NaN unknown; `votes` (quantities,) say how much each counts, `group`
# (quantities,) its class. Leading axes are independent runs.

Labels = NDArray[np.int64]

FEWEST_TOGETHER = 5  # quantities: fewer have no common shift that differs from their own
UNEQUAL = 3.0  # quantities slow with the rest are at most so many times as slow as the least slow: half to one and a half
TWICE = 2.0  # and at most so many times as slow as the middle
MOST = 0.5  # of the votes: a shift that fewer share is not of all
LOW, LOW_SIGMA = 0.1, 1.2816  # quantile of the effects below which hardly anything stays, and where it lies for normal noise


def classes(group: Labels) -> Iterator[tuple[int, Flags]]:
    """Every class that has enough members, and others enough beside it, with its members (quantities,)."""
    for label in np.unique(group):
        inside = group == label
        if min(inside.sum(), (~inside).sum()) >= FEWEST_TOGETHER:
            yield int(label), inside


def apart(values: Array, votes: Array, group: Labels) -> Array:
    """The shift of every class against all others, (..., classes): difference of medians, NaN where too few tell."""
    differences = []
    for _, inside in classes(group):
        sides = []
        for side in (inside, ~inside):
            members = values[..., side]
            enough = (~np.isnan(members)).sum(axis=-1) >= FEWEST_TOGETHER
            sides.append(np.where(enough, voted(members, votes[side]), np.nan))
        differences.append(sides[0] - sides[1])
    return np.stack(differences, axis=-1) if differences else np.zeros((*values.shape[:-1], 0))


def explained(effect: Array, rest: Array, base: Array, votes: Array, group: Labels) -> Array:
    """The part of each effect that a slow day, or a slow day of its class, may account for.

    rest (...): common shift. base (...): `unmoved`. The fewer quantities move along with it, the less a day explains of it:
    nothing up to half of the votes, up to twice the common shift where all do.
    """
    base = base[..., None]
    part = _along(effect, votes)
    by_day = (1 - part) * base + part * TWICE * np.maximum(rest, 0.0)[..., None]
    for _, inside in classes(group):
        own = effect[..., inside]
        enough = ((~np.isnan(own)).sum(axis=-1) >= FEWEST_TOGETHER)[..., None]
        part = np.where(enough, _along(own, votes[inside]), 0.0)
        shift = np.maximum(np.nan_to_num(voted(own, votes[inside])), 0.0)[..., None]
        by_day[..., inside] = np.maximum(by_day[..., inside], (1 - part) * base + part * TWICE * shift)
    return by_day


def unmoved(effect: Array, rest: Array, spread: Array, votes: Array) -> Array:
    """Where quantities lie that did not change, (...), between `rest` and 0: `rest`, unless the least shift tells otherwise.

    spread (...): standard deviation of an unchanged quantity.
    """
    sign = np.where(rest < 0, -1.0, 1.0)
    least = quantile(sign[..., None] * effect, votes, LOW) + LOW_SIGMA * spread
    away = sign * rest
    return sign * np.maximum(away - np.maximum(np.nan_to_num(away - least) - spread, 0.0), 0.0)


def _along(effect: Array, votes: Array) -> Array:
    """0 to 1 for each quantity: how far more than half of the others moved along with it."""
    known = ~np.isnan(effect)
    with np.errstate(invalid="ignore"):
        along = effect[..., None, :] >= effect[..., :, None] / UNEQUAL
    weight = np.where(known, votes, 0.0)
    others = weight.sum(axis=-1, keepdims=True) - weight
    share = (along * weight[..., None, :]).sum(axis=-1) - np.where(known & (effect >= 0), weight, 0.0)
    share = share / np.maximum(others, 1e-9)
    return np.clip((share - MOST) / (1 - MOST), 0.0, 1.0)
