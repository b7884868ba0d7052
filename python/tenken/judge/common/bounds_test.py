"""What other load may have cost: of a rank by its counters, of a launch, and of what may lie under a median."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge.common.bounds import (
    Lost, beside_median, hidden_by_rank, hidden_in, hidden_in_maximum, hidden_in_ranks, lost_by, lost_in,
)
from tenken.judge.common.grids import Grid, grids, rank_rows
from tenken.model.limits import DISTURBED, UNKNOWN_LOSS
from tenken.model.record import Record
from tenken.model.run import Measured

MS = 1_000_000
WAIT = {"run_queue_wait_ns": 3 * MS, "steal_ns": 2 * MS}


def lost(threads: int = 1, **changes: Any) -> float:
    rank = b.record(b.fma(1e9)).rank[0]
    return lost_by(replace(rank, trust=b.trust(**(WAIT | changes))), threads)


def test_each_thread_may_have_lost_the_most_and_no_more_than_the_wall() -> None:
    assert lost() == 5 * MS and lost(4) == 20 * MS
    assert lost(1000) == lost(400) == b.SECOND and lost(199) == 995 * MS
    assert lost(wall_ns=4 * MS) == 4 * MS


def test_what_the_system_does_not_count_is_a_part_of_the_wall() -> None:
    unknown = UNKNOWN_LOSS * b.SECOND
    assert lost(2, steal_ns=None) == 2 * 3 * MS + unknown
    assert lost(2, run_queue_wait_ns=None) == 2 * 2 * MS + unknown
    assert lost(2, run_queue_wait_ns=None, steal_ns=None) == unknown


def test_what_another_hardware_thread_took_counts_once_for_all_threads() -> None:
    assert lost(4, shared_ns=80 * MS, shared_lost_ns=30 * MS) == (20 + 30) * MS
    assert lost(wall_ns=10 * MS, shared_lost_ns=9 * MS) == 10 * MS


def test_waiting_for_a_quota_of_our_own_is_no_other_s_load() -> None:
    limit = round(DISTURBED * b.SECOND)
    assert lost(throttled_ns=limit) == 5 * MS == lost(throttled_ns=None)
    assert lost(throttled_ns=limit + 1) == 2 * MS == lost(throttled_ns=limit + 1, run_queue_wait_ns=None)
    assert lost(throttled_ns=limit + 1, steal_ns=None) == UNKNOWN_LOSS * b.SECOND


def flat(ranks: int = 2, repetitions: int = 20, **longer: tuple[int, float]) -> np.ndarray:
    """1 ms everywhere; `rN=(repetition, ms)` takes so much longer there."""
    ns = np.full((ranks, repetitions), MS)
    for name, (repetition, ms) in longer.items():
        ns[int(name[1:]), repetition] += round(ms * MS)
    return ns


def launch(*sections: b.Timed, **by_rank: float) -> tuple[Measured, list[Grid]]:
    """`rN=ms`: what rank N waited in the run queue, of a wall of N + 1 seconds."""
    ranks = sections[0].ns.shape[0]
    trusts = {
        rank: b.trust(run_queue_wait_ns=round(by_rank.get(f"r{rank}", 0.0) * MS), wall_ns=(rank + 1) * b.SECOND)
        for rank in range(ranks)
    }
    measured = Measured(b.launch(), b.record(*sections, trusts=trusts))
    return measured, grids(measured.record)


def test_what_outliers_show_of_a_loss_is_not_hidden_as_well() -> None:
    found = lost_in(*launch(b.Timed("a", flat(r0=(3, 3.0))), r0=4.0, r1=1.0))
    assert found.total.tolist() == [4 * MS, MS] and found.hidden.tolist() == [MS, MS]
    assert (found.together, found.wall) == (2 * MS, 2.0 * b.SECOND)
    more = lost_in(*launch(b.Timed("a", flat(r0=(3, 3.0))), b.Timed("b", flat(r0=(3, 3.0))), r0=4.0, r1=1.0))
    assert more.hidden.tolist() == [0.0, MS] and more.together == MS, "never below nothing"


def test_of_waiting_only_what_all_ranks_show_counts() -> None:
    work = b.Timed("a", flat())
    alone, both = flat(r0=(5, 0.5)), flat(r0=(5, 0.5), r1=(5, 0.4))
    for kind in ("comm", "wait"):
        assert lost_in(*launch(work, b.Timed("h", alone, kind), r0=4.0)).together == 4 * MS
        shown = lost_in(*launch(work, b.Timed("h", both, kind), r0=4.0))
        assert shown.together == pytest.approx(3.6 * MS) and shown.hidden.tolist() == [4 * MS, 0.0]
    apart = flat(r0=(5, 0.5), r1=(6, 0.5))
    assert lost_in(*launch(work, b.Timed("h", apart, "comm"), r0=4.0)).together == 4 * MS
    much = flat(r0=(5, 9.0), r1=(5, 9.0))
    assert lost_in(*launch(work, b.Timed("h", much, "comm"), r0=4.0)).together == 0.0


def test_waiting_in_which_a_rank_took_no_part_shows_nothing() -> None:
    measured, _ = launch(b.Timed("a", flat(3)), b.Timed("h", flat(3, r0=(5, 0.5), r1=(5, 0.5), r2=(5, 0.5)), "comm"), r0=4.0)
    record = measured.record
    less = replace(record, series=tuple(one for one in record.series if (one.section, one.rank) != (1, 2)))
    assert lost_in(measured, grids(record)).together == pytest.approx(3.5 * MS)
    assert lost_in(Measured(measured.launch, less), grids(less)).together == 4 * MS


def test_ranks_that_took_part_in_different_repetitions_are_counted_by_their_samples() -> None:
    measured, _ = launch(b.Timed("a", flat(r0=(3, 3.0))), r0=4.0, r1=1.0)
    first, second = measured.record.series
    mixed = replace(measured.record, series=(first, replace(second, repetition=tuple(range(5, 25)))))
    assert grids(mixed)[0].rows is None
    assert lost_in(Measured(measured.launch, mixed), grids(mixed)).hidden.tolist() == [MS, MS]


def test_a_launch_without_ranks_lost_nothing() -> None:
    record = replace(b.record(b.fma(1e9)), rank=(), series=())
    found = lost_in(Measured(b.launch(), record), [])
    assert (found.total.tolist(), found.together, found.wall) == ([0.0], 0.0, 0.0)


STEPS = np.array([10.0, 20.0, 30.0, 40.0, 50.0])


@pytest.mark.parametrize(("hidden", "lost", "expected"), [
    (0.0, 100.0, 0.0), (6.0, 100.0, 6.0), (14.0, 100.0, 12.0), (100.0, 0.0, 0.0), (100.0, -1.0, 0.0), (1e9, 1e9, 30.0),
])  # fmt: skip
def test_what_may_lie_under_a_median(hidden: float, lost: float, expected: float) -> None:
    """Of 30, the middle one, all of what is hidden may be; once it is down at 20, both share what is left."""
    assert hidden_in(STEPS, hidden, lost) == pytest.approx(expected)
    assert hidden_in(np.array([np.nan, *STEPS, np.nan]), hidden, lost) == pytest.approx(expected)
    assert hidden_in(np.full(3, np.nan), hidden, lost) == 0.0


def thin_and_whole(section: b.Timed) -> tuple[Grid, Grid]:
    whole: Record = b.record(section)
    return grids(b.thin(whole))[0], grids(whole)[0]


def test_of_each_rank_it_is_what_it_is_of_its_samples() -> None:
    chance = np.random.default_rng(3)
    ns = b.quiet(MS, 6, 30)
    ns[2, ::7] += 3 * MS
    (grid,) = grids(b.record(b.Timed("a", ns)))
    for hidden, total in ((chance.uniform(0, 9 * MS, 6), chance.uniform(0, 30 * MS, 6)),
        (np.full(6, 2.0 * MS), np.arange(6) * 1.0 * MS)):
        expected = [hidden_in(row, *one) for row, *one in zip(grid.ns, hidden, total, strict=True)]
        assert hidden_in_ranks(grid, hidden, total) == pytest.approx(expected) and max(expected) > 0
    assert hidden_in_ranks(grid, np.full(6, 9.0 * MS), np.zeros(6)).tolist() == [0.0] * 6


def test_where_samples_were_not_kept_it_is_no_less_than_of_all_samples() -> None:
    ns = b.quiet(MS, 64, 40, noise=0.002)
    ns[5] *= 2
    thin, whole = thin_and_whole(b.Timed("a", ns))
    assert 5 in thin.kept and not thin.whole and whole.whole
    hidden, total = np.full(64, 2.0 * MS), np.full(64, 3.0 * MS)
    found, exact = hidden_in_ranks(thin, hidden, total), hidden_in_ranks(whole, hidden, total)
    assert (found >= exact - 1e-6).all() and (found > exact).any()
    assert found[list(thin.kept)] == pytest.approx(exact[list(thin.kept)])
    assert hidden_in_ranks(thin, hidden, np.zeros(64)).tolist() == [0.0] * 64


def of_maximum(grid: Grid, total: list[float], hidden: list[float], together: float) -> float:
    return hidden_in_maximum(grid, Lost(np.array(total) * MS, np.array(hidden) * MS, together * MS, 1.0 * b.SECOND))


def test_the_maximum_falls_no_lower_than_the_slowest_rank_at_its_best() -> None:
    """The slow rank lost nothing: what the other one lost is not under the maximum."""
    ns = flat()
    ns[1] *= 2
    (work,), (halo,) = grids(b.record(b.Timed("a", ns))), grids(b.record(b.Timed("a", ns, "comm")))
    assert of_maximum(work, [8, 0], [8, 0], 8) == 0.0
    assert of_maximum(work, [0, 8], [0, 8], 8) == pytest.approx(8 / 11 * MS)
    assert of_maximum(halo, [8, 0], [8, 0], 8) == pytest.approx(8 / 11 * MS), "who waits is delayed by whoever lost time"
    assert of_maximum(work, [0, 0], [0, 0], 0) == 0.0


def test_interruptions_that_a_rank_paid_for_are_taken_for_its_fastest() -> None:
    ns = flat()
    ns[0, :12] += MS
    (grid,) = grids(b.record(b.Timed("a", ns)))
    assert of_maximum(grid, [20, 0], [0, 0], 0) == 0.0, "12 of 20: these are no outliers, and nothing is hidden"
    ns = flat()
    ns[0, :6] += MS
    ns[1, 6:12] += MS
    (grid,) = grids(b.record(b.Timed("a", ns)))
    assert of_maximum(grid, [6, 6], [0, 0], 0) == MS and of_maximum(grid, [6, 0], [0, 0], 0) == MS
    assert of_maximum(grid, [0, 0.5], [0, 0], 0) == 0.0


def beside_threads(once: bool = False, steal_ms: float = 0.0, lost_ms: int = 30) -> tuple[Grid, Lost]:
    """Two ranks, 20 times 1 and 2 ms; the first lost up to three quarters of each moment to another hardware thread."""
    ns = flat()
    ns[1] *= 2
    shared = b.trust(wall_ns=40 * MS, shared_lost_ns=lost_ms * MS, shared_part=0.75, steal_ns=round(steal_ms * MS))
    record = b.record(b.Timed("a", ns[:, :1] if once else ns, once=once), trusts={0: shared, 1: b.trust(wall_ns=40 * MS)})
    (grid,) = grids(record)
    return grid, lost_in(Measured(b.launch(), record), [] if once else [grid])


@pytest.mark.parametrize("once", [False, True])
def test_another_hardware_thread_took_no_larger_part_of_any_time_than_it_was_seen_to(once: bool) -> None:
    grid, lost = beside_threads(once=once)
    assert hidden_in_ranks(grid, lost.total, lost.total)[0] == MS, "by the sum alone all of it"
    assert hidden_by_rank(grid, lost).tolist() == [0.75 * MS, 0.0]


@pytest.mark.parametrize(("flop", "leaf", "part"), [(19, True, 1 - 0.25**2), (20, True, 0.75), (19, False, 0.75)])
def test_of_a_section_that_moves_data_it_may_take_a_larger_part(flop: int, leaf: bool, part: float) -> None:
    """Caches are shared as well: below a quarter of a flop a byte the rate may fall by the square."""
    shared = b.trust(shared_lost_ns=900 * MS, shared_part=0.75)
    timed = b.Timed("a", flat(1, r0=(5, 99.0)), work=b.Work(flop=flop, bytes_read=60, bytes_written=20), leaf=leaf)
    record = b.record(timed, trusts={0: shared})
    (grid,) = grids(record)
    lost = lost_in(Measured(b.launch(), record), [grid])
    assert hidden_by_rank(grid, lost).tolist() == [hidden_in_maximum(grid, lost)] == pytest.approx([part * MS])
    assert beside_median(grid, lost) == pytest.approx(part / (1 - part) * MS)
    assert rank_rows(record, [grid])["a"].stretched.tolist() == pytest.approx([part / (1 - part) * MS])


def test_nor_did_it_take_more_than_its_sum() -> None:
    assert hidden_by_rank(*beside_threads(lost_ms=3)) == pytest.approx([3 / 11 * MS, 0.0])  # of the half of 20 and the middle


def test_what_else_was_lost_comes_off_first() -> None:
    grid, lost = beside_threads(steal_ms=2.2)  # 0.2 ms off the half of 20 and the middle
    assert hidden_by_rank(grid, lost) == pytest.approx([(0.2 + 0.75 * 0.8) * MS, 0.0])
    assert lost.threads is not None and lost.threads.besides.hidden.tolist() == pytest.approx([2.2 * MS, 0.0])


def test_the_maximum_lost_no_larger_part_than_the_rank_that_lost_most() -> None:
    ns = flat()
    shared = {rank: b.trust(wall_ns=40 * MS, shared_lost_ns=30 * MS, shared_part=part) for rank, part in enumerate((0.75, 0.5))}
    for kind, expected in (("compute", 0.75 * MS), ("wait", MS)):  # who waits may have waited for all of it
        record = b.record(b.Timed("a", ns, kind), trusts=shared)
        (grid,) = grids(record)
        lost = lost_in(Measured(b.launch(), record), [grid])
        assert hidden_in_maximum(grid, lost) == pytest.approx(expected)
        assert hidden_by_rank(grid, lost) == pytest.approx([expected, 0.5 * MS if kind == "compute" else MS])


@pytest.mark.parametrize(("kind", "steal_ms", "expected"), [("compute", 0, 3.0), ("compute", 1, 4.0), ("wait", 1, 10.0)])
def test_another_hardware_thread_stretches_a_repetition_and_stops_none(kind: str, steal_ms: int, expected: float) -> None:
    """Of one repetition that took 8 ms instead of 1 it explains 3 where it takes three quarters at most."""
    trust = b.trust(shared_lost_ns=(10 - steal_ms) * MS, shared_part=0.75, steal_ns=steal_ms * MS)
    record = b.record(b.Timed("a", flat(1, r0=(5, 7.0)), kind), trusts={0: trust})
    (grid,) = grids(record)
    lost = lost_in(Measured(b.launch(), record), [grid])
    assert beside_median(grid, lost) == pytest.approx(expected * MS)
    small = replace(record.rank[0].trust, shared_lost_ns=2 * MS)
    little = replace(record, rank=(replace(record.rank[0], trust=small),))
    assert beside_median(grid, lost_in(Measured(b.launch(), little), [grid])) == (2 + steal_ms) * MS


def test_without_other_hardware_threads_nothing_is_told_of_them() -> None:
    found = lost_in(*launch(b.Timed("a", flat()), r0=4.0))
    assert found.threads is None


def test_ranks_that_took_part_in_different_repetitions_lose_no_larger_part_either() -> None:
    shared = b.trust(wall_ns=40 * MS, shared_lost_ns=30 * MS, shared_part=0.75)
    record = b.record(b.Timed("a", flat()), trusts={0: shared, 1: b.trust(wall_ns=40 * MS)})
    first, second = record.series
    mixed = replace(record, series=(first, replace(second, repetition=tuple(range(5, 25)))))
    (grid,) = grids(mixed)
    assert hidden_by_rank(grid, lost_in(Measured(b.launch(), mixed), [grid])).tolist() == [0.75 * MS, 0.0]
