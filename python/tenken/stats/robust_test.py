from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenken.stats import robust
from tenken.stats.interval import median_interval

FROZEN = [1.0, 2.0, 3.0, 4.0, 100.0]
# ns of a dot product in 75 iterations of a solver, on two cores that others used too
REAL = [
    30477, 32661, 63739, 33322, 33934, 33913, 43621, 28483, 31349, 35877, 89727, 33563, 34625, 40305, 41367, 90068, 39163, 34034,
    35196, 40516, 40245, 32190, 51907, 44252, 41648, 33262, 56746, 31118, 35045, 44212, 34735, 32450, 38352, 28954, 37590, 31669,
    33462, 33683, 29365, 31218, 37009, 43611, 34214, 43221, 33563, 31859, 33242, 35386, 32701, 32861, 70622, 31729, 34334, 32050,
    31599, 36268, 44373, 41347, 39794, 36418, 36909, 38091, 37750, 34515, 40105, 37750, 38682, 33493, 37580, 39624, 41568, 44052,
    40616, 42259, 40806,
]
times = st.lists(st.floats(1e-3, 1e6), min_size=2, max_size=40)


def test_frozen_values() -> None:
    assert robust.median(FROZEN) == 3.0
    assert robust.mad(FROZEN) == 1.0
    assert robust.mad_sigma(FROZEN) == pytest.approx(1.4826 * 5 / 4.2)
    assert robust.quantiles(FROZEN, (0.0, 0.25, 1.0)) == (1.0, 2.0, 100.0)
    assert robust.spread(FROZEN).loss == pytest.approx(110 / 15 - 1)
    assert robust.spread(FROZEN).jitter == pytest.approx(1 / 3)
    assert robust.imbalance([1.0, 1.0, 1.0, 2.0]) == pytest.approx(1.6)


def test_real_samples() -> None:
    """Expected values by Python's `statistics`; the standard deviation, 11045, is that of four interrupts."""
    assert robust.median(REAL) == 36268 and robust.mad(REAL) == 3818
    assert robust.mad_sigma(REAL) == pytest.approx(5721.6, abs=0.1)
    assert robust.quantiles(REAL, (0.25, 0.5, 0.75)) == (33292.0, 36268.0, 40711.0)
    seen = robust.spread(REAL)
    assert seen.loss == pytest.approx(0.07645, abs=1e-5) and seen.jitter == pytest.approx(0.10527, abs=1e-5)
    assert robust.lag1_autocorrelation(REAL) == pytest.approx(-0.03353, abs=1e-5)
    assert median_interval(REAL) == (34214.0, 38352.0)


def test_zeros_give_no_division() -> None:
    assert robust.spread([0.0, 0.0]).loss == 0.0
    assert robust.spread([0.0, 0.0]).jitter == 0.0
    assert robust.imbalance([0.0, 0.0]) == 1.0
    assert robust.mad_sigma([5.0]) == 0.0


@given(times, st.floats(1e-3, 1e3))
def test_ratios_do_not_depend_on_the_unit(samples: list[float], scale: float) -> None:
    scaled = [x * scale for x in samples]
    ratios = (lambda x: robust.spread(x).loss, lambda x: robust.spread(x).jitter, robust.imbalance)
    for ratio in ratios:
        assert ratio(scaled) == pytest.approx(ratio(samples), rel=1e-6, abs=1e-9)
    assert robust.mad(scaled) == pytest.approx(scale * robust.mad(samples), rel=1e-6, abs=1e-6)


@given(times)
def test_imbalance_is_at_least_one_and_at_most_the_number_of_ranks(samples: list[float]) -> None:
    assert 1.0 - 1e-12 <= robust.imbalance(samples) <= len(samples) + 1e-9


def test_mad_sigma_estimates_a_standard_deviation_without_small_sample_bias() -> None:
    noise = np.random.default_rng(1).normal(0, 3.0, (4000, 15))
    assert np.mean([robust.mad_sigma(row) for row in noise]) == pytest.approx(3.0, rel=0.02)


def test_residuals_that_a_fit_made_zero_do_not_count() -> None:
    assert robust.residual_sigma([0.0, 0.0, -1.0, 2.0, 3.0], 3) == pytest.approx(1.4826 * 2.0)
    assert robust.residual_sigma([0.5, -0.1], 4) == pytest.approx(1.4826 * 0.5)
    assert robust.residual_sigma([-3.0], 1) == pytest.approx(1.4826 * 3.0)


def test_autocorrelation_of_a_known_series() -> None:
    rng = np.random.default_rng(2)
    series = np.zeros(20000)
    for i in range(1, series.size):
        series[i] = 0.6 * series[i - 1] + rng.normal()
    assert robust.lag1_autocorrelation(series) == pytest.approx(0.6, abs=0.03)
    series[5000] = 1e6  # one interrupt hides nothing
    assert robust.lag1_autocorrelation(series) == pytest.approx(0.6, abs=0.03)
    assert robust.lag1_autocorrelation([1.0, 2.0]) == 0.0
    assert robust.lag1_autocorrelation([2.0, 2.0, 2.0]) == 0.0


def test_the_median_is_that_of_numpy() -> None:
    random = np.random.default_rng(4)
    for size in (*range(1, 8), 100, 101):
        values = random.standard_normal(size)
        assert robust.median(values) == np.median(values)
    assert np.isnan(robust.median([1.0, float("nan"), 2.0]))
