"""Change against a baseline, from records to findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess, suspects
from tenken.judge.common import prepare, quantities_of
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.baseline import Baseline, LaunchValues, Sitting
from tenken.model.machine import Machine
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

MS = 1_000_000
OURS, SHARED = b.machine(b.node()), b.machine(b.node(exclusive=False))
SECTIONS = 10
RATE = b.metric("rate", "s0", "flop_rate", "GFLOP/s")
CHECK = b.check(metrics=[RATE])
NOBODY = {"s": 1.0}


def case_of(
    factors: dict[str, float] = NOBODY, launches: int = 5, day: int = 0, sections: int = SECTIONS, comm: int = SECTIONS,
    flop: int = 10**7,
) -> CaseRun:
    """Ten sections of a sitting; a section takes `factors` times what it does otherwise. Every day has noise of its own.

    From section `comm` on they communicate.
    """
    chance = np.random.default_rng(day)
    place = chance.normal(0, 0.004, sections)
    records = []
    for launch in range(1, launches + 1):
        timed = [
            b.Timed(f"s{i}", b.quiet(
                MS * factors.get(f"s{i}", factors.get("all", 1.0)) * (1 + place[i] + chance.normal(0, 0.003)),
                seed=int(chance.integers(1 << 30)),
            ), work=b.Work(flop=flop), kind="comm" if i >= comm else "compute")
            for i in range(sections)
        ]
        records.append(b.record(*timed, launch=launch))
    return b.case_run(*records, of=CHECK)


@cache
def baseline(sittings: int = 5, comm: int = SECTIONS) -> dict[str, Baseline]:
    kept, quantities = [], ()
    for day in range(1, sittings + 1):
        quantities, launches = quantities_of(prepare("r", case_of(day=day, launches=3, comm=comm), OURS), OURS)
        kept.append(Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {}, launches))
    return {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, tuple(kept))}


def judged(of: CaseRun, held: dict[str, Baseline], on: Machine = OURS) -> CaseAssessment:
    return assess(b.run(of), on, (), (), held).cases[0]


def axis(of: CaseAssessment) -> AxisResult:
    return next(one for one in of.axes if one.axis is Axis.CHANGE)


def test_without_a_baseline_nothing_is_said() -> None:
    found = judged(case_of(), {})
    assert axis(found) == AxisResult(Axis.CHANGE, Verdict.NOT_JUDGED, "no baseline yet") and found.changes == ()


def test_an_unchanged_case_is_ok_and_says_what_would_be_found() -> None:
    found = judged(case_of(), baseline())
    assert axis(found).verdict is Verdict.OK and not [one for one in found.findings if one.axis is Axis.CHANGE]
    rate = next(one for one in found.changes if one.quantity == "metric:rate")
    assert (rate.verdict, rate.sittings, rate.launches) == (Verdict.OK, 5, 5)
    assert rate.ratio == pytest.approx(1.0, abs=0.02) and rate.interval[0] < rate.ratio < rate.interval[1]
    assert rate.band[0] < rate.expected < rate.band[1] and 0.03 < rate.detectable < 0.11  # ten times, few strays
    metric = found.metrics[0]
    assert metric.band == rate.band and metric.band_source == "baseline of 5 sittings"


def test_a_slower_section_fails_with_all_that_is_known_of_it() -> None:
    found = judged(case_of({"s3": 1.2}), baseline())
    assert found.verdict is Verdict.FAIL and axis(found).verdict is Verdict.FAIL
    first = found.findings[0]
    assert (first.axis, first.section, first.where.section, first.unit) == (Axis.CHANGE, "s3", "s3", "ns")
    assert first.ratio == pytest.approx(1.2, abs=0.03) and first.measured == pytest.approx(1.2e6, rel=0.03)
    assert first.expected == pytest.approx(1e6, rel=0.02) and first.band[1] < 1.1e6
    for words in ("median of 5 launches against 5 sittings, t = ", "degrees of freedom among 30", "ratio 1.", "smallest"):
        assert words in first.evidence
    assert [one.section for one in found.findings if one.axis is Axis.CHANGE] == ["s3"]


def test_a_section_of_no_weight_that_grows_is_found() -> None:
    """0.3 % of the run and 15 us in the baseline, six times that now."""
    small = {"all": 0.5, "s3": 0.015}
    kept = []
    for day in range(1, 6):
        quantities, launches = quantities_of(prepare("r", case_of(small, day=day, launches=3, flop=10**5), OURS), OURS)
        kept.append(Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {}, launches))
    held = {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, tuple(kept))}
    same, grown = (judged(case_of(of, flop=10**5), held) for of in (small, small | {"s3": 0.09}))
    assert "time:s3" not in [one.quantity for one in same.changes] and axis(same).verdict is Verdict.OK
    assert axis(grown).verdict is Verdict.FAIL and [one.section for one in grown.findings if one.axis is Axis.CHANGE] == ["s3"]


def test_a_slower_rate_is_a_lower_one() -> None:
    found = judged(case_of({"s0": 1.2}), baseline()).findings[0]
    assert found.verdict is Verdict.FAIL and found.ratio == pytest.approx(1 / 1.2, abs=0.03)


def test_faster_is_a_finding_too() -> None:
    found = judged(case_of({"s0": 0.8}), baseline())
    assert found.verdict is Verdict.WARN and found.findings[0].ratio == pytest.approx(1.25, abs=0.03)
    assert found.findings[0].what.endswith("or a measurement error. Confirm, then accept a new baseline")


@pytest.mark.parametrize(
    ("sittings", "launches", "words", "wanted"),
    [(2, 5, "a FAIL needs 3 sittings, the baseline has 2", {}), (5, 2, "not confirmed", {"demo:a": 3})],
)
def test_what_a_failure_takes(sittings: int, launches: int, words: str, wanted: dict[str, int]) -> None:
    of, held = case_of({"s3": 1.3}, launches=launches), baseline(sittings)
    found = judged(of, held)
    assert found.verdict is Verdict.WARN and words in found.findings[0].what
    assert suspects(b.run(of), OURS, held) == wanted


def test_only_suspects_are_launched_again() -> None:
    assert suspects(b.run(case_of(launches=2)), OURS, baseline()) == {}
    assert suspects(b.run(case_of({"s3": 1.3}, launches=2)), OURS, {}) == {}


def test_a_slow_day_is_said_once_and_fails_nothing() -> None:
    found = judged(case_of({"all": 1.15}), baseline())
    changes = [one for one in found.findings if one.axis is Axis.CHANGE]
    assert found.verdict is Verdict.WARN and len(changes) == 1
    assert changes[0].what.startswith("all figures are 1") and "and 9 more" in changes[0].what
    assert "One sitting does not separate a slow day from" in changes[0].what


@pytest.mark.parametrize(("factor", "verdict"), [(1.2, Verdict.WARN), (1.5, Verdict.FAIL)])
def test_all_that_communicates_slower_is_said_once_and_the_rest_is_ok(factor: float, verdict: Verdict) -> None:
    found = judged(case_of({f"s{i}": factor for i in range(5, 10)}, comm=5), baseline(comm=5))
    changes = [one for one in found.findings if one.axis is Axis.CHANGE]
    assert [one.verdict for one in changes] == [verdict] and axis(found).verdict is verdict
    assert changes[0].what.startswith("5 latency figures together are ")
    for words in ("% slower than all other figures; the largest change is s", ", and 4 more"):
        assert words in changes[0].what
    assert ("One sitting does not separate a slow day from" in changes[0].what) == (verdict is Verdict.WARN)
    times = {one.quantity: one.verdict for one in found.changes if one.quantity.startswith(("time:", "metric:"))}
    assert [times[f"time:s{i}"] for i in range(1, 5)] == [Verdict.OK] * 4 and times["metric:rate"] is Verdict.OK


def test_what_is_slower_in_some_launches_alone_is_said_to_be_so() -> None:
    slow, fast = case_of({"s3": 1.5}, launches=6), case_of(launches=6)
    mixed = (*fast.records[:2], *slow.records[2:])
    found = judged(replace(slow, records=mixed), baseline())
    assert axis(found).verdict is Verdict.WARN and found.findings[0].section == "s3"
    assert found.findings[0].what.endswith("not in every launch")


def test_the_run_itself_is_not_its_own_baseline() -> None:
    slow = case_of({"s3": 1.2})
    own = Sitting(b.run().name, "2026-11-21T08:00:00Z", ("n0",), {}, quantities_of(prepare("r", slow, OURS), OURS)[1])
    held = baseline()["demo:a"]
    with_own = {"demo:a": replace(held, sittings=(*held.sittings, own))}
    assert judged(slow, with_own).findings[0].evidence.startswith("median of 5 launches against 5 sittings")


def test_a_quantity_in_another_unit_or_unknown_is_not_compared() -> None:
    held = baseline()["demo:a"]
    other = replace(held, quantities=tuple(
        replace(one, unit="TFLOP/s") if one.name == "metric:rate" else one for one in held.quantities if one.name != "time:s4"
    ))
    changes = {one.quantity: one for one in judged(case_of({"s0": 2.0, "s4": 2.0}), {"demo:a": other}).changes}
    for name in ("metric:rate", "time:s4"):
        assert changes[name].verdict is Verdict.NOT_JUDGED and changes[name].expected is None


def test_a_wrong_answer_is_not_compared() -> None:
    wrong = b.case_run(b.record(b.Timed("s0", b.quiet(MS)), validity=[b.proof(value=2.0)]), of=CHECK)
    found = judged(wrong, baseline())
    assert axis(found).reason == "the answer is wrong" and found.changes == ()


def busy(factor: float, stolen: int) -> CaseRun:
    """A sitting in which `stolen` ns of the 0.1 s of every launch were stolen, without an outlier that shows where."""
    of = case_of({"all": factor}, day=77)
    records = tuple(
        replace(record, rank=tuple(replace(rank, trust=b.trust(steal_ns=stolen, wall_ns=100 * MS)) for rank in record.rank))
        for record in of.records
    )
    return replace(of, records=records)


def test_where_every_launch_was_disturbed_its_times_are_bounds() -> None:
    assert axis(judged(busy(1.0, 10 * MS), baseline())).verdict is Verdict.OK  # within the limit as measured
    slower = judged(busy(1.3, 3 * MS), baseline())  # 3 ms in 21 of 40 repetitions of 1.3 ms: 11 %
    assert axis(slower).verdict in (Verdict.WARN, Verdict.FAIL) and "slower" in axis(slower).reason
    between = axis(judged(busy(1.3, 10 * MS), baseline()))
    assert between.verdict is Verdict.NOT_JUDGED and between.ground
    assert "other load can explain" in between.reason


@pytest.mark.parametrize(("waited_ms", "verdict"), [(0, Verdict.WARN), (10, Verdict.NOT_JUDGED)])
def test_jitter_that_a_load_explains_whole_is_not_judged(waited_ms: int, verdict: Verdict) -> None:
    """Half of the repetitions are 0.4 ms longer, 8 ms in all: a wait that disturbs no launch leaves nothing of the jitter."""
    times = np.full((1, 40), round(0.8 * MS))
    times[0, ::2] += round(0.4 * MS)
    waited = replace(case_of(), records=tuple(replace(
        one,
        series=tuple(replace(each, ns=tuple(times[0].tolist())) if each.section == 3 else each for each in one.series),
        rank=tuple(replace(each, trust=b.trust(run_queue_wait_ns=waited_ms * MS)) for each in one.rank),
    ) for one in case_of().records))
    found = judged(waited, baseline())
    (jitter,) = (one for one in found.changes if one.quantity == "jitter:s3")
    assert jitter.verdict is verdict and (jitter.at_best == 0.0 if waited_ms else jitter.at_best is None)
    if waited_ms:
        assert axis(found).verdict is verdict and axis(found).reason.endswith("load can explain up to 20 %")


def test_too_noisy_a_baseline_is_no_ok() -> None:
    held = baseline()["demo:a"]
    chance = np.random.default_rng(9)
    wild = tuple(
        replace(sitting, launches=tuple(
            replace(one, values={name: value * float(np.exp(noise)) for name, value in one.values.items()})
            for noise in [chance.normal(0, 0.4)] for one in sitting.launches
        )) for sitting in held.sittings
    )
    few = case_of(sections=2)
    found = axis(judged(few, {"demo:a": replace(held, sittings=wild)}))
    assert found.verdict is not Verdict.FAIL


# --- a CPU quota of 50 %: every second stretch of time is taken, which no median of short repetitions sees -----------


def throttled(launches: int = 5) -> CaseRun:
    """Repetitions of 1 ms under a quota of 50 ms in 100 ms: one in fifty takes 51 ms."""
    records = []
    for launch in range(1, launches + 1):
        times = b.quiet(MS, repetitions=200, seed=launch)
        times[0, 20::50] += 50 * MS
        records.append(b.record(*(b.Timed(f"s{i}", times, work=b.Work(flop=10**7)) for i in range(SECTIONS)), launch=launch))
    return b.case_run(*records, of=CHECK)


def test_a_quota_is_invisible_to_the_median_and_found_by_the_loss() -> None:
    found = judged(throttled(), baseline())
    changes = {one.quantity: one for one in found.changes}
    assert changes["metric:rate"].verdict is Verdict.OK
    assert changes["loss:s0"].verdict is Verdict.FAIL and changes["loss:s0"].value == pytest.approx(1.0, rel=0.05)
    assert "loss of s0: 100 %, was 0." in next(one.what for one in found.findings if one.section == "s0")


def test_a_quota_is_found_without_a_baseline_on_a_node_of_our_own() -> None:
    found = judged(throttled(), {})
    assert found.verdict is Verdict.WARN and found.findings[0].axis is Axis.STEADINESS
    assert "interruptions added 100 % to section s0" in found.findings[0].what


def test_a_quota_is_found_by_a_baseline_where_neighbours_are_not_visible() -> None:
    found = judged(throttled(), baseline(), SHARED)
    assert found.verdict is Verdict.FAIL and found.findings[0].what.startswith("loss of s")
    assert judged(throttled(), {}, SHARED).verdict is Verdict.WARN  # no counter tells of other load


@pytest.mark.parametrize(("factor", "holds"), [(1.5, False), (2.2, True)])
def test_a_change_is_reported_only_where_it_holds_against_both_ends_of_a_baseline(factor: float, holds: bool) -> None:
    """A baseline of bounds: measured twice as slow as at best. Between both nothing is judged.

    Beyond both the milder end counts.
    """
    known = baseline()["demo:a"]

    def slow(each: LaunchValues) -> LaunchValues:
        times = {name: 2 * value for name, value in each.values.items() if name.startswith("time:")}
        return replace(each, values=each.values | times)

    def bounds(each: LaunchValues) -> LaunchValues:
        return replace(slow(each), best={name: value for name, value in each.values.items() if name.startswith("time:")})

    def verdicts(change: Callable[[LaunchValues], LaunchValues]) -> set[Verdict]:
        sittings = tuple(replace(one, launches=tuple(map(change, one.launches))) for one in known.sittings)
        now = case_of({f"s{i}": factor for i in range(1, SECTIONS)})
        found = judged(now, {"demo:a": replace(known, sittings=sittings)})
        return {one.verdict for one in found.changes if one.quantity.startswith("time:")}

    assert verdicts(bounds) == (verdicts(slow) if holds else {Verdict.NOT_JUDGED})
    assert not holds or verdicts(slow) <= {Verdict.WARN, Verdict.FAIL}
