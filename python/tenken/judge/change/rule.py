"""The rule that turns evidence of change into verdicts, for all quantities of a run at once.

The simulation of error rates (docs/judge-rates.md) calls these very functions with a leading axis of independent runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tenken.judge.common import Demands, groups_of, kind_of, numbered, tests_of
from tenken.model import limits
from tenken.model.baseline import Quantity
from tenken.stats import change as stats
from tenken.stats import nested
from tenken.stats.along import FEWEST_TOGETHER, UNEQUAL
from tenken.stats.tails import t_tail

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Answer(IntEnum):
    """What is said of one quantity."""

    NOT_JUDGED = 0  # never measured before, or no effect that matters could be seen
    OK = 1
    FASTER = 2
    SLOWER_WITH_REST = 3  # as is the whole run: one sitting cannot tell a slow day from a change
    SLOWER_WITH_CLASS = 4  # as are the quantities of its class, in all cases
    SLOWER = 5
    FAILED_WITH_REST = 6
    FAILED_WITH_CLASS = 7
    FAILED = 8


@dataclass(frozen=True, slots=True)
class Decision:
    answers: NDArray[np.int64]  # (..., quantities) of Answer
    suspect: Flags  # worth confirming launches
    detectable: Array  # smallest effect found with 80 %, in logarithms
    low: Array  # what is below, in logarithms, is called faster, ...
    high: Array  # ... above, slower
    shifted: Flags  # (...): the whole run moved
    split: Flags  # too far for noise, but not in every launch: two states


def history_of(values: Array, quantities: tuple[Quantity, ...], cases: Sequence[str] | None = None) -> stats.History:
    """`values` of shape (..., quantities, sittings, launches), scaled; NaN where nothing was measured.

    cases: the case of each quantity; all of one case without.
    """
    kinds = [kind_of(quantity.name) for quantity in quantities]
    launches = (~np.isnan(values)).sum(axis=-1).astype(float)
    return stats.History(
        sittings=nested.middle(values),
        launch_sigma=nested.launch_sigma(values),
        launches=np.nan_to_num(nested.middle(np.where(launches > 0, launches, np.nan)), nan=1.0),
        group=groups_of(quantities),
        kind=numbered(kinds),
        votes=votes_of(quantities, [""] * len(quantities) if cases is None else cases),
        together=np.array([kind == "time" for kind in kinds], dtype=bool),
        floor=np.array([limits.SIGMA_FLOOR[kind] for kind in kinds]),
        guess=np.array([limits.SIGMA_GUESS[quantity.klass] for quantity in quantities]),
    )


def votes_of(quantities: tuple[Quantity, ...], cases: Sequence[str]) -> Array:
    """How much each quantity counts for the common shift: those of one case and class share one vote.

    A case of many sections, or a time beside its own rate, tells the day no better than one figure does. Where there are fewer
    cases and classes than a common shift takes, every quantity has one vote.
    """
    cells = [(case, one.klass) if kind_of(one.name) == "time" else None for case, one in zip(cases, quantities, strict=True)]
    sizes = Counter(cells)
    if len(set(cells) - {None}) < FEWEST_TOGETHER:
        return np.ones(len(cells))
    return np.array([1.0 if cell is None else 1.0 / sizes[cell] for cell in cells])


def learn(history: stats.History) -> stats.Ordinary:
    """`stats.change.learn` with the guesses of limits.py."""
    return stats.learn(history, limits.GUESS_DF, (limits.SHIFT_GUESS, limits.SHIFT_GUESS_DF), limits.SHIFT_WARN)


def decide(change: stats.Change, together: Flags, demand: Demands, launches: Array) -> Decision:
    """`together` (quantities,): which share the common shift; `launches` (..., quantities): undisturbed, of the sitting.

    All quantities of the run together are wrongly called slower with at most WARN_ERROR, failed with FAIL_ERROR
    (Bonferroni: no assumption on how quantities hang together). A confirmed decision takes all launches of the sitting
    and the same error: only what was suspect is launched again, which can but lower it.
    """
    known = ~np.isnan(change.effect) & (change.sittings > 0)
    tests = tests_of(known, demand.kind)
    warn, suspect = (stats.limit(change, error / tests) for error in (limits.WARN_ERROR, limits.SUSPECT_ERROR))
    fail = stats.limit(change, limits.FAIL_ERROR / tests, limits.FAIL_DOUBT)
    rest, compared = change.rest[..., None], change.compared[..., None]
    rest_t = change.rest / change.rest_sigma
    rest_worse, rest_better = (t_tail(sign * rest_t, change.rest_df)[..., None] for sign in (1, -1))

    def moved(sign: int, least: Array, noise: Array) -> Flags:
        # Where most moved the other way, the others did not move against them.
        base = np.where(together, np.where(sign * rest < 0, change.unmoved[..., None], rest), 0.0)
        return known & (sign * (change.effect - base) >= np.maximum(least, noise)) & (sign * change.effect >= least)

    shift = compared & (rest_worse < limits.SHIFT_ERROR) & (rest >= np.log1p(limits.SHIFT_WARN))
    gain = compared & (rest_better < limits.SHIFT_ERROR) & (rest <= -np.log1p(limits.SHIFT_WARN))
    shifted = shift | gain
    slower = moved(1, demand.warn, warn)
    faster = moved(-1, demand.warn, warn)
    faster |= known & together & gain & (-change.effect >= demand.warn)
    faster &= ~demand.clock
    slower_with_rest = known & together & shift & (change.effect >= demand.warn)

    proven = (change.sittings >= limits.FEWEST_SITTINGS) & (launches >= limits.CONFIRMED)
    beyond_a_day = change.effect >= np.log1p(limits.SLOW_DAY)
    by_itself = (compared & together) | ~together | beyond_a_day
    needed = np.maximum(demand.fail, fail)
    far = proven & known & by_itself & (change.effect - change.explained >= needed) & (change.effect >= demand.fail)
    # What is in two states is as before in some launches; what changed shows in every one.
    every = change.low - change.explained >= limits.EVERY_LAUNCH * needed
    failed = far & every
    whole = slower_with_rest & beyond_a_day & (rest >= np.log1p(limits.SLOW_DAY)) & (rest_worse < limits.FAIL_ERROR)
    failed_with_rest = proven & whole & (change.effect >= demand.fail)
    slower_with_class, failed_with_class = _classes(change, known, proven, demand)

    seen = stats.detectable(change, limits.WARN_ERROR / tests, demand.warn)
    answers = np.where(known & (seen <= demand.hopeless), Answer.OK, Answer.NOT_JUDGED)
    for flags, answer in (
        (faster, Answer.FASTER), (slower_with_rest, Answer.SLOWER_WITH_REST), (slower | far, Answer.SLOWER),
        (slower_with_class, Answer.SLOWER_WITH_CLASS), (failed_with_rest, Answer.FAILED_WITH_REST),
        (failed_with_class, Answer.FAILED_WITH_CLASS), (failed, Answer.FAILED),
    ):
        answers = np.where(flags, answer, answers)
    part = limits.SUSPECT_PART * demand.warn
    again = moved(1, part, suspect) | (moved(-1, part, suspect) & ~demand.clock) | slower_with_rest | slower_with_class | faster
    usual = np.where(together & ~shifted, rest, 0.0)  # the band moves along with the usual shift of a sitting
    half = np.maximum(demand.warn, warn)
    low, high = np.minimum(-demand.warn, usual - half), np.maximum(demand.warn, usual + half)
    return Decision(answers, again, seen, change.expected + low, change.expected + high, shifted[..., 0], far & ~every)


def _classes(change: stats.Change, known: Flags, proven: Flags, demand: Demands) -> tuple[Flags, Flags]:
    """Which quantities are slower, and which failed, along with their class: what all others together do not share."""
    slower, failed = np.zeros(known.shape, dtype=bool), np.zeros(known.shape, dtype=bool)
    for index, members in enumerate(change.members):
        shift = np.nan_to_num(change.class_shift[..., index])
        worse = t_tail(shift / change.class_sigma[..., index], change.rest_df)[..., None]
        of_class = shift >= change.rest / 2  # a slow day moves classes apart too, by less
        shift, of_class = shift[..., None], of_class[..., None]
        moved = known & members & of_class & (shift >= demand.warn) & (change.effect >= np.maximum(demand.warn, shift / UNEQUAL))
        moved &= 2 * moved.sum(axis=-1, keepdims=True) > (known & members).sum(axis=-1, keepdims=True)
        slower |= moved & (worse < limits.CLASS_ERROR / len(change.members))
        # A slow day of a class (a busy network) slows it as much as one of everything.
        beyond_a_day = np.minimum(shift, change.effect) >= np.log1p(limits.SLOW_DAY)
        certain = worse < limits.FAIL_ERROR / len(change.members)
        failed |= moved & proven & beyond_a_day & certain & (change.effect >= demand.fail)
    return slower, failed
