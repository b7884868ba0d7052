"""The part of a change that many quantities share: with the whole run (a slow day) or with their class (a slow network).

Effects are (..., quantities), in logarithms, NaN unknown; `votes` (quantities,) say how much each counts, `group` (quantities,)
its class. Leading axes are independent runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tenken.stats.votes import middle, quantile

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
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
            sides.append(np.where(enough, middle(members, votes[side]), np.nan))
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
        shift = np.maximum(np.nan_to_num(middle(own, votes[inside])), 0.0)[..., None]
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
