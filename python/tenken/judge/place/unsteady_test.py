"""Loss and jitter of one place through `assess`: named there, and not on those that wait for it."""

from __future__ import annotations

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment, Finding
from tenken.model.record import Trust
from tenken.model.verdict import Axis, Verdict

HOSTS = ("n0", "n1", "n2", "n3")


def times(ranks: int, hit: dict[int, float], every: int = 10, launch: int = 1) -> np.ndarray:
    """1 ms in 200 repetitions; every tenth of a rank that is `hit` takes so many ms more."""
    made = b.quiet(1e6, ranks, 200, seed=launch)
    for rank, ms in hit.items():
        made[rank, (launch + rank) % every::every] += round(1e6 * ms)
    return made


def judged(
    *launches: np.ndarray, hosts: tuple[str, ...] = HOSTS, comm: np.ndarray | None = None, trusts: dict[int, Trust] | None = None,
    more: np.ndarray | None = None,
) -> CaseAssessment:
    """`more`: times of a second compute section."""
    records = []
    for number, ns in enumerate(launches, 1):
        sections = [b.Timed("cg/operator", ns), *([b.Timed("cg/sum", comm, kind="comm")] if comm is not None else [])]
        sections += [b.Timed("cg/second", more)] if more is not None else []
        records.append(b.record(*sections, hosts=hosts, launch=number, trusts=trusts))
    return assess(b.run(b.case_run(*records)), b.machine(*(b.node(host, cores=8) for host in hosts)), ()).cases[0]


def steadiness(found: CaseAssessment) -> list[Finding]:
    return [one for one in found.findings if one.axis is Axis.STEADINESS]


@pytest.mark.parametrize(
    ("ranks", "hosts", "name"), [(2, ("n0",), "rank 1 on n0"), (4, HOSTS, "n1"), (16, HOSTS, "rank 1 on n1")]
)
def test_the_rank_that_is_stopped_is_named(ranks: int, hosts: tuple[str, ...], name: str) -> None:
    (one,) = steadiness(judged(*(times(ranks, {1: 2.55}, launch=launch) for launch in (1, 2)), hosts=hosts))
    assert f" on {name}; on the other" in one.what and one.what.startswith("interruptions added 25")
    assert one.verdict is Verdict.WARN
    assert one.where.rank == (1 if "rank" in name else None) and one.where.host == hosts[1 % len(hosts)]
    assert one.measured == pytest.approx(0.255, abs=0.01) and one.expected is not None and 0.1 <= one.expected < 0.2
    assert ("--without" in one.next_command) == (len(hosts) > 1)


def test_those_that_wait_for_it_are_not() -> None:
    hit = times(4, {2: 3.0})
    waiting = b.quiet(2e5, 4, 200, seed=9) + (hit.max(axis=0) - hit)
    (one,) = steadiness(judged(hit, comm=waiting))
    assert one.where.host == "n2" and one.section == "cg/operator"


def test_what_is_lost_in_all_sections_together_is_shown_in_the_one_that_loses_most() -> None:
    (one,) = steadiness(judged(times(8, {1: 2.0}), hosts=("n0",), more=times(8, {1: 4.0}, launch=2)))
    assert "to all compute sections together" in one.what and one.where.section is None
    assert (one.section, one.where.rank) == ("cg/second", 1)


def test_a_node_whose_ranks_all_lose_is_one_finding() -> None:
    (one,) = steadiness(judged(times(8, {1: 2.55, 5: 2.55})))
    assert (one.where.host, one.where.rank) == ("n1", None) and "the others of 4 equal nodes" in one.what


def test_what_all_ranks_lose_alike_has_no_place_and_says_so() -> None:
    (one,) = steadiness(judged(times(4, dict.fromkeys(range(4), 3.1))))
    assert (one.where.host, one.where.rank) == (None, None) and "by rank 3" in one.evidence


def test_a_loss_of_one_launch_of_three_passes() -> None:
    assert steadiness(judged(*(times(4, {1: 2.55} if launch == 2 else {}, launch=launch) for launch in (1, 2, 3)))) == []


def test_what_another_s_load_took_is_no_loss_of_the_rank() -> None:
    taken = {1: b.trust(run_queue_wait_ns=60_000_000)}
    of = [times(2, {1: 2.55}, launch=launch) for launch in (1, 2)]
    assert [one.where.rank for one in steadiness(judged(*of, hosts=("n0",)))] == [1]
    assert not [one for one in steadiness(judged(*of, hosts=("n0",), trusts=taken)) if one.where.rank is not None]


@pytest.mark.parametrize(("wait_ms", "found"), [(45, False), (20, True)])
def test_what_is_left_of_a_loss_counts_where_it_is_more_than_load_took(wait_ms: int, found: bool) -> None:
    """A rank loses 80 ms beside 200 ms; load took 45 or 20 ms of them by the counters of the system."""
    load = {1: b.trust(run_queue_wait_ns=wait_ms * 1_000_000)}
    case = judged(*(times(2, {1: 4.0}, launch=launch) for launch in (1, 2)), hosts=("n0",), trusts=load)
    assert [one.where.rank for one in steadiness(case) if one.where.rank is not None] == ([1] if found else [])


def test_a_small_loss_is_not_worth_a_finding() -> None:
    assert steadiness(judged(times(16, {1: 0.8}))) == []


def test_the_rank_that_varies_is_named() -> None:
    made = times(8, {})
    made[3, ::2] = np.rint(1.5 * made[3, ::2])
    found = [one for one in steadiness(judged(made, hosts=tuple(f"n{i}" for i in range(8)))) if one.unit == "MAD/median"]
    assert [one.where.host for one in found] == ["n3"] and "repetitions of section " in found[0].what


def stopped_launch(launch: int, run_ms: float, stop_ms: float, seconds: float) -> np.ndarray:
    """Two ranks that begin each repetition together, 0.3 ms of it timed and 0.13 ms not; rank 1 is stopped again and again."""
    chance = np.random.default_rng(launch)
    repetitions = round(1e3 * seconds / (0.43 * (1 + stop_ms / run_ms)))
    work = 0.3 * np.exp(0.01 * chance.standard_normal((2, repetitions)))
    ran = chance.uniform(0, run_ms) + np.cumsum(work[1] + 0.13)  # stops come while it runs, in the section or beside it
    inside = np.floor(ran / run_ms) - np.floor((ran - work[1]) / run_ms)
    return np.rint(1e6 * (work + np.stack([np.zeros(repetitions), stop_ms * inside])))


@pytest.mark.parametrize(("run_ms", "stop_ms", "seconds", "least"), [(16, 4, 1.0, 10), (80, 20, 0.4, 6)])
def test_stops_are_placed_on_their_rank_though_launches_have_more_and_less(
    run_ms: float, stop_ms: float, seconds: float, least: int
) -> None:
    """As in the drill `rank` of tests/drills. With four stops a launch, chance says how many fall into the section."""
    placed = []
    for drill in range(10):
        found = steadiness(judged(*(stopped_launch(2 * drill + i, run_ms, stop_ms, seconds) for i in (0, 1)), hosts=("n0",)))
        placed.append(bool(found) and {one.where.rank for one in found} == {1})
    assert sum(placed) >= least
