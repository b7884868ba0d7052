from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import Assessment
from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.judgement import StudyTold, StudyToTell, Teller
from tenken.model.machine import Cache, Machine
from tenken.model.run import CaseRun
from tenken.model.study import PointFigure, StudyAssessment, StudyPoint, StudyRun, StudyTable
from tenken.model.verdict import Verdict

RATE = builders.metric("rate", "solve", ceiling="none")
TIME = builders.metric("time", "solve", "time", "us", ceiling="none", better="lower")
CHECK = builders.check(metrics=[RATE, TIME])
CACHES = (Cache(1, 32 << 10, 1), Cache(3, 16 << 20, 2))


def point(name: str, rates: list[float], **more: Any) -> CaseRun:
    """A case demo:sweep/NAME with a launch for each rate in GFLOP/s."""
    trust = more.pop("trust", None)
    validity = more.pop("validity", None)
    threads, ms = more.get("threads", 1), more.pop("ms", 1.0)
    records = [
        replace(
            builders.record(
                builders.fma(rate * 1e9, path="solve", ms=ms), launch=number, threads=threads, trusts=trust, validity=validity,
                values={"working_set_bytes": ("B", 1000.0 * threads)},
            ),
            path=f"/runs/r/launches/{number:04d}-demo.sweep.{name}/record.jsonl",
        )
        for number, rate in enumerate(rates, start=1)
    ]
    case_id = f"demo:sweep/{name}"
    launches = [
        replace(builders.launch(number, case_id), folder=f"launches/{number:04d}-demo.sweep.{name}")
        for number in range(1, len(rates) + 1)
    ]
    return builders.case_run(*records, of=CHECK, launches=launches, check="demo", name=f"sweep/{name}", **more)


def judged(
    *cases: CaseRun, left_out: tuple[StudyPoint, ...] = (), axis: StudyAxis = StudyAxis("threads", {"threads": [1]}),
    teller: Teller | None = None, **plot: Any,
) -> tuple[StudyAssessment, Assessment]:
    base = Plot("curve", "threads", ("rate",), None, None, (), ())
    spec = CaseSpec("sweep", "plain", {}, 1, 1, 2, 20.0, ())
    study = Study("sweep", "t", "q", spec, (axis,), replace(base, **plot))
    points = tuple(
        StudyPoint(one.case.name.partition("/")[2], one.case.id, dict.fromkeys(("threads", axis.name), one.case.threads))
        for one in cases
    )
    run = builders.run(*cases, studies=(StudyRun("demo", study, points + left_out),))
    result = assess(run, Machine("toy", (builders.node(caches=CACHES),)), (), tellers={"demo": teller} if teller else {})
    return result.studies[0], result


def figures(study: StudyAssessment) -> dict[str, PointFigure]:
    return {one.name: one.figures[0] for one in study.points}


def test_a_point_has_median_and_range_over_launches_in_the_unit_of_the_metric() -> None:
    study, _ = judged(point("threads1", [2.0, 2.2, 3.0]), point("threads2", [4.0, 4.0, 4.0], threads=2))
    one = figures(study)["threads1"]
    assert (one.value, one.low, one.high) == pytest.approx((2.2, 2.0, 3.0), rel=0.01) and one.launches == 3
    assert [point.x for point in study.points] == [1.0, 2.0] and [point.cores for point in study.points] == [1, 2]
    assert [figure.best for figure in figures(study).values()] == [False, True]


def test_time_is_best_where_it_is_least() -> None:
    study, _ = judged(point("threads1", [2.0], ms=3.0), point("threads2", [4.0], threads=2, ms=2.0), y=("time",))
    assert figures(study)["threads1"].value == pytest.approx(3000, rel=0.01)
    assert [figure.best for figure in figures(study).values()] == [False, True]


def test_speed_up_and_efficiency_are_relative_to_the_smallest_point() -> None:
    cases = point("threads4", [6.0], threads=4), point("threads1", [2.0]), point("threads2", [3.6], threads=2)
    found = figures(judged(*cases, kind="strong")[0])
    assert found["threads1"].speed_up == 1.0 and found["threads1"].efficiency == 1.0
    assert found["threads2"].speed_up == pytest.approx(1.8, rel=0.01)
    assert found["threads4"].efficiency == pytest.approx(0.75, rel=0.01)


def test_weak_scaling_of_a_time_is_ideal_where_it_stays() -> None:
    cases = point("threads1", [2.0]), point("threads4", [2.0], threads=4)  # the same time
    weak = figures(judged(*cases, kind="weak", y=("time",))[0])["threads4"]
    assert weak.speed_up == pytest.approx(4.0, rel=0.01) and weak.efficiency == pytest.approx(1.0, rel=0.01)
    strong = figures(judged(*cases, kind="strong", y=("time",))[0])["threads4"]
    assert strong.speed_up == pytest.approx(1.0, rel=0.01) and strong.efficiency == pytest.approx(0.25, rel=0.01)


