"""On its limit a figure is still good; just beyond it is not."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common import disturbed_launches, launch_sections, launch_values, readings, trusted
from tenken.judge.common.validity import holds
from tenken.judge.launch_set import failure_findings
from tenken.judge.place.balance import judge_balance
from tenken.judge.place.unsteady import judge_steadiness
from tenken.model.assessment import CaseAssessment, SectionSummary
from tenken.model.check import ValiditySpec
from tenken.model.limits import IMBALANCE, JITTER, LOSS, SMALL_SHARE
from tenken.model.machine import Band
from tenken.model.record import Validity
from tenken.model.run import Measured, RankState
from tenken.model.verdict import Axis, Verdict

MS = 1_000_000
STEADY = b.Timed("double", np.full((2, 20), MS))


def measured(**more: object) -> Measured:
    return Measured(b.launch(1), b.record(STEADY, **more))  # type: ignore[arg-type]


def summary(**changes: object) -> SectionSummary:
    return replace(launch_sections(measured())[0], **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "value", "expected", "limit", "right"),
    [
        ("abs", 3.5, 3.0, 0.5, True),
        ("abs", 2.5, 3.0, 0.5, True),
        ("abs", 3.625, 3.0, 0.5, False),
        ("abs", 2.375, 3.0, 0.5, False),
        ("rel", -3.0, -4.0, 0.25, True),
        ("rel", -2.9, -4.0, 0.25, False),
        ("rel", 0.1, 0.0, 9.0, False),
        ("max", 2.0, 0.0, 2.0, True),
        ("max", -9.0, 0.0, 2.0, True),
        ("max", 2.001, 0.0, 2.0, False),
        ("abs", float("nan"), 3.0, 0.5, False),
        ("abs", 3.0, float("nan"), 0.5, False),
        ("abs", 3.0, 3.0, float("inf"), False),
        ("max", float("-inf"), 0.0, 2.0, False),
    ],
)
def test_when_a_proof_holds(mode: str, value: float, expected: float, limit: float, right: bool) -> None:
    assert holds(Validity("x", value, expected, limit, mode, "s")) is right


def wrong(proof: Validity) -> CaseAssessment:
    check = b.check(validity=(ValiditySpec("answer", 5.0, "by construction"),))
    return assess(b.run(b.case_run(b.record(STEADY, validity=[proof]), of=check)), b.machine(), ()).cases[0]


def test_what_a_broken_proof_should_have_been() -> None:
    largest = wrong(Validity("answer", 3.0, 0.0, 2.0, "max", "bound"))
    assert largest.findings[0].expected == 2.0
    relative = wrong(Validity("answer", 5.0, 4.0, 0.1, "rel", "table"))
    assert relative.findings[0].expected == 4.0 and relative.findings[0].ratio == 1.25


def test_balance_on_its_limits() -> None:
    def verdict(**changes: object) -> Verdict:
        section = summary(**{"imbalance": 1.5, **changes})
        return judge_balance("demo:a", (measured(),), ((section,),), (section,))[0].verdict

    assert verdict() is Verdict.WARN
    assert verdict(share=0.999 * SMALL_SHARE) is Verdict.NOT_JUDGED
    assert verdict(share=2 * SMALL_SHARE) is Verdict.WARN, "half more than the mean, of two hundredths of the time"
    assert verdict(share=1.99 * SMALL_SHARE) is Verdict.OK, "small things do not decide"
    assert verdict(imbalance=IMBALANCE) is Verdict.OK and verdict(imbalance=1.001 * IMBALANCE) is Verdict.WARN
    assert verdict(imbalance_limit=float("inf")) is Verdict.OK


def test_steadiness_on_its_limits() -> None:
    def judge(**changes: object) -> Verdict:
        return judge_steadiness("demo:a", b.check(), (summary(**changes),))[0].verdict

    assert judge(loss=LOSS, jitter=JITTER["memory"]) is Verdict.OK
    assert judge(loss=1.001 * LOSS) is Verdict.WARN and judge(jitter=1.001 * JITTER["memory"]) is Verdict.WARN
    assert judge(loss=1.0, share=SMALL_SHARE) is Verdict.WARN and judge(loss=0.99, share=SMALL_SHARE) is Verdict.OK
    assert judge(loss=0.0, jitter=0.99, share=SMALL_SHARE) is Verdict.OK
    assert judge(loss=1.0, share=0.999 * SMALL_SHARE) is Verdict.NOT_JUDGED


def test_of_loss_and_jitter_the_worse_is_named() -> None:
    both = summary(loss=2 * LOSS, jitter=3 * JITTER["memory"])
    assert judge_steadiness("demo:a", b.check(), (both,))[1][0].unit == "MAD/median"
    both = summary(loss=2 * LOSS, jitter=1.5 * JITTER["memory"])
    assert judge_steadiness("demo:a", b.check(), (both,))[1][0].unit == "elapsed/(n x median) - 1"


def test_counters_on_their_limits() -> None:
    on_limit = b.trust(run_queue_wait_ns=b.SECOND // 50, steal_ns=b.SECOND // 50, throttled_ns=b.SECOND // 50)
    assert not any(reading.exceeded for reading in readings(measured(trusts=on_limit)))
    assert len(readings(measured(trusts=on_limit))) == 3  # a quota on its limit explains no waiting yet
    shared = b.machine(b.node(exclusive=False))
    run = b.case_run(b.record(STEADY, trusts=on_limit))
    assert disturbed_launches(run, shared) == ()
    uneven = b.Timed("double", np.full((2, 20), MS) * np.array([[1], [2]]))
    assert disturbed_launches(b.case_run(b.record(uneven, trusts=on_limit)), shared) == (1,)


def test_any_migration_counts_and_the_worst_reading_comes_first() -> None:
    found = readings(measured(trusts=b.trust(migrations=2, steal_ns=b.SECOND // 25)))
    assert [(one.name, one.ratio) for one in found[:2]] == [("migration", 3.0), ("steal", 2.0)]
    assert [one.ratio for one in found[2:]] == [0.0]


def test_each_counter_is_reported_as_itself() -> None:
    trust = b.trust(
        run_queue_wait_ns=b.SECOND // 100,
        steal_ns=b.SECOND // 200,
        throttled_ns=b.SECOND // 400,
        frequency_hz=(2e9, 2.03e9, 2e9),
        migrations=3,
    )
    found = trusted((measured(trusts=trust),), b.machine())
    assert (found.run_queue_wait, found.steal, found.throttled) == (0.01, 0.005, 0.0025)
    assert found.frequency_drift == pytest.approx(0.015) and found.frequency_ghz == 2.0
    assert (found.migrations, found.timer_overhead_ns, found.disturbed) == (3, 20.0, True)


def test_counters_that_are_not_told_or_over_no_time_are_left_out() -> None:
    def names(**changes: object) -> set[str]:
        return {one.name for one in readings(measured(trusts=b.trust(**changes)))}

    assert names(wall_ns=0) == {"migration"}
    assert names(frequency_hz=(3e9,), steal_ns=None) == {"run-queue wait", "migration"}
    odd = b.trust(frequency_hz=(float("nan"), 0.0, 3e9, float("inf")))
    assert trusted((measured(trusts=odd),), b.machine()).frequency_ghz == 3.0


def test_one_interrupted_frequency_sample_in_twenty_is_no_drift() -> None:
    def drift(low: int) -> float | None:
        samples = (2e9,) * low + (3e9,) * (40 - low)
        return trusted((measured(trusts=b.trust(frequency_hz=samples)),), b.machine()).frequency_drift

    assert drift(2) == 0.0
    assert drift(3) == pytest.approx(1 / 3)


def test_steal_alone_is_enough_to_trust() -> None:
    run = b.case_run(b.record(STEADY, trusts=b.trust(run_queue_wait_ns=None)))
    axes = {axis.axis: axis for axis in assess(b.run(run), b.machine(), ()).cases[0].axes}
    assert axes[Axis.TRUST].verdict is Verdict.OK and axes[Axis.TRUST].reason == "steal 0 %, clock 3 GHz, moved by 0 %"


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.5, None, Verdict.OK), (None, 0.5, Verdict.OK), (0.5001, None, Verdict.WARN), (None, 0.4999, Verdict.WARN)],
)
def test_a_figure_on_the_edge_of_its_band_is_inside(low: float | None, high: float | None, verdict: Verdict) -> None:
    half = b.Timed("double", np.full((1, 20), MS), work=b.Work(flop=24_000_000))
    run = b.case_run(b.record(half), of=b.check(metrics=[b.metric("double", "double")]))
    found = assess(b.run(run), b.machine(), (Band("*", "demo.double", low, high, "ceiling", "s"),)).cases[0]
    assert found.verdict is verdict
    if verdict is Verdict.WARN:
        assert found.findings[0].unit == "of the ceiling" and found.findings[0].expected == (low or high)
        assert f"expected at {'least' if low else 'most'} 50 %" in found.reason


def test_a_band_of_values_is_told_in_the_unit_of_the_metric() -> None:
    run = b.case_run(
        b.record(STEADY), of=b.check(metrics=[b.metric("t", "double", "time", "ms", "compute", "none", better="lower")])
    )
    found = assess(b.run(run), b.machine(), (Band("*", "demo.t", None, 0.5, "value", "s"),)).cases[0]
    assert found.findings[0].unit == "ms"


def test_a_band_without_a_figure_is_not_judged() -> None:
    run = b.case_run(b.record(STEADY), of=b.check(metrics=[b.metric("double", "double")]))
    found = assess(b.run(run), b.machine(), (Band("*", "demo.double", 0.5, None, "ceiling", "s"),)).cases[0]
    assert found.axes[1].verdict is Verdict.NOT_JUDGED
    assert found.axes[1].reason == "measured; not judged, no baseline yet"


def test_work_and_calls_of_zero_give_no_quantity() -> None:
    record = b.record(b.Timed("double", np.full((1, 20), MS), calls=0))
    sections = launch_sections(Measured(b.launch(1), record))
    for quantity, unit in (("time_per_call", "us"), ("flop_rate", "GFLOP/s"), ("message_rate", "msg/s")):
        assert launch_values(b.metric("m", "double", quantity, unit), Measured(b.launch(1), record), sections) == {}
    assert sections[0].intensity is None
    still = launch_sections(
        Measured(b.launch(1), b.record(b.Timed("double", np.zeros((1, 9), int), work=b.Work(messages=1))))
    )
    assert launch_values(b.metric("m", "double", "message_rate", "msg/s"), measured(), still) == {}


def test_how_failures_are_told() -> None:
    ranks = tuple(RankState(rank, "n0", rank, "starting", None, 0, 0) for rank in range(5))

    def told(status: str, **more: object) -> str:
        return failure_findings(b.case_run(launches=[b.launch(1, status=status, **more)]))[0].what

    assert told("crashed", returncode=7, last_lines=("a", "b")) == "launch 1 crashed (exit code 7): b"
    assert told("crashed") == "launch 1 crashed"
    assert told("hung", returncode=9, signal="SIGKILL") == "launch 1 hung until its time-out"
    assert told("slow", reason="1 of 9 repetitions") == "launch 1 was too slow for its time-out: 1 of 9 repetitions"
    assert told("refused", returncode=3) == "launch 1 refused to start: exit code 3"
    assert told("hung", ranks=ranks).endswith("; 5 ranks starting, repetition 0 of 0")
    assert told("hung", ranks=ranks[:4]).endswith("; ranks 0, 1, 2, 3 starting, repetition 0 of 0")


def test_cores_that_were_granted_and_are_masked_away_are_a_warning() -> None:
    run = b.run(b.case_run(b.record(STEADY)))
    half = assess(run, b.machine(b.node(cpus=2, granted_cpus=4)), ()).cases[0]
    assert half.verdict is Verdict.WARN and half.findings[0].where.host == "n0"
    assert half.findings[0].what.startswith("n0: only 2 of 4 hardware threads that the scheduler granted may be used")
    for node in (b.node(cpus=4, granted_cpus=4), b.node(cpus=4, granted_cpus=2), b.node(cpus=4)):
        assert assess(run, b.machine(node), ()).cases[0].verdict is Verdict.OK


def test_fewer_cores_than_the_baseline_had_are_a_warning() -> None:
    run = b.run(b.case_run(b.record(STEADY)))
    half = assess(run, b.machine(b.node(cpus=2, baseline_cpus=4)), ()).cases[0]
    assert half.verdict is Verdict.WARN and half.findings[0].what.startswith("n0: only 2 of 4 hardware threads of its baseline")
    for had in (2, 1, None):
        assert assess(run, b.machine(b.node(cpus=2, baseline_cpus=had)), ()).cases[0].verdict is Verdict.OK
