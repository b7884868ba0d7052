"""Whole cases through `assess`: what is wrong is found, named and placed; what is right is left alone."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import assessments
import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.case import _with_alike
from tenken.model.assessment import Assessment, CaseAssessment, Ceiling, Finding, Where
from tenken.model.check import Provides, ValiditySpec
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.machine import Band, Machine
from tenken.model.run import CaseRun, RankState
from tenken.model.verdict import Axis, Verdict

PEAK = 48e9  # 16 flop/cycle x 3 GHz, one core
FLOPS = b.check(metrics=[b.metric("double", "double")])
SHARED = b.machine(b.node(exclusive=False, virtual="kvm"))


def judge(*cases: CaseRun, on: Machine | None = None, bands: tuple[Band, ...] = (), **run: Any) -> Assessment:
    return assess(b.run(*cases, **run), on or b.machine(), bands)


def case(*cases: CaseRun, **more: Any) -> CaseAssessment:
    return judge(*cases, **more).cases[0]


def flops(fraction: float = 0.95, **more: Any) -> CaseRun:
    return b.case_run(b.record(exact("double", 1e6, flop=fraction * PEAK * 1e-3), **more), of=FLOPS)


def exact(path: str, ns: float, ranks: int = 1, flop: float = 0.0, **more: Any) -> b.Timed:
    """A section without noise; `flop` per repetition of all ranks."""
    return b.Timed(path, np.full((ranks, 20), round(ns)), work=b.Work(flop=round(flop / ranks)), **more)


def test_a_right_quiet_case_is_ok_and_every_axis_is_named() -> None:
    answer = judge(flops())
    found = answer.cases[0]
    assert (answer.verdict, answer.exit_code, found.verdict) == (Verdict.OK, 0, Verdict.OK)
    assert [one.axis for one in found.axes] == list(Axis)
    assert b.axis(found, Axis.CHANGE).reason == "no baseline yet"
    assert "95 % of peak; not judged, no baseline yet" in b.axis(found, Axis.SPEED).reason
    assert found.findings == () and "1 proof passed in 1 launch" in found.reason
    assert found.metrics[0].value == pytest.approx(45.6) and found.metrics[0].fraction == pytest.approx(0.95)
    assert found.metrics[0].ceiling == Ceiling("peak double", "measured", PEAK, "16 flop/cycle x 3 GHz x 1 core")
    assert not answer.drill and answer.notes == ()


def test_judging_twice_gives_the_same_answer_and_changes_nothing() -> None:
    noisy = b.case_run(b.record(b.fma(40e9, 4), hosts=("n0", "n1")), b.record(b.fma(41e9, 4), launch=2), of=FLOPS)
    on = b.machine(b.node("n0"), b.node("n1"))
    before = copy.deepcopy(noisy)
    assert judge(noisy, on=on) == judge(noisy, on=on)
    assert noisy == before


# --- validity ---------------------------------------------------------------------------------------------------


def test_a_wrong_answer_forbids_every_rate() -> None:
    wrong = flops(validity=[b.proof(value=1.1)])
    answer = judge(wrong)
    found = answer.cases[0]
    assert (answer.verdict, answer.exit_code) == (Verdict.INVALID, 2)
    assert all(metric.value is None and metric.fraction is None for metric in found.metrics)
    section = found.sections[0]
    assert (section.flop_rate, section.byte_rate, section.ceilings) == (None, None, ())
    assert {one.verdict for one in found.axes if one.axis is not Axis.VALIDITY} == {Verdict.NOT_JUDGED}
    assert found.findings[0].evidence == "fails in 1 of 1 launch" and found.findings[0].where.launch == 1


def test_one_wrong_launch_of_several_is_enough() -> None:
    records = [b.record(b.fma(40e9), launch=n, validity=[b.proof(value=1.0 if n < 3 else 2.0)]) for n in (1, 2, 3)]
    found = case(b.case_run(*records, of=FLOPS))
    assert found.verdict is Verdict.INVALID
    assert found.findings[0].evidence == "fails in 1 of 3 launches" and found.findings[0].where.launch == 3


def test_a_promised_proof_that_is_missing_is_invalid() -> None:
    check = replace(FLOPS, validity=(ValiditySpec("answer", 1e-9, "s"), ValiditySpec("residual", 1e-9, "s")))
    found = case(b.case_run(b.record(b.fma(40e9)), of=check))
    assert found.verdict is Verdict.INVALID and found.reason.startswith("proof residual missing: demo promises the proof")
    part = b.record(b.fma(40e9), validity=[b.proof(), b.proof("residual/3")])
    assert case(b.case_run(part, of=check)).verdict is Verdict.OK
    other = b.record(b.fma(40e9), validity=[b.proof(), b.proof("residuals")])
    assert case(b.case_run(other, of=check)).verdict is Verdict.INVALID


def test_without_any_proof_rates_are_shown_but_nothing_is_green() -> None:
    bare = b.case_run(b.record(b.fma(40e9), validity=[]), of=replace(FLOPS, validity=()))
    answer = judge(bare)
    found = answer.cases[0]
    assert (found.verdict, answer.exit_code) == (Verdict.NOT_JUDGED, 3)
    assert found.metrics[0].value is not None


def test_a_recorded_value_that_is_not_finite_is_invalid() -> None:
    found = case(flops(values={"plaquette": ("1", float("nan"))}))
    assert found.verdict is Verdict.INVALID and "the recorded plaquette is nan" in found.reason


# --- failures ---------------------------------------------------------------------------------------------------

STATES = (
    RankState(0, "n0", 11, "timing", "solve/dot", 7, 40),
    RankState(1, "n1", 12, "timing", "solve/operator", 6, 40),
    RankState(2, "n1", 13, "timing", "solve/dot", 7, 40),
)


def test_a_crash_is_an_error_that_says_where_the_ranks_were() -> None:
    crashed = b.launch(2, status="crashed", signal="SIGKILL", ranks=STATES)
    whole = b.case_run(b.record(b.fma(40e9)), of=FLOPS, launches=[b.launch(1), crashed])
    answer = judge(whole)
    found = answer.cases[0]
    assert (answer.verdict, answer.exit_code, found.verdict) == (Verdict.ERROR, 2, Verdict.ERROR)
    assert (found.findings[0].where.rank, found.findings[0].where.host, found.findings[0].where.launch) == (1, "n1", 2)
    assert found.metrics[0].value is not None  # the finished launch is kept and shown
    assert b.axis(found, Axis.VALIDITY).verdict is Verdict.ERROR


def test_a_hang_and_a_refusal_are_errors_with_their_sentence() -> None:
    hung = b.case_run(of=FLOPS, launches=[b.launch(1, status="hung", ranks=STATES[:1])])
    assert case(hung).reason == "launch 1 hung until its time-out; rank 0 (n0) timing in solve/dot, repetition 7 of 40"
    refused = b.launch(1, status="refused", returncode=4, reason="needs 64 GiB; choose a smaller --size")
    found = case(b.case_run(of=FLOPS, launches=[refused]))
    assert found.reason == "launch 1 refused to start: needs 64 GiB; choose a smaller --size"


def test_a_wrong_answer_is_worse_than_a_crash() -> None:
    record = b.record(b.fma(40e9), validity=[b.proof(value=2)])
    found = case(b.case_run(record, of=FLOPS, launches=[b.launch(1), b.launch(2, status="crashed")]))
    assert found.verdict is Verdict.INVALID
    assert [one.verdict for one in found.findings] == [Verdict.INVALID, Verdict.ERROR]


def test_a_refused_record_is_an_error() -> None:
    bad = replace(b.case_run(of=FLOPS, launches=[b.launch(1)]), records=(), unreadable=("r.jsonl:3: cut off",))
    found = case(bad)
    assert (found.verdict, found.reason) == (Verdict.ERROR, "r.jsonl:3: cut off")


@pytest.mark.parametrize(
    ("launches", "unavailable", "reason"),
    [
        (["planned"], None, "never launched"),
        (["planned"], "no CBLAS found", "no CBLAS found"),
        (["lacking", "lacking"], None, "this MPI offers thread level single"),
        (["interrupted", "planned"], None, "interrupted before a launch was finished"),
    ],
)
def test_what_never_ran_is_not_judged_and_never_green(
    launches: list[str], unavailable: str | None, reason: str
) -> None:
    said = "this MPI offers thread level single"
    open_launches = [b.launch(n, status=status, reason=said) for n, status in enumerate(launches, start=1)]
    idle = replace(b.case_run(of=FLOPS, launches=open_launches), unavailable=unavailable)
    answer = judge(idle)
    found = answer.cases[0]
    assert (found.verdict, found.reason, answer.exit_code) == (Verdict.NOT_JUDGED, reason, 3)
    assert found.trust is None and found.sections == () and found.metrics == ()


def test_a_variant_without_its_device_is_not_judged_and_no_error() -> None:
    alone = b.launch(1, status="lacking", returncode=5, reason="no device: no CUDA driver is installed")
    answer = judge(b.case_run(of=FLOPS, launches=[alone, replace(alone, number=2)]))
    found = answer.cases[0]
    assert (found.verdict, found.reason, answer.exit_code) == (Verdict.NOT_JUDGED, alone.reason, 3)
    assert not found.findings


def test_a_check_that_cannot_be_read_is_an_error_and_others_go_on() -> None:
    broken = replace(FLOPS, problem="checks/bad/check.toml: title: is missing")
    gone = replace(b.case_run(of=broken, launches=[]), unavailable=broken.problem)
    answer = judge(gone)
    assert (answer.verdict, answer.exit_code) == (Verdict.ERROR, 2)
    assert answer.cases[0].reason == "the check is broken: checks/bad/check.toml: title: is missing"


def test_an_empty_run_is_not_green() -> None:
    assert (judge().verdict, judge().exit_code) == (Verdict.NOT_JUDGED, 3)


def test_a_case_that_timed_nothing_is_not_green() -> None:
    assert case(b.case_run(b.record(), of=b.check())).verdict is Verdict.NOT_JUDGED


def test_the_run_is_its_worst_case_and_interruption_is_3() -> None:
    good, bad = flops(), flops(validity=[b.proof(value=2)])
    assert judge(good, bad).verdict is Verdict.INVALID
    stopped = replace(good, launches=(*good.launches, b.launch(2, status="planned")))
    answer = judge(stopped, state="interrupted")
    assert (answer.verdict, answer.exit_code) == (Verdict.OK, 3)
    assert answer.notes == ("demo:a: 1 of 2 launches not finished",)


def test_notes_of_the_run_are_kept() -> None:
    assert judge(flops(), notes=("launches/0009-x: damaged",)).notes == ("launches/0009-x: damaged",)


def test_a_run_with_a_fault_is_a_drill() -> None:
    answer = judge(flops(fault="link_sign", validity=[b.proof(value=1.5)]))
    assert answer.drill and answer.cases[0].fault == "link_sign" and answer.verdict is Verdict.INVALID
    crashed = b.case_run(of=FLOPS, launches=[b.launch(1, status="crashed", returncode=1)])
    planned = replace(crashed, case=replace(crashed.case, parameters={"fault": "crash"}))
    assert judge(planned).drill and judge(planned).cases[0].fault == "crash"


def test_sixteen_oversubscribed_ranks_are_judged_by_their_answer_alone() -> None:
    times = b.quiet(1e6, 16, noise=0.4)
    times[3] *= 5
    crowd = b.Timed("double", times, work=b.Work(flop=10**9))  # also far above any peak: the time means nothing
    waits = b.trust(run_queue_wait_ns=b.SECOND // 2)
    found = case(b.case_run(b.record(crowd, trusts=waits), of=FLOPS))
    assert found.verdict is Verdict.NOT_JUDGED and found.trust is not None and found.trust.oversubscribed
    assert found.right and found.reason.startswith("the answers are right; times not judged: oversubscribed")
    for name in (Axis.SPEED, Axis.BALANCE, Axis.STEADINESS, Axis.TRUST):
        assert b.axis(found, name).verdict is Verdict.NOT_JUDGED
        assert b.axis(found, name).reason.startswith("oversubscribed")
    assert found.sections[0].ceilings == () and found.metrics[0].fraction is None
    wrong = case(b.case_run(b.record(crowd, validity=[b.proof(value=3)]), of=FLOPS))
    assert wrong.verdict is Verdict.INVALID


def test_as_many_threads_as_cores_are_not_oversubscribed() -> None:
    full = b.case_run(b.record(b.fma(40e9, 4)), of=FLOPS)
    planned_so = replace(full, case=replace(full.case, oversubscribed=True))
    for one, expected in ((full, False), (planned_so, True)):
        trust = case(one).trust
        assert trust is not None and trust.oversubscribed is expected


def test_recorded_values_are_those_of_the_last_launch_and_of_right_answers_only() -> None:
    def recorded(value: float, **more: Any) -> Any:
        return b.record(exact("double", 1e6, flop=0.9 * PEAK * 1e-3), values={"pion_000": ("1", value)}, **more)

    found = case(b.case_run(recorded(0.1), recorded(0.3, launch=2), of=FLOPS))
    assert [(one.name, one.value) for one in found.values] == [("pion_000", 0.3)]
    wrong = case(b.case_run(recorded(0.1, validity=[b.proof(value=2.0)]), of=FLOPS))
    assert wrong.verdict is Verdict.INVALID and wrong.values == ()


def test_a_finding_without_a_place_says_that_all_ranks_were_alike() -> None:
    section = replace(assessments.section("cg/dot", 1e6), imbalance=1.0, imbalance_limit=1.1)
    lost = replace(assessments.finding(Axis.STEADINESS, Verdict.WARN, "c:c", section.path, "w"), where=Where())
    ranged = replace(lost, where=Where(alike="all ranks alike (24 to 26 %)"))

    def alike(finding: Finding, **changes: float) -> str:
        return _with_alike(finding, (replace(section, **changes),)).where.alike

    assert (alike(lost), alike(ranged)) == ("all ranks alike", "all ranks alike (24 to 26 %)")
    assert alike(ranged, imbalance=1.2) == "" == alike(replace(ranged, axis=Axis.BALANCE))
    assert alike(replace(ranged, where=replace(ranged.where, rank=1))) == ""


def test_the_judge_of_a_check_sees_the_ceilings_of_the_run() -> None:
    seen: list[tuple[str, list[str]]] = []

    def judge(of: ToJudge) -> OwnJudgement:
        seen.append((of.case.id, [offer.what for offer in of.ceilings]))
        return OwnJudgement()

    provides = b.check(name="peak", metrics=[replace(b.metric("double", "double"), provides=Provides("flop", "double", None))])
    cases = tuple(b.case_run(b.record(b.fma(40e9)), of=of) for of in (provides, b.check(name="other")))
    assess(b.run(*cases), b.machine(), (), judges={"other": judge})
    assert seen == [("demo:a", ["flop"])]
