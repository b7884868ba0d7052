"""How often a clean machine has somebody named, and a bad node or path is named right: writes docs/place-rates.md.

Usage: python place.py FILE [RUNS]. RUNS: simulated clean runs of each line (default 2000).

Noise of a section's time on one rank, as factors that multiply. "inside": standard deviation of a repetition; "node": of
a node that is as good as any, half of its variance common to all sections; a launch moves all nodes together by as much,
and each node by a third of it; a rank of a node by a third. 20 repetitions, one in twenty of them 25 % longer on average.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tenken.judge.limits import PATH_EFFECT, PATH_ERROR, PLACE_EFFECT, PLACE_ERROR
from tenken.stats.pairs import guilty_pairs, median_polish
from tenken.stats.places import guilty, levels_of

Array = NDArray[np.float64]
SECTIONS, RANKS, LAUNCHES, REPETITIONS = 40, 2, 3, 20
PAIR_NODES = 64


@dataclass(frozen=True)
class Noise:
    name: str
    inside: float
    node: float
    pair: float  # of the median time of one path


NOISES = (Noise("quiet", 0.005, 0.007, 0.01), Noise("typical", 0.015, 0.02, 0.03), Noise("noisy", 0.04, 0.05, 0.10))
GOALS = ("quiet", "typical")


@dataclass
class Rate:
    hits: int = 0
    runs: int = 0

    def add(self, hit: bool) -> None:
        self.hits += hit
        self.runs += 1

    @property
    def bounds(self) -> tuple[float, float]:
        """95 % (E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209)."""
        z, n, p = NormalDist().inv_cdf(0.975), self.runs, self.hits / self.runs
        middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
        scale = 1 + z * z / n
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)

    def __str__(self) -> str:
        low, high = self.bounds
        return f"{100 * self.hits / self.runs:.2f} ({100 * low:.2f} - {100 * high:.2f})"


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


def node_rates(noise: Noise, nodes: int, runs: int, bad: int = 1, sections: int = SECTIONS) -> tuple[Rate, Rate]:
    """Clean runs in which anybody is named; runs with `bad` nodes 20 % slower that are named right, all and nobody else."""
    chance = np.random.default_rng([nodes, bad, sections, NOISES.index(noise)])
    false, right = Rate(), Rate()
    for _ in range(runs):
        ns, node = machine(noise, nodes, chance)
        levels = levels_of(node, np.arange(node.size) // RANKS)
        false.add(bool(guilty(ns, levels, PLACE_ERROR, log(PLACE_EFFECT))))
        chosen = set(chance.choice(nodes, bad, replace=False).tolist())
        ns[:, :sections, np.isin(node, list(chosen))] *= 1.2
        found = guilty(ns, levels, PLACE_ERROR, log(PLACE_EFFECT))
        right.add({(one.level, one.unit) for one in found} == {("node", one) for one in chosen})
    return false, right


def pair_rates(noise: Noise, factor: float, runs: int, end: bool = False) -> tuple[Rate, Rate]:
    """Clean tables in which anything is named; tables with one bad path (or end) named right, it and nothing else."""
    chance = np.random.default_rng([NOISES.index(noise), round(100 * factor), end])
    false, right = Rate(), Rate()
    n = PAIR_NODES
    for _ in range(runs):
        node = noise.node * chance.normal(size=n)
        path = np.triu(noise.pair * chance.normal(size=(n, n)), 1)
        table = 1e5 * np.exp(node[:, None] + node[None, :] + path + path.T)
        np.fill_diagonal(table, np.nan)
        guilt = guilty_pairs(median_polish(table), PATH_ERROR / 2, log(PATH_EFFECT["bandwidth"]))
        false.add(bool(guilt.ends or guilt.paths))
        i, j = sorted(int(one) for one in chance.choice(n, 2, replace=False))
        if end:
            table[i, :] *= factor
            table[:, i] *= factor
        else:
            table[i, j] = table[j, i] = factor * table[i, j]
        guilt = guilty_pairs(median_polish(table), PATH_ERROR / 2, log(PATH_EFFECT["bandwidth"]))
        right.add((guilt.ends, guilt.paths) == (((i,), ()) if end else ((), ((i, j),))))
    return false, right


def main(path: Path, runs: int) -> int:
    lines = ["# Rates of wrong and right places", "",
             "Simulated, made by `./tenken test --long` (tests/rates/place.py); percent with 95 % bounds.",
             "Noise: standard deviation of a repetition, of a good node among its equals, of a good path.", ""]
    lines += [f"- {one.name}: {100 * one.inside:g} %, {100 * one.node:g} %, {100 * one.pair:g} %" for one in NOISES]
    lines += ["", f"## Nodes: {SECTIONS} sections, {RANKS} ranks a node, {LAUNCHES} launches, bad nodes 20 % slower", "",
              "Right: all bad nodes and nobody else. Goals for quiet and typical: clean runs in which anybody is named at most 1,",
              "one bad node named right at least 99.", "",
              "| noise | nodes | bad nodes | slow sections | clean runs that name somebody | named right |",
              "|---|---|---|---|---|---|"]
    missed = []
    for noise in NOISES:
        for nodes, bad, sections in ((4, 1, 40), (8, 3, 40), (64, 1, 40), (64, 1, 1), (64, 25, 40), (1024, 1, 40)):
            count = max(60, runs // (nodes // 4 + 1)) if nodes > 64 else runs if nodes < 64 else runs // 2
            false, right = node_rates(noise, nodes, count, bad, sections)
            lines.append(f"| {noise.name} | {nodes} | {bad} | {sections} | {false} | {right} |")
            print(lines[-1], flush=True)
            if noise.name in GOALS and (false.hits > 0.01 * false.runs or
                                        (bad == 1 and sections == 40 and right.hits < 0.99 * right.runs)):
                missed.append(lines[-1])
    lines += ["", f"## Paths: all pairs of {PAIR_NODES} nodes", "",
              "Goals for quiet and typical: clean tables at most 1, a path of twice the time named right at least 95.", "",
              "| noise | bad | time | clean tables that name anything | named right |", "|---|---|---|---|---|"]
    for noise in NOISES:
        for factor, end in ((1.2, False), (1.5, False), (2.0, False), (1.5, True)):
            false, right = pair_rates(noise, factor, runs // 4, end)
            lines.append(f"| {noise.name} | {'end' if end else 'path'} | x {factor} | {false} | {right} |")
            print(lines[-1], flush=True)
            if noise.name in GOALS and (false.hits > 0.01 * false.runs or
                                        (factor == 2.0 and right.hits < 0.95 * right.runs)):
                missed.append(lines[-1])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for line in missed:
        print(f"goal missed: {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000))
