"""What is said of places: how much slower, in what, beside whom, and what another's load may explain."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Any

import assessments
import builders as b
import numpy as np
import pytest

from tenken.judge.common import Prepared, finding, prepare
from tenken.judge.place import _beyond_load, _lost_share, clocks, late, places, unsteady
from tenken.judge.place.balance import judge_balance
from tenken.judge.place.places import Grid, Place, Placed, judge_place, placed_alike
from tenken.judge.place.unsteady import ByRank
from tenken.model.assessment import AxisResult, Finding, RankTime, SectionSummary, Where
from tenken.model.record import Rank
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.late import Group
from tenken.stats.places import Guilty

MS = 1_000_000
FOUR = Placed((0, 1, 2, 3), ("n0", "n0", "n1", "n1"), (0, 0, 0, 0))
AXIS = AxisResult(Axis.BALANCE, Verdict.OK, "even")


def grid(sections: int = 3, placed: Placed = FOUR) -> Grid:
    return Grid(tuple(f"s{i}" for i in range(sections)), placed, np.full((2, sections, len(placed.ranks)), 1.0), 40)


def guilty(rows: tuple[int, ...], *effect: float, level: str = "rank", unit: int = 1) -> Guilty:
    """`effect`: slow/normal of every row and of the sum."""
    return Guilty(level, unit, rows, tuple(log(one) for one in effect), 8.0, 4.0, 0.01, 4)


def told(of: Guilty, grid: Grid = grid(), *more: Place) -> Finding:
    return places._finding("r", "demo:a", grid, [grid.placed.place(of), *more])


def test_a_place_is_a_node_a_domain_or_a_rank() -> None:
    rank = FOUR.place(guilty((0,), 1.2, 1.2, unit=2))
    assert (rank.host, rank.numa, rank.rank, rank.ranks, rank.name) == ("n1", None, 2, {2}, "rank 2 on n1")
    node = FOUR.place(guilty((0,), 1.2, 1.2, level="node"))
    assert (node.host, node.numa, node.rank, node.ranks, node.name) == ("n1", None, None, {2, 3}, "n1")
    eight = Placed(tuple(range(8)), ("n0",) * 4 + ("n1",) * 4, (0, 0, 1, 1) * 2)
    numa = eight.place(guilty((0,), 1.2, 1.2, level="numa", unit=2))
    assert (numa.host, numa.numa, numa.rank, numa.ranks, numa.name) == ("n1", 0, None, {4, 5}, "NUMA domain 0 of n1")
    assert [one.name for one in eight.levels] == ["node", "numa", "rank"] and [one.name for one in FOUR.levels] == ["node", "rank"]


def test_a_rank_that_is_slow_in_one_section_is_told_with_the_sum() -> None:
    found = told(guilty((1,), 1.01, 1.5, 1.02, 1.2))
    assert found.what == "rank 1 on n0 is slower than the others of 4 equal ranks: 50 % in s1, 20 % in all 3 together"
    assert found.evidence == (
        "8 standard errors, limit 4; equal peers differ by 1 %; per-rank medians of 2 launches, 40 repetitions"
    )
    assert (found.section, found.where) == ("s1", Where("n0", 1, "s1")) and found.unit == "slow/equal peers"
    assert (found.measured, found.expected) == (pytest.approx(1.5), 1.0) and found.band == (None, pytest.approx(exp(log(1.5) / 2)))
    assert found.next_command == "./tenken rerun r demo:a --section s1 --without n0" and found.axis is Axis.BALANCE


def test_sections_that_stand_out_are_counted_the_slowest_named() -> None:
    found = told(guilty((0, 2), 1.3, 1.01, 1.5, 1.2))
    assert found.what.endswith("50 % in s2 and 1 more, 20 % in all 3 together")
    assert (found.section, found.where.section) == ("s2", None) and "--section" not in found.next_command
    whole = told(guilty((3, 0, 2), 1.3, 1.01, 1.5, 1.2))
    assert whole.what.endswith(": 20 % in all compute sections together, most in s2 (50 %), beyond chance in 2 of 3")
    assert whole.where.section is None and whole.section == "s2"
    none = told(guilty((3,), 1.3, 1.01, 1.25, 1.2))
    assert none.what.endswith(": 20 % in all compute sections together, most in s0 (30 %)") and none.measured == pytest.approx(1.3)
    one = told(guilty((3, 1), 1.1, 1.3, 1.0, 1.4))
    assert one.what.endswith(": 30 % in s1, 40 % in all 3 together") and one.measured == pytest.approx(1.4), "the larger of both"


def test_of_one_section_the_sum_is_the_same() -> None:
    found = told(guilty((0, 1), 1.5, 1.5), grid(1))
    assert found.what.endswith(": 50 % in s0") and found.where.section == "s0"


def test_the_limit_is_no_smaller_than_the_smallest_effect() -> None:
    assert told(guilty((1,), 1.0, 1.06, 1.0, 1.02)).band == (None, 1.05)


def test_many_places_are_told_together() -> None:
    wide = Placed(tuple(range(20)), tuple(f"n{i:02d}" for i in range(20)), (0,) * 20)
    of = [wide.place(guilty((0,), 1.2, 1.2, level="node", unit=i)) for i in range(10)]
    found = places._finding("r", "demo:a", grid(1, wide), of)
    assert found.what.startswith("10 of 4 nodes (n00, n01, n02, n03, n04, n05, n06, n07, ...) are slower than the others of 4 equal nodes: 20 %")
    assert found.next_command.endswith("--without " + ",".join(f"n{i:02d}" for i in range(10))) and found.where.host == "n00"
    eight = places._finding("r", "demo:a", grid(1, wide), of[:8]).what
    assert "8 of 4 nodes (n00, n01, n02, n03, n04, n05, n06, n07) are" in eight
    alone = Placed((0, 1, 2), ("n0",) * 3, (0,) * 3)
    assert "--without" not in told(guilty((0,), 1.2, 1.2), grid(1, alone)).next_command


def of_nodes(slow: int, ranks: int = 12) -> Grid:
    """One rank on each node; the first `slow` take more and more time."""
    made = Placed(tuple(range(ranks)), tuple(f"n{i:02d}" for i in range(ranks)), (0,) * ranks)
    ns = np.stack([b.quiet(MS, ranks, 2, noise=0.002, seed=launch).T.astype(float) for launch in range(3)])
    for i in range(slow):
        ns[:, :, i] *= 1.3 + 0.1 * i
    return Grid(("s0", "s1"), made, ns, 60)


@pytest.mark.parametrize(("slow", "findings"), [(0, 0), (1, 1), (4, 4), (5, 1)])
def test_four_places_of_a_level_are_told_one_by_one(slow: int, findings: int) -> None:
    found, named = judge_place("r", "demo:a", of_nodes(slow, 24))
    assert len(found) == findings and named == frozenset(range(slow))
    assert [one.where.host for one in found] == [f"n{i:02d}" for i in reversed(range(slow))][:findings], "the clearest first"


def two(ratio: float, placed: Placed = Placed((0, 1), ("n1", "n0"), (0, 0))) -> list[Finding]:
    return judge_place("r", "demo:a", Grid(("s0",), placed, np.array([[[ratio, 1.0]], [[ratio, 1.0]]]) * MS, 40))[0]


def test_two_nodes_that_differ_leave_open_which_is_slow() -> None:
    (one,), (other,) = two(2.0), two(0.5)
    assert one.what == (
        "n1 takes 100 % longer than n0 in all compute sections together: one slow or the other fast, two cannot tell which; add a third"
    )
    assert other.what.startswith("n0 takes 100 % longer than n1 in") and two(1.0) == []
    assert (one.measured, one.expected, one.unit, one.where) == (pytest.approx(2.0), 1.0, "slow/equal peers", Where())
    assert one.evidence.startswith("medians of 2 launches, 40 repetitions; equal peers stay within ") and one.next_command == "./tenken rerun r demo:a"
    assert judge_place("r", "demo:a", None) == ([], frozenset()) and two(2.0, Placed((0, 1), ("n0", "n0"), (0, 0))) == []


def test_launches_that_placed_ranks_otherwise_are_left_out() -> None:
    def launch(hosts: tuple[str, ...], numa: tuple[int, ...] = (0,)) -> Measured:
        record = b.record(b.fma(1e9, 2), hosts=hosts)
        ranks: tuple[Rank, ...] = tuple(replace(one, numa=numa) for one in record.rank)
        return Measured(b.launch(), replace(record, rank=ranks[::-1]))

    placed, kept = placed_alike((launch(("n0", "n1")), launch(("n1", "n0")), launch(("n0", "n1")), launch(("n0", "n1"), (1,))))
    assert (placed.ranks, placed.hosts, placed.numas, kept) == ((0, 1), ("n0", "n1"), (0, 0), [0, 2])
    assert placed_alike((launch(("n0",), ()),))[0].numas == (0, 0) and placed_alike((launch(("n0",), (3, 2)),))[0].numas == (2, 2)


@pytest.mark.parametrize(("flop", "equal"), [((100, 105), True), ((100, 106), False), ((0, 0), True), ((0, 5), False)])
def test_equal_work_is_within_five_per_cent(flop: tuple[int, int], equal: bool) -> None:
    record = b.record(b.Timed("a", np.full((2, 9), MS)))
    series = tuple(replace(one, work=(b.Work(flop=flop[one.rank]),) * 9) for one in record.series)
    assert places._equal_work(Measured(b.launch(), replace(record, series=series)), "a") is equal
    assert places._equal_work(Measured(b.launch(), record), "none")


# --- what another's load may explain ------------------------------------------------------------------------------


def case(ranks: int = 2, **by_rank: int) -> Prepared:
    trusts = {rank: b.trust(run_queue_wait_ns=by_rank.get(f"r{rank}", 0) * MS, wall_ns=100 * MS) for rank in range(ranks)}
    records = [b.record(b.Timed("a", np.full((ranks, 20), MS)), hosts=("n0", "n1"), trusts=trusts, launch=n) for n in (1, 2)]
    return prepare("r", b.case_run(*records), b.machine(b.node("n0"), b.node("n1")))


def made(measured: float, limit: float, what: str = "slow", **changes: Any) -> Finding:
    unit = changes.pop("unit", "max/mean")
    return finding(Axis.BALANCE, Verdict.WARN, "demo:a", what, "e", section=changes.pop("section", "a"), measured=measured, expected=limit,
                   band=(None, limit), unit=unit, where=Where(**changes))  # fmt: skip


def hidden(*parts: float) -> tuple[SectionSummary, ...]:
    ranks = tuple(RankTime(i, f"n{i}", 1e6, 1e6, 1e6, part * 1e6) for i, part in enumerate(parts))
    return (replace(assessments.section("a", 1e6), ranks=ranks),)


def test_findings_beyond_what_a_load_may_have_cost_are_kept() -> None:
    kept, open_ = made(1.5, 1.2, "kept", rank=0), made(1.5, 1.3, "open", rank=1)
    sections = hidden(0.1, 0.2)
    axis, findings = _beyond_load(case(), sections, AXIS, [open_, kept, replace(kept, what="more")])
    assert (axis, [one.what for one in findings]) == (AxisResult(Axis.BALANCE, Verdict.WARN, "kept"), ["kept", "more"])
    axis, findings = _beyond_load(case(), sections, AXIS, [open_, replace(open_, what="other", where=Where(rank=0))])
    assert [one.what for one in findings] == ["other"]
    axis, findings = _beyond_load(case(), sections, AXIS, [open_, replace(open_, what="later")])
    assert findings == [] and axis == AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "open; another's load could hide 20 %", True)
    assert _beyond_load(case(), sections, AXIS, []) == (AXIS, [])


def test_what_is_left_on_its_limit_is_explained_and_without_a_load_nothing_is() -> None:
    on = made(2.0, 1.5, rank=1)  # 2 x (1 - 0.25)
    assert _beyond_load(case(), hidden(0.0, 0.25), AXIS, [on])[1] == [] and len(_beyond_load(case(), hidden(0.0, 0.24), AXIS, [on])[1]) == 1
    assert len(_beyond_load(case(), hidden(0.3, 0.0), AXIS, [on])[1]) == 1
    within = replace(on, band=(None, 2.1))
    assert len(_beyond_load(case(), hidden(0.0, 0.0), AXIS, [within])[1]) == 1
    assert len(_beyond_load(case(), hidden(0.9, 0.9), AXIS, [replace(on, band=(1.0, None))])[1]) == 1
    assert len(_beyond_load(case(), hidden(0.9, 0.9), AXIS, [replace(on, measured=None)])[1]) == 1


def test_a_part_of_a_repetition_is_held_against_what_its_rank_lost_of_the_wall() -> None:
    part = made(0.2, 0.15, unit=late.PART, rank=1)
    assert len(_beyond_load(case(r1=4), hidden(0, 0), AXIS, [part])[1]) == 1 and _beyond_load(case(r1=6), hidden(0, 0), AXIS, [part])[1] == []
    assert len(_beyond_load(case(r0=60), hidden(0, 0), AXIS, [part])[1]) == 1
    elsewhere = made(1.5, 1.2, section="gone", rank=1)
    assert _beyond_load(case(r1=30), hidden(0, 0), AXIS, [elsewhere])[1] == []


def test_what_a_rank_lost_of_its_wall() -> None:
    (measured, _) = case(3, r0=10, r1=20).measured
    assert (_lost_share(measured, None), _lost_share(measured, 0), _lost_share(measured, 2), _lost_share(measured, 9)) == (0.2, 0.1, 0.0, 0.0)
    still = tuple(replace(one, trust=replace(one.trust, wall_ns=0)) if one.rank == 1 else one for one in measured.record.rank)
    assert _lost_share(replace(measured, record=replace(measured.record, rank=still)), None) == 0.1


# --- balance, lateness, clocks ------------------------------------------------------------------------------------


def test_the_evenness_of_what_computes_and_communicates_is_told_apart() -> None:
    section = case().sections[0]
    one, two, halo = (replace(section, path=path, kind=kind, imbalance=value) for path, kind, value in (
        ("x", "compute", 1.02), ("y", "compute", 1.05), ("z", "comm", 1.04)))  # fmt: skip
    def said(*of: SectionSummary) -> str:
        return judge_balance("demo:a", case().measured, (of,), of)[0].reason

    assert said(one, two) == "max/mean over ranks up to 1.05" and said(halo) == "max/mean over ranks up to 1.04 in communication"
    assert said(two, one, halo) == "max/mean over ranks up to 1.05, 1.04 in communication"
    assert said(one, replace(halo, imbalance=9.0)).endswith("1.02, 9.00 in communication, too few launches with the same rank to name it")
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
        "x: communicator 2 of 4 only (counted from 0; ranks 4 to 5) takes 3.2 ms, 3.1 times the others, whose maximum is 1.2 ms"
    )
    assert found.evidence == "2 equally slow ranks, 6 others; per-rank medians, median of 2 launches, 40 repetitions"
    assert (found.measured, found.expected, found.band, found.unit) == (pytest.approx(3.2 / 1.2), 1.0, (None, 1.10), "slow/equal peers")
    assert found.where == Where(section="x") and found.next_command == "./tenken rerun r demo:a --section x --without n4,n5"
    strided = group([1.0, 3.0, 1.0, 1.0, 3.0, 1.0], ["n0"] * 6)
    assert strided is not None and "communicator 1 of 3 only (counted from 0; every 3th rank from 1 on)" in strided.what
    assert strided.where.host == "n0" and strided.next_command == "./tenken rerun r demo:a --section x"
    shared = group([1.0, 1.0, 3.0, 3.0, 1.0, 1.0], ["n0", "n0", "n1", "n2", "n2", "n3"])
    assert shared is not None and "--without" not in shared.next_command and shared.where.host is None


def test_a_communicator_too_small_or_short_to_matter_is_not_named() -> None:
    slow = [1.0, 1.0, 3.0, 3.0, 1.0, 1.0]
    assert group(slow, share=0.01) is not None and group(slow, share=0.0099) is None
    assert group(slow, median_ns=20_000.0) is not None and group(slow, median_ns=19_999.0) is None
    assert group([0.0, *slow[1:]]) is None and group([1.0, 1.0, 1.05, 1.05, 1.0, 1.0]) is None and group([1.0, 3.0, 3.0, 1.0, 1.0, 1.0]) is None


def rank_times(path: str, kind: str, times: list[float], **changes: Any) -> SectionSummary:
    ranks = tuple(RankTime(i, f"n{i}", ns * 1e6, ns * 1e6, ns * 1e6) for i, ns in enumerate(times))
    return replace(assessments.section(path, max(times) * 1e6, kind=kind, share=0.5), ranks=ranks, launches=2, repetitions=40, **changes)


def test_a_late_rank_is_told_with_the_section_that_makes_it_late() -> None:
    work, halo = rank_times("w", "compute", [4, 4, 5, 4, 4]), rank_times("h", "wait", [2, 2, 1, 2, 2])
    (found,), explained = late.judge_waiting("r", "demo:a", (work, halo), ((work, halo),) * 2, frozenset())
    assert found.what == (
        "rank 2 on n2 arrives late: the others wait 1 ms a repetition for it, 16.7 % of the time; it takes 1 ms longer than they do in w"
    )
    assert found.evidence == "waiting in h; per-rank medians, median of 2 launches, 40 repetitions" and explained == {"h"}
    assert (found.section, found.where, found.unit) == ("w", Where("n2", 2, "w"), "of a repetition")
    assert (found.measured, found.expected, found.band) == (pytest.approx(1 / 6), 0.05, (None, 0.05))
    assert found.next_command == "./tenken rerun r demo:a --without n2"
    assert late.judge_waiting("r", "demo:a", (work, halo), (), frozenset({2})) == ([], {"h"})
    half, less = rank_times("w", "compute", [4, 4, 4.5, 4, 4]), rank_times("w", "compute", [4, 4, 4.49, 4, 4])
    assert "longer than they do in w" in late.judge_waiting("r", "demo:a", (half, halo), (), frozenset())[0][0].what
    (busy,) = late.judge_waiting("r", "demo:a", (less, halo), (), frozenset())[0]
    assert busy.what.endswith("none of its timed sections explains it: interrupted, or busy outside them")
    assert busy.section == "h" and busy.where == Where("n2", 2)


def test_waiting_takes_three_ranks_and_all_of_them() -> None:
    work, halo = rank_times("w", "compute", [4, 5]), rank_times("h", "comm", [2, 1])
    assert late.judge_waiting("r", "demo:a", (work, halo), (), frozenset()) == ([], frozenset()) == late.judge_waiting("r", "demo:a", (), (), frozenset())
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
    return clocks._slower(case(), "n1", tuple(1e9 * one for one in own), tuple(1e9 * one for one in beside))


def test_a_lower_clock_is_told_with_both_spreads() -> None:
    low, high = (2.4,) * 10 + (2.5,) * 10 + (2.6,) * 10, (3.0,) * 40
    found = slower(low, high)
    assert found is not None and found.what == (
        "the clock of n1 is 2.5 GHz, 16.7 % lower than the 3 GHz of its neighbours: power or heat limit, or governor"
    )
    assert found.evidence == "median of 30 samples (half of them 2.4 to 2.6 GHz), 40 samples of neighbours"
    assert (found.measured, found.expected, found.unit, found.where) == (2.5, 3.0, "GHz", Where(host="n1"))
    assert found.band == (pytest.approx(3 / 1.05), None) and found.next_command == "./tenken rerun r demo:a --without n1"
    assert slower(low[:19], high) is None is slower(low, high[:19]) and slower((2.86,) * 20, high) is None and slower((2.85,) * 20, high) is not None
    assert slower((2.5,) * 12 + (3.2,) * 8, high) is None, "their spreads overlap"
    assert slower((3.0,) * 20, (3.0,) * 20) is None


def test_nodes_worth_a_comparison_are_those_with_a_lower_median() -> None:
    few = clocks._perhaps_lower({"a": (3.0,) * 4, "b": (2.0,) * 4, "c": (3.0,) * 4, "d": (2.9,) * 4})
    assert few == ["b"] and clocks._perhaps_lower({"a": (3.0,)}) == [] == clocks._perhaps_lower({"a": (), "b": (3.0,)})


# --- loss and jitter by place -------------------------------------------------------------------------------------


def by_rank(loss: list[list[float]], jitter: list[float], hosts: tuple[str, ...] = ("n0", "n1", "n2")) -> ByRank:
    """`loss`: of each section and of all of them together."""
    placed = Placed((0, 1, 2), hosts, (0, 0, 0))
    return ByRank(tuple(f"s{i}" for i in range(len(loss) - 1)), placed, np.array([loss] * 2), np.array([[jitter] * (len(loss) - 1)] * 2), (0.1,) * (len(loss) - 1))


LOSSES = by_rank([[0.02, 0.5, 0.02], [0.04, 0.8, 0.04], [0.03, 0.6, 0.03]], [0.01, 0.3, 0.01])


def lossy(*rows: int, effect: tuple[float, ...] = (1.4, 1.7, 1.5)) -> Place:
    return LOSSES.placed.place(replace(guilty(rows, *effect, level="node"), peers=3))


def test_what_a_place_loses_is_told_of_the_whole_or_of_its_worst_section() -> None:
    whole = unsteady._loss_finding(case(), LOSSES, lossy(0, 2))
    assert whole.what == (
        "n1 loses 54.5 % of its time beside the medians of all compute sections together, the others of 3 equal nodes 3 %: long "
        "interruptions there, and not elsewhere"
    )
    assert (whole.section, whole.where) == ("s1", Where(host="n1")) and whole.unit == "elapsed/(n x median) - 1"
    assert whole.measured == pytest.approx(1.03 * 1.5 - 1) and whole.band == (None, pytest.approx(1.03 * 1.5**0.5 - 1)) == (None, whole.expected)
    assert whole.evidence == "samples of each rank by itself, median of 2 launches" and whole.next_command == "./tenken rerun r demo:a --without n1"
    part = unsteady._loss_finding(case(), LOSSES, lossy(1, 0))
    assert "loses 76.8 % of its time beside the medians of s1, the others of 3 equal nodes 4 %" in part.what
    assert (part.section, part.where.section) == ("s1", "s1") and part.next_command.endswith("--section s1 --without n1")


def test_what_a_place_varies_by_is_told_with_its_limit() -> None:
    found = unsteady._jitter_finding(case(), LOSSES, lossy(0))
    assert found.what == (
        "n1 varies by 41.4 % in s0 (MAD/median), the others of 3 equal nodes by 1 %, limit 10 %: no two repetitions are alike there"
    )
    assert (found.unit, found.section, found.measured) == ("MAD/median", "s0", pytest.approx(1.01 * 1.4 - 1))


def test_the_limit_of_a_place_is_the_larger_of_chance_and_worth() -> None:
    def limit(least: float) -> float:
        return unsteady._told(LOSSES, lossy(0), 0, LOSSES.loss, log(least))[2]

    chance = 1.02 * 1.4**0.5 - 1
    assert limit(1.1) == pytest.approx(chance) and limit(1.3) == pytest.approx(1.02 * 1.3 - 1)
    assert limit(1.4) == pytest.approx(chance) == limit(1.5), "a limit is below what exceeds it"


def test_of_two_there_is_one_other() -> None:
    assert unsteady._others(replace(lossy(0), found=replace(lossy(0).found, peers=2))) == "the other node"
    assert unsteady._others(replace(lossy(0), found=replace(lossy(0).found, level="numa", peers=2))) == "the other NUMA domain"


def explained(of: SectionSummary, *named: Place, measured: float | None = None) -> bool:
    found = finding(Axis.STEADINESS, Verdict.WARN, "demo:a", "w", "e", of.path, measured=of.loss if measured is None else measured, unit="1", band=(None, 0.0))
    return unsteady._explained(found, LOSSES, (of,), list(named))


def test_places_explain_what_they_account_for_by_half() -> None:
    section = replace(assessments.section("s0", 1e6), loss=1.0, jitter=0.6)
    assert explained(section, lossy(0)) and not explained(replace(section, loss=1.01), lossy(0)) and not explained(section)
    assert explained(section, lossy(0), measured=0.6) and not explained(replace(section, jitter=0.61), lossy(0), measured=0.61)
    assert not explained(replace(section, path="other"), lossy(0))
    for kind in ("comm", "wait"):
        assert explained(replace(section, path="h", kind=kind), lossy(0)) and not explained(replace(section, path="h", kind=kind))


def test_a_loss_without_a_place_is_told_with_that_of_single_ranks() -> None:
    of = finding(Axis.STEADINESS, Verdict.WARN, "demo:a", "w", "e", "s0", measured=0.5, unit="elapsed/(n x median) - 1", band=(None, 0.1))
    assert unsteady._spread_over(of, LOSSES).evidence == "e; by rank 2 % to 50 %"
    assert unsteady._spread_over(replace(of, section="gone"), LOSSES).evidence == "e" == unsteady._spread_over(replace(of, unit="MAD/median"), LOSSES).evidence
    below = by_rank([[-0.1, -0.05, -0.2], [0.0] * 3], [0.0] * 3)
    assert unsteady._spread_over(of, below).evidence == "e; by rank 0 % to 0 %"


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
