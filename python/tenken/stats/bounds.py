"""The best that an undisturbed measurement may have been. Other load only lengthens times: exact bounds, pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from tenken.base.rows import LEAST_EXCESS, MAD_TO_SIGMA, OUTLYING, Array, Rows, medians
from tenken.stats.robust import median

_AT_ONCE = 1 << 18  # samples of windows that are looked at together


def least_median(samples: ArrayLike, lost: float) -> float:
    """The smallest median that `samples` may have had before `lost` was added to them in all.

    A median falls to m when the lower half and the middle are no more than m. Of all ways to take `lost` away the way
    that lowers the median most takes the same level off the top of that half: sum of (x - m) over it equals `lost`.
    Not below 0.
    """
    ordered = np.sort(np.asarray(samples, dtype=float))
    half = ordered[: ordered.size // 2 + 1]
    if lost <= 0 or half.size == 0:
        return median(ordered) if ordered.size else 0.0
    level = _levels(half[None, ::-1], lost)[0]
    lowered = np.concatenate([np.minimum(half, level), ordered[half.size:]])
    return median(lowered)


def visible_excess(samples: ArrayLike) -> NDArray[np.float64]:
    """Of each sample, its excess over the median, where that is no ordinary noise; shape of `samples`.

    `samples`: (..., repetitions). Loss that outliers show cannot be under the median as well.
    """
    values = np.asarray(samples, dtype=float)
    if values.shape[-1] == 0:
        return np.zeros(values.shape)
    middle = medians(values)[..., None]
    spread = MAD_TO_SIGMA * medians(np.abs(values - middle))[..., None]
    excess = values - middle
    with np.errstate(invalid="ignore"):
        return np.where(excess > np.maximum(OUTLYING * spread, LEAST_EXCESS * middle), excess, 0.0)


def stretched(samples: Array, part: Array) -> Array:
    """The time beside the median that a load of at most `part` of any moment may have added, in all of each row (rows,).

    A sample that takes the median m by itself takes m / (1 - part) at most: a longer sample was stopped. `samples`: (rows,
    repetitions), NaN where there is none; part (rows,) from 0 to 1.
    """
    middle, part = medians(samples)[:, None], part[:, None]
    with np.errstate(divide="ignore"):
        most = np.where(part > 0, middle * part / (1.0 - part), 0.0)
    return np.asarray(np.nansum(np.clip(samples - middle, 0.0, most), axis=1))


def least_medians(samples: Array, lost: Array) -> Array:
    """`least_median` of each row of `samples` (rows, repetitions), with the loss of each (rows,). None is missing."""
    ordered = np.sort(samples, axis=1)
    n = ordered.shape[1]
    level = np.full(len(ordered), np.inf)
    if lost.any():
        level = np.where(lost > 0, _levels(ordered[:, n // 2::-1], lost[:, None]), level)
    return (np.minimum(ordered[:, (n - 1) // 2], level) + np.minimum(ordered[:, n // 2], level)) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Outliers:
    """The outliers of each row of samples, computed once for all losses; arrays of the same shape (rows, repetitions)."""

    samples: Array
    price: Array  # the loss that explains an outlier and all smaller ones of its row, ascending; infinite of other samples
    order: NDArray[np.intp]  # place in its row of each price


def outliers(samples: Array) -> Outliers:
    """`samples`: (rows, repetitions), none missing."""
    excess = visible_excess(samples)
    order = np.argsort(excess, axis=1)
    ascending = np.take_along_axis(excess, order, axis=1)
    return Outliers(samples, np.where(ascending > 0, np.cumsum(ascending, axis=1), np.inf), order)


def uninterrupted(of: Outliers, lost: Array, rounding: float) -> Array:
    """Each row of samples without the part of its loss that its outliers show (rows,).

    The time of an interrupted repetition without it is unknown: it may have been the fastest. `rounding`: of a loss,
    counters are read beside the samples.
    """
    paid = of.price <= (1 + rounding) * lost[:, None]
    if not paid.any():
        return of.samples
    where = np.zeros(paid.shape, dtype=bool)
    np.put_along_axis(where, of.order, paid, axis=1)
    return np.where(where, of.samples.min(axis=1, keepdims=True), of.samples)


def most_hidden(rows: Rows, hidden: Array, lost: Array) -> Array:
    """The most that may hide in the median of each row, where only its figures are known (rows,).

    `hidden`: the part of `lost` that no outlier shows. An outlier exceeds 5 spreads and 2 % of the median, so that as many
    can have been paid for as that fits into the loss; each, taken for the fastest, moves the median down by one place. A
    tenth of the samples lie below `low`: as long as the places in between are not used up, the median stays above `low`
    less the part taken off them; where they are, above the least less the part taken off half of all. With no outlier paid
    for it falls by no more than the hidden part: the middle sample itself has to come down.
    """
    beyond = np.maximum(OUTLYING * MAD_TO_SIGMA * rows.mad, LEAST_EXCESS * rows.median)
    paid = np.floor(1.01 * np.minimum(rows.outlying, lost) / np.maximum(beyond, 1e-300))
    between = np.floor(0.4 * rows.count) - paid - 2
    to_least = rows.median - rows.least + hidden / np.maximum(np.floor(rows.count / 2), 1)
    to_low = np.where(between > 0, rows.median - rows.low + hidden / np.maximum(between, 1), np.inf)
    unpaid = np.where(paid < 1, hidden, np.inf)
    most = np.minimum(np.minimum(to_least, to_low), np.minimum(unpaid, rows.median))
    return np.where(lost > 0, most, 0.0)


def least_jitter(samples: ArrayLike, lost: float) -> float:
    """A MAD/median that `samples` had at least before `lost` was added to them in all.

    Half of the samples are within m (1 - j) and m (1 + j) of their median m. Of every window that holds half of them the
    top is lowered as `lost` allows, to T; its lowest sample x stays, and (1 + j)/(1 - j) = T/x.
    """
    ordered = np.sort(np.asarray(samples, dtype=float))
    wanted = (ordered.size + 1) // 2
    starts = np.flatnonzero(ordered[: ordered.size - wanted + 1] > 0)
    least = np.inf
    parts = min(1 + starts.size * wanted // _AT_ONCE, starts.size)
    for some in np.array_split(starts, parts) if parts else ():
        windows, low = sliding_window_view(ordered, wanted)[some], ordered[some]
        ratio = np.maximum(_levels(windows[:, ::-1], lost), low) / low
        least = min(least, float(((ratio - 1) / (ratio + 1)).min()))
    return least if np.isfinite(least) else 0.0


def _levels(down: Array, lost: Array | float) -> Array:
    """Of each row (descending) the level m that its top sinks to where sum of (x - m)+ is `lost`; not below 0."""
    rows, n = down.shape
    levels = (down.cumsum(axis=1) - lost) / np.arange(1, n + 1)
    reached = np.ones((rows, n), dtype=bool)  # the last sample of a row has none below it
    np.greater_equal(levels[:, :-1], down[:, 1:], out=reached[:, :-1])
    return np.maximum(levels[np.arange(rows), reached.argmax(axis=1)], 0.0)
