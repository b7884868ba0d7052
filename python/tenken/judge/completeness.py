"""The verdict of a run: its worst case, and never green where too much could not be judged."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from math import ceil

from tenken.base.words import plural
from tenken.model.assessment import CaseAssessment, Unjudged
from tenken.model.limits import COMPLETE_PART
from tenken.model.verdict import Verdict, worst

BUSY, LOAD = "the node was busy", "other load"
MOST_NAMED = 6  # cases in a command
OF_THIS_CASE = re.compile(r" \([^()]*by itself: [^()]*\)")  # in the reason of a case that the budget of a suite left out
MISSING_PARAMETER = re.compile(r"--set [a-z_]+=[A-Z]+")  # in the reason of a program that lacks a value of the user


def run_verdict(cases: Sequence[CaseAssessment]) -> Verdict:
    """The worst verdict of `cases`; INCOMPLETE where that would be OK although load, or a counter or core that is missing, took
    ground from a micro-benchmark or from more than 1 planned case in 10."""
    verdict = worst(case.verdict for case in cases)
    if verdict is not Verdict.OK:
        return verdict
    complete = sum(case.complete for case in cases)
    bare = any(case.micro_benchmark and not case.complete for case in cases)
    return Verdict.INCOMPLETE if bare or complete < COMPLETE_PART * len(cases) else Verdict.OK


def unjudged(cases: Sequence[CaseAssessment]) -> tuple[Unjudged, ...]:
    """Axes that could not be judged although there is ground for it, a cause each."""
    groups: dict[tuple[str, bool], list[CaseAssessment]] = {}
    for case in cases:
        if not case.complete:  # cases of the same word together
            cause = BUSY if _busy(case) else OF_THIS_CASE.sub("", _why(case))
            groups.setdefault((cause, case.verdict is Verdict.NOT_JUDGED), []).append(case)
    return tuple(_unjudged(cause, group) for (cause, _), group in groups.items())


def _busy(case: CaseAssessment) -> bool:
    return case.trust is not None and case.trust.disturbed and LOAD in _why(case)


def _why(case: CaseAssessment) -> str:
    missing = (axis for axis in case.axes if axis.ground and axis.verdict is Verdict.NOT_JUDGED)
    return next((axis.reason for axis in missing), case.reason)


def _unjudged(cause: str, group: list[CaseAssessment]) -> Unjudged:
    ids = tuple(case.id for case in group)
    named = " ".join(shlex.quote(case_id) for case_id in ids[:MOST_NAMED])
    if cause == BUSY:
        sentence = f"{BUSY}: {plural(len(group), 'case')}; wait until the node is quiet, then run again: {_why(group[0])}"
        return Unjudged(sentence, ids, f"./tenken run {named} --launches 5")
    starved = [launch.needs_s for case in group for launch in case.launches if launch.status == "starved" and launch.needs_s]
    if starved:
        return Unjudged(cause, ids, f"./tenken run {named} --timeout {ceil(max(starved))}")
    many = f" ({plural(len(group), 'case')})" if len(group) > 1 else ""
    cause = cause if many else _why(group[0])
    if parameter := MISSING_PARAMETER.search(cause):
        return Unjudged(cause + many, ids, f"./tenken run {named} {parameter[0]}")
    if all(case.launches and all(launch.status == "lacking" for launch in case.launches) for case in group):
        return Unjudged(cause + many, ids, "./tenken list checks")  # a rerun here lacks the same
    never_ran = all(case.trust is None and not case.launches for case in group)
    return Unjudged(cause + many, ids, f"./tenken run {named} {'--yes' if never_ran else '--launches 5'}")
