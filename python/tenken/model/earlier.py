"""Figures of earlier runs of the same cases: evidence that stays where they are, in the run folder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """A quantity of a case in an earlier sitting."""

    case_id: str
    quantity: str  # as in a baseline
    unit: str
    better: str
    value: float  # median over its launches, without the cost of other load
    launches: int


@dataclass(frozen=True, slots=True)
class EarlierSitting:
    """A sitting that was not accepted, after all that were."""

    id: str  # name of the first of its runs
    started: str  # ISO 8601, UTC
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """The figure of a quantity in an earlier sitting, at the clock of the sitting that is judged."""

    sitting: str
    value: float
    launches: int
