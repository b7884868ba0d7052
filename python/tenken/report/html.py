"""report.html: a self-contained page that opens from a file, offline, without scripts, and prints on paper."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

from tenken.base import units
from tenken.base.words import plural
from tenken.model.assessment import Assessment, CaseAssessment, Ceiling, SectionSummary
from tenken.model.baseline import History, occasion_of
from tenken.model.machine import Machine, Node
from tenken.model.verdict import Axis, Verdict
from tenken.report import pages, studies, topics
from tenken.report.plain import plain
from tenken.report.select import (
    ENDED_BADLY, achieved, all_ok, binding, counts, coverage, groundless, headline, headlines, is_groundless, letter,
    points, section_shown, told_metrics, without_limit, worst_first,
)
from tenken.report.topics import place, whereabouts


def page(assessment: Assessment) -> str:
    """The whole page. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        environment = pages.environment()  # before any drawing: missing libraries are named at once
        from markupsafe import Markup

        from tenken.report import captions, figures
    except ImportError as missing:
        raise pages.missing_module(missing) from missing

    number = itertools.count(1)
    environment.globals.update(
        units=units, plural=plural, studies=studies, captions=captions, Axis=Axis, Verdict=Verdict, place=place,
        whereabouts=whereabouts, binding=binding, letter=letter, told=told_metrics,
        **pages.PARTS, tree=tree, groundless_axis=is_groundless, ended_badly=ENDED_BADLY, headings=topics.HEADINGS,
        legend=topics.LEGEND, shown=section_shown, headline=headline, chosen=topics.chosen, anchor=_anchor,
        svg=lambda drawing: Markup(_own(drawing, next(number))))
    found, ordered = points(assessment), worst_first(assessment.cases)
    rows = [(case, topics.case_row(case)) for case in ordered]
    columns = [column for column in range(len(topics.HEADINGS)) if any(row[column] != units.NONE for _, row in rows)]
    carded = figures.cards(found)
    drawn = figures.of_studies(assessment)
    numbered = {study.id: (number, study, drawings) for number, (study, drawings) in enumerate(drawn, start=1)}
    shown = topics.topics(assessment)
    placed = {name for figure in shown for name in figure.topic.include}
    return environment.get_template("report.html.j2").render(
        a=assessment, topics=shown, numbered=numbered, other_studies=[name for name in numbered if name not in placed],
        css=Markup(pages.style()), all_ok=all_ok(assessment),
        counts=counts(assessment.cases), achieved=[
            *achieved(assessment.cases), without_limit(assessment.cases), coverage(assessment)],
        headlines=headlines(assessment), points=found, cards=carded,
        carded={point.case.id for point, _ in carded}, where=figures.where(found), ordered=ordered, rows=rows,
        columns=columns, figures=figures.of_cases(assessment, drawn),
        groundless=groundless(assessment.cases),
        anchors={case.id: _anchor(number) for number, case in enumerate(assessment.cases)}, nodes=node_groups(assessment.machine),
        ceilings=_ceilings(assessment.cases), environment=_flat(assessment.environment),
        sitting=occasion_of(assessment.environment).name,
    )


def history_page(histories: Sequence[History]) -> str:
    """A page with the histories of a single figure. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        from markupsafe import Markup

        from tenken.report import captions
        from tenken.report.draw.history import history
    except ImportError as missing:
        raise pages.missing_module(missing) from missing
    drawn = [(one, Markup(_own(history([one]), number))) for number, one in enumerate(histories, start=1)]
    return pages.environment().get_template("history.html.j2").render(
        histories=histories, drawn=drawn, captions=captions, units=units,
        css=Markup(pages.style()),
        value=lambda point, unit: (units.median_mad_ns if unit == "ns" else units.median_mad)(point.value, point.spread)
        + ("" if unit in ("ns", "1") else f" {unit}"))


def _own(drawing: str, number: int) -> str:
    """The drawing with identifiers of its own: two figures of a page may use the same."""
    return re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>f{number}-", drawing)


def _anchor(number: int) -> str:
    return f"case-{number}"


def tree(sections: Sequence[SectionSummary]) -> list[tuple[int, str, SectionSummary]]:
    """(depth, name below the parent, section): the parent is the longest other path that the section continues."""
    paths = {section.path for section in sections}

    def parent(path: str) -> str:
        while "/" in path:
            path = path.rpartition("/")[0]
            if path in paths:
                return path
        return ""

    rows = []
    for section in sections:
        above, depth = parent(section.path), 0
        step = above
        while step:
            depth, step = depth + 1, parent(step)
        rows.append((depth, section.path[len(above) + 1:] if above else section.path, section))
    return rows


def node_groups(machine: Machine) -> list[tuple[Node, list[str]]]:
    """Nodes that are alike in all but their name, with the names."""
    groups: dict[tuple[Any, ...], tuple[Node, list[str]]] = {}
    for node in machine.nodes:
        key = tuple(getattr(node, name) for name in node.__dataclass_fields__ if name != "host")
        groups.setdefault(key, (node, []))[1].append(plain(node.host))
    return list(groups.values())


def _ceilings(cases_: Sequence[CaseAssessment]) -> list[Ceiling]:
    return list(
        dict.fromkeys(item.ceiling for case in cases_ for section in case.sections for item in section.ceilings)
    )


def _flat(values: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Nested facts as (dotted name, value)."""
    rows = []
    for name, value in values.items():
        rows += _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else [(f"{prefix}{name}", plain(value))]
    return rows
