from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.change import apart, explained, unmoved
from tenken.stats.nested import voted

FOUR = np.arange(40) % 4  # classes
ONES = np.ones(40)
NOISE = np.random.default_rng(1).normal(0, 0.015, 40)


def of_day(effect: np.ndarray) -> np.ndarray:
    votes, rest = ONES[: effect.size], voted(effect, ONES[: effect.size])
    return explained(effect, rest, unmoved(effect, rest, np.asarray(0.015), votes), votes, FOUR[-effect.size:])


def test_a_class_that_moved_is_told_from_all_others() -> None:
    effect = NOISE + 0.3 * (FOUR == 2)
    shifts = apart(effect, ONES, FOUR)
    assert shifts[2] == pytest.approx(0.3, abs=0.02) and np.abs(shifts[[0, 1, 3]]).max() < 0.02
    most = NOISE + 0.3 * (np.arange(40) < 24)  # more than half of the run, all of one class
    assert apart(most, ONES, (np.arange(40) >= 24).astype(np.int64))[0] == pytest.approx(0.3, abs=0.02)


def test_classes_of_few_are_not_told_apart() -> None:
    assert apart(NOISE, ONES, np.zeros(40, dtype=np.int64)).shape == (0,)
    assert apart(NOISE, ONES, (np.arange(40) < 4).astype(np.int64)).shape == (0,)
    gone = np.where(FOUR == 1, np.nan, NOISE)
    assert np.isnan(apart(gone, ONES, FOUR)[1]) and np.isfinite(apart(gone, ONES, FOUR)[0])


def test_a_slow_day_explains_all_of_it_and_a_section_of_its_own_nothing() -> None:
    chance = np.random.default_rng(2)
    day = 0.2 * chance.uniform(0.5, 1.5, 40) + NOISE
    assert (of_day(day) > day).all()
    one = NOISE.copy()
    one[7] += 0.2
    assert abs(of_day(one)[7]) < 0.015


def test_a_class_explains_its_members_and_no_other() -> None:
    effect = NOISE + 0.2 * (FOUR == 1)
    effect[0] += 0.2
    found = of_day(effect)
    assert (found[FOUR == 1] > effect[FOUR == 1]).all() and abs(found[0]) < 0.02


def test_the_more_move_along_the_more_is_explained_without_a_step() -> None:
    left = []
    for count in range(1, 41):
        effect = NOISE + 0.22 * (np.arange(40) < count)
        left.append(float((effect - of_day(effect))[:count].mean()))
    steps = -np.diff(left)
    assert left[0] > 0.2 and left[19] > 0.18 and left[20] > 0.16 and left[-1] < 0
    assert steps.max() < 0.05  # of 0.22; a median as reference has one of 0.1


def test_what_got_faster_slows_no_other() -> None:
    effect = NOISE - 0.5 * (np.arange(40) < 8)
    assert np.abs(of_day(effect)[8:]).max() < 0.015


def test_what_is_unknown_explains_nothing() -> None:
    effect = NOISE.copy()
    effect[:5] = np.nan
    np.testing.assert_allclose(of_day(effect)[5:], of_day(NOISE[5:]))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_where_most_moved_the_others_are_where_they_were(sign: float) -> None:
    for count, where in ((10, 0.0), (24, 0.0), (30, 0.0), (40, 0.3)):
        effect = NOISE + sign * 0.3 * (np.arange(40) < count)
        found = unmoved(effect, voted(effect, ONES), np.asarray(0.015), ONES)
        assert found * sign == pytest.approx(where, abs=0.035)  # a spread of 0.015 is left
