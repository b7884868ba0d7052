"""What is shown first. Selection and counting only: every figure and verdict is the judge's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tenken.model.assessment import (
    Assessment, AxisResult, CaseAssessment, Ceiling, CeilingFraction, Finding, MetricSummary, SectionSummary, Unjudged,
    Where,
)
from tenken.model.run import Launch
from tenken.model.verdict import Axis, Verdict, severity

_CEILING_KINDS = ("measured", "spec", "model")  # the best known first
_MAY_LACK_GROUND = (Axis.CHANGE, Axis.BALANCE, Axis.STEADINESS)
ENDED_BADLY = ("crashed", "hung", "slow", "starved", "interrupted", "refused")


@dataclass(frozen=True, slots=True)
class Point:
    """A report line: a finding, cases that a cause left unjudged, or a case that is not OK and has neither. Its verdict is
    that of the finding, else that of the case."""

    verdict: Verdict
    case: CaseAssessment
    what: str
    finding: Finding | None = None
    unjudged: Unjudged | None = None  # by a cause, in this case and others

    @property
    def is_open(self) -> bool:
        """It is about unjudged cases, and accuses nothing."""
        return self.unjudged is not None or self.verdict is Verdict.NOT_JUDGED

    @property
    def section(self) -> str | None:
        return self.finding.section if self.finding else None

    @property
    def where(self) -> Where:
        return self.finding.where if self.finding else Where()

    @property
    def next_command(self) -> str:
        if self.unjudged:
            return self.unjudged.next_command
        return self.finding.next_command if self.finding else ""

    @property
    def launches(self) -> tuple[Launch, ...]:
        """Launches of the case that ended badly; listed once, with the first point of the case."""
        first = not self.finding or self.finding is self.case.findings[0]
        return tuple(launch for launch in self.case.launches if launch.status in ENDED_BADLY) if first else ()


def points(assessment: Assessment) -> list[Point]:
    """All report lines, worst first; the judge's order inside a verdict."""
    cases = {case.id: case for case in assessment.cases}
    found = [
        Point(item.verdict, cases[item.case_id], item.what, item)
        for item in assessment.findings if item.case_id in cases
    ]
    found += [
        Point(cases[item.cases[0]].verdict, cases[item.cases[0]], item.what, unjudged=item)
        for item in assessment.unjudged if item.cases[0] in cases
    ]
    told = {point.case.id for point in found}.union(*(item.cases for item in assessment.unjudged))
    found += [Point(case.verdict, case, case.reason) for case in assessment.cases
              if case.verdict is not Verdict.OK and case.id not in told]
    return sorted(found, key=lambda point: (-severity(point.verdict) * (not point.is_open), point.verdict is Verdict.OK))


def counts(cases: Iterable[CaseAssessment]) -> dict[Verdict, int]:
    """Cases per verdict: OK first, then every other verdict that occurs."""
    verdicts = [case.verdict for case in cases]
    return {verdict: verdicts.count(verdict) for verdict in Verdict if verdict is Verdict.OK or verdict in verdicts}


def achieved(cases: Sequence[CaseAssessment]) -> list[str]:
    """What the first line counts: answers that are right, cases that are steady, cases whose speed was compared."""
    right, steady, compared = (sum(getattr(case, name) for case in cases) for name in ("right", "steady", "compared"))
    return [f"{right} of {len(cases)} right", f"{steady} steady", f"speed of {compared} compared"]


def coverage(assessment: Assessment) -> str:
    """Which nodes fewer cases ran on than on others; "" where all are alike.

    A case of a single rank runs on the first node alone, and is no evidence about the others.
    """
    measured = {node.host: 0 for node in assessment.machine.nodes}
    for case in assessment.cases:
        hosts = {rank.host for launch in case.launches if launch.status == "done" for rank in launch.ranks}
        for host in {assessment.machine.node(host).host for host in hosts}:
            measured[host] += 1
    groups: dict[int, list[str]] = {}
    for host, count in measured.items():
        groups.setdefault(count, []).append(host)
    if len(groups) < 2:
        return ""
    count = min(groups)
    names = groups[count][0] + (f" and {len(groups[count]) - 1} more" if len(groups[count]) > 1 else "")
    return f"{names}: {f'{count} of {len(assessment.cases)} cases' if count else 'not measured'}"


