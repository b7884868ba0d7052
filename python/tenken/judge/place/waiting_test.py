"""Waiting is put down to the one that is waited for, and a slow communicator is named as one."""

from __future__ import annotations

import builders as b
import numpy as np

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment

HOSTS = tuple(f"n{i:02d}" for i in range(8))


def judged(*sections: b.Timed, hosts: tuple[str, ...] = HOSTS) -> CaseAssessment:
    record = b.record(*sections, hosts=hosts)
    return assess(b.run(b.case_run(record)), b.machine(*(b.node(host) for host in hosts)), ()).cases[0]


def scaled(ns: float, factors: np.ndarray, seed: int) -> np.ndarray:
    return np.rint(b.quiet(ns, factors.size, 20, seed=seed) * factors[:, None]).astype(np.int64)


def test_the_late_rank_is_named_and_not_those_that_wait() -> None:
    work, wait = np.ones(8), np.ones(8)
    work[3], wait[[2, 4]], wait[3] = 1.5, 3.0, 0.5
    found = judged(b.Timed("cg/operator", scaled(2e6, work, 1)), b.Timed("cg/halo", scaled(5e5, wait, 2), kind="comm"))
    (finding,) = found.findings
    assert (finding.where.host, finding.section) == ("n03", "cg/operator")


def test_a_rank_busy_outside_its_sections_is_found_by_what_the_others_wait() -> None:
    wait = np.full(8, 3.0)
    wait[6] = 0.4
    found = judged(
        b.Timed("cg/operator", scaled(2e6, np.ones(8), 1)), b.Timed("cg/sum", scaled(5e5, wait, 2), kind="comm")
    )
    (finding,) = found.findings
    assert (finding.where.rank, finding.where.host) == (6, "n06")


def test_waiting_all_alike_is_nobody_s_fault() -> None:
    found = judged(
        b.Timed("cg/operator", scaled(2e6, np.ones(8), 1)), b.Timed("cg/sum", scaled(5e5, np.ones(8), 2), kind="comm")
    )
    assert found.findings == ()


def test_the_slow_alltoall_of_paper_002_is_one_communicator() -> None:
    """PHASE on an FX100, FFT_D/alltoall1: 153.887 s, and 15.512 s the maximum of the healthy nodes (slide 29)."""
    ranks = 2160
    seconds = 15.512 - np.random.default_rng(2).uniform(0, 0.4, (ranks, 1))
    seconds[17 * 60:18 * 60] = 153.887 - np.random.default_rng(3).uniform(0, 0.2, (60, 1))
    section = b.Timed("FFT_D/alltoall1", np.rint(seconds * 1e9).astype(np.int64).repeat(3, axis=1), kind="comm")
    work = b.Timed("dgemm1", b.quiet(3e9, ranks, 3))
    hosts = tuple(f"n{i:04d}" for i in range(1080))
    record = b.record(section, work)
    placed = tuple(type(rank)(rank.rank, hosts[rank.rank // 2], (0,), (rank.rank % 2,), (), rank.trust) for rank in record.rank)
    record = type(record)(**{name: getattr(record, name) for name in record.__slots__} | {"rank": placed})
    found = assess(b.run(b.case_run(record)), b.machine(*(b.node(host) for host in hosts)), ()).cases[0]
    (finding,) = found.findings
    assert finding.where.section == "FFT_D/alltoall1"
