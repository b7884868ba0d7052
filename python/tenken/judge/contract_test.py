from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

import pytest

import assessments
from tenken.base.errors import TenkenError
from tenken.judge.contract import judge_contract
from tenken.model.assessment import Assessment, AxisResult, CaseAssessment, MetricSummary
from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.contract import ClauseResult, Held, Requirement, Terms, Waiver
from tenken.model.run import Launch
from tenken.model.verdict import Axis, Verdict
from tenken.store.checkfile import load_checks

TODAY = "2026-11-23"
TOY = Requirement("1", "Fast.", "toy:a", "rate", 10.0, "GB/s")
WAIVER = Waiver("1", "J. Doe", "slow memory", "2027-01-31")


def metric(value: float | None, **more: Any) -> MetricSummary:
    made = assessments.metric("rate", None, value, "GB/s", "byte_rate", klass="memory")
    return replace(made, **more)


def case(*metrics: MetricSummary, **changes: Any) -> CaseAssessment:
    return replace(assessments.case("toy:a", (), metrics), **changes)


def axes(axis: Axis, verdict: Verdict, reason: str) -> tuple[AxisResult, ...]:
    return tuple(replace(one, verdict=verdict, reason=reason) if one.axis is axis else one for one in case().axes)


def sheet(*cases: CaseAssessment, of: Requirement = TOY, waivers: tuple[Waiver, ...] = (), run: Assessment | None = None) -> Any:
    run = run or assessments.run(cases)
    return judge_contract(run, Terms("t", "r.toml", (of,), waivers), {}, TODAY)


def clause(*cases: CaseAssessment, **more: Any) -> ClauseResult:
    return sheet(*cases, **more).clauses[0]


def held(*cases: CaseAssessment, **more: Any) -> Held:
    return clause(*cases, **more).held


@pytest.mark.parametrize(("value", "limit", "unit", "state"), [
    (10.0, 10, "GB/s", Held.MET), (9.999, 10, "GB/s", Held.UNMET), (10.0, 10_000, "MB/s", Held.MET),
    (0.02, 0.1, "GB/s", Held.UNMET),
])
def test_a_rate_is_held_against_its_limit_in_any_unit(value: float, limit: float, unit: str, state: Held) -> None:
    found = clause(case(metric(value)), of=replace(TOY, limit=limit, unit=unit))
    assert found.held is state
    assert found.results[0].value == pytest.approx(value * (1000 if unit == "MB/s" else 1))


def test_the_spread_is_told_of_several_launches() -> None:
    def evidence(**more: Any) -> str:
        return clause(case(metric(11.0, **more))).results[0].evidence

    assert evidence(mad=0.5, launches=2).startswith("median of 2 launches, MAD 500 MB/s; ")
    assert evidence(mad=0.5, launches=1).startswith("median of 1 launch; ")
    assert evidence(mad=None, launches=2).startswith("median of 2 launches; ")


def test_a_time_is_held_from_above() -> None:
    time = replace(metric(5.0), unit="us", better="lower", quantity="time")
    of = replace(TOY, unit="ns")
    assert [held(case(time), of=replace(of, limit=limit)) for limit in (5000, 4999)] == [Held.MET, Held.UNMET]


@pytest.mark.parametrize(("better", "value", "best", "state"), [
    ("higher", 11, 13, Held.MET), ("higher", 8, 9.9, Held.UNMET), ("higher", 8, 10, Held.NOT_JUDGED),
    ("lower", 9, 7, Held.MET), ("lower", 13, 10.1, Held.UNMET), ("lower", 13, 10, Held.NOT_JUDGED),
])
def test_a_disturbed_figure_decides_by_its_interval(better: str, value: float, best: float, state: Held) -> None:
    found = clause(case(metric(value, at_best=best, disturbed=True, better=better)))
    assert (found.held, found.results[0].at_best) == (state, best)
    if state is Held.NOT_JUDGED:
        assert "other load can explain" in found.results[0].why


def test_a_bound_that_is_none_is_said_in_words() -> None:
    found = clause(case(metric(8.0, at_best=8e9, disturbed=True))).results[0]
    assert found.why.endswith("other load can explain any difference")


