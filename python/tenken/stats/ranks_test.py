from __future__ import annotations

from hypothesis import given, strategies as st
import numpy as np
import pytest

from tenken.stats.robust import imbalance
from tenken.stats.space import imbalance_limit, noise_limit

ALPHA = 0.05


def exceeding(ranks: int, n: int, memory: float, trials: int, seed: int) -> float:
    """Fraction of simulated launches of equal ranks whose imbalance is above the limit."""
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(trials):
        noise = rng.normal(0, 1.0, (ranks, n))
        for i in range(1, n):
            noise[:, i] = memory * noise[:, i - 1] + np.sqrt(1 - memory**2) * noise[:, i]
        samples = 1000.0 * (1 + 0.05 * noise)
        hits += imbalance(np.median(samples, axis=1)) > imbalance_limit(samples, ALPHA)
    return hits / trials


@pytest.mark.parametrize(("ranks", "n", "memory"), [(2, 40, 0.0), (4, 60, 0.0), (16, 60, 0.0), (8, 100, 0.5)])
def test_equal_ranks_exceed_the_limit_about_as_often_as_alpha_says(ranks: int, n: int, memory: float) -> None:
    assert 0.004 < exceeding(ranks, n, memory, trials=250, seed=ranks) < 0.12


def test_without_the_autocorrelation_equal_ranks_would_be_accused() -> None:
    rng = np.random.default_rng(3)
    noise = np.cumsum(rng.normal(0, 0.003, (8, 50)), axis=1)  # a slow drift of its own on every rank
    samples = 1000.0 * (1 + noise)
    sigma = float(np.median(np.std(samples, axis=1))) / 1000.0
    assert imbalance_limit(samples, ALPHA) > 2 * (noise_limit(sigma, 50, 8, ALPHA) - 1) + 1


def test_a_planted_slow_rank_is_found() -> None:
    samples = 1000.0 * (1 + 0.05 * np.random.default_rng(4).normal(0, 1, (8, 60)))
    samples[3] *= 1.15
    assert imbalance(np.median(samples, axis=1)) > imbalance_limit(samples, ALPHA)


def test_a_frozen_limit() -> None:
    # 1.2533 x 0.10/sqrt(100) x Phi^-1(0.95^(1/2)) x sqrt(1/2) = 0.012533 x 1.9545 x 0.70711
    assert noise_limit(0.10, 100, 2, 0.05) == pytest.approx(1.01732, abs=2e-5)
    assert noise_limit(0.10, 100, 2, 0.05, autocorrelation=0.6) == pytest.approx(1.03464, abs=4e-5)


def test_nothing_to_compare_means_no_limit_above_one() -> None:
    assert noise_limit(0.1, 10, 1, ALPHA) == 1.0
    assert noise_limit(0.1, 0, 4, ALPHA) == 1.0
    assert imbalance_limit([[1.0, 2.0, 3.0]], ALPHA) == 1.0
    assert imbalance_limit([[0.0, 0.0], [0.0, 0.0]], ALPHA) == 1.0


@given(st.floats(0.001, 0.5), st.integers(2, 500), st.integers(2, 5000))
def test_the_limit_grows_with_ranks_and_noise_and_shrinks_with_samples(sigma: float, n: int, ranks: int) -> None:
    here = noise_limit(sigma, n, ranks, ALPHA)
    assert here > 1.0
    assert noise_limit(sigma, n, ranks + 50, ALPHA) > here
    assert noise_limit(sigma * 1.5, n, ranks, ALPHA) > here
    assert noise_limit(sigma, n * 2, ranks, ALPHA) < here


@given(st.floats(1e-3, 1e3), st.integers(0, 1000))
def test_the_limit_does_not_depend_on_the_unit(scale: float, seed: int) -> None:
    samples = 100.0 + np.random.default_rng(seed).normal(0, 3, (4, 20))
    assert imbalance_limit(samples * scale, ALPHA) == pytest.approx(imbalance_limit(samples, ALPHA), rel=1e-9)
