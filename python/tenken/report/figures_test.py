from __future__ import annotations

import assessments
import pytest
from tenken.report import figures
from tenken.report.select import points


def test_a_full_page_draws_the_worst_cases_and_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sum(len(case.sections + case.metrics + case.findings) for case in assessments.bad().cases)
    monkeypatch.setattr(figures, "_PAGE", 7 * figures._CASE + rows * figures._ROW + 1)
    drawn = figures.of_cases(assessments.bad())
    assert [case for case, made in drawn.items() if made.bytes] == ["lqcd:small"]
    assert drawn["lqcd:weak"].left_out and not drawn["lqcd:small"].left_out
    assert not drawn["lqcd:large"].left_out  # there was nothing to draw


def test_the_place_shows_the_section_of_the_worst_finding_with_ranks_and_the_most_unequal_other() -> None:
    shown = figures.where(points(assessments.bad()))
    assert shown is not None
    point, drawings = shown
    assert point.case.id == "lqcd:weak"
    assert drawings[0][1].path == "cg/operator" and len(drawings) == 2
    assert figures.where(points(assessments.ok())) is None
