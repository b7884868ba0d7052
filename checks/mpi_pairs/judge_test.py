"""The pairs of mpi_pairs through `assess`, from series as the check writes them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Series, Work
from tenken.model.verdict import Axis, Verdict
from tenken.stats.tournament import partner_of, rounds_of
from tenken.store.judges import load_judges

SWEEPS = 3
JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["mpi_pairs"])
pair_times = sys.modules["tenken_judge_of_mpi_pairs"].pair_times


def record(n: int, factor: dict[tuple[int, int], float]) -> Record:
    """n hosts of one rank; `factor` slows pairs (i, j), or all of an end (i, -1)."""
    chance = np.random.default_rng(1)
    empty = b.record(
        b.Timed("bandwidth", np.zeros((n, 0), dtype=np.int64), kind="comm"), check="mpi_pairs",
        hosts=[f"n{i:02d}" for i in range(n)],
    )
    series = []
    for rank in range(n):
        numbers, ns = [], []
        for k in range(SWEEPS * len(rounds_of(n))):
            other = partner_of(rank, rounds_of(n)[k % len(rounds_of(n))], n)
            if other is None:
                continue
            slow = factor.get((min(rank, other), max(rank, other)), 1) * factor.get((rank, -1), 1) * factor.get((other, -1), 1)
            numbers.append(k)
            ns.append(round(1e5 * slow * np.exp(0.02 * chance.normal())))
        series.append(Series(rank, 0, tuple(numbers), (2,) * len(ns), tuple(ns), (Work(),) * len(ns)))
    return replace(empty, series=tuple(series))


def judged(one: Record) -> CaseAssessment:
    hosts = [rank.host for rank in one.rank]
    case = b.case_run(one, of=b.check("mpi_pairs", repetitions_alike=False))
    return assess(b.run(case), b.machine(*(b.node(host) for host in hosts)), (), judges=JUDGES).cases[0]


def test_pair_times_are_those_of_the_rounds() -> None:
    table = pair_times(record(7, {(2, 5): 3.0}), "bandwidth")
    assert table is not None and table.shape == (7, 7) and not np.isnan(table[np.triu_indices(7, 1)]).any()
    assert 1.4e5 < table[2, 5] < 1.6e5 and 4.5e4 < table[1, 5] < 5.5e4


def test_equal_pairs_are_ok() -> None:
    balance = next(one for one in judged(record(8, {})).axes if one.axis is Axis.BALANCE)
    assert (balance.verdict, balance.reason) == (Verdict.OK, "28 pairs of 8 alike")


def test_a_bad_path_is_named_with_both_ends_and_never_called_a_link() -> None:
    (finding,) = judged(record(9, {(2, 5): 2.0})).findings
    assert (finding.where.host, finding.where.to_host) == ("n02", "n05")
    assert "the path n02 - n05 is bad: 99.8 us a message, its two ends explain 49.8 us" in finding.what
    assert "link" not in finding.what and "switch" not in finding.what


def test_a_bad_end_is_named_alone() -> None:
    (finding,) = judged(record(8, {(6, -1): 1.5})).findings
    assert (finding.where.host, finding.where.to_host) == ("n06", None)
    assert "n06 is a bad end: 49.5 %" in finding.what and finding.next_command.endswith("--without n06")


def test_a_group_whose_paths_agree_is_named_with_what_it_shares() -> None:
    far = {(i, j): 1.6 for i in range(16) for j in range(i + 1, 16) if i // 4 != j // 4}
    slow = {(i, j): ns * (1.5 if 4 <= i < 8 or 4 <= j < 8 else 1) for (i, j), ns in far.items()}
    (finding,) = judged(record(16, slow)).findings
    assert finding.where.group == ("n04", "n05", "n06", "n07") and finding.where.host is None
    assert finding.what.startswith("bandwidth: 4 ends that share a part of the network (n04 to n07) take ")
    assert "to all other ends, but not to each other: their uplink (48 paths agree)" in finding.what
    assert finding.next_command.endswith("--without n04,n05,n06,n07")
    assert judged(record(16, far)).findings == ()


def test_a_flat_network_names_what_bad_ends_share() -> None:
    slow = {(i, j): 1.5 for i in range(16) for j in range(i + 1, 16) if (4 <= i < 8) != (4 <= j < 8)}
    (finding,) = judged(record(16, slow)).findings
    assert finding.where.group == ("n04", "n05", "n06", "n07") and "their uplink" in finding.what


def test_four_ends_cannot_tell() -> None:
    balance = next(one for one in judged(record(4, {(0, 1): 2.0})).axes if one.axis is Axis.BALANCE)
    assert balance.verdict is Verdict.NOT_JUDGED and "at least 5" in balance.reason


def test_who_met_whom_is_not_guessed_from_summaries() -> None:
    balance = next(one for one in judged(b.thin(record(8, {(2, 5): 3.0}))).axes if one.axis is Axis.BALANCE)
    assert balance.verdict is Verdict.NOT_JUDGED and "use fewer ranks" in balance.reason
