"""Other load bounds what was measured: what it cannot explain is a finding anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common import disturbed_launches
from tenken.model.assessment import CaseAssessment
from tenken.model.machine import Band, Machine
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

OURS = b.machine(b.node("n0"), b.node("n1"))
SHARED = b.machine(b.node("n0", exclusive=False), b.node("n1", exclusive=False))
CHECK = b.check(metrics=[b.metric("double", "double")])
MS = 1_000_000


def case(of: CaseRun, on: Machine = OURS, bands: tuple[Band, ...] = ()) -> CaseAssessment:
    return assess(b.run(of), on, bands).cases[0]


def one(*sections: b.Timed, **more: Any) -> CaseRun:
    return b.case_run(b.record(*sections, **more), of=CHECK)


def ranks(factors: list[float], ns: float = MS, path: str = "double", **more: Any) -> b.Timed:
    """One section, rank r always factors[r] times `ns`."""
    return b.Timed(path, np.rint(np.outer(factors, np.full(20, ns))).astype(np.int64), **more)


def lossy(loss: float) -> b.Timed:
    """20 repetitions of 1 ms, one of them long enough to lose `loss`."""
    times = np.full((1, 20), MS)
    times[0, 7] += round(20 * MS * loss)
    return b.Timed("double", times)


def wobbling(jitter: float, path: str = "double", **more: Any) -> b.Timed:
    """MAD/median is `jitter`: of three repetitions one is that much shorter and one that much longer."""
    return b.Timed(path, np.rint(MS * (1 + jitter * np.array([[-1, 1, 0] * 8]))).astype(np.int64), **more)


QUIET = b.Timed("double", np.full((1, 20), MS))


@pytest.mark.parametrize(
    ("changes", "disturbed", "says"),
    [
        ({"run_queue_wait_ns": b.SECOND * 2 // 100}, False, ""),
        (
            {"run_queue_wait_ns": b.SECOND * 21 // 1000},
            True,
            "run-queue wait 2.1 % of the wall time on rank 0 (n0), limit 2 %",
        ),
        ({"steal_ns": b.SECOND * 2 // 100}, False, ""),
        ({"steal_ns": b.SECOND * 3 // 100}, True, "steal 3 % of the wall time on rank 0 (n0), limit 2 %"),
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
    assert ours.verdict is Verdict.WARN and ours.reason == f"other load: {says}"
    assert (ours.findings[0].where.host, ours.findings[0].where.rank, ours.findings[0].where.launch) == ("n0", 0, 1)
    assert b.axis(ours, Axis.STEADINESS).verdict is Verdict.OK
    assert shared.verdict is Verdict.OK and shared.complete and shared.findings == ()
    assert b.axis(shared, Axis.TRUST).verdict is Verdict.NOT_JUDGED and says in b.axis(shared, Axis.TRUST).reason
    assert b.axis(shared, Axis.STEADINESS).verdict is Verdict.OK
    assert shared.trust is not None and shared.trust.disturbed


def test_one_shared_node_of_two_is_enough() -> None:
    half = b.machine(b.node("n0"), b.node("n1", exclusive=False))
    of = one(ranks([1, 1]), hosts=("n0", "n1"), trusts=b.trust(steal_ns=b.SECOND // 10))
    assert b.axis(case(of, half), Axis.TRUST).verdict is Verdict.NOT_JUDGED and case(of).verdict is Verdict.WARN


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
    assert shaken.axis in (Axis.STEADINESS, Axis.BALANCE) and "other load" in shaken.reason
    assert found.findings == () and not found.complete


def test_no_section_takes_the_verdict_of_another_away() -> None:
    times = np.full((1, 20), MS)
    wild = b.Timed("other", times * np.linspace(1, 3, 20).astype(np.int64))
    slow = b.Timed("double", times, work=b.Work(flop=24_000_000))
    band = Band("*", "demo.double", 0.9, None, "ceiling", "s")
    found = case(one(slow, wild, trusts=b.trust(steal_ns=2 * MS)), SHARED, (band,))
    assert b.axis(found, Axis.SPEED).verdict is Verdict.WARN


@pytest.mark.parametrize(
    ("fraction", "stolen_ms", "verdict"),
    [
        (0.5, 0, Verdict.WARN),
        (0.5, 2, Verdict.WARN),  # 2 ms in 11 of 20 repetitions of 1 ms: at best 0.61 of the peak
        (0.8, 2, Verdict.NOT_JUDGED),  # at best 0.98
        (0.95, 20, Verdict.OK),  # within the band as measured
        (0.44, 20, Verdict.NOT_JUDGED),  # below half of the band as measured; at best anything
        (0.2, 2, Verdict.WARN),  # below half of the band even at best
    ],
)
def test_a_band_is_held_against_both_ends_of_what_may_have_been(
    fraction: float, stolen_ms: int, verdict: Verdict
) -> None:
    of = b.Timed("double", np.full((1, 20), MS), work=b.Work(flop=round(fraction * 48_000_000)))
    band = Band("*", "demo.double", 0.9, None, "ceiling", "s")
    for on in (OURS, SHARED):
        speed = b.axis(case(one(of, trusts=b.trust(steal_ns=stolen_ms * MS)), on, (band,)), Axis.SPEED)
        assert speed.verdict is verdict
        if verdict is Verdict.NOT_JUDGED:
            explained = "up to 22.2 %" if stolen_ms == 2 else "any difference"
            assert speed.ground and f"other load can explain {explained}" in speed.reason


@pytest.mark.parametrize(("times", "verdict"), [(6.0, Verdict.WARN), (2.0, Verdict.NOT_JUDGED)])
def test_a_shared_core_does_not_hide_what_it_cannot_explain(times: float, verdict: Verdict) -> None:
    """Half of its adders are missing throughout: that took two thirds of a time at most, no five sixths."""
    on = b.machine(b.node("n0", exclusive=False, additions_per_cycle=4.0))
    trusts = {0: b.trust(), 1: b.trust(additions_per_cycle=(2.0,) * 9)}
    found = case(one(ranks([1, times]), trusts=trusts), on)
    assert b.axis(found, Axis.BALANCE).verdict is verdict


@pytest.mark.parametrize(("times", "verdict"), [(12.0, Verdict.WARN), (2.9, Verdict.NOT_JUDGED)])
def test_of_what_moves_data_a_shared_core_explains_more(times: float, verdict: Verdict) -> None:
    """The threads of a core share its caches: a section that packs halos took 2.9 times as long on the shared one of two."""
    on = b.machine(b.node("n0", exclusive=False, additions_per_cycle=4.0))
    trusts = {0: b.trust(additions_per_cycle=(2.0,) * 9), 1: b.trust()}
    packed = b.Timed("double", np.rint(np.array([[times], [1.0]]) * np.full(20, MS)).astype(int), work=b.Work(bytes_read=8))
    assert b.axis(case(one(packed, trusts=trusts), on), Axis.BALANCE).verdict is verdict


@pytest.mark.parametrize(("every", "ms", "verdict"), [(25, 7.5, Verdict.WARN), (6, 1.75, Verdict.NOT_JUDGED)])
def test_a_shared_core_stretches_and_does_not_stop(every: int, ms: float, verdict: Verdict) -> None:
    """Rank 1 loses three tenths beside its median: in repetitions of 8.5 ms it was stopped, those of 2.75 are a shared core."""
    on = b.machine(b.node("n0", exclusive=False, additions_per_cycle=4.0))
    times = np.full((2, 100), MS)
    times[1, ::every] += round(ms * MS)
    records = [b.record(b.Timed("double", times), launch=n, trusts=b.trust(additions_per_cycle=(2.0,) * 9)) for n in (1, 2)]
    found = case(b.case_run(*records, of=CHECK), on)
    assert b.axis(found, Axis.STEADINESS).verdict is verdict
    assert [one.where.rank for one in found.findings] == ([1] if verdict is Verdict.WARN else [])


def test_outliers_that_show_a_loss_leave_the_median_alone() -> None:
    times = np.full((1, 20), MS)
    times[0, 3] += 10 * MS
    of = b.Timed("double", times, work=b.Work(flop=round(0.8 * 48_000_000)))
    band = Band("*", "demo.double", 0.9, None, "ceiling", "s")
    found = case(one(of, trusts=b.trust(steal_ns=10 * MS)), SHARED, (band,))
    assert found.sections[0].hidden_ns == 0 and b.axis(found, Axis.SPEED).verdict is Verdict.WARN


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
    assert b.axis(found, Axis.STEADINESS).verdict is Verdict.WARN and b.axis(found, Axis.TRUST).verdict is Verdict.WARN
    assert disturbed_launches(one(lossy(0.6), trusts=quota), on) == ()
    barely = b.trust(throttled_ns=b.SECOND * 2 // 100)
    assert case(one(QUIET, trusts=barely), on).verdict is Verdict.OK


def test_a_quota_does_not_hide_another_load() -> None:
    both = b.trust(throttled_ns=b.SECOND // 10, steal_ns=b.SECOND // 10)
    found = case(one(lossy(0.5), trusts=both), SHARED)
    assert found.verdict is Verdict.WARN  # the quota is certain
    assert found.trust is not None and "steal" in found.trust.reason
    assert b.axis(found, Axis.TRUST).verdict is Verdict.WARN


def test_a_system_that_tells_nothing_cannot_be_trusted_blindly() -> None:
    silent = b.trust(run_queue_wait_ns=None, steal_ns=None, throttled_ns=None, migrations=None, frequency_hz=())
    found = case(one(QUIET, trusts=silent))
    assert b.axis(found, Axis.TRUST).verdict is Verdict.NOT_JUDGED and found.verdict is Verdict.OK
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
