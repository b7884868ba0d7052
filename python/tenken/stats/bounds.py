"""What an undisturbed measurement may have been at best. Another's load only lengthens times: exact bounds, pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tenken.stats.robust import MAD_TO_SIGMA

OUTLYING, LEAST_EXCESS = 5.0, 0.02  # spreads above the median, and part of it: what is longer was interrupted visibly


def least_median(samples: ArrayLike, lost: float) -> float:
    """The smallest median that `samples` may have had before `lost` was added to them in all.

    A median falls to m when the lower half and the middle are no more than m. Of all ways to take `lost` away the one
    that lowers the median most takes the same level off the top of that half: sum of (x - m) over it equals `lost`.
    Not below 0.
    """
    ordered = np.sort(np.asarray(samples, dtype=float))
    half = ordered[: ordered.size // 2 + 1]
    if lost <= 0 or half.size == 0:
        return float(np.median(ordered)) if ordered.size else 0.0
    level = _level(half, lost)
    lowered = np.concatenate([np.minimum(half, level), ordered[half.size:]])
    return float(np.median(lowered))


def visible_excess(samples: ArrayLike) -> NDArray[np.float64]:
    """Of each sample, what it is longer than the median, where that is no ordinary noise; shape of `samples`.

    `samples`: (..., repetitions). What outliers show of a loss cannot be under the median as well.
    """
    values = np.asarray(samples, dtype=float)
    if values.shape[-1] == 0:
        return np.zeros(values.shape)
    middle = np.nanmedian(values, axis=-1, keepdims=True)
    spread = MAD_TO_SIGMA * np.nanmedian(np.abs(values - middle), axis=-1, keepdims=True)
    excess = values - middle
    with np.errstate(invalid="ignore"):
        return np.where(excess > np.maximum(OUTLYING * spread, LEAST_EXCESS * middle), excess, 0.0)


def least_jitter(samples: ArrayLike, lost: float) -> float:
    """A MAD/median that `samples` had at least before `lost` was added to them in all.

    Half of the samples are within m (1 - j) and m (1 + j) of their median m. Of every window that holds half of them the
    top is lowered as `lost` allows, to T; its lowest sample x stays, and (1 + j)/(1 - j) = T/x.
    """
    ordered = np.sort(np.asarray(samples, dtype=float))
    wanted = (ordered.size + 1) // 2
    least = np.inf
    for start in range(ordered.size - wanted + 1):
        low = ordered[start]
        if low > 0:
            ratio = max(_level(ordered[start:start + wanted], lost), low) / low
            least = min(least, (ratio - 1) / (ratio + 1))
    return float(least) if np.isfinite(least) else 0.0


def _level(ordered: NDArray[np.float64], lost: float) -> float:
    """The level m that the top of `ordered` sinks to where sum of (x - m)+ is `lost`; not below 0."""
    down = ordered[::-1]
    levels = (np.cumsum(down) - lost) / np.arange(1, down.size + 1)
    below = np.append(down[1:], -np.inf)
    return max(float(levels[np.argmax(levels >= below)]), 0.0)
