"""Rates against the peak of their cores, and against the bands of micro-benchmarks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import pytest

from tenken.judge.cases_test import FLOPS, PEAK, case, exact, flops, judge
from tenken.model.check import Provides
from tenken.model.machine import Band
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict


def test_above_the_peak_is_impossible_and_forbids_the_rate() -> None:
    found = case(flops(1.03))
    assert found.verdict is Verdict.INVALID
    assert b.axis(found, Axis.SPEED).verdict is Verdict.INVALID
    assert found.metrics[0].value is None and found.sections[0].flop_rate is None


@pytest.mark.parametrize("fraction", [1.0, 1.019, 1.02])
def test_up_to_two_percent_above_the_peak_is_the_error_of_the_clock(fraction: float) -> None:
    assert case(flops(fraction)).verdict is Verdict.OK


def test_the_peak_is_that_of_the_frequency_measured_in_the_same_launch() -> None:
    slow = flops(0.95, trusts=b.trust(frequency_hz=(2.4e9,) * 3))
    assert case(slow).verdict is Verdict.INVALID
    assert case(flops(0.7, trusts=b.trust(frequency_hz=(2.4e9,) * 3))).metrics[0].fraction == pytest.approx(0.875)


def test_impossible_is_said_only_against_the_highest_frequency_seen() -> None:
    rising = b.trust(frequency_hz=(2.95e9, 2.95e9, 2.95e9, 3.03e9))
    assert case(flops(1.01, trusts=rising)).verdict is Verdict.OK
    assert case(flops(1.04, trusts=rising)).verdict is Verdict.INVALID


def test_a_section_whose_precision_nobody_states_may_use_the_larger_peak() -> None:
    silent = b.check()
    assert case(b.case_run(b.record(exact("axpy", 1e6, flop=1.9 * PEAK * 1e-3)), of=silent)).verdict is Verdict.OK
    assert case(b.case_run(b.record(exact("axpy", 1e6, flop=2.1 * PEAK * 1e-3)), of=silent)).verdict is Verdict.INVALID


def test_the_peak_counts_the_cores_bound_but_never_more_than_there_are() -> None:
    four = b.case_run(b.record(exact("double", 1e6, 2, flop=3.8 * PEAK * 1e-3), threads=2), of=FLOPS)
    found = case(four)
    assert found.metrics[0].fraction == pytest.approx(0.95)
    assert found.metrics[0].ceiling is not None and found.metrics[0].ceiling.formula.endswith("x 4 cores")


def test_a_metric_of_time_says_nothing_of_the_precision() -> None:
    timed = b.check(metrics=[b.metric("t", "axpy", "time", "ms", ceiling="none", better="lower")])
    assert case(b.case_run(b.record(exact("axpy", 1e6, flop=1.9 * PEAK * 1e-3)), of=timed)).verdict is Verdict.OK


def test_each_metric_is_held_against_its_own_band() -> None:
    check = b.check(metrics=[b.metric("slow", "slow"), b.metric("fast", "fast")])
    record = b.record(exact("slow", 1e6, flop=0.5 * PEAK * 1e-3), exact("fast", 1e6, flop=0.95 * PEAK * 1e-3))
    bands = (Band("*", "demo.slow", 0.4, 0.6, "ceiling", "s"), Band("*", "demo.fast", 0.9, 1.0, "ceiling", "s"))
    assert case(b.case_run(record, of=check), bands=bands).verdict is Verdict.OK


BAND = Band("*", "demo.double", 0.90, 0.99, "ceiling", "made up")


@pytest.mark.parametrize(
    ("fraction", "verdict", "says"),
    [
        (0.89, Verdict.WARN, "worse than expected of this node (made up)"),
        (0.901, Verdict.OK, ""),
        (0.989, Verdict.OK, ""),
        (1.0, Verdict.WARN, "better than expected: the band or the measurement is wrong"),
    ],
)
def test_a_band_of_the_ceiling(fraction: float, verdict: Verdict, says: str) -> None:
    found = case(flops(fraction), bands=(BAND,))
    assert b.axis(found, Axis.SPEED).verdict is verdict and found.verdict is verdict
    assert says in (found.findings[0].what if found.findings else "")
    assert found.metrics[0].band == pytest.approx((0.90 * PEAK / 1e9, 0.99 * PEAK / 1e9))  # in the metric's unit
    assert found.metrics[0].band_source == "made up"


@pytest.mark.parametrize(("fraction", "vectors", "high", "verdict", "says"), [
    (1.04, (2.0,) * 3, None, Verdict.OK, "104 % of peak; expected at least 90 %"),
    (1.06, (2.0,) * 3, None, Verdict.NOT_JUDGED, "expected at least 90 %: more than the ceiling, which was measured too low"),
    (1.06, (2.0,) * 13 + (2.1,) * 12, None, Verdict.OK, "106 % of peak"),  # less than the ceiling at the highest clock
    (1.06, (2.0,) * 3, 1.05, Verdict.WARN, "better than expected"),
])
def test_more_than_a_ceiling_is_no_part_of_it(
    fraction: float, vectors: tuple[float, ...], high: float | None, verdict: Verdict, says: str
) -> None:
    trust = b.trust(vector_frequency_hz=tuple(1e9 * one for one in vectors))
    found = case(flops(fraction * 2 / 3, trusts=trust), bands=(replace(BAND, high=high),))
    speed = b.axis(found, Axis.SPEED)
    assert speed.verdict is verdict and says in speed.reason


def test_the_band_of_the_node_class_comes_before_that_of_any() -> None:
    own = replace(BAND, node_class="toy", low=0.5)
    assert case(flops(0.6), bands=(BAND, own)).verdict is Verdict.OK
    other = replace(BAND, node_class="other", low=0.99)
    assert case(flops(0.95), bands=(other,)).axes[1].verdict is Verdict.NOT_JUDGED


def test_a_band_of_values_where_lower_is_better_is_held_against_the_best_of_a_sweep() -> None:
    latency = b.metric("latency", "exchange", "time_per_call", "us", "latency", "none", better="lower", by="bytes")
    check = b.check(metrics=[latency])
    parts = [
        exact(f"exchange/{size}", ns, of="exchange", at=size, kind="comm", calls=10)
        for size, ns in ((8, 9e3), (4096, 90e3))
    ]
    band = Band("*", "demo.latency", None, 1.0, "value", "s")
    found = case(b.case_run(b.record(*parts), of=check), bands=(band,))
    assert found.verdict is Verdict.OK
    assert [(one.at, one.value, one.band) for one in found.metrics] == [
        (8, pytest.approx(0.9), (None, 1.0)),
        (4096, pytest.approx(9.0), None),
    ]
    slow = case(b.case_run(b.record(*parts), of=check), bands=(replace(band, high=0.8),))
    assert slow.verdict is Verdict.WARN and "worse than expected" in slow.reason
    fast = case(b.case_run(b.record(*parts), of=check), bands=(replace(band, low=0.95),))
    assert fast.verdict is Verdict.WARN and "better than expected" in fast.reason


def test_an_unknown_core_says_which_file_to_extend() -> None:
    unknown = b.machine(b.node(core=None, flop_per_cycle_double=None, flop_per_cycle_single=None))
    found = case(flops(), on=unknown)
    assert found.verdict is Verdict.OK  # the answer is right, and its time is steady
    assert b.axis(found, Axis.SPEED).verdict is Verdict.NOT_JUDGED
    assert b.axis(found, Axis.SPEED).reason.startswith(
        "machines/cores.toml has no flop per cycle for 'Toy CPU': add the core there"
    )
    assert found.metrics[0].value == pytest.approx(45.6) and found.metrics[0].ceiling is None


def test_frequency_samples_that_are_no_frequency_are_left_out() -> None:
    odd = b.trust(frequency_hz=(0.0, float("inf"), 0.0, 3.0e9, float("nan")))
    assert case(flops(0.95, trusts=odd)).metrics[0].fraction == pytest.approx(0.95)


def test_without_a_frequency_there_is_no_peak() -> None:
    found = case(flops(9.0, trusts=b.trust(frequency_hz=(float("nan"),))))
    assert b.axis(found, Axis.SPEED).reason == "the frequency of n0 was not measured"


def fma_peak(rate: float, ranks: int = 1, **more: Any) -> CaseRun:
    section = exact("double", 1e6, ranks, flop=rate * 1e-3)
    of = b.check("fma_peak", metrics=[b.metric("double", "double", provides=Provides("flop"))])
    return b.case_run(b.record(section, check="fma_peak", **more), of=of)


def test_an_unknown_core_is_held_against_the_multiply_add_rate_of_this_run() -> None:
    unknown = b.machine(b.node(flop_per_cycle_double=None, flop_per_cycle_single=None))
    user = b.case_run(b.record(exact("double", 1e6, 2, flop=72e9 * 1e-3)), of=FLOPS)
    answer = judge(fma_peak(45e9), user, on=unknown)
    # A check is never its own ceiling.
    assert b.axis(answer.cases[0], Axis.SPEED).reason.startswith("machines/cores.toml has no flop")
    metric = answer.cases[1].metrics[0]
    assert metric.fraction == pytest.approx(72 / 90)
    assert metric.ceiling is not None
    assert metric.ceiling.formula == "best fma_peak of this run, 45 GFLOP/s a core x 2 cores"
    wrong = judge(fma_peak(45e9, validity=[b.proof(value=3)]), user, on=unknown)
    assert wrong.cases[1].metrics[0].ceiling is None
    drill = judge(fma_peak(45e9, fault="delay"), user, on=unknown)
    assert drill.cases[1].metrics[0].ceiling is None
