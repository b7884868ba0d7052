"""When a run is green, and what it says of what it could not judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import assessments
import pytest

from tenken.judge.completeness import run_verdict, unjudged
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.run import Launch
from tenken.model.verdict import Axis, Verdict

LAUNCHES = (Launch(1, "demo:a", "done", "f"),)


def case(name: str = "demo:a", judged: bool = True, why: str = "no counter", **changes: Any) -> CaseAssessment:
    """OK on all axes; one that is not `judged` lacks its trust, for which there is ground."""
    base = assessments.case(name, (), ())
    axes = [AxisResult(one, Verdict.OK, "fine") for one in Axis]
    if not judged:
        axes[-1] = AxisResult(Axis.TRUST, Verdict.NOT_JUDGED, why, ground=True)
    return replace(base, **{"axes": tuple(axes), "launches": LAUNCHES, "trust": base.trust, **changes})


def unmeasured(name: str, why: str, **changes: Any) -> CaseAssessment:
    """Nothing of it was measured."""
    axes = tuple(AxisResult(each, Verdict.NOT_JUDGED, why, ground=each is Axis.VALIDITY) for each in Axis)
    return case(name, verdict=Verdict.NOT_JUDGED, reason=why, axes=axes, **changes)


def verdict(judged: int, unjudged_cases: int, **changes: Any) -> Verdict:
    lacking = [case(f"demo:u{i}", judged=False, **changes) for i in range(unjudged_cases)]
    return run_verdict([*(case(f"demo:j{i}") for i in range(judged)), *lacking])


@pytest.mark.parametrize(("judged", "lacking", "expected"), [
    (1, 0, Verdict.OK), (9, 1, Verdict.OK), (8, 1, Verdict.INCOMPLETE), (17, 2, Verdict.INCOMPLETE), (18, 2, Verdict.OK),
    (89, 11, Verdict.INCOMPLETE), (90, 10, Verdict.OK), (0, 1, Verdict.INCOMPLETE),
])  # fmt: skip
def test_one_case_in_ten_may_lack_an_axis(judged: int, lacking: int, expected: Verdict) -> None:
    assert verdict(judged, lacking) is expected


def test_a_micro_benchmark_that_is_not_judged_is_one_too_many() -> None:
    assert verdict(99, 1, micro_benchmark=True) is Verdict.INCOMPLETE
    assert run_verdict([case(micro_benchmark=True)] * 9 + [case(judged=False)]) is Verdict.OK


@pytest.mark.parametrize("worse", [Verdict.WARN, Verdict.ERROR, Verdict.FAIL, Verdict.INVALID])
def test_what_is_worse_is_said_however_little_was_judged(worse: Verdict) -> None:
    assert run_verdict([case(verdict=worse), *[case(judged=False)] * 9]) is worse


def test_nothing_judged_at_all_is_no_verdict() -> None:
    assert run_verdict([case(verdict=Verdict.NOT_JUDGED)]) is Verdict.NOT_JUDGED is run_verdict([])


def test_a_case_whose_times_have_no_ground_makes_no_run_incomplete() -> None:
    """Its answers are right, and nothing took away what could have been judged: it is counted, not complained of."""
    axes = tuple(AxisResult(each, Verdict.OK if each is Axis.VALIDITY else Verdict.NOT_JUDGED, "none") for each in Axis)
    short = case("demo:s", verdict=Verdict.NOT_JUDGED, axes=axes, micro_benchmark=True)
    assert run_verdict([case(), short]) is Verdict.OK and unjudged([case(), short]) == ()
    assert run_verdict([short]) is Verdict.NOT_JUDGED


def test_causes_are_grouped_by_the_word_of_their_cases() -> None:
    open_axis, whole = case("demo:a", False), replace(case("demo:b", False), verdict=Verdict.NOT_JUDGED)
    assert [each.cases for each in unjudged([open_axis, whole])] == [("demo:a",), ("demo:b",)]


def test_what_was_judged_is_not_told() -> None:
    assert unjudged([case(), case("demo:b")]) == ()


def test_cases_of_one_cause_are_told_together_in_their_order() -> None:
    cases = [case("demo:b", False), case(), case("demo:a", False), case("demo:c", False, "no clock")]
    one, two = unjudged(cases)
    assert (one.what, one.cases) == ("no counter (2 cases)", ("demo:b", "demo:a"))
    assert one.next_command == "./tenken run demo:b demo:a --launches 5"
    assert (two.what, two.cases, two.next_command) == ("no clock", ("demo:c",), "./tenken run demo:c --launches 5")


def test_the_cause_is_the_first_axis_with_ground_and_else_the_reason_of_the_case() -> None:
    ground = AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "first", ground=True)
    before = AxisResult(Axis.SPEED, Verdict.NOT_JUDGED, "no ground")
    of = case(judged=False, why="second")
    (told,) = unjudged([replace(of, axes=(before, replace(ground, verdict=Verdict.OK), ground, *of.axes))])
    assert told.what == "first"
    (whole,) = unjudged([unmeasured("demo:a", "never launched")])
    assert whole.what == "never launched"


def test_cases_that_never_ran_are_run_and_those_that_did_more_often() -> None:
    planned = unmeasured("demo:p", "never launched", trust=None, launches=())
    (told,) = unjudged([planned])
    assert told.next_command == "./tenken run demo:p --yes"
    for ran in (replace(planned, launches=LAUNCHES), replace(planned, trust=case().trust)):
        assert unjudged([ran])[0].next_command == "./tenken run demo:p --launches 5"
        assert unjudged([planned, ran])[0].next_command == "./tenken run demo:p demo:p --launches 5"


def test_a_parameter_that_only_the_user_knows_is_in_the_command() -> None:
    lacking = tuple(replace(one, status="lacking") for one in LAUNCHES)
    (told,) = unjudged([unmeasured("demo:a", "demo: no folder named: --set root=DIR", launches=lacking)])
    assert told.next_command == "./tenken run demo:a --set root=DIR"


def test_a_case_that_lacks_a_device_is_not_run_again() -> None:
    lacking = tuple(replace(one, status="lacking") for one in LAUNCHES)
    cases = [unmeasured(name, "no device", trust=None, launches=lacking) for name in ("demo:a", "demo:b")]
    (told,) = unjudged(cases)
    assert (told.what, told.next_command) == ("no device (2 cases)", "./tenken list checks")
    mixed = [cases[0], replace(cases[1], launches=(*lacking, *LAUNCHES))]
    assert unjudged(mixed)[0].next_command == "./tenken run demo:a demo:b --launches 5"


def busy(name: str = "demo:a", why: str = "other load on a shared machine: steal 5 %",
    disturbed: bool = True) -> CaseAssessment:
    of = case(name, False, why)
    assert of.trust is not None
    return replace(of, trust=replace(of.trust, disturbed=disturbed))


def test_a_busy_node_is_one_cause_with_the_first_sentence() -> None:
    (told,) = unjudged([busy(), busy("demo:b", "other load on a shared machine: steal 9 %")])
    assert told.what == (
        "the node was busy: 2 cases; wait until the node is quiet, then run again: other load on a shared machine: steal 5 %"
    )
    assert told.cases == ("demo:a", "demo:b") and told.next_command == "./tenken run demo:a demo:b --launches 5"


def test_busy_is_what_was_disturbed_and_says_so() -> None:
    for other in (busy(disturbed=False), busy(why="no counter"), replace(busy(), trust=None)):
        assert not unjudged([other])[0].what.startswith("the node was busy")


def test_six_cases_are_named_in_the_command() -> None:
    (told,) = unjudged([case(f"demo:{i}", False) for i in range(7)])
    assert told.next_command == "./tenken run demo:0 demo:1 demo:2 demo:3 demo:4 demo:5 --launches 5" and len(told.cases) == 7
    (odd,) = unjudged([case("demo:a b", False)])
    assert odd.next_command == "./tenken run 'demo:a b' --launches 5"


def test_cases_without_room_in_the_budget_share_a_line() -> None:
    def left_out(name: str) -> CaseAssessment:
        why = f"it does not fit into the 60 s (about 2 s a launch; by itself: ./tenken run {name}); other load is the reason"
        return unmeasured(name, why, launches=(), trust=None)

    together, = unjudged([left_out("demo:a"), left_out("demo:b")])
    assert together.what == "it does not fit into the 60 s; other load is the reason (2 cases)"
    assert together.next_command == "./tenken run demo:a demo:b --yes"
    alone, = unjudged([left_out("demo:a")])
    assert "(about 2 s a launch; by itself: ./tenken run demo:a)" in alone.what
