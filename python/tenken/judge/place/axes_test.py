"""Balance and steadiness: ranks against ranks, and repetitions against repetitions."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.disturbance_test import CHECK, MS, case, lossy, one, ranks, wobbling
from tenken.judge.place.balance import _named
from tenken.model.assessment import CaseAssessment
from tenken.model.verdict import Axis, Verdict

# --- balance ----------------------------------------------------------------------------------------------------


def test_a_slow_rank_is_found_with_its_host() -> None:
    found = case(one(ranks([1, 1, 1, 1.4]), hosts=("n0", "n1")))
    assert found.verdict is Verdict.WARN
    finding = found.findings[0]
    assert (finding.axis, finding.where.rank, finding.where.host, finding.section) == (Axis.BALANCE, 3, "n1", "double")
    assert finding.measured == pytest.approx(1.4) and finding.next_command.endswith("--section double --without n1")


@pytest.mark.parametrize(("slow", "verdict"), [(1.219, Verdict.OK), (1.225, Verdict.WARN)])
def test_effects_up_to_ten_percent_are_not_worth_a_finding(slow: float, verdict: Verdict) -> None:
    assert case(one(ranks([1, slow]))).verdict is verdict  # max/mean = 2 slow/(1 + slow): 1.0987 and 1.1011


def test_noise_widens_what_equal_ranks_may_show() -> None:
    rng = np.random.default_rng(3)
    noisy = np.rint(MS * np.array([[1.0], [1.3]]) * rng.lognormal(0, 1.0, (2, 20))).astype(np.int64)
    noisy_axis = b.axis(case(one(b.Timed("double", noisy))), Axis.BALANCE)
    assert noisy_axis.verdict is Verdict.OK and case(one(ranks([1, 1.3]))).verdict is Verdict.WARN


def test_a_slow_rank_that_moves_between_launches_is_said_so() -> None:
    records = [b.record(ranks([1.5, 1] if n == 1 else [1, 1.5]), launch=n) for n in (1, 2)]
    found = case(b.case_run(*records, of=CHECK))
    assert (found.findings[0].where.rank, found.findings[0].where.host) == (None, None)
    assert found.sections[0].imbalance == pytest.approx(1.2)


def test_unequal_work_is_named() -> None:
    record = b.record(ranks([1, 1.5]))
    heavy = tuple(replace(s, work=(b.Work(flop=1000 + 500 * s.rank),) * 20) for s in record.series)
    found = case(b.case_run(replace(record, series=heavy), of=CHECK))
    assert found.reason.endswith(", with 1.20 times the mean work")


def edges(longer: list[float]) -> CaseAssessment:
    """Ranks with work in proportion to their time, in launches whose slowest rank is now the first, now the last."""
    records = []
    for launch in (1, 2):
        times = [time * (1.01 if rank == (launch - 1) * (len(longer) - 1) else 1) for rank, time in enumerate(longer)]
        record = b.record(ranks(times), launch=launch)
        heavy = tuple(replace(s, work=(b.Work(flop=round(1000 * longer[s.rank])),) * 20) for s in record.series)
        records.append(replace(record, series=heavy))
    return case(b.case_run(*records, of=CHECK))


def test_all_ranks_with_more_work_are_named() -> None:
    (found,) = edges([2, 1, 1, 2]).findings
    assert "moves between launches" not in found.what
    assert _named(list(range(11))) == "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 3 more"


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
    result = b.axis(case(one(section)), Axis.BALANCE)
    assert result.verdict is (Verdict.WARN if judged else Verdict.NOT_JUDGED)


@pytest.mark.parametrize(("ns", "verdict"), [(0.029 * MS * 10, Verdict.OK), (0.0315 * MS * 10, Verdict.WARN)])
def test_an_imbalance_below_one_percent_of_the_time_decides_nothing(ns: float, verdict: Verdict) -> None:
    """One of two ranks takes a third more than both on average: a hundredth is a third of three hundredths."""
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
    judged = b.axis(waits(*slow), Axis.BALANCE)
    assert judged.verdict is (Verdict.WARN if found else Verdict.OK)
    assert ("too few launches with the same rank to name it" in judged.reason) is not found


def test_what_computes_is_named_before_what_waits_for_it() -> None:
    records = [b.record(ranks([2, 1], path="halo", kind="comm"), ranks([1, 1.4]), launch=n) for n in range(1, 7)]
    found = case(b.case_run(*records, of=CHECK))
    assert [finding.section for finding in found.findings] == ["double", "halo"]
    assert found.findings[1].what.endswith("(communication includes waiting for late ranks)")


def test_one_rank_has_no_balance() -> None:
    assert b.axis(case(one(ranks([1]))), Axis.BALANCE).reason == "a single rank cannot be compared"


# --- steadiness -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loss", "verdict"), [(0.25, Verdict.OK), (0.26, Verdict.WARN)])
def test_the_time_that_the_median_does_not_see(loss: float, verdict: Verdict) -> None:
    found = case(one(lossy(loss)))
    assert found.verdict is verdict
    if verdict is Verdict.WARN:
        assert "interruptions added 26 % to section double (limit 25 %); median 1 ms" in found.reason


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
    assert found.findings[0].axis is Axis.STEADINESS and "repetitions of section " in found.reason


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
    result = b.axis(case(b.case_run(b.record(section), of=b.check())), Axis.STEADINESS)
    assert result.verdict is (Verdict.WARN if judged else Verdict.NOT_JUDGED)


@pytest.mark.parametrize(("launches", "verdict"), [
    ((1.0, 0.5), Verdict.OK), ((0.5, 0.5), Verdict.WARN), ((1.0, 0.5, 0.5), Verdict.WARN), ((1.0, 1.0, 0.5), Verdict.OK),
])
def test_ranks_are_uneven_where_more_than_half_of_the_launches_show_it(launches: tuple[float, ...], verdict: Verdict) -> None:
    """A rank that was twice as fast in one launch of two is no slow rank of both."""
    records = [b.record(ranks([factor, 1]), launch=n) for n, factor in enumerate(launches, 1)]
    assert b.axis(case(b.case_run(*records, of=CHECK)), Axis.BALANCE).verdict is verdict
