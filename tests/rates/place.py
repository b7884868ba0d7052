"""How often a clean machine has somebody named, and a bad node or path is named right: writes docs/place-rates.md.

./tenken test --long runs it whole; by hand: PYTHONPATH=python:tests python3 tests/rates/place.py --counts FOLDER, which goes on where it was left.

Noise of a section's time on one rank, as factors that multiply. "inside": standard deviation of a repetition; "node": of
a node that is as good as any, half of its variance common to all sections; a launch moves all nodes together by as much,
and each node by a third of it; a rank of a node by a third. 20 repetitions, one in twenty of them 25 % longer on average.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rates import kept, place_lines
from rates.bounds import rate, table
from tenken.model.limits import PATH_EFFECT, PATH_ERROR, PLACE_EFFECT, PLACE_ERROR
from tenken.stats.pairs import Guilt, guilty_pairs, median_polish
from tenken.stats.places import guilty, levels_of

TREE = Path(__file__).resolve().parents[2]
Array = NDArray[np.float64]
SECTIONS, RANKS, LAUNCHES, REPETITIONS = 40, 2, 3, 20
SLOW_NODE = 1.2
CHUNK = 500  # runs of a line in one job
# Nodes, and what is planted among them: (bad nodes, of how many sections).
PLACES = {4: ((1, 40),), 8: ((3, 40),), 64: ((1, 40), (1, 1), (25, 40)), 1024: ((1, 40),)}
# Nodes of all pairs, and what is planted: (path or end, factor on its time).
PAIRS = {nodes: (("path", 1.2), ("path", 1.5), ("path", 2.0), ("end", 1.5)) for nodes in (8, 16, 64)}


@dataclass(frozen=True)
class Noise:
    name: str
    inside: float
    node: float
    pair: float  # of the median time of one path


NOISES = (Noise("quiet", 0.005, 0.007, 0.01), Noise("typical", 0.015, 0.02, 0.03), Noise("noisy", 0.04, 0.05, 0.10))


@dataclass
class Rate:
    """Of runs of one noise on so many nodes, with `planted` in them (nothing: clean)."""

    noise: str
    nodes: int
    planted: tuple[object, float] | None
    hits: int = 0
    runs: int = 0

    def add(self, hit: bool) -> None:
        self.hits += hit
        self.runs += 1

    def __str__(self) -> str:
        return rate(self.hits, self.runs)


def machine(noise: Noise, nodes: int, chance: np.random.Generator) -> tuple[Array, NDArray[np.int64]]:
    """(LAUNCHES, SECTIONS, ranks) medians of a clean run, and the node of each rank."""
    node = np.repeat(np.arange(nodes), RANKS)
    half = 0.5**0.5
    good = noise.node * half * (chance.normal(size=(1, 1, nodes)) + chance.normal(size=(1, SECTIONS, nodes)))
    launch = noise.node * chance.normal(size=(LAUNCHES, SECTIONS, 1))
    moved = noise.node / 3 * chance.normal(size=(LAUNCHES, 1, nodes))
    rank = noise.node / 3 * chance.normal(size=(1, SECTIONS, node.size))
    shape = (LAUNCHES, SECTIONS, node.size)
    error = 1.2533 * noise.inside / REPETITIONS**0.5 * chance.standard_normal(shape)
    spikes = 0.25 / REPETITIONS * chance.poisson(0.05 * REPETITIONS, shape) * noise.inside  # as far as a median moves
    size = 1e6 * np.exp(chance.normal(size=(1, SECTIONS, 1)))
    return size * np.exp(good[..., node] + moved[..., node] + launch + rank + error + spikes), node


def node_rates(noise: Noise, nodes: int, runs: int) -> list[Rate]:
    """Clean runs in which anybody is named; runs with bad nodes that are named right, all of them and nobody else."""
    chance = np.random.default_rng([nodes, NOISES.index(noise)])
    clean, planted = Rate(noise.name, nodes, None), [Rate(noise.name, nodes, one) for one in PLACES[nodes]]
    for _ in range(runs):
        ns, node = machine(noise, nodes, chance)
        levels = levels_of(node, np.arange(node.size) // RANKS)
        clean.add(bool(guilty(ns, levels, PLACE_ERROR, log(PLACE_EFFECT))))
        for one, (bad, sections) in zip(planted, PLACES[nodes], strict=True):
            chosen = chance.choice(nodes, bad, replace=False)
            slowed = ns.copy()
            slowed[:, :sections, np.isin(node, chosen)] *= SLOW_NODE
            found = guilty(slowed, levels, PLACE_ERROR, log(PLACE_EFFECT))
            one.add({(each.level, each.unit) for each in found} == {("node", int(each)) for each in chosen})
    return [clean, *planted]


def pair_rates(noise: Noise, nodes: int, runs: int) -> list[Rate]:
    """Clean tables in which anything is named; tables with one bad path or end that is named, and nothing else."""
    chance = np.random.default_rng([nodes, NOISES.index(noise), len(PAIRS)])
    clean, planted = Rate(noise.name, nodes, None), [Rate(noise.name, nodes, one) for one in PAIRS[nodes]]
    for number in range(runs):
        node = noise.node * chance.normal(size=nodes)
        path = np.triu(noise.pair * chance.normal(size=(nodes, nodes)), 1)
        times = 1e5 * np.exp(node[:, None] + node[None, :] + path + path.T)
        np.fill_diagonal(times, np.nan)
        guilt = named(times)
        clean.add(bool(guilt.ends or guilt.paths))
        if number % 4:
            continue
        for one, (what, factor) in zip(planted, PAIRS[nodes], strict=True):
            i, j = sorted(int(end) for end in chance.choice(nodes, 2, replace=False))
            slowed, cells = times.copy(), slice(None) if what == "end" else j
            slowed[i, cells] *= factor
            slowed[cells, i] *= factor
            guilt = named(slowed)
            one.add((guilt.ends, guilt.paths) == (((i,), ()) if what == "end" else ((), ((i, j),))))
    return [clean, *planted]


def named(times: Array) -> Guilt:
    return guilty_pairs(median_polish(times), PATH_ERROR / 2, log(PATH_EFFECT["bandwidth"]))


def page(places: Sequence[Rate], pairs: Sequence[Rate]) -> str:
    def rows(rates: Sequence[Rate], clean: bool) -> list[tuple[str, ...]]:
        return [
            (one.noise, str(one.nodes), *map(str, one.planted or ()), str(one.runs), str(one))
            for one in rates if (one.planted is None) == clean
        ]

    noises = "; ".join(f"{one.name} {one.inside:.1%}, {one.node:.1%}, {one.pair:.1%}" for one in NOISES)
    return f"""# Rates of wrong and right places

