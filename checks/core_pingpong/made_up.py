"""A made-up table of round trips with clusters planted, and the page that it gives: no measurement.

    PYTHONPATH=python:tests python3 checks/core_pingpong/made_up.py PAGE.html [CORES]
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np

from tenken.judge.assess import assess
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.record import Record, Table
from tenken.report import html
from tenken.store.judges import load_judges

HOST = "made-up"
JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["core_pingpong"])


def made_up(n: int, slow: dict[tuple[int, int], float], seed: int = 1, factor: float = 1.0, truth: bool = True) -> Table:
    """Two sockets of n / 2 cores, caches of 8; 60, 110 and 240 ns with noise of 2 %. slow: (i, j) or (i, -1), a core."""
    chance = np.random.default_rng(seed)
    cells = np.full((n, n), 240.0)
    for size, ns in ((n // 2, 110.0), (8, 60.0)):
        for start in range(0, n, size):
            cells[start : start + size, start : start + size] = ns
    scatter = np.triu(chance.normal(0, 0.02, (n, n)), 1)
    cells *= np.exp(scatter + scatter.T) * factor
    for (i, j), times in slow.items():
        if j < 0:
            cells[i] *= times
            cells[:, i] *= times
        else:
            cells[i, j] = cells[j, i] = cells[i, j] * times
    labels = tuple(f"{i // (n // 2)}.{i // 8 * 8 if truth else 0}.{i}.{i}" for i in range(n))
    values = tuple(tuple(None if i == j else float(cells[i, j]) for j in range(n)) for i in range(n))
    return Table("sequence", "ns", "lower", labels, labels, values)


def assessed(*made: Table) -> Assessment:
    """A run of which each launch recorded one of these tables."""
    def record(number: int, table: Table) -> Record:
        one = b.record(b.fma(40e9, path="sequence"), check="core_pingpong", launch=number, hosts=(HOST,))
        return replace(one, tables=(table,))

    records = [record(number, table) for number, table in enumerate(made, 1)]
    case = b.case_run(*records, of=b.check("core_pingpong", title="Made up, no measurement", validity=()))
    run = b.run(case, suite="made-up", name="made-up, no measurement")
    return assess(run, b.machine(b.node(HOST)), (), judges=JUDGES)


def judged(*made: Table) -> CaseAssessment:
    return assessed(*made).cases[0]


def main(page: str, cores: str = "64") -> int:
    """With a slow pair inside a cache and a core that is far from everybody."""
    n = int(cores)
    if n < 32 or n % 16:
        sys.exit(f"CORES {cores} must be a multiple of 16, from 32 on: two sockets with caches of 8 cores.")
    table = made_up(n, {(3, 6): 1.6, (17, -1): 1.5})
    Path(page).write_text(html.page(assessed(table)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
