"""The shift of Hodges and Lehmann between launches that were made in pairs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tenken.stats import shift as module
from tenken.stats.shift import shift

Array = NDArray[np.float64]


def launches(rows: int, pairs: int, sigma: float = 0.02, minute: float = 0.0, seed: int = 1) -> tuple[Array, Array]:
    chance = np.random.default_rng(seed)
    shared = chance.normal(0, minute, (rows, pairs)) if minute else 0.0
    return chance.normal(0, sigma, (rows, pairs)) + shared, chance.normal(0, sigma, (rows, pairs)) + shared


def error(errors: Array) -> Array:
    """Standard error from what each pair adds."""
    pairs = errors.shape[-1]
    result: Array = np.sqrt((errors**2).sum(axis=-1) / (pairs - 1) / pairs)
    return result


def test_it_is_the_median_of_all_differences() -> None:
    first, second = np.array([[0.0, 1.0, 5.0]]), np.array([[2.0, 8.0, 4.0]])  # pairs do not agree
    differences = np.subtract.outer(second[0], first[0])
    assert shift(first, second)[0][0] == np.median(differences) == 3.0


def test_where_pairs_agree_wholly_it_is_the_median_of_walsh_averages() -> None:
    minutes = np.array([[0.0, 1e3, -3e3, 7e3]])
    inside = np.array([[1.0, 2.0, 4.0, 9.0]])
    low, high = np.triu_indices(4)
    walsh = (inside[0, low] + inside[0, high]) / 2
    effect = shift(minutes - inside / 2, minutes + inside / 2)[0][0]
    assert effect == pytest.approx(np.median(np.concatenate([walsh, walsh[low != high]])), abs=0.05)


def test_a_shift_is_found_and_the_order_of_environments_only_turns_its_sign() -> None:
    first, second = launches(20, 12)
    there, errors = shift(first, second + 0.3)
    back, _ = shift(second + 0.3, first)
    assert there == pytest.approx(-back) and there == pytest.approx(0.3 + shift(first, second)[0])
    assert errors == pytest.approx(shift(first, second)[1])


@pytest.mark.parametrize(("pairs", "minute"), [(6, 0.0), (6, 0.2), (12, 0.0), (12, 0.2), (48, 0.0), (48, 0.2)])
def test_the_errors_of_the_pairs_tell_how_it_scatters(pairs: int, minute: float) -> None:
    """Also where the minutes scatter ten times as much as the launches of one."""
    effect, errors = shift(*launches(2000, pairs, 0.02, minute))
    normal = 0.02 * np.sqrt(2 / pairs)
    assert effect.std() <= 1.1 * normal + (0.3 * normal if minute else 0), "nearly as sharp as a mean of differences"
    told = np.sqrt((error(errors) ** 2).mean())
    assert 0.9 <= told / effect.std() <= 1.35


def test_one_launch_in_six_that_is_hit_hardly_moves_it() -> None:
    first, second = launches(200, 12)
    plain = shift(first, second)[0]
    second[:, [3, 7]] += 5.0
    assert np.abs(shift(first, second)[0] - plain).mean() <= 0.01


def test_lost_pairs_are_left_out() -> None:
    first, second = launches(1, 6)
    kept = shift(first[:, :4], second[:, :4])
    first[0, 4], second[0, 4], first[0, 5], second[0, 5] = (np.nan,) * 4
    effect, errors = shift(first, second)
    assert effect == pytest.approx(kept[0]) and errors[0, :4] == pytest.approx(kept[1][0]) and np.isnan(errors[0, 4:]).all()
    nothing = np.full((1, 3), np.nan)
    assert np.isnan(shift(nothing, nothing)[0]).all()


def test_one_pair_has_an_effect_and_no_error() -> None:
    effect, errors = shift(np.array([[1.0]]), np.array([[1.5]]))
    assert (effect[0], errors[0, 0]) == (0.5, 0.0)


def test_many_quantities_are_done_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (one.reshape(5, 4, 12) for one in launches(20, 12))
    whole = shift(first, second)
    monkeypatch.setattr(module, "_AT_ONCE", 3 * 144)
    parts = shift(first, second)
    assert (parts[0] == whole[0]).all() and (parts[1] == whole[1]).all() and whole[0].shape == (5, 4)
