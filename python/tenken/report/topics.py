"""The topics of a suite in sentences: their cases and figures, cases that were not measured, and places of findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import Assessment, CaseAssessment, MetricSummary, TopicResult, Where
from tenken.model.contract import ClauseResult, Contract, Held, RequirementResult
from tenken.model.record import Value
from tenken.model.run import Launch, RankState
from tenken.model.study import PointResult, StudyAssessment
from tenken.report import studies
from tenken.report.plain import clip, clip_middle, phrases, plain, table, text
from tenken.report.select import binding, headline, letter, section_shown
from tenken.report.studies import finding

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


# One line on each case: the row of the table of all cases, on the terminal and on the page.

HEADINGS = (
    "case", "verdict", "section", "median +- MAD", "band", "% of ceiling", "imbalance", "jitter %", "loss %",
    "worst at",
)
LEGEND = "F = floating point peak, B = memory bandwidth, N = network"
_NAME = 28  # the most characters of a case or section


def case_row(case: CaseAssessment) -> tuple[str, ...]:
    """A cell for each of HEADINGS, of the section of its finding, else of the slowest; "-" where there is no figure."""
    section = section_shown(case)
    name, word, at = clip_middle(plain(case.id), _NAME), case.verdict.value, _worst_at(case)
    if section is None:
        return (name, word, *[units.NONE] * 7, at)
    first = binding(section)
    allowed = next((metric for metric in case.metrics if metric.band and metric.section == section.path), None)
    calls = max(section.calls, 1)  # of a repetition: a row has the time of one
    return (name, word, clip_middle(plain(section.path), _NAME),
            units.median_mad_ns(section.median_ns / calls, section.mad_ns / calls),
            units.band(*allowed.band, allowed.unit) if allowed and allowed.band else units.NONE,
            f"{units.bare_percent(first.fraction)} {letter(first.ceiling)}" if first else units.NONE,
            units.number(section.imbalance, 3) if case.ranks > 1 else units.NONE,
            units.bare_percent(section.jitter), units.bare_percent(max(section.loss, 0.0)), at)


def chosen(case: CaseAssessment) -> str:
    """ "stores past caches: yes": the choices of the program; "" without any."""
    return ", ".join(f"{plain(one.name).replace('_', ' ')}: {_recorded(one)}" for one in case.values if one.chosen)


def _recorded(value: Value) -> str:
    if value.unit == "flag":
        return "yes" if value.value else "no"
    return units.number(value.value) if value.unit == "1" else units.quantity(value.value, plain(value.unit))


def _worst_at(case: CaseAssessment) -> str:
    """Host and rank of the first finding that has a place."""
    spot = next((item.where for item in case.findings if item.where.host), None)
    if spot is None:
        return units.NONE
    return clip(plain(spot.host), 16) + ("" if spot.rank is None else f" r{spot.rank}")


# Where: the place of a finding, and where each rank was when its launch ended.

def place(where: Where) -> str:
    """ "rank 37 on n03, cg/operator, launch 2" or "n03 - n17"; where all ranks are alike that, as a section is no place."""
    if where.rank is None and where.host is None and where.launch is None and not where.group:
        return plain(where.alike)
    rank = None if where.rank is None else f"rank {where.rank}"
    host = where.host and plain(where.host)
    if host and where.numa is not None:
        host = f"NUMA domain {where.numa} of {host}"
    if host and where.cpu is not None:
        host = f"processor {where.cpu} of {host}"
    found = f"{rank} on {host}" if rank and host else rank or host
    if where.group:
        found = f"group {plain(where.group[0])} to {plain(where.group[-1])}"
    if where.to_host is not None:
        far = plain(where.to_host) if where.to_rank is None else f"rank {where.to_rank} on {plain(where.to_host)}"
        found = f"{found} - {far}"
    parts = [found, where.section and plain(where.section),
             None if where.launch is None else f"launch {where.launch}"]
    return ", ".join(part for part in parts if part)


def whereabouts(launch: Launch) -> list[str]:
    """How a launch ended, then where its ranks were: a line for each group of ranks, the smallest first."""
    why = plain(launch.reason) or (f"signal {launch.signal}" if launch.signal else f"exit code {launch.returncode}")
    groups: dict[tuple[str, str | None], list[RankState]] = {}
    for state in launch.ranks:
        groups.setdefault((state.state, state.section), []).append(state)
    lines = [_group(states) for states in sorted(groups.values(), key=lambda states: (len(states), states[0].rank))]
    return [f"launch {launch.number} {launch.status}: {why}", *lines]


def _group(states: Sequence[RankState]) -> str:
    first, *others = states
    hosts = sorted({plain(state.host) for state in states})
    host = f" on {hosts[0]}" if len(hosts) == 1 else ""
    section = f" in {plain(first.section)}" if first.section else ""
    low, high = min(state.repetitions for state in states), max(state.repetitions for state in states)
    done = f"{low}" if low == high else f"{low} to {high}"
    return (f"rank{'s' if others else ''} {spans([state.rank for state in states])}{host}: {first.state}{section}, "
            f"{done} of {first.planned_repetitions} repetitions")


def spans(numbers: Sequence[int], limit: int = 8) -> str:
    """Sorted numbers as ranges: "0-4,6-7"; after `limit` ranges the rest is counted."""
    runs: list[list[int]] = []
    for value in sorted(numbers):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    shown = [str(low) if low == high else f"{low}-{high}" for low, high in runs[:limit]]
    rest = sum(high - low + 1 for low, high in runs[limit:])
    return ",".join(shown) + (f" and {rest} more" if rest else "")


# The acceptance sheet of a contract in plain text, and the phrases that all reports share. Printable: no colours, no width.

WIDTH = 100
_SHOWN = (Held.UNMET, Held.NOT_JUDGED, Held.WAIVED, Held.MET)  # worst first


def word(held: Held) -> str:
    return held.value.upper()


def tally(contract: Contract) -> str:
    """ "4 clauses: 1 not met, 3 met", worst first."""
    counts = Counter(clause.held for clause in contract.clauses)
    states = ", ".join(f"{counts[one]} {one.value}" for one in _SHOWN if counts[one])
    return f"{plural(len(contract.clauses), 'clause')}: {states}"


def waived(clause: ClauseResult) -> str:
    """The sentence on the waiver of a clause; "" without a waiver."""
    waiver = clause.waiver
    if waiver is None:
        return ""
    who = f"{plain(waiver.owner)}: {plain(waiver.reason)}"
    if clause.expired:
        return f"waiver expired on {waiver.expires} and counts no longer ({who})"
    if clause.held is Held.WAIVED:
        return f"waived until {waiver.expires} by {who}"
    idle = {Held.MET: "not needed any more", Held.UNMET: "a waiver does not cover a wrong answer",
            Held.NOT_JUDGED: "a clause that is not judged cannot be waived"}
    return f"waiver until {waiver.expires} ({who}): {idle[clause.held]}"


def limit(result: RequirementResult) -> str:
    of = result.requirement
    return f"{'>=' if result.better == 'higher' else '<='} {units.quantity(of.limit, of.unit)}"


def measured(result: RequirementResult) -> str:
    """The figure, as a bound where other load may have cost some of it."""
    unit = result.requirement.unit
    figure = units.quantity(result.value, unit)
    if result.value is None or result.at_best is None or units.quantity(result.at_best, unit) == figure:
        return figure
    if not units.BOUNDLESS * min(result.value, result.at_best) > max(result.value, result.at_best):
        return f"{figure} or {'more' if result.at_best > result.value else 'less'}"
    return f"{figure} to {units.quantity(result.at_best, unit)}"


def brief(contract: Contract) -> list[str]:
    """Sentences for reports of the run: the tally, then the waivers."""
    return [f"{word(contract.held)} {plain(contract.title)}: {tally(contract)}"] + [
        f"clause {plain(clause.clause)} {said}" for clause in contract.clauses if (said := waived(clause))
    ]


def contract_text(contract: Contract) -> str:
    """The verdict first, a table of all requirements, then clause by clause the wording, why, evidence, waiver and next."""
    drill = "DRILL  " if contract.drill else ""
    lines = [f"{drill}{word(contract.held)}   {plain(contract.title)}   {tally(contract)}"]
    lines.append(f"run {plain(contract.run)} on {plain(contract.machine)}, {units.moment(contract.started)}; "
                 f"waivers as of {contract.as_of}")
    rows = [
        (plain(clause.clause), word(requirement.held), plain(requirement.requirement.case), plain(requirement.requirement.metric),
         measured(requirement), limit(requirement))
        for clause in contract.clauses for requirement in clause.results
    ]
    lines += ["", *table(("clause", "state", "case", "metric", "measured", "limit"), rows, left=4)]
    for clause in contract.clauses:
        lines += ["", f"{plain(clause.clause)}   {word(clause.held)}"]
        for requirement in clause.results:
            lines += _requirement(requirement)
        lines += phrases("note", [waived(clause)], WIDTH, 9)
    lines += ["", f"exit code {contract.exit_code}"]
    return text(lines)


def _requirement(requirement: RequirementResult) -> list[str]:
    of = requirement.requirement
    return [
        *phrases("promised", [plain(of.text)], WIDTH, 20), *phrases("found", [plain(requirement.why)], WIDTH, 9),
        *phrases("evidence", [f"{plain(of.case)} {plain(of.metric)}", plain(requirement.evidence)], WIDTH, 9),
        *(phrases("next", [plain(requirement.next_command)], WIDTH, 2) if requirement.held is not Held.MET else []),
    ]
