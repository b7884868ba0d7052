"""Baselines: what a case showed before on the same node class, sitting by sitting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tenken.model.sitting import Occasion


@dataclass(frozen=True, slots=True)
class Quantity:
    """One judged figure of one case: a metric of check.toml, a section's time, loss or jitter, or the clock of its cores."""

    name: str  # "metric:triad/8192", "time:solve", "loss:…", "jitter:…", "clock:plain", "clock:vectors", "distance:cores"
    unit: str
    better: str  # higher | lower
    klass: str  # compute | memory | latency | bandwidth | io


@dataclass(frozen=True, slots=True)
class LaunchValues:
    """What one valid launch showed. `values` has one number for each quantity, by name.

    Where other hardware threads were on its cores the values are bounds: undisturbed, each lay between `values` and `best`.
    """

    launch: int
    values: dict[str, float]
    best: dict[str, float] = field(default_factory=dict)  # by name, where it differs from the value

    def at_best(self) -> dict[str, float]:
        return {name: self.best.get(name, value) for name, value in self.values.items()}


@dataclass(frozen=True, slots=True)
class Sitting:
    """What an accepted run holds of one case; runs of one occasion are joined before anything is held against them."""

    id: str  # unique: name of the run, of several that are joined the first
    started: str  # ISO 8601, UTC
    hosts: tuple[str, ...]
    environment: dict[str, Any]  # a recorded factor, never part of the key
    launches: tuple[LaunchValues, ...]
    formerly: str = ""  # the case's older name, where it was accepted under that
    occasion: Occasion = Occasion()


@dataclass(frozen=True, slots=True)
class Baseline:
    """Accepted sittings of one case on one node class, oldest first."""

    node_class: str
    case_id: str
    case_hash: str  # of the resolved case
    quantities: tuple[Quantity, ...]
    sittings: tuple[Sitting, ...]
