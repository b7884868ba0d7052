"""Groups planted into tables of times are found; noise, one slow pair and one slow end are no groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenken.stats.clusters import expected, levels
from tenken.stats.space import Array


def planted(sizes: tuple[int, ...], steps: tuple[float, ...], noise: float = 0.02, seed: int = 0) -> Array:
    """Times of nested groups: `sizes` of a group at each level, the last one of everything; `steps` the times."""
    n = sizes[-1]
    times = np.full((n, n), steps[-1])
    for size, step in reversed(list(zip(sizes, steps, strict=True))):
        for start in range(0, n, size):
            times[start : start + size, start : start + size] = step
    scatter = np.triu(np.random.default_rng(seed).normal(0, noise, (n, n)), 1)
    times = times * np.exp(scatter + scatter.T)
    np.fill_diagonal(times, np.nan)
    return times


def test_sockets_caches_and_cores_of_64_processors_are_found() -> None:
    found = levels(planted((2, 8, 32, 64), (20, 60, 110, 240)))
    assert [len(one.groups) for one in found] == [32, 8, 2, 1]
    assert [len(one.groups[0]) for one in found] == [2, 8, 32, 64]
    assert [round(one.inside, -1) for one in found[:2]] == [20, 60]


@settings(max_examples=40)
@given(order=st.permutations(range(16)), noise=st.floats(0, 0.02), seed=st.integers(0, 99))
def test_groups_do_not_depend_on_the_numbers_of_their_members(order: list[int], noise: float, seed: int) -> None:
    times = planted((4, 16), (50, 100), noise, seed)
    found = levels(times[np.ix_(order, order)])
    assert len(found) == 2
    groups = {frozenset(order[i] for i in group) for group in found[0].groups}
    assert groups == {frozenset(range(start, start + 4)) for start in range(0, 16, 4)}


@pytest.mark.parametrize("seed", range(5))
def test_noise_alone_is_one_group(seed: int) -> None:
    found = levels(planted((24,), (80,), 0.03, seed))
    assert len(found) == 1 and found[0].groups == (tuple(range(24)),)


def test_a_slow_pair_is_no_group_and_stays_above_what_is_expected_of_it() -> None:
    times = planted((8, 32), (60, 130))
    times[3, 5] = times[5, 3] = 200
    found = levels(times)
    assert [len(one.groups) for one in found] == [4, 1]
    ratio = times / expected(times, found)
    assert ratio[3, 5] > 3
    ratio[3, 5] = ratio[5, 3] = 1
    assert np.nanmax(ratio) < 1.2


def test_pairs_that_never_met_and_the_smallest_tables() -> None:
    times = planted((8, 16), (60, 130))
    times[0, 9] = times[9, 0] = np.nan
    assert [len(one.groups) for one in levels(times)] == [2, 1]
    assert len(levels(planted((2,), (50,)))) == 1
    assert levels(np.full((3, 3), np.nan)) == ()
