"""The release decision, from the records of two runs made in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.release import compare, further_pairs
from tenken.model.comparison import CaseComparison, Comparison, ComparisonPlan, Decision
from tenken.model.run import CaseRun, Run
from tenken.model.verdict import Verdict

MS = 1_000_000
MACHINE = b.machine(b.node())
PLAN = ComparisonPlan("c", "/runs/c", "quick", "2026-11-21T08:00:00Z", 1, ("old", "new"), ("ra", "rb"), (), 96)
CASES = ("a", "b", "c", "d")
SECTIONS = 4
NAMES = {name: b.check(f"check_{name}", metrics=[b.metric("rate", "s0", "flop_rate", "GFLOP/s")]) for name in CASES}


@cache
def case(
    name: str, side: int, factors: tuple[tuple[str, float], ...] = (), noise: float = 0.01, pairs: int = 12, loud: str = "",
) -> CaseRun:
    """Four sections; both launches of a pair share the drift of that minute."""
    drift = np.random.default_rng([7, CASES.index(name)]).normal(0, 0.2, pairs)
    chance = np.random.default_rng([side, CASES.index(name)])
    records = []
    for launch in range(1, pairs + 1):
        timed = []
        for i in range(SECTIONS):
            own = chance.normal(0, 0.6 if loud == f"s{i}" else noise)
            ns = MS * dict(factors).get(f"s{i}", 1.0) * np.exp(drift[launch - 1] + own)
            samples = b.quiet(ns, repetitions=6, seed=int(chance.integers(1 << 30)))
            timed.append(b.Timed(f"s{i}", samples, work=b.Work(flop=10**7)))
        records.append(b.record(*timed, check=f"check_{name}", case="x", launch=launch))
    return b.case_run(*records, of=NAMES[name])


def runs(factors: Mapping[str, Mapping[str, float]] = MappingProxyType({}), noise: float = 0.01) -> tuple[Run, Run]:
    """The same cases in both environments; in the second a section takes `factors` times as long."""
    first = [case(name, 1, (), noise) for name in CASES]
    second = [case(name, 2, tuple(factors.get(name, {}).items()), noise) for name in CASES]
    return b.run(*first, name="ra"), b.run(*second, name="rb")


def decided(both: tuple[Run, Run], essential: tuple[str, ...] = ()) -> Comparison:
    plan = replace(PLAN, essential=essential)
    assessments = assess(both[0], MACHINE, ()), assess(both[1], MACHINE, ())
    return compare(plan, both, assessments, MACHINE)


def changed(both: tuple[Run, Run], name: str, change) -> tuple[Run, Run]:  # type: ignore[no-untyped-def]
    """The second run with one case changed."""
    cases = tuple(change(one) if one.case.id == f"check_{name}:x" else one for one in both[1].cases)
    return both[0], replace(both[1], cases=cases)


def of(found: Comparison, name: str) -> CaseComparison:
    return next(one for one in found.cases if one.id == f"check_{name}:x")


def test_alike_is_released_although_the_machine_drifts_by_a_fifth() -> None:
    found = decided(runs())
    assert (found.decision, found.exit_code, found.findings) == (Decision.RELEASE, 0, ())
    assert {one.decision for one in found.checks} == {Decision.RELEASE} and len(found.checks) == 4
    rate = of(found, "a").quantities[0]
    assert (rate.quantity, rate.section, rate.word, rate.pairs) == ("metric:rate", "s0", "alike", 12)
    assert rate.interval[0] < 1 < rate.interval[1] and 0.03 < rate.detectable < 0.2
    assert all(one.answers == ("right", "right") for one in found.cases)


def test_a_slower_section_is_a_named_restriction() -> None:
    found = decided(runs({"b": {"s3": 1.1}}))
    assert (found.decision, found.exit_code) == (Decision.RESTRICT, 1)
    assert found.reason == "1 restriction: check_b:x" and of(found, "b").decision is Decision.RESTRICT
    (named,) = found.findings
    assert (named.case_id, named.section, named.verdict) == ("check_b:x", "s3", Verdict.WARN)
    assert named.ratio == pytest.approx(1.1, abs=0.02) and "slower" in named.what and "12 pairs of launches" in named.evidence
    assert named.next_command == "./tenken compare-env old new check_b:x --launches 24"
    assert {one.decision for one in found.cases if one.id != "check_b:x"} == {Decision.RELEASE}


def test_a_lower_rate_is_slower() -> None:
    found = decided(runs({"b": {"s0": 1.25}}))
    (named,) = found.findings
    assert named.ratio == pytest.approx(1.25, abs=0.03) and named.measured < named.expected and "GFLOP/s" in named.what


def test_faster_is_released_and_said() -> None:
    found = decided(runs({"b": {"s3": 0.8}}))
    assert found.decision is Decision.RELEASE and "; 1 faster" in of(found, "b").reason


def test_slower_in_half_of_the_cases_is_no_exception() -> None:
    found = decided(runs({"b": {"s3": 1.2}, "c": {"s1": 1.2}}))
    assert (found.decision, found.exit_code) == (Decision.HOLD, 2)


def test_slower_where_it_is_essential_holds() -> None:
    for essential in ("check_b", "check_b:x"):
        found = decided(runs({"b": {"s3": 1.1}}), (essential,))
        assert found.decision is Decision.HOLD and of(found, "b").essential and found.findings[0].verdict is Verdict.FAIL


def test_a_wrong_answer_holds_and_forbids_times() -> None:
    def wrong(one: CaseRun) -> CaseRun:
        records = list(one.records)
        records[2] = replace(records[2], validity=(b.proof(value=2.0),))
        return replace(one, records=tuple(records))

    found = decided(changed(runs(), "c", wrong))
    assert (found.decision, found.exit_code) == (Decision.HOLD, 2)
    assert of(found, "c").answers == ("right", "wrong") and of(found, "c").quantities == ()
    assert found.findings[0].next_command == "./tenken run check_c:x --environment new --launches 1"
    assert [one.decision for one in found.checks].count(Decision.RELEASE) == 3


@pytest.mark.parametrize("status", ["crashed", "hung"])
def test_one_crash_in_twelve_holds(status: str) -> None:
    def crash(one: CaseRun) -> CaseRun:
        last = replace(one.launches[-1], status=status, reason="rank 1 was killed by SIGSEGV")
        return replace(one, launches=(*one.launches[:-1], last), records=one.records[:-1])

    found = decided(changed(runs(), "a", crash))
    assert found.decision is Decision.HOLD and of(found, "a").answers == ("right", status)


def test_what_fails_in_both_is_held_with_that_said() -> None:
    def crash(one: CaseRun) -> CaseRun:
        ended = tuple(replace(each, status="crashed", reason="killed") for each in one.launches)
        return replace(one, launches=ended, records=())

    first, second = runs()
    found = decided((replace(first, cases=(crash(first.cases[0]), *first.cases[1:])),
                     replace(second, cases=(crash(second.cases[0]), *second.cases[1:]))))
    assert found.decision is Decision.HOLD and "old fails here too: examine machine and check first" in found.reason


def test_what_failed_before_and_works_now_is_no_reason_to_hold() -> None:
    second, first = changed(runs(), "a", lambda one: replace(
        one, launches=tuple(replace(each, status="crashed", reason="killed") for each in one.launches), records=()))
    found = decided((first, second))
    assert of(found, "a").reason == "nothing to compare with: crashed in old, right in new"
    assert found.decision is Decision.RELEASE and found.reason.endswith("not enough evidence on check_a:x")


def test_a_case_that_cannot_be_built_is_a_restriction() -> None:
    gone = changed(runs(), "d", lambda one: replace(one, launches=(), records=(), unavailable="no CBLAS was found"))
    found = decided(gone)
    assert found.decision is Decision.RESTRICT and found.findings[0].what == "cannot be run in new: no CBLAS was found"
    assert decided(gone, ("check_d",)).decision is Decision.HOLD


def test_a_noisy_machine_gives_not_enough_evidence() -> None:
    found = decided(runs(noise=0.6))
    assert (found.decision, found.exit_code) == (Decision.UNDECIDED, 3)


def test_one_blind_case_withholds_the_release_and_is_named() -> None:
    first, second = runs()
    noisy = [case("d", side, (), 0.9) for side in (1, 2)]
    both = replace(first, cases=(*first.cases[:3], noisy[0])), replace(second, cases=(*second.cases[:3], noisy[1]))
    found = decided(both)
    assert (found.decision, found.exit_code) == (Decision.UNDECIDED, 3) and found.reason.startswith("check_d:x: not enough")
    assert [one.decision for one in found.cases].count(Decision.RELEASE) == 3


def test_one_blind_time_withholds_the_release_of_its_case() -> None:
    first, second = runs()
    loud = [case("d", side, loud="s3") for side in (1, 2)]
    found = decided((replace(first, cases=(*first.cases[:3], loud[0])), replace(second, cases=(*second.cases[:3], loud[1]))))
    words = {one.quantity: one.word for one in of(found, "d").quantities}
    assert words["time:s2"] == "alike" and words["time:s3"] == "not enough evidence"
    assert found.decision is Decision.UNDECIDED and "not enough evidence: smallest detectable slowdown of s3 is " in found.reason


def test_a_noisy_case_that_seems_slower_is_said_to() -> None:
    first, second = runs()
    noisy = case("d", 1, (), 0.4), case("d", 2, tuple((f"s{i}", 1.5) for i in range(SECTIONS)), 0.4)
    found = decided((replace(first, cases=(*first.cases[:3], noisy[0])), replace(second, cases=(*second.cases[:3], noisy[1]))))
    assert (found.decision, found.exit_code) == (Decision.UNDECIDED, 3)


def test_an_interrupted_comparison_judges_what_is_there_and_decides_nothing() -> None:
    first, second = runs()
    found = decided((first, replace(second, state="interrupted")))
    assert (found.state, found.exit_code) == ("interrupted", 3)


def further(both: tuple[Run, Run], most: int = 96) -> dict[str, int]:
    return further_pairs(replace(PLAN, most_pairs=most), both, MACHINE)


def test_cases_get_as_many_pairs_again_until_ten_per_cent_would_be_found() -> None:
    assert further(runs()) == {}
    noisy = runs(noise=0.1)
    assert further(noisy) == {f"check_{name}:x": 12 for name in CASES}, "25 % would be found, which is judged, but not 10 %"
    assert set(further(noisy, 20).values()) == {8} and further(noisy, 12) == {}


def test_what_seems_slower_gets_more_pairs_and_what_is_slower_does_not() -> None:
    assert further(runs({"b": {"s3": 1.2}})) == {}
    assert further(runs({"b": {"s3": 1.028}})) == {"check_b:x": 12}


def test_no_pair_is_made_once_b_crashes() -> None:
    def crash(one: CaseRun) -> CaseRun:
        last = replace(one.launches[-1], status="crashed", reason="killed")
        return replace(one, launches=(*one.launches[:-1], last), records=one.records[:-1])

    assert further(changed(runs(noise=0.1), "a", crash)) == {}


def test_launches_that_leave_no_pair_count_as_made() -> None:
    """Otherwise a case whose launches all fail in A from some time on would be given pairs for ever."""
    first, second = runs(noise=0.1)
    lost = tuple(replace(one, records=one.records[:6]) for one in first.cases)
    assert further((replace(first, cases=lost), second), 12) == {}
