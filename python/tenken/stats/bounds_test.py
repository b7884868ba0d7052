from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenken.stats.bounds import least_jitter, least_median, visible_excess
from tenken.stats.robust import jitter, median

TIMES = st.lists(st.floats(1.0, 100.0), min_size=1, max_size=15)


@pytest.mark.parametrize(
    ("samples", "lost", "least"),
    [
        ([5.0], 2.0, 3.0),  # a single repetition: all may have been lost in it
        ([5.0], 9.0, 0.0),
        ([4.0, 4.0, 4.0], 2.0, 3.0),  # two of three lowered by 1
        ([1.0, 4.0, 9.0], 2.0, 2.0),  # only the middle one need fall
        ([1.0, 4.0, 9.0], 0.0, 4.0),
        ([1.0, 1.0, 10.0, 10.0], 1.0, 5.0),
        ([2.0] * 100, 51.0, 1.0),
    ],
)
def test_the_least_median_by_hand(samples: list[float], lost: float, least: float) -> None:
    assert least_median(samples, lost) == pytest.approx(least)


@settings(max_examples=300, deadline=None)
@given(undisturbed=TIMES, seed=st.integers(0, 2**32 - 1), lost=st.floats(0.0, 50.0))
def test_no_way_to_add_a_loss_hides_more(undisturbed: list[float], seed: int, lost: float) -> None:
    """Whatever was added, in all `lost`, the bounds hold the median and the jitter that there were."""
    chance = np.random.default_rng(seed)
    parts = chance.dirichlet(np.full(len(undisturbed), chance.choice([0.05, 1.0, 50.0]))) * lost
    disturbed = np.array(undisturbed) + parts
    assert least_median(disturbed, lost) <= median(undisturbed) + 1e-9
    assert median(undisturbed) <= median(disturbed) + 1e-9
    assert least_jitter(disturbed, lost) <= jitter(undisturbed) + 1e-9


def test_the_least_jitter_is_that_of_the_samples_where_nothing_was_lost() -> None:
    assert least_jitter([0.8, 1.2, 1.0] * 8, 0.0) <= 0.2
    assert least_jitter([1.0, 1.0, 3.0, 3.0, 3.0], 6.0) == 0.0
    assert least_jitter([1.0, 2.0, 4.0], 0.0) == pytest.approx(1 / 3)  # 1 and 2 around 1.5


def test_only_outliers_are_visible() -> None:
    noise = 1 + 0.01 * np.sin(np.arange(40.0))
    assert not visible_excess(noise).any()
    noise[7] += 5
    assert visible_excess(noise).sum() == pytest.approx(5, rel=0.01) and np.flatnonzero(visible_excess(noise)).tolist() == [7]
    assert visible_excess(np.zeros((2, 0))).shape == (2, 0)
    assert visible_excess([1.0, 3.0]).tolist() == [0.0, 0.0]  # of two nobody can say which is the outlier
