"""The answer in the format of monitoring plugins: a line `OK - text | figures`, then lines with details."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base.words import plural
from tenken.model.assessment import Assessment, CaseAssessment, MetricSummary
from tenken.model.health import HealthResult
from tenken.model.verdict import Axis, Verdict, severity, worst
from tenken.report.plain import clip
from tenken.report.plugin_line import COMMAND, UNKNOWN, WIDTH, first_line, safe, without_options
from tenken.report.select import Point, headlines, points

# Verdict -> (word, exit code) of the Monitoring Plugins development guidelines, "plugin return codes".
_STATES = {
    Verdict.OK: ("OK", 0),
    Verdict.WARN: ("WARNING", 1),
    Verdict.FAIL: ("CRITICAL", 2),
    Verdict.INVALID: ("CRITICAL", 2),
    Verdict.ERROR: ("CRITICAL", 2),
    Verdict.NOT_JUDGED: ("UNKNOWN", 3),
    Verdict.INCOMPLETE: ("UNKNOWN", 3),
}
_MOST_DETAILS = 24  # lines


def line(host: str, assessment: Assessment, health: Sequence[HealthResult]) -> tuple[str, int]:
    """The answer and its exit code. Health that the system does not report decides nothing."""
    of_cases = [case.verdict for case in assessment.cases]
    verdict = worst([assessment.verdict, *of_cases, *(each.verdict for each in health)])
    open_ = [case for case in assessment.cases if _cause(case)]
    unfinished = assessment.state == "interrupted" or bool(open_) or not assessment.cases
    if severity(verdict) <= severity(Verdict.OK) and unfinished:
        verdict = Verdict.INCOMPLETE  # nothing unmeasured is green
    word, code = _STATES[verdict]
    bad = [each for each in health if each.verdict not in (Verdict.OK, Verdict.NOT_JUDGED)]
    found = points(assessment)
    details = [f"{', '.join(_cases(point))}: {_verdict(point).value}: {point.what}" for point in found]
    details += [f"{each.name}: {each.verdict.value}: {each.sentence}" for each in bad]
    if code == UNKNOWN:
        cause = _unknown_cause(assessment, open_)
    elif verdict is Verdict.OK:
        proofs = sum(len(case.validity) for case in assessment.cases)
        well = [each.sentence for each in health if each.verdict is Verdict.OK]
        held = f"{plural(len(assessment.cases), 'case')}, {plural(proofs, 'proof')} right"
        cause, details = "; ".join([held, *well]), []
    else:
        of_health = [each.sentence for each in bad if each.verdict is verdict]
        causes = [f"{point.case.id}: {point.what}" for point in found if _verdict(point) is verdict] + of_health
        more = f" (and {len(causes) - 1} more)" if len(causes) > 1 else ""
        cause = _fitting(host, word, causes[0] if causes else verdict.value, more)
    commands = dict.fromkeys(point.next_command for point in found if _can_be_typed(point.next_command))
    details = [*details[:_MOST_DETAILS], *(f"next: {command}" for command in commands)][: 2 * _MOST_DETAILS]
    measured = [(case.check, metric) for case, metric in headlines(assessment) if metric.value is not None]
    figures = " ".join(_figure(check, metric) for check, metric in measured)
    first = first_line(host, word, cause) + (f" | {figures}" if figures else "")
    return "\n".join([first, *(safe(without_options(detail)) for detail in details)]), code


def _cases(point: Point) -> tuple[str, ...]:
    return point.unjudged.cases if point.unjudged else (point.case.id,)


def _verdict(point: Point) -> Verdict:
    return Verdict.NOT_JUDGED if point.unjudged else point.verdict


def _cause(case: CaseAssessment) -> str:
    """Why the case, or an axis of it that there is ground for, was not judged; empty where nothing is open."""
    lost = [each.reason for each in case.axes if each.ground and each.verdict is Verdict.NOT_JUDGED]
    return lost[0] if lost else case.reason or "not judged" if case.verdict is Verdict.NOT_JUDGED else ""


def _unknown_cause(assessment: Assessment, open_: Sequence[CaseAssessment]) -> str:
    """One cause: the load that was measured, else the first reason."""
    if not open_:
        stopped = "the measurement was interrupted"
        return stopped if assessment.state == "interrupted" or not assessment.cases else "too little could be judged"
    share = f"{len(open_)} of {plural(len(assessment.cases), 'case')} not judged"
    loads = [case.trust.reason for case in open_ if case.trust is not None and case.trust.disturbed]
    cause = f"the node was busy: {loads[0]}" if loads else _cause(open_[0])
    right = ", all answers right" if all(_right(case) for case in assessment.cases) else ""
    return f"{share}{right}: {cause}"


def _right(case: CaseAssessment) -> bool:
    return any(each.axis is Axis.VALIDITY and each.verdict is Verdict.OK for each in case.axes)


def _fitting(host: str, word: str, cause: str, more: str) -> str:
    """`cause` so short that `more` is still seen on the first line."""
    room = WIDTH - len(more) - len(f"{word} - {safe(clip(host, 64))}: ")
    return clip(safe(without_options(cause)), room) + more


def _can_be_typed(command: str) -> bool:
    """Whether the command is whole and needs nothing of this measurement, whose folder is removed."""
    return command.startswith(COMMAND) and "--resume" not in command


def _figure(check: str, metric: MetricSummary) -> str:
    """'label'=value;warning;critical: a range "90:" warns below 90."""
    low, high = metric.band or (None, None)
    bound = f"{low:.4g}:" if low is not None else f"{high:.4g}" if high is not None else ""
    label = safe(f"{check} {metric.name} [{metric.unit}]").replace("'", "").replace("=", "")
    return f"'{label}'={metric.value:.4g};{bound}"
