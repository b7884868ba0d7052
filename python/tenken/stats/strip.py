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
    kept: list[float] = []
    for stretch in np.array_split(values, points // 2):
        kept += [float(stretch[i]) for i in sorted({int(stretch.argmin()), int(stretch.argmax())})]
    return tuple(kept)
