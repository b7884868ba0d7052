"""Error rates of the judge of change over simulated runs, written as docs/judge-rates.md.

./tenken test --long runs it whole; by hand: PYTHONPATH=python:tests python3 tests/rates/judge_rates.py --runs 500 --out /tmp/r.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from rates import noise
from tenken.judge import limits
from tenken.judge.change_history import history_of
from tenken.judge.change_rule import Answer, decide, demands, learn
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
        change = compare(ordinary, np.median(new[..., :count], axis=-1), launches)
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


def _block(machine: noise.Machine, sittings: int, block: int, runs: int, folder: Path | None) -> Counts:
    name = f"{machine.name}-{sittings}-{block}"
    kept = folder / f"{name}.json" if folder else None
    if kept and kept.exists():
        read: Counts = json.loads(kept.read_text(encoding="utf-8"))
        return read
    counts = measure(machine, sittings, runs, block)
    print(f"{name}: {runs} runs", file=sys.stderr, flush=True)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(counts), encoding="utf-8")
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, help="simulated runs of each machine and size of baseline")
    parser.add_argument("--out", type=Path, default=TREE / "docs" / "judge-rates.md")
    parser.add_argument("--counts", type=Path, help="folder of counts: what is there is not simulated again")
    parser.add_argument("--part", help="MACHINE-SITTINGS-BLOCK: simulate this alone and write no table")
    parser.add_argument("--real-only", action="store_true", help="leave the simulated part of the table as it is")
    typed = parser.parse_args()
    from rates import frozen, table

    real = table.real(frozen.read())
    if typed.real_only:
        simulated = table.SIMULATED + typed.out.read_text(encoding="utf-8").partition(f"\n{table.SIMULATED}")[2]
        typed.out.write_text(table.page(real, simulated), encoding="utf-8")
        return 0
    parts = []
    for machine in noise.MACHINES:
        for sittings in SITTINGS:
            blocks = [
                _block(machine, sittings, block, typed.runs // BLOCKS, typed.counts) for block in range(BLOCKS)
                if typed.part in (None, f"{machine.name}-{sittings}-{block}")
            ]
            parts.append({"machine": machine.name, "sittings": sittings, **_sum(blocks)})
    if typed.part:
        return 0
    text, goals = table.simulated(parts)
    typed.out.write_text(table.page(real, text), encoding="utf-8")
    for goal, reached in goals:
        print(f"judge rates: {goal}: {'passed' if reached else 'FAILED'}")
    return 0 if all(reached for _, reached in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
