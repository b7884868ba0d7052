"""How many quantities that did not change are called slower where others of the run are slower.

200 runs of each scene are made again by innocents_test.py, whose counts are innocents_counts.json.
PYTHONPATH=python:tests python3 tests/rates/innocents.py (--runs 200) prints the page; --write writes it and its counts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rates import line_rates, lines, noise
from rates.bounds import rate, table
from tenken.judge.change import Answer, decide, history_of, learn
from tenken.judge.common import demands
from tenken.model import limits
from tenken.stats import nested
from tenken.stats.change import compare

FILE = Path(__file__).with_name("innocents_counts.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "innocents.md"
SEED = 20261125
RUNS, SITTINGS = 200, (3, 5, 10)
MOST, LEAST = 0.02, 0.9  # of the innocent quantities called slower at most; of those slower by 20 % and more found at least
DAYS = noise.Machine("typical, no slow days", 0.015, 0.02, slow=0.0)
LINE = lines.Line("no slow days", "", DAYS)
SECTION = np.arange(noise.SECTIONS)
CASE = lines.OF_CASE[: noise.SECTIONS]
CLASS = SECTION % len(noise.CLASSES)
LATENCY = noise.CLASSES.index("latency")


@dataclass(frozen=True)
class Scene:
    name: str
    cases: tuple[str, ...]  # of each section; "" is not in the run
    slow: tuple[bool, ...]
    by: float


def _scene(name: str, cases: list[str], slow: np.ndarray, by: float) -> Scene:
    return Scene(name, tuple(cases), tuple(bool(one) for one in slow), by)


def _small(large: int, each: int) -> list[str]:
    """A case of `large` latency sections beside three cases of `each` sections, every case of one class."""
    place = SECTION // len(noise.CLASSES)
    return ["" if place[i] >= (large if CLASS[i] == LATENCY else each) else f"case{CLASS[i]}" for i in SECTION]


BY_CASE = [str(one) for one in CASE]
SCENES = (
    _scene("25 of 40 sections 10 % slower", BY_CASE, SECTION % 8 < 5, 0.10),
    _scene("25 of 40 sections 25 % slower", BY_CASE, SECTION % 8 < 5, 0.25),
    _scene("5 of 8 cases 10 % slower", BY_CASE, CASE < 5, 0.10),
    _scene("6 of 10 latency sections 30 % slower", BY_CASE, (CLASS == LATENCY) & (SECTION < 24), 0.30),
    _scene("a case of 10 sections 10 % slower beside three of 2", _small(10, 2), CLASS == LATENCY, 0.10),
    _scene("a case of 10 sections 30 % slower beside three of 2", _small(10, 2), CLASS == LATENCY, 0.30),
    _scene("one section 20 % slower in four cases of 5", _small(5, 5), SECTION == LATENCY, 0.20),
    _scene("one section 20 % slower in a case of 10 beside three of 1", _small(10, 1), SECTION == LATENCY, 0.20),
    _scene("a case of 1 section 20 % slower beside one of 10",
           [f"case{CLASS[i]}" if CLASS[i] == LATENCY or i == 0 else "" for i in SECTION], SECTION == 0, 0.20),
)


def counts_of(scene: Scene, sittings: int, runs: int) -> dict[str, int]:
    chance = np.random.default_rng([SEED, SCENES.index(scene), sittings])
    return line_rates.summed(lambda many: _chunk(scene, sittings, many, chance), runs)


def _chunk(scene: Scene, sittings: int, runs: int, chance: np.random.Generator) -> Iterator[tuple[str, int]]:
    before = lines.sittings(LINE, runs, sittings, line_rates.LAUNCHES, chance)
    new = lines.sittings(LINE, runs, 1, line_rates.LAUNCHES + limits.CONFIRMING, chance)[:, :, 0]
    slow = np.array(scene.slow)
    new[:, np.flatnonzero(slow)] += np.log1p(scene.by)
    kept = np.flatnonzero(np.tile([bool(one) for one in scene.cases], 3))
    quantities = tuple(line_rates.QUANTITIES[i] for i in kept)
    ordinary = learn(history_of(before[:, kept], quantities, [scene.cases[i % noise.SECTIONS] for i in kept]))
    demand = demands(quantities)

    def answers(some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        launches = np.full(some.shape[:-1], float(some.shape[-1]))
        change = compare(ordinary, nested.middle(some), launches, nested.lowest(some))
        of = decide(change, ordinary.history.together, demand, launches)
        return of.answers, of.suspect.any(axis=-1)

    first, again = answers(new[:, kept, : line_rates.LAUNCHES])
    both = np.where(again[:, None], answers(new[:, kept])[0], first)
    times = kept < noise.SECTIONS
    guilty = slow[kept[times]]
    worse = both[:, times] >= Answer.SLOWER_WITH_REST
    yield "runs", runs
    yield "innocents", runs * int((~guilty).sum())
    yield "named", int(worse[:, ~guilty].sum())
    yield "faster", int((both[:, times][:, ~guilty] == Answer.FASTER).sum())
    yield "slow", runs * int(guilty.sum())
    yield "found", int(worse[:, guilty].sum())


def page(counts: dict[str, dict[str, int]]) -> str:
    """docs/innocents.md from counts by "scene/sittings"."""
    rows = []
    for name, one in counts.items():
        scene, _, sittings = name.rpartition("/")
        rows.append((scene, sittings, *(rate(one[key], one["innocents"]) for key in ("named", "faster")),
                     rate(one["found"], one["slow"])))
    head = ("scene", "sittings", "innocents called slower", "innocents called faster", "slow sections detected")
    return f"""# Innocent sections beside slow sections

Made by `PYTHONPATH=python:tests python3 tests/rates/innocents.py --write`; do not edit.
Simulated runs in which some sections are slower and the others are as before:
{next(iter(counts.values()))["runs"]} runs a scene. A section that is as before is an innocent.
The earlier figures and the reasons: [decision 49](decisions/change.md#49).

{table(head, rows)}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}, and the counts to {FILE.name}")
    typed = parser.parse_args()
    counts = {f"{scene.name}/{sittings}": counts_of(scene, sittings, typed.runs) for scene in SCENES for sittings in SITTINGS}
    text = page(counts)
    print(text, end="")
    if typed.write:
        PAGE.write_text(text, encoding="utf-8")
        lines_of = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in counts.items())
        FILE.write_text(f"{{\n{lines_of}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
