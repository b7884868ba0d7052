"""A figure of a case through time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The figure of a run or accepted sitting: the median over its launches."""

    run: str
    started: str  # ISO 8601, UTC
    value: float | None  # in the unit of the history; None where no launch was good
    spread: float | None  # MAD over launches; None where it is not known
    verdict: str  # of the case in that run; "" where only the accepted file is left
    accepted: bool
    changes: tuple[str, ...] = ()  # sentences on the differences of its environment from that of the point before
    doubt: str = ""  # why its time cannot be right
    formerly: str = ""  # the case's older name, where it was measured under that


@dataclass(frozen=True, slots=True)
class History:
    """A quantity of a resolved case on a node class, oldest point first."""

    case_id: str
    node_class: str
    case_hash: str
    name: str  # of the quantity: "metric:triad/8192", "time:solve/operator"
    unit: str
    better: str  # higher | lower
    points: tuple[HistoryPoint, ...]
