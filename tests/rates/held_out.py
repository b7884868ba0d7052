"""Real runs with nothing changed between them: each is judged against others as its baseline, with changes added too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from rates.frozen import Array, Frozen
from tenken.judge.change import Answer, Decision, decide, history_of, learn
from tenken.judge.common import demands, kind_of
from tenken.model.limits import CONFIRMED
from tenken.stats import nested
from tenken.stats.change import compare

Labels = NDArray[np.int64]
MOST_SETS = 10  # baselines of fewer sittings that one held-out run is judged against
SHIFTS = (0.0, 0.05, 0.10, 0.20)  # the first: what is called slower although nothing was added


@dataclass
class HeldOut:
    """Counts over judgements: each of the runs against baselines made of the others."""

    sittings: int
    judgements: int = 0
    failed: int = 0  # judgements with any FAIL
    slower: int = 0  # with any slower, FAIL or WARN
    alone: int = 0  # with any slower by itself, and not with the whole run
    faster: int = 0
    quantities: int = 0
    judged: int = 0  # of the quantities
    confirmed: int = 0  # of the quantities: with launches enough for a FAIL
    called: int = 0  # quantities called anything but OK
    times: int = 0  # quantities to which each change was added in turn
    found: tuple[int, ...] = (0,) * len(SHIFTS)


def held_out(frozen: Frozen) -> tuple[HeldOut, ...]:
    """Against baselines of 3 sittings, and of all other runs."""
    return tuple(_judge(frozen, size) for size in dict.fromkeys((3, len(frozen.runs) - 1)))


def _judge(frozen: Frozen, sittings: int) -> HeldOut:
    counts = HeldOut(sittings)
    for run in range(len(frozen.runs)):
        present = np.flatnonzero(~np.isnan(frozen.judged[:, run]).all(axis=-1))
        others = [one for one in range(len(frozen.runs)) if one != run]
        sets = list(combinations(others, sittings))
        for chosen in sets[:: max(1, len(sets) // MOST_SETS)]:
            if present.size:
                _count(counts, frozen, present, run, chosen)
    return counts


def _count(counts: HeldOut, frozen: Frozen, present: Labels, run: int, chosen: Sequence[int]) -> None:
    new = frozen.judged[present, run]
    launches = (~np.isnan(new)).sum(axis=-1).astype(float)
    times = [i for i, row in enumerate(present) if kind_of(frozen.quantities[row].name) == "time"]
    values = np.tile(new, (1 + len(SHIFTS) * len(times), 1, 1))
    for part, shift in enumerate(SHIFTS):
        for number, i in enumerate(times):
            values[1 + part * len(times) + number, i] += np.log1p(shift)
    answers = decided(frozen, present, chosen, values).answers
    clean = answers[0]
    slower, faster = clean >= Answer.SLOWER_WITH_REST, clean == Answer.FASTER
    counts.judgements += 1
    counts.failed += bool((clean >= Answer.FAILED_WITH_REST).any())
    counts.slower += bool(slower.any())
    counts.alone += bool(np.isin(clean, (Answer.SLOWER, Answer.FAILED)).any())
    counts.faster += bool(faster.any())
    counts.quantities += clean.size
    counts.judged += int((clean != Answer.NOT_JUDGED).sum())
    counts.confirmed += int((launches >= CONFIRMED).sum())
    counts.called += int((slower | faster).sum())
    counts.times += len(times)
    own = answers[1:].reshape(len(SHIFTS), len(times), present.size)[:, np.arange(len(times)), times]
    counts.found = tuple(a + int(b) for a, b in zip(counts.found, (own >= Answer.SLOWER_WITH_REST).sum(axis=-1), strict=True))


def decided(frozen: Frozen, present: Labels, chosen: Sequence[int], new: Array) -> Decision:
    """`new` (..., present, launches): a sitting, held against the sittings `chosen`, as `judge.change` does."""
    quantities = tuple(frozen.quantities[row] for row in present)
    cases = [frozen.names[row][0] for row in present]
    history = history_of(frozen.accepted[present][None, :, list(chosen)], quantities, cases)
    launches = (~np.isnan(new)).sum(axis=-1).astype(float)
    change = compare(learn(history), nested.middle(new), launches, nested.lowest(new))
    return decide(change, history.together, demands(quantities), launches)
