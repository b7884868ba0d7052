"""What one check measures for others: a curve over sizes, caches included, and two that disagree."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest

import builders as b
from tenken.judge.assess import assess
from tenken.judge.launch_set.ceilings import level
from tenken.judge.launch_set.providers import disagreements, read_curve
from tenken.model.assessment import CaseAssessment, Ceiling
from tenken.model.check import Provides
from tenken.model.machine import Cache, Offer
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

MIB = 1 << 20
L3 = 32 * MIB
NODE = b.node(caches=(Cache(1, 32 << 10, 1), Cache(2, MIB, 1), Cache(3, L3, 4)))


def moving(path: str, rate: float, flop: float = 0.0, **more: Any) -> b.Timed:
    """A section of 1 ms on one rank."""
    work = b.Work(bytes_read=round(rate * 1e-3), flop=round(flop * 1e-3))
    return b.Timed(path, np.full((1, 20), 1_000_000), work=work, **more)


def bandwidth(rates: dict[float, float], name: str = "bandwidth", trusts: Any = None, threads: int = 1) -> list[CaseRun]:
    """A case for each working set in MiB, which moves so many bytes a second."""
    of = b.check(name, [b.bytes_metric(provides=b.MEMORY)])
    return [
        b.case_run(
            b.record(
                moving("triad", rate), check=name, case=f"s{i}", threads=threads, trusts=trusts,
                values={"working_set_bytes": ("MiB", size)},
            ),
            of=of,
        )
        for i, (size, rate) in enumerate(rates.items())
    ]


def user(size: float, rate: float = 10e9, flop: float = 0.0) -> CaseRun:
    record = b.record(moving("operator", rate, flop), case="user", values={"working_set_bytes": ("MiB", size)})
    return b.case_run(record, of=b.check(metrics=[b.bytes_metric("operator", "operator")]))


def judged(*cases: CaseRun) -> CaseAssessment:
    """The last of the cases."""
    return assess(b.run(*cases), b.machine(NODE), ()).cases[-1]


def ceiling(of: CaseAssessment) -> Ceiling | None:
    return of.metrics[0].ceiling


CURVE = {0.5: 200e9, 4.0: 100e9, 16.0: 50e9, 40.0: 30e9, 256.0: 20e9}


@pytest.mark.parametrize(
    ("size", "rate", "name"),
    [
        (4.0, 100e9, "cache L3"),
        (8.0, (100e9 * 50e9) ** 0.5, "cache L3"),  # half way between 4 and 16 MiB in logarithms
        (0.75, 200e9 / 2 ** (log(1.5) / log(8)), "cache L2"),
        (256.0, 20e9, "memory"),
        (1000.0, 20e9, "memory"),  # beyond the largest size it is memory still
        (50.0, 20e9, "memory"),  # 40 MiB are less than twice the cache: no rate of memory
    ],
)
def test_the_curve_is_read_at_the_working_set(size: float, rate: float, name: str) -> None:
    held = ceiling(judged(*bandwidth(CURVE), user(size)))
    assert held is not None and held.name == name and held.value == pytest.approx(rate, rel=1e-3)
    assert held.formula.startswith("bandwidth.triad of this run")


@pytest.mark.parametrize("size", [0.25, 0.49])
def test_below_the_smallest_size_nothing_is_known(size: float) -> None:
    held = judged(*bandwidth(CURVE), user(size))
    assert ceiling(held) is None and "memory does not bind" in held.axes[1].reason


def test_a_cache_rate_of_other_cores_is_no_ceiling() -> None:
    assert ceiling(judged(*bandwidth(CURVE, threads=2), user(8.0))) is None


@pytest.mark.parametrize(("mib", "cores", "name"), [
    (2.0, 1, "cache L2"), (2.1, 1, "cache L3"), (4.0, 4, "cache L2"), (4.1, 4, "cache L3"), (8.1, 4, "cache"),
])
def test_the_level_is_the_first_whose_caches_of_the_cores_used_hold_it(mib: float, cores: int, name: str) -> None:
    """Of 2 MiB for two cores each: one core has one of them, four cores two."""
    node = b.node(caches=(Cache(2, 2 * MIB, 2), Cache(3, 8 * MIB, 8)))
    assert level(mib * MIB, cores, node) == name


def test_the_cache_binds_beside_the_peak() -> None:
    """8 MiB: 70.7 GB/s from L3 and 48 GFLOP/s meet at 0.68 flop per byte."""
    low = judged(*bandwidth(CURVE), user(8.0, rate=40e9, flop=20e9)).sections[0]
    high = judged(*bandwidth(CURVE), user(8.0, rate=40e9, flop=40e9)).sections[0]
    assert [(one.ceiling.name, one.binding) for one in low.ceilings] == [("peak double", False), ("cache L3", True)]
    assert [(one.ceiling.name, one.binding) for one in high.ceilings] == [("peak double", True), ("cache L3", False)]


def test_a_rate_without_its_size_is_no_ceiling() -> None:
    (unsized,) = bandwidth({256.0: 20e9})
    unsized = replace(unsized, records=tuple(replace(one, values=()) for one in unsized.records))
    held = ceiling(judged(unsized, user(256.0)))
    assert held is not None and held.kind == "spec"


def test_another_network_check_is_read_at_the_size_that_the_case_records() -> None:
    provides = Provides("network", by="sizes")
    sections = [
        moving(f"exchange/{at}", rate, of="exchange", at=at, kind="comm") for at, rate in ((8, 1e9), (800, 4e9))
    ]
    metric = b.metric("bw", "exchange", "byte_rate", "GB/s", "bandwidth", "network", by="sizes", provides=provides)
    messages = b.case_run(b.record(*sections, check="messages"), of=b.check("messages", [metric]))
    using = b.check(metrics=[b.metric("halo", "halo", "byte_rate", "GB/s", "bandwidth", "network")])

    def held(**values: tuple[str, float]) -> Ceiling | None:
        case = b.case_run(b.record(moving("halo", 1e9, kind="comm"), case="user", values=values), of=using)
        return ceiling(judged(messages, case))

    assert held(sizes=("B", 80.0)) == Ceiling("network", "measured", pytest.approx(2e9), "messages.bw of this run")
    assert held() == Ceiling("network", "measured", 4e9, "messages.bw of this run")
    assert ceiling(judged(messages)) is None  # never its own


def differing(slow: float, trusts: Any = None) -> CaseAssessment:
    other = bandwidth({300.0: slow}, "other", trusts)
    return judged(*bandwidth({256.0: 30e9}), *other)


def test_two_providers_that_differ_are_a_warning_that_names_both() -> None:
    found = differing(26.9e9)
    assert found.verdict is Verdict.WARN and found.id == "other:s0"
    (finding,) = found.findings
    assert next(one.verdict for one in found.axes if one.axis is Axis.SPEED) is Verdict.WARN


def test_two_providers_that_agree_or_whose_slower_one_was_disturbed_are_left_alone() -> None:
    assert differing(27.1e9).verdict is Verdict.OK
    disturbed = differing(20e9, b.trust(steal_ns=b.SECOND // 10))
    assert not any("two ceilings" in one.what for one in disturbed.findings)


def test_rates_of_one_check_may_differ() -> None:
    cases = bandwidth({256.0: 30e9, 300.0: 20e9})
    assert judged(*cases).findings == ()


def test_two_flop_rates_are_compared_by_core_and_precision() -> None:
    def flops(name: str, rate: float, precision: str = "double") -> CaseRun:
        metric = b.metric("rate", "rate", precision=precision, provides=Provides("flop", precision))
        record = b.record(b.Timed("rate", np.full((1, 20), 1_000_000), work=b.Work(flop=round(rate * 1e-3))), check=name)
        return b.case_run(record, of=b.check(name, [metric]))

    assert judged(flops("one", 45e9), flops("two", 30e9, "single")).findings == ()
    (finding,) = judged(flops("one", 45e9), flops("two", 30e9)).findings


def test_the_peak_of_an_unknown_core_is_measured_in_the_same_run() -> None:
    """Of the check that measures it, by its other cases in flop per cycle: 15 of one core x 3 GHz x 2 cores."""
    unknown = b.machine(b.node(flop_per_cycle_double=None, flop_per_cycle_single=None))
    of = b.check("flops", [b.metric("rate", "rate", provides=Provides("flop"))])

    def flops(name: str, rate: float, ranks: int) -> CaseRun:
        work = b.Work(flop=round(rate * 1e-3 / ranks))
        return b.case_run(
            b.record(b.Timed("rate", np.full((ranks, 20), 1_000_000), work=work), check="flops", case=name), of=of
        )

    one, all_ = assess(b.run(flops("one", 45e9, 1), flops("all", 72e9, 2)), unknown, ()).cases
    held = ceiling(all_)
    assert held == Ceiling("peak double", "measured", 90e9, "flops:one of this run, 15 flop/cycle x 3 GHz x 2 cores")
    assert all_.metrics[0].fraction == pytest.approx(0.8) and one.metrics[0].fraction == pytest.approx(1.25)


def test_a_curve_takes_the_best_of_each_size() -> None:
    points = [
        Offer("memory", "double", "a.b", "a:c", "toy", 1, rate, "working_set_bytes", size, False, False, None)
        for size, rate in ((1.0, 5.0), (1.0, 7.0), (4.0, 7.0))
    ]
    read = read_curve(points, 2.0)
    assert read is not None and read.rate == pytest.approx(7.0)
    assert read_curve(points, 0.5) is None and read_curve(points, 5.0) is None and read_curve([], 1.0) is None


def test_base_pages_and_huge_pages_are_not_two_ceilings_of_one_thing() -> None:
    base = Offer("memory", "double", "a.b", "a:c", "toy", 1, 12e9, "working_set_bytes", 1e9, True, False, None, pages="base")
    huge = replace(base, metric="d.e", case_id="d:f", rate=18e9, pages="huge")
    assert disagreements((base, huge)) == ()
    assert len(disagreements((base, replace(huge, pages="base")))) == 1
