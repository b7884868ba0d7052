"""Figures of a case before: baselines by sitting, earlier runs, histories, and facts that differ from before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


# The place and purpose of a run, which decide of which sitting it is.

SITTING = "sitting"  # where the environment of a run tells it


@dataclass(frozen=True, slots=True)
class Occasion:
    """The common facts of the runs of a sitting. With a name the run is a drill or a test."""

    place: str = ""  # "slurm job 4711", "boot 6fd1..."; "" where it is not known
    name: str = ""  # that TENKEN_SITTING gave


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


def occasion_of(environment: Mapping[str, Any]) -> Occasion:
    """The facts in the environment of a run; older runs have none."""
    recorded = environment.get(SITTING)
    if not isinstance(recorded, Mapping):
        return Occasion()
    return Occasion(str(recorded.get("place") or ""), str(recorded.get("name") or ""))


# Figures of earlier runs of the same cases: evidence that stays where they are, in the run folder.

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
    disturbed: bool = False  # measured under other load: a time is an upper bound, a rate a lower bound


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


# Facts that differ from before, or from the other nodes.

@dataclass(frozen=True, slots=True)
class Difference:
    """A fact of the environment that differs: from an accepted sitting, or between the nodes of a run."""

    fact: str  # "governor", "bios", "modules", ...
    before: str  # the fact of the sitting, or of most nodes; of a set only the part that is gone
    now: str  # the fact of this run, or of `hosts`, instead; of a set only the part that has come
    hosts: tuple[str, ...]  # the nodes it is about; empty: all of the case
    against: str  # name of the sitting, or "63 other nodes"
    explains: tuple[str, ...]  # classes of metrics that it can change
    new: bool = True  # no accepted sitting had it so: False where an older sitting did


def sentence(difference: Difference) -> str:
    """"governor powersave instead of performance", "modules without gcc/12, with gcc/13"."""
    if difference.before and difference.now:
        return f"{difference.fact} {difference.now} instead of {difference.before}"
    if difference.now:
        return f"{difference.fact} with {difference.now}"
    return f"{difference.fact} without {difference.before}"


_HOSTS = 4  # named in a sentence


def named(hosts: tuple[str, ...]) -> str:
    """"n1, n2, n3, n4 and 60 more"."""
    return ", ".join(hosts[:_HOSTS]) + (f" and {len(hosts) - _HOSTS} more" if len(hosts) > _HOSTS else "")


def placed(difference: Difference) -> str:
    """The sentence, with the nodes where it is not so on all of them."""
    return sentence(difference) + (f" on {named(difference.hosts)}" if difference.hosts else "")
