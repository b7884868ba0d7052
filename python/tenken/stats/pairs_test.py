from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.pairs import guilty_pairs, median_polish, pair_table

EFFECT = np.log(1.1)


def clean(n: int, seed: int = 1, spread: float = 0.03) -> np.ndarray:
    chance = np.random.default_rng(seed)
    end = 0.02 * chance.normal(size=n)
    noise = np.triu(spread * chance.normal(size=(n, n)), 1)
    table = 10.0 * np.exp(end[:, None] + end[None, :] + noise + noise.T)
    np.fill_diagonal(table, np.nan)
    return table


def test_an_additive_table_is_recovered() -> None:
    end = np.array([0.0, 0.1, -0.1, 0.3, 0.0])
    table = 7.0 * np.exp(end[:, None] + end[None, :])
    np.fill_diagonal(table, np.nan)
    fit = median_polish(table)
    assert fit.end == pytest.approx(end, abs=1e-6) and np.exp(fit.level) == pytest.approx(7.0)
    assert np.nanmax(np.abs(fit.path)) < 1e-6


@pytest.mark.parametrize(("n", "tables"), [(6, 300), (16, 100)])
def test_the_spread_is_that_of_the_paths_and_not_what_the_fit_left_of_it(n: int, tables: int) -> None:
    spreads = [guilty_pairs(median_polish(clean(n, seed, 0.2)), 0.004, EFFECT).spread for seed in range(tables)]
    assert np.mean(spreads) == pytest.approx(0.2, rel=0.1 if n == 16 else 0.25)


@pytest.mark.parametrize("n", [6, 64])
def test_clean_pairs_accuse_nobody(n: int) -> None:
    for seed in range(20):
        guilt = guilty_pairs(median_polish(clean(n, seed)), 0.008, EFFECT)
        assert guilt.ends == () and guilt.paths == ()


@pytest.mark.parametrize("n", [6, 64])
def test_a_bad_path_is_told_from_a_bad_end(n: int) -> None:
    path = clean(n)
    path[1, 4] = path[4, 1] = 2 * path[1, 4]
    guilt = guilty_pairs(median_polish(path), 0.008, EFFECT)
    assert guilt.ends == () and guilt.paths == ((1, 4),)
    end = clean(n)
    end[3, :] *= 2
    end[:, 3] *= 2
    guilt = guilty_pairs(median_polish(end), 0.008, EFFECT)
    assert guilt.ends == (3,) and guilt.paths == ()


def test_pairs_that_never_met_are_left_open() -> None:
    table = clean(40)
    chance = np.random.default_rng(5)
    for i, j in zip(*np.triu_indices(40, 1), strict=True):
        if chance.random() < 0.5 and (i, j) != (2, 7):
            table[i, j] = table[j, i] = np.nan
    table[2, 7] = table[7, 2] = 20.0
    assert guilty_pairs(median_polish(table), 0.008, EFFECT).paths == ((2, 7),)


def test_the_table_holds_the_median_of_both_directions_and_all_sweeps() -> None:
    pairs = np.array([[0, 1], [1, 0], [0, 1], [2, 0]])
    table = pair_table(3, pairs, np.array([1.0, 3.0, 2.0, 9.0]))
    assert table[0, 1] == table[1, 0] == 2.0 and table[0, 2] == 9.0
    assert np.isnan(table[1, 2]) and np.isnan(table[0, 0])
