"""The clock as a quantity, on generated records whose clock and slowness are known."""

from __future__ import annotations

from functools import cache

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common.trust import PLAIN, VECTORS, clocks_of, spread
from tenken.judge.common.prepared import prepare
from tenken.judge.common.quantities import every_launch, quantities_of
from tenken.model.assessment import CaseAssessment, Finding
from tenken.model.baseline import Baseline, Sitting
from tenken.model.record import Trust
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

OURS = b.machine(b.node())
STEPS_GHZ = (3.59, 3.69, 3.79, 3.99, 4.09)  # turbo steps of one processor, in the order of nothing
CYCLES = 3.0e6  # of a repetition of the first section
CHECK = b.check(metrics=[b.metric("rate", "s0", "flop_rate", "GFLOP/s")])
DAYS, SECTIONS = 5, 6


def clock(ghz: float, chance: np.random.Generator, samples: int = 40) -> Trust:
    """Interleaved samples around a clock, with a rare interrupted one."""
    hz = 1e9 * ghz * (1 + chance.normal(0, 0.002, samples)) * np.where(chance.random(samples) < 0.03, 0.5, 1.0)
    return b.trust(frequency_hz=tuple(hz.tolist()))


def sitting(day: int, ghz: float | None = None, slower: float = 1.0, samples: int = 40, launches: int = 5) -> CaseRun:
    """Sections bound by their core; every launch at a turbo step of its own unless `ghz`. s0 takes `slower` times its cycles."""
    chance = np.random.default_rng([day, launches])
    records = []
    for launch in range(1, launches + 1):
        at = float(chance.choice(STEPS_GHZ)) if ghz is None else ghz * (1 + chance.normal(0, 0.003))
        timed = [
            b.Timed(f"s{i}", b.quiet(
                CYCLES / at * (slower if i == 0 else 1.0) * (1 + chance.normal(0, 0.002)), seed=int(chance.integers(1 << 30))
            ), work=b.Work(flop=10**6))
            for i in range(SECTIONS)
        ]
        records.append(b.record(*timed, launch=launch, trusts=clock(at, chance, samples)))
    return b.case_run(*records, of=CHECK)


@cache
def baseline(samples: int = 40, ghz: float | None = None) -> dict[str, Baseline]:
    kept = []
    for day in range(1, DAYS + 1):
        quantities, launches = quantities_of(prepare("r", sitting(day, ghz, samples=samples), OURS), OURS)
        kept.append(Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {}, launches))
    return {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, tuple(kept))}


def judged(of: CaseRun, held: dict[str, Baseline]) -> CaseAssessment:
    return assess(b.run(of), OURS, (), (), held).cases[0]


def changes(of: CaseAssessment) -> list[Finding]:
    return [one for one in of.findings if one.axis is Axis.CHANGE]


def of_clock(of: CaseAssessment) -> list[Finding]:
    return [one for one in changes(of) if "the clock: " in one.what]


def slowness_found(samples: int) -> int:
    """Of 20 sittings with 9 % more cycles in s0, while the clock moves by 14 %."""
    found = 0
    for day in range(100, 120):
        case = judged(sitting(day, slower=1.09, samples=samples), baseline(samples))
        found += any(one.what.startswith("rate: ") for one in changes(case))
    return found


def test_slowness_below_what_turbo_moves_is_found_in_cycles() -> None:
    assert slowness_found(40) >= 19


def test_without_enough_samples_beside_it_is_judged_in_seconds() -> None:
    assert slowness_found(19) <= 5  # 14 % of turbo hide it, and nothing is claimed


def test_a_clock_that_moves_between_turbo_steps_is_information() -> None:
    for day in range(200, 220):
        case = judged(sitting(day), baseline())
        assert changes(case) == [] and case.verdict is Verdict.OK


@pytest.mark.parametrize(("ghz", "verdict"), [(3.0 * 0.98, None), (3.0 * 0.90, Verdict.WARN), (3.0 * 0.75, Verdict.FAIL)])
def test_a_clock_lower_than_the_baseline_is_a_finding_on_its_node(ghz: float, verdict: Verdict | None) -> None:
    case = judged(sitting(300, ghz=ghz), baseline(ghz=3.0))
    found = of_clock(case)
    assert [one.verdict for one in found] == ([] if verdict is None else [verdict])
    assert changes(case) == found  # the times are as before in cycles: one cause, one finding
    if found:
        assert found[0].where.host == "n0" and found[0].unit == "GHz" and found[0].measured == pytest.approx(ghz, rel=0.01)
        assert "power or heat limit, governor, or code that lowers the clock" in found[0].what
        assert found[0].next_command == "./tenken machine"


