from __future__ import annotations

import numpy as np

from tenken.stats.votes import middle, quantile

NAN = float("nan")


def test_with_equal_votes_it_is_the_median() -> None:
    chance = np.random.default_rng(1)
    for count in (1, 2, 5, 12, 40):
        values = chance.normal(size=(50, count))
        np.testing.assert_allclose(middle(values, np.ones(count)), np.median(values, axis=-1))
        np.testing.assert_allclose(middle(values, np.full(count, 1 / 3)), np.median(values, axis=-1))


def test_votes_decide_and_not_numbers() -> None:
    """Nine figures of one case and one of each of two others: three votes, of which two say 0."""
    values = np.array([1.0] * 9 + [0.0, 0.0])
    assert middle(values, np.array([1 / 9] * 9 + [1.0, 1.0])) == 0.0 and middle(values, np.ones(11)) == 1.0
    assert middle(np.array([1.0, 1.0, 0.0]), np.array([0.5, 0.5, 1.0])) == 0.5  # met exactly: between both


def test_what_is_unknown_does_not_vote() -> None:
    values = np.array([[NAN, 3.0, 1.0, 2.0], [NAN, NAN, NAN, 4.0], [NAN] * 4])
    np.testing.assert_array_equal(middle(values, np.ones(4)), [2.0, 4.0, NAN])


def test_quantiles() -> None:
    values = np.arange(40.0)
    assert quantile(values, np.ones(40), 0.1) == 3.5 and quantile(values, np.ones(40), 0.09) == 3.0
    heavy = np.ones(40)
    heavy[0] = 10.0
    assert quantile(values, heavy, 0.1) == 0.0
