from __future__ import annotations

import numpy as np
import pytest

from tenken.stats import change as c
from tenken.stats.nested import launch_sigma, median_variance, middle

GUESS, GUESS_DF = 0.02, 3.0
SHIFT = (0.01, 2.0)


def history(values: np.ndarray, floor: float = 0.003, together: bool = True) -> c.History:
    """Of values (..., quantities, sittings, launches), all of one group."""
    count = values.shape[-3]
    return c.History(
        middle(values), launch_sigma(values), np.full(count, float(values.shape[-1])), np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64), np.ones(count), np.full(count, together), np.full(count, floor), np.full(count, GUESS),
    )


def learnt(values: np.ndarray, floor: float = 0.003, together: bool = True) -> c.Ordinary:
    return c.learn(history(values, floor, together), GUESS_DF, SHIFT, 0.03)


def test_two_quantities_by_hand() -> None:
    """Too few to be compared with each other or moderated: guess and own variance, weighted by degrees of freedom.

    Sittings 0.00, 0.02, 0.04 (s^2 = 0.0004, 2 degrees of freedom), guess 0.02^2 worth 3: s~^2 = 0.0004 with 5.
    New 0.10 from one launch as before: effect 0.08, standard error 0.02 sqrt(1 + 1/3) = 0.023094.
    """
    values = np.array([[0.0, 0.02, 0.04], [1.0, 1.02, 1.04]])[..., None]
    change = c.compare(learnt(values), np.array([0.10, 1.02]), np.ones(2))
    np.testing.assert_allclose(change.effect, [0.08, 0.0], atol=1e-12)
    np.testing.assert_allclose(change.own, change.effect)
    np.testing.assert_allclose(change.own_sigma, 0.023094, rtol=1e-4)
    np.testing.assert_allclose(change.own_df, 5.0)
    assert not change.compared and change.rest == 0.0
    # 2.015 = t(0.05, 5), 1.476 = t(0.1, 5): 3.491 x 0.023094; the relevant part is 0.03 + 1.533 x 0.023094 (4 of the shift)
    np.testing.assert_allclose(c.detectable(change, np.array(0.05), np.array(0.03)), 0.08062, rtol=1e-3)
    low, high = c.interval(change)  # 2.571 = t(0.025, 5)
    assert (low[0], high[0]) == pytest.approx((0.08 - 2.571 * 0.023094, 0.08 + 2.571 * 0.023094), rel=1e-3)


def test_what_moves_with_the_rest_is_told_from_what_moves_by_itself() -> None:
    chance = np.random.default_rng(1)
    shift = np.array([0.0, 0.01, -0.01, 0.005])
    values = chance.normal(0, 0.001, (20, 4, 3)) + shift[None, :, None]
    new = np.full(20, 0.05)
    new[3] += 0.04
    change = c.compare(learnt(values), new, np.full(20, 3.0))
    assert change.compared and change.rest == pytest.approx(0.05 - shift.mean(), abs=0.002)
    assert change.own[3] == pytest.approx(0.04, abs=0.003) and abs(change.own[7]) < 0.003
    assert change.effect[3] == pytest.approx(0.09 - shift.mean(), abs=0.003)
    assert change.sigma[7] > 2 * change.own_sigma[7]  # a sitting as a whole scatters more than its parts


def test_a_floor_holds_where_nothing_scatters() -> None:
    change = c.compare(learnt(np.zeros((10, 4, 2)), floor=0.003), np.full(10, 0.0), np.full(10, 2.0))
    np.testing.assert_allclose(change.own_sigma, 0.003 * np.sqrt(1.25))


def test_two_identical_launches_set_a_floor_too() -> None:
    """Sittings agree by chance, launches do not: no sitting is known better than the median of its launches."""
    launches = np.array([-0.05, 0.0, 0.05])
    change = c.compare(learnt(np.tile(launches, (10, 4, 1))), np.zeros(10), np.full(10, 3.0))
    sigma = 0.05 * 1.4826 / np.sqrt(2)  # median of the differences 0.05, 0.05, 0.10
    np.testing.assert_allclose(change.own_sigma, sigma * np.sqrt(median_variance(3) * 1.25))