def test_x_may_be_recorded_and_caches_are_those_of_the_cores() -> None:
    study, _ = judged(
        point("threads1", [2.0]), point("threads4", [4.0], threads=4), x="value:working_set_bytes", marks=("caches",)
    )
    assert [one.x for one in study.points] == [1000.0, 4000.0] and study.x_unit == "B"
    assert [(one.name, one.cores, one.bytes) for one in study.caches] == [
        ("L1", 1, 32 << 10), ("L1", 4, 128 << 10), ("L3", 1, 16 << 20), ("L3", 4, 32 << 20)
    ]


def test_a_disturbed_point_says_so_and_is_never_the_best() -> None:
    waited = builders.trust(run_queue_wait_ns=builders.SECOND // 5)
    study, _ = judged(
        point("threads1", [2.0]), point("threads2", [1.9], threads=2), point("threads4", [9.0], threads=4, trust=waited)
    )
    assert "run-queue wait" in study.points[2].disturbed and study.points[0].disturbed == ""
    assert [figure.best for figure in figures(study).values()] == [True, False, False]


def test_a_wrong_answer_has_no_figure() -> None:
    study, result = judged(point("threads1", [2.0]), point("threads2", [4.0], threads=2, validity=[builders.proof(value=2.0)]))
    assert figures(study)["threads2"].value is None and study.points[1].verdict is Verdict.INVALID
    assert result.verdict is Verdict.INVALID


def test_points_that_cannot_run_are_left_out_and_fail_nothing() -> None:
    refusing = point("threads2", [], threads=2)
    refused = builders.launch(9, refusing.case.id, "refused", reason="lattice 7 cannot be divided")
    missing = replace(point("threads4", [], threads=4), unavailable="needs cblas")
    study, result = judged(
        point("threads1", [2.0]), replace(refusing, launches=(refused,)), missing,
        left_out=(StudyPoint("threads8", "demo:sweep/threads8", {"threads": 8}, "1 x 8 is more than 4 cores"),),
    )
    assert [(one.name, one.reason) for one in study.left_out] == [
        ("threads2", "lattice 7 cannot be divided"), ("threads4", "needs cblas"), ("threads8", "1 x 8 is more than 4 cores")
    ]
    assert [case.id for case in result.cases] == ["demo:sweep/threads1"] and result.verdict is Verdict.OK


def test_a_case_that_is_no_point_is_not_forgiven() -> None:
    refused = builders.launch(9, "demo:sweep/threads2", "refused", reason="no")
    result = assess(builders.run(replace(point("threads2", []), launches=(refused,))), builders.machine(), ())
    assert result.verdict is Verdict.ERROR


def test_a_stack_has_the_time_of_each_leaf_section_and_a_wrong_answer_has_none() -> None:
    study, _ = judged(point("threads1", [2.0, 2.0], ms=3.0), point("threads2", [4.0], threads=2, ms=2.0), kind="stack")
    assert [[(one.path, one.kind) for one in point.sections] for point in study.points] == [[("solve", "compute")]] * 2
    assert [point.sections[0].ns for point in study.points] == pytest.approx([3e6, 2e6], rel=0.01)
    assert judged(point("threads1", [2.0]))[0].points[0].sections == ()
    wrong, _ = judged(point("threads1", [2.0], validity=[builders.proof(value=2.0)]), kind="stack")
    assert wrong.points[0].sections == ()


def test_a_study_that_moves_threads_tells_where_they_were_found() -> None:
    study, _ = judged(point("threads1", [2.0]))
    assert study.points[0].processors == "" and study.notes == ()
    axis = StudyAxis("placement", {"placement": ["compact", "one_socket"]})
    moved, _ = judged(point("threads1", [2.0]), axis=axis)
    assert moved.points[0].processors == "0" and moved.notes[0].startswith("one socket here")


def test_a_check_tells_of_its_study_from_points_with_a_right_answer() -> None:
    def teller(of: StudyToTell) -> StudyTold:
        names = tuple((one.case.name, str(len(one.measured))) for one in of.points)
        return StudyTold((StudyTable(of.study.name, ("point", "launches"), names),), ("told",))

    cases = point("threads1", [2.0, 2.0]), point("threads2", [4.0], threads=2, validity=[builders.proof(value=2.0)])
    study, _ = judged(*cases, teller=teller)
    assert study.tables == (StudyTable("sweep", ("point", "launches"), (("sweep/threads1", "2"),)),) and study.notes == ("told",)


def test_a_teller_that_goes_wrong_costs_a_note_alone() -> None:
    def raises(of: StudyToTell) -> StudyTold:
        raise ZeroDivisionError("no points")

    study, result = judged(point("threads1", [2.0]), teller=raises)
    assert study.notes == ("checks/demo/judge.py failed for this study: no points",)
    assert result.verdict is Verdict.OK and study.tables == ()
    odd, _ = judged(point("threads1", [2.0]), teller=lambda of: 3)  # type: ignore[arg-type,return-value]
    assert "it returned int, expected a StudyTold" in odd.notes[0]
