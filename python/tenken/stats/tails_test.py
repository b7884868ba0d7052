from __future__ import annotations

from math import erfc, inf, lgamma, log, pi, sqrt

import numpy as np
import pytest

from tenken.stats.tails import digamma, t_quantile, t_tail, trigamma, trigamma_inverse

EULER = 0.5772156649015329


@pytest.mark.parametrize(
    ("tail", "df", "t"),
    [
        (0.05, 1, 6.3138), (0.025, 2, 4.3027), (0.005, 5, 4.0321), (0.0005, 10, 4.5869), (0.025, 4, 2.7764),
        (0.01, 30, 2.4573), (0.1, 3, 1.6377), (0.005, 120, 2.6174), (0.025, inf, 1.95996), (0.0005, inf, 3.2905),
    ],
)  # fmt: skip
def test_quantiles_of_the_tables(tail: float, df: float, t: float) -> None:
    """Fisher and Yates, Statistical Tables, table III."""
    assert t_quantile(tail, df) == pytest.approx(t, abs=6e-5)
    assert t_tail(t, df) == pytest.approx(tail, rel=3e-4)


def test_closed_forms() -> None:
    t = np.array([0.1, 1.0, 4.0, 60.0])
    np.testing.assert_allclose(t_tail(t, 1), 0.5 - np.arctan(t) / pi, rtol=1e-6)
    np.testing.assert_allclose(t_tail(t, 2), 0.5 - t / (2 * np.sqrt(2 + t**2)), rtol=1e-6)
    np.testing.assert_allclose(t_tail(t[:3], inf), [0.5 * erfc(x / sqrt(2)) for x in t[:3]], rtol=1e-5)  # infinity is 1e7
    np.testing.assert_allclose(t_tail(-t, 2), 1 - t_tail(t, 2), rtol=1e-12)


def test_fractions_of_a_degree_of_freedom_lie_between() -> None:
    below, at, above = t_quantile(1e-4, [2.0, 2.5, 3.0])
    assert below > at > above
    assert t_tail(t_quantile(1e-4, 2.5), 2.5) == pytest.approx(1e-4, rel=1e-7)


def test_many_at_once_are_as_one_by_one() -> None:
    tails, df = np.array([[1e-5], [0.1]]), np.array([2.0, 7.5, 1e9])
    together = t_quantile(tails, df)
    alone = [[float(t_quantile(tail[0], one)) for one in df] for tail in tails]
    np.testing.assert_allclose(together, alone, rtol=1e-9)


def test_gamma_family_at_known_points() -> None:
    np.testing.assert_allclose(digamma([1.0, 0.5, 2.0]), [-EULER, -EULER - 2 * log(2), 1 - EULER], rtol=1e-8)
    np.testing.assert_allclose(trigamma([1.0, 0.5, 2.0]), [pi**2 / 6, pi**2 / 2, pi**2 / 6 - 1], rtol=1e-8)
    np.testing.assert_allclose(trigamma_inverse(trigamma([0.1, 1.0, 30.0])), [0.1, 1.0, 30.0], rtol=1e-6)
    slope = (lgamma(3.7 + 1e-5) - lgamma(3.7 - 1e-5)) / 2e-5
    assert digamma(3.7) == pytest.approx(slope, rel=1e-8)
