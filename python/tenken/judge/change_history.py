"""Values of earlier sittings, made ready to hold a new one against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from tenken.judge import limits
from tenken.judge.change_rule import kind_of
from tenken.model.baseline import Quantity
from tenken.stats import nested
from tenken.stats.along import FEWEST_TOGETHER
from tenken.stats.change import History

Array = NDArray[np.float64]
EXCESSES = ("loss", "jitter")  # kinds that are a time over a time


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


def history_of(values: Array, quantities: tuple[Quantity, ...], cases: Sequence[str] | None = None) -> History:
    """`values` of shape (..., quantities, sittings, launches), scaled; NaN where nothing was measured.

    cases: the case of each quantity; all of one case without.
    """
    kinds = [kind_of(quantity.name) for quantity in quantities]
    launches = (~np.isnan(values)).sum(axis=-1).astype(float)
    return History(
        sittings=nested.middle(values),
        launch_sigma=nested.launch_sigma(values),
        launches=np.nan_to_num(nested.middle(np.where(launches > 0, launches, np.nan)), nan=1.0),
        group=groups_of(quantities),
        kind=_numbers(kinds),
        votes=votes_of(quantities, [""] * len(quantities) if cases is None else cases),
        together=np.array([kind == "time" for kind in kinds], dtype=bool),
        floor=np.array([limits.SIGMA_FLOOR[kind] for kind in kinds]),
        guess=np.array([limits.SIGMA_GUESS[quantity.klass] for quantity in quantities]),
    )


def groups_of(quantities: tuple[Quantity, ...]) -> NDArray[np.int64]:
    """A number for each kind and class: the noise of such quantities is alike."""
    return _numbers([(kind_of(quantity.name), quantity.klass) for quantity in quantities])


def votes_of(quantities: tuple[Quantity, ...], cases: Sequence[str]) -> Array:
    """How much each quantity counts for the common shift: those of one case and class share one vote.

    A case of many sections, or a time beside its own rate, tells the day no better than one figure does. Where there are fewer
    cases and classes than a common shift takes, every quantity has one vote.
    """
    cells = [(case, one.klass) if kind_of(one.name) == "time" else None for case, one in zip(cases, quantities, strict=True)]
    sizes = Counter(cells)
    if len(set(cells) - {None}) < FEWEST_TOGETHER:
        return np.ones(len(cells))
    return np.array([1.0 if cell is None else 1.0 / sizes[cell] for cell in cells])


def _numbers(keys: Sequence[Hashable]) -> NDArray[np.int64]:
    numbers = {key: index for index, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys], dtype=np.int64)
