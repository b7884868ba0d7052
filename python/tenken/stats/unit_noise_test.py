from __future__ import annotations

import numpy as np
import pytest

from tenken.stats.places import launch_noise, noise_of


def samples(peers: int, noisier: float = 1.0, seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).normal(size=(2, 40, peers)) * np.exp(np.random.default_rng(2).normal(size=(1, 40, 1)))
    made[:, :, ::10] *= noisier
    return made


def test_equal_peers_are_equally_noisy() -> None:
    for seed in range(20):
        noise = noise_of(samples(64, seed=seed))
        assert (noise.factor == 1).all() and noise.freedom == np.inf


def test_a_noisier_peer_is_known_by_its_noise_and_the_others_stay_as_they_are() -> None:
    noise = noise_of(samples(64, 6.0))
    noisy = np.arange(64) % 10 == 0
    assert noise.factor[noisy] == pytest.approx(6.0, rel=0.5) and (noise.factor[~noisy] < 1.5).all()
    assert (noise.factor >= 1).all() and 5 < noise.freedom < 200


def test_one_large_sample_is_no_noise() -> None:
    made = samples(64, 6.0)
    made[:, 3, 17] += 50.0
    assert noise_of(made).factor[17] < 1.5


def test_few_peers_few_sections_or_no_noise_at_all_tell_nothing() -> None:
    assert (noise_of(samples(15, 6.0)).factor == 1).all()
    assert (noise_of(samples(64, 6.0)[:, :7]).factor == 1).all()
    assert (noise_of(np.zeros((2, 40, 64))).factor == 1).all()
    assert (launch_noise(samples(64, 6.0)[:1]).factor == 1).all()


def test_what_moves_a_peer_as_a_whole_is_not_the_noise_of_its_launches() -> None:
    values = samples(64)
    values[:, :, ::10] += np.array([9.0, -9.0])[:, None, None]
    assert (launch_noise(values).factor == 1).all()
    assert launch_noise(samples(64, 6.0)).factor[::10].min() > 3
