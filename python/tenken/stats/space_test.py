from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.space import equal_peers, pair_limit, slow_peers

EFFECT = np.log(1.05)


def table(rows: int, peers: int, spread: float, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, spread, (rows, peers))


def test_the_spread_of_many_peers_is_their_own_and_of_few_the_prior() -> None:
    assert equal_peers(table(200, 500, 0.05)).spread.mean() == pytest.approx(0.05, rel=0.05)
    few = equal_peers(table(200, 3, 0.0001)).spread
    assert (few > 0.015).all() and (few <= 0.02).all()
    assert (equal_peers(table(5, 4, 0.001), known_error=0.1).spread >= 0.1).all()


def test_ranks_of_one_node_do_not_count_as_independent() -> None:
    y = table(3, 64, 0.01)
    assert (equal_peers(y, independent=4).freedom < equal_peers(y).freedom).all()


@pytest.mark.parametrize("bad", [1, 10, 25, 31])
def test_bad_peers_do_not_hide_each_other(bad: int) -> None:
    y = table(20, 64, 0.01)
    y[:, :bad] += np.log(1.2)
    named = slow_peers(y, 1e-6, EFFECT).named
    assert named[:, :bad].mean() > 0.97
    assert not named[:, bad:].any()


def test_fast_peers_and_small_effects_are_not_named() -> None:
    y = table(4, 64, 0.0001)
    y[:, 0] -= 0.5
    y[:, 1] += 0.9 * EFFECT
    assert not slow_peers(y, 1e-6, EFFECT).named.any()


def test_a_smaller_error_rate_asks_for_more() -> None:
    y = table(2, 10, 0.01)
    loose, strict = slow_peers(y, np.array([1e-2, 1e-8]), EFFECT).limit
    assert strict > loose
    assert pair_limit(1e-4) > pair_limit(1e-2) and pair_limit(1e-2, known_error=0.1) > pair_limit(1e-2)
