"""Logarithmic axes: where a panel gets one, and its ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

_SPAN = 30  # greatest over least value: beyond that a linear axis shows the small values as nothing
_FEWEST, _MOST = 3, 9  # ticks
_STEPS = ((1.0,), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0), tuple(1 + step / 10 for step in range(90)))


def spans_decades(values: Sequence[float]) -> bool:
    """Whether a panel of these values gets a logarithmic axis."""
    return bool(values) and 0 < _SPAN * min(values) < max(values) < math.inf


def logarithmic(plot: Axes, axis: str, name: Callable[[float], str] | None = None) -> None:
    """Make `axis` ("x" or "y") of `plot` logarithmic within its limits, with at least three ticks."""
    plot.set(**{f"{axis}scale": "log"})
    ticks = decades(*(plot.get_xlim() if axis == "x" else plot.get_ylim()))
    lines = plot.xaxis if axis == "x" else plot.yaxis
    lines.set_minor_locator(NullLocator())
    lines.set_ticks(ticks, [(name or round_number)(tick) for tick in ticks])


def decades(low: float, high: float) -> list[float]:
    """Ticks between two positive limits: powers of ten with as many steps between them as give at most nine, at least three."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    of_steps = [[step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
                for steps in _STEPS]
    few = [ticks for ticks in of_steps[:2] if _FEWEST <= len(ticks) <= _MOST]
    enough = few[-1] if few else next((ticks for ticks in of_steps if len(ticks) >= _FEWEST), of_steps[-1])
    return enough[:: -(-len(enough) // _MOST) or 1]


def round_number(tick: float) -> str:
    """A round number without the zeros of a measured number: 0.5, 0.002, 20."""
    return f"{tick:g}"
