"""Which of many equal peers is slow: a test that bad peers cannot mask. Pure, on logarithms of times."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tenken.stats.nested import middle
from tenken.stats.robust import MAD_TO_SIGMA
from tenken.stats.student import student_limit

Array = NDArray[np.float64]

# Spread (standard deviation of the logarithm) that equal nodes of a machine have before any is measured, and how
# many degrees of freedom that knowledge is worth: a few peers cannot tell their own spread (docs/decisions).
PRIOR_SPREAD = 0.02
PRIOR_FREEDOM = 12.0
EFFICIENCY = 0.37  # of the MAD against the standard deviation (Rousseeuw and Croux 1993): its degrees of freedom
MEDIAN_VARIANCE = 1.571  # pi/2: variance of a median of normal samples against that of their mean
CUT = 3.5  # spreads from the centre beyond which a peer no longer counts as normal
FEWEST = 3  # peers of which a slow peer can be separated
NOISY = 1.5  # times the noise of the class: from here on the doubt about a peer's own noise counts, too


@dataclass(frozen=True, slots=True)
class Peers:
    """The normal state of each row. Arrays of shape (rows,); logarithms."""

    centre: Array
    spread: Array  # standard deviation of a good peer, moderated by the prior
    freedom: Array  # degrees of freedom of the spread
    error: Array  # standard deviation of (peer - centre)


@dataclass(frozen=True, slots=True)
class Noise:
    """How many times as noisy as its class each peer is, at least 1, and the worth of that in degrees of freedom."""

    factor: Array  # (peers,) or (rows, peers)
    freedom: float


def equal_peers(y: Array, known_error: Array | float = 0.0, independent: int | None = None) -> Peers:
    """Centre and spread of the good peers in each row of `y` (rows, peers), although up to half less 1 may be slow.

    Start: the shortest half (Rousseeuw, J. Am. Stat. Assoc. 79 (1984) 871) for the centre, the shortest quarter for
    the spread, which few good peers suffice for. Then median and MAD of those within `CUT` spreads. The spread is
    moderated by the prior, s^2 = (d0 s0^2 + d s^2)/(d0 + d) with d0 + d degrees of freedom (Smyth, Stat. Appl. Genet.
    Mol. Biol. 3 (2004) 3), and is never below `known_error`, the standard error that launches show. s0 is
    `PRIOR_SPREAD`, or the spread of all rows together where that is more. `independent`: how many peers are (ranks of a
    node are not), all by default.
    """
    y = np.asarray(y, dtype=float)
    n = y.shape[1]
    ordered = np.sort(y, axis=1)
    half = _shortest(ordered, n // 2 + 1)
    centre = np.median(half, axis=1)
    least = n // 4 + 1 if n >= 16 else n // 2 + 1
    quarter = _shortest(ordered, least)
    first = (quarter[:, -1] - quarter[:, 0]) / 2 / NormalDist().inv_cdf(0.5 + min(least / n, 0.95) / 2)
    alone = min(independent or n, n) / n
    first = _moderate(first, EFFICIENCY * (n * alone - 1), known_error)
    near = np.abs(y - centre[:, None]) <= CUT * first[:, None]
    good = np.where(near, y, np.nan)
    centre = middle(good)
    count = near.sum(axis=1)
    # n/(n - 0.8): small-sample bias of the MAD (Croux and Rousseeuw, Compstat 1992, p. 411).
    raw = MAD_TO_SIGMA * middle(np.abs(good - centre[:, None])) * count / (count - 0.8)
    freedom = EFFICIENCY * np.maximum(count * alone - 1.0, 0.0)
    spread = _moderate(raw, freedom, known_error)
    return Peers(centre, spread, PRIOR_FREEDOM + freedom, spread * np.sqrt(1.0 + MEDIAN_VARIANCE / count))


def slow_peers(
    y: Array, alpha: Array | float, least_effect: Array | float, known_error: Array | float = 0.0,
    independent: int | None = None, noise: Noise | None = None,
) -> SlowPeers:
    """Test every element of `y` (rows, peers) against the other peers of its row, one-sided.

    `alpha` (a number, or one a row) is the probability that a clean element is named; `least_effect` a logarithm below
    which nothing is worth naming (a number, or (rows, 1)). At least `FEWEST` peers; of two the larger is tested, where nobody is
    below the healthy peer. `noise` of peers that are noisier than their class makes them be compared by their own.
    """
    peers = equal_peers(y, known_error, independent) if y.shape[1] > 2 else _prior_peers(y, known_error)
    effect = y - peers.centre[:, None]
    shares = np.broadcast_to(np.asarray(alpha, dtype=float), peers.centre.shape).tolist()
    limit = _limits(shares, peers.freedom.tolist())
    score = effect / peers.error[:, None]
    if noise is not None and np.isfinite(noise.freedom):
        own = _limits(shares, np.minimum(peers.freedom, noise.freedom).tolist())
        score = score / noise.factor * np.where(noise.factor > NOISY, (limit / own)[:, None], 1.0)
    named = (score > limit[:, None]) & (effect > least_effect)
    return SlowPeers(effect, score, limit, peers.spread, named)


def _limits(shares: list[float], freedom: list[float]) -> Array:
    pairs = list(zip(shares, freedom, strict=True))
    limits = {pair: student_limit(*pair) for pair in set(pairs)}
    return np.array([limits[pair] for pair in pairs])


def _prior_peers(y: Array, known_error: Array | float) -> Peers:
    """Of two the smaller is normal; how far they scatter the prior alone tells."""
    spread = np.maximum(np.full(y.shape[0], PRIOR_SPREAD), known_error)
    return Peers(y.min(axis=1), spread, np.full(y.shape[0], PRIOR_FREEDOM), spread * 2**0.5)


@dataclass(frozen=True, slots=True)
class SlowPeers:
    """The answer of `slow_peers`: arrays of shape (rows, peers), `limit` and `spread` of shape (rows,)."""

    effect: Array  # logarithm of slow/normal
    score: Array  # effect in standard errors
    limit: Array  # of the score
    spread: Array  # of a good peer
    named: NDArray[np.bool_]


def pair_limit(alpha: float, known_error: float = 0.0) -> float:
    """Difference of two peers (logarithm) that clean ones exceed with probability `alpha`: by the prior alone."""
    spread = max(PRIOR_SPREAD, known_error)
    return student_limit(alpha / 2, PRIOR_FREEDOM) * spread * 2**0.5


def _shortest(ordered: Array, width: int) -> Array:
    """Of each sorted row the `width` neighbours that lie closest together: shape (rows, width)."""
    rows, n = ordered.shape
    start = np.argmin(ordered[:, width - 1:] - ordered[:, :n - width + 1], axis=1)
    return np.take_along_axis(ordered, start[:, None] + np.arange(width)[None, :], axis=1)


def _moderate(raw: Array, freedom: Array | float, known_error: Array | float) -> Array:
    prior = max(PRIOR_SPREAD, float(np.median(raw)))
    variance = (PRIOR_FREEDOM * prior**2 + freedom * raw**2) / (PRIOR_FREEDOM + freedom)
    return np.maximum(np.sqrt(variance), known_error)
