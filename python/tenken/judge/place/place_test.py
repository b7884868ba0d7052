"""Slow places through `assess`: named once, with evidence and the command that isolates them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.place import places
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record
from tenken.model.verdict import Axis, Verdict

HOSTS = tuple(f"n{i:02d}" for i in range(8))
RANKS = 2 * len(HOSTS)  # two on each host


def times(ns: float, seed: int, slow: dict[int, float] | None = None) -> np.ndarray:
    made = b.quiet(ns, RANKS, 20, seed=seed).astype(float)
    for rank, factor in (slow or {}).items():
        made[rank] *= factor
    return np.rint(made).astype(np.int64)


def record(slow: dict[int, float], comm: dict[int, float] | None = None, launch: int = 1, **more: Any) -> Record:
    sections = [b.Timed(f"cg/part{i}", times(1e6 * (i + 1), 10 * launch + i, slow)) for i in range(4)]
    sections.append(b.Timed("cg/exchange", times(1e6, 99, comm), kind="comm"))
    return b.record(*sections, hosts=HOSTS, launch=launch, **more)


def judged(*records: Record, hosts: tuple[str, ...] = HOSTS) -> CaseAssessment:
    return assess(b.run(b.case_run(*records)), b.machine(*(b.node(host) for host in hosts)), ()).cases[0]


def on(host: int, factor: float) -> dict[int, float]:
    return {host: factor, host + len(HOSTS): factor}


def test_a_clean_run_on_equal_nodes_names_nobody() -> None:
    assert judged(record({})).findings == ()


def test_a_slow_node_is_one_finding_with_the_command_that_leaves_it_out() -> None:
    found = judged(record(on(5, 1.2)), record(on(5, 1.2), launch=2))
    assert found.verdict is Verdict.WARN and len(found.findings) == 1
    finding = found.findings[0]
    assert (finding.axis, finding.where.host, finding.where.rank, finding.where.section) == (Axis.BALANCE, "n05", None, None)
    assert 1.15 < (finding.ratio or 0) < 1.25


def test_a_slow_rank_of_a_good_node_is_named_alone() -> None:
    (finding,) = judged(record({3: 1.4})).findings
    assert (finding.where.rank, finding.where.host) == (3, "n03")


def test_a_numa_domain_is_named_where_the_node_has_others() -> None:
    one = record({2: 1.4, 10: 1.4})
    numa = tuple(replace(rank, host=HOSTS[rank.rank % 4], numa=(rank.rank // 4 % 2,)) for rank in one.rank)
    (finding,) = judged(replace(one, rank=numa), hosts=HOSTS[:4]).findings
    assert (finding.where.host, finding.where.numa) == ("n02", 0)


def test_many_bad_nodes_are_told_in_one_finding() -> None:
    names = tuple(f"n{i:02d}" for i in range(16))
    slow = {node: 1.3 for node in range(5)}
    sections = [b.Timed(f"part{i}", times(1e6, i, slow)) for i in range(3)]
    (finding,) = judged(b.record(*sections, hosts=names), hosts=names).findings
    assert finding.what.startswith("5 of 16 nodes (n0") and finding.next_command.count("n0") == 5


def test_two_nodes_that_differ_accuse_neither() -> None:
    slow = {rank: 1.25 for rank in range(0, RANKS, 2)}
    sections = [b.Timed(f"part{i}", times(1e6, i, slow)[:4]) for i in range(3)]
    found = judged(b.record(*sections, hosts=("a", "b")), hosts=("a", "b"))
    finding = found.findings[0]
    assert finding.where.host is None


def test_ranks_with_more_work_are_no_equals() -> None:
    work = [b.Work(flop=1000 + 500 * (rank == 3)) for rank in range(RANKS)]
    one = record({3: 1.5})
    series = tuple(replace(each, work=(work[each.rank],) * len(each.ns)) for each in one.series)
    assert all("times the mean work" in finding.what for finding in judged(replace(one, series=series)).findings)


def test_of_many_noisy_nodes_the_worst_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "noisier", lambda ns, nodes, limit: {node: 10.0 + node for node in range(6)})
    reason = next(axis.reason for axis in judged(record({})).axes if axis.axis is Axis.BALANCE)
    words = [f"n{node:02d} varies {10 + node} times as much as equal nodes" for node in (5, 4, 3, 2)]
    assert reason.endswith("; ".join(words) + ", and 2 more")


def test_a_hostile_host_name_is_quoted_in_the_command() -> None:
    evil = "n5;rm -rf $HOME"
    hosts = (*HOSTS[:5], evil, *HOSTS[6:])
    one = record(on(5, 1.3))
    ranks = tuple(replace(rank, host=hosts[rank.rank % 8]) for rank in one.rank)
    (finding,) = judged(replace(one, rank=ranks), hosts=hosts).findings
    assert finding.next_command.endswith("--without 'n5;rm -rf $HOME'")