def without_limit(cases: Sequence[CaseAssessment]) -> str:
    """How many right answers have nothing to compare their speed with; "" where all have."""
    count = sum(case.right and not case.compared and case.complete for case in cases)
    return f"({count} {'has' if count == 1 else 'have'} no limit or baseline yet)" if count else ""


def all_ok(assessment: Assessment) -> bool:
    """Nothing to explain: every case OK, and the run was finished."""
    well = all(case.complete and case.verdict is Verdict.OK for case in assessment.cases)
    return well and assessment.state == "finished" and bool(assessment.cases)


def is_groundless(axis: AxisResult) -> bool:
    """Not judged, and nothing is missing for it: one rank has no balance, a first run no change."""
    return axis.axis in _MAY_LACK_GROUND and axis.verdict is Verdict.NOT_JUDGED and not axis.ground


def groundless(cases: Iterable[CaseAssessment]) -> list[tuple[str, str, list[str]]]:
    """(axis, reason, cases) of all axes without ground, each reason once for the run."""
    found: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        for axis in filter(is_groundless, case.axes):
            found.setdefault((axis.axis.value, axis.reason), []).append(case.id)
    return [(axis, reason, ids) for (axis, reason), ids in found.items()]


def worst_first(cases: Iterable[CaseAssessment]) -> list[CaseAssessment]:
    """OK last: a case that was not judged has no good news."""
    return sorted(cases, key=lambda case: (case.verdict is Verdict.OK, -severity(case.verdict)))


def binding(section: SectionSummary) -> CeilingFraction | None:
    """The ceiling that the section meets first."""
    return next((item for item in section.ceilings if item.binding), None)


def letter(ceiling: Ceiling) -> str:
    """F floating point peak, B memory bandwidth, N network; else the first letter of its name."""
    for word, sign in (("peak", "F"), ("memory", "B"), ("network", "N")):
        if ceiling.name.startswith(word):
            return sign
    return ceiling.name[:1].upper()


def slowest_section(case: CaseAssessment) -> SectionSummary | None:
    """The leaf that takes the largest share of a repetition; sections that run once per launch only without others."""
    leaves = [section for section in case.sections if section.leaf]
    return max(leaves, key=lambda section: (not section.once, section.share)) if leaves else None


def section_shown(case: CaseAssessment) -> SectionSummary | None:
    """The section of the first finding with a section, else the slowest: a row and the sentence above it are about the same."""
    found = (section_of(case, finding.section) for finding in case.findings)
    return next((section for section in found if section is not None), None) or slowest_section(case)


def section_of(case: CaseAssessment, path: str | None) -> SectionSummary | None:
    return next((section for section in case.sections if section.path == path), None)


def headline(case: CaseAssessment) -> MetricSummary | None:
    """The metric that check.toml names, at the most threads or the smallest message; else the metric with the best-known
    ceiling (measured before spec before model, of this run before older runs)."""

    def order(metric: MetricSummary) -> tuple[bool, int, bool, int]:
        at = metric.at or 0
        if metric.headline:
            return (False, 0, False, at if metric.better == "lower" else -at)
        if metric.ceiling is None:
            return (True, len(_CEILING_KINDS) + 1, False, 0)
        kind = metric.ceiling.kind
        rank = _CEILING_KINDS.index(kind) if kind in _CEILING_KINDS else len(_CEILING_KINDS)
        return (True, rank, metric.ceiling.date is not None, -at)

    known = [metric for metric in case.metrics if metric.value is not None]
    return min(known, key=order) if known else None


def headlines(assessment: Assessment) -> list[tuple[CaseAssessment, MetricSummary]]:
    """One figure per check, from the case on the most processors; points of a study stand in its own figure."""
    best: dict[str, CaseAssessment] = {}
    points = {point.case_id for study in assessment.studies for point in study.points}
    for case in assessment.cases:
        if case.id not in points and headline(case) and (case.check not in best or _cores(case) >= _cores(best[case.check])):
            best[case.check] = case
    return [(case, metric) for case in best.values() if (metric := headline(case))]


def _cores(case: CaseAssessment) -> int:
    return case.ranks * case.threads


def told_metrics(case: CaseAssessment) -> list[MetricSummary]:
    """Those that were measured; where the answer is wrong also those whose figures are withheld. What no launch measured, such
    as a section that this case does not have, is no figure that is missing."""
    return [metric for metric in case.metrics if metric.value is not None or case.verdict is Verdict.INVALID]
