"""Locations of many quantities that do not all have a whole vote: those of the same case and class share theirs.

Arrays are (..., quantities); NaN does not vote.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NEAR = 1e-9  # of all votes: sums of fractions that are equal by arithmetic


def quantile(values: Array, votes: Array, part: float) -> Array:
    """The value that `part` of the votes do not exceed, (...); the mean of two where they are met exactly, NaN without votes.

    `votes` (quantities,) above 0. With equal votes and part 1/2 it is the median.
    """
    low, high = _pair(values, votes, part)
    result: Array = (low + high) / 2
    return result


def middle(values: Array, votes: Array) -> Array:
    """Median of the votes, (...)."""
    return quantile(values, votes, 0.5)


def agreed(values: Array, votes: Array) -> Array:
    """The shift that more than half of the votes show, (...): their median; of the two middle values the value nearer to 0.

    Where exactly half of the votes moved, nothing says that the others did.
    """
    low, high = _pair(values, votes, 0.5)
    opposite = np.signbit(low) != np.signbit(high)
    result: Array = np.where(opposite, 0.0, np.where(np.abs(low) < np.abs(high), low, high))
    return np.where(np.isnan(low + high), np.nan, result)


def _pair(values: Array, votes: Array, part: float) -> tuple[Array, Array]:
    """The two values between which `part` of the votes lie, (...): the same twice unless the votes meet `part` exactly."""
    order = np.argsort(values, axis=-1)  # NaN sort to the end
    ordered = np.take_along_axis(values, order, -1)
    total = np.where(np.isnan(ordered), 0.0, votes[order]).cumsum(axis=-1)
    wanted, near = part * total[..., -1:], _NEAR * total[..., -1:]
    known = np.maximum((~np.isnan(ordered)).sum(axis=-1) - 1, 0)
    low = np.minimum((total < wanted - near).sum(axis=-1), known)
    high = np.minimum((total <= wanted + near).sum(axis=-1), known)
    return np.take_along_axis(ordered, low[..., None], -1)[..., 0], np.take_along_axis(ordered, high[..., None], -1)[..., 0]
