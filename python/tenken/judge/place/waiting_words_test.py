"""What is said of ranks that wait, of clocks, and of what one place loses or varies by."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest

import assessments
from tenken.judge.common import finding
from tenken.judge import place
from tenken.judge.place import late, unsteady
from tenken.judge.place.balance import judge_balance
from tenken.judge.place.place_words_test import case, guilty
from tenken.judge.place.places import Place, Placed
from tenken.judge.place.unsteady import ByRank
from tenken.model.assessment import Finding, RankTime, SectionSummary, Where
from tenken.model.verdict import Axis, Verdict
from tenken.stats.space import Group


# --- balance, lateness, clocks ------------------------------------------------------------------------------------


def test_the_evenness_of_what_computes_and_communicates_is_told_apart() -> None:
    section = case().sections[0]
    one, two, halo = (replace(section, path=path, kind=kind, imbalance=value) for path, kind, value in (
        ("x", "compute", 1.02), ("y", "compute", 1.05), ("z", "comm", 1.04)))  # fmt: skip
    def said(*of: SectionSummary) -> str:
        return judge_balance("demo:a", case().measured, (of,), of)[0].reason

    assert said(one, two) == "max/mean over ranks up to 1.05" and said(halo) == "max/mean over ranks up to 1.04 in communication"
    assert said(two, one, halo) == "max/mean over ranks up to 1.05, 1.04 in communication"
    assert said(one, replace(halo,
        imbalance=9.0)).endswith("1.02, 9.00 in communication, too few launches with the same rank to name it")
    assert said(replace(one, share=0.0)) == "no section of several ranks takes 20 us and 1 % of the time"


def test_members_of_a_communicator() -> None:
    assert late._members(Group(1, 3, "consecutive"), np.array([4, 5, 6, 7])) == "ranks 4 to 7"
    assert late._members(Group(1, 3, "strided"), np.array([1, 4, 7])) == "every 3th rank from 1 on"


def group(times: list[float], hosts: list[str] | None = None, **changes: Any) -> Finding | None:
    hosts = hosts or [f"n{i}" for i in range(len(times))]
    ranks = tuple(RankTime(i, hosts[i], ns * 1e6, ns * 1e6, ns * 1e6) for i, ns in enumerate(times))
    base = replace(assessments.section("x", 2e6, kind="comm", share=0.5), ranks=ranks, launches=2, repetitions=40)
    return late._slow_group("r", "demo:a", replace(base, **changes))


def test_a_slow_communicator_is_told_beside_the_slowest_of_the_others() -> None:
    found = group([1.0, 1.1, 1.2, 1.0, 3.0, 3.2, 1.0, 1.0])
    assert found is not None and found.what == (
        "x: communicator 2 of 4 (counted from 0; ranks 4 to 5) takes 3.2 ms, 3.1 times the other communicators (at most 1.2 ms)"
    )
    assert found.evidence == "2 equally slow ranks, 6 others; per-rank medians, median of 2 launches, 40 repetitions"
    assert (found.measured, found.expected, found.band, found.unit) == (pytest.approx(3.2 / 1.2), 1.0, (None, 1.10),
        "slow/equal peers")
    assert found.where == Where(section="x") and found.next_command == "./tenken rerun r demo:a --section x --without n4,n5"
    strided = group([1.0, 3.0, 1.0, 1.0, 3.0, 1.0], ["n0"] * 6)
    assert strided is not None and "communicator 1 of 3 (counted from 0; every 3th rank from 1 on)" in strided.what
    assert strided.where.host == "n0" and strided.next_command == "./tenken rerun r demo:a --section x"
    shared = group([1.0, 1.0, 3.0, 3.0, 1.0, 1.0], ["n0", "n0", "n1", "n2", "n2", "n3"])
    assert shared is not None and "--without" not in shared.next_command and shared.where.host is None


def test_a_communicator_too_small_or_short_to_matter_is_not_named() -> None:
    slow = [1.0, 1.0, 3.0, 3.0, 1.0, 1.0]
    assert group(slow, share=0.01) is not None and group(slow, share=0.0099) is None
    assert group(slow, median_ns=20_000.0) is not None and group(slow, median_ns=19_999.0) is None
    assert group([0.0, *slow[1:]]) is None and group([1.0, 1.0, 1.05, 1.05, 1.0, 1.0]) is None
    assert group([1.0, 3.0, 3.0, 1.0, 1.0, 1.0]) is None


def rank_times(path: str, kind: str, times: list[float], **changes: Any) -> SectionSummary:
    ranks = tuple(RankTime(i, f"n{i}", ns * 1e6, ns * 1e6, ns * 1e6) for i, ns in enumerate(times))
    return replace(assessments.section(path, max(times) * 1e6, kind=kind, share=0.5), ranks=ranks, launches=2, repetitions=40,
        **changes)


def test_a_late_rank_is_told_with_the_section_that_makes_it_late() -> None:
    work, halo = rank_times("w", "compute", [4, 4, 5, 4, 4]), rank_times("h", "wait", [2, 2, 1, 2, 2])
    (found,), explained = late.judge_waiting("r", "demo:a", (work, halo), ((work, halo),) * 2, frozenset())
    assert found.what == (
        "rank 2 on n2 arrives late: the other ranks wait 1 ms in each repetition, 16.7 % of the time; rank 2 takes 1 ms longer "
        "in w"
    )
    assert found.evidence == "waiting in h; per-rank medians, median of 2 launches, 40 repetitions" and explained == {"h"}
    assert (found.section, found.where, found.unit) == ("w", Where("n2", 2, "w"), "of a repetition")
    assert (found.measured, found.expected, found.band) == (pytest.approx(1 / 6), 0.05, (None, 0.05))
    assert found.next_command == "./tenken rerun r demo:a --without n2"
    assert late.judge_waiting("r", "demo:a", (work, halo), (), frozenset({2})) == ([], {"h"})
    half, less = rank_times("w", "compute", [4, 4, 4.5, 4, 4]), rank_times("w", "compute", [4, 4, 4.49, 4, 4])
    assert "longer in w" in late.judge_waiting("r", "demo:a", (half, halo), (), frozenset())[0][0].what
    (busy,) = late.judge_waiting("r", "demo:a", (less, halo), (), frozenset())[0]
    assert busy.what.endswith("its timed sections do not explain the delay: interruptions, or work outside of sections")
    assert busy.section == "h" and busy.where == Where("n2", 2)


def test_waiting_takes_three_ranks_and_all_of_them() -> None:
    work, halo = rank_times("w", "compute", [4, 5]), rank_times("h", "comm", [2, 1])
    assert late.judge_waiting("r", "demo:a", (work, halo), (), frozenset()) == ([], frozenset()) == late.judge_waiting("r",
        "demo:a", (), (), frozenset())
    many = rank_times("w", "compute", [4] * 5)
    assert late.judge_waiting("r", "demo:a", (many, rank_times("h", "comm", [2, 2, 1])), (), frozenset()) == ([], frozenset())
    even = rank_times("h", "comm", [2] * 5)
    assert late.judge_waiting("r", "demo:a", (many, even), (), frozenset()) == ([], frozenset())
    assert late.judge_waiting("r", "demo:a", (many, even), (), frozenset({1})) == ([], {"h"})
    once = replace(rank_times("h", "comm", [2, 2, 1, 2, 2]), once=True)
    assert late.judge_waiting("r", "demo:a", (many, once), (), frozenset()) == ([], frozenset())


def test_waits_are_of_each_launch_where_all_have_the_same() -> None:
    one, two = rank_times("h", "comm", [1, 2, 3]), rank_times("k", "wait", [10, 20, 30])
    other, work = rank_times("h", "comm", [4, 5, 6]), rank_times("w", "compute", [9, 9, 9])
    assert (late._waits([one, two], ((work, one, two), (other, two))) / 1e6).tolist() == [[11, 22, 33], [14, 25, 36]]
    for launches in ((), ((one,), (one, two)), ((one, rank_times("k", "wait", [10, 20])),)):
        assert (late._waits([one, two], launches) / 1e6).tolist() == [[11, 22, 33]]


def slower(own: tuple[float, ...], beside: tuple[float, ...]) -> Finding | None:
    return place._slower(case(), "n1", tuple(1e9 * one for one in own), tuple(1e9 * one for one in beside))


def test_a_lower_clock_is_told_with_both_spreads() -> None:
    low, high = (2.4,) * 10 + (2.5,) * 10 + (2.6,) * 10, (3.0,) * 40
    found = slower(low, high)
    assert found is not None and found.what == (
        "the clock of n1 is 2.5 GHz, 16.7 % lower than the 3 GHz of its neighbours: power or heat limit, or governor"
    )
    assert found.evidence == "median of 30 samples (half of them 2.4 to 2.6 GHz), 40 samples of neighbours"
    assert (found.measured, found.expected, found.unit, found.where) == (2.5, 3.0, "GHz", Where(host="n1"))
    assert found.band == (pytest.approx(3 / 1.05), None) and found.next_command == "./tenken rerun r demo:a --without n1"
    assert slower(low[:19], high) is None is slower(low, high[:19]) and slower((2.86,) * 20, high) is None
    assert slower((2.85,) * 20, high) is not None
    assert slower((2.5,) * 12 + (3.2,) * 8, high) is None, "their spreads overlap"
    assert slower((3.0,) * 20, (3.0,) * 20) is None


def test_nodes_worth_a_comparison_are_those_with_a_lower_median() -> None:
    few = place._perhaps_lower({"a": (3.0,) * 4, "b": (2.0,) * 4, "c": (3.0,) * 4, "d": (2.9,) * 4})
    assert few == ["b"] and place._perhaps_lower({"a": (3.0,)}) == [] == place._perhaps_lower({"a": (), "b": (3.0,)})


# --- loss and jitter by place -------------------------------------------------------------------------------------


def by_rank(loss: list[list[float]], jitter: list[float], hosts: tuple[str, ...] = ("n0", "n1", "n2")) -> ByRank:
    """`loss`: of each section and of all of them together."""
    placed = Placed((0, 1, 2), hosts, (0, 0, 0))
    return ByRank(tuple(f"s{i}" for i in range(len(loss) - 1)), placed, np.array([loss] * 2),
        np.array([[jitter] * (len(loss) - 1)] * 2), (0.1,) * (len(loss) - 1))


LOSSES = by_rank([[0.02, 0.5, 0.02], [0.04, 0.8, 0.04], [0.03, 0.6, 0.03]], [0.01, 0.3, 0.01])


def lossy(*rows: int, effect: tuple[float, ...] = (1.4, 1.7, 1.5)) -> Place:
    return LOSSES.placed.place(replace(guilty(rows, *effect, level="node"), peers=3))


def test_what_a_place_loses_is_told_of_the_whole_or_of_its_worst_section() -> None:
    whole = unsteady._loss_finding(case(), LOSSES, lossy(0, 2))
    assert whole.what == (
        "interruptions added 54.5 % to all compute sections together on n1; on the others of 3 equal nodes 3 %"
    )
    assert (whole.section, whole.where) == ("s1", Where(host="n1")) and whole.unit == "elapsed/(n x median) - 1"
    assert whole.measured == pytest.approx(1.03 * 1.5 - 1)
    assert whole.band == (None, pytest.approx(1.03 * 1.5**0.5 - 1)) == (None, whole.expected)
    assert whole.evidence == "samples rank by rank, median of 2 launches"
    assert whole.next_command == "./tenken rerun r demo:a --without n1"
    part = unsteady._loss_finding(case(), LOSSES, lossy(1, 0))
    assert "interruptions added 76.8 % to section s1 on n1; on the others of 3 equal nodes 4 %" in part.what
    assert (part.section, part.where.section) == ("s1", "s1") and part.next_command.endswith("--section s1 --without n1")


def test_what_a_place_varies_by_is_told_with_its_limit() -> None:
    found = unsteady._jitter_finding(case(), LOSSES, lossy(0))
    assert found.what == (
        "repetitions of section s0 vary by 41.4 % on n1 (MAD/median, limit 10 %); on the others of 3 equal nodes by 1 %"
    )
    assert (found.unit, found.section, found.measured) == ("MAD/median", "s0", pytest.approx(1.01 * 1.4 - 1))


def test_the_limit_of_a_place_is_the_larger_of_chance_and_worth() -> None:
    def limit(least: float) -> float:
        return unsteady._figures_of(LOSSES, lossy(0), 0, LOSSES.loss, log(least))[2]

    chance = 1.02 * 1.4**0.5 - 1
    assert limit(1.1) == pytest.approx(chance) and limit(1.3) == pytest.approx(1.02 * 1.3 - 1)
    assert limit(1.4) == pytest.approx(chance) == limit(1.5), "a limit is below what exceeds it"


def test_of_two_there_is_one_other() -> None:
    assert unsteady._others(replace(lossy(0), found=replace(lossy(0).found, peers=2))) == "the other node"
    assert unsteady._others(replace(lossy(0), found=replace(lossy(0).found, level="numa", peers=2))) == "the other NUMA domain"


def explained(of: SectionSummary, *named: Place, measured: float | None = None) -> bool:
    found = finding(Axis.STEADINESS, Verdict.WARN, "demo:a", "w", "e", of.path,
        measured=of.loss if measured is None else measured, unit="1", band=(None, 0.0))
    return unsteady._explained(found, LOSSES, (of,), list(named))


def test_places_explain_what_they_account_for_by_half() -> None:
    section = replace(assessments.section("s0", 1e6), loss=1.0, jitter=0.6)
    assert explained(section, lossy(0)) and not explained(replace(section, loss=1.01), lossy(0)) and not explained(section)
    assert explained(section, lossy(0), measured=0.6) and not explained(replace(section, jitter=0.61), lossy(0), measured=0.61)
    assert not explained(replace(section, path="other"), lossy(0))
    for kind in ("comm", "wait"):
        assert explained(replace(section, path="h", kind=kind), lossy(0)) and not explained(replace(section, path="h", kind=kind))


def test_a_loss_without_a_place_is_told_with_that_of_single_ranks() -> None:
    of = finding(Axis.STEADINESS, Verdict.WARN, "demo:a", "w", "e", "s0", measured=0.5, unit="elapsed/(n x median) - 1",
        band=(None, 0.1))
    spread = unsteady._spread_over(of, LOSSES)
    assert (spread.evidence, spread.where.alike) == ("e; by rank 2 to 50 %", "all ranks alike (2 to 50 %)")
    assert unsteady._spread_over(replace(of, section="gone"),
        LOSSES).evidence == "e" == unsteady._spread_over(replace(of, unit="MAD/median"), LOSSES).evidence
    below = by_rank([[-0.1, -0.05, -0.2], [0.0] * 3], [0.0] * 3)
    assert unsteady._spread_over(of, below).evidence == "e; by rank 0 %"


def test_losses_take_their_share_of_the_error() -> None:
    """Half of it is that of the whole, the other half that of the sections."""
    ranks = 24
    placed = Placed(tuple(range(ranks)), tuple(f"n{i}" for i in range(ranks)), (0,) * ranks)
    chance = np.random.default_rng(1)
    base = chance.normal(0.0, 0.02, (5, 3, ranks))
    def found(row: int, loss: float) -> list[tuple[int, ...]]:
        values = base.copy()
        values[:, row, 7] += loss
        return [one.found.rows for one in unsteady.losing(ByRank(("s0", "s1"), placed, values, values[:, :2], (0.1, 0.1)))]

    assert found(2, 0.0) == [] and found(2, 0.3) == [(2,)] and found(2, 0.07) == [], "the whole is worth a finding from 10 % on"
    assert found(0, 0.5) == [(0,)] and found(1, 0.5) == [(1,)] and found(1, 0.2) == [], "a section from 25 % on"
