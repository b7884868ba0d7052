"""How far unchanged quantities stray: the tails of noise, learned from the earlier sittings themselves.

Each earlier sitting is compared with the others of its quantity, like a new sitting. These strays, in standard errors, are taken
as any of several shapes, each with its most likely scale: Student's t from nearly Cauchy to normal (K. L. Lange, R. J. A. Little,
J. M. G. Taylor, Robust statistical modeling using the t distribution, J. Am. Stat. Assoc. 84 (1989) 881), and two states, a few
strays being wider than the rest (J. W. Tukey, A survey of sampling from contaminated distributions, 1960). Shapes are weighted by
how likely they make the strays and by a prior. The limit for a new sitting at a given probability is read from the weighted
tails: few strays leave heavy tails possible, many rule them out or prove them.
Arrays are (..., quantities) or (..., quantities, sittings), NaN unknown; leading axes are independent runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tenken.stats.nested import independent
from tenken.stats.tails import log_density, t_tail

Array = NDArray[np.float64]

NORMAL = 1e7  # degrees of freedom
LEVELS = np.array([0.25, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7])  # probabilities that are tabulated


@dataclass(frozen=True, slots=True)
class Candidate:
    """Student's t, or normal with a part of the strays wider than the rest."""

    prior: float
    freedom: float = NORMAL
    part: float = 0.0
    wider: float = 1.0

    def density(self, z: Array) -> Array:
        """ln of the density at strays in units of its scale."""
        if self.part == 0:
            return log_density(z, self.freedom)
        narrow, wide = self._states(z)
        result: Array = np.logaddexp(narrow, wide)
        return result

    def weight(self, square: Array) -> Array:
        """The weight of a squared stray for the square of the scale (a step of expectation and maximisation)."""
        if self.part == 0:
            return (self.freedom + 1) / (self.freedom + square)
        narrow, wide = self._states(np.sqrt(square))
        chance = 1 / (1 + np.exp(np.minimum(narrow - wide, 700.0)))
        return 1 - chance * (1 - self.wider**-2)

    def tail(self, z: Array) -> Array:
        """P(Z > z)."""
        return (1 - self.part) * t_tail(z, self.freedom) + self.part * t_tail(z / self.wider, self.freedom)

    def _states(self, z: Array) -> tuple[Array, Array]:
        front = -0.5 * np.log(2 * np.pi)
        narrow = np.log(1 - self.part) + front - 0.5 * z**2
        return narrow, np.log(self.part / self.wider) + front - 0.5 * (z / self.wider) ** 2


CANDIDATES = (
    *(Candidate(prior, freedom) for prior, freedom in (
        (0.02, 2.0), (0.03, 2.5), (0.04, 3.0), (0.07, 4.0), (0.12, 6.0), (0.20, 10.0), (0.42, NORMAL))),
    *(Candidate(0.02, part=part, wider=wider) for part, wider in ((0.02, 3.0), (0.02, 7.0), (0.1, 3.0), (0.1, 5.0), (0.1, 7.0))),
)
FEWEST = 20  # strays: fewer have no shape
_ROUNDS = 8  # of the most likely scale: it converges by a factor of three or more a round
_LOW, _HIGH, _STEP = -4.0, 12.0, 0.04  # ln of a stray, in the table of tails
_HALVINGS = 24  # of the range of ln x: to 1e-6


def strays(residuals: Array, variance: Array, freedom: Array, floor: Array) -> Array:
    """Each sitting against the others of its quantity, over its standard error, as `residuals` (..., quantities, sittings).

    residuals: of sittings from their mean. variance, freedom (..., quantities): moderated variances and their degrees of freedom
    (`moderated.variances`): their sums of squares less that of the sitting. floor (..., quantities): of a standard deviation.
    """
    count = (~np.isnan(residuals)).sum(axis=-1)[..., None].astype(float)
    more = count / np.maximum(count - 1, 1.0)
    left = np.maximum(freedom[..., None] - 1, 1e-3)
    others = np.maximum((variance * freedom)[..., None] - residuals**2 * more, 0.0) / left
    sigma = np.sqrt(np.maximum(others, floor[..., None] ** 2) * more)
    return np.where(count > 2, residuals * more / sigma, np.nan)