def test_fewer_launches_than_before_are_less_certain_and_more_are_not_free() -> None:
    chance = np.random.default_rng(2)
    values = chance.normal(0, 0.01, (12, 6, 3)) + chance.normal(0, 0.01, (12, 6, 1))
    one, three, many = (c.compare(learnt(values), np.zeros(12), np.full(12, n)).own_sigma for n in (1.0, 3.0, 100.0))
    assert (one > three).all() and np.mean(one / three) > 1.15
    assert (many < three).all() and np.mean(many / three) > 0.7  # a sitting has a part that launches do not average away


def test_launches_of_one_sitting_are_not_independent() -> None:
    """Ten launches each in three sittings that differ by 2 %: three values are known, not thirty."""
    chance = np.random.default_rng(3)
    values = chance.normal(0, 0.001, (1, 3, 10)) + np.array([-0.02, 0.0, 0.02])[None, :, None]
    change = c.compare(learnt(values), np.zeros(1), np.full(1, 10.0))
    assert change.own_sigma[0] > 0.02 and change.own_df[0] == 2 + GUESS_DF


def test_a_slow_sitting_is_left_out_of_a_baseline() -> None:
    chance = np.random.default_rng(4)
    values = chance.normal(0, 0.004, (20, 6, 3))
    values[:, 2] += np.linspace(0.08, 0.24, 20)[:, None]
    ordinary = learnt(values)
    assert ordinary.slow.tolist() == [False, False, True, False, False, False]
    assert (ordinary.sittings == 5).all() and np.abs(ordinary.expected).max() < 0.01
    assert np.sqrt(np.median(ordinary.variance)) < 0.006
    np.testing.assert_allclose(ordinary.shifts, [0, 0, 0.16, 0, 0, 0], atol=0.01)
    assert ordinary.shifts[~ordinary.slow].mean() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(ordinary.highest, np.linspace(0.08, 0.24, 20), atol=0.02)
    silent = np.append(values, np.full((20, 1, 3), np.nan), axis=1)
    np.testing.assert_allclose(learnt(silent).shifts, [*ordinary.shifts, np.nan], atol=1e-3)
    fast = learnt(-values)
    assert fast.slow.tolist() == ordinary.slow.tolist()
    np.testing.assert_allclose(fast.shifts, -ordinary.shifts)
    assert 0 <= fast.highest.min() and fast.highest.max() < 0.02


def test_what_shares_no_shift_keeps_its_slow_sittings() -> None:
    values = np.random.default_rng(4).normal(0, 0.004, (20, 6, 3))
    values[:, 2] += 0.2
    loud = history(values)
    loud.together[15:] = False
    ordinary = c.learn(loud, GUESS_DF, SHIFT, 0.03)
    assert ordinary.slow.tolist() == [False, False, True, False, False, False]
    assert ordinary.sittings.tolist() == [5] * 15 + [6] * 5
    assert ordinary.variance[:15].max() < 0.001 < 0.003 < ordinary.variance[15:].min()


def loud_beside_steady(sittings: int) -> np.ndarray:
    """Fifteen quantities that move together by 6 % from sitting to sitting, and the first, which stays within 0.3 %."""
    chance = np.random.default_rng(8)
    values = chance.normal(0, 0.004, (16, sittings, 3)) + chance.normal(0, 0.06, (1, sittings, 1))
    values[0] = chance.normal(0, 0.003, (sittings, 3))
    return values


def test_what_does_not_move_with_the_rest_is_held_against_itself() -> None:
    ordinary = learnt(loud_beside_steady(10))
    assert ordinary.follows.tolist() == [False] + [True] * 15
    new = np.full(16, 0.10)
    new[0] = 0.02
    change = c.compare(ordinary, new, np.full(16, 3.0))
    assert change.own[0] == pytest.approx(0.02, abs=0.004) and change.own_sigma[0] < 0.006
    assert change.sigma[0] == change.own_sigma[0] < 0.1 * change.sigma[1]
    assert np.abs(change.own[1:]).max() < 0.01 and change.rest == pytest.approx(0.10, abs=0.05)
    assert c.detectable(change, np.array(0.001), np.array(0.03))[0] < 0.06


