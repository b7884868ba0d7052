from __future__ import annotations

import assessments
import pytest
import study_assessments
from tenken.report import figures
from tenken.report.select import points


def test_a_full_page_draws_the_worst_cases_and_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sum(len(case.sections + case.metrics + case.findings) for case in assessments.bad().cases)
    monkeypatch.setattr(figures, "_PAGE", 7 * (figures._CASE + figures._LINE) + rows * figures._ROW + 1)
    drawn = figures.of_cases(assessments.bad())
    assert [case for case, made in drawn.items() if made.bytes] == ["lqcd:small"]
    assert drawn["lqcd:weak"].left_out and not drawn["lqcd:small"].left_out
    assert not drawn["lqcd:large"].left_out  # there was nothing to draw


def test_a_full_page_leaves_out_points_of_studies_before_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = study_assessments.run(study_assessments.volume())
    swept = figures.of_studies(shown)
    drawings = sum(len(drawing) for _, made in swept for drawing in made)
    rows = sorted(len(case.sections + case.metrics + case.findings) for case in shown.cases)
    three = 3 * (figures._CASE + rows[-1] * figures._ROW)
    monkeypatch.setattr(figures, "_PAGE", drawings + len(shown.cases) * figures._LINE + three)
    drawn = figures.of_cases(shown, swept)
    assert all(made.together for made in drawn.values()) and drawn["lqcd:volume/8x8x16x16-threads64"].omitted is False
    assert len(shown.cases) - 4 <= sum(made.omitted for made in drawn.values()) <= len(shown.cases) - 3


def test_the_place_shows_the_section_of_the_worst_finding_with_ranks_and_the_most_unequal_other() -> None:
    shown = figures.where(points(assessments.bad()))
    assert shown is not None
    point, drawings = shown
    assert point.case.id == "lqcd:weak"
    assert drawings[0][1].path == "cg/operator" and len(drawings) == 2
    assert figures.where(points(assessments.ok())) is None