def exceeded(stray: Array, residuals: Array, df: Array, kind: NDArray[np.int64]) -> Array:
    """ln of the limit that a stray of each quantity exceeds at the probabilities LEVELS: (..., quantities, levels); -inf unknown.

    stray: of `strays`, which quantities of a `kind` (quantities,) share. residuals, df: as in `moderated.independent`, which
    tells how much less than their number strays are worth that move together.
    """
    result = np.full((*stray.shape[:-1], LEVELS.size), -np.inf)
    for label in np.unique(kind):
        inside = kind == label
        mine = stray[..., inside, :]
        own = mine.reshape(*mine.shape[:-2], -1)
        rows = np.maximum((~np.isnan(mine)).any(axis=-1).sum(axis=-1), 1)
        worth = independent(residuals[..., inside, :], df[..., inside]) / rows
        weight, scale = _weighed(own, np.minimum(worth, 1.0))
        known = (~np.isnan(own)).sum(axis=-1) >= FEWEST
        level = np.where(known[..., None], _solve(weight, np.log(scale)), -np.inf)
        result[..., inside, :] = level[..., None, :]
    return result


def at(levels: Array, tail: Array) -> Array:
    """The limit exceeded with probability `tail`, (..., quantities), between the LEVELS of `exceeded`; 0 where none is known."""
    grid = np.log(LEVELS[::-1])
    wanted = np.clip(np.log(np.broadcast_to(tail, levels.shape[:-1])), grid[0], grid[-1])
    high = np.clip(np.searchsorted(grid, wanted), 1, grid.size - 1)
    part = (wanted - grid[high - 1]) / (grid[high] - grid[high - 1])
    last = LEVELS.size - 1
    less, more = (np.take_along_axis(levels, (last - index)[..., None], -1)[..., 0] for index in (high - 1, high))
    with np.errstate(invalid="ignore"):
        result: Array = np.where(np.isfinite(less), np.exp((1 - part) * less + part * more), 0.0)
    return result


def _weighed(own: Array, worth: Array) -> tuple[Array, Array]:
    """Weight and scale of each candidate for the strays `own` (..., n): (..., candidates)."""
    known = ~np.isnan(own)
    count = np.maximum(known.sum(axis=-1), 1)
    square = np.where(known, own**2, 0.0)
    weight, scale = [], []
    start = np.maximum(square.sum(axis=-1) / count, 1e-12)
    for candidate in CANDIDATES:
        variance = start
        for _ in range(_ROUNDS if candidate.freedom < NORMAL or candidate.part else 1):
            variance = np.maximum((square * candidate.weight(square / variance[..., None])).sum(axis=-1) / count, 1e-12)
        likely = np.where(known, candidate.density(np.sqrt(square / variance[..., None])), 0.0).sum(axis=-1)
        weight.append(np.log(candidate.prior) + worth * (likely - 0.5 * count * np.log(variance)))
        scale.append(np.sqrt(variance))
    logs = np.stack(weight, axis=-1)
    share = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return share / share.sum(axis=-1, keepdims=True), np.stack(scale, axis=-1)


@cache
def _tails() -> Array:
    """ln P(T > t) of every candidate over the grid of ln t: (candidates, points)."""
    grid = np.exp(np.arange(_LOW, _HIGH + _STEP, _STEP))
    return np.log(np.maximum(np.stack([candidate.tail(grid) for candidate in CANDIDATES]), 1e-300))


def _solve(weight: Array, scale: Array) -> Array:
    """ln x at which the weighted tails are LEVELS; weight and ln scale (..., candidates), result (..., levels)."""
    table = _tails()
    row = np.arange(len(CANDIDATES))
    low = np.full((*weight.shape[:-1], LEVELS.size), _LOW + 1)
    high = np.full(low.shape, _HIGH - 1)
    for _ in range(_HALVINGS):
        x = 0.5 * (low + high)
        point = np.clip((x[..., None] - scale[..., None, :] - _LOW) / _STEP, 0.0, table.shape[1] - 1.001)
        index = point.astype(np.int64)
        part = point - index
        logs = (1 - part) * table[row, index] + part * table[row, index + 1]
        above = (weight[..., None, :] * np.exp(logs)).sum(axis=-1) > LEVELS
        low, high = np.where(above, x, low), np.where(above, high, x)
    return 0.5 * (low + high)
