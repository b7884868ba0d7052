"""The page of quick runs is of the rows that are kept, and says where runs contradict each other."""

from __future__ import annotations

import json

from rates import quick_runs


def test_the_page_is_of_the_rows_that_are_kept() -> None:
    state = json.loads(quick_runs.KEPT.read_text(encoding="utf-8"))
    assert quick_runs.PAGE.read_text(encoding="utf-8") == quick_runs.page(state)


def made(verdict: str, judged: int) -> dict:
    case = {"id": "a:b", "verdict": verdict, "trust": {"steal": 0.012, "run_queue_wait": None, "shared": 0.5}}
    unjudged = [{"cases": ["a:b"]}] if judged == 0 else []
    return {"started": "t", "verdict": verdict, "exit_code": 0, "seconds": 1.0, "cases": [case], "unjudged": unjudged}


def test_a_case_that_is_ok_once_and_a_finding_another_time_is_named() -> None:
    rows = [quick_runs.kept(made(verdict, 1)) for verdict in ("OK", "NOT JUDGED", "OK")]
    assert quick_runs.contradicted(rows) == []
    assert quick_runs.contradicted([*rows, quick_runs.kept(made("WARN", 0))]) == ["a:b"]


def test_a_row_tells_the_worst_counters_and_what_was_not_judged() -> None:
    assert quick_runs.row(made("OK", 0)) == ("t", "OK", "0", "0 of 1", "1", "1.2", "untold", "50.0", "-", "most")
    assert quick_runs.row(made("WARN", 1))[3:] == ("1 of 1", "1", "1.2", "untold", "50.0", "a:b WARN", "-")
