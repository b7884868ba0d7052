from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenken.base.rows import of_rows
from tenken.stats import bounds
from tenken.stats.bounds import (
    least_jitter, least_median, least_medians, most_hidden, outliers, stretched, uninterrupted, visible_excess,
)
from tenken.stats.robust import median, spread

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


@settings(max_examples=300)
@given(undisturbed=TIMES, seed=st.integers(0, 2**32 - 1), lost=st.floats(0.0, 50.0))
def test_no_way_to_add_a_loss_hides_more(undisturbed: list[float], seed: int, lost: float) -> None:
    """Whatever was added, in all `lost`, the bounds hold the median and the jitter that there were."""
    chance = np.random.default_rng(seed)
    parts = chance.dirichlet(np.full(len(undisturbed), chance.choice([0.05, 1.0, 50.0]))) * lost
    disturbed = np.array(undisturbed) + parts
    assert least_median(disturbed, lost) <= median(undisturbed) + 1e-9
    assert median(undisturbed) <= median(disturbed) + 1e-9
    assert least_jitter(disturbed, lost) <= spread(undisturbed).jitter + 1e-9


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


def plain_uninterrupted(samples: np.ndarray, lost: float, rounding: float) -> np.ndarray:
    """The cheapest outliers, one after the other as long as the loss pays for them, are as fast as the fastest."""
    excess, found, left = visible_excess(samples), samples.copy(), (1 + rounding) * lost
    for place in np.argsort(excess):
        if excess[place] > 0 and excess[place] <= left:
            found[place] = samples.min()
            left -= excess[place]
    return found


def rows_and_losses(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    repetitions = int(random.integers(1, 40))
    rows = 1000 * (1 + 0.05 * np.abs(random.standard_normal((30, repetitions))))
    rows[random.random(rows.shape) < 0.1] *= random.uniform(1.05, 4)
    lost = random.uniform(0, 3000, 30) * (random.random(30) < 0.8)
    return rows, lost, lost * random.random(30)


@pytest.mark.parametrize("seed", range(20))
def test_many_rows_at_once_are_what_each_is_alone(seed: int) -> None:
    rows, lost, hidden = rows_and_losses(seed)
    whole = uninterrupted(outliers(rows), lost, 0.01)
    assert np.allclose(whole, [plain_uninterrupted(row, one, 0.01) for row, one in zip(rows, lost, strict=True)])
    assert np.allclose(least_medians(whole, hidden), [least_median(row, one) for row, one in zip(whole, hidden, strict=True)])


@pytest.mark.parametrize("seed", range(20))
def test_figures_of_a_row_bound_what_may_hide_in_its_median(seed: int) -> None:
    rows, lost, hidden = rows_and_losses(seed)
    exact = np.median(rows, axis=1) - least_medians(uninterrupted(outliers(rows), lost, 0.01), hidden)
    bound = most_hidden(of_rows(rows), hidden, lost)
    assert (bound >= np.where(lost > 0, exact, 0) - 1e-9).all()
    assert (bound[lost == 0] == 0).all() and (bound <= np.median(rows, axis=1)).all()
    quiet = most_hidden(of_rows(rows), np.full(30, 1e-3), np.full(30, 1e-3))
    assert (quiet <= 1e-3).all()  # what was lost is no more than that


def test_what_is_stretched_is_no_longer_than_its_part_allows() -> None:
    samples = np.array([[10.0, 10.0, 12.0, 40.0, 10.0, 9.0], [10.0, 10.0, 12.0, 40.0, 10.0, np.nan]])
    assert stretched(samples, np.array([0.6, 0.6])).tolist() == pytest.approx([2 + 15, 2 + 15])  # 10 becomes 25 at most
    assert stretched(samples, np.array([0.0, 1.0])).tolist() == [0.0, 2 + 30]
    chance = np.random.default_rng(2)
    alone = chance.uniform(0.9, 1.0, (1, 40))
    for _ in range(20):
        part = chance.uniform(0, 0.7, alone.shape) * (chance.random(alone.shape) < 0.4)
        met = alone / (1 - part)
        assert met.sum() - alone.sum() <= stretched(met, part.max(axis=1))[0] + 0.1 * 40, "but for what repetitions differ"


def lowered(window: np.ndarray, lost: float) -> float:
    """The level that the top of a window sinks to, by bisection."""
    low, high = 0.0, float(window.max())
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(window - middle, 0.0, None).sum() > lost else (low, middle)
    return high


@pytest.mark.parametrize("at_once", [1, 40, 1 << 18])
def test_the_least_jitter_is_that_of_its_windows_one_by_one(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_AT_ONCE", at_once)
    chance = np.random.default_rng(5)
    for size, lost in ((1, 0.5), (2, 0.5), (9, 0.0), (10, 3.0), (31, 2.0)):
        samples = np.sort(chance.uniform(1, 3, size))
        wanted = (size + 1) // 2
        ratios = [max(lowered(samples[start:start + wanted], lost), samples[start]) / samples[start]
                  for start in range(size - wanted + 1)]
        assert least_jitter(samples, lost) == pytest.approx(min((one - 1) / (one + 1) for one in ratios), abs=1e-12)
    assert least_jitter(np.zeros(5), 1.0) == 0.0
