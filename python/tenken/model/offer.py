"""A rate that one check measured for all others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """One rate that is a ceiling: flop/s of one core, bytes/s of memory of one node, else of the whole launch."""

    what: str  # flop | memory | network | io
    precision: str
    metric: str  # check.metric
    case_id: str
    node_class: str
    cores: int  # of a node, that worked
    rate: float
    by: str | None  # what the rate is a curve over
    size: float | None  # on that curve; of memory: bytes touched on one node
    uncached: bool  # of memory: the size is at least twice the last-level cache
    disturbed: bool  # by other load
    hz: float | None  # median frequency of its cores
    date: str | None = None  # of an earlier run
    at_best: float | None = None  # `rate` without what other load may have cost; None where that is nothing
    pages: str | None = None  # base or huge, as measured, else as asked for; None where mixed or not stated

    @property
    def check(self) -> str:
        return self.metric.partition(".")[0]

    @property
    def kind(self) -> tuple[str, str, bool, str | None]:
        """What one offer can stand in for."""
        return self.what, self.precision, self.uncached, self.pages
