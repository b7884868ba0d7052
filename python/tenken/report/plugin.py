"""One line in the style of monitoring plugins: `OK - text | figures`, with their exit codes."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.base.words import plural
from tenken.model.assessment import Assessment, MetricSummary
from tenken.model.health import HealthResult
from tenken.model.verdict import Verdict, worst
from tenken.report.plain import plain
from tenken.report.select import headlines, points

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
UNKNOWN = 3
_MOST = 3  # troubles told on the line


def line(host: str, assessment: Assessment, health: Sequence[HealthResult]) -> tuple[str, int]:
    """The line and its exit code. What the system does not tell (health NOT JUDGED) decides nothing."""
    verdict = worst([*(case.verdict for case in assessment.cases), *(one.verdict for one in health)])
    unjudged = [case for case in assessment.cases if not case.complete]
    if verdict is Verdict.OK and (unjudged or assessment.verdict is Verdict.INCOMPLETE):
        verdict = Verdict.INCOMPLETE  # nothing unmeasured is green
    word, code = _STATES[verdict]
    bad = [one.sentence for one in health if one.verdict not in (Verdict.OK, Verdict.NOT_JUDGED)]
    found = points(assessment)
    said = [f"{point.case.id}: {point.what}" for point in found if not point.is_open] + bad
    if not said:
        said = [f"{point.case.id}: {point.what}" for point in found]
    if not said:
        proofs = sum(len(case.validity) for case in assessment.cases)
        said = [f"{plural(len(assessment.cases), 'case')}, {plural(proofs, 'proof')} hold"]
        said += [one.sentence for one in health if one.verdict is Verdict.OK]
    more = f"; and {len(said) - _MOST} more" if len(said) > _MOST and verdict is not Verdict.OK else ""
    shown = said if verdict is Verdict.OK else said[:_MOST]
    text = _safe(f"{host}: {'; '.join(shown)}{more}")
    figures = " ".join(_figure(case.check, metric) for case, metric in headlines(assessment) if metric.value is not None)
    return f"{word} - {text} | {figures}".rstrip(" |"), code


def unknown(host: str, sentence: str) -> tuple[str, int]:
    """The line where nothing could be measured."""
    return f"UNKNOWN - {_safe(f'{host}: {sentence}')}", UNKNOWN


def _figure(check: str, metric: MetricSummary) -> str:
    """'label'=value;warning;critical: a range "90:" warns below 90."""
    low, high = metric.band or (None, None)
    bound = f"{low:.4g}:" if low is not None else f"{high:.4g}" if high is not None else ""
    label = _safe(f"{check} {metric.name} [{metric.unit}]").replace("'", "").replace("=", "")
    return f"'{label}'={metric.value:.4g};{bound}"


def _safe(text: str) -> str:
    """On one line and without the sign that begins the figures."""
    return plain(text).replace("|", "/").replace("\n", " ")
