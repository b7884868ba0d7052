"""The seconds of a suite: what fits, what is left out, and the sentence with the reason."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import pytest

from tenken.launch.budget import Budget, rest, without
from tenken.launch.plan import plan
from tenken.model.run import CaseRun


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def budget(seconds: float = 60, expected: dict[str, float] | None = None, **more: object) -> tuple[Budget, Clock]:
    clock = Clock()
    return Budget("quick", seconds, expected or {}, clock, **more), clock  # type: ignore[arg-type]


def test_a_launch_fits_where_it_would_end_in_time() -> None:
    of, clock = budget(60, {"a:a": 20.0})
    assert of.fits("a:a") and of.fits("b:never ran") and of.left_s() == 60
    clock.now += 40.0
    assert of.fits("a:a")
    clock.now += 0.1
    assert not of.fits("a:a") and of.fits("b:never ran") and not of.used()
    clock.now += 20.0
    assert not of.fits("b:never ran") and of.used() and of.left_s() == 0


def test_a_launch_of_this_run_counts_more_than_earlier_ones() -> None:
    of, _ = budget(60, {"a:a": 20.0})
    of.took("a:a", 61.0)
    assert not of.fits("a:a")
    assert of.why("a:a") == ("it does not fit into the 60 s that the cases of suite quick share (about 61 s a launch; "
                             "by itself: ./tenken run a:a)")


@pytest.mark.parametrize(("waited", "took", "words"), [
    (0.24, 40.0, ""), (0.5, 20.0, "; other load is the reason: the launches waited for a processor 50 % of the time"),
    (0.5, 40.0, "; other load is the reason: the launches took 2.0 times as long as planned and waited for a processor 50 % of "
                "the time"),
])  # fmt: skip
def test_load_is_the_reason_where_launches_waited(waited: float, took: float, words: str) -> None:
    of, _ = budget(60, {"a:a": 20.0})
    of.took("a:a", took, waited)
    assert of.load() == words and of.why("b:b").endswith(f"by itself: ./tenken run b:b){words}")


def test_a_study_begins_only_as_a_whole() -> None:
    studies = {"a:study": ["a:study/1", "a:study/2", "a:study/3"]}
    of, clock = budget(60, {"a:study/1": 25.0}, studies=studies)
    assert not of.fits("a:study/1"), "the other points are expected to take as long"
    assert of.why("a:study/2") == "it does not fit into the 60 s of suite quick (alone: ./tenken run a:study)"
    of, clock = budget(60, {"a:study/1": 20.0}, studies=studies)
    assert of.fits("a:study/1")
    clock.now += 30.0
    assert of.fits("a:study/2"), "a study that began goes on"


@pytest.mark.parametrize(("ends", "limit"), [(False, 100.0), (True, 25.0)])
def test_a_budget_may_end_its_launches(ends: bool, limit: float) -> None:
    of, clock = budget(60, ends=ends)
    of.fits("a:a")
    clock.now += 40.0
    assert of.limit_s(100.0) == limit and of.limit_s(10.0) == 10.0


def test_a_resumed_run_has_the_rest() -> None:
    of, _ = budget(60, ends=True)
    run = b.run(b.case_run(b.record(b.fma(1e9))), environment={"budget": of.described()})
    spent = sum(launch.seconds or 0.0 for one in run.cases for launch in one.launches)
    again = rest(run, {})
    assert again is not None and again.left_s() == pytest.approx(60 - spent) and spent > 0
    assert again.described() == of.described() and rest(b.run(), {}) is None


def test_a_case_without_a_launch_is_left_out_with_its_reason() -> None:
    base = b.case_run(b.record(b.fma(1e9)))
    named = [replace(base.case, name=name, launches=2) for name in ("a", "b")]
    planned = plan([CaseRun(case, base.check, (), ()) for case in named], seed=1)
    run = b.run(*planned)
    of, _ = budget(60)
    first = planned[0].launches
    one, two = without(run, [*first, planned[1].launches[0]], of).cases
    assert one.launches == () and one.unavailable == of.why(one.case.id)
    assert two.launches == planned[1].launches[1:] and two.unavailable is None
