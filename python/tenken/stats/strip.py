"""Thinning of a long series for drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def thin(samples: ArrayLike, points: int) -> tuple[float, ...]:
    """At most `points` (>= 2) samples in time order that keep every visible extreme.

    The series is cut into points/2 equal stretches; each gives its minimum and maximum in the order they came.
    """
    values = np.asarray(samples, dtype=float)
    if values.size <= points:
        return tuple(values.tolist())
    size, longer = divmod(values.size, points // 2)  # the first stretches are longer by a sample
    thinned: list[float] = []
    for stretches in (values[: longer * (size + 1)].reshape(-1, size + 1), values[longer * (size + 1):].reshape(-1, size)):
        if stretches.size:
            ends = np.sort(np.stack([stretches.argmin(axis=1), stretches.argmax(axis=1)], axis=1), axis=1)
            extremes = np.take_along_axis(stretches, ends, axis=1)
            thinned += [value for (first, last), pair in zip(ends.tolist(), extremes.tolist(), strict=True)
                        for value in pair[: 1 if first == last else 2]]
    return tuple(thinned)
