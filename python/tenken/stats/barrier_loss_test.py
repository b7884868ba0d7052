"""The closed form against resampling with a generator, and its limits."""

from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.barrier_loss import barrier_loss

QUANTUM = 20e-6


def test_it_is_what_resampling_gives() -> None:
    chance = np.random.default_rng(1)
    sizes, odds = np.array([2e-6, 50e-6, 3e-3]), np.array([0.02, 0.002, 0.0002])
    # In watched time: a quantum and what it lost.
    mean = QUANTUM + float(sizes @ odds)
    rates, shares = (odds / mean)[None, :], (odds * sizes / mean)[None, :]
    for ranks, loss in zip((1, 16, 256), barrier_loss(rates, shares, QUANTUM, (1, 16, 256)), strict=True):
        drawn = chance.choice(np.append(sizes, 0.0), p=np.append(odds, 1 - odds.sum()), size=(60000, ranks)).max(axis=1)
        assert loss == pytest.approx(drawn.mean() / QUANTUM, rel=0.12)


def test_it_grows_with_the_ranks_to_the_longest_detour() -> None:
    rates, shares = np.array([[100.0, 1.0], [50.0, 1.0]]), np.array([[1e-3, 1e-2], [5e-4, 1e-2]])
    losses = barrier_loss(rates, shares, QUANTUM, (1, 100, 10000, 10**7))
    assert (np.diff(losses) > 0).all()
    assert losses[-1] == pytest.approx(1e-2 / QUANTUM, rel=1e-6)


def test_nothing_is_lost_where_nothing_happens() -> None:
    assert (barrier_loss(np.zeros((4, 3)), np.zeros((4, 3)), QUANTUM, (1, 10000)) == 0).all()
