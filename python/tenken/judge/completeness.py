"""The verdict of a run: its worst case, and never green where too much could not be judged."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.judge.limits import JUDGED_PART
from tenken.model.assessment import CaseAssessment
from tenken.model.verdict import Verdict, worst


def run_verdict(cases: Sequence[CaseAssessment]) -> Verdict:
    """The worst verdict of `cases`; INCOMPLETE where that would be OK although a micro-benchmark, or more than one planned
    case in ten, was not judged on all axes that it has ground for."""
    found = worst(case.verdict for case in cases)
    if found is not Verdict.OK:
        return found
    judged = sum(case.judged for case in cases)
    bare = any(case.micro_benchmark and not case.judged for case in cases)
    return Verdict.INCOMPLETE if bare or judged < JUDGED_PART * len(cases) else Verdict.OK
