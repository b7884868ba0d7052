"""Baselines: the figures of a case before on the same node class, sitting by sitting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tenken.model.sitting import Occasion


@dataclass(frozen=True, slots=True)
class Quantity:
    """A judged figure of a case: a metric of check.toml, a section's time, loss or jitter, or the clock of its cores."""

    name: str  # "metric:triad/8192", "time:solve", "loss:…", "jitter:…", "clock:plain", "clock:vectors", "distance:cores"
    unit: str
    better: str  # higher | lower
    klass: str  # compute | memory | latency | bandwidth | io


@dataclass(frozen=True, slots=True)
class LaunchValues:
    """The figures of a valid launch. `values` has a number for each quantity, by name.

    Where other hardware threads were on its cores the values are bounds: undisturbed, each lay between `values` and `best`.
    """

    launch: int
    values: dict[str, float]
    best: dict[str, float] = field(default_factory=dict)  # by name, where it differs from the value

    def at_best(self) -> dict[str, float]:
        return {name: self.best.get(name, value) for name, value in self.values.items()}


@dataclass(frozen=True, slots=True)
class Sitting:
    """The part of an accepted run that is of a case; runs of an occasion are joined before anything is compared with them."""

    id: str  # unique: name of the run, of several that are joined the first
    started: str  # ISO 8601, UTC
    hosts: tuple[str, ...]
    environment: dict[str, Any]  # a recorded factor, never part of the key
    launches: tuple[LaunchValues, ...]
    formerly: str = ""  # the case's older name, where it was accepted under that
    occasion: Occasion = Occasion()


@dataclass(frozen=True, slots=True)
class Baseline:
    """Accepted sittings of a case on a node class, oldest first."""

    node_class: str
    case_id: str
    case_hash: str  # of the resolved case
    quantities: tuple[Quantity, ...]
    sittings: tuple[Sitting, ...]
