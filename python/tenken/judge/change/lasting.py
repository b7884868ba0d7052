"""The same shift in three sittings: no day that passes, however common to all sections. Evidence is stored between runs.

Earlier sittings are compared with the same baselines by the same rule as the present one, as if they were judged now.
The simulation of error rates calls these functions with a leading axis of independent runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tenken.judge.change.rule import Answer, Decision, decide
from tenken.judge.common import Demands, scaled, tests_of
from tenken.model import limits
from tenken.model.baseline import EarlierSitting, LaunchValues, Quantity, Seen
from tenken.stats import change as stats

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
SITTINGS = 3  # in a row: two may be of the same week
FAILED = {  # the FAIL that an answer becomes when the shift lasts
    Answer.SLOWER: Answer.FAILED, Answer.SLOWER_WITH_REST: Answer.FAILED_WITH_REST,
    Answer.SLOWER_WITH_CLASS: Answer.FAILED_WITH_CLASS,
}


@dataclass(frozen=True, slots=True)
class Held:
    """A sitting, compared with the baselines."""

    change: stats.Change
    decision: Decision
    launches: Array  # (..., quantities)


def held(ordinary: stats.Ordinary, demand: Demands, new: Array, launches: Array, low: Array | None = None) -> Held:
    """`new` (..., quantities): medians over `launches`, scaled; NaN unknown. `low`: the value that all launches reach."""
    change = stats.compare(ordinary, new, launches, low)
    return Held(change, decide(change, ordinary.history.together, demand, launches), launches)


def lasting(now: Held, before: Sequence[Held], demand: Demands) -> Flags:
    """Which quantities are slower in this sitting and in the two before it that measured them, newest first in `before`.

    In each of the three a quantity is beyond its WARN. The least of the three shifts, of its own or of the whole, is
    beyond the FAIL error of the run at the standard error of their mean: the error of the baseline they share.
    """
    nothing = np.zeros(now.change.effect.shape, dtype=bool)
    if len(before) < SITTINGS - 1:
        return nothing
    sittings = [now, *before]
    measured = np.stack([~np.isnan(sitting.change.effect) for sitting in sittings])
    counts = measured & (np.cumsum(measured, axis=0) <= SITTINGS)
    slower = np.stack([sitting.decision.answers >= Answer.SLOWER_WITH_REST for sitting in sittings])
    every = (counts.sum(axis=0) == SITTINGS) & np.where(counts, slower, True).all(axis=0)

    def least(of: Sequence[Array]) -> Array:
        result: Array = np.where(counts, np.stack(of), np.inf).min(axis=0)
        return result

    def widest(of: Sequence[Array]) -> Array:
        result: Array = np.where(counts, np.stack(of), 0.0).max(axis=0)
        return result

    change = now.change
    known = ~np.isnan(change.effect) & (change.sittings > 0)
    error = limits.FAIL_ERROR / 2 / tests_of(known, demand.kind)  # two ways to be beyond
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.sqrt((1 / SITTINGS + 1 / change.sittings) / (1 + 1 / change.sittings))
        alone = stats.t_quantile(error, change.own_df) * widest([sitting.change.own_sigma for sitting in sittings]) * mean
        whole = stats.t_quantile(error, change.df) * widest([sitting.change.sigma for sitting in sittings]) * mean
    own, effect = (least([getattr(sitting.change, name) for sitting in sittings]) for name in ("own", "effect"))
    beyond = (own >= np.maximum(alone, demand.warn)) | (effect >= np.maximum(whole, demand.warn))
    launches = np.where(counts, np.stack([sitting.launches for sitting in sittings]), 0.0).sum(axis=0)
    proven = (change.sittings >= limits.FEWEST_SITTINGS) & (launches >= limits.CONFIRMED)
    return nothing | (known & every & beyond & proven)


def failed(decision: Decision, last: Flags) -> Decision:
    """`decision` with FAIL for shifts that last."""
    answers = decision.answers
    for answer, worse in FAILED.items():
        answers = np.where(last & (decision.answers == answer), worse, answers)
    return replace(decision, answers=answers)


def earlier_of(case_id: str, earlier: Sequence[EarlierSitting], quantities: Sequence[Quantity]) -> dict[str, LaunchValues]:
    """Of each earlier sitting its figures of these quantities of a case, as a launch."""
    units = {quantity.name: (quantity.unit, quantity.better) for quantity in quantities}
    by_name = {
        sitting.id: {
            shown.quantity: shown.value for shown in sitting.shown
            if shown.case_id == case_id and units.get(shown.quantity) == (shown.unit, shown.better)
        }
        for sitting in earlier
    }
    return {name: LaunchValues(0, values) for name, values in by_name.items() if values}


def seen_of(case_id: str, before: Mapping[str, LaunchValues], earlier: Sequence[EarlierSitting]) -> dict[str, tuple[Seen, ...]]:
    """By quantity the figures of the sittings `before`, which may be at another clock than in `earlier`, in the order of that."""
    by_name: dict[str, list[Seen]] = {}
    for sitting in (earlier_sitting for earlier_sitting in earlier if earlier_sitting.id in before):
        values = before[sitting.id].values
        for shown in sitting.shown:
            if shown.case_id == case_id and shown.quantity in values:
                by_name.setdefault(shown.quantity, []).append(Seen(sitting.id, values[shown.quantity], shown.launches))
    return {name: tuple(seen) for name, seen in by_name.items()}


def values_of(sitting: str, quantities: Sequence[Quantity], seen: Sequence[Sequence[Seen]]) -> tuple[Array, Array]:
    """Scaled values and launches of an earlier sitting, (quantities,); NaN and 0 where it measured nothing."""
    values, launches = np.full(len(quantities), np.nan), np.zeros(len(quantities))
    for i, (quantity, shown) in enumerate(zip(quantities, seen, strict=True)):
        for earlier in shown:
            if earlier.sitting == sitting:
                values[i], launches[i] = scaled(quantity, earlier.value), earlier.launches
    return values, launches
