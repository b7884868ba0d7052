from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.nested import independent, moderate, prior
from tenken.stats.tails import digamma, trigamma

SAME = np.zeros(200, dtype=np.int64)


def residuals(sigmas: np.ndarray, sittings: int, seed: int) -> np.ndarray:
    values = np.random.default_rng(seed).normal(0, 1.0, (len(sigmas), sittings)) * sigmas[:, None]
    return values - values.mean(axis=1, keepdims=True)


def test_the_prior_of_equal_variances_is_sharp_and_right() -> None:
    r = residuals(np.full(200, 0.02), 4, 1)
    d0, common = prior((r**2).sum(axis=1) / 3, np.full(200, 3.0), SAME)
    assert d0 > 15 and np.sqrt(common[0]) == pytest.approx(0.02, rel=0.06)


def test_the_prior_of_scattered_variances_is_recovered() -> None:
    """Variances drawn as d0 s0^2/chi^2(d0) with d0 = 4, s0 = 0.03, as Smyth's model has them."""
    chance = np.random.default_rng(2)
    true = 0.03**2 * 4 / chance.chisquare(4, 4000)
    observed = true * chance.chisquare(5, 4000) / 5
    d0, common = prior(observed, np.full(4000, 5.0), np.zeros(4000, dtype=np.int64))
    assert d0 == pytest.approx(4.0, rel=0.15) and np.sqrt(common[0]) == pytest.approx(0.03, rel=0.03)


def test_every_group_has_a_centre_of_its_own() -> None:
    group = np.repeat([0, 1], 100)
    r = residuals(np.where(group == 0, 0.01, 0.1), 4, 3)
    d0, common = prior((r**2).sum(axis=1) / 3, np.full(200, 3.0), group)
    assert np.sqrt(common[[0, 199]]) == pytest.approx([0.01, 0.1], rel=0.1) and d0 > 10


def test_a_hand_computed_prior_of_groups() -> None:
    """ln s^2 of twenty pairs is 3 above and 3 below the centre of each pair: squares of 9, 40 of them over 40 - 20 degrees."""
    group = np.repeat(np.arange(20), 2)
    logs = np.repeat(np.linspace(-2, 2, 20), 2) + np.tile([3.0, -3.0], 20)
    d0, common = prior(np.exp(logs), np.full(40, 2.0), group)
    assert trigamma(d0 / 2) == pytest.approx(9 * 40 / 20 - trigamma(1.0), rel=1e-9)
    shift = 0.5772156649 + digamma(d0 / 2) - np.log(d0 / 2)
    np.testing.assert_allclose(np.log(common), np.repeat(np.linspace(-2, 2, 20), 2) + shift, rtol=1e-6)


def test_a_hand_computed_moderation() -> None:
    """Two degrees of freedom each, s^2 = 1, 4, 1, 4, ...: e = ln s^2 - psi(1) + ln 1, its spread (ln 2)^2 x 200/199 is less
    than psi'(1) = 1.645, so the prior is sharp: every variance becomes exp(mean e) = 2 exp(0.5772) = 3.5621."""
    row = np.array([1.0, -1.0, 0.0])
    r = np.where(np.arange(200)[:, None] % 2, 2.0, 1.0) * row
    variance, df = moderate(r, np.full(200, 2.0), SAME)
    np.testing.assert_allclose(variance, 3.5621, rtol=2e-3)
    assert (df > 1000).all()  # a sharp prior is worth more than any row


def test_how_many_quantities_rows_are_worth() -> None:
    chance = np.random.default_rng(4)
    alone = chance.normal(0, 1, (40, 10))
    alone -= alone.mean(axis=1, keepdims=True)
    df = np.full(40, 9.0)
    assert independent(alone, df) > 20
    assert independent(np.tile(alone[:1], (40, 1)), df) == pytest.approx(1.0)
    pairs = np.repeat(alone[:20], 2, axis=0)
    assert 12 < independent(pairs, df) < 30


def test_residuals_that_are_rounding_count_as_none() -> None:
    """A quantity that is the median in each of three sittings has residuals 0, or 1e-17: that depends on the processor."""
    r, df = residuals(np.full(40, 0.02), 3, 6), np.full(40, 2.0)
    none, rounding = r.copy(), r.copy()
    none[7], rounding[7] = 0.0, [1e-17, -2e-17, 1e-17]
    for one, other in zip(moderate(none, df, SAME[:40]), moderate(rounding, df, SAME[:40]), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
    assert independent(none, df) == pytest.approx(independent(rounding, df), rel=1e-9)


def test_rows_without_evidence_take_the_prior() -> None:
    r = residuals(np.full(200, 0.02), 4, 5)
    r[7] = np.nan
    df = np.full(200, 3.0)
    df[7] = 0.0
    variance, freedom = moderate(r, df, SAME)
    assert np.sqrt(variance[7]) == pytest.approx(0.02, rel=0.1) and np.isfinite(freedom[7])
