"""Balance, steadiness and trust. Another's load bounds what was measured: what it cannot explain is a finding anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common import disturbed_launches
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.machine import Band, Machine
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

OURS = b.machine(b.node("n0"), b.node("n1"))
SHARED = b.machine(b.node("n0", exclusive=False), b.node("n1", exclusive=False))
CHECK = b.check(metrics=[b.metric("double", "double")])
MS = 1_000_000


def case(of: CaseRun, on: Machine = OURS, bands: tuple[Band, ...] = ()) -> CaseAssessment:
    return assess(b.run(of), on, bands).cases[0]


def axis(of: CaseAssessment, name: Axis) -> AxisResult:
    return next(one for one in of.axes if one.axis is name)


def one(*sections: b.Timed, **more: Any) -> CaseRun:
    return b.case_run(b.record(*sections, **more), of=CHECK)


def ranks(factors: list[float], ns: float = MS, path: str = "double", **more: Any) -> b.Timed:
    """One section, rank r always factors[r] times `ns`."""
    return b.Timed(path, np.rint(np.outer(factors, np.full(20, ns))).astype(np.int64), **more)


# --- balance ----------------------------------------------------------------------------------------------------


def test_a_slow_rank_is_found_with_its_host() -> None:
    found = case(one(ranks([1, 1, 1, 1.4]), hosts=("n0", "n1")))
    assert found.verdict is Verdict.WARN
    finding = found.findings[0]
    assert (finding.axis, finding.where.rank, finding.where.host, finding.section) == (Axis.BALANCE, 3, "n1", "double")
    assert finding.what == "rank 3 on n1 is slower than the others of 4 equal ranks: 40 % in double"
    assert finding.measured == pytest.approx(1.4) and finding.next_command.endswith("--section double --without n1")


@pytest.mark.parametrize(("slow", "verdict"), [(1.219, Verdict.OK), (1.225, Verdict.WARN)])
def test_effects_up_to_ten_percent_are_not_worth_a_finding(slow: float, verdict: Verdict) -> None:
    assert case(one(ranks([1, slow]))).verdict is verdict  # max/mean = 2 slow/(1 + slow): 1.0987 and 1.1011


def test_noise_widens_what_equal_ranks_may_show() -> None:
    rng = np.random.default_rng(3)
    noisy = np.rint(MS * np.array([[1.0], [1.3]]) * rng.lognormal(0, 1.0, (2, 20))).astype(np.int64)
    noisy_axis = axis(case(one(b.Timed("double", noisy))), Axis.BALANCE)
    assert noisy_axis.verdict is Verdict.OK and case(one(ranks([1, 1.3]))).verdict is Verdict.WARN


def test_a_slow_rank_that_moves_between_launches_is_said_so() -> None:
    records = [b.record(ranks([1.5, 1] if n == 1 else [1, 1.5]), launch=n) for n in (1, 2)]
    found = case(b.case_run(*records, of=CHECK))
    assert "the slow rank moves between launches (0, 1)" in found.reason
    assert (found.findings[0].where.rank, found.findings[0].where.host) == (None, None)
    assert found.sections[0].imbalance == pytest.approx(1.2)


def test_unequal_work_is_named() -> None:
    record = b.record(ranks([1, 1.5]))
    heavy = tuple(replace(s, work=(b.Work(flop=1000 + 500 * s.rank),) * 20) for s in record.series)
    found = case(b.case_run(replace(record, series=heavy), of=CHECK))
    assert found.reason.endswith("; it has 1.20 times the mean work")


@pytest.mark.parametrize(
    ("section", "judged"),
    [
        (ranks([1, 2], 15_000), True),  # slowest rank 30 us
        (ranks([1, 2], 10_000), True),  # exactly 20 us
        (ranks([1, 2], 9_900), False),  # too short
        (ranks([1, 2], kind="wait"), False),
        (ranks([1, 2], leaf=False), False),
    ],
)
def test_sections_that_say_nothing_of_ranks_are_left_out(section: b.Timed, judged: bool) -> None:
    result = axis(case(one(section)), Axis.BALANCE)
    assert result.verdict is (Verdict.WARN if judged else Verdict.NOT_JUDGED)


@pytest.mark.parametrize(("ns", "verdict"), [(0.0098 * MS * 10, Verdict.OK), (0.0103 * MS * 10, Verdict.WARN)])
def test_sections_below_one_percent_of_the_time_are_left_out(ns: float, verdict: Verdict) -> None:
    found = case(one(ranks([1, 1], 10 * MS), ranks([0.5, 1], ns, path="small")))
    assert found.verdict is verdict


def waits(*slow: int) -> CaseAssessment:
    """Two ranks, of which that of each launch waits twice as long for the other."""
    records = [b.record(ranks([2, 1] if rank == 0 else [1, 2], path="halo", kind="comm"), launch=n)
               for n, rank in enumerate(slow, 1)]
    return case(b.case_run(*records, of=CHECK))


@pytest.mark.parametrize(("slow", "found"), [((0,) * 5, False), ((0,) * 6, True), ((0, 1) * 3, False), ((1,) * 6 + (0,), False)])
def test_uneven_waits_are_found_where_the_same_rank_waits_in_more_launches_than_chance_explains(
    slow: tuple[int, ...], found: bool
) -> None:
    judged = axis(waits(*slow), Axis.BALANCE)
    assert judged.verdict is (Verdict.WARN if found else Verdict.OK)
    assert ("too few launches with the same rank to name it" in judged.reason) is not found
    assert "1.33" in judged.reason


def test_what_computes_is_named_before_what_waits_for_it() -> None:
    records = [b.record(ranks([2, 1], path="halo", kind="comm"), ranks([1, 1.4]), launch=n) for n in range(1, 7)]
    found = case(b.case_run(*records, of=CHECK))
    assert [finding.section for finding in found.findings] == ["double", "halo"]
    assert found.findings[1].what.endswith("time in communication includes waiting for late ranks")


def test_one_rank_has_no_balance() -> None:
    assert axis(case(one(ranks([1]))), Axis.BALANCE).reason == "one rank has nobody to be compared with"


# --- steadiness -------------------------------------------------------------------------------------------------


def lossy(loss: float) -> b.Timed:
    """20 repetitions of 1 ms, one of them long enough to lose `loss`."""
    times = np.full((1, 20), MS)
    times[0, 7] += round(20 * MS * loss)
    return b.Timed("double", times)


@pytest.mark.parametrize(("loss", "verdict"), [(0.25, Verdict.OK), (0.26, Verdict.WARN)])
def test_the_time_that_the_median_does_not_see(loss: float, verdict: Verdict) -> None:
    found = case(one(lossy(loss)))
    assert found.verdict is verdict
    if verdict is Verdict.WARN:
        assert "double loses 26 % of its time beside the median of 1 ms, limit 25 %" in found.reason


def wobbling(jitter: float, path: str = "double", **more: Any) -> b.Timed:
    """MAD/median is `jitter`: of three repetitions one is that much shorter and one that much longer."""
    return b.Timed(path, np.rint(MS * (1 + jitter * np.array([[-1, 1, 0] * 8]))).astype(np.int64), **more)


@pytest.mark.parametrize(
    ("klass", "kind", "limit"),
    [
        ("compute", "compute", 0.05),
        ("memory", "compute", 0.10),
        ("latency", "comm", 0.30),
        ("bandwidth", "comm", 0.20),
        ("io", "io", 0.30),
        (None, "compute", 0.10),
        (None, "comm", 0.30),
        (None, "io", 0.30),
    ],
)
def test_the_jitter_that_is_normal_depends_on_the_class(klass: str | None, kind: str, limit: float) -> None:
    metrics = [b.metric("m", "part", "time", "ms", klass, "none")] if klass else []
    check = b.check(metrics=metrics)
    for jitter, verdict in ((limit * 0.97, Verdict.OK), (limit * 1.03, Verdict.WARN)):
        found = case(b.case_run(b.record(wobbling(jitter, "part", kind=kind)), of=check))
        assert found.verdict is verdict, jitter
    assert found.findings[0].axis is Axis.STEADINESS and "no two repetitions are alike" in found.reason


def test_the_most_lenient_class_of_a_section_holds_and_sweeps_find_theirs() -> None:
    metrics = [
        b.metric("a", "part", "time", "ms", "compute", "none"), b.metric("b", "part", "time", "ms", "bandwidth", "none")
    ]
    assert case(b.case_run(b.record(wobbling(0.18, "part")), of=b.check(metrics=metrics))).verdict is Verdict.OK
    swept = b.check(metrics=[b.metric("a", "part", "time", "ms", "compute", "none", by="teams")])
    assert case(b.case_run(b.record(wobbling(0.07, "part/4", of="part", at=4)), of=swept)).verdict is Verdict.WARN


@pytest.mark.parametrize(
    ("section", "judged"),
    [
        (b.Timed("x", np.array([[1, 3, 1, 3]]) * MS), False),
        (b.Timed("x", np.array([[1, 3, 1, 3, 2]]) * MS), True),
        (wobbling(0.5, "x", kind="wait"), False),
        (wobbling(0.5, "x", leaf=False), False),
        (b.Timed("x", np.array([[MS]]), once=True), False),
    ],
)
def test_sections_whose_spread_means_nothing_are_left_out(section: b.Timed, judged: bool) -> None:
    result = axis(case(b.case_run(b.record(section), of=b.check())), Axis.STEADINESS)
    assert result.verdict is (Verdict.WARN if judged else Verdict.NOT_JUDGED)


# --- trust ------------------------------------------------------------------------------------------------------

QUIET = b.Timed("double", np.full((1, 20), MS))


@pytest.mark.parametrize(
    ("changes", "disturbed", "says"),
    [
        ({"run_queue_wait_ns": b.SECOND * 2 // 100}, False, ""),
        (
            {"run_queue_wait_ns": b.SECOND * 21 // 1000},
            True,
            "run-queue wait 2.1 % of the timed wall on rank 0 (n0), limit 2 %",
        ),
        ({"steal_ns": b.SECOND * 2 // 100}, False, ""),
        ({"steal_ns": b.SECOND * 3 // 100}, True, "steal 3 % of the timed wall on rank 0 (n0), limit 2 %"),
        ({"migrations": 1}, True, "1 migrations of bound threads on rank 0 (n0)"),
        ({"frequency_hz": (3.0e9, 3.0e9, 2.915e9)}, False, ""),
        ({"frequency_hz": (3.0e9, 4.1e9, 3.6e9)}, False, ""),  # turbo steps are no load
        ({"frequency_hz": (3.0e9,)}, False, ""),
    ],
)
def test_a_disturbance_is_a_finding_on_our_own_node_and_takes_no_verdict_away_on_a_shared_one(
    changes: dict[str, Any], disturbed: bool, says: str
) -> None:
    of = one(QUIET, trusts=b.trust(**changes))
    ours, shared = case(of), case(of, SHARED)
    if not disturbed:
        assert (ours.verdict, shared.verdict) == (Verdict.OK, Verdict.OK)
        return
    assert ours.verdict is Verdict.WARN and ours.reason == f"another's load: {says}"
    assert (ours.findings[0].where.host, ours.findings[0].where.rank, ours.findings[0].where.launch) == ("n0", 0, 1)
    assert axis(ours, Axis.STEADINESS).verdict is Verdict.OK
    assert shared.verdict is Verdict.OK and shared.judged and shared.findings == ()
    assert axis(shared, Axis.TRUST).verdict is Verdict.NOT_JUDGED and says in axis(shared, Axis.TRUST).reason
    assert axis(shared, Axis.STEADINESS).verdict is Verdict.OK
    assert shared.trust is not None and shared.trust.disturbed


def test_one_shared_node_of_two_is_enough() -> None:
    half = b.machine(b.node("n0"), b.node("n1", exclusive=False))
    of = one(ranks([1, 1]), hosts=("n0", "n1"), trusts=b.trust(steal_ns=b.SECOND // 10))
    assert axis(case(of, half), Axis.TRUST).verdict is Verdict.NOT_JUDGED and case(of).verdict is Verdict.WARN


def test_the_worst_rank_and_launch_are_named() -> None:
    trusts = {0: b.trust(steal_ns=b.SECOND // 20), 1: b.trust(steal_ns=b.SECOND // 4)}
    records = [
        b.record(ranks([1, 1]), hosts=("n0", "n1")),
        b.record(ranks([1, 1]), hosts=("n0", "n1"), launch=2, trusts=trusts),
    ]
    found = case(b.case_run(*records, of=CHECK))
    where = found.findings[0].where
    assert (where.rank, where.host, where.launch) == (1, "n1", 2) and "steal 25 %" in found.reason
    assert found.trust is not None and (found.trust.steal, found.trust.disturbed) == (0.25, True)


UNEVEN = [lossy(0.4), wobbling(0.2), ranks([1, 1.5])]
KINDS = ["loss", "jitter", "imbalance"]


@pytest.mark.parametrize("on", [OURS, SHARED], ids=["ours", "shared"])
@pytest.mark.parametrize("section", UNEVEN, ids=KINDS)
def test_what_the_counters_do_not_explain_is_a_finding_on_any_node(section: b.Timed, on: Machine) -> None:
    found = case(one(section), on)
    assert found.verdict is Verdict.WARN and found.findings[0].axis in (Axis.STEADINESS, Axis.BALANCE)


@pytest.mark.parametrize("section", UNEVEN, ids=KINDS)
def test_what_the_counters_may_explain_is_not_judged_and_says_so(section: b.Timed) -> None:
    found = case(one(section, trusts=b.trust(steal_ns=12 * MS)), SHARED)  # of 20 repetitions of 1 ms
    shaken = next(each for each in found.axes if each.verdict is Verdict.NOT_JUDGED and each.ground)
    assert shaken.axis in (Axis.STEADINESS, Axis.BALANCE) and "another's load" in shaken.reason
    assert found.findings == () and not found.judged


def test_no_section_takes_the_verdict_of_another_away() -> None:
    times = np.full((1, 20), MS)
    wild = b.Timed("other", times * np.linspace(1, 3, 20).astype(np.int64))
    slow = b.Timed("double", times, work=b.Work(flop=24_000_000))
    band = Band("*", "demo.double", 0.9, None, "ceiling", "s")
    found = case(one(slow, wild, trusts=b.trust(steal_ns=2 * MS)), SHARED, (band,))
    assert axis(found, Axis.SPEED).verdict is Verdict.WARN


@pytest.mark.parametrize(
    ("fraction", "stolen_ms", "verdict"),
    [
        (0.5, 0, Verdict.WARN),
        (0.5, 2, Verdict.WARN),  # 2 ms in 11 of 20 repetitions of 1 ms: at best 0.61 of the peak
        (0.8, 2, Verdict.NOT_JUDGED),  # at best 0.98
        (0.95, 20, Verdict.OK),  # within the band as measured
        (0.44, 20, Verdict.WARN),  # below half of the band: whatever the disturbance
    ],
)
def test_a_band_is_held_against_both_ends_of_what_may_have_been(
    fraction: float, stolen_ms: int, verdict: Verdict
) -> None:
    of = b.Timed("double", np.full((1, 20), MS), work=b.Work(flop=round(fraction * 48_000_000)))
    band = Band("*", "demo.double", 0.9, None, "ceiling", "s")
    for on in (OURS, SHARED):
        speed = axis(case(one(of, trusts=b.trust(steal_ns=stolen_ms * MS)), on, (band,)), Axis.SPEED)
        assert speed.verdict is verdict
        if verdict is Verdict.NOT_JUDGED:
            assert speed.ground and "another's load could hide 22.2 %" in speed.reason


def test_outliers_that_show_a_loss_leave_the_median_alone() -> None:
    times = np.full((1, 20), MS)
    times[0, 3] += 10 * MS
    of = b.Timed("double", times, work=b.Work(flop=round(0.8 * 48_000_000)))
    band = Band("*", "demo.double", 0.9, None, "ceiling", "s")
    found = case(one(of, trusts=b.trust(steal_ns=10 * MS)), SHARED, (band,))
    assert found.sections[0].hidden_ns == 0 and axis(found, Axis.SPEED).verdict is Verdict.WARN


def test_an_impossible_rate_or_a_wrong_answer_stays_invalid_under_load() -> None:
    stolen = b.trust(steal_ns=b.SECOND // 10)
    wrong = b.Timed("double", np.full((1, 20), MS), work=b.Work(flop=60_000_000))
    assert case(one(wrong, trusts=stolen), SHARED).verdict is Verdict.INVALID
    assert case(one(QUIET, trusts=stolen, validity=[b.proof(value=2)]), SHARED).verdict is Verdict.INVALID


@pytest.mark.parametrize("on", [OURS, SHARED], ids=["ours", "shared"])
def test_a_cpu_quota_is_our_own_limit_on_any_node(on: Machine) -> None:
    quota = b.trust(throttled_ns=b.SECOND * 4 // 10, run_queue_wait_ns=b.SECOND * 4 // 10)
    found = case(one(lossy(0.6), trusts=quota), on)
    assert found.verdict is Verdict.WARN and len(found.findings) == 1
    assert found.reason.startswith("throttled by a CPU quota for 40 % of the timed wall (limit 2 %), loss 60 %")
    assert axis(found, Axis.STEADINESS).verdict is Verdict.WARN and axis(found, Axis.TRUST).verdict is Verdict.WARN
    assert disturbed_launches(one(lossy(0.6), trusts=quota), on) == ()
    barely = b.trust(throttled_ns=b.SECOND * 2 // 100)
    assert case(one(QUIET, trusts=barely), on).verdict is Verdict.OK


def test_a_quota_does_not_hide_another_load() -> None:
    both = b.trust(throttled_ns=b.SECOND // 10, steal_ns=b.SECOND // 10)
    found = case(one(lossy(0.5), trusts=both), SHARED)
    assert found.verdict is Verdict.WARN  # the quota is certain
    assert found.trust is not None and "steal" in found.trust.reason
    assert axis(found, Axis.TRUST).verdict is Verdict.WARN


def test_a_system_that_tells_nothing_cannot_be_trusted_blindly() -> None:
    silent = b.trust(run_queue_wait_ns=None, steal_ns=None, throttled_ns=None, migrations=None, frequency_hz=())
    found = case(one(QUIET, trusts=silent))
    assert axis(found, Axis.TRUST).verdict is Verdict.NOT_JUDGED and found.verdict is Verdict.OK
    assert found.trust is not None and (found.trust.steal, found.trust.migrations, found.trust.frequency_ghz) == (
        None, None, None
    )


# --- repeating a disturbed launch -------------------------------------------------------------------------------


def pair(first: b.Timed, second: b.Timed, first_trust: Any = None, second_trust: Any = None) -> CaseRun:
    records = [b.record(first, trusts=first_trust), b.record(second, launch=2, trusts=second_trust)]
    return b.case_run(*records, of=CHECK, launches=[b.launch(1), b.launch(2, confirms=1)])


def test_disturbed_launches_are_named_once() -> None:
    stolen = b.trust(steal_ns=b.SECOND // 10)
    alone = one(QUIET, trusts=stolen)
    assert disturbed_launches(alone, OURS) == (1,) and disturbed_launches(alone, SHARED) == (1,)
    assert disturbed_launches(one(QUIET), SHARED) == ()
    assert disturbed_launches(pair(QUIET, QUIET, stolen, stolen), OURS) == ()
    assert disturbed_launches(replace(alone, case=replace(alone.case, oversubscribed=True)), OURS) == ()
    assert disturbed_launches(one(ranks([1] * 9), trusts=stolen), OURS) == ()


@pytest.mark.parametrize("section", [lossy(0.4), wobbling(0.2), ranks([1, 1.5])], ids=["loss", "jitter", "imbalance"])
def test_unsteady_launches_are_repeated_where_others_may_be_the_reason(section: b.Timed) -> None:
    assert disturbed_launches(one(section), SHARED) == (1,)
    assert disturbed_launches(one(section), OURS) == ()


def test_the_cleaner_of_a_launch_and_its_repetition_counts() -> None:
    stolen = b.trust(steal_ns=b.SECOND // 10)
    slow, fast = b.Timed("double", np.full((1, 20), 2 * MS)), QUIET
    better = case(pair(slow, fast, first_trust=stolen))
    assert better.verdict is Verdict.OK and better.sections[0].median_ns == MS and better.sections[0].launches == 1
    assert len(better.launches) == 2  # both stay listed
    worse = case(pair(slow, fast, first_trust=stolen, second_trust=b.trust(steal_ns=b.SECOND // 5)))
    assert worse.verdict is Verdict.WARN and worse.sections[0].median_ns == 2 * MS
    equal = case(pair(slow, fast))
    assert equal.sections[0].median_ns == 2 * MS


def test_a_repetition_that_crashed_leaves_the_first_launch() -> None:
    first = b.record(QUIET, trusts=b.trust(steal_ns=b.SECOND // 10))
    of = b.case_run(first, of=CHECK, launches=[b.launch(1), b.launch(2, status="crashed", confirms=1)])
    found = case(of)
    assert found.verdict is Verdict.ERROR and found.sections[0].launches == 1
