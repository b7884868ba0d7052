"""Which of many equal peers is slow or waited for: tests that bad peers cannot mask. Pure, on logarithms of times."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tenken.base.rows import Rows, of_rows, sigma
from tenken.stats.nested import middle
from tenken.stats.robust import MAD_TO_SIGMA, mad_sigma, median
from tenken.stats.tails import student_limit

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


# The imbalance of equal but noisy ranks, so that a really slow rank stands out from chance.

# Standard error of a median of normal samples against that of their mean: sqrt(pi/2).
MEDIAN_ERROR = 1.2533
# Memory longer than this looks like a drift in as few samples as a launch has.
MAX_AUTOCORRELATION = 0.95


def noise_limit(relative_sigma: float, n: int, ranks: int, alpha: float, autocorrelation: float = 0.0) -> float:
    """Imbalance (max/mean of medians) that `ranks` equal ranks exceed with probability `alpha`.

    relative_sigma: standard deviation of a sample / median; n: samples a rank.
    Standard error of each median: s = 1.2533 sigma/sqrt(n) x sqrt((1 + r)/(1 - r)), r the lag-1 autocorrelation
    (effective sample size of an AR(1) series, Bayley and Hammersley 1946). A rank differs from the mean of all by
    s sqrt(1 - 1/R), and the largest of R normals stays below Phi^-1((1 - alpha)^(1/R)) with probability 1 - alpha
    (David and Nagaraja, Order Statistics, ch. 2).
    """
    if ranks < 2 or n < 1:
        return 1.0
    r = min(max(autocorrelation, 0.0), MAX_AUTOCORRELATION)
    error = MEDIAN_ERROR * relative_sigma / sqrt(n) * sqrt((1 + r) / (1 - r))
    highest = NormalDist().inv_cdf((1 - alpha) ** (1 / ranks))
    return 1.0 + highest * error * sqrt(1 - 1 / ranks)


def imbalance_limit(samples: ArrayLike, alpha: float) -> float:
    """`noise_limit` for samples of shape (ranks, repetitions) in time order.

    Noise and autocorrelation are the medians over ranks of each rank's own, so that a single sick rank does not
    widen the limit that shall find it.
    """
    values = np.asarray(samples, dtype=float)
    return rows_limit(of_rows(values), alpha) if values.shape[0] > 1 else 1.0


def rows_limit(rows: Rows, alpha: float) -> float:
    """The same from the figures of each rank, all of the same number of samples."""
    ranks = rows.median.size
    middle = median(rows.median)
    if ranks < 2 or middle <= 0:
        return 1.0
    relative = median(sigma(rows.mad, rows.count)) / middle
    return noise_limit(relative, int(rows.count[0]), ranks, alpha, median(rows.memory))


# Who is waited for. Pure: sums of times of each rank in, ranks out.

SURE = 5.0  # spreads below the others' waiting: by chance 1 rank in a million
FEWEST_IN_RING = 6  # ranks: two wait for a third, and most of the others do not
ALONE = 2.0  # times the next largest gap: a pattern of the decomposition has many
MOST_LAUNCHES = 0.75


@dataclass(frozen=True, slots=True)
class Late:
    """The rank that the others wait for."""

    index: int
    waited: float  # that the others wait longer than it does: median of theirs minus its own
    excess: Array  # of each section: its time in it minus the median of the others
    explained: float  # part of `waited` that its timed sections explain


def late_rank(compute: Array, wait: Array, least: float) -> Late | None:
    """compute: (sections, ranks), wait: (ranks,) or (launches, ranks) times of a repetition; `least`: waiting worth naming.

    Where all ranks leave together, a rank is late by the time it waits less: the late rank waits least, by more than the
    spread of the others' waiting. In a ring of halos only its neighbours wait for it, and theirs for them in the next repetition:
    it is the rank that waits less than both ranks beside it, by more than any other does. It is the same in most launches.
    None where there is none, or where fewer than three ranks leave open who is normal.
    """
    waits = np.atleast_2d(np.asarray(wait, dtype=float))
    if waits.shape[1] < 3:
        return None
    each = np.median(waits, axis=0)
    candidate = _least(each, least)
    if candidate is None or not _in_most(np.argmin(waits, axis=1), candidate[0]):
        candidate = _between_waiting(each, least)
        if candidate is None or not _in_most(np.argmax(_beside(waits), axis=1), candidate[0]):
            return None
    index, waited = candidate
    excess = compute[:, index] - np.median(np.delete(compute, index, axis=1), axis=1)
    return Late(index, waited, excess, float(np.clip(excess, 0, None).sum()) / waited)


def _least(wait: Array, least: float) -> tuple[int, float] | None:
    """The rank that waits least, and how much longer the others do."""
    index = int(np.argmin(wait))
    others = np.delete(wait, index)
    waited = float(np.median(others) - wait[index])
    return (index, waited) if waited >= max(least, SURE * mad_sigma(others)) else None


def _between_waiting(wait: Array, least: float) -> tuple[int, float] | None:
    """The rank that waits less than both beside it, and how much; none where another does so by half as much."""
    if wait.size < FEWEST_IN_RING:
        return None
    gap = _beside(wait)
    index = int(np.argmax(gap))
    others = np.delete(gap, index)
    clear = gap[index] >= max(least, float(np.median(others)) + SURE * mad_sigma(others), ALONE * float(others.max()))
    return (index, float(gap[index])) if clear else None


def _beside(wait: Array) -> Array:
    """The time that both ranks beside each wait longer than it does; (..., ranks)."""
    return np.minimum(np.roll(wait, 1, axis=-1), np.roll(wait, -1, axis=-1)) - wait


def _in_most(indices: NDArray[np.int64], index: int) -> bool:
    return bool(np.mean(indices == index) >= MOST_LAUNCHES)


@dataclass(frozen=True, slots=True)
class Group:
    """A communicator among others of its kind, both counted from 0."""

    number: int
    count: int
    layout: str  # "consecutive" ranks, or every count-th ("strided")


def group_of(slow: NDArray[np.int64], ranks: int) -> Group | None:
    """The communicator that a set of ranks fills exactly: a block of consecutive ranks, or every n-th rank.

    So programs split a grid of ranks into rows and columns. None where the set is neither, or a single rank.
    """
    slow = np.sort(np.asarray(slow))
    size = slow.size
    if size < 2 or ranks % size or size == ranks:
        return None
    count = ranks // size
    if slow[0] % size == 0 and slow[-1] - slow[0] == size - 1:
        return Group(int(slow[0]) // size, count, "consecutive")
    if slow[0] < count and (np.diff(slow) == count).all():
        return Group(int(slow[0]), count, "strided")
    return None


def slow_together(times: Array, least_effect: float) -> NDArray[np.int64]:
    """Indices of ranks that are slow together: those above the only gap that splits all times into two clear groups.

    The gap in the logarithms must be at least `least_effect`, and larger than the spread inside each group. Fewer than
    half of the ranks; empty where there is no such gap.
    """
    logs = np.log(np.asarray(times, dtype=float))
    order = np.argsort(logs)
    gaps = np.diff(logs[order])
    start = (logs.size + 1) // 2  # at least half are normal
    if gaps[start - 1:].size == 0:
        return np.array([], dtype=np.int64)
    at = start - 1 + int(np.argmax(gaps[start - 1:]))
    low, high = logs[order[:at + 1]], logs[order[at + 1:]]
    inside = max(np.ptp(low), np.ptp(high))
    return np.sort(order[at + 1:]) if gaps[at] >= max(least_effect, inside) else np.array([], dtype=np.int64)
