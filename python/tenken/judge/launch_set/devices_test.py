"""Kernels on devices: what processors measured is no measure of theirs, nor the other way; ranks that share a card."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import builders as b
from tenken.judge.assess import assess
from tenken.judge.common import prepare
from tenken.judge.common.confirm import disturbed_launches
from tenken.judge.launch_set.ceilings import roofs
from tenken.judge.launch_set.providers import offers_of
from tenken.judge.launch_set.speed import clock_bound
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.check import Check, Provides, VariantSpec
from tenken.model.machine import Band, Device, Offer
from tenken.model.run import CaseRun, shared_cards
from tenken.model.verdict import Axis, Verdict

FLOP = b.metric("double", "double", provides=Provides("flop", "double"))
BYTES = b.bytes_metric(provides=Provides("memory", None))
NET = b.metric("bw", "exchange", "byte_rate", "GB/s", "bandwidth", "network", provides=Provides("network", None))
USER = b.check("user", [b.metric("rate", "double"), b.bytes_metric("operator", "operator")])
ABSURD = b.fma(1e15)  # far above the peak of any processor
CUDA = {"variants": ("plain", "cuda"), "variant_needs": (VariantSpec("cuda", ("cuda",)),)}


def check(name: str = "demo", *metrics: Any, **more: Any) -> Check:
    return b.check(name, metrics or [FLOP, BYTES, NET], **{**CUDA, **more})


def case_run(*sections: b.Timed, of: Check, variant: str = "cuda", **more: Any) -> CaseRun:
    return b.case_run(b.record(*sections, check=of.name, **more), of=of, variant=variant)


def judged(*cases: CaseRun, bands: tuple[Band, ...] = ()) -> Assessment:
    return assess(b.run(*cases), b.machine(), bands)


EVERY = pytest.mark.parametrize("of", [
    check(), check(requires=("cuda",), variant_needs=(), variants=("cuda",)),  # the variant needs the device, or the whole check
    check("demo", FLOP), check("demo", BYTES), check("demo", NET),
    check("demo", b.metric("double", "double"), b.bytes_metric("operator", "operator")),
], ids=["a variant", "the whole check", "flop", "memory", "network", "an application"])  # fmt: skip


@EVERY
def test_processors_network_and_files_are_no_ceiling_of_a_device(of: Check) -> None:
    offers = tuple(
        Offer(what, "double", "fast.rate", "fast:a", b.node().node_class, 1, 1e9, None, None, True, False, 3e9)
        for what in ("flop", "memory", "network", "io")
    )
    found = roofs(prepare("r", case_run(ABSURD, of=of), b.machine()), offers, b.machine())
    assert found.peak == {"double": None, "single": None} and found.memory is None
    assert not found.impossible and not found.elsewhere
    assert found.no_peak == "runs on a device, whose ceilings were not measured"
    assert found.no_memory == "the driver did not report the memory rate of the device"


def test_on_processors_the_same_rate_is_impossible_and_on_a_device_it_is_not() -> None:
    of = check("demo", b.metric("double", "double"))
    (here,), (there,) = (judged(case_run(ABSURD, of=of, variant=variant)).cases for variant in ("plain", "cuda"))
    assert here.verdict is Verdict.INVALID and "impossible rate" in here.reason
    assert there.verdict is Verdict.OK and b.axis(there, Axis.SPEED).verdict is Verdict.NOT_JUDGED
    assert b.axis(there, Axis.SPEED).reason == "runs on a device, whose ceilings were not measured"
    assert there.metrics[0].value == pytest.approx(1e6, rel=1e-2) and there.metrics[0].ceiling is None


HOPPER = Device("hopper", "NVIDIA Hopper", ("9.0",), 128, 256, "s")
CLOCKS = {"device_clock/double": ("Hz", 1.5e9), "device_clock/single": ("GHz", 1.8), "device_multiprocessors": ("1", 132)}


def on_hopper(rate: float, capability: float = 90, **clocks: tuple[str, float]) -> CaseAssessment:
    of = check("demo", b.metric("double", "double", ceiling="flop"))
    values = {**CLOCKS, "device_capability": ("1", capability), **clocks}
    machine = dataclasses.replace(b.machine(), devices=(HOPPER,))
    return assess(b.run(case_run(b.fma(rate), of=of, values=values)), machine, ()).cases[0]


def test_the_peak_of_a_device_is_of_the_clock_in_the_same_launch() -> None:
    peak = 128 * 1.5e9 * 132
    metric = on_hopper(0.95 * peak).metrics[0]
    assert metric.ceiling is not None and metric.ceiling.value == pytest.approx(peak)
    assert metric.ceiling.formula == "128 flop/cycle x 1.5 GHz x 132 multiprocessors"
    assert metric.fraction == pytest.approx(0.95, rel=1e-2)
    case = case_run(b.fma(1e12), of=check(), values={**CLOCKS, "device_capability": ("1", 90)})
    found = roofs(prepare("r", case, b.machine()), (), dataclasses.replace(b.machine(), devices=(HOPPER,)))
    assert found.peak["single"] is not None and found.peak["single"].value == pytest.approx(256 * 1.8e9 * 132)
    assert found.memory is None and found.no_memory == "the driver did not report the memory rate of the device"
    assert on_hopper(1.05 * peak).verdict is Verdict.INVALID, "more than 102 % of the peak"


def test_the_memory_rate_of_a_device_bounds_what_its_cache_does_not_hold() -> None:
    of = check("demo", b.bytes_metric())
    memory = {"device_memory_rate": ("B/s", 4.8e12), "device_cache_bytes": ("B", 60e6), "working_set_bytes": ("B", 1e9)}

    def judged(rate: float, **other: tuple[str, float]) -> CaseAssessment:
        return assess(b.run(case_run(b.triad(rate), of=of, values={**memory, **other})), b.machine(), ()).cases[0]

    metric = judged(4.2e12).metrics[0]
    assert metric.ceiling is not None and metric.ceiling.formula == "memory clock x bus width of the devices, 4.8 TB/s"
    assert metric.fraction == pytest.approx(4.2 / 4.8, rel=1e-2)
    small = judged(4.2e12, working_set_bytes=("B", 5e7))
    assert small.metrics[0].ceiling is None
    why = "fits in the cache of the device (working set 47.7 MiB, cache 57.2 MiB): memory does not bind"
    assert b.axis(small, Axis.SPEED).reason == why


def test_a_device_of_an_unknown_kind_or_clock_has_no_peak() -> None:
    unknown = on_hopper(1e15, capability=103)
    assert unknown.verdict is Verdict.OK and unknown.metrics[0].ceiling is None
    assert "no flop per cycle for devices of compute capability 10.3" in b.axis(unknown, Axis.SPEED).reason
    silent = on_hopper(1e15, **{"device_clock/double": ("Hz", 0.0), "device_clock/single": ("Hz", 0.0)})
    assert silent.metrics[0].ceiling is None
    assert b.axis(silent, Axis.SPEED).reason == "runs on a device, whose ceilings were not measured"


@EVERY
def test_a_device_offers_nothing_to_processors(of: Check) -> None:
    moved = b.Timed("exchange", b.quiet(1e6, 1), kind="comm", work=b.Work(bytes_read=10**9))
    sections = (b.fma(40e9), b.triad(10e9), moved)
    on = b.machine()
    assert offers_of([prepare("r", case_run(*sections, of=of), on)], on) == ()
    if not of.requires:
        here = offers_of([prepare("r", case_run(*sections, of=of, variant="plain"), on)], on)
        assert len(here) == sum(metric.provides is not None for metric in of.metrics), "the same rates of processors"


def test_a_case_on_processors_has_the_ceilings_of_processors_beside_a_case_on_a_device() -> None:
    of = check()
    plain = b.case_run(b.record(b.fma(1e9), b.triad(10e9, path="operator"), check="user"), of=USER)
    alone = judged(plain).cases[0]
    beside = judged(case_run(ABSURD, b.triad(5e12), of=of), plain)
    assert beside.cases[-1].metrics == alone.metrics and beside.cases[-1].sections == alone.sections
    assert beside.offers == () and not beside.findings


def test_no_band_of_processors_is_about_a_device() -> None:
    of = check("demo", b.metric("double", "double"))
    bands = (Band("*", "demo.double", 45.0, None, "value", "s"),)
    (here,), (there,) = (judged(case_run(b.fma(40e9), of=of, variant=one), bands=bands).cases for one in ("plain", "cuda"))
    assert b.axis(here, Axis.SPEED).verdict is Verdict.WARN
    assert b.axis(there, Axis.SPEED).verdict is Verdict.NOT_JUDGED and not b.axis(there, Axis.SPEED).ground
    assert there.complete and not there.micro_benchmark


def test_times_of_a_device_do_not_follow_the_clock_of_processors() -> None:
    of = check("demo", b.metric("double", "double"))
    on = b.machine()
    here, there = (clock_bound(prepare("r", case_run(b.fma(40e9), of=of, variant=one), on), (), on) for one in of.variants)
    assert here and not there


CARDS = check("demo", b.metric("double", "double"))


def ranks(count: int, cards: str, hosts: tuple[str, ...] = ("n0",), **more: Any) -> CaseRun:
    return case_run(b.fma(1e9, count), of=CARDS, cards=cards, hosts=hosts, **more)


@pytest.mark.parametrize(("count", "cards", "expected"), [
    (2, "ab", ""), (1, "a", ""), (3, "abc", ""),
    (2, "a", "2 ranks share 1 card"), (3, "ab", "3 ranks share 2 cards"), (4, "ab", "4 ranks share 2 cards"),
])  # fmt: skip
def test_more_ranks_than_cards_are_judged_by_their_answer_alone(count: int, cards: str, expected: str) -> None:
    case = ranks(count, cards)
    assert shared_cards(case.records[0]) == expected
    found = judged(case).cases[0]
    assert found.right and found.trust is not None and found.trust.crowded == expected and not found.trust.oversubscribed
    assert (found.verdict is Verdict.NOT_JUDGED) == bool(expected)
    if expected:
        assert found.reason == f"the answers are right; times not judged: {expected}: times are not judged"
        assert {one.reason for one in found.axes[1:]} == {f"{expected}: times are not judged"}
        assert found.complete, "as many ranks were asked for: no ground is lost"
    wrong = judged(ranks(count, cards, validity=[b.proof(value=3)])).cases[0]
    assert wrong.verdict is Verdict.INVALID


def test_cards_are_counted_on_each_node() -> None:
    """Cards of two nodes may have the same id; the node where the most ranks share a card is named."""
    assert shared_cards(ranks(2, "a", ("n0", "n1")).records[0]) == ""
    assert shared_cards(ranks(4, "aabb", ("n0", "n1")).records[0]) == ""
    record = ranks(5, "aaaab", ("n0", "n1")).records[0]  # n0: a a b, n1: a a
    assert shared_cards(record) == "2 ranks share 1 card on n1"
    assert shared_cards(b.record(b.fma(1e9, 4))) == "", "on processors"


def test_more_threads_than_cores_come_first_and_other_load_repeats_no_crowded_launch() -> None:
    both = ranks(16, "a")
    found = judged(both).cases[0].trust
    assert found is not None and found.crowded == "oversubscribed (more threads than cores)"
    assert found.shared_cards == "16 ranks share 1 card"
    waits = b.trust(run_queue_wait_ns=b.SECOND // 2)
    assert disturbed_launches(ranks(2, "ab", trusts=waits), b.machine()) == (1,)
    assert disturbed_launches(ranks(2, "a", trusts=waits), b.machine()) == ()
