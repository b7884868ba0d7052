"""What a terminal shows: the first screen, a progress line, the verdict. Plain ASCII but for names from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import Assessment, MetricSummary
from tenken.model.baseline import occasion_of
from tenken.model.machine import Machine
from tenken.model.study import StudyAssessment, StudyTable
from tenken.model.verdict import Verdict
from tenken.report import studies, topics
from tenken.report.plain import LABEL, clip, line as _line, phrases as _phrases, plain, table, text as _text
from tenken.report.select import (
    Point, achieved, all_ok, counts, coverage, headlines, letter, points, told_metrics, without_limit, worst_first,
)
from tenken.report.studies import DISTURBED
from tenken.report.topics import HEADINGS, LEGEND, case_row, place, topic_lines, whereabouts

OK_LINES, OTHER_LINES = 3, 24  # the most lines of a verdict: all is OK, or not
_TOPIC_LINES = 16  # of the topics of a suite
_OTHER_POINTS = 9  # lines for all points but the worst
_COLOURS = {"INVALID": "1;31", "FAIL": "1;31", "ERROR": "1;31", "WARN": "1;33", "INCOMPLETE": "1;36",
            "NOT JUDGED": "1;36", "OK": "1;32", "DRILL": "1;35"}
_WORDS = re.compile(rf"\b({'|'.join(_COLOURS)})\b")


def first_screen(machine: Machine, plan: Sequence[str], trust: Sequence[str] = (), compare: Sequence[str] = (),
                 width: int = 100) -> str:
    """What is shown before anything runs. `plan`, `trust` and `compare` are short phrases, set beside each other."""
    rows = [("machine", describe(machine)), ("compare", compare), ("trust", trust), ("plan", plan)]
    return _text([line for label, phrases in rows for line in _phrases(label, phrases, width)])


def describe(machine: Machine) -> list[str]:
    """Phrases on a machine: name and size, processor, memory, and other facts that an engineer needs first."""
    node, alike = machine.nodes[0], len({(n.cpu, n.cores, n.memory_bytes) for n in machine.nodes}) == 1
    name = f"{plain(machine.name)}, {plural(len(machine.nodes), 'node')} x {plural(node.cores, 'core')}"
    facts = [name, plain(node.cpu), f"{units.size(node.memory_bytes)} a node"]
    facts += [f"virtual ({plain(node.virtual)})"] if node.virtual else []
    return facts + ([] if alike else ["nodes differ (tenken machine)"])


def progress_line(done: int, planned: int, case_id: str, launch: int, launches: int, *, section: str = "",
                  tally: Mapping[str, int] | None = None, eta_s: float | None = None, width: int = 100) -> str:
    """A line, no newline: cases begun of cases planned, launch of this case, verdicts so far, time left."""
    words = [f"[{done}/{planned}] {plain(case_id)}", f"launch {launch}/{launches}", plain(section)]
    words.append("  ".join(f"{count} {word}" for word, count in (tally or {}).items()))
    words.append("" if eta_s is None else f"ETA {units.duration(eta_s)}")
    return clip("   ".join(word for word in words if word), width)


def verdict(assessment: Assessment, everything: bool = False, width: int = 100, colour: bool = False,
            page: bool = True) -> str:
    """The answer: verdict word first, then why, where and next.

    At most 3 lines when all is OK, at most 24 when not or with the table of a study; `everything` gives all
    points, metrics, recorded values and the table of all cases. `colour` adds ANSI colours to the verdict words; `page`
    says whether report.html was written.
    """
    head, last = _head(assessment, width), _last(assessment, width, page)
    if everything:
        lines = [
            head, *_studies(assessment, width, 1000), *_all_points(assessment, width), *_metrics(assessment),
            *_values(assessment), *_cases(assessment),
            *_contract(assessment, width, 1000), *_notes(assessment, width), last,
        ]
    elif assessment.topics:
        lines = [head, *topic_lines(assessment, width, _TOPIC_LINES)]
        lines += [*_points(assessment, width)[: OTHER_LINES - len(lines) - 1], last]
    elif assessment.studies:
        lines = [head, *(_study_points if _only_studies(assessment) else _points)(assessment, width)]
        lines += _contract(assessment, width)
        lines += [*_studies(assessment, width, OTHER_LINES - len(lines) - 1), last]
    elif all_ok(assessment):
        lines = [head, _figures(assessment, width), *_contract(assessment, width), last]
    else:
        lines = [head, *_points(assessment, width), *_contract(assessment, width)]
        lines += [*_case_table(assessment, width, OTHER_LINES - len(lines) - 1), last]
    text = _text(lines)
    return _WORDS.sub(lambda word: f"\x1b[{_COLOURS[word[1]]}m{word[1]}\x1b[0m", text) if colour else text


def _head(assessment: Assessment, width: int) -> str:
    tally = {word: n for word, n in counts(assessment.cases).items() if n and word is not Verdict.OK}
    words = [", ".join(achieved(assessment.cases)), *(f"{n} {word.value}" for word, n in tally.items())]
    words += [plain(each)] if (each := coverage(assessment)) else []
    faults = sorted({plain(case.fault) for case in assessment.cases if case.fault})
    tail = f"   {'  '.join(words)}" + (f"   fault {', '.join(faults)}" if faults else "")
    named = plain(occasion_of(assessment.environment).name)
    tail += f"   sitting {named}" if named else ""
    tail += "" if assessment.state == "finished" else f"   {plain(assessment.state)}"
    word = f"{'DRILL  ' if assessment.drill else ''}{assessment.verdict.value:<{LABEL - 2}}  "
    right, title = f"   {units.duration(assessment.seconds)}", f"{plain(assessment.suite)} on {plain(assessment.machine.name)}"
    if len(word + title + tail + right) > width:
        right = ""  # the page shows it
    title = clip(title, max(width - len(word + tail + right), 20))
    left = word + title + tail
    more = f" {without_limit(assessment.cases)}"
    left += more if len(more) > 1 and len(left + more + right) <= width else ""
    return f"{left}{right:>{max(width - len(left), len(right))}}"


def _last(assessment: Assessment, width: int, page: bool) -> str:
    folder = plain(assessment.folder)
    shown = f"report   {folder}/report.html" if page else f"results  {folder}/results.json"
    extra = [
        f"records {folder}/launches",
        f"{plural(len(assessment.notes), 'note')} (--all)" if assessment.notes else "",
    ]
    for phrase in extra:
        if phrase and len(shown) + len(phrase) + 18 <= width:
            shown += f"   {phrase}"
    return f"{shown}   exit code {assessment.exit_code}"


def _marked(metric: MetricSummary) -> str:
    """A figure that other load disturbed is a bound."""
    return units.quantity(metric.value, plain(metric.unit), 3) + (DISTURBED if metric.disturbed else "")


def _figures(assessment: Assessment, width: int) -> str:
    """The headline figure of each check, on a single line: set closer where there are many, the last figures cut."""
    found = [(plain(case.check), metric) for case, metric in headlines(assessment)]
    found.sort(key=lambda item: item[1].fraction is None)
    values = [f"{check} {_marked(metric)}" for check, metric in found]
    shares = ["" if metric.fraction is None else f"{100 * metric.fraction:.0f} %" for _, metric in found]
    loose = " " * LABEL + "   ".join(f"{value} ({share})" if share else value
                                      for value, share in zip(values, shares, strict=True))
    if len(loose) <= width:
        return loose
    while values:
        close = "  ".join(f"{value} {share}".rstrip() for value, share in zip(values, shares, strict=False))
        if len(close) <= width:
            return close
        values.pop()
    return ""


def _points(assessment: Assessment, width: int) -> list[str]:
    """Why, where and next of the worst; a line or two for each of the others, as many as there is room for."""
    found = points(assessment)
    lines = _full_point("why", found[0], width) if found else []
    others = [_brief(point, width, 2) for point in found[1:]]
    if sum(map(len, others)) > _OTHER_POINTS:
        others = [_brief(point, width, 1)[:2] for point in found[1:]]
    while sum(map(len, others)) > _OTHER_POINTS:
        others.pop()
    left_out = len(found) - 1 - len(others)
    lines += [line for point in others for line in point]
    lines += [_line("", f"... and {left_out} more (--all)", width)] if left_out > 0 else []
    return lines + _go_on(assessment, width)


def _only_studies(assessment: Assessment) -> bool:
    planned = {point.case_id for study in assessment.studies for point in study.points}
    return all(case.id in planned for case in assessment.cases)


def _study_points(assessment: Assessment, width: int) -> list[str]:
    """The worst point with a finding; the table of the study shows points that could not be judged."""
    found = points(assessment)
    wrong = [point for point in found if not point.is_open]
    lines = _full_point("why", wrong[0], width) if wrong else []
    lines += [_line("", f"... and {len(found) - 1} more (--all)", width)] if wrong and len(found) > 1 else []
    return lines + _go_on(assessment, width)


def _studies(assessment: Assessment, width: int, room: int) -> list[str]:
    lines: list[str] = []
    for number, study in enumerate(assessment.studies):
        lines += study_lines(study, width, (room - len(lines)) // (len(assessment.studies) - number))
    return lines


def _go_on(assessment: Assessment, width: int) -> list[str]:
    return [] if assessment.state == "finished" else [
        _line("next", f"./tenken run --resume {plain(assessment.run)}", width)
    ]


def _full_point(label: str, point: Point, width: int, lines: int = 3) -> list[str]:
    return [*_phrases(label, [_subject(point), plain(point.what)], width, lines),
            *_phrases("where", [place(point.where)], width, 2),
            *_ranks(point, width)[:lines], *_phrases("changed", [_changed(point)], width, min(lines, 2)),
            *_phrases("next", [plain(point.next_command)], width, 2)]


def _ranks(point: Point, width: int) -> list[str]:
    """Where the ranks of launches that ended badly were; how they ended only where the point lacks it."""
    texts = [text for launch in point.launches
             for text in whereabouts(launch)[bool(launch.reason) and plain(launch.reason) in plain(point.what):]]
    return [line for text in texts for line in _phrases("where", [text], width, 1)]


def _brief(point: Point, width: int, lines: int) -> list[str]:
    label = "open" if point.is_open else point.verdict.value.lower()
    changed = f"changed: {_changed(point)}" if _changed(point) else ""
    return [*_phrases(label, [_subject(point), plain(point.what), changed], width, lines), *_ranks(point, width)[:3]]


def _changed(point: Point) -> str:
    """What differs in the environment and may explain the point."""
    return plain("; ".join(point.finding.explained_by)) if point.finding else ""


def _subject(point: Point) -> str:
    others = len(point.unjudged.cases) - 1 if point.unjudged else 0
    name = point.case.id + (f" and {others} more" if others else "")
    return "   ".join(plain(part) for part in (name, point.section) if part)


def _all_points(assessment: Assessment, width: int) -> list[str]:
    lines = []
    for point in points(assessment):
        lines += ["", *_full_point(point.verdict.value, point, width, 99)]
        if point.finding:
            lines += _phrases("evidence", [plain(point.finding.evidence)], width)
    return lines


def _metrics(assessment: Assessment) -> list[str]:
    rows = [(plain(case.id), plain(metric.name), plain(metric.section or units.NONE), units.number(metric.at),
             units.median_mad(metric.value, metric.mad), plain(metric.unit), _fraction(metric))
            for case in assessment.cases for metric in told_metrics(case)]
    return [
        "", *table(("case", "metric", "section", "at", "median +- MAD", "unit", "% of ceiling"), rows, left=3)
    ] if rows else []


def _values(assessment: Assessment) -> list[str]:
    """What the programs recorded, with every digit."""
    rows = [(plain(case.id), plain(value.name), repr(value.value), plain(value.unit))
            for case in assessment.cases for value in case.values]
    return ["", *table(("case", "value", "recorded", "unit"), rows, left=2)] if rows else []


def _fraction(metric: MetricSummary) -> str:
    if metric.fraction is None or metric.ceiling is None:
        return units.NONE
    return f"{units.bare_percent(metric.fraction)} {letter(metric.ceiling)}"


def _cases(assessment: Assessment) -> list[str]:
    rows = [case_row(case) for case in worst_first(assessment.cases)]
    if not rows:
        return []
    lines = table(HEADINGS, rows, left=3)
    return ["", *lines, _line("", _legend(lines), 200), ""]


def _case_table(assessment: Assessment, width: int, room: int) -> list[str]:
    """The table of cases, worst first, in at most `room` lines, the blank line before it included."""
    cases = worst_first(assessment.cases)
    shown = cases[: room - 3]
    if not any(case.sections for case in shown):
        return []
    rows = table(HEADINGS, [case_row(case) for case in shown], 3, width, ("jitter %", "band", "worst at", "loss %", "imbalance"))
    more = f"... {len(cases) - len(shown)} more (--all)" if len(cases) > len(shown) else ""
    return ["", *(clip(row, width) for row in rows), _line(more, _legend(rows), width)]


# A study on the terminal: its table, the best point marked, with bars where there is a single line.

def _legend(lines: Sequence[str]) -> str:
    return LEGEND if "% of ceiling" in lines[0] else ""


def _contract(assessment: Assessment, width: int, most: int = 4) -> list[str]:
    """What a contract says of the run, waivers included; at most `most` lines."""
    said = topics.brief(assessment.contract) if assessment.contract else []
    lines = [each for number, one in enumerate(said) for each in _phrases("" if number else "contract", [one], width, 2)]
    return lines if len(lines) <= most else [*lines[: most - 1], _line("", f"... {len(lines) - most + 1} more (--all)", width)]


def _notes(assessment: Assessment, width: int) -> list[str]:
    return [line for note in assessment.notes for line in _phrases("note", [plain(note)], width)]


_BAR = 24  # characters of the longest
_FRAME = 4  # lines around the rows: blank, title, headings, legend


def study_lines(study: StudyAssessment, width: int, room: int) -> list[str]:
    """The study in at most `room` lines; nothing where there is no room for a row."""
    headings, rows = studies.table(study)
    out = [f"left out {names}: {why}" for names, why in studies.left_out(study)]
    below = len(study.notes) + sum(map(_height, study.tables))
    shown = rows[: max(room - _FRAME - below - min(len(out), 1), 0)]
    if not shown:
        return [clip(line, width) for line in out[: max(room, 0)]]
    if len(study.points) > 1 and len(study.metrics) == 1 and len(studies.lines(study, study.points)) == 1:
        headings, shown = [*headings, ""], [[*row, bar] for row, bar in zip(shown, _bars(study), strict=False)]
    left = sum(bool(axis) for axis in (study.plot.panels, study.along))
    derived = study.plot.x not in study.axes  # beside the axis it follows from, so that it can be missed
    aligned = table(headings, shown, left, width, [studies.spoken(study.plot.x)] if derived else [])
    told = [line for study_table in study.tables for line in _table_lines(study_table, width)]
    more = [f"... {len(rows) - len(shown)} more (--all)"] if len(rows) > len(shown) else []
    title = f"study    {plain(study.id)}   {plain(study.title)}   {_what(study)}"
    notes = [plain(note) for note in study.notes]
    lines = ["", title, *aligned, "   ".join(more + _study_text_legend(study)), *notes, *told, *(out if room > 99 else out[:1])]
    return [clip(line, width) for line in lines if line or line is lines[0]]


def _table_lines(study_table: StudyTable, width: int) -> list[str]:
    """A table that the check tells, with its title above and its note below."""
    rows = [[plain(cell) for cell in row] for row in study_table.rows]
    lines = [plain(study_table.title), *table([plain(heading) for heading in study_table.headings], rows, 1, width)]
    return [*lines, plain(study_table.note)] if study_table.note else lines


def _height(study_table: StudyTable) -> int:
    return 2 + len(study_table.rows) + bool(study_table.note)


def _bars(study: StudyAssessment) -> list[str]:
    values = [point.figures[0].value or 0.0 for point in study.points]
    top = max(values, default=0.0)
    return [("#" * round(_BAR * value / top)).ljust(_BAR) if top > 0 else "" for value in values]


def _what(study: StudyAssessment) -> str:
    """The metrics with their unit, where they share it."""
    names, found = [plain(metric.name) for metric in study.metrics], {metric.unit for metric in study.metrics}
    return f"{', '.join(names)} in {plain(found.pop())}" if len(found) == 1 else ", ".join(names)


def _study_text_legend(study: StudyAssessment) -> list[str]:
    count = len(studies.disturbed(study))
    words = [f"{studies.BEST} best"] if any(f.best for point in study.points for f in point.figures) else []
    words += ["(%) efficiency"] if study.plot.scaling else []
    words += [f"(a..b) least and greatest launch: {studies.confidence(study)}"] if "launches" in study.plot.marks else []
    return words + (
        [f"{studies.DISTURBED} disturbed ({count} of {plural(len(study.points), 'point')})"] if count else []
    )
