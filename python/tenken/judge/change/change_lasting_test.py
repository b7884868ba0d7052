"""A shift that lasts over three sittings, from records to findings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import builders as b
from tenken.judge.assess import assess
from tenken.judge.change.change_test import OURS, baseline, busy, case_of
from tenken.judge.change.lasting import SITTINGS, seen_of, values_of
from tenken.model.assessment import CaseAssessment, Finding
from tenken.model.baseline import EarlierSitting, LaunchValues, Seen, Shown
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

SHIFTED = {"s3": 1.035}


def judged(of: CaseRun, *earlier: EarlierSitting, comm: int = 10, sittings: int = 5) -> CaseAssessment:
    return assess(b.run(of), OURS, (), (), baseline(sittings, comm), earlier=earlier).cases[0]


def sitting(name: str, of: CaseRun, comm: int = 10) -> EarlierSitting:
    """What a run showed, as its results.json keeps it."""
    return EarlierSitting(name, f"2026-11-1{name[-1]}T08:00:00Z", tuple(
        Shown("demo:a", one.quantity, one.unit, one.better, one.value if one.at_best is None else one.at_best, one.launches)
        for one in judged(of, comm=comm).changes
    ))


def changes(of: CaseAssessment) -> list[Finding]:
    return [one for one in of.findings if one.axis is Axis.CHANGE]


def days(*factors: dict[str, float], comm: int = 10) -> list[CaseRun]:
    return [case_of(one, day=20 + i, comm=comm) for i, one in enumerate(factors)]


def test_three_sittings_alike_are_a_failure_that_names_them() -> None:
    first, second, now = days(SHIFTED, SHIFTED, SHIFTED)
    before = sitting("run2", second), sitting("run1", first)
    assert {judged(one).verdict for one in (first, second, now)} == {Verdict.WARN}, "each by itself"
    (one,) = changes(judged(now, *before))
    assert one.verdict is Verdict.FAIL and one.section == "s3"
    change = next(each for each in judged(now, *before).changes if each.quantity == "time:s3")
    assert change.verdict is Verdict.FAIL


def test_two_are_a_warning() -> None:
    first, now = days(SHIFTED, SHIFTED)
    (one,) = changes(judged(now, sitting("run1", first)))
    assert one.verdict is Verdict.WARN and "sittings before" not in one.what


@pytest.mark.parametrize(
    "other", [{"s3": 0.96}, {"s4": 1.035}, {"s": 1.0}, {"s3": 1.01}], ids=["faster", "another section", "as ever", "too little"]
)
@pytest.mark.parametrize("place", [0, 1])
def test_one_of_three_that_differs_is_no_failure(other: dict[str, float], place: int) -> None:
    of = days(*([SHIFTED, other, SHIFTED] if place else [other, SHIFTED, SHIFTED]))
    found = judged(of[2], sitting("run2", of[1]), sitting("run1", of[0]))
    assert found.verdict is Verdict.WARN and all(one.verdict is Verdict.WARN for one in changes(found))


def test_each_of_the_three_is_beyond_its_own_warning() -> None:
    first, second, now = days({"all": 1.025, "s3": 1.04}, SHIFTED, {"s3": 1.04})
    assert judged(first).verdict is Verdict.OK, "further than all three share, but the rest moved along"
    assert judged(now, sitting("run2", second), sitting("run1", first)).verdict is Verdict.WARN


def test_only_the_two_before_count_and_a_sitting_that_did_not_measure_it_is_passed_over() -> None:
    *of, fine = days(SHIFTED, SHIFTED, SHIFTED, {"s": 1.0})
    three, two, one = sitting("run3", of[1]), sitting("run2", of[0]), sitting("run1", fine)
    assert judged(of[2], three, two, one).verdict is Verdict.FAIL
    assert judged(of[2], three, one, two).verdict is Verdict.WARN
    without = replace(one, shown=tuple(each for each in one.shown if each.quantity != "time:s3"))
    assert judged(of[2], three, without, two).verdict is Verdict.FAIL
    elsewhere = replace(one, shown=tuple(replace(each, unit="s") for each in one.shown))
    assert judged(of[2], three, elsewhere, two).verdict is Verdict.FAIL, "another unit is another quantity"


def test_a_run_that_is_slower_as_a_whole_in_three_sittings_fails() -> None:
    first, second, now = days({"all": 1.12}, {"all": 1.15}, {"all": 1.12})
    before = sitting("run2", second), sitting("run1", first)
    (alone,), (one,) = changes(judged(now)), changes(judged(now, *before))
    assert (alone.verdict, one.verdict) == (Verdict.WARN, Verdict.FAIL)
    assert one.what.startswith("all figures are 1") and "in run2 and 1.1" in one.what and "One sitting" not in one.what


def test_so_does_a_class() -> None:
    slow = {f"s{i}": 1.2 for i in range(5, 10)}
    first, second, now = days(slow, slow, slow, comm=5)
    before = sitting("run2", second, 5), sitting("run1", first, 5)
    (alone,), (one,) = changes(judged(now, comm=5)), changes(judged(now, *before, comm=5))
    assert (alone.verdict, one.verdict) == (Verdict.WARN, Verdict.FAIL) and one.what.startswith("5 latency figures together")
    assert "The 2 sittings before show the same" in one.what and "One sitting" not in one.what


def test_it_takes_a_baseline_of_three_sittings() -> None:
    first, second, now = days({"s3": 2.0}, {"s3": 2.0}, {"s3": 2.0})
    assert judged(now, sitting("run2", second), sitting("run1", first), sittings=2).verdict is Verdict.WARN


def test_what_another_s_load_may_have_caused_before_is_no_evidence() -> None:
    slow = busy(1.3, 10 * 1_000_000)  # the load could hide all of it
    before = [sitting(f"run{i}", slow) for i in (2, 1)]
    assert max(one.value for one in before[0].shown if one.quantity == "time:s3") < 1.1e6
    now = days({"all": 1.15})[0]
    assert {one.verdict for one in changes(judged(now, *before))} == {Verdict.WARN}


def test_values_of_a_sitting_are_scaled_and_where_nothing_was_measured_nan() -> None:
    rate, time = (one for one in baseline()["demo:a"].quantities if one.name in ("metric:rate", "time:s3"))
    shown = Shown("demo:a", rate.name, rate.unit, rate.better, 8.0, 4)
    others = replace(shown, case_id="demo:b"), replace(shown, quantity="metric:gone")  # of another case; not in use any more
    before = [EarlierSitting("run1", "", (shown, *others))]
    seen = seen_of("demo:a", {"run1": LaunchValues(0, {rate.name: 9.0})}, before)
    assert seen == {rate.name: (Seen("run1", 9.0, 4),)}
    values, launches = values_of("run1", [rate, time], [seen[rate.name], ()])
    assert values[0] == pytest.approx(-np.log(9.0)) and np.isnan(values[1]) and launches.tolist() == [4.0, 0.0]
    assert SITTINGS == 3
