"""Real runs with nothing changed between them: each is judged against others as its baseline, with changes added too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from rates.frozen import Array, Frozen
from tenken.judge.change import Answer, Decision, Row, between, held, learned, rows_of
from tenken.judge.common import kind_of, scaled
from tenken.model.baseline import Sitting
from tenken.model.limits import CONFIRMED
from tenken.stats import nested

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
        others = [one for one in range(len(frozen.runs)) if one != run]
        sets = list(combinations(others, sittings))
        for chosen in sets[:: max(1, len(sets) // MOST_SETS)]:
            rows = rows_held(frozen, run, chosen)
            if rows:
                _count(counts, rows, [frozen.runs[one] for one in chosen])
    return counts


def rows_held(frozen: Frozen, run: int, chosen: Sequence[int]) -> list[Row]:
    """The rows that `judge_changes` would make of a run and a baseline of the runs `chosen`."""
    rows = []
    for case, one in frozen.cases[run].items():
        known = [(frozen.runs[j], frozen.cases[j][case].accepted) for j in chosen if case in frozen.cases[j]]
        sittings = tuple(Sitting(name, "", (), {}, launches) for name, launches in known if launches)
        rows += rows_of(case, one.judged, sittings, frozen.quantities[case], one.follows)
    return rows


def _count(counts: HeldOut, rows: Sequence[Row], order: Sequence[str]) -> None:
    launches = np.array([len(row.now) for row in rows])
    times = [i for i, row in enumerate(rows) if kind_of(row.quantity.name) == "time"]
    shifts = np.zeros((1 + len(SHIFTS) * len(times), len(rows)))
    for part, shift in enumerate(SHIFTS):
        shifts[1 + part * len(times) + np.arange(len(times)), times] = np.log1p(shift)
    answers = decided(rows, order, shifts).answers
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
    own = answers[1:].reshape(len(SHIFTS), len(times), len(rows))[:, np.arange(len(times)), times]
    counts.found = tuple(a + int(b) for a, b in zip(counts.found, (own >= Answer.SLOWER_WITH_REST).sum(axis=-1), strict=True))


def decided(rows: Sequence[Row], order: Sequence[str], shifts: Array) -> Decision:
    """As `judge_changes` decides, of rows whose scaled values move by `shifts` (..., rows); `order`: the sittings, oldest first."""
    ordinary, demand = learned(rows, order)
    launches = np.array([float(len(row.now)) for row in rows])

    def at(ends: Sequence[tuple[float, ...]]) -> Decision:
        values = np.full((len(rows), max(map(len, ends))), np.nan)
        for i, (row, end) in enumerate(zip(rows, ends, strict=True)):
            values[i, : len(end)] = [scaled(row.quantity, value) for value in end]
        new = values + shifts[..., None]
        return held(ordinary, demand, nested.middle(new), launches, nested.lowest(new)).decision

    return between(at([row.now for row in rows]), at([row.fast for row in rows]))[0]