def test_a_recorded_figure_has_no_bound_and_is_not_unmet_beside_a_load() -> None:
    disturbed = assessments.case("toy:a", (), (metric(8.0, quantity="value:rate"),), disturbed="steal 5 %")
    assert held(disturbed) is Held.NOT_JUDGED
    assert held(replace(disturbed, metrics=(metric(11.0, quantity="value:rate"),))) is Held.MET  # a load only costs
    assert held(case(metric(8.0, quantity="value:rate"))) is Held.UNMET
    ratio = replace(TOY, unit="1")
    assert held(replace(disturbed, metrics=(metric(8.0, quantity="value:rate", unit="1"),)), of=ratio) is Held.UNMET


def test_a_wrong_answer_is_unmet_and_no_waiver_covers_it() -> None:
    wrong = case(metric(None), axes=axes(Axis.VALIDITY, Verdict.INVALID, "residual 0.3"), verdict=Verdict.INVALID)
    found = clause(wrong, waivers=(WAIVER,))
    assert found.held is Held.UNMET and "the answer is wrong: residual 0.3" in found.results[0].why
    assert found.results[0].value is None


@pytest.mark.parametrize("changes", [
    {"axes": axes(Axis.SPEED, Verdict.INVALID, "impossible: 120 %")},
    {"axes": axes(Axis.VALIDITY, Verdict.NOT_JUDGED, "no proof")},
    {"axes": axes(Axis.VALIDITY, Verdict.ERROR, "a launch crashed")},
    {"fault": "delay"},
    {"launches": (Launch(1, "toy:a", "done", "f"), Launch(2, "toy:a", "interrupted", "g"))},
    {"trust": replace(case().trust or assessments.stream().trust, oversubscribed=True)},
    {"metrics": (metric(None),)},
    {"metrics": ()},
])
def test_what_proves_nothing_meets_nothing(changes: dict[str, Any]) -> None:
    checks = {} if changes.get("metrics") != () else load_toy()
    good = case(metric(20.0))
    assert judge_contract(assessments.run([good]), Terms("t", "r", (TOY,), ()), checks, TODAY).held is Held.MET
    found = judge_contract(assessments.run([replace(good, **changes)]), Terms("t", "r", (TOY,), (WAIVER,)), checks, TODAY)
    assert (found.held, found.exit_code) == (Held.NOT_JUDGED, 4)


def load_toy() -> dict[str, Any]:
    """A check toy with cases a and b and the metric of these tests."""
    import builders as b

    case_of = {name: CaseSpec(name, "v", {}, 1, 1, 1, 9.0, ()) for name in "ab"}
    made = b.check("toy", [b.metric("rate", "triad", quantity="byte_rate", unit="GB/s")])
    return {"toy": dataclasses.replace(made, cases=tuple(case_of.values()))}


def test_a_drill_meets_nothing() -> None:
    run = replace(assessments.run([case(metric(20.0))]), drill=True)
    assert sheet(run=run).held is Held.NOT_JUDGED


def test_a_case_that_was_not_run_is_not_judged_and_named() -> None:
    run, terms = assessments.run([case(metric(1.0))]), Terms("t", "r.toml", (replace(TOY, case="toy:b"),), ())
    [found] = judge_contract(run, terms, load_toy(), TODAY).clauses
    assert found.held is Held.NOT_JUDGED and found.results[0].why == "this run has no case toy:b"
    assert found.results[0].next_command == "./tenken run toy:b"


def test_an_older_name_means_the_case_of_today() -> None:
    checks = load_toy()
    checks["toy"] = dataclasses.replace(checks["toy"], formerly=("old",))
    run = assessments.run([replace(case(metric(20.0)), id="old:a", check="old")])
    for asked in ("toy:a", "old:a"):
        assert judge_contract(run, Terms("t", "r", (replace(TOY, case=asked),), ()), checks, TODAY).held is Held.MET


@pytest.mark.parametrize(("today", "state", "expired"), [
    ("2027-01-31", Held.WAIVED, False), ("2027-02-01", Held.UNMET, True), (TODAY, Held.WAIVED, False),
])
def test_a_waiver_counts_until_its_last_day(today: str, state: Held, expired: bool) -> None:
    run = assessments.run([case(metric(8.0))])
    found = judge_contract(run, Terms("t", "r", (TOY,), (WAIVER,)), {}, today)
    assert (found.held, found.clauses[0].expired, found.clauses[0].waiver) == (state, expired, WAIVER)
    assert found.exit_code == {Held.WAIVED: 1, Held.UNMET: 2}[state]


