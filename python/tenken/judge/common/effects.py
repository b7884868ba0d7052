"""Quantities on a common scale: logarithms, larger is worse; the smallest effects that matter; and how an error is shared.

The simulation of error rates (docs/judge-rates.md) calls these very functions with a leading axis of independent runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from tenken.model import limits
from tenken.model.baseline import Quantity

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
EXCESSES = ("loss", "jitter")  # kinds that are a time over a time


@dataclass(frozen=True, slots=True)
class Demands:
    """Smallest effects of each quantity, in logarithms, shape (quantities,)."""

    warn: Array
    fail: Array  # infinite where a change is never a failure
    hopeless: Array  # detectable effect above which nothing is judged
    kind: NDArray[np.str_]  # time | loss | jitter: the quantities that share an error; clocks share that of times
    clock: Flags  # a faster clock is turbo, no finding


def kind_of(name: str) -> str:
    """time | loss | jitter | clock: metrics and section times are judged alike."""
    kind = name.split(":", 1)[0]
    return kind if kind in ("loss", "jitter", "clock") else "time"


def scaled(quantity: Quantity, value: float) -> float:
    """The value as logarithm, larger is worse; loss and jitter x as ln(1 + x): a time over a time. NaN where it has none."""
    if kind_of(quantity.name) in EXCESSES:
        return log1p(value) if value > -1 else float("nan")
    if not 0 < value < float("inf"):
        return float("nan")
    return log(value) if quantity.better == "lower" else -log(value)


def unscaled(quantity: Quantity, value: float) -> float:
    """The inverse of `scaled`."""
    if kind_of(quantity.name) in EXCESSES:
        return float(np.expm1(value))
    return float(np.exp(value if quantity.better == "lower" else -value))


def demands(quantities: tuple[Quantity, ...]) -> Demands:
    def each(quantity: Quantity) -> tuple[float, float, float]:
        kind, klass = kind_of(quantity.name), quantity.klass
        if kind == "loss":
            return limits.LOSS_WARN, limits.LOSS_FAIL, limits.LOSS_HOPELESS
        if kind == "jitter":
            return limits.JITTER[klass], np.inf, limits.LOSS_HOPELESS
        if kind == "clock":
            return limits.CLOCK_WARN, limits.CLOCK_FAIL, limits.CLOCK_HOPELESS
        return limits.CHANGE_WARN[klass], limits.CHANGE_FAIL[klass], limits.HOPELESS[klass]

    table = np.array([each(quantity) for quantity in quantities]).reshape(-1, 3)
    warn, fail, hopeless = np.log1p(table.T)
    kinds = np.array([kind_of(quantity.name) for quantity in quantities], dtype=str)
    return Demands(warn, fail, hopeless, np.where(kinds == "clock", "time", kinds), kinds == "clock")


def groups_of(quantities: tuple[Quantity, ...]) -> NDArray[np.int64]:
    """A number for each kind and class: the noise of such quantities is alike."""
    return numbered([(kind_of(quantity.name), quantity.klass) for quantity in quantities])


def tests_of(known: Flags, kinds: NDArray[np.str_]) -> Array:
    """The divisor of an error for each quantity: the quantities of its kind, over the share of the error of that kind."""
    tests = np.ones(known.shape)
    for kind, share in limits.ERROR_SHARE.items():
        inside = kinds == kind
        tests[..., inside] = np.maximum(known[..., inside].sum(axis=-1, keepdims=True), 1) / share
    return tests


def numbered(keys: Sequence[Hashable]) -> NDArray[np.int64]:
    """Equal keys have equal numbers, in the order in which they appear."""
    numbers = {key: index for index, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys], dtype=np.int64)
