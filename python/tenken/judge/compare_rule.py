"""The rule that turns pairs of launches in two environments into answers, for all quantities of a comparison at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tenken.judge import limits
from tenken.judge.change_history import groups_of
from tenken.judge.change_rule import demands, kind_of, tests_of
from tenken.model.baseline import Quantity
from tenken.stats import paired as stats

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Answer(IntEnum):
    """What is said of one quantity of the second environment."""

    NOT_JUDGED = 0  # no pair tells, or no effect that matters could be seen
    ALIKE = 1
    FASTER = 2
    SEEMS_SLOWER = 3  # neither proved slower nor likely alike
    SLOWER = 4
    MUCH_SLOWER = 5  # beyond the limits of a FAIL


@dataclass(frozen=True, slots=True)
class Rule:
    answers: NDArray[np.int64]  # (..., quantities) of Answer
    open: Flags  # more pairs could tell
    least: Array  # (quantities,): effects that matter, in logarithms
    detectable: Array  # smallest slowdown that these pairs would have shown, in logarithms


def pairs_of(first: Array, second: Array, quantities: tuple[Quantity, ...]) -> stats.Paired:
    """`stats.paired` with what limits.py guesses of noise. `first`, `second` (..., quantities, pairs), worse is larger."""
    kinds = [kind_of(quantity.name) for quantity in quantities]
    return stats.paired(
        first,
        second,
        groups_of(quantities),
        np.array([kind == "time" for kind in kinds], dtype=bool),
        np.array([limits.SIGMA_FLOOR[kind] for kind in kinds]),
        limits.PAIR_GUESS * np.array([limits.SIGMA_GUESS[quantity.klass] for quantity in quantities]),
        limits.GUESS_DF,
    )


def answer(found: stats.Paired, quantities: tuple[Quantity, ...], looks: Array) -> Rule:
    """Slower is what exceeds its noise (Bonferroni over all quantities) and the smallest effect of its class.

    `looks` (quantities,): how often a quantity is looked at, at the most, as pairs are added; they share the error equally.
    """
    demand = demands(quantities)
    known = ~np.isnan(found.effect)
    tests = tests_of(known, demand.kind) * looks
    noise, seeming = (stats.limit(found, error / tests) for error in (limits.RELEASE_ERROR, limits.SEEMS_ERROR))
    seen = stats.detectable(found, limits.RELEASE_ERROR / tests, demand.warn)
    wanted = np.log1p([limits.RELEASE_FINDS[quantity.klass] for quantity in quantities])

    def beyond(effect: Array, least: Array, limit: Array) -> Flags:
        return known & (effect >= least) & (effect >= limit)

    answers = np.where(known & (seen <= demand.hopeless), Answer.ALIKE, Answer.NOT_JUDGED)
    for flags, word in (
        (beyond(-found.effect, demand.warn, noise), Answer.FASTER),
        (beyond(found.effect, demand.warn, seeming), Answer.SEEMS_SLOWER),
        (beyond(found.effect, demand.warn, noise), Answer.SLOWER),
        (beyond(found.effect, demand.fail, noise), Answer.MUCH_SLOWER),
    ):
        answers = np.where(flags, word, answers)
    doubt = stats.limit(found, limits.SUSPECT_ERROR / tests)
    suspect = beyond(found.effect, limits.SUSPECT_PART * demand.warn, doubt)
    blind = known & (demand.kind == "time") & (seen > wanted)
    return Rule(answers, (suspect | blind) & (answers < Answer.SLOWER), demand.warn, seen)
