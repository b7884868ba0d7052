"""Is the day slow? Shifts of a sitting as a whole, or of a class of it, compared with those of earlier sittings.

A shift that 1 earlier sitting in 20 had, by half again, is a day as this machine has them: no change. A model of such days
would be a guess; how often they came is counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tenken.judge.common import Demands
from tenken.model import limits
from tenken.stats import change as stats
from tenken.stats.change import UNEQUAL
from tenken.stats.tails import t_quantile, t_tail

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Day:
    """Of a sitting; (..., quantities) unless stated otherwise."""

    shift: Flags  # (..., 1): the whole run is slower, more than its days are
    gain: Flags  # (..., 1): faster
    certain: Flags  # (..., 1): the shift is beyond a slow day, and that by FAIL_ERROR
    with_class: Flags  # slower along with its class, more than that is on its days
    failed_with_class: Flags
    again: Flags  # slower along with the run or its class, as on earlier days
    explained: Array  # of the effect, the part that the day may explain, in logarithms
    slow: Array  # from where the quantity's own slowing counts
    fast: Array  # from where its own gain does
    alone: Array  # effect that proves the quantity slower than before, by a test of this quantity


def day_of(change: stats.Change, known: Flags, proven: Flags, together: Flags, demand: Demands) -> Day:
    """`known`, `proven` (..., quantities): with an earlier sitting, and with enough for a FAIL; the rest as for `rule.decide`."""
    rest, compared = change.rest[..., None], change.compared[..., None]
    t = change.rest / change.rest_sigma
    worse, better = (t_tail(sign * t, change.rest_df)[..., None] for sign in (1, -1))
    least = np.log1p(limits.SHIFT_WARN)
    slower = compared & (worse < limits.SHIFT_ERROR) & (rest >= least)
    shift = slower & ~_usual(rest, change.shifts)
    gain = compared & (better < limits.SHIFT_ERROR) & (rest <= -least) & ~_usual(-rest, -change.shifts)
    certain = shift & (rest >= np.log1p(limits.SLOW_DAY)) & (worse < limits.FAIL_ERROR)
    alone = np.maximum(demand.warn, t_quantile(limits.SHIFT_ERROR, change.df) * change.sigma)
    with_class, failed, again = _classes(change, known, proven, demand, alone)
    again |= known & change.follows & slower & ~shift
    # Where most moved the other way, the others did not move against them; a slow day slows unequally.
    unmoved = change.unmoved[..., None]
    slow = np.where(change.follows | (together & shift), np.where(rest < 0, unmoved, rest), 0.0)
    fast = np.where(change.follows | (together & gain), np.where(rest > 0, unmoved, rest), 0.0)
    explained = np.where(again, np.maximum(change.explained, change.highest), change.explained)
    slow = np.where(again, np.maximum(slow, explained), slow)
    return Day(shift, gain, certain, with_class, failed, again, explained, slow, fast, alone)


def _usual(shift: Array, earlier: Array) -> Flags:
    """Whether a day is as earlier ones were, (..., 1): `shift` (..., 1), positive, and `earlier` (..., sittings), NaN unknown."""
    as_far = (shift <= limits.SLOW_AGAIN * earlier).sum(axis=-1, keepdims=True)
    known = (~np.isnan(earlier)).sum(axis=-1, keepdims=True)
    return (as_far > 0) & (as_far >= limits.SLOW_DAYS * known)


def _classes(
    change: stats.Change, known: Flags, proven: Flags, demand: Demands, alone: Array
) -> tuple[Flags, Flags, Flags]:
    """Which quantities are slower, which failed, along with their class and unlike all others; and which as before."""
    slower, failed, again = (np.zeros(known.shape, dtype=bool) for _ in range(3))
    for index, members in enumerate(change.members):
        shift = np.nan_to_num(change.class_shift[..., index])
        worse = t_tail(shift / change.class_sigma[..., index], change.rest_df)[..., None]
        of_class = shift >= change.rest / 2  # a slow day moves classes apart too, by less
        shift, of_class = shift[..., None], of_class[..., None]
        seen = _usual(shift, change.class_shifts[..., index])
        moved = known & members & of_class & (shift >= demand.warn) & (change.effect >= np.maximum(alone, shift / UNEQUAL))
        moved &= 2 * moved.sum(axis=-1, keepdims=True) > (known & members).sum(axis=-1, keepdims=True)
        moved &= worse < limits.CLASS_ERROR / len(change.members)
        slower |= moved & ~seen
        again |= moved & seen
        # A slow day of a class (a busy network) slows it as much as a slow day of everything.
        beyond_a_day = np.minimum(shift, change.effect) >= np.log1p(limits.SLOW_DAY)
        certain = worse < limits.FAIL_ERROR / len(change.members)
        failed |= moved & ~seen & proven & beyond_a_day & certain & (change.effect >= demand.fail)
    return slower, failed, again
