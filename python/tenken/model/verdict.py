"""Verdicts, axes and the worst of several."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """The judgement of an axis, a case or a run."""

    OK = "OK"
    WARN = "WARN"
    FAIL = "FAIL"
    INVALID = "INVALID"
    ERROR = "ERROR"
    NOT_JUDGED = "NOT JUDGED"
    INCOMPLETE = "INCOMPLETE"  # of a run only: no worse verdict, but too little could be judged


class Axis(Enum):
    """The six questions put to every case."""

    VALIDITY = "validity"
    SPEED = "speed"
    CHANGE = "change"
    BALANCE = "balance"
    STEADINESS = "steadiness"  # loss and jitter
    TRUST = "trust"


# A run or case is INVALID > FAIL > ERROR > WARN > INCOMPLETE > OK over its judged parts.
_SEVERITY = {
    Verdict.NOT_JUDGED: 0,
    Verdict.OK: 1,
    Verdict.INCOMPLETE: 2,
    Verdict.WARN: 3,
    Verdict.ERROR: 4,
    Verdict.FAIL: 5,
    Verdict.INVALID: 6,
}

EXIT_OK, EXIT_WARN, EXIT_BAD, EXIT_NOTHING_JUDGED, EXIT_INCOMPLETE = 0, 1, 2, 3, 4


def severity(verdict: Verdict) -> int:
    """Rank of a verdict; NOT JUDGED is 0, because a verdict without evidence does not count."""
    return _SEVERITY[verdict]


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst judged verdict, or NOT JUDGED where none was judged."""
    return max(verdicts, key=severity, default=Verdict.NOT_JUDGED)


def exit_code(verdict: Verdict) -> int:
    """Exit code of a run: 0 OK, 1 WARN, 2 INVALID, FAIL or ERROR, 3 nothing judged, 4 INCOMPLETE."""
    return {
        Verdict.OK: EXIT_OK,
        Verdict.WARN: EXIT_WARN,
        Verdict.NOT_JUDGED: EXIT_NOTHING_JUDGED,
        Verdict.INCOMPLETE: EXIT_INCOMPLETE,
    }.get(verdict, EXIT_BAD)
