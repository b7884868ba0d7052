from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.nested import common_shift, launch_sigma, mean, median_variance, middle, polish, slow_sittings

NAN = float("nan")


def test_middle_and_mean_pass_over_what_is_unknown() -> None:
    values = np.array([[3.0, NAN, 1.0, 2.0], [4.0, NAN, NAN, 1.0], [NAN] * 4])
    np.testing.assert_array_equal(middle(values), [2.0, 2.5, NAN])
    np.testing.assert_array_equal(mean(values), [2.0, 2.5, NAN])
    np.testing.assert_array_equal(middle(values, axis=0), [3.5, NAN, 1.0, 1.5])


def test_variance_of_a_median() -> None:
    """Exact: 1, 0.5, 0.4487, 0.2868 for n = 1, 2, 3, 5 (David and Nagaraja, Order Statistics, table of moments)."""
    assert median_variance(1) == 1.0
    np.testing.assert_allclose(median_variance([3, 5]), [0.4487, 0.2868], rtol=0.03)
    assert 0.5 < median_variance(2) < 0.62
    assert median_variance(1000) == pytest.approx(np.pi / 2000, rel=1e-3)


def test_launch_sigma_is_the_same_for_two_and_for_many_launches() -> None:
    chance = np.random.default_rng(1)
    for launches in (2, 3, 5):
        values = chance.normal(5.0, 0.02, (400, 12, launches)) + chance.normal(0, 3.0, (400, 12, 1))
        assert np.mean(launch_sigma(values)) == pytest.approx(0.02, rel=0.05)
    assert launch_sigma(np.ones((2, 5, 1))).tolist() == [0.0, 0.0]
    half_known = np.array([[[1.0, 1.2, NAN], [NAN, NAN, NAN], [2.0, NAN, NAN]]])
    assert launch_sigma(half_known)[0] == pytest.approx(0.2 * 1.4826 / np.sqrt(2))


def test_the_common_shift_leaves_out_what_moved_by_itself() -> None:
    sittings = np.array([[1.1, 1.0], [2.1, 2.0], [3.1, 3.0], [9.0, 4.0], [5.1, NAN]])
    np.testing.assert_allclose(common_shift(sittings, np.arange(1.0, 6.0)), [0.1, 0.0])


def test_polish_takes_rows_and_columns_apart() -> None:
    rows, columns = np.array([1.0, 5.0, -2.0, 0.5, 3.0]), np.array([0.0, 0.2, -0.1])
    centre, shift = polish(rows[:, None] + columns)
    np.testing.assert_allclose(shift, columns, atol=1e-12)
    np.testing.assert_allclose(centre, rows, atol=1e-12)


def test_a_slow_sitting_is_left_out_as_long_as_enough_remain() -> None:
    shift = np.array([0.0, 0.01, -0.01, 0.15, 0.005])
    assert slow_sittings(shift, 0.03, 3).tolist() == [False, False, False, True, False]
    assert not slow_sittings(shift, 0.2, 3).any()  # not far enough to matter
    assert not slow_sittings(shift, 0.03, 5).any()
    assert not slow_sittings(np.array([-0.1, 0.0, 0.1, 0.05]), 0.03, 2).any()  # a wide spread is ordinary here
