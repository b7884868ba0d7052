"""A contract: the promises of a machine, the figures of a run, and the waivers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tenken.model.verdict import EXIT_BAD, EXIT_INCOMPLETE, EXIT_OK, EXIT_WARN


class Held(Enum):
    """The answer of a run on a clause."""

    MET = "met"
    WAIVED = "waived"  # not met, and somebody answers for it until a date
    NOT_JUDGED = "not judged"
    UNMET = "not met"


_BEST_FIRST = tuple(Held)
EXIT_CODES = {Held.MET: EXIT_OK, Held.WAIVED: EXIT_WARN, Held.NOT_JUDGED: EXIT_INCOMPLETE, Held.UNMET: EXIT_BAD}


def worst(states: list[Held]) -> Held:
    """The state of the whole of `states`; NOT_JUDGED of none."""
    return max(states, key=_BEST_FIRST.index, default=Held.NOT_JUDGED)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A figure that a clause promises. `limit` is a least value where more is better, else a most value."""

    clause: str
    text: str  # as the contract words it
    case: str  # check:case
    metric: str  # a metric of that check, with /AT a value that it is repeated over
    limit: float
    unit: str
    pick: str = ""  # best | worst of the values that the metric is repeated over


@dataclass(frozen=True, slots=True)
class Waiver:
    clause: str
    owner: str  # who answers for it
    reason: str
    expires: str  # ISO date (UTC): the last day on which it counts


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a contract as read."""

    title: str
    source: str  # the file, for sentences on mistakes in it
    requirements: tuple[Requirement, ...]
    waivers: tuple[Waiver, ...]


@dataclass(frozen=True, slots=True)
class RequirementResult:
    requirement: Requirement
    held: Held
    why: str  # a sentence
    better: str  # higher | lower: which side of the limit is promised
    value: float | None  # in the unit of the requirement; None where there is none or a wrong answer forbids it
    at_best: float | None  # `value` without the cost of other load; None where that is nothing
    evidence: str  # statistic, number of launches, proof, verdict of the case
    next_command: str


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """A clause is its worst requirement; a waiver in force turns "not met" into "waived", unless an answer is wrong."""

    clause: str
    held: Held
    results: tuple[RequirementResult, ...]
    waiver: Waiver | None  # None: nobody waived it
    expired: bool  # the waiver is past its date and counts no longer


@dataclass(frozen=True, slots=True)
class Contract:
    """The acceptance sheet."""

    title: str
    run: str  # name of its folder
    machine: str
    started: str  # of the run; ISO 8601, UTC
    as_of: str  # ISO date on which the waivers were compared with their expiry
    drill: bool  # a fault was injected, or the sitting was named: nothing is met
    held: Held
    exit_code: int
    clauses: tuple[ClauseResult, ...]
