"""Where several things are wrong the first, or the worst, is named; and what has nothing to say says nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import assessments
import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common import launch_sections, launch_values, prepare, trusted
from tenken.judge.common.confirm import disturbance
from tenken.judge.common.validity import judge_validity, validity_results
from tenken.judge.credible import _apart
from tenken.judge.environment import classes_of, explanations, with_environment
from tenken.judge.environment_test import GOVERNOR, ODD, about, answer
from tenken.judge.health import DrainRules, drain_reasons
from tenken.judge.health_test import WELL
from tenken.judge.launch_set.ceilings import roofs
from tenken.judge.launch_set.figures import _in_unit, bands_of as fitting, best_of_sweep, metrics_of
from tenken.judge.launch_set.trusting import judge_trust
from tenken.model.assessment import AxisResult, CaseAssessment, Ceiling, Where
from tenken.model.judgement import OwnJudgement
from tenken.model.machine import Band
from tenken.model.record import Value
from tenken.model.run import CaseRun, Measured
from tenken.model.verdict import Axis, Verdict

MS = 1_000_000
FLAT = b.Timed("double", np.full((1, 20), MS), work=b.Work(flop=10**7))
CHECK = b.check(metrics=[b.metric("double", "double")])
PEAK = Ceiling("peak double", "measured", 100e9, "f")


def case(of: CaseRun, *nodes: Any) -> CaseAssessment:
    return assess(b.run(of), b.machine(*nodes), ()).cases[0]


def test_of_two_impossible_sections_the_first_is_the_reason() -> None:
    found = case(b.case_run(b.record(b.fma(200e9, path="x"), b.fma(190e9, path="y")), of=b.check()))
    assert [one.section for one in found.findings] == ["x", "y"] and found.verdict is Verdict.INVALID
    assert b.axis(found, Axis.SPEED).reason == found.findings[0].what == found.reason


def test_of_two_failed_launches_the_first_is_the_reason() -> None:
    launches = [b.launch(1), b.launch(2, status="crashed", reason="one"), b.launch(3, status="hung", reason="two")]
    found = case(b.case_run(b.record(FLAT), of=CHECK, launches=launches))
    assert b.axis(found, Axis.VALIDITY).reason == found.reason == "launch 2 crashed: one" and len(found.findings) == 2


def test_of_several_proofs_and_launches_the_first_that_is_wrong_is_told() -> None:
    def record(number: int, *values: float) -> Any:
        return b.record(FLAT, launch=number, validity=[b.proof(f"p{i}", value) for i, value in enumerate(values)])

    found = case(b.case_run(record(1, 1.0, 1.0, 1.0), record(2, 1.0, 3.0, 5.0), record(3, 1.0, 4.0, 1.0),
        of=b.check(validity=())))
    assert [one.what for one in found.findings] == [
        "wrong answer: p1 is 3, should be 1 within 1e-09 (the answer is 1 by construction)",
        "wrong answer: p2 is 5, should be 1 within 1e-09 (the answer is 1 by construction)",
    ]
    assert [(one.evidence, one.where, one.measured, one.expected) for one in found.findings] == [
        ("fails in 2 of 3 launches", Where(launch=2), 3.0, 1.0), ("fails in 1 of 3 launches", Where(launch=2), 5.0, 1.0)]
    assert b.axis(found, Axis.VALIDITY).reason == found.findings[0].what


def validity(*records: Any, **check: Any) -> tuple[AxisResult, list[Any]]:
    of, launches = b.check(**check), tuple(Measured(b.launch(n), one) for n, one in enumerate(records, 1))
    return judge_validity("demo:a", of, {}, launches, validity_results(of, {}, launches), OwnJudgement())


def test_a_promised_proof_that_is_missing_names_the_first_launch_without_it() -> None:
    sub, bare = b.record(FLAT, validity=[b.proof("answer/0")]), b.record(FLAT, validity=[b.proof("answers")])
    result, (found,) = validity(sub, bare, bare)
    assert found.what == "proof answer missing: demo promises the proof in check.toml, the record lacks it" == result.reason
    assert (found.evidence, found.where) == ("missing in 2 of 3 launches", Where(launch=2)) and result.verdict is Verdict.INVALID
    assert found.next_command == "./tenken run demo:a --launches 1"


def test_proofs_that_hold_are_counted_by_name() -> None:
    two = b.record(FLAT, validity=[b.proof("answer"), b.proof("other")])
    assert validity(two, two)[0] == AxisResult(Axis.VALIDITY, Verdict.OK, "2 proofs passed in 2 launches")
    assert validity(b.record(FLAT))[0].reason == "1 proof passed in 1 launch"
    nothing = validity(b.record(FLAT, validity=()), validity=())[0]
    assert (nothing.verdict, nothing.reason) == (Verdict.NOT_JUDGED, "this check has no proof of its answer")


def test_values_that_are_not_finite_are_told_each_and_kept_from_all_other_code() -> None:
    record = b.record(FLAT, values={"a": ("1", 1.0), "b": ("1", float("nan")), "c": ("1", float("-inf"))})
    made = prepare("r", b.case_run(record, of=CHECK), b.machine())
    assert [one.name for one in made.measured[0].record.values] == ["a"]
    assert [one.what for one in made.validity_findings] == [
        "wrong answer: the recorded b is nan, should be a finite number",
        "wrong answer: the recorded c is -inf, should be a finite number"]
    assert [(one.evidence, one.where.launch, one.next_command) for one in made.validity_findings] == [
        ("launch 1", 1, "./tenken run demo:a --launches 1")] * 2
    fine = prepare("r", b.case_run(b.record(FLAT, values={"a": ("1", 1.0)}), of=CHECK), b.machine())
    assert [one.name for one in fine.measured[0].record.values] == ["a"] and fine.valid


def test_the_first_fault_is_named_and_else_the_one_that_was_planned() -> None:
    def fault(*faults: str | None, **parameters: Any) -> str | None:
        records = [b.record(FLAT, launch=n, fault=one) for n, one in enumerate(faults, 1)]
        return prepare("r", b.case_run(*records, of=CHECK, parameters=parameters), b.machine()).fault

    assert fault(None, "delay", "bits") == "delay" and fault(None, fault="delay") == "delay"
    assert fault("bits", fault="delay") == "bits" and fault(None) is fault(None, fault="none") is None


def test_the_worst_reading_is_the_reason_with_its_place() -> None:
    trusts = {0: b.trust(steal_ns=b.SECOND // 20), 1: b.trust(run_queue_wait_ns=b.SECOND // 10),
        2: b.trust(steal_ns=b.SECOND // 25)}
    found = trusted((Measured(b.launch(4), b.record(b.fma(1e9, 3), trusts=trusts)),), b.machine())
    assert found.reason == "run-queue wait 10 % of the wall time on rank 1 (n0), limit 2 %"
    assert found.where == Where("n0", 1, launch=4)


def test_bands_are_those_of_the_class_of_the_first_node() -> None:
    on = b.machine(b.node("n0", node_class="one"), b.node("n1", node_class="two"))
    bands = tuple(Band(name, "demo.double", low, None, "value", name) for name, low in (("one", 1.0), ("two", 2.0)))
    for hosts, source in ((("n0", "n1"), "one"), (("n1", "n0"), "two")):
        made = prepare("r", b.case_run(b.record(b.fma(1e9, 2), hosts=hosts), of=CHECK), on)
        assert {name: one.source for name, one in fitting(made, roofs(made, (), on), on, bands).items()} == {"double": source}
    planned = prepare("r", b.case_run(of=replace(CHECK, name="demo"), launches=()), on)
    none = roofs(planned, (), on)
    assert fitting(planned, none, on, bands)["double"].source == "one" and fitting(planned, none, on, ()) == {}


def test_a_band_is_told_in_the_unit_of_its_metric() -> None:
    metric = replace(assessments.metric("rate", None, 50.0, "GFLOP/s"), ceiling=PEAK)
    of_value, of_ceiling = (Band("*", "demo.rate", 0.5, 0.9, of, "s") for of in ("value", "ceiling"))
    assert _in_unit(of_value, metric) == (0.5, 0.9) == _in_unit(of_ceiling, replace(metric, ceiling=None))
    assert _in_unit(of_ceiling, metric) == pytest.approx((50.0, 90.0))
    assert _in_unit(replace(of_ceiling, low=None), metric) == (None, pytest.approx(90.0))


def test_of_a_sweep_the_least_time_is_best_wherever_it_stands() -> None:
    times = tuple(replace(assessments.metric("t", None, value, "us", at=i), better="lower") for i,
        value in enumerate((5.0, 2.0, 3.0)))
    assert best_of_sweep(times, "t") is times[1]


def test_metrics_of_teams_and_of_the_precision_that_the_record_says() -> None:
    check = b.check(metrics=[b.metric("rate", "a"), b.metric("none", "a", ceiling="none"),
        b.metric("far", "a", ceiling="network")])
    made = prepare("r", b.case_run(b.record(b.fma(48e9, path="a", precision="single")), of=check), b.machine())
    rate, none, far = metrics_of(made, roofs(made, (), b.machine()), {}, False)
    assert rate.ceiling is not None and rate.ceiling.name == "peak single" and rate.fraction == pytest.approx(0.5, rel=0.01)
    assert none.ceiling is far.ceiling is None and none.value == pytest.approx(48.0, rel=0.01)
    assert [one.value for one in metrics_of(made, roofs(made, (), b.machine()), {}, True)] == [None] * 3


def test_a_quota_without_a_steady_section_lost_nothing_that_is_known() -> None:
    made = prepare("r", b.case_run(b.record(b.fma(1e9, kind="wait")), of=CHECK), b.machine())
    base = trusted(made.measured, b.machine())
    assert ", loss 0 %: a limit of this job" in judge_trust(made, replace(base, throttled=0.5), b.machine()).axis.reason


def test_a_section_called_once_has_a_time_per_call() -> None:
    for calls, expected in ((1, 1e-3), (4, 0.25e-3)):
        measured = Measured(b.launch(), b.record(b.Timed("a", np.full((1, 9), MS), calls=calls)))
        of = b.metric("m", "a", "time_per_call", "us")
        assert launch_values(of, measured, launch_sections(measured)) == {None: pytest.approx(expected)}


def test_disturbance_is_the_worst_of_counters_and_on_shared_nodes_of_unsteadiness() -> None:
    ns = np.full((1, 20), MS)
    ns[0, 3] += 10 * MS  # a loss of twice its limit
    ours, shared = b.machine(b.node()), b.machine(b.node(exclusive=False))

    def of(times: np.ndarray = ns, **trust: Any) -> Measured:
        return Measured(b.launch(), b.record(b.Timed("a", times), trusts=b.trust(**trust)))

    assert (disturbance(of(), CHECK, ours), disturbance(of(), CHECK, shared)) == (0.0, pytest.approx(2.0))
    assert disturbance(of(steal_ns=b.SECOND // 10), CHECK,
        shared) == pytest.approx(5.0) == disturbance(of(steal_ns=b.SECOND // 10), CHECK, ours)
    assert disturbance(of(throttled_ns=b.SECOND // 10), CHECK, shared) == 0.0, "our own quota explains it"
    uneven = np.array([[MS] * 20, [2 * MS] * 20])
    assert disturbance(of(uneven), CHECK, shared) == pytest.approx(4 / 3 / 1.10) and disturbance(of(uneven), CHECK, ours) == 0.0


def test_nought_is_not_ten_times_anything() -> None:
    assert not _apart(1.0, 0.0) and not _apart(0.0, 1.0) and not _apart(-5.0, -0.1)
    assert [_apart(value, 1.0) for value in (10.0, 9.99, 0.11, 0.1)] == [True, False, False, True]


# --- differences of the environment -------------------------------------------------------------------------------


def test_an_axis_that_is_a_warning_already_keeps_its_reason() -> None:
    clean = answer()

    def judged(verdict: Verdict) -> CaseAssessment:
        axes = tuple(replace(one, verdict=verdict, reason="before") for one in clean.cases[0].axes)
        return with_environment(replace(clean, cases=(replace(clean.cases[0], axes=axes),)), (ODD,), {}).cases[0]

    for verdict in (Verdict.WARN, Verdict.FAIL):
        assert {(one.verdict, one.reason) for one in judged(verdict).axes} == {(verdict, "before")}
    lower = judged(Verdict.OK)
    assert [one.reason != "before" for one in lower.axes] == [one.axis is Axis.TRUST for one in lower.axes]


def test_a_case_that_is_as_bad_already_keeps_its_reason() -> None:
    clean = answer()
    for verdict, kept in ((Verdict.OK, False), (Verdict.WARN, True), (Verdict.FAIL, True)):
        case = with_environment(replace(clean, cases=(replace(clean.cases[0], verdict=verdict, reason="before"),)), (ODD,),
            {}).cases[0]
        assert (case.reason == "before") is kept and case.verdict is (verdict if kept else Verdict.WARN)


def test_nodes_that_differ_together_are_one_finding_without_a_place() -> None:
    two = replace(ODD, hosts=("n0", "n1"), against="63 other nodes")
    judged = with_environment(answer(), (two, replace(two, fact="kernel", against="others"), ODD), {})
    both, one = judged.findings
    assert both.what == (
        "nodes n0, n1 differ from 63 other nodes of the same class: bios 2.4 instead of 2.6; kernel 2.4 "
        "instead of 2.6"
    )
    assert both.where == Where() and both.evidence == "read on every node at the start of the run, 2 facts"
    assert both.next_command.endswith("n0,n1")
    assert one.where.host == "n1" and one.evidence.endswith(", 1 fact") and judged.cases[0].axes[-1].reason == both.what
    assert explanations(about("double", "n1"), judged.cases[0], (two,)) == ("bios 2.4 instead of 2.6 on n0, n1",)


def test_four_explanations_are_told_once_each() -> None:
    case = answer().cases[0]
    facts = tuple(replace(GOVERNOR, fact=f"fact{i}") for i in range(6))
    assert len(explanations(about("double"), case, facts)) == 4 and explanations(about("double"), case, facts[:1] * 2) == (
        "fact0 powersave instead of performance",)


def test_the_classes_of_a_finding() -> None:
    case = answer().cases[0]
    every = classes_of(about(None), case)
    assert classes_of(about("double"), case) == {"compute"}
    assert {"latency", "bandwidth"} <= classes_of(about("halo"), case) < every
    assert classes_of(about("unknown"), case) == every == classes_of(about("double", axis=Axis.TRUST),
        case) == classes_of(about("double", axis=Axis.VALIDITY), case)


def test_an_interrupted_run_has_its_own_exit_code() -> None:
    clean = answer()
    assert with_environment(clean, (ODD,), {}).exit_code == 1
    assert with_environment(replace(clean, state="interrupted"), (ODD,), {}).exit_code == 3


def test_the_low_end_of_a_band_is_what_a_drain_rule_is_about() -> None:
    of = assessments.ok()
    case = next(one for one in of.cases if one.metrics and one.metrics[0].better == "higher")
    metric = replace(case.metrics[0], value=30.0, band=(60.0, 200.0), name="rate", unit="GB/s")
    whole = replace(of, cases=(replace(case, metrics=(replace(metric, value=None), metric)),))
    assert drain_reasons(DrainRules(below_band_percent=50), whole, WELL) == []
    assert drain_reasons(DrainRules(below_band_percent=51), whole, WELL) == [
        f"{case.check} rate 30 GB/s is below 51 % of 60 GB/s, the low end of its band"]


# --- a case as a whole ----------------------------------------------------------------------------------------------


def test_a_case_shows_the_values_of_its_last_launch_and_the_time_of_all() -> None:
    records = [b.record(FLAT, launch=n, values={"n": ("1", float(n))}) for n in (1, 2)]
    launches = [b.launch(1, seconds=1.5), b.launch(2, seconds=2.0), b.launch(3, status="crashed", seconds=None)]
    found = case(b.case_run(*records, of=CHECK, launches=launches))
    assert found.values == (Value("n", "1", 2.0),) and found.seconds == 3.5
    wrong = case(b.case_run(b.record(FLAT, values={"n": ("1", 1.0)}, validity=[b.proof(value=2.0)]), of=CHECK))
    assert wrong.values == () and wrong.tables == ()


def test_an_oversubscribed_case_says_so_beside_what_was_proved() -> None:
    found = case(b.case_run(b.record(b.fma(1e9, 9)), of=CHECK))
    assert found.verdict is Verdict.NOT_JUDGED and not found.changes
    assert found.complete, "more threads than cores was asked for: no ground is lost"
    assert b.axis(found, Axis.SPEED).reason == "oversubscribed (more threads than cores): times are not judged"


@pytest.mark.parametrize(("status", "reason"), [
    ("planned", "never launched"), ("interrupted", "interrupted before a launch was finished"), ("lacking", "no GPU"),
    ("done", "no launch was finished"),
])  # fmt: skip
def test_why_nothing_was_measured(status: str, reason: str) -> None:
    launches = [b.launch(1, status="planned"), b.launch(2, status=status, reason="no GPU")]
    found = case(b.case_run(of=CHECK, launches=launches))
    assert (found.verdict, found.reason) == (Verdict.NOT_JUDGED, reason) and {one.reason for one in found.axes} == {reason}
    assert [one.ground for one in found.axes] == [True, *[False] * 5]


def test_what_of_an_interrupted_run_is_open_is_noted() -> None:
    launches = [b.launch(1), b.launch(2, status="planned"), b.launch(3, status="interrupted")]
    open_ = b.case_run(b.record(FLAT), of=CHECK, launches=launches)
    done = b.case_run(b.record(FLAT, case="b"), of=CHECK)
    gone = replace(b.case_run(of=CHECK, launches=[b.launch(1, status="planned")], name="c"), unavailable="no CBLAS")
    found = assess(b.run(open_, done, gone, notes=("odd",), state="interrupted"), b.machine(), ())
    assert found.notes == ("odd", "demo:a: 2 of 3 launches not finished") and found.exit_code == 3
    assert assess(b.run(done), b.machine(), ()).exit_code == 0