def test_a_waiver_neither_helps_what_is_unjudged_nor_harms_what_is_met() -> None:
    assert held(case(metric(8.0, at_best=11.0)), waivers=(WAIVER,)) is Held.NOT_JUDGED
    assert held(case(metric(11.0)), waivers=(WAIVER,)) is Held.MET


def test_a_clause_is_its_worst_requirement_and_the_sheet_its_worst_clause() -> None:
    of = (TOY, replace(TOY, metric="rate/2", limit=1), replace(TOY, clause="2", case="toy:b"), replace(TOY, clause="3", limit=1))
    terms = Terms("t", "r", tuple(replace(one, metric="rate") for one in of), ())
    found = judge_contract(assessments.run([case(metric(8.0))]), terms, load_toy(), TODAY)
    assert [one.held for one in found.clauses] == [Held.UNMET, Held.NOT_JUDGED, Held.MET]
    assert (found.held, found.exit_code) == (Held.UNMET, 2)
    fewer = replace(terms, requirements=terms.requirements[2:])
    some = judge_contract(assessments.run([case(metric(8.0))]), fewer, load_toy(), TODAY)
    assert (some.held, some.exit_code) == (Held.NOT_JUDGED, 4)


def test_of_several_values_one_is_named_or_picked() -> None:
    swept = case(metric(8.0, at=1), metric(12.0, at=2, at_best=14.0))
    assert held(swept, of=replace(TOY, metric="rate/2")) is Held.MET
    assert held(swept, of=replace(TOY, metric="rate/1")) is Held.UNMET
    assert held(swept, of=replace(TOY, pick="best")) is Held.MET
    assert held(swept, of=replace(TOY, pick="worst")) is Held.UNMET
    assert held(swept, of=replace(TOY, pick="worst", limit=8)) is Held.MET
    assert "was measured at 1, 2, not at 4" in clause(swept, of=replace(TOY, metric="rate/4")).results[0].why
    with pytest.raises(TenkenError, match="rate of toy:a has one value; leave out /4"):
        sheet(case(metric(1.0)), of=replace(TOY, metric="rate/4"))
    with pytest.raises(TenkenError, match='has 2 values; name one, such as metric = "rate/2", or write pick'):
        sheet(swept)


@pytest.mark.parametrize(("of", "sentence"), [
    (replace(TOY, case="toy:aa"), "r.toml: clause 1: unknown case 'toy:aa'; did you mean toy:a?"),
    (replace(TOY, metric="rata"), "clause 1: unknown metric 'rata' of toy:a; did you mean rate?"),
    (replace(TOY, unit="GFLOP/s"), "unit 'GFLOP/s' does not fit metric rate, which is in GB/s; expected one of B/s, kB/s"),
])
def test_what_does_not_exist_is_named(of: Requirement, sentence: str) -> None:
    with pytest.raises(TenkenError) as caught:
        sheet(case(metric(1.0)), of=of)
    assert sentence in str(caught.value)


def test_a_point_of_a_study_can_be_required_and_a_study_can_not() -> None:
    checks = load_toy()
    plot = Plot("curve", "threads", ("rate",), None, None, (), ())
    of = Study("sweep", "t", "q", checks["toy"].cases[0], (StudyAxis("threads", {"threads": [1, 2]}),), plot)
    checks["toy"] = replace(checks["toy"], studies=(of,))
    run = assessments.run([case(metric(1.0))])

    def required(name: str) -> Held:
        return judge_contract(run, Terms("t", "r.toml", (replace(TOY, case=name),), ()), checks, TODAY).held

    assert required("toy:sweep/threads2") is Held.NOT_JUDGED  # it was not run
    for unknown in ("toy:sweep", "toy:other/threads2"):
        with pytest.raises(TenkenError, match=f"unknown case '{unknown}'"):
            required(unknown)


def test_the_shipped_example_names_what_exists() -> None:
    from pathlib import Path

    from tenken.store.contractfile import read_terms

    tree = Path(__file__).parents[3]
    found = judge_contract(
        assessments.run([]), read_terms(tree / "examples/acceptance.toml"), load_checks([tree / "checks"]), TODAY
    )
    assert {one.held for one in found.clauses} == {Held.NOT_JUDGED}
