from __future__ import annotations

import numpy as np
import pytest

from tenken.stats import shape
from tenken.stats.tails import log_density, t_quantile

ALIKE = np.zeros(40, dtype=np.int64)


def learnt(values: np.ndarray) -> np.ndarray:
    """ln of what unchanged quantities exceed, of `values` (..., quantities, sittings) of standard deviation 1."""
    residuals = values - values.mean(axis=-1, keepdims=True)
    count = values.shape[-1]
    ones = np.ones(values.shape[:-1])
    found = shape.strays(residuals, ones, np.full(values.shape[:-1], 1e6), np.full(values.shape[:-1], 1e-9))
    return shape.exceeded(found, residuals, ones * (count - 1), ALIKE)[..., 0, :]


def test_density_integrates_to_one_and_is_the_slope_of_the_tail() -> None:
    t = np.linspace(-400, 400, 800_001)
    for freedom in (2.0, 2.5, 6.0, np.inf):
        assert np.exp(log_density(t, freedom)).sum() * 1e-3 == pytest.approx(1.0, abs=1e-4)
    assert log_density(0.0, np.inf) == pytest.approx(-0.5 * np.log(2 * np.pi))


def test_a_stray_is_held_against_the_others_alone() -> None:
    """Sittings 0, 0, 0, 4 and a variance of 4 worth 7: the last is 4 away from the others, which scatter by nothing.

    The sum of squares is 28, 12 of these and 16 of alike quantities, so without the last 16 over 6; 4/3 of it for a new one.
    """
    residuals = np.array([[-1.0, -1.0, -1.0, 3.0]])
    found = shape.strays(residuals, np.array([4.0]), np.array([7.0]), np.array([0.0]))
    assert found[0, 3] == pytest.approx(4.0 / np.sqrt(16 / 6 * 4 / 3))
    floored = shape.strays(residuals, np.array([4.0]), np.array([7.0]), np.array([10.0]))
    assert floored[0, 3] == pytest.approx(4.0 / np.sqrt(100 * 4 / 3))
    two = np.array([[-1.0, 1.0, np.nan, np.nan]])
    assert np.isnan(shape.strays(two, np.array([4.0]), np.array([7.0]), np.array([0.0]))).all()


def test_normal_noise_is_found_normal_and_heavy_tails_heavy() -> None:
    chance = np.random.default_rng(1)
    level = np.log(1e-4)
    for freedom in (np.inf, 4.0, 2.5):
        noise = chance.standard_normal((100, 40, 10)) if freedom == np.inf else chance.standard_t(freedom, (100, 40, 10))
        exceeded = np.exp([np.interp(level, np.log(shape.LEVELS[::-1]), one[::-1]) for one in learnt(noise)])
        expected = float(t_quantile(1e-4, freedom))
        assert np.median(exceeded) == pytest.approx(expected, rel=0.2 if freedom == np.inf else 0.35)


def test_few_strays_leave_heavy_tails_possible_and_many_rule_them_out() -> None:
    chance = np.random.default_rng(2)
    few, many = (np.median(learnt(chance.standard_normal((50, 40, count))), axis=0) for count in (3, 30))
    assert (few > many)[shape.LEVELS <= 1e-3].all()
    np.testing.assert_allclose(np.exp(many[:6]), t_quantile(shape.LEVELS[:6], np.inf), rtol=0.1)


def test_between_levels_and_without_any() -> None:
    levels = np.log(np.broadcast_to(t_quantile(shape.LEVELS, 5.0), (3, shape.LEVELS.size))).copy()
    levels[2] = -np.inf
    tail = np.array([1e-3, 5e-3, 1e-4])
    np.testing.assert_allclose(shape.at(levels, tail), [*t_quantile(tail[:2], 5.0), 0.0], rtol=0.01)


def test_too_few_strays_have_no_shape() -> None:
    residuals = np.random.default_rng(3).normal(size=(4, 4))  # 16 of the 20 that it takes
    found = shape.exceeded(residuals, residuals, np.full(4, 3.0), np.zeros(4, dtype=np.int64))
    assert (found == -np.inf).all()