Made by `./tenken test --long` (tests/rates/place.py); do not edit. Simulated, and judged by the functions that judge real runs.
Noise: {noises} (standard deviation of a repetition, of a good node among its equals,
of a good path). In brackets: 95 % bounds (Wilson).

## Nodes: {SECTIONS} sections, {RANKS} ranks a node, {LAUNCHES} launches

Nobody is bad:

{table(("noise", "nodes", "runs", "somebody is named"), rows(places, True))}
Bad nodes are {SLOW_NODE - 1:.0%} slower in so many sections. Right: all of them and nobody else.

{table(("noise", "nodes", "bad nodes", "slow sections", "runs", "named right"), rows(places, False))}
## Paths: all pairs of nodes

Nothing is bad:

{table(("noise", "nodes", "tables", "anything is named"), rows(pairs, True))}
One path, or one end with all its paths, takes so many times as long. Right: it and nothing else.

{table(("noise", "nodes", "bad", "time x", "tables", "named right"), rows(pairs, False))}"""


def goals(places: Sequence[Rate], pairs: Sequence[Rate]) -> list[tuple[str, bool]]:
    """Each over quiet and typical machines."""
    def all_of(rates: Sequence[Rate], planted: tuple[object, float] | None, least: float, most: float = 1.0) -> bool:
        mine = [one for one in rates if one.noise in ("quiet", "typical") and one.planted == planted]
        return bool(mine) and all(least * one.runs <= one.hits <= most * one.runs for one in mine)

    large = [one for one in pairs if one.nodes == max(PAIRS)]
    return [
        ("somebody named in at most 1 % of clean runs", all_of(places, None, 0.0, 0.01)),
        ("one bad node of 4, 64, 1024 named right in 99 %", all_of(places, (1, SECTIONS), 0.99)),
        ("anything named in at most 1 % of clean tables", all_of(pairs, None, 0.0, 0.01)),
        ("a path of twice the time among 64 nodes named right in 95 %", all_of(large, ("path", 2.0), 0.95)),
    ]


def _jobs(runs: int, line_runs: int) -> dict[str, Callable[[], list[list[int]]]]:
    """Everything that is simulated, by name, each with chance of its own: hits and runs of each of its rates."""
    jobs: dict[str, Callable[[], list[list[int]]]] = {}
    for noise in NOISES:
        for nodes in PLACES:
            some = runs if nodes <= 64 else max(runs // 10, 1)
            jobs[f"nodes-{noise.name}-{nodes}"] = partial(_counted, node_rates, noise, nodes, some)
        for nodes in PAIRS:
            jobs[f"pairs-{noise.name}-{nodes}"] = partial(_counted, pair_rates, noise, nodes, runs)
    for number, line in enumerate(place_lines.LINES):
        for first in range(0, line_runs, CHUNK):
            jobs[f"line-{number}-{first}"] = partial(_of_line, line, first, min(first + CHUNK, line_runs))
    return jobs


def _counted(rates: Callable[[Noise, int, int], list[Rate]], noise: Noise, nodes: int, runs: int) -> list[list[int]]:
    return [[one.hits, one.runs] for one in rates(noise, nodes, runs)]


def _of_line(line: place_lines.Line, first: int, last: int) -> list[list[int]]:
    """Of the part from `first` to `last`, of which a line of large machines makes fewer."""
    found = place_lines.hits(line, last, place_lines.runs_of(line, first) if first else 0)
    return [[sum(found), len(found)]]


def _rates(counts: dict[str, list[list[int]]], kind: str, planted: dict[int, Any]) -> list[Rate]:
    return [
        Rate(noise.name, nodes, what, *count)
        for noise in NOISES for nodes, some in planted.items()
        for what, count in zip((None, *some), counts[f"{kind}-{noise.name}-{nodes}"], strict=True)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10000, help="clean runs of each line; fewer where nodes are many")
    parser.add_argument("--line-runs", type=int, default=10000, help="of each line of place_lines.py; fewer where nodes are many")
    parser.add_argument("--out", type=Path, default=TREE / "docs" / "place-rates.md")
    kept.options(parser)
    typed = parser.parse_args()
    counts = kept.done(_jobs(typed.runs, typed.line_runs), typed.counts, typed.part)
    if counts is None:
        return 0
    places, pairs = _rates(counts, "nodes", PLACES), _rates(counts, "pairs", PAIRS)
    lines = []
    for number, line in enumerate(place_lines.LINES):
        of_line = np.sum([counts[f"line-{number}-{first}"][0] for first in range(0, typed.line_runs, CHUNK)], axis=0)
        lines.append((line, int(of_line[0]), int(of_line[1])))
    typed.out.write_text(page(places, pairs) + place_lines.page(lines), encoding="utf-8")
    told = [*goals(places, pairs), *place_lines.goals(lines)]
    for goal, reached in told:
        print(f"place rates: {goal}: {'passed' if reached else 'FAILED'}")
    return 0 if all(reached for _, reached in told) else 1


if __name__ == "__main__":
    sys.exit(main())
