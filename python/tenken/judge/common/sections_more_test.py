"""Sections beside and around others: groups, what is repeated over a value, and what several launches make of one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge.common import sections
from tenken.judge.common.grids import grids
from tenken.judge.common.sections import (
    STRIP_POINTS, Launches, at_best, case_sections, launch_sections, rank_work, slow_ranks,
)
from tenken.model.assessment import RankTime, SectionSummary
from tenken.model.limits import IMBALANCE
from tenken.model.run import Measured

MS = 1_000_000


def flat(ns: float = MS, ranks: int = 1, repetitions: int = 20) -> np.ndarray:
    return np.full((ranks, repetitions), round(ns))


def of(*sections: b.Timed, **more: Any) -> tuple[SectionSummary, ...]:
    return launch_sections(Measured(b.launch(), b.record(*sections, **more)))


def one(**changes: Any) -> SectionSummary:
    return replace(of(b.Timed("a", flat(ranks=2), work=b.Work(flop=10, bytes_read=4)))[0], **changes)


def test_a_group_has_the_work_of_the_leaves_inside_it() -> None:
    found = {each.path: each for each in of(
        b.Timed("cg", flat(4 * MS), leaf=False),
        b.Timed("cg/dot", flat(), work=b.Work(flop=100, bytes_read=30, bytes_written=20)),
        b.Timed("cg/halo", flat(), kind="comm", work=b.Work(bytes_read=150, messages=6)),
        b.Timed("cg/once", flat(), once=True, work=b.Work(flop=10**9)),
        b.Timed("cgx", flat(), work=b.Work(flop=10**9)),
    )}
    group = found["cg"]
    assert (group.flop, group.bytes, group.messages) == (100.0, 200.0, 6.0) and group.intensity == 0.5
    assert group.flop_rate == pytest.approx(100 / 4e-3) and group.byte_rate == pytest.approx(200 / 4e-3)
    assert group.precisions == () and group.leaf is False
    assert found["cg/halo"].flop_rate is None is found["cg/halo"].intensity


@pytest.mark.parametrize(("flop", "moved"), [(0, 100), (100, 0), (0, 0)])
def test_without_flop_or_bytes_there_is_no_intensity(flop: int, moved: int) -> None:
    group, leaf = of(b.Timed("g", flat(), leaf=False), b.Timed("g/a", flat(), work=b.Work(flop=flop, bytes_read=moved)))
    for each in (group, leaf):
        assert each.intensity is None and (each.flop_rate is None) == (flop == 0) and (each.byte_rate is None) == (moved == 0)


def test_precisions_are_those_of_the_flop_inside() -> None:
    def precisions(*leaves: tuple[str | None, int]) -> list[tuple[str, ...]]:
        timed = [b.Timed(f"g/{i}", flat(), work=b.Work(flop=flop), precision=name) for i, (name, flop) in enumerate(leaves)]
        return [each.precisions for each in of(b.Timed("g", flat(), leaf=False), *timed)]

    assert precisions(("single", 1), ("double", 1)) == [("double", "single"), ("single",), ("double",)]
    assert precisions(("single", 1), (None, 1)) == [("double", "single"), ("single",), ()]
    assert precisions(("single", 1), (None, 0)) == [("single",), ("single",), ()]
    assert precisions(("single", 0), ("double", 1)) == [("double",), (), ("double",)]
    assert precisions((None, 1), (None, 1)) == [(), (), ()]


def test_the_strip_is_thinned_for_drawing() -> None:
    (long,), (short,) = (of(b.Timed("a", flat(repetitions=count))) for count in (STRIP_POINTS + 1, STRIP_POINTS))
    assert long.repetitions == STRIP_POINTS + 1 and len(long.strip_ns[0]) < STRIP_POINTS == len(short.strip_ns[0])


def test_what_was_timed_once_has_shares_among_its_like() -> None:
    found = of(b.Timed("a", flat(3 * MS)), b.Timed("s", flat(6 * MS, repetitions=1), once=True),
               b.Timed("t", flat(2 * MS, repetitions=1), once=True))
    assert [(each.path, each.share) for each in found] == [("a", 1.0), ("s", 0.75), ("t", 0.25)]


def test_equal_ranks_have_a_limit_of_at_least_the_smallest_effect() -> None:
    (quiet,), (loud,) = of(b.Timed("a", flat(ranks=4))), of(b.Timed("a", b.quiet(MS, 4, 6, noise=0.3)))
    assert quiet.imbalance_limit == IMBALANCE < loud.imbalance_limit


def test_what_another_s_load_may_have_cost_is_only_told_where_there_was_one() -> None:
    ns = flat(ranks=2)
    ns[0, 3] += 8 * MS
    (calm,) = of(b.Timed("a", ns))
    assert (calm.hidden_ns, calm.least_loss, calm.least_jitter) == (0.0, None, None)
    (met,) = of(b.Timed("a", ns), trusts=b.trust(run_queue_wait_ns=2 * MS))
    assert met.loss == pytest.approx(0.4) and met.least_loss == pytest.approx(0.4 - 4 / 20) and met.least_jitter is None
    (much,) = of(b.Timed("a", ns), trusts=b.trust(run_queue_wait_ns=8 * MS))
    assert much.least_loss == 0.0
    ns[0, 3] = MS + 5 * MS  # on the limit: no finding by itself, but more than before perhaps
    assert of(b.Timed("a", ns), trusts=b.trust(run_queue_wait_ns=2 * MS))[0].least_loss == pytest.approx(0.05)
    shaken = np.rint(MS * (1 + 0.3 * np.array([[-1, 1, 0] * 8])))
    (unsteady,) = of(b.Timed("a", shaken), trusts=b.trust(run_queue_wait_ns=100))
    assert unsteady.least_jitter is not None and 0.1 < unsteady.least_jitter < unsteady.jitter
    slight = np.rint(MS * (1 + 0.01 * np.array([[-1, 1, 0] * 8])))
    assert of(b.Timed("a", slight), trusts=b.trust(run_queue_wait_ns=100))[0].least_jitter is None


def test_a_section_timed_once_may_have_been_all_of_what_was_lost() -> None:
    once = b.Timed("s", flat(9 * MS, 2, 1), once=True)
    (found,) = of(once, trusts={0: b.trust(run_queue_wait_ns=2 * MS), 1: b.trust(run_queue_wait_ns=MS)})
    assert found.hidden_ns == 3 * MS and [each.hidden_ns for each in found.ranks] == [2 * MS, MS]


def test_a_rank_that_waits_is_delayed_by_the_one_that_lost_most() -> None:
    trusts = {0: b.trust(run_queue_wait_ns=11 * MS), 1: b.trust()}
    for kind, hidden in (("comm", [MS, MS]), ("wait", [MS, MS]), ("compute", [MS, 0.0]), ("io", [MS, 0.0])):
        (found,) = of(b.Timed("a", flat(ranks=2), kind), trusts=trusts)
        assert [each.hidden_ns for each in found.ranks] == pytest.approx(hidden)


def test_at_best_it_is_faster_by_what_was_hidden() -> None:
    slow = one(hidden_ns=0.2 * MS, flop_rate=100.0, byte_rate=None, median_ns=1.0 * MS)
    best = at_best(slow)
    assert (best.median_ns, best.byte_rate) == (pytest.approx(0.8 * MS), None) and best.flop_rate == pytest.approx(125.0)
    assert at_best(replace(slow, byte_rate=40.0)).byte_rate == pytest.approx(50.0)
    for same in (replace(slow, hidden_ns=0.0), replace(slow, hidden_ns=-1.0), replace(slow, median_ns=0.0)):
        assert at_best(same) is same
    rough = replace(slow, loss=0.3, jitter=0.2)
    for least, expected in ((None, 0.3), (0.1, 0.1), (0.4, 0.3)):
        assert at_best(replace(rough, least_loss=least)).loss == expected and at_best(rough).jitter == 0.2
    assert at_best(replace(rough, hidden_ns=0.0, least_jitter=0.05)).jitter == 0.05
    for hidden in (1.0 * MS, 7.0 * MS):
        assert at_best(replace(slow, hidden_ns=hidden)).median_ns == pytest.approx(1e-9 * MS), "a time stays positive"


def test_over_launches_middles_and_sums() -> None:
    launches = [
        one(median_ns=ns, mad_ns=ns / 10, loss=ns, jitter=ns, share=ns, imbalance=ns, imbalance_limit=ns, flop=ns, bytes=ns,
            messages=ns, flop_rate=rate, byte_rate=None, calls=calls, repetitions=10, hidden_ns=hidden)
        for ns, rate, calls, hidden in ((3.0, 5.0, 2, 2.0), (1.0, None, 9, 0.0), (2.0, 7.0, 4, 1.5))
    ]  # fmt: skip
    (found,) = case_sections(tuple((each,) for each in launches))
    numbers = (found.median_ns, found.mad_ns, found.loss, found.jitter, found.share, found.imbalance, found.imbalance_limit)
    assert numbers == (2.0, 0.2, 2.0, 2.0, 2.0, 2.0, 2.0) and (found.flop, found.bytes, found.messages) == (2.0, 2.0, 2.0)
    assert (found.flop_rate, found.byte_rate, found.calls, found.launches, found.repetitions) == (6.0, None, 4, 3, 30)
    assert found.hidden_ns == 2.0 - 1.0, "median of 3, 1, 2 less that of 1, 1, 0.5"


def test_the_least_of_launches_takes_those_that_met_no_load_as_they_are() -> None:
    def least(*losses: tuple[float, float | None]) -> tuple[float | None, float | None]:
        sections = tuple((one(loss=loss, least_loss=at, jitter=loss, least_jitter=at),) for loss, at in losses)
        (found,) = case_sections(sections)
        assert found.least_loss == found.least_jitter
        return found.least_loss, found.loss

    assert least((0.5, None), (0.3, None)) == (None, pytest.approx(0.4))
    assert least((0.5, 0.1), (0.3, None), (0.2, None)) == (0.2, 0.3)
    assert least((0.5, 0.1), (0.9, 0.4), (0.2, None)) == (0.2, 0.5)


def test_ranks_over_launches_are_middles_of_those_that_took_part() -> None:
    def rank(number: int, host: str, ns: float, hidden: float = 0.0) -> RankTime:
        return RankTime(number, host, ns, ns - 1, ns + 2, hidden)

    (alone,) = case_sections(((one(ranks=(rank(4, "x", 9.0), rank(1, "y", 8.0))),),))
    assert [each.rank for each in alone.ranks] == [1, 4] and alone.slowest_rank == 4
    launches = ((rank(0, "n0", 10.0, 4.0), rank(1, "n1", 20.0)), (rank(1, "n2", 24.0, 2.0),),
        (rank(0, "n9", 14.0), rank(1, "n1", 22.0)))
    (found,) = case_sections(tuple((one(ranks=ranks),) for ranks in launches))
    assert found.ranks == (RankTime(0, "n0", 12.0, 11.0, 14.0, 2.0), RankTime(1, "n1", 22.0, 21.0, 24.0, 0.0))
    assert found.slowest_rank == 1


def test_sections_of_launches_are_joined_by_their_path() -> None:
    first, second = (one(path="a", slowest_rank=1), one(path="b")), (one(path="b", slowest_rank=0), one(path="c"))
    found = case_sections((first, second))
    assert [(each.path, each.launches) for each in found] == [("a", 1), ("b", 2), ("c", 1)]
    assert slow_ranks("b", (first, second)) == (first[1].slowest_rank, 0) and slow_ranks("a", (first, second)) == (1,)
    assert slow_ranks("x", (first, second)) == ()


def test_work_of_ranks_is_flop_and_where_there_is_none_bytes() -> None:
    record = b.record(
        b.Timed("f", flat(ranks=2), work=b.Work(flop=3, bytes_read=100)),
        b.Timed("m", flat(ranks=2), work=b.Work(bytes_read=5, bytes_written=2)),
    )
    assert rank_work(record, "f") == {0: 60.0, 1: 60.0} and rank_work(record, "m") == {0: 140.0, 1: 140.0}
    assert rank_work(record, "none") == {}
    changing = tuple(b.Work(flop=number, bytes_read=1) for number in range(20))
    uneven = replace(record, series=tuple(replace(each, work=changing) if each.rank else each for each in record.series))
    assert rank_work(uneven, "f") == {0: 60.0, 1: 190.0}
    still = tuple(b.Work(bytes_read=number, bytes_written=1) for number in range(20))
    assert rank_work(replace(uneven, series=tuple(replace(each, work=still) for each in uneven.series)), "m") == {0: 210.0,
        1: 210.0}
    for path in ("f", "m"):
        assert rank_work(b.thin(record), path) == rank_work(record, path)


def test_the_sections_of_a_launch_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(sections, "grids", lambda record: calls.append(1) or grids(record))
    known, first = Launches(), Measured(b.launch(1), b.record(b.Timed("a", flat())))
    second = Measured(b.launch(2), b.record(b.Timed("b", flat())))
    for each in (first, second, first):
        assert known.sections(each) == launch_sections(each, grids(each.record))
        assert [one.section.path for one in known.timed(each)] == [one.path for one in known.sections(each)]
    assert len(calls) == 2
