"""A rhythm on one core or on all, loud and quiet cores, and the loss of barriers, through `assess`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Table
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["noise"])
SIZES = ("2 us", "32 us", "1024 us")
Rhythms = dict[int, tuple[float, float]]  # processor -> Hz, us


def record(
    launch: int, rhythms: Rhythms, loud: dict[int, float] | None = None, cores: int = 4, waited: float = 0.0,
) -> Record:
    """Every core meets 250 detours of 3 us and one of 1.5 ms a second; `loud` multiplies both."""
    times = [(loud or {}).get(core, 1.0) for core in range(cores)]
    rows = tuple(f"processor {core}" for core in range(cores))
    rates = tuple((250 * one, 0.0, 1.0 * one) for one in times)
    shares = tuple((250 * 3e-6 * one, 0.0, 1.5e-3 * one) for one in times)
    values = {"quantum_us": ("us", 20.0)}
    for cpu, (hertz, length) in rhythms.items():
        values |= {f"periodic/{cpu}/0/frequency": ("Hz", hertz), f"periodic/{cpu}/0/length": ("us", length)}
    made = b.record(b.fma(40e9, path="quanta"), check="noise", launch=launch, values=values,
                    trusts=b.trust(run_queue_wait_ns=round(waited * b.trust().wall_ns)))
    tables = Table("detours", "Hz", "lower", rows, SIZES, rates), Table("lost", "1", "lower", rows, SIZES, shares)
    return replace(made, tables=tables)


def judged(*records: Record) -> CaseAssessment:
    of = b.check("noise", validity=(), repetitions_alike=False)
    return assess(b.run(b.case_run(*records, of=of)), b.machine(b.node()), (), judges=JUDGES).cases[0]


def test_ticks_are_ok_and_the_loss_of_barriers_is_told() -> None:
    case = judged(record(1, {0: (250, 3)}), record(2, {0: (250, 3)}))
    axis = next(one for one in case.axes if one.axis is Axis.STEADINESS)
    assert axis.verdict is Verdict.OK and not case.findings
    assert axis.reason.startswith("251 interruptions a second take 0.225 % of the time of a core; a barrier after every 20 us")
    assert "on 10000 ranks" in axis.reason


def test_a_detour_of_50_us_at_100_hz_is_named_with_frequency_length_and_core() -> None:
    (finding,) = judged(record(1, {3: (100.2, 50)}), record(2, {3: (99.9, 51), 1: (40, 90)}), record(3, {3: (100, 50)})).findings
    assert finding.what == "processor 3 of n0 is interrupted 100 times a second for 50 us: 0.5 % of the time"
    assert finding.where.cpu == 3 and finding.axis is Axis.STEADINESS


def test_two_launches_that_agree_to_a_hundredth_are_no_chance() -> None:
    def rhythm(*found: Rhythms, waited: float = 0.0) -> list[str]:
        quiet = [record(number, {}) for number in range(len(found) + 1, 5)]
        met = [record(number, one, waited=waited) for number, one in enumerate(found, start=1)]
        return [one.what for one in judged(*met, *quiet).findings if "times a second" in one.what]

    (what,) = rhythm({3: (100.2, 100)}, {3: (99.7, 98)})
    assert what == "processor 3 of n0 is interrupted 100 times a second for 99 us: 0.99 % of the time"
    assert not rhythm({3: (100.2, 100)}) and not rhythm({3: (100.8, 100)}, {3: (99.2, 98)}), "one launch; 1.6 % apart"
    assert not rhythm({3: (100.2, 100)}, {2: (99.9, 98)}), "another processor"
    assert not rhythm({3: (100.2, 100)}, {3: (99.9, 98)}, waited=0.011), "other load of as much time"


def test_a_rhythm_of_all_cores_is_one_finding() -> None:
    everywhere = {core: (1000.0, 5.0) for core in range(4)}
    (finding,) = judged(record(1, everywhere)).findings
    assert finding.what.startswith("all cores are interrupted 1000 times a second for 5 us")


def test_loud_and_quiet_cores_are_named() -> None:
    (finding,) = judged(record(1, {}, {2: 6.0})).findings
    assert finding.what.startswith(
        "processor 2 of n0 is noisy: interruptions take 1.35 % of its time, of the median core 0.225 %")
    quiet = next(one for one in judged(record(1, {}, {1: 0.1})).axes if one.axis is Axis.STEADINESS)
    assert quiet.reason.endswith("quiet: processor 1")


def test_cores_that_lose_much_are_a_finding_unless_another_process_had_them() -> None:
    everywhere = dict.fromkeys(range(4), 20.0)
    (finding,) = judged(record(1, {}, everywhere)).findings
    assert finding.what == "cores of n0 lose 4.5 % of their time, and no other process was seen to use it"
    waited = judged(record(1, {}, everywhere, waited=0.05))
    axis = next(one for one in waited.axes if one.axis is Axis.STEADINESS)
    assert axis.verdict is Verdict.NOT_JUDGED and all(one.axis is Axis.TRUST for one in waited.findings)
    assert axis.reason.endswith("threads waited for their processors")
    assert any("100 times a second" in one.what for one in judged(record(1, {0: (100, 50)}, everywhere, waited=0.05)).findings)


def test_the_tick_of_a_busy_core_is_no_rhythm_of_the_node() -> None:
    """Other load gives a tick more to do (24 us instead of 3 on the node that this was measured on)."""
    busy = judged(record(1, dict.fromkeys(range(4), (250, 24.0)), dict.fromkeys(range(4), 200.0), waited=0.45))
    axis = next(each for each in busy.axes if each.axis is Axis.STEADINESS)
    assert axis.verdict is Verdict.NOT_JUDGED and axis.ground
    assert not [each for each in busy.findings if each.axis is Axis.STEADINESS]
    alone = judged(record(1, dict.fromkeys(range(4), (250, 24.0)), waited=0.01))
    assert any("250 times a second" in each.what for each in alone.findings)


def test_values_of_another_form_are_no_rhythm() -> None:
    one = record(1, {})
    values = {"periodic/x/0/frequency": ("Hz", 1e9), "quantum_us": ("us", 20)}
    odd = b.record(b.fma(40e9, path="quanta"), check="noise", values=values)
    assert not judged(replace(odd, tables=one.tables)).findings
