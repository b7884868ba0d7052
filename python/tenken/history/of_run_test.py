"""The histories on the page of a run: which figures, and that each ends with this run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import builders as b
from tenken.history.past import of_run
from tenken.judge.assess import assess
from tenken.judge.common import prepare, quantities_of
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.baseline import Baseline, Sitting
from tenken.model.run import CaseRun

NODE = json.loads((Path(__file__).parents[3] / "tests/machines/two_sockets.node.json").read_text())
MACHINE_JSON = {"nodes": [{**NODE, "host": "n0"}], "software": {}}
ON = b.machine(b.node())
CHECK = b.check(metrics=[b.metric("rate", "s0")])
MS = 1_000_000
TIMES = {"s0": 1.0, "s1": 4.0, "s2": 3.0, "s3": 2.0}  # ms; s0 is the section of the metric


def measured(slower: str = "") -> CaseRun:
    """Five launches of four sections; `slower` takes twice its time."""
    records = [
        b.record(*(b.Timed(path, b.quiet(MS * ms * (2 if path == slower else 1), seed=launch * 10 + i), work=b.Work(flop=10**6))
                   for i, (path, ms) in enumerate(TIMES.items())), launch=launch)
        for launch in range(1, 6)
    ]
    return b.case_run(*records, of=CHECK)


def baseline() -> dict[str, Baseline]:
    quantities, launches = quantities_of(prepare("r", measured(), ON), ON)
    sittings = tuple(Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {"facts": {}, "exceptions": {}}, launches)
                     for day in range(1, 6))
    return {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, sittings)}


def on_page(slower: str = "", known: bool = True) -> CaseAssessment:
    run = replace(b.run(measured(slower)), environment={"build": {}})
    accepted = baseline() if known else {}
    found: Assessment = assess(run, ON, (), (), accepted)
    return of_run(found, run, ON, MACHINE_JSON, accepted, lambda one: prepare(run.name, one, ON)).cases[0]


def test_a_case_without_a_baseline_has_no_history() -> None:
    assert on_page(known=False).histories == ()


def test_metrics_come_first_then_the_longest_sections() -> None:
    histories = on_page().histories
    assert [one.name for one in histories] == ["metric:rate", "time:s1", "time:s2"]
    assert {(one.case_id, one.node_class, one.case_hash) for one in histories} == {("demo:a", "toy", "0badcafe")}


def test_the_last_point_is_this_run_and_is_not_accepted() -> None:
    points = on_page().histories[0].points
    assert [one.run for one in points] == [*(f"run-{day}" for day in range(1, 6)), "20261121T080000Z-quick-1a2b"]
    assert [one.accepted for one in points] == [True] * 5 + [False]
    assert points[-1].verdict == "OK" and points[-1].value == pytest.approx(points[0].value, rel=1e-6)


def test_the_section_of_a_finding_comes_before_all() -> None:
    histories = on_page("s3").histories
    assert histories[0].name == "time:s3" and histories[0].points[-1].verdict == "FAIL"
    assert histories[0].points[-1].value == pytest.approx(2 * (histories[0].points[0].value or 0), rel=0.02)
    assert [one.name for one in histories[1:]] == ["metric:rate", "time:s1"]
