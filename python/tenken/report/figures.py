"""Which figures a page shows, and how many it can hold. Needs Matplotlib: imported only when a page is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tenken.model.assessment import Assessment, CaseAssessment, Ceiling, SectionSummary, TableAssessment
from tenken.model.study import StudyAssessment
from tenken.report.draw import bars, history, roofline, space, study, tables
from tenken.report.select import Point, section_of, worst_first

# Bytes: of all but the page's frame, of a case's frame, of a table row, of a case in other tables.
_PAGE, _CASE, _ROW, _LINE = 1_700_000, 5_000, 900, 1_000
_CARDS, _STRIPS = 12, 4  # findings with a card of their own; sections with a strip in a case


@dataclass(slots=True)
class Figures:
    """The drawings of a case; empty strings without data."""

    roofline: str = ""
    roofs: list[Ceiling] = field(default_factory=list)
    outside: list[SectionSummary] = field(default_factory=list)
    ceilings: str = ""
    ranks: str = ""
    ranks_of: SectionSummary | None = None
    strip: str = ""
    strip_of: list[SectionSummary] = field(default_factory=list)
    sweeps: list[str] = field(default_factory=list)
    tables: list[tuple[TableAssessment, str]] = field(default_factory=list)
    maps: list[str] = field(default_factory=list)
    maps_of: list[SectionSummary] = field(default_factory=list)
    nodes: str = ""
    heat: str = ""
    history: str = ""
    left_out: bool = False  # the page would have become too large
    omitted: bool = False  # a point of a study without a part of its own
    together: bool = False  # a point of a study, which is drawn as a whole

    @property
    def bytes(self) -> int:
        texts = (self.roofline, self.ceilings, self.ranks, self.strip, self.nodes, self.heat, self.history, *self.sweeps,
                 *self.maps, *(drawing for _, drawing in self.tables))
        return sum(map(len, texts))


def of_cases(assessment: Assessment, swept: Sequence[tuple[StudyAssessment, Sequence[str]]] = ()) -> dict[str, Figures]:
    """Figures of every case, drawn worst case first until the page is full (it has to stay below 2 MB). `swept`: the studies as
    drawn. Points of studies have parts of their own where the page has room and no topics."""
    drawn: dict[str, Figures] = {}
    together = {point.case_id for study in assessment.studies for point in study.points if len(study.points) > 1}
    frames = {case.id: _CASE + _ROW * len(case.sections + case.metrics + case.findings) for case in assessment.cases}
    room = _PAGE - sum(len(drawing) for _, drawings in swept for drawing in drawings) - _LINE * len(assessment.cases)
    alone = [case for case in worst_first(assessment.cases) if case.id not in together]
    room -= sum(frames[case.id] for case in alone)
    for case in alone:
        drawn[case.id] = _of_case(case) if room > 0 else Figures(left_out=bool(case.sections))
        room -= drawn[case.id].bytes
    for case in worst_first(case for case in assessment.cases if case.id in together):
        room -= frames[case.id]
        drawn[case.id] = Figures(together=True, omitted=room < 0 or bool(assessment.topics))
    return drawn


def of_studies(assessment: Assessment) -> list[tuple[StudyAssessment, list[str]]]:
    """Each study with its panels."""
    return [(one, study.panels(one)) for one in assessment.studies]


def _of_case(case: CaseAssessment) -> Figures:
    leaves = [section for section in case.sections if section.leaf]
    main = sorted(leaves, key=lambda section: -section.share)[:_STRIPS]
    unequal = max(leaves, key=lambda section: section.imbalance, default=None)
    return Figures(
        roofline.roofline(case), roofline.roofs(case), roofline.outside(case), bars.ceilings(case),
        bars.ranks(unequal) if unequal else "", unequal, bars.strip(main), main,
        [bars.sweep(group) for group in bars.sweeps(case.metrics)], tables.tables(case),
        bars.rank_maps(case), bars.mapped(case), space.nodes(case, _named(case)),
        space.heat(case, _named(case)), history.history(case.histories))


def _named(case: CaseAssessment) -> list[str]:
    """Hosts that findings name, worst first."""
    hosts = [host for item in case.findings for host in (item.where.host, item.where.to_host) if host is not None]
    return list(dict.fromkeys(hosts))


def cards(points: Sequence[Point]) -> list[tuple[Point, str]]:
    """The first points, each with the strip of its section where it has samples."""
    sections = [(point, section_of(point.case, point.section)) for point in points[:_CARDS]]
    return [(point, bars.strip([section], width=430) if section else "") for point, section in sections]


def where(points: Sequence[Point]) -> tuple[Point, list[tuple[str, SectionSummary]]] | None:
    """The worst point that has ranks to compare, with the bars of its section and of the most unequal other section."""
    for point in points:
        section = section_of(point.case, point.section)
        if section and len(section.ranks) > 1:
            others = [item for item in point.case.sections if item.leaf and item is not section]
            second = max(others, key=lambda item: item.imbalance, default=None)
            return point, [(bars.ranks(item), item) for item in (section, second) if item]
    return None
