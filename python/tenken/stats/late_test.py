from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.space import Group, group_of, late_rank, slow_together


def test_the_rank_that_waits_least_is_late_and_its_section_explains_it() -> None:
    compute = np.array([[10.0] * 8, [5.0] * 8])
    compute[1, 3] += 4
    wait = np.array([6.0, 6.1, 5.9, 2.0, 6.0, 6.05, 5.95, 6.0])
    late = late_rank(compute, wait, least=0.5)
    assert late is not None and late.index == 3 and int(np.argmax(late.excess)) == 1
    assert late.waited == pytest.approx(4.0) and late.explained == pytest.approx(1.0)
    unexplained = late_rank(np.full((1, 8), 10.0), wait, least=0.5)
    assert unexplained is not None and unexplained.index == 3 and unexplained.explained == 0


def test_small_or_scattered_waiting_names_nobody() -> None:
    chance = np.random.default_rng(1)
    wait = 6 + chance.normal(size=32)
    assert late_rank(np.ones((1, 32)), wait, least=0.1) is None
    assert late_rank(np.ones((1, 4)), np.array([6.0, 6.0, 6.0, 5.0]), least=2.0) is None
    assert late_rank(np.ones((1, 2)), np.array([9.0, 1.0]), least=0.1) is None


def test_rows_and_columns_of_ranks_are_communicators() -> None:
    assert group_of(np.arange(1020, 1080), 2160) == Group(17, 36, "consecutive")
    assert group_of(np.arange(17, 2160, 36), 2160) == Group(17, 36, "strided")
    for ranks in ([3], [1, 2], [0, 1, 3], list(range(12)), [1, 5, 9, 10]):
        assert group_of(np.array(ranks), 12) is None


def test_ranks_that_are_slow_together_are_above_one_clear_gap() -> None:
    times = 15.5 * np.exp(0.02 * np.random.default_rng(2).normal(size=40))
    assert slow_together(times, np.log(1.1)).size == 0
    times[[4, 14, 24, 34]] = [150.0, 151.0, 153.9, 152.0]
    assert slow_together(times, np.log(1.1)).tolist() == [4, 14, 24, 34]
    times[:30] = 150.0
    assert slow_together(times, np.log(1.1)).size == 0  # more than half cannot be the exception


def halo(late: int, ranks: int = 64, seed: int = 1) -> np.ndarray:
    """Waiting in three launches where only the ranks beside the late one wait."""
    wait = 1.0 + 0.1 * np.random.default_rng(seed).normal(size=(3, ranks))
    wait[:, [(late - 1) % ranks, (late + 1) % ranks]] += 10.0
    return wait


@pytest.mark.parametrize("late", [0, 17, 63])
def test_in_a_ring_of_halos_the_rank_between_those_that_wait_is_late(late: int) -> None:
    found = late_rank(np.ones((1, 64)), halo(late), least=0.5)
    assert found is not None and found.index == late and found.waited == pytest.approx(10.0, abs=0.5)


def test_delays_that_travelled_a_part_of_the_ring_name_the_rank_they_came_from() -> None:
    wait = halo(30)
    wait[:, 20:41] = 11.0
    wait[:, 30] = 1.0
    found = late_rank(np.ones((1, 64)), wait, least=0.5)
    assert found is not None and found.index == 30


def test_a_pattern_of_the_decomposition_is_no_late_rank() -> None:
    wait = halo(8)
    wait[:, [23, 25]] += 10.0  # a second one like it
    assert late_rank(np.ones((1, 64)), wait, least=0.5) is None
    alone = 1.0 + 0.1 * np.random.default_rng(3).normal(size=(3, 64))
    alone[:, 12] += 10.0  # one waits, and the ranks beside it do not
    assert late_rank(np.ones((1, 64)), alone, least=0.5) is None


def test_another_rank_in_each_launch_is_chance() -> None:
    wait = np.concatenate([halo(late)[:1] for late in (3, 3, 40)])
    assert late_rank(np.ones((1, 64)), wait, least=0.5) is None
    assert late_rank(np.ones((1, 64)), np.concatenate([wait[:1], wait[:1], wait[:1], wait[2:]]), least=0.5) is not None


def test_three_ranks_leave_open_no_more_who_is_normal() -> None:
    late = late_rank(np.ones((1, 3)), np.array([6.0, 6.1, 2.0]), least=0.5)
    assert late is not None and late.index == 2 and late.waited == pytest.approx(4.05)


def test_a_ring_of_six_has_a_late_rank_and_a_ring_of_five_has_none() -> None:
    """Both ranks beside the late rank wait 5 for it, others for nothing: of five ranks half of the others would wait."""
    late = late_rank(np.ones((1, 6)), np.array([0.0, 5.0, 0.0, 0.0, 0.0, 5.0]), least=0.5)
    assert late is not None and (late.index, late.waited) == (0, 5.0)
    assert late_rank(np.ones((1, 5)), np.array([0.0, 5.0, 0.0, 0.0, 5.0]), least=0.5) is None
