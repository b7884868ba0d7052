"""What is said of places: how much slower, in what, beside whom, and what other load may explain."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Any

import assessments
import builders as b
import numpy as np
import pytest

from tenken.judge.common import Prepared, finding, prepare
from tenken.judge.place import _beyond_load, _lost_share, balance, places
from tenken.judge.place.places import Grid, Place, Placed, judge_place, placed_alike
from tenken.model.assessment import AxisResult, Finding, RankTime, SectionSummary, Where
from tenken.model.record import Rank
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
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
    assert [one.name for one in eight.levels] == ["node", "numa", "rank"]
    assert [one.name for one in FOUR.levels] == ["node", "rank"]


def test_a_rank_that_is_slow_in_one_section_is_told_with_the_sum() -> None:
    found = told(guilty((1,), 1.01, 1.5, 1.02, 1.2))
    assert found.what == "rank 1 on n0 is slower than the others of 4 equal ranks: 50 % in s1, 20 % in all 3 together"
    assert found.evidence == (
        "8 standard errors, limit 4, equal peers differ by 1 %; per-rank medians of 2 launches, 40 repetitions"
    )
    assert (found.section, found.where) == ("s1", Where("n0", 1, "s1")) and found.unit == "slow/equal peers"
    assert (found.measured, found.expected) == (pytest.approx(1.5), 1.0)
    assert found.band == (None, pytest.approx(exp(log(1.5) / 2)))
    assert found.next_command == "./tenken rerun r demo:a --section s1 --without n0" and found.axis is Axis.BALANCE


def test_sections_that_stand_out_are_counted_the_slowest_named() -> None:
    found = told(guilty((0, 2), 1.3, 1.01, 1.5, 1.2))
    assert found.what.endswith("50 % in s2 and 1 more, 20 % in all 3 together")
    assert (found.section, found.where.section) == ("s2", None) and "--section" not in found.next_command
    whole = told(guilty((3, 0, 2), 1.3, 1.01, 1.5, 1.2))
    assert whole.what.endswith(": 20 % in all compute sections together, most in s2 (50 %), significant in 2 of 3")
    assert whole.where.section is None and whole.section == "s2"
    none = told(guilty((3,), 1.3, 1.01, 1.25, 1.2))
    assert none.what.endswith(": 20 % in all compute sections together, most in s0 (30 %)")
    assert none.measured == pytest.approx(1.3)
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
    assert found.what.startswith(
        "10 of 4 nodes (n00, n01, n02, n03, n04, n05, n06, n07, ...) are slower than the others of 4 equal "
        "nodes: 20 %"
    )
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
        "n1 takes 100 % longer than n0 in all compute sections together: two nodes do not show which is slow; "
        "add a third"
    )
    assert other.what.startswith("n0 takes 100 % longer than n1 in") and two(1.0) == []
    assert (one.measured, one.expected, one.unit, one.where) == (pytest.approx(2.0), 1.0, "slow/equal peers", Where())
    assert one.evidence.startswith("medians of 2 launches, 40 repetitions; equal peers stay within ")
    assert one.next_command == "./tenken rerun r demo:a"
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


# --- what other load may explain ------------------------------------------------------------------------------


def case(ranks: int = 2, **by_rank: int) -> Prepared:
    trusts = {rank: b.trust(run_queue_wait_ns=by_rank.get(f"r{rank}", 0) * MS, wall_ns=100 * MS) for rank in range(ranks)}
    records = [b.record(b.Timed("a", np.full((ranks, 20), MS)), hosts=("n0", "n1"), trusts=trusts, launch=n) for n in (1, 2)]
    return prepare("r", b.case_run(*records), b.machine(b.node("n0"), b.node("n1")))


def made(measured: float, limit: float, what: str = "slow", **changes: Any) -> Finding:
    unit = changes.pop("unit", "max/mean")
    return finding(Axis.BALANCE, Verdict.WARN, "demo:a", what, "e", section=changes.pop("section", "a"), measured=measured,
        expected=limit,
                   band=(None, limit), unit=unit, where=Where(**changes))  # fmt: skip


def hidden(*parts: float) -> tuple[SectionSummary, ...]:
    ranks = tuple(RankTime(i, f"n{i}", 1e6, 1e6, 1e6, part * 1e6) for i, part in enumerate(parts))
    return (replace(assessments.section("a", 1e6), ranks=ranks),)


def test_findings_beyond_what_a_load_may_have_cost_are_kept() -> None:
    kept, open_ = made(1.5, 1.2, "kept", rank=0), made(1.5, 1.42, "open", rank=1)  # 1.5 x 0.8 / (1 - 0.15)
    sections = hidden(0.1, 0.2)
    axis, findings = _beyond_load(case(), sections, AXIS, [open_, kept, replace(kept, what="more")])
    assert (axis, [one.what for one in findings]) == (AxisResult(Axis.BALANCE, Verdict.WARN, "kept"), ["kept", "more"])
    axis, findings = _beyond_load(case(), sections, AXIS, [open_, replace(open_, what="other", where=Where(rank=0))])
    assert [one.what for one in findings] == ["other"]
    axis, findings = _beyond_load(case(), sections, AXIS, [open_, replace(open_, what="later")])
    reason = "open (other load can explain up to 20 %)"
    assert findings == [] and axis == AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason, True)
    assert _beyond_load(case(), sections, AXIS, []) == (AXIS, [])


def test_what_is_left_on_its_limit_is_explained_and_without_a_load_nothing_is() -> None:
    on = made(2.0, 1.5, rank=1, unit="slow/equal peers")  # 2 x (1 - 0.25)
    assert _beyond_load(case(), hidden(0.0, 0.25), AXIS, [on])[1] == []
    assert len(_beyond_load(case(), hidden(0.0, 0.24), AXIS, [on])[1]) == 1
    assert len(_beyond_load(case(), hidden(0.3, 0.0), AXIS, [on])[1]) == 1
    within = replace(on, band=(None, 2.1))
    assert len(_beyond_load(case(), hidden(0.0, 0.0), AXIS, [within])[1]) == 1
    assert len(_beyond_load(case(), hidden(0.9, 0.9), AXIS, [replace(on, band=(1.0, None))])[1]) == 1
    assert len(_beyond_load(case(), hidden(0.9, 0.9), AXIS, [replace(on, measured=None)])[1]) == 1


def test_the_mean_falls_with_the_time_of_the_slow_rank() -> None:
    """Of times 5, 1, 1 and 1 a load that took half of the 5 leaves 2.5: from 2.5 to 1.82 times the mean."""
    uneven, half = made(2.5, 1.81, rank=0), hidden(0.5, 0, 0, 0)
    assert len(_beyond_load(case(), half, AXIS, [uneven])[1]) == 1
    assert _beyond_load(case(), half, AXIS, [replace(uneven, band=(None, 1.82))])[1] == []
    assert _beyond_load(case(), hidden(1.0), AXIS, [made(1.0, 0.5, rank=0)])[1] == [], "nothing is left of it"


def test_a_part_of_a_repetition_is_held_against_what_its_rank_lost_of_the_wall() -> None:
    part = made(0.2, 0.15, unit=balance.PART, rank=1)
    assert len(_beyond_load(case(r1=4), hidden(0, 0), AXIS, [part])[1]) == 1
    assert _beyond_load(case(r1=6), hidden(0, 0), AXIS, [part])[1] == []
    assert len(_beyond_load(case(r0=60), hidden(0, 0), AXIS, [part])[1]) == 1
    elsewhere = made(1.5, 1.2, section="gone", rank=1)
    assert _beyond_load(case(r1=30), hidden(0, 0), AXIS, [elsewhere])[1] == []


def test_what_a_rank_lost_of_its_wall() -> None:
    (measured, _) = case(3, r0=10, r1=20).measured
    assert (_lost_share(measured, None), _lost_share(measured, 0), _lost_share(measured, 2), _lost_share(measured, 9)) == (0.2,
        0.1, 0.0, 0.0)
    still = tuple(replace(one, trust=replace(one.trust, wall_ns=0)) if one.rank == 1 else one for one in measured.record.rank)
    assert _lost_share(replace(measured, record=replace(measured.record, rank=still)), None) == 0.1
