from __future__ import annotations

from hypothesis import given, strategies as st
import numpy as np

from tenken.stats.nested import agreed, quantile, voted

NAN = float("nan")


def test_with_equal_votes_it_is_the_median() -> None:
    chance = np.random.default_rng(1)
    for count in (1, 2, 5, 12, 40):
        values = chance.normal(size=(50, count))
        np.testing.assert_allclose(voted(values, np.ones(count)), np.median(values, axis=-1))
        np.testing.assert_allclose(voted(values, np.full(count, 1 / 3)), np.median(values, axis=-1))


def test_votes_decide_and_not_numbers() -> None:
    """Nine figures of one case and one of each of two others: three votes, of which two say 0."""
    values = np.array([1.0] * 9 + [0.0, 0.0])
    assert voted(values, np.array([1 / 9] * 9 + [1.0, 1.0])) == 0.0 and voted(values, np.ones(11)) == 1.0
    assert voted(np.array([1.0, 1.0, 0.0]), np.array([0.5, 0.5, 1.0])) == 0.5  # met exactly: between both


def test_what_is_unknown_does_not_vote() -> None:
    values = np.array([[NAN, 3.0, 1.0, 2.0], [NAN, NAN, NAN, 4.0], [NAN] * 4])
    np.testing.assert_array_equal(voted(values, np.ones(4)), [2.0, 4.0, NAN])


def test_quantiles() -> None:
    values = np.arange(40.0)
    assert quantile(values, np.ones(40), 0.1) == 3.5 and quantile(values, np.ones(40), 0.09) == 3.0
    heavy = np.ones(40)
    heavy[0] = 10.0
    assert quantile(values, heavy, 0.1) == 0.0
    unknown = np.array([[2.0, NAN, 1.0, NAN], [NAN, NAN, NAN, NAN]])
    np.testing.assert_array_equal(quantile(unknown, np.ones(4), 1.0), [2.0, NAN])  # all votes: the greatest that is known


def test_a_shift_is_what_more_than_half_of_the_votes_show() -> None:
    tied = np.array([0.0, 0.01, 0.2, 0.3])
    assert agreed(tied, np.ones(4)) == 0.01 and agreed(-tied, np.ones(4)) == -0.01
    assert agreed(np.array([-0.1, 0.2]), np.ones(2)) == 0.0
    assert agreed(np.array([0.0, 0.2, 0.3]), np.ones(3)) == 0.2 and np.isnan(agreed(np.full(3, NAN), np.ones(3)))


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.1, 3)), min_size=1, max_size=12))
def test_a_shift_lies_between_0_and_the_median_and_mirrors(both: list[tuple[float, float]]) -> None:
    values, votes = np.array([one for one, _ in both]), np.array([one for _, one in both])
    found, median = float(agreed(values, votes)), float(voted(values, votes))
    assert abs(found) <= abs(median) + 1e-12 and found * median >= 0
    assert float(agreed(-values, votes)) == -found
