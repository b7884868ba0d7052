from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.late import Group, group_of, late_rank, slow_together


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
