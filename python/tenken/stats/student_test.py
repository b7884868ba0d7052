"""Against the printed tables (E. S. Pearson and H. O. Hartley, Biometrika Tables, table 12) and the normal limit."""

from __future__ import annotations

from statistics import NormalDist

import pytest

from tenken.stats.tails import student_limit


@pytest.mark.parametrize(
    ("alpha", "freedom", "expected"),
    [(0.05, 5, 2.015), (0.01, 10, 2.764), (0.0005, 10, 4.587), (0.0005, 3, 12.924), (0.025, 30, 2.042), (0.4, 7, 0.263)],
)
def test_it_agrees_with_the_tables(alpha: float, freedom: float, expected: float) -> None:
    assert student_limit(alpha, freedom) == pytest.approx(expected, rel=2e-3)


def test_many_degrees_of_freedom_are_a_normal_and_few_ask_for_more() -> None:
    normal = -NormalDist().inv_cdf(1e-7)
    assert student_limit(1e-7, 1e7) == pytest.approx(normal, rel=1e-5)
    assert student_limit(1e-7, 8) > student_limit(1e-7, 20) > student_limit(1e-7, 100) > normal
