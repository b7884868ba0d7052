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

from tenken.judge.change.day import day_of
from tenken.judge.common import Demands, groups_of, kind_of, numbered, tests_of
from tenken.model import limits
from tenken.model.baseline import Quantity
from tenken.stats import change as stats
from tenken.stats import nested

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Answer(IntEnum):
    """The answer on a quantity."""

    NOT_JUDGED = 0  # never measured before, or no effect that matters could be seen
    OK = 1
    FASTER = 2
    SLOWER_WITH_REST = 3  # as is the whole run, by a test of this quantity too: a slow day or a change
    SLOWER_WITH_CLASS = 4  # as are the quantities of its class, in all cases
    SLOWER = 5
    FAILED_WITH_REST = 6
    FAILED_WITH_CLASS = 7
    FAILED = 8


@dataclass(frozen=True, slots=True)
class Decision:
    answers: NDArray[np.int64]  # (..., quantities) of Answer
    suspect: Flags  # worth confirming launches
    detectable: Array  # smallest effect detected with 80 %, in logarithms
    low: Array  # an effect below, in logarithms, is called faster, ...
    high: Array  # ... above, slower
    shifted: Flags  # (...): the whole run moved
    split: Flags  # too far for noise, but not in every launch: two states
    again: Flags  # slower with the run or its class, by no more than earlier sittings were


def history_of(values: Array, quantities: tuple[Quantity, ...], cases: Sequence[str] | None = None) -> stats.History:
    """`values` of shape (..., quantities, sittings, launches), scaled; NaN where nothing was measured.

    cases: the case of each quantity; without, all are of the same case.
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
    """The weight of each quantity in the common shift: those of the same case and class share a vote.

    A case of many sections, or a time beside its own rate, tells the day no better than a single figure does.
    """
    pairs = zip(cases, quantities, strict=True)
    cells = [(case, quantity.klass) if kind_of(quantity.name) == "time" else None for case, quantity in pairs]
    sizes = Counter(cells)
    return np.array([1.0 if cell is None else 1.0 / sizes[cell] for cell in cells])


def learn(history: stats.History) -> stats.Ordinary:
    """`stats.change.learn` with the guesses of limits.py."""
    return stats.learn(history, limits.GUESS_DF, (limits.SHIFT_GUESS, limits.SHIFT_GUESS_DF), limits.SHIFT_WARN)


def decide(change: stats.Change, together: Flags, demand: Demands, launches: Array) -> Decision:
    """`together` (quantities,): which share the common shift; `launches` (..., quantities): undisturbed, of the sitting.

    All quantities of the run together are wrongly called slower with at most WARN_ERROR, failed with FAIL_ERROR
    (Bonferroni: no assumption on how quantities hang together). A confirmed decision takes all launches of the sitting
    and the same error: only suspect cases are launched again, which can but lower it.
    """
    known = ~np.isnan(change.effect) & (change.sittings > 0)
    tests = tests_of(known, demand.kind)
    warn, suspect = (stats.limit(change, error / tests) for error in (limits.WARN_ERROR, limits.SUSPECT_ERROR))
    fail = stats.limit(change, limits.FAIL_ERROR / tests, limits.FAIL_DOUBT)
    rest, compared = change.rest[..., None], change.compared[..., None]
    proven = (change.sittings >= limits.FEWEST_SITTINGS) & (launches >= limits.CONFIRMED)
    day = day_of(change, known, proven, together, demand)

    def moved(sign: int, least: Array, noise: Array) -> Flags:
        base = day.slow if sign > 0 else day.fast
        return known & (sign * (change.effect - base) >= np.maximum(least, noise)) & (sign * change.effect >= least)

    slower = moved(1, demand.warn, warn)
    faster = moved(-1, demand.warn, warn)
    faster |= known & together & day.gain & (-change.effect >= demand.warn)
    faster &= ~demand.clock
    slower_with_rest = known & together & day.shift & (change.effect >= day.alone)

    beyond_a_day = change.effect >= np.log1p(limits.SLOW_DAY)
    by_itself = (compared & together) | ~together | beyond_a_day
    needed = np.maximum(demand.fail, fail)
    far = proven & known & by_itself & (change.effect - day.explained >= needed) & (change.effect >= demand.fail)
    # A quantity in two states is as before in some launches; a change shows in every launch.
    every = change.low - day.explained >= limits.EVERY_LAUNCH * needed
    failed = far & every
    failed_with_rest = proven & slower_with_rest & beyond_a_day & day.certain & (change.effect >= demand.fail)

    seen = stats.detectable(change, limits.WARN_ERROR / tests, demand.warn)
    answers = np.where(known & (seen <= demand.hopeless), Answer.OK, Answer.NOT_JUDGED)
    for flags, answer in (
        (faster, Answer.FASTER), (slower_with_rest, Answer.SLOWER_WITH_REST), (slower | far, Answer.SLOWER),
        (day.with_class, Answer.SLOWER_WITH_CLASS), (failed_with_rest, Answer.FAILED_WITH_REST),
        (day.failed_with_class, Answer.FAILED_WITH_CLASS), (failed, Answer.FAILED),
    ):
        answers = np.where(flags, answer, answers)
    part = limits.SUSPECT_PART * demand.warn
    again = moved(1, part, suspect) | (moved(-1, part, suspect) & ~demand.clock) | slower_with_rest | day.with_class | faster
    # The band moves along with the usual shift of a sitting.
    usual = np.where(change.follows & ~(day.shift | day.gain), np.where(rest > 0, day.slow, rest), 0.0)
    half = np.maximum(demand.warn, warn)
    low, high = np.minimum(-demand.warn, usual - half), np.maximum(demand.warn, usual + half)
    high = np.where(day.with_class | (together & day.shift), np.minimum(high, day.alone), high)  # from where both are called
    shifted = (day.shift | day.gain)[..., 0]
    return Decision(answers, again, seen, change.expected + low, change.expected + high, shifted, far & ~every, day.again)
