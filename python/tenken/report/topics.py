"""The topics of a suite as reported: the cases of each, sentences on its figures, and cases that were not measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import Assessment, CaseAssessment, MetricSummary
from tenken.model.study import PointResult, StudyAssessment
from tenken.model.topic import TopicResult
from tenken.report import studies
from tenken.report.lines import phrases
from tenken.report.plain import plain
from tenken.report.select import headline
from tenken.report.study_finding import finding

SATURATED = 0.95  # of the best figure of a line
_COUNTED = ("cores", "ranks", "ranks_per_node", "threads", "teams")  # axes on which a line can saturate
_MOST_CEILINGS = 3  # figures of a sentence


@dataclass(frozen=True, slots=True)
class Shown:
    """A topic with its results of the run."""

    topic: TopicResult
    cases: tuple[CaseAssessment, ...]
    studies: tuple[StudyAssessment, ...]
    missing: tuple[tuple[str, str], ...]  # (names of cases and studies, why they were not measured)

    @property
    def sentences(self) -> list[str]:
        """The best figures against their ceilings, then a sentence on each study with at least two points."""
        return [text for text in (_ceilings(self.cases), *map(_study, self.studies)) if text]


def topics(assessment: Assessment) -> list[Shown]:
    """All topics of the run, in the order of the suite; none that names nothing of the run."""
    cases = {case.id: case for case in assessment.cases}
    drawn = {study.id: study for study in assessment.studies}
    shown = []
    for topic in assessment.topics:
        own = tuple(cases[name] for name in topic.include if name in cases)
        swept = tuple(drawn[name] for name in topic.include if name in drawn)
        if own or swept:
            drawable = tuple(study for study in swept if study.points)
            unread = tuple(name for name in topic.include if name not in cases and name not in drawn)
            missing = _missing(own, swept) + (((", ".join(map(plain, unread)), "not part of this run"),) if unread else ())
            shown.append(Shown(topic, tuple(filter(_measured, own)), drawable, missing))
    return shown


def _measured(case: CaseAssessment) -> bool:
    return bool(case.sections) or any(launch.status == "done" for launch in case.launches)


def _missing(cases: Iterable[CaseAssessment], swept: Iterable[StudyAssessment]) -> tuple[tuple[str, str], ...]:
    reasons: dict[str, list[str]] = {}
    for case in cases:
        if not _measured(case):
            reasons.setdefault(plain(case.reason), []).append(plain(case.id))
    for study in swept:
        for names, reason in studies.left_out(study):
            reasons.setdefault(reason, []).append(plain(study.id) if not study.points else f"{plain(study.id)} ({names})")
    return tuple((", ".join(names), reason) for reason, names in reasons.items())


def _ceilings(cases: Sequence[CaseAssessment]) -> str:
    """The figure of each check that has a ceiling, of the case on the most processors."""
    best: dict[str, tuple[CaseAssessment, MetricSummary]] = {}
    for case in cases:
        metric = headline(case)
        if metric and metric.fraction is not None:
            before = best.get(case.check)
            if before is None or case.ranks * case.threads > before[0].ranks * before[0].threads:
                best[case.check] = case, metric
    figures = [
        f"{plain(case.id)} reaches {units.quantity(metric.value, plain(metric.unit), 3)} ({plain(metric.name)}), "
        f"{units.percent(metric.fraction)} of {metric.ceiling.name if metric.ceiling else 'its ceiling'}"
        + (", a bound under other load" if metric.disturbed else "")
        for case, metric in list(best.values())[:_MOST_CEILINGS]
    ]
    return "; ".join(figures)


def _study(study: StudyAssessment) -> str:
    """Where the lines of a study saturate, else the greatest difference between its points: for each panel, as in its picture."""
    if study.points and all(point.disturbed for point in study.points):
        return f"{plain(study.id)}: all points met other load, so their figures are bounds"
    sentences = []
    for panel, points in studies.panels(study):
        if sentence := _saturation(study, points) or finding(study, 0, points):
            sentences.append(f"{panel}: {sentence}" if panel else sentence)
    return f"{plain(study.id)}: {'; '.join(sentences)}" if sentences else ""


def _saturation(study: StudyAssessment, points: Sequence[PointResult]) -> str:
    """From how many threads or ranks on the rate of each line stays within 5 % of its best; "" of times and speed-ups."""
    if study.plot.x not in _COUNTED or study.plot.scaling or study.metrics[0].better != "higher":
        return ""
    sentences = []
    for line in studies.lines(study, points):
        places = sorted(
            (point.x, value) for point in line.points
            if not point.disturbed and isinstance(point.x, float) and (value := point.figures[0].value)
        )
        if len(places) > 1:
            sentences.append((f"{line.label}: " if line.label else "") + _growth(study, places))
    return "; ".join(sentences)


def _growth(study: StudyAssessment, places: Sequence[tuple[float, float]]) -> str:
    name, unit = plain(study.metrics[0].name), studies.spoken(study.plot.x)
    (most, best), (last, end) = max(places, key=lambda place: place[1]), places[-1]
    if end < SATURATED * best:
        return f"{name} is best at {_count(most, unit)}, {units.percent(1 - end / best)} less at {units.number(last)}"
    low = [x for x, value in places if value < SATURATED * best]
    first = next(x for x, _ in places if not low or x > low[-1])
    if first == last:
        return f"{name} grows up to {_count(last, unit)}"
    return f"{name} stays within 5 % of its best from {_count(first, unit)} on (of {units.number(last)})"


def _count(number: float, unit: str) -> str:
    """ "1 thread", "2 threads", "2 ranks per node"."""
    return plural(int(number), unit.removesuffix("s")) if unit.endswith("s") else f"{units.number(number)} {unit}"


def topic_lines(assessment: Assessment, width: int, room: int) -> list[str]:
    """A line or two for each topic on a terminal: its title, its sentences, how much of it was not measured."""
    shown = topics(assessment)
    lines: list[str] = []
    for number, figure in enumerate(shown):
        missing = sum(names.count(", ") + 1 for names, _ in figure.missing)
        words = [*figure.sentences[:1], f"{missing} not measured" if missing else "", *figure.sentences[1:]]
        most = 2 if room - len(lines) >= 2 * (len(shown) - number) else 1
        if len(lines) < room:
            lines += phrases(figure.topic.name, words if any(words) else ["nothing to compare"], width, most)
    return lines
