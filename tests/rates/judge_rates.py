"""Error rates of the judge of change over simulated runs, written as docs/judge-rates.md.

./tenken test --long runs it whole; by hand: PYTHONPATH=python:tests python3 tests/rates/judge_rates.py --runs 500 --out /tmp/r.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rates import kept, lasting_rates, line_rates, noise
from tenken.judge.change import Answer, decide, history_of, learn
from tenken.judge.common import demands
from tenken.model import limits
from tenken.stats import nested
from tenken.stats.change import Ordinary, compare

TREE = Path(__file__).resolve().parents[2]
SITTINGS = (3, 5, 10)
SHIFTS = (0.03, 0.05, 0.10, 0.20)
LAUNCHES = 3  # planned in every sitting; suspect runs get limits.CONFIRMING more
CHUNK = 500
SEED, BLOCKS = 20261121, 4
Counts = dict[str, float]
QUANTITIES = noise.quantities()
DEMANDS = demands(QUANTITIES)
TIMES = slice(0, noise.SECTIONS)


def judged(ordinary: Ordinary, new: noise.Array) -> tuple[noise.Array, noise.Array, noise.Array]:
    """Answers, detectable effects and which runs were suspect, by the two stages of the judge."""
    stages = []
    for count in (LAUNCHES, new.shape[-1]):
        launches = np.full(new.shape[:-1], float(count))
        change = compare(ordinary, np.median(new[..., :count], axis=-1), launches, nested.lowest(new[..., :count]))
        stages.append(decide(change, ordinary.history.together, DEMANDS, launches))
    again = stages[0].suspect.any(axis=-1, keepdims=True)
    first, second = stages
    answers = np.where(again, second.answers, first.answers)
    return answers, np.where(again, second.detectable, first.detectable), again[..., 0]


def measure(machine: noise.Machine, sittings: int, runs: int, block: int) -> Counts:
    """Counts over `runs` simulated runs against baselines of `sittings`; every block has chance of its own."""
    chance = np.random.default_rng([SEED, sittings, round(1e6 * machine.sitting), block])
    return _sum(_chunk(machine, sittings, min(CHUNK, runs - start), chance) for start in range(0, runs, CHUNK))


def _sum(parts: Iterable[Counts]) -> Counts:
    total: Counts = {}
    for part in parts:
        total = {key: total.get(key, 0) + value for key, value in part.items()}
    return total


def _chunk(machine: noise.Machine, sittings: int, runs: int, chance: np.random.Generator) -> Counts:
    ordinary = learn(history_of(noise.sittings(machine, runs, sittings, LAUNCHES, chance), QUANTITIES))
    new = noise.sittings(machine, runs, 1, LAUNCHES + limits.CONFIRMING, chance)[:, :, 0]
    answers, detectable, again = judged(ordinary, new)
    slower = Answer.SLOWER_WITH_REST
    counts: Counts = {
        "runs": runs,
        "clean failed": int((answers >= Answer.FAILED_WITH_REST).any(axis=-1).sum()),
        "clean slower": int((answers >= slower).any(axis=-1).sum()),
        "clean faster": int((answers == Answer.FASTER).any(axis=-1).sum()),
        "clean suspect": int(again.sum()),
        "judged": int((answers[:, TIMES] > Answer.NOT_JUDGED).sum()),
    }
    everyone = np.arange(runs)
    place = everyone % len(noise.CLASSES)  # which section moves: one of each class in turn
    for shift in SHIFTS:
        one, all_of_them = new.copy(), new.copy()
        one[everyone, place] += np.log1p(shift)
        all_of_them[:, TIMES] += np.log1p(shift)
        found = judged(ordinary, one)[0][everyone, place]
        for index, klass in enumerate(noise.CLASSES):
            own = found[place == index]
            counts[f"one {klass} {shift} runs"] = int(own.size)
            counts[f"one {klass} {shift} found"] = int((own >= slower).sum())
            counts[f"one {klass} {shift} failed"] = int((own >= Answer.FAILED_WITH_REST).sum())
        found = judged(ordinary, all_of_them)[0][:, TIMES]
        counts[f"all {shift} found"] = int((found >= slower).any(axis=-1).sum())
        counts[f"all {shift} failed"] = int((found >= Answer.FAILED_WITH_REST).any(axis=-1).sum())
    one = new.copy()
    printed = detectable[everyone, place]
    one[everyone, place] += printed[:, None]
    found = judged(ordinary, one)[0][everyone, place] >= slower
    for index, klass in enumerate(noise.CLASSES):
        counts[f"printed {klass} found"] = int(found[place == index].sum())
        counts[f"printed {klass} sum"] = float(np.expm1(printed[place == index]).sum())
    return counts


def _jobs(runs: int, only: str | None) -> dict[str, Callable[[], Counts]]:
    """Everything that is simulated, by name, each with chance of its own."""
    jobs: dict[str, Callable[[], Counts]] = {}
    if only in (None, "model"):
        for machine in noise.MACHINES:
            for sittings in SITTINGS:
                for block in range(BLOCKS):
                    jobs[f"{machine.name}-{sittings}-{block}"] = partial(measure, machine, sittings, runs // BLOCKS, block)
    if only in (None, "lines"):
        for name, sittings in line_rates.names():
            jobs[f"line-{name}-{sittings}"] = partial(line_rates.counts_of, name, sittings, runs)
        for line in line_rates.LINES:
            for sittings in line_rates.SITTINGS:
                name = f"line-{lasting_rates.PREFIX}{line.name}-{sittings}"
                jobs[name] = partial(lasting_rates.measure, line, sittings, runs // 5)  # each is three sittings, twice
    return jobs


def _parts(counts: dict[str, Counts]) -> list[dict[str, Any]]:
    return [
        {"machine": machine.name, "sittings": sittings,
         **_sum(counts[f"{machine.name}-{sittings}-{block}"] for block in range(BLOCKS))}
        for machine in noise.MACHINES for sittings in SITTINGS
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, help="simulated runs of each line of the tables")
    parser.add_argument("--out", type=Path, default=TREE / "docs" / "judge-rates.md")
    kept.options(parser)
    parser.add_argument("--only", choices=("model", "lines", "real"), help="the part of the page that is written anew")
    typed = parser.parse_args()
    from rates import frozen, line_table, table

    counts = kept.done(_jobs(typed.runs, typed.only), typed.counts, typed.part)
    if counts is None:
        return 0
    goals: list[tuple[str, bool]] = []
    old = typed.out.read_text(encoding="utf-8").partition(f"\n{table.SIMULATED}")[2] if typed.only else ""
    model, _, lines = (table.SIMULATED + old).partition(f"\n{line_table.HEAD}\n")
    lines = f"{line_table.HEAD}\n{lines}"
    if typed.only in (None, "model"):
        model, goals = table.simulated(_parts(counts))
    if typed.only in (None, "lines"):
        of_lines = {f"{name}/{count}": counts[f"line-{name}-{count}"] for name, count in line_rates.names()}
        last = {
            f"{lasting_rates.PREFIX}{line.name}/{count}": counts[f"line-{lasting_rates.PREFIX}{line.name}-{count}"]
            for line in line_rates.LINES for count in line_rates.SITTINGS
        }
        lines = line_table.page(of_lines) + lasting_rates.page(last)
        goals += line_table.goals(of_lines) + lasting_rates.goals(last)
    typed.out.write_text(table.page(table.real(frozen.read_all()), f"{model}\n{lines}"), encoding="utf-8")
    for goal, reached in goals:
        print(f"judge rates: {goal}: {'passed' if reached else 'FAILED'}")
    return 0 if all(reached for _, reached in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
