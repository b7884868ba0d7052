"""Time that the median of a rank does not see, without the time that other load took from it. Pure."""

from __future__ import annotations

import numpy as np

from tenken.stats.space import Array


def lost_time(more: Array, seen: Array, taken: Array) -> Array:
    """Loss of each section, and last of all of them together: (launches, sections + 1, ranks).

    more: elapsed - n x median, seen: n x median, both (launches, sections, ranks); taken (launches, sections + 1, ranks): time
    that other load may have added to each. A loss shrinks by it, but not below 0.
    """
    more = np.concatenate([more, more.sum(axis=1, keepdims=True)], axis=1)
    seen = np.concatenate([seen, seen.sum(axis=1, keepdims=True)], axis=1)
    own = np.where(more > 0, np.maximum(more - taken, 0.0), more)
    return np.divide(own, seen, out=np.zeros(more.shape), where=seen > 0)


def shares(taken: Array, seen: Array) -> Array:
    """`taken` in units of n x median; shapes as in `lost_time`."""
    whole = np.concatenate([seen, seen.sum(axis=1, keepdims=True)], axis=1)
    return np.divide(taken, whole, out=np.zeros(taken.shape), where=whole > 0)


def of_rank(values: Array) -> Array:
    """Of each rank the median over launches; values (launches, ranks)."""
    return np.asarray(np.median(values, axis=0))
