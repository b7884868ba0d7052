from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.interval import median_interval


@pytest.mark.parametrize(
    ("n", "pair"), [(6, (1, 6)), (8, (1, 8)), (9, (2, 8)), (10, (2, 9)), (20, (6, 15)), (100, (40, 61))]
)
def test_order_statistics_of_the_tables(n: int, pair: tuple[int, int]) -> None:
    """Conover, Practical Nonparametric Statistics, table of confidence limits for the median at 95 %."""
    assert median_interval(range(1, n + 1)) == pair


def test_too_few_samples_prove_nothing() -> None:
    assert median_interval([1, 2, 3, 4, 5]) is None
    assert median_interval([1.0]) is None


def test_it_holds_the_median_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    for n in (15, 400):
        held = 0
        for _ in range(600):
            interval = median_interval(rng.exponential(1.0, n))
            assert interval is not None
            held += interval[0] <= np.log(2) <= interval[1]
        assert 0.92 < held / 600 < 0.99


def test_very_many_samples() -> None:
    low, high = median_interval(range(10_001))  # type: ignore[misc]
    assert 4880 < low < 5000 < high < 5120
