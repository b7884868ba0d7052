from __future__ import annotations

from dataclasses import replace

import pytest

import assessments
from tenken.model.record import Value
from tenken.model.verdict import Axis, Verdict
from tenken.report import html
from tenken.report.topics import case_row, chosen


def test_the_page_states_beside_the_variant_what_the_program_chose() -> None:
    pytest.importorskip("matplotlib")
    stores, lanes = Value("stores_past_caches", "flag", 1.0, chosen=True), Value("lanes", "1", 8.0, chosen=True)
    values = (stores, Value("points", "1", 64.0), lanes)
    case = replace(assessments.pingpong(), values=values)
    assert chosen(case) == "stores past caches: yes, lanes: 8"
    assert f"variant {case.variant} (stores past caches: yes, lanes: 8)," in html.page(assessments.run([case]))
    assert chosen(replace(case, values=(replace(values[0], value=0.0),))) == "stores past caches: no"
    assert chosen(replace(case, values=values[1:2])) == ""


def test_a_row_shows_the_section_of_the_finding_else_the_slowest() -> None:
    sections = [assessments.section("solve/slow", 1e6, share=0.9), assessments.section("solve/uneven", 1e5, share=0.1)]
    case = assessments.case("c:c", sections, ())
    assert case_row(case)[2] == "solve/slow"
    found = assessments.finding(Axis.BALANCE, Verdict.WARN, "c:c", "solve/uneven", "uneven")
    assert case_row(replace(case, findings=(found,)))[2:4] == ("solve/uneven", "100.0 +- 0.4 us")
    assert case_row(replace(case, findings=(replace(found, section="gone"),)))[2] == "solve/slow"
