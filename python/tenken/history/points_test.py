"""Points of a figure in order of time, with the changes of the environment between them."""

from __future__ import annotations

from typing import Any

import pytest

from tenken.history.points import Entry, in_order, of_sitting, summary
from tenken.model.baseline import LaunchValues, Sitting
from tenken.stats.robust import mad


def facts(kernel: str, **exceptions: dict[str, str]) -> dict[str, Any]:
    return {"facts": {"kernel": kernel}, "exceptions": exceptions}


def sitting(day: int, kernel: str, *values: float) -> Sitting:
    launches = tuple(LaunchValues(i, {"metric:rate": value}) for i, value in enumerate(values, start=1))
    return Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), facts(kernel), launches)


def test_a_point_is_the_median_of_the_launches_with_the_quantity() -> None:
    launches = [LaunchValues(i, values) for i, values in enumerate(({"a": 1.0}, {"a": 2.0}, {"a": 9.0}, {"b": 5.0}), start=1)]
    assert summary(launches, "a") == (2.0, mad([1.0, 2.0, 9.0])) and mad([1.0, 2.0, 9.0]) > 0
    assert summary(launches, "c") == (None, None)
    point = of_sitting(sitting(3, "6.1", 4.0, 6.0), "metric:rate", "WARN", accepted=False).point
    assert (point.run, point.value, point.verdict, point.accepted, point.doubt) == ("run-3", 5.0, "WARN", False, "")


def test_a_point_with_a_launch_under_other_load_is_a_bound() -> None:
    launches = (LaunchValues(1, {"a": 1.0, "b": 1.0}), LaunchValues(2, {"a": 2.0, "b": 1.0}, {"a": 1.5}))
    of = Sitting("r", "2026-11-03T08:00:00Z", ("n0",), facts("6.1"), launches)
    assert [of_sitting(of, name).point.disturbed for name in ("a", "b")] == [True, False]


def test_points_are_in_order_of_time_with_what_changed() -> None:
    entries = [of_sitting(sitting(day, kernel, 1.0), "metric:rate") for day, kernel in ((3, "6.2"), (1, "6.1"), (2, "6.1"))]
    points = in_order(entries)
    assert [one.run for one in points] == ["run-1", "run-2", "run-3"]
    assert points[0].changes == points[1].changes == ()
    (change,) = points[2].changes
    assert "kernel" in change and "6.1" in change and "6.2" in change


def test_an_unknown_environment_is_skipped() -> None:
    kernels = {1: "6.1", 2: "?", 3: "6.2"}
    first, second, third = (of_sitting(sitting(day, kernel, 1.0), "metric:rate") for day, kernel in kernels.items())
    points = in_order([first, Entry(second.point, None), third])
    assert points[1].changes == () and len(points[2].changes) == 1 and "6.1" in points[2].changes[0]


def test_a_change_of_one_node_has_its_name() -> None:
    before = of_sitting(sitting(1, "6.1", 1.0), "metric:rate")
    after = Entry(of_sitting(sitting(2, "6.1", 1.0), "metric:rate").point, facts("6.1", n7={"kernel": "6.9"}))
    (change,) = in_order([before, after])[1].changes
    assert change.endswith("on n7") and "6.9" in change


@pytest.mark.parametrize(("started", "doubt"), [
    ("1970-01-01T00:00:00Z", "the clock was not set"), ("9999-01-01T00:00:00Z", "it lies in the future"),
    ("yesterday", "'yesterday' is not a time"),
])  # fmt: skip
def test_a_time_that_cannot_be_right_is_doubted(started: str, doubt: str) -> None:
    point = of_sitting(Sitting("r", started, (), facts("6.1"), ()), "metric:rate").point
    assert point.doubt == doubt and point.value is None