def test_a_higher_clock_is_no_finding() -> None:
    assert changes(judged(sitting(301, ghz=3.6), baseline(ghz=3.0))) == []


def test_slow_code_at_a_low_clock_is_two_findings() -> None:
    found = changes(judged(sitting(302, ghz=2.7, slower=1.2), baseline(ghz=3.0)))
    assert len([one for one in found if "the clock: " in one.what]) == 1
    rate = next(one for one in found if one.what.startswith("rate: "))
    assert rate.what.endswith("compared in clock cycles") and rate.ratio == pytest.approx(1 / 1.2, rel=0.02)


def test_what_memory_binds_is_judged_in_seconds() -> None:
    """The same records as moved bytes: another clock does not move them, so cycles would invent a change."""
    check = b.check(metrics=[b.bytes_metric()])

    def moving(day: int, ghz: float) -> CaseRun:
        chance = np.random.default_rng(day)
        records = [
            b.record(b.triad(20e9 * (1 + chance.normal(0, 0.002))), launch=launch, trusts=clock(ghz, chance))
            for launch in range(1, 6)
        ]
        return b.case_run(*records, of=check)

    kept = [
        Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {}, quantities_of(
            prepare("r", moving(day, 3.0), OURS), OURS)[1])
        for day in range(1, DAYS + 1)
    ]
    quantities = quantities_of(prepare("r", moving(1, 3.0), OURS), OURS)[0]
    found = changes(judged(moving(400, 2.4), {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, tuple(kept))}))
    assert [one.unit for one in found] == ["GHz"]


def test_a_node_slower_than_its_neighbours_is_named() -> None:
    nodes = b.machine(*(b.node(f"n{i}") for i in range(4)))
    chance = np.random.default_rng(7)

    def run(slow: float) -> list[Finding]:
        trusts = {rank: clock(3.0 * (slow if rank == 2 else 1.0), chance) for rank in range(4)}
        record = b.record(b.fma(100e9, ranks=4), hosts=("n0", "n1", "n2", "n3"), trusts=trusts)
        case = assess(b.run(b.case_run(record, of=CHECK)), nodes, ()).cases[0]
        return [one for one in case.findings if one.unit == "GHz"]

    (found,) = run(0.85)
    assert (found.axis, found.verdict, found.where.host) == (Axis.BALANCE, Verdict.WARN, "n2")
    assert run(0.97) == [] and run(1.1) == []


def test_environments_are_compared_in_seconds() -> None:
    """A build that lowers the clock pays for it."""
    fast, slow = (prepare("r", sitting(500, ghz=ghz), OURS) for ghz in (3.0, 2.7))
    names = {one.name for one in every_launch((fast, slow))[0]}
    assert "metric:rate" in names and not names & {PLAIN, VECTORS}


def test_a_clock_is_told_by_twenty_samples_a_rank() -> None:
    enough = b.record(b.fma(1e9), trusts=b.trust(frequency_hz=(3e9,) * 20, vector_frequency_hz=(2.5e9,) * 20))
    assert clocks_of(enough) == {PLAIN: 3.0, VECTORS: 2.5}
    few = b.record(b.fma(1e9, ranks=2), trusts={0: b.trust(frequency_hz=(3e9,) * 20), 1: b.trust(frequency_hz=(3e9,) * 19)})
    assert clocks_of(few) == {} and spread((3e9,) * 19) is None
    assert clocks_of(b.record(b.fma(1e9), trusts=b.trust(frequency_hz=(float("nan"),) * 40))) == {}


def alone(fraction: float, trusts: Trust) -> CaseAssessment:
    """A rate that is a fraction of the peak of one core at 3 GHz."""
    check = b.check(metrics=[b.metric("rate", "double")])
    return judged(b.case_run(b.record(b.fma(fraction * 16 * 3e9), trusts=trusts), of=check), {})


def test_the_peak_is_reached_at_the_clock_under_the_widest_vectors() -> None:
    lower = b.trust(frequency_hz=(3.0e9,) * 3, vector_frequency_hz=(2.7e9,) * 3)
    found = alone(0.89, lower)  # of 3.0 GHz: 99 % of what the units can do at 2.7
    assert found.verdict is Verdict.OK and found.metrics[0].fraction == pytest.approx(0.89 / 0.9, rel=0.01)
    assert found.metrics[0].ceiling is not None and "2.7 GHz (under vectors)" in found.metrics[0].ceiling.formula


def test_impossible_is_what_exceeds_the_plain_clock_too() -> None:
    lower = b.trust(frequency_hz=(3.0e9,) * 3, vector_frequency_hz=(2.7e9,) * 3)  # narrow vectors run at 3.0
    assert alone(1.01, lower).verdict is not Verdict.INVALID
    assert alone(1.03, lower).verdict is Verdict.INVALID
