"""Figures of the points of a study, function by function: where a point lies, its scaling, the best one, the caches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import pytest

from tenken.judge import studies
from tenken.judge.common import prepare
from tenken.judge.studies_test import CHECK, RATE, TIME, figures, judged, point
from tenken.model.check import Plot, StudyAxis
from tenken.model.machine import Cache, Machine
from tenken.model.record import Value
from tenken.model.study import PointFigure, PointResult, StudyPoint, StudyRun
from tenken.model.verdict import Verdict

PLOT = Plot("curve", "threads", ("rate",), None, None, (), ())


def figure(value: float | None, **changes: Any) -> PointFigure:
    return replace(PointFigure("rate", value, value, value, 1, None, None, None, False), **changes)


def at(x: float | str | None, *values: float | None, disturbed: str = "", cores: int = 1, **places: Any) -> PointResult:
    return PointResult(f"p{x}", f"demo:s/{x}", places, cores, x, Verdict.OK, disturbed, tuple(map(figure, values)))


def launches(*status: str, reason: str = "") -> Any:
    made = tuple(b.launch(n, "demo:sweep/x", one, reason=reason) for n, one in enumerate(status, 1))
    return replace(point("x", []), launches=made)


def test_a_case_is_refused_where_no_launch_would_start() -> None:
    assert studies.refused(launches("refused", "refused", reason="odd lattice")) == "odd lattice"
    assert studies.refused(launches("refused")) == "the program refused to start"
    for other in (launches(), launches("done"), launches("refused", "done"), launches("crashed", "refused")):
        assert studies.refused(other) is None


def test_only_points_of_a_study_can_be_impossible() -> None:
    study = judged(point("threads1", [2.0]))[0]
    points = tuple(StudyPoint(name, f"demo:sweep/{name}", {}) for name in ("x", "fine", "gone"))
    of = StudyRun("demo", replace_study(study), points)
    gone = replace(point("gone", []), unavailable="needs cblas")
    other = replace(point("other", []), unavailable="needs cblas")
    found = studies.impossible_points([of], [launches("refused", reason="odd"), point("fine", [1.0]), gone, other])
    assert found == {"demo:sweep/x": "odd", "demo:sweep/gone": "needs cblas"}


def replace_study(_: Any) -> Any:
    from tenken.model.check import CaseSpec, Study

    return Study("sweep", "t", "q", CaseSpec("sweep", "plain", {}, 1, 1, 2, 20.0, ()), (StudyAxis("threads", {}),), PLOT)


def placed(x: str, value: Any = None, **values: float) -> Any:
    case = point("threads1", [2.0, 3.0], threads=3)
    records = tuple(
        replace(one, values=tuple(Value(name, "B", number * (i + 1)) for name, number in values.items()))
        for i, one in enumerate(case.records)
    )
    made = prepare("r", replace(case, records=records), b.machine())
    ran = judged(case)[1].cases[0]
    return studies._x(x, StudyPoint("p", "demo:sweep/p", {"size": value}), made, ran)


def test_where_a_point_lies() -> None:
    assert placed("cores") == 3.0
    assert placed("size", 7) == 7.0 and placed("size", 2.5) == 2.5 and isinstance(placed("size", 7), float)
    assert placed("size", [4, 4, 8]) == placed("size", (4, 4, 8)) == "4x4x8"
    assert placed("size", "compact") == "compact" and placed("size", True) == "True"
    assert placed("value:n", n=10.0, m=9.0) == 15.0, "the middle over launches"
    assert placed("value:n", m=9.0) is None and placed("value:n", n=float("inf")) is None


def test_the_unit_of_a_recorded_place_is_that_of_its_value() -> None:
    case = prepare("r", point("threads1", [2.0]), b.machine())
    assert studies._recorded_unit("value:working_set_bytes", [case]) == "B"
    assert studies._recorded_unit("value:other", [case]) == studies._recorded_unit("threads", [case]) == ""


def scaled(*points: PointResult, kind: str = "strong", higher: bool = True, **plot: Any) -> list[tuple[Any, Any]]:
    found = studies._with_scaling(list(points), replace(PLOT, kind=kind, **plot), 0, higher)
    return [(one.figures[0].speed_up, one.figures[0].efficiency) for one in found]


def test_scaling_begins_at_the_fewest_cores_wherever_they_stand() -> None:
    points = at(4.0, 6.0), at(2.0, 4.0), at(8.0, 8.0)
    assert scaled(*points) == [(1.5, 0.75), (1.0, 1.0), (2.0, 0.5)]
    assert scaled(*points, higher=False) == [(4 / 6, 2 / 6), (1.0, 1.0), (0.5, 0.125)]
    assert scaled(*points, kind="weak") == scaled(*points)
    assert scaled(*points, kind="weak", higher=False) == [(pytest.approx(4 / 3), pytest.approx(2 / 3)), (1.0, 1.0), (2.0, 0.5)]
    assert scaled(*points, kind="curve") == [(None, None)] * 3


def test_points_without_figure_or_number_have_no_scaling_and_begin_no_line() -> None:
    nothing = (None, None)
    assert scaled(at(1.0, None), at(2.0, 4.0), at(4.0, 8.0)) == [nothing, (1.0, 1.0), (2.0, 1.0)]
    assert scaled(at(1.0, 0.0), at(2.0, 4.0)) == [nothing, (1.0, 1.0)]
    assert scaled(at("compact", 3.0), at(2.0, 4.0)) == [nothing, (1.0, 1.0)]
    assert scaled(at(None, 3.0), at(0.5, 4.0)) == [nothing, (1.0, 1.0)]
    assert scaled(at(2.0, None)) == [nothing]


def test_each_line_and_panel_has_its_own_beginning() -> None:
    points = [at(x, value, size=size, mode=mode) for size, mode, x, value in (
        ("a", 1, 1.0, 2.0), ("b", 1, 2.0, 3.0), ("a", 1, 2.0, 3.0), ("b", 2, 4.0, 1.0), ("b", 1, 4.0, 6.0))]  # fmt: skip
    assert [one[0] for one in scaled(*points, lines="size")] == [1.0, 1.0, 1.5, pytest.approx(1 / 3), 2.0]
    assert [one[0] for one in scaled(*points, lines="size", panels="mode")] == [1.0, 1.0, 1.5, 1.0, 2.0]
    assert [one[0] for one in scaled(*points, panels="mode")] == [1.0, 1.5, 1.5, 1.0, 3.0]


def test_what_has_no_number_stands_before_all_that_has() -> None:
    assert studies._numeric_x(at("compact", 1.0)) == studies._numeric_x(at(None, 1.0)) == 0.0
    assert studies._numeric_x(at(0.5, 1.0)) == 0.5


def best(*points: PointResult, higher: bool = True, index: int = 0) -> list[bool]:
    return [one.figures[index].best for one in studies._with_best(list(points), index, higher)]


def test_the_best_is_one_of_several_that_were_quiet() -> None:
    points = at(1.0, 2.0), at(2.0, 5.0), at(4.0, 3.0)
    assert best(*points) == [False, True, False] and best(*points, higher=False) == [True, False, False]
    loud = replace(points[1], disturbed="steal")
    assert best(points[0], loud, points[2]) == [False, False, True]
    assert best(points[0], loud) == [False, False], "one quiet point is the best of none"
    assert best(loud, replace(points[0], disturbed="steal")) == [True, False], "all were disturbed alike"
    assert best(at(1.0, None), points[1], points[2]) == [False, True, False] and best(at(1.0, None), points[1]) == [False, False]
    assert best(at(1.0, 2.0), at(2.0, 2.0)) == [True, False]


def test_the_best_of_one_metric_leaves_the_others_alone() -> None:
    points = at(1.0, 9.0, 1.0, 4.0), at(2.0, 3.0, 2.0, 5.0)
    found = studies._with_best(list(points), 1, True)
    assert [[one.best for one in each.figures] for each in found] == [[False] * 3, [False, True, False]]
    assert [[one.value for one in each.figures] for each in found] == [[9.0, 1.0, 4.0], [3.0, 2.0, 5.0]]


def test_caches_are_told_for_each_number_of_cores_once() -> None:
    machine = Machine("m", (b.node(caches=(Cache(1, 100, 1), Cache(2, 1000, 4))), b.node("n1")))
    found = studies._caches([at(1.0, 1.0, cores=6), at(2.0, 1.0, cores=1), at(3.0, 1.0, cores=6), at(4.0, 1.0, cores=4)], machine)
    assert [(one.name, one.cores, one.bytes) for one in found] == [
        ("L1", 1, 100), ("L1", 4, 400), ("L1", 6, 600), ("L2", 1, 1000), ("L2", 4, 1000), ("L2", 6, 2000)]


def test_a_stack_leaves_out_groups_and_what_was_timed_once() -> None:
    sections = (b.Timed("g", b.quiet(4e6), leaf=False), b.Timed("g/a", b.quiet(1e6), "comm"),
        b.Timed("s", b.quiet(1e6), once=True))
    case = judged(point("threads1", [2.0]))[1].cases[0]
    timed = prepare("r", b.case_run(b.record(*sections)), b.machine()).sections
    assert [(one.path, one.kind) for one in studies._section_times(replace(case, sections=timed))] == [("g/a", "comm")]


def test_several_metrics_are_told_in_the_order_of_the_plot_with_their_own_best() -> None:
    study, _ = judged(point("threads1", [2.0], ms=1.0), point("threads2", [4.0], threads=2, ms=3.0), y=("time", "rate"))
    assert [(one.name, one.unit, one.better) for one in study.metrics] == [("time", "us", "lower"), ("rate", "GFLOP/s", "higher")]
    assert [[one.metric for one in each.figures] for each in study.points] == [["time", "rate"]] * 2
    assert [[one.best for one in each.figures] for each in study.points] == [[True, False], [False, True]]
    assert (study.id, study.along, study.axes, study.x_unit) == ("demo:sweep", "threads", {"threads": ""}, "")


def test_range_and_ceiling_are_in_the_unit_of_the_metric() -> None:
    flop = replace(RATE, ceiling="flop")
    case = replace(point("threads1", [2.0, 3.0, 4.0]), check=replace(CHECK, metrics=(flop, TIME)))
    ran = judged(case)[1].cases[0]
    found = studies._figure("rate", prepare("r", case, b.machine()), ran)
    assert (found.value, found.low, found.high, found.ceiling) == (
        pytest.approx(3.0, rel=0.01), pytest.approx(2.0, rel=0.01), pytest.approx(4.0, rel=0.01), pytest.approx(48.0))
    assert (found.launches, found.best, found.speed_up, found.efficiency) == (3, False, None, None)
    assert studies._figure("other", prepare("r", case, b.machine()), ran) == figure(None, metric="other", launches=0)
    assert figures(judged(point("threads1", [2.0]))[0])["threads1"].ceiling is None
