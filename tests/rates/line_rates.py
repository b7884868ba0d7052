"""Error rates of the judge of change on the noise of lines.py, and on shifts that many quantities share.

200 runs of each line are made again by line_rates_test.py, whose counts are line_counts.json; judge_rates.py writes the table.
By hand: PYTHONPATH=python:tests python3 tests/rates/line_rates.py (--runs 1000 --out /tmp/counts.json).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from rates import lines, noise
from rates.lines import LINES, OF_CASE, Line
from tenken.judge.change import Answer, decide, history_of, learn
from tenken.judge.common import demands
from tenken.model import limits
from tenken.stats import nested
from tenken.stats.change import Ordinary, compare

Array = noise.Array
Answers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Counts = dict[str, int]
FILE = Path(__file__).with_name("line_counts.json")
SITTINGS = (3, 5, 10, 30)
SHIFTS = (0.05, 0.10, 0.20)  # of one section
LAUNCHES = 3  # planned in every sitting
CHUNK = 200
SEED, FEW = 20261123, 200  # runs that are made again by the tests
TIMES = slice(0, noise.SECTIONS)
QUANTITIES = noise.quantities()
NAMES = tuple(str(case) for case in OF_CASE)
DEMANDS = demands(QUANTITIES)
FAILS = Answer.FAILED_WITH_REST  # and what is above
WITH_CLASS = (Answer.SLOWER_WITH_CLASS, Answer.FAILED_WITH_CLASS)
SHARED, SHARED_BY = 0.25, (5, 10, 15, 20, 21, 25, 30, 35, 40)  # a slowdown, and how many of the 40 sections have it
CLASS_SHIFT, CLASS = 0.37, noise.CLASSES.index("latency")  # of every section of one class


def decided(ordinary: Ordinary, new: Array) -> tuple[Answers, Array]:
    """Answers about the launches `new` (runs, quantities, launches) that count, and which quantities are suspect."""
    launches = (~np.isnan(new)).sum(axis=-1).astype(float)
    change = compare(ordinary, nested.middle(new), launches, nested.lowest(new))
    found = decide(change, ordinary.history.together, DEMANDS, launches)
    return found.answers, found.suspect


def confirmed(ordinary: Ordinary, new: Array) -> tuple[Array, Array]:
    """The launches that count after both stages, NaN the others, and which runs had a suspect: as in production, suspect cases
    are launched again as a whole."""
    planned = np.arange(new.shape[-1]) < LAUNCHES
    suspect = decided(ordinary, np.where(planned, new, np.nan))[1]
    again = np.stack([suspect[:, OF_CASE == case].any(axis=-1) for case in range(lines.CASES)], axis=-1)
    return np.where(planned | again[:, OF_CASE, None], new, np.nan), again.any(axis=-1)


def judged(ordinary: Ordinary, new: Array) -> tuple[Answers, Array]:
    """Answers after both stages, and which runs had a suspect."""
    counting, again = confirmed(ordinary, new)
    return decided(ordinary, counting)[0], again


def summed(chunk: Callable[[int], Iterable[tuple[str, int]]], runs: int) -> Counts:
    """What `chunk` counts in so many runs at once, over all runs."""
    total: Counts = {}
    for start in range(0, runs, CHUNK):
        for key, count in chunk(min(CHUNK, runs - start)):
            total[key] = total.get(key, 0) + int(count)
    return total


def measure(line: Line, sittings: int, runs: int, block: int = 0) -> Counts:
    """Counts over `runs` runs of a line against baselines of `sittings`; every block has chance of its own."""
    chance = np.random.default_rng([SEED, LINES.index(line), sittings, block])
    return summed(lambda many: _chunk(line, sittings, many, chance), runs)


def _chunk(line: Line, sittings: int, runs: int, chance: np.random.Generator) -> Iterator[tuple[str, int]]:
    ordinary = learn(history_of(lines.sittings(line, runs, sittings, LAUNCHES, chance), QUANTITIES, NAMES))
    new = lines.sittings(line, runs, 1, LAUNCHES + limits.CONFIRMING, chance)[:, :, 0]
    answers, again = judged(ordinary, new)
    yield "runs", runs
    yield "failed", (answers >= FAILS).any(axis=-1).sum()
    yield "slower", (answers >= Answer.SLOWER_WITH_REST).any(axis=-1).sum()
    yield "faster", (answers == Answer.FASTER).any(axis=-1).sum()
    yield "suspect", again.sum()
    yield "judged", (answers[:, TIMES] > Answer.NOT_JUDGED).sum()
    everyone = np.arange(runs)
    place = everyone % noise.SECTIONS
    for shift in SHIFTS:
        moved = new.copy()
        moved[everyone, place] += np.log1p(shift)
        own = judged(ordinary, moved)[0][everyone, place]
        yield f"{shift} found", (own >= Answer.SLOWER_WITH_REST).sum()
        yield f"{shift} failed", (own >= FAILS).sum()


def shared(sittings: int, runs: int, block: int = 0) -> Counts:
    """Counts where many sections of one run are slower by as much: some of every class, or all of one class."""
    chance = np.random.default_rng([SEED, len(LINES), sittings, block])
    return summed(lambda many: _shared_chunk(sittings, many, chance), runs)


def _shared_chunk(sittings: int, runs: int, chance: np.random.Generator) -> Iterator[tuple[str, int]]:
    line = next(one for one in LINES if one.name == "normal")
    ordinary = learn(history_of(lines.sittings(line, runs, sittings, LAUNCHES, chance), QUANTITIES, NAMES))
    new = lines.sittings(line, runs, 1, LAUNCHES + limits.CONFIRMING, chance)[:, :, 0]
    yield "runs", runs
    section = np.arange(noise.SECTIONS)
    kinds = [(f"{count} of 40", section < count, SHARED) for count in SHARED_BY]
    of_class = section % len(noise.CLASSES) == CLASS
    for name, which, shift in (*kinds, ("class", of_class, CLASS_SHIFT)):
        moved = new.copy()
        moved[:, np.flatnonzero(which)] += np.log1p(shift)
        answers = judged(ordinary, moved)[0][:, TIMES]
        yield f"{name} found", (answers[:, which] >= Answer.SLOWER_WITH_REST).sum()
        yield f"{name} failed", (answers[:, which] >= FAILS).sum()
        if name == "class":
            yield "class named", (np.isin(answers[:, which], WITH_CLASS)).sum()
        yield f"{name} any failed", (answers[:, which] >= FAILS).any(axis=-1).sum()
        yield f"{name} blamed", (answers[:, ~which] > Answer.OK).sum()
        yield f"{name} fine", (answers[:, ~which] == Answer.OK).sum()


def names() -> list[tuple[str, int]]:
    """Of everything that is counted: line (or "shared") and sittings."""
    return [(name, sittings) for name in (*(line.name for line in LINES), "shared") for sittings in SITTINGS]


def counts_of(name: str, sittings: int, runs: int, block: int = 0) -> Counts:
    if name == "shared":
        return shared(sittings, runs, block)
    return measure(next(line for line in LINES if line.name == name), sittings, runs, block)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=FEW, help="of each line and size of baseline")
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--only", help="lines whose names have this in them; nothing is written")
    parser.add_argument("--block", type=int, default=0, help="another block has other chance")
    typed = parser.parse_args()
    found = {}
    for name, sittings in names():
        if typed.only is None or typed.only in name:
            found[f"{name}/{sittings}"] = counts_of(name, sittings, typed.runs, typed.block)
            print(f"{name}/{sittings}", found[f"{name}/{sittings}"], flush=True)
    if typed.only is None:
        text = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in found.items())  # a line a line
        typed.out.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
