"""Is any of many equal peers noisier than the others? Its noise is estimated by itself and drawn towards its class. Pure.

Two halves of the sections measure it twice: their common part is a difference of peers, the rest is chance (empirical Bayes
with normal logarithms of variances: B. Efron and C. Morris, J. Am. Stat. Assoc. 70 (1975) 311).
"""

from __future__ import annotations

import numpy as np

from tenken.stats.space import Array, Noise
from tenken.stats.tails import trigamma_inverse

FEWEST_PEERS, FEWEST_SECTIONS = 16, 8  # from which on noise differs from chance
BEYOND_CHANCE = 3.0  # standard errors of the correlation of both halves, below which all peers are taken for equally noisy
_NOTHING = 1e-12


def alike(peers: int) -> Noise:
    return Noise(np.ones(peers), float("inf"))


def noise_of(samples: Array) -> Noise:
    """samples: (several, sections, peers), each around 0 and of the same scale in each section."""
    _, sections, peers = samples.shape
    scale = np.median(np.abs(samples), axis=(0, 2))
    if peers < FEWEST_PEERS or sections < FEWEST_SECTIONS or (scale <= _NOTHING).any():
        return alike(peers)
    size = np.abs(samples) / scale[:, None]
    first, second, both = (_logarithm(part) for part in (size[:, ::2], size[:, 1::2], size))
    shared = float(np.mean(first * second))
    if shared <= BEYOND_CHANCE / peers**0.5 * float(np.sqrt(np.mean(first**2) * np.mean(second**2))):
        return alike(peers)
    weight = min(shared / float(np.mean(both**2)), 1.0)
    left = max(shared * (1.0 - weight), 1e-6)  # variance of the logarithm that stays unknown
    freedom = 2.0 * float(trigamma_inverse(np.array(left)))
    return Noise(np.exp(np.maximum(weight * both, 0.0) / 2), max(freedom, 1.0))


def launch_noise(values: Array) -> Noise:
    """Of the noise that each launch adds by itself; values: (launches, sections, peers), logarithms.

    Shifts of a peer as a whole in a launch are left out.
    """
    launches, sections, peers = values.shape
    if launches < 2 or sections < FEWEST_SECTIONS:
        return alike(peers)
    own = values - values.mean(axis=0)
    return noise_of(own - np.median(own, axis=1, keepdims=True))


def _logarithm(size: Array) -> Array:
    """ln of the squared scale of each peer, about that of their median."""
    middle = np.median(size, axis=(0, 1))
    logs = 2 * np.log(np.maximum(middle, _NOTHING))
    return np.asarray(logs - np.median(logs))
