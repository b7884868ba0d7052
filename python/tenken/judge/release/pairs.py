"""All quantities of a comparison in pairs of launches: from records to the answer on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import ceil, exp, expm1, log2

import numpy as np
from numpy.typing import NDArray

from tenken.judge.common import Prepared, demands, every_launch, groups_of, kind_of, scaled, tests_of, unscaled
from tenken.model import limits
from tenken.model.baseline import Quantity
from tenken.model.check import Check
from tenken.model.comparison import PairedQuantity
from tenken.stats import shift as stats

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Answer(IntEnum):
    """The answer on a quantity of the second environment."""

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


WORDS = {
    Answer.NOT_JUDGED: "not enough evidence", Answer.ALIKE: "alike", Answer.FASTER: "faster",
    Answer.SEEMS_SLOWER: "seems slower", Answer.SLOWER: "slower", Answer.MUCH_SLOWER: "slower",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A quantity of a case."""

    of: PairedQuantity
    answer: Answer
    open: bool  # more pairs could tell
    certainty: float  # effect over its standard error

    @property
    def slower(self) -> bool:
        return self.answer in (Answer.SLOWER, Answer.MUCH_SLOWER)

    @property
    def is_time(self) -> bool:
        return kind_of(self.of.quantity) == "time"


@dataclass(frozen=True, slots=True)
class _Row:
    case_id: str
    check: Check
    planned: int  # pairs
    quantity: Quantity
    values: tuple[list[float], list[float]]  # of A and B, pair by pair


def judge_pairs(cases: Sequence[tuple[Prepared, Prepared]], most: int) -> dict[str, tuple[Judged, ...]]:
    """By case id; each pair of a case counts that was measured in both environments. `most` pairs of a case can be made."""
    rows = [row for pair in cases for row in _rows(*pair)]
    if not rows:
        return {}
    quantities = tuple(row.quantity for row in rows)
    paired = pairs_of(_scaled(rows, 0), _scaled(rows, 1), quantities)
    rule = answer(paired, quantities, np.array([looks(row.planned, most) for row in rows]))
    judged: dict[str, list[Judged]] = {}
    for index, row in enumerate(rows):
        if paired.pairs[index] > 0:
            judged.setdefault(row.case_id, []).append(_judged(row, index, paired, rule))
    return {case_id: tuple(some) for case_id, some in judged.items()}


def looks(planned: int, most: int) -> int:
    """How often a case is looked at that begins with `planned` pairs and is given as many again each time, up to `most`."""
    return 1 + ceil(log2(max(most / planned, 1.0)))


def _rows(first: Prepared, second: Prepared) -> list[_Row]:
    quantities, launches = every_launch((first, second))
    numbers = sorted(launches[0].keys() & launches[1].keys())
    rows = []
    for quantity in quantities:
        a, b = ([side[number].get(quantity.name, float("nan")) for number in numbers] for side in launches)
        of = first.case_run
        rows.append(_Row(of.case.id, of.check, of.case.launches, quantity, (a, b)))
    return rows if numbers else []


def _scaled(rows: Sequence[_Row], side: int) -> Array:
    """Values of A (0) or B, (rows, pairs)."""
    result = np.full((len(rows), max(len(row.values[side]) for row in rows)), np.nan)
    for index, row in enumerate(rows):
        result[index, : len(row.values[side])] = [scaled(row.quantity, value) for value in row.values[side]]
    return result


def _judged(row: _Row, index: int, paired: stats.Paired, rule: Rule) -> Judged:
    low, high = stats.interval(paired)
    first, second = (
        unscaled(row.quantity, float(np.nanmedian([scaled(row.quantity, value) for value in side]))) for side in row.values
    )
    word = Answer(int(rule.answers[index]))
    section, kind = _section(row)
    of = PairedQuantity(
        quantity=row.quantity.name,
        section=section,
        kind=kind,
        unit=row.quantity.unit,
        better=row.quantity.better,
        klass=row.quantity.klass,
        word=WORDS[word],
        first=first,
        second=second,
        ratio=exp(paired.effect[index]),
        interval=(exp(low[index]), exp(high[index])),
        detectable=expm1(rule.detectable[index]),
        pairs=int(paired.pairs[index]),
        least=expm1(rule.least[index]),
    )
    return Judged(of, word, bool(rule.open[index]), float(paired.effect[index] / paired.sigma[index]))


def _section(row: _Row) -> tuple[str | None, str]:
    """Path and kind of the section behind a quantity; (None, "") for a recorded value."""
    source, name = row.quantity.name.split(":", 1)
    path: str | None = name
    if source == "metric":
        metric, _, at = name.partition("/")
        stated = next(other.section for other in row.check.metrics if other.name == metric)
        path = f"{stated}/{at}" if stated and at else stated
    kinds = {section_spec.path: section_spec.kind for section_spec in row.check.sections}
    kind = next((kinds[section] for section in (path, (path or "").rpartition("/")[0]) if section in kinds), "")
    return path, kind


def pairs_of(first: Array, second: Array, quantities: tuple[Quantity, ...]) -> stats.Paired:
    """`stats.paired` with the guesses of noise from limits.py. `first`, `second` (..., quantities, pairs), worse is larger."""
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


def answer(paired: stats.Paired, quantities: tuple[Quantity, ...], looks: Array) -> Rule:
    """A quantity is slower where it exceeds its noise (Bonferroni over all quantities) and the smallest effect of its class.

    `looks` (quantities,): how often a quantity is looked at, at the most, as pairs are added; they share the error equally.
    """
    demand = demands(quantities)
    known = ~np.isnan(paired.effect)
    tests = tests_of(known, demand.kind) * looks
    noise, seeming = (stats.limit(paired, error / tests) for error in (limits.RELEASE_ERROR, limits.SEEMS_ERROR))
    seen = stats.detectable(paired, limits.RELEASE_ERROR / tests, demand.warn)
    wanted = np.log1p([limits.RELEASE_FINDS[quantity.klass] for quantity in quantities])

    def beyond(effect: Array, least: Array, limit: Array) -> Flags:
        return known & (effect >= least) & (effect >= limit)

    answers = np.where(known & (seen <= demand.hopeless), Answer.ALIKE, Answer.NOT_JUDGED)
    for flags, word in (
        (beyond(-paired.effect, demand.warn, noise), Answer.FASTER),
        (beyond(paired.effect, demand.warn, seeming), Answer.SEEMS_SLOWER),
        (beyond(paired.effect, demand.warn, noise), Answer.SLOWER),
        (beyond(paired.effect, demand.fail, noise), Answer.MUCH_SLOWER),
    ):
        answers = np.where(flags, word, answers)
    doubt = stats.limit(paired, limits.SUSPECT_ERROR / tests)
    suspect = beyond(paired.effect, limits.SUSPECT_PART * demand.warn, doubt)
    blind = known & (demand.kind == "time") & (seen > wanted)
    return Rule(answers, (suspect | blind) & (answers < Answer.SLOWER), demand.warn, seen)
