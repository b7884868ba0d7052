"""Times of ranks at their places in the cut box: which part of the box takes longer."""

from __future__ import annotations

from tenken.model.assessment import CaseAssessment, SectionSummary, TableAssessment
from tenken.report.draw.matrix import Matrix, matrix
from tenken.report.draw.space import compute_sections
from tenken.report.plain import plain

_MAPS, _WIDTH = 4, 420  # sections, those first whose slowest rank costs the most; pixels of a map


def mapped(case: CaseAssessment) -> list[SectionSummary]:
    """The sections that are drawn, the most uneven first: by the share of time that equal ranks would save."""
    sections = compute_sections(case)
    return sorted(sections, key=lambda section: -section.share * (1 - 1 / max(section.imbalance, 1.0)))[:_MAPS]


def rank_maps(case: CaseAssessment) -> list[str]:
    """A map for each section of `mapped`; none where the record has no places of ranks."""
    places = next((table for table in case.tables if table.form == "ranks" and table.values), None)
    return [] if places is None else [drawing for section in mapped(case) if (drawing := _map(places, section))]


def _map(places: TableAssessment, section: SectionSummary) -> str:
    times = {rank.rank: rank.median_ns / 1e6 for rank in section.ranks}
    values = [[None if cell is None else times.get(round(cell)) for cell in row] for row in places.values]
    title = f"{plain(section.path)}  (ms)"
    return matrix(Matrix(title, "ms", "lower", places.rows, places.columns, values), _WIDTH)
