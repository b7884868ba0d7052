"""Two environments compared for a release: the plan and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tenken.model.assessment import Finding
from tenken.model.baseline import Difference
from tenken.model.machine import Machine
from tenken.model.verdict import EXIT_BAD, EXIT_NOTHING_JUDGED, EXIT_OK, EXIT_WARN


class Decision(Enum):
    """Whether the second environment can take the place of the first."""

    RELEASE = "release"
    RESTRICT = "release with restrictions"
    HOLD = "hold"
    UNDECIDED = "not enough evidence"


EXIT_CODES = {
    Decision.RELEASE: EXIT_OK, Decision.RESTRICT: EXIT_WARN, Decision.HOLD: EXIT_BAD,
    Decision.UNDECIDED: EXIT_NOTHING_JUDGED,
}


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """Two runs whose launches were made in pairs: A, as users have it, and B, as they may get it."""

    name: str  # folder name
    folder: str
    suite: str  # the compared suite, as typed
    started: str  # ISO 8601, UTC
    seed: int  # of the order of cases and of who goes first in a pair
    environments: tuple[str, str]  # names of A and B
    runs: tuple[str, str]  # names of their runs, beside the folder
    essential: tuple[str, ...]  # checks and cases in which slower is no restriction but a reason to hold
    most_pairs: int  # of a case: no more are made, however little they tell


@dataclass(frozen=True, slots=True)
class PairedQuantity:
    """A quantity of a case in both environments."""

    quantity: str  # as in a baseline: "metric:NAME", "time:PATH", "loss:PATH", "jitter:PATH"
    section: str | None
    kind: str  # of the section: compute | comm | io | wait; "" where it has none
    unit: str
    better: str
    klass: str
    word: str  # alike | slower | seems slower | faster | not enough evidence
    first: float  # median over the launches of A, in `unit`
    second: float  # of B
    ratio: float  # time of B over time of A, from the pairs: above 1 is slower, for rates too; loss and jitter (1 + x)
    interval: tuple[float, float]  # of the ratio, 95 %
    detectable: float  # smallest slowdown that would have been detected in 8 of 10 cases
    pairs: int
    least: float  # slowdown below which it does not matter


@dataclass(frozen=True, slots=True)
class CaseComparison:
    id: str
    check: str
    decision: Decision
    reason: str  # a sentence
    essential: bool
    answers: tuple[str, str]  # right | wrong | crashed | hung | slow | refused | unproven | unavailable | impossible | none
    findings: tuple[Finding, ...]  # findings that hold B back or restrict it, worst first
    quantities: tuple[PairedQuantity, ...]
    pairs: int  # measured


@dataclass(frozen=True, slots=True)
class CheckComparison:
    name: str
    title: str
    decision: Decision
    cases: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer."""

    plan: ComparisonPlan
    state: str  # finished | interrupted
    seconds: float | None
    decision: Decision
    reason: str
    exit_code: int
    drill: bool  # a fault was injected, or the sitting was named (TENKEN_SITTING)
    machine: Machine
    checks: tuple[CheckComparison, ...]
    cases: tuple[CaseComparison, ...]
    findings: tuple[Finding, ...]  # of all cases, worst first
    differences: tuple[Difference, ...]  # of B from A
    notes: tuple[str, ...]
