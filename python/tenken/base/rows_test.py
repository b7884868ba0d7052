"""Figures of many rows at once against the plain functions of `stats`, row by row."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from tenken.base.rows import medians, of_rows, sigma
from tenken.stats import robust
from tenken.stats.bounds import visible_excess


def samples(rows: int, repetitions: int, seed: int = 1) -> np.ndarray:
    """Noise, with interrupted samples, a wave, and a row of equal ones."""
    random = np.random.default_rng(seed)
    ns = 1e5 * (1 + 0.01 * random.standard_normal((rows, repetitions)))
    ns[random.random(ns.shape) < 0.03] *= 2
    ns[0] += 5e3 * np.sin(np.arange(repetitions) / 3)
    ns[-1] = 7e4
    return np.round(ns)


@pytest.mark.parametrize("repetitions", [1, 2, 3, 4, 9, 100])
def test_every_figure_is_that_of_its_plain_twin(repetitions: int) -> None:
    ns = samples(20, repetitions)
    found = of_rows(ns)
    for row, own in enumerate(ns):
        low, high = robust.quantiles(own, (0.1, 0.9))
        expected = {
            "count": repetitions, "sum": own.sum(), "median": robust.median(own), "mad": robust.mad(own), "least": own.min(),
            "low": low, "high": high, "outlying": visible_excess(own).sum(), "memory": robust.lag1_autocorrelation(own),
            "loss": robust.spread(own).loss,
        }
        for name, value in expected.items():
            assert getattr(found, name)[row] == pytest.approx(value, rel=1e-9, abs=1e-9), name
        assert sigma(found.mad, found.count)[row] == pytest.approx(robust.mad_sigma(own))


def test_times_of_nothing_have_no_loss_and_no_memory() -> None:
    found = of_rows(np.zeros((2, 5)))
    assert found.loss.tolist() == [0, 0] and found.memory.tolist() == [0, 0]


@pytest.mark.parametrize("shape", [(7,), (1,), (4, 6), (5, 9), (3, 2, 8)])
def test_medians_are_those_of_numpy(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(3)
    values = random.standard_normal(shape)
    assert np.array_equal(medians(values), np.median(values, axis=-1))
    values[random.random(shape) < 0.3] = np.nan
    values.flat[0] = 1.0  # some row has a number
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of rows that have none
        expected = np.nanmedian(values, axis=-1)
    assert np.array_equal(medians(values), expected, equal_nan=True)
    assert np.isnan(medians(np.full(shape, np.nan))).all()
