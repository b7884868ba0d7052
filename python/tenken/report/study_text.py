"""A study on the terminal: its table, the best point marked, with bars where there is a single line."""

from __future__ import annotations

from tenken.base.words import plural
from tenken.model.study import StudyAssessment, StudyTable
from tenken.report import studies
from tenken.report.plain import clip, plain
from tenken.report.table import table

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
    lines = ["", title, *aligned, "   ".join(more + _legend(study)), *notes, *told, *(out if room > 99 else out[:1])]
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


def _legend(study: StudyAssessment) -> list[str]:
    count = len(studies.disturbed(study))
    words = [f"{studies.BEST} best"] if any(f.best for point in study.points for f in point.figures) else []
    words += ["(%) efficiency"] if study.plot.scaling else []
    words += [f"(a..b) least and greatest launch: {studies.confidence(study)}"] if "launches" in study.plot.marks else []
    return words + (
        [f"{studies.DISTURBED} disturbed ({count} of {plural(len(study.points), 'point')})"] if count else []
    )
