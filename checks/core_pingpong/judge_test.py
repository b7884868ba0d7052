"""64 made-up cores with clusters, a slow pair and a slow core planted, through `assess` and the drawing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.record import Record, Table
from tenken.model.verdict import Axis, Verdict
from tenken.report.draw.tables import tables
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["core_pingpong"])


def made_up(n: int, slow: dict[tuple[int, int], float], seed: int = 1, factor: float = 1.0, truth: bool = True) -> Table:
    """No measurement: two sockets of n / 2 cores, caches of 8; 60, 110 and 240 ns with noise of 2 %. slow: (i, j) or (i, -1)."""
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


def judged(*made: Table) -> CaseAssessment:
    def record(number: int, table: Table) -> Record:
        return replace(b.record(b.fma(40e9, path="sequence"), check="core_pingpong", launch=number), tables=(table,))

    records = [record(number, table) for number, table in enumerate(made, 1)]
    run = b.run(b.case_run(*records, of=b.check("core_pingpong", validity=())))
    return assess(run, b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


def axis(of: CaseAssessment, which: Axis) -> AxisResult:
    return next(one for one in of.axes if one.axis is which)


def test_clusters_are_named_by_what_they_share() -> None:
    balance = axis(judged(made_up(64, {})), Axis.BALANCE)
    assert balance.verdict is Verdict.OK
    assert re.fullmatch(
        r"8 groups of 8 \(same shared cache\) (59|60)\S* ns apart; 2 groups of 32 \(same socket\) 1\d\d ns apart; "
        r"64 cores 2\d\d ns apart",
        balance.reason), balance.reason


def test_clusters_that_the_kernel_does_not_tell_are_found_all_the_same() -> None:
    assert "8 groups of 8 (unknown to the kernel)" in axis(judged(made_up(64, {}, truth=False)), Axis.BALANCE).reason


@pytest.mark.parametrize("pair", [(3, 6), (10, 20), (7, 40)])
def test_one_slow_pair_is_named_with_what_its_like_take(pair: tuple[int, int]) -> None:
    (finding,) = judged(made_up(64, {pair: 1.6})).findings
    assert finding.what.startswith(f"the pair of processors {pair[0]} and {pair[1]} of n0 is slow: ")


def test_a_core_that_is_far_from_all_is_named_alone() -> None:
    (finding,) = judged(made_up(64, {(17, -1): 1.5})).findings
    assert finding.what.startswith("processor 17 of n0 is far from everybody") and finding.where.cpu == 17


def test_healthy_tables_are_not_blamed() -> None:
    assert not [seed for seed in range(6) if judged(made_up(32, {}, seed)).findings]


def test_launches_of_unlike_modes_are_said_and_never_averaged() -> None:
    case = judged(made_up(64, {}), made_up(64, {}, factor=3), made_up(64, {}, factor=3))
    steadiness = axis(case, Axis.STEADINESS)
    assert steadiness.verdict is Verdict.NOT_JUDGED and "unlike core-to-core modes" in steadiness.reason
    assert "64 cores 2" in axis(case, Axis.BALANCE).reason  # of the faster mode


def test_two_cores_and_empty_tables_are_not_judged() -> None:
    two = made_up(16, {})
    two = replace(two, rows=two.rows[:2], columns=two.columns[:2], values=tuple(row[:2] for row in (two.values or ())[:2]))
    balance = axis(judged(two), Axis.BALANCE)
    assert balance.verdict is Verdict.NOT_JUDGED and "at least 5 cores" in balance.reason
    empty = replace(two, values=((None, None), (None, None)))
    assert axis(judged(empty), Axis.BALANCE).reason == "no pair of cores was measured"


def test_the_made_up_table_is_drawn() -> None:
    ((table, svg),) = tables(judged(made_up(64, {(3, 6): 1.6})))
    assert (len(table.rows), table.block) == (64, 1) and svg.count("<path") > 50
    assert table.worst[0].value > 240
