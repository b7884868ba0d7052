from __future__ import annotations

from dataclasses import replace

import assessments
import pytest

from tenken.model.record import Value
from tenken.report import html
from tenken.report.cases import chosen


def test_the_page_states_beside_the_variant_what_the_program_chose() -> None:
    pytest.importorskip("matplotlib")
    stores, lanes = Value("stores_past_caches", "flag", 1.0, chosen=True), Value("lanes", "1", 8.0, chosen=True)
    values = (stores, Value("points", "1", 64.0), lanes)
    case = replace(assessments.pingpong(), values=values)
    assert chosen(case) == "stores past caches: yes, lanes: 8"
    assert f"variant {case.variant} (stores past caches: yes, lanes: 8)," in html.page(assessments.run([case]))
    assert chosen(replace(case, values=(replace(values[0], value=0.0),))) == "stores past caches: no"
    assert chosen(replace(case, values=values[1:2])) == ""
