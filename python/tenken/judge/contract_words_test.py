"""What an acceptance sheet says of each requirement: figure, limit, why, how it was measured and proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import assessments
import pytest

from tenken.judge.contract import judge_contract
from tenken.judge.contract_test import TODAY, TOY, WAIVER, axes, case, clause, load_toy, metric, sheet
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.contract import Held, Requirement, RequirementResult, Terms
from tenken.model.run import Launch
from tenken.model.verdict import Axis, Verdict

TIME = replace(TOY, unit="us", limit=10.0)


def result(of: CaseAssessment, requirement: Requirement = TOY) -> RequirementResult:
    return clause(of, of=requirement).results[0]


def timed(value: float, **more: Any) -> CaseAssessment:
    return case(replace(metric(value, **more), unit="us", better="lower", quantity="time"))


def disturbed(**more: Any) -> CaseAssessment:
    return assessments.case("toy:a", (), (metric(8.0, **more),), disturbed="steal 5 %")


def test_a_sheet_tells_whose_it_is() -> None:
    run = replace(assessments.run([case(metric(12.0))]), started="2026-11-20T01:02:03Z")
    found = sheet(run=run)
    assert (found.title, found.run, found.machine, found.started, found.as_of) == ("t", run.run, run.machine.name, run.started,
        TODAY)
    assert (found.drill, found.held, found.exit_code, len(found.clauses)) == (False, Held.MET, 0, 1)
    assert sheet(run=replace(run, drill=True)).drill


def test_a_requirement_that_is_met_is_told_with_its_evidence() -> None:
    assert result(case(metric(12.0, mad=0.25, launches=3))) == RequirementResult(
        TOY, Held.MET, "12 GB/s, promised at least 10 GB/s", "higher", 12.0, None,
        "median of 3 launches, MAD 250 MB/s; 1 of 1 proof passed", "./tenken run toy:a --launches 5",
    )
    assert result(timed(9.5), TIME).why == "9.5 us, promised at most 10 us"
    assert result(timed(10.5), TIME).why == "10.5 us, promised at most 10 us"
    assert result(timed(9.5), TIME).better == "lower"


def test_figures_that_four_digits_do_not_tell_apart_are_told_with_twelve() -> None:
    assert result(case(metric(9.99987654321357))).why == "9.99987654321 GB/s, promised at least 10 GB/s"
    assert result(case(metric(10.0))).why == "10 GB/s, promised at least 10 GB/s"
    assert result(case(metric(9.9987))).why == "9.999 GB/s, promised at least 10 GB/s"


def test_what_a_load_may_have_cost_is_told_with_the_figure() -> None:
    unmet = result(case(metric(8.0, at_best=9.0)))
    assert (unmet.held, unmet.at_best) == (Held.UNMET, 9.0)
    assert unmet.why == "8 GB/s, promised at least 10 GB/s; without other load at best 9 GB/s"
    assert result(case(metric(8.0))).why == "8 GB/s, promised at least 10 GB/s" and result(case(metric(8.0))).at_best is None
    assert result(case(metric(8.0, at_best=8.0))).at_best is None
    assert result(case(metric(8.0, at_best=12.0))).why == "8 GB/s, promised at least 10 GB/s: other load can explain up to 50 %"
    assert result(timed(12.0, at_best=9.0), TIME).why == "12 us, promised at most 10 us: other load can explain up to 25 %"
    assert result(case(metric(0.0, at_best=12.0))).why.endswith("other load can explain any difference")


def test_of_a_recorded_figure_nobody_knows_what_a_load_cost() -> None:
    found = result(disturbed(quantity="value:rate"))
    assert (found.held, found.value) == (Held.NOT_JUDGED, 8.0)
    assert found.why == "8 GB/s, promised at least 10 GB/s; other load was present, its effect is unknown"
    assert result(disturbed(quantity="byte_rate")).held is Held.UNMET
    assert result(replace(disturbed(quantity="value:rate"), trust=None)).held is Held.UNMET


def test_the_figure_is_in_the_unit_of_the_requirement() -> None:
    found = result(case(metric(8.0, at_best=12.0, mad=0.5, launches=2)), replace(TOY, unit="MB/s", limit=10_000))
    assert (found.value, found.at_best) == (8000.0, 12000.0) and found.evidence.startswith("median of 2 launches, MAD 500 MB/s;")


@pytest.mark.parametrize(("pick", "better", "value", "best", "place"), [
    ("best", "higher", 12.0, 14.0, 2), ("worst", "higher", 8.0, 9.0, 1), ("best", "lower", 8.0, 9.0, 1), ("worst", "lower",
        12.0, 14.0, 2),
])  # fmt: skip
def test_of_several_values_the_best_or_the_worst_counts(pick: str, better: str, value: float, best: float, place: int) -> None:
    swept = case(metric(8.0, at=1, at_best=9.0, better=better), metric(12.0, at=2, at_best=14.0, better=better))
    found = result(swept, replace(TOY, pick=pick))
    assert (found.value, found.at_best) == (value, best) and f" at {place}; " in found.evidence


def test_of_the_worst_value_all_must_be_known() -> None:
    swept = replace(case(metric(12.0, at=1), metric(None, at=2)), reason="a launch crashed")
    assert result(swept, replace(TOY, pick="best")).held is Held.MET
    lacking = result(swept, replace(TOY, pick="worst"))
    assert (lacking.held, lacking.value, lacking.why) == (Held.NOT_JUDGED, None, "no figure: a launch crashed")
    assert result(swept, replace(TOY, metric="rate/1")).held is Held.MET
    assert result(swept, replace(TOY, metric="rate/2")).why == "no figure: a launch crashed"


def test_an_impossible_figure_is_not_shown() -> None:
    found = result(case(metric(50.0), axes=axes(Axis.SPEED, Verdict.INVALID, "impossible: 120 %")))
    assert (found.why, found.value, found.next_command) == ("impossible: 120 %", None, "./tenken run toy:a")
    assert result(case(metric(50.0), axes=axes(Axis.SPEED, Verdict.WARN, "slow"))).held is Held.MET


@pytest.mark.parametrize(("changes", "doubt"), [
    ({"fault": "delay"}, "a fault was injected (drill)"),
    ({"axes": axes(Axis.VALIDITY, Verdict.NOT_JUDGED, "no proof")}, "the answer is not proved"),
    ({"axes": ()}, "the answer is not proved"),
    ({"axes": axes(Axis.VALIDITY, Verdict.ERROR, "launch 2 crashed")}, "launch 2 crashed"),
    ({"launches": (Launch(1, "toy:a", "done", "f"), Launch(2, "toy:a", "hung", "g"))}, "1 launch of 2 did not finish"),
    ({"launches": tuple(Launch(n, "toy:a", "planned", "f") for n in (1, 2, 3))}, "3 launches of 3 did not finish"),
])  # fmt: skip
def test_a_doubt_is_told_beside_the_figure(changes: dict[str, Any], doubt: str) -> None:
    found = result(case(metric(12.0), **changes))
    assert (found.held, found.why) == (Held.NOT_JUDGED, f"12 GB/s, promised at least 10 GB/s, but {doubt}")
    assert found.value == 12.0 and found.next_command == "./tenken run toy:a --launches 5"
    below = result(case(metric(8.0), **changes))
    assert (below.held, below.why) == (Held.UNMET, "8 GB/s, promised at least 10 GB/s"), "a doubt excuses nothing"


def test_a_named_sitting_is_a_drill() -> None:
    run = replace(assessments.run([case(metric(12.0))]), drill=True)
    (found,) = sheet(run=run).clauses[0].results
    assert found.why.endswith(", but its sitting was named (drill)")


def test_oversubscribed_times_are_never_judged_and_other_figures_are() -> None:
    trust = replace(assessments.stream().trust or case().trust, oversubscribed=True)
    for value in (8.0, 12.0):
        found = result(case(metric(value), trust=trust))
        assert (found.held, found.why) == (Held.NOT_JUDGED, "oversubscribed (more threads than cores): times are not judged")
    plain = replace(TOY, unit="1")
    assert result(case(metric(12.0, unit="1"), trust=trust), plain).held is Held.MET
    assert result(case(metric(8.0, unit="1"), trust=trust), plain).held is Held.UNMET


def test_how_the_answer_was_proved() -> None:
    holding, broken = assessments.validity("a", 1, 1, 1), assessments.validity("b", 2, 1, 1, holds=False)
    assert result(case(metric(12.0), validity=())).evidence.endswith("; no proof")
    assert result(case(metric(12.0), validity=(holding, broken))).evidence.endswith("; 1 of 2 proofs passed")
    warned = result(case(metric(12.0), validity=(holding,), verdict=Verdict.WARN))
    assert warned.evidence.endswith("; 1 of 1 proof passed; toy:a is WARN")


def test_a_wrong_answer_is_told_with_its_proof_and_without_a_figure() -> None:
    wrong = case(metric(12.0), axes=axes(Axis.VALIDITY, Verdict.INVALID, "residual 0.3"), validity=(), verdict=Verdict.INVALID)
    assert result(wrong) == RequirementResult(
        TOY, Held.UNMET, "the answer is wrong: residual 0.3", "higher", None, None, "no proof; toy:a is INVALID",
        "./tenken run toy:a")


def test_a_case_that_was_not_run_is_told_with_its_command() -> None:
    found = judge_contract(assessments.run([case(metric(1.0))]), Terms("t", "r", (replace(TOY, case="toy:b"),), ()), load_toy(),
        TODAY)
    (told,) = found.clauses[0].results
    assert (told.evidence, told.next_command, told.better, told.value) == ("not measured", "./tenken run toy:b", "higher", None)


def test_a_waiver_is_of_its_own_clause_and_leaves_a_wrong_answer_alone() -> None:
    slow, other = case(metric(8.0)), replace(TOY, clause="2")
    run = assessments.run([slow])
    found = judge_contract(run, Terms("t", "r", (TOY, other), (replace(WAIVER, clause="2"),)), {}, TODAY)
    assert [(one.clause, one.held, one.waiver is None) for one in found.clauses] == [
        ("1", Held.UNMET, True), ("2", Held.WAIVED, False)]
    assert [one.held for one in found.clauses[1].results] == [Held.WAIVED]
    assert found.clauses[1].results[0].why == "8 GB/s, promised at least 10 GB/s"
    wrong = replace(slow, id="toy:w", axes=axes(Axis.VALIDITY, Verdict.INVALID, "residual 0.3"))
    terms = Terms("t", "r", (TOY, replace(TOY, case="toy:w"), replace(TOY, clause="2")), (WAIVER, replace(WAIVER, clause="2")))
    mixed = judge_contract(assessments.run([slow, wrong]), terms, {}, TODAY)
    assert [[one.held for one in each.results] for each in mixed.clauses] == [[Held.UNMET, Held.UNMET], [Held.WAIVED]]


def test_requirements_of_a_clause_stay_together_in_order() -> None:
    of = (TOY, replace(TOY, clause="2"), replace(TOY, limit=20.0))
    found = judge_contract(assessments.run([case(metric(12.0))]), Terms("t", "r", of, ()), {}, TODAY)
    assert [(one.clause, [each.requirement.limit for each in one.results]) for one in found.clauses] == [("1", [10.0, 20.0]),
        ("2", [10.0])]


def test_a_metric_of_the_run_is_known_although_its_check_has_it_no_more() -> None:
    checks = {"toy": replace(load_toy()["toy"], metrics=())}
    run = assessments.run([case(metric(12.0))])
    assert judge_contract(run, Terms("t", "r", (TOY,), ()), checks, TODAY).held is Held.MET


def test_steady_axes_do_not_make_an_answer_wrong() -> None:
    lossy = AxisResult(Axis.STEADINESS, Verdict.INVALID, "odd")
    assert result(case(metric(12.0), axes=(*case().axes, lossy))).held is Held.MET
