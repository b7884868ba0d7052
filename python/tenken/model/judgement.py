"""The input and output of a check's own judge (checks/NAME/judge.py), of a case and of a study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tenken.model.assessment import AxisResult, Finding
from tenken.model.check import Case, Check, Study
from tenken.model.machine import Offer
from tenken.model.run import Measured
from tenken.model.study import StudyTable
from tenken.model.verdict import Axis


@dataclass(frozen=True, slots=True)
class ToJudge:
    """A case with a measured launch or more."""

    run: str  # name of the run, for the commands that findings end with
    check: Check
    case: Case
    measured: tuple[Measured, ...]
    ceilings: tuple[Offer, ...] = ()  # rates that the checks of this run measured, and for the rest those of earlier runs


@dataclass(frozen=True, slots=True)
class OwnJudgement:
    """`axes` take the place of the general judgement of speed, balance or steadiness. Validity is never replaced: findings
    are added to it, and `explained` names proofs whose failure these findings tell better.

    Without an axis of balance here, findings on balance come before those of the general judgement, whose reason ends with
    `beside`. `compared`: sections of which the check compares the communicators, by the members that its program recorded;
    the general judgement infers no communicator from the times of their ranks."""

    axes: tuple[AxisResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    explained: tuple[str, ...] = ()
    beside: str = ""
    compared: tuple[str, ...] = ()

    def on(self, axis: Axis) -> tuple[AxisResult, list[Finding]] | None:
        """The result of an axis with its findings; None where the general judgement stands."""
        result = next((other for other in self.axes if other.axis is axis), None)
        return None if result is None else (result, self.about(axis))

    def about(self, axis: Axis) -> list[Finding]:
        return [finding for finding in self.findings if finding.axis is axis]


@dataclass(frozen=True, slots=True)
class StudyToTell:
    """A study with those of its points that have a right answer, in the order of its axes."""

    study: Study
    points: tuple[ToJudge, ...]


@dataclass(frozen=True, slots=True)
class StudyTold:
    """The report of a check on a study as a whole, beside its figures: nothing that is judged."""

    tables: tuple[StudyTable, ...] = ()
    notes: tuple[str, ...] = ()


Judge = Callable[[ToJudge], OwnJudgement]
Teller = Callable[[StudyToTell], StudyTold]
