"""Caches of a simulated hierarchy are found within 30 %, whatever the replacement, with other load on top."""

from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.cache_levels import cache_levels
from tenken.stats.space import Array

ROUND = 32 * 2.0**20
SIZES = np.round(2.0 ** np.arange(12, 29.01, 0.25) / 64) * 64


def simulated(caches: tuple[tuple[float, float], ...], memory: float, loud: float = 0.0, seed: int = 0) -> Array:
    """caches: (bytes, latency). Small sets miss fully a quarter beyond a cache, large ones with 1 - cache/set."""
    chance = np.random.default_rng(seed)
    latency = np.full(SIZES.size, caches[0][1])
    for (size, before), behind in zip(caches, [*(one[1] for one in caches[1:]), memory], strict=True):
        cyclic = np.clip((SIZES / size - 0.85) / 0.4, 0, 1)
        misses = np.where(SIZES <= ROUND, cyclic, np.clip(1 - size / SIZES, 0, 1))
        latency = latency + misses * (behind - before)
    latency = latency * np.exp(chance.normal(0, 0.01, SIZES.size))
    return np.where(chance.random(SIZES.size) < loud, latency * chance.uniform(1.2, 10, SIZES.size), latency)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("loud", [0.0, 0.2])
@pytest.mark.parametrize("caches", [
    ((48 * 2**10, 2.0), (2 * 2**20, 5.7), (36 * 2**20, 38.0)),
    ((32 * 2**10, 1.1), (512 * 2**10, 3.2), (32 * 2**20, 12.0)),
    ((64 * 2**10, 1.6), (2**20, 4.0)),
    ((32 * 2**10, 1.5), (2**20, 9.0), (100 * 2**20, 40.0)),
])
def test_sizes_within_30_percent_and_the_right_count(caches: tuple[tuple[float, float], ...], loud: float, seed: int) -> None:
    found = cache_levels(SIZES, simulated(caches, 120.0, loud, seed), ROUND)
    assert len(found) == len(caches), found
    for level, (size, before) in zip(found, caches, strict=True):
        assert abs(level.bytes / size - 1) < 0.3
        assert level.before == pytest.approx(before, rel=0.3)


def test_no_cache_without_a_rise() -> None:
    assert cache_levels(SIZES, np.full(SIZES.size, 80.0), ROUND) == ()
    assert cache_levels(SIZES[:3], np.array([1.0, 2.0, 4.0]), ROUND) == ()
