"""A rate that a check measured for all others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """A rate that is a ceiling: flop/s of a core, bytes/s of memory of a node, else of the whole launch."""

    what: str  # flop | memory | network | io
    precision: str
    metric: str  # check.metric
    case_id: str
    node_class: str
    cores: int  # of a node, that worked
    rate: float
    by: str | None  # the abscissa of the rate's curve
    size: float | None  # on that curve; of memory: bytes touched on a node
    uncached: bool  # of memory: the size is at least twice the last-level cache
    disturbed: bool  # by other load
    hz: float | None  # median frequency of its cores
    date: str | None = None  # of an earlier run
    at_best: float | None = None  # `rate` without the cost of other load; None where that is nothing
    pages: str | None = None  # base or huge, as measured, else as asked for; None where mixed or not stated

    @property
    def check(self) -> str:
        return self.metric.partition(".")[0]

    @property
    def kind(self) -> tuple[str, str, bool, str | None]:
        """Offers of the same kind may replace each other."""
        return self.what, self.precision, self.uncached, self.pages