def test_few_sittings_do_not_tell_what_follows() -> None:
    assert learnt(loud_beside_steady(4)).follows.all() and not learnt(loud_beside_steady(5)).follows[0]
    alone = history(loud_beside_steady(10), together=False)
    assert not c.learn(alone, GUESS_DF, SHIFT, 0.03).follows.any()


def test_what_shares_half_of_its_noise_follows() -> None:
    """As the model of the tables has it; of 200 x 40 quantities none is taken for aloof."""
    chance = np.random.default_rng(9)
    place = chance.standard_normal((200, 40, 10)) + chance.standard_normal((200, 1, 10))
    assert learnt(0.014 * place[..., None] + 0.015 * chance.standard_normal((200, 40, 10, 3))).follows.mean() > 0.999


def test_shifts_of_classes_are_those_of_every_sitting() -> None:
    values = np.zeros((12, 6, 3))
    values[:, 2] += 0.2
    values[:6, 3] += 0.1
    values[6:, 4] += 0.05
    two = history(values)
    two.group[6:] = 1
    change = c.compare(c.learn(two, GUESS_DF, SHIFT, 0.03), np.zeros(12), np.full(12, 3.0))
    np.testing.assert_allclose(change.class_shifts[:, 0], np.array([0, 0, 0, 0.1, -0.05, 0]) - 0.05 / 5, atol=1e-9)
    np.testing.assert_allclose(change.class_shifts[:, 1], -change.class_shifts[:, 0], atol=1e-9)
    np.testing.assert_allclose(change.shifts - change.shifts[0], [0, 0, 0.2, 0.05, 0.025, 0], atol=1e-9)
    assert change.highest.shape == (12,)


def test_what_was_not_measured_is_passed_over() -> None:
    values = np.random.default_rng(5).normal(0, 0.01, (12, 4, 2))
    values[0] = np.nan  # never known
    values[1, 1:] = np.nan  # known from one sitting
    new = np.zeros(12)
    new[2] = np.nan
    change = c.compare(learnt(values), new, np.full(12, 2.0))
    assert np.isnan(change.effect[[0, 2]]).all() and np.isfinite(change.own_sigma[1]) and change.sittings[1] == 1


def test_independent_runs_at_once_are_as_one_by_one() -> None:
    values = np.random.default_rng(6).normal(0, 0.01, (5, 15, 4, 3))
    new = np.random.default_rng(7).normal(0, 0.01, (5, 15))
    batch = c.compare(learnt(values), new, np.full((5, 15), 3.0))
    for run in range(5):
        single = c.compare(learnt(values[run]), new[run], np.full(15, 3.0))
        np.testing.assert_allclose(batch.own_sigma[run], single.own_sigma)
        np.testing.assert_allclose(batch.own[run], single.own)
        np.testing.assert_allclose(batch.rest_sigma[run], single.rest_sigma)


@pytest.mark.parametrize("sittings", [3, 5, 10])
def test_unchanged_quantities_exceed_the_limit_as_often_as_it_says(sittings: int) -> None:
    """2 % in sittings, half of it common, and 1.5 % in launches; nominal 1 % of 400 x 40 quantities."""
    chance = np.random.default_rng(sittings)

    def sample(count: int) -> np.ndarray:
        shape = (400, 40, count)
        place = 0.0141 * (chance.standard_normal(shape) + chance.standard_normal((400, 1, count)))
        return place[..., None] + 0.015 * chance.standard_normal((*shape, 3))

    change = c.compare(learnt(sample(sittings)), np.median(sample(1)[:, :, 0], axis=-1), np.full((400, 40), 3.0))
    assert 0.004 < (change.own > c.limit(change, np.array(0.01))).mean() < 0.013
