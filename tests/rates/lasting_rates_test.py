"""200 runs of every line of noise after two others, made again: what lasts is what it was when the table was written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from rates import lasting_rates as rates

KEPT = json.loads(rates.FILE.read_text(encoding="utf-8"))
SOME = [one for one in rates.LINES if one.name == "t4"]  # the rest is made again by ./tenken test --ci


@pytest.mark.parametrize("line", rates.LINES if os.environ.get("TENKEN_RATES") else SOME, ids=lambda line: line.name)
def test_counts_are_those_committed(line: rates.Line) -> None:
    assert rates.measure(line, rates.AGAIN, rates.FEW) == KEPT[line.name]


def test_the_page_has_a_row_for_every_line() -> None:
    page = Path(__file__).resolve().parents[2].joinpath("docs", "judge-rates.md").read_text(encoding="utf-8")
    mine = page.partition("## Three sittings in a row")[2]
    assert all(f"\n| {line.name} | {rates.AGAIN} | " in mine for line in rates.LINES)


def test_goals_are_missed_where_clean_runs_last() -> None:
    one = {"runs": 2000, "clean lasting": 1}
    assert rates.goals({"lasting: t4/5": one, "t4/5": {"runs": 1}})[0][1]
    assert not rates.goals({"lasting: t4/5": one, "lasting: t4/30": {"runs": 2000, "clean lasting": 15}})[0][1]
