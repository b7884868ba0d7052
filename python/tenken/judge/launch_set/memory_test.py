"""The memory ceiling: where it comes from, when it binds, and what is above it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import builders as b
from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment, Ceiling
from tenken.model.machine import Band, Machine, Offer
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict

MIB = 1 << 20
BYTES = b.check(metrics=[b.bytes_metric("operator", "operator")])
FAR = {"working_set_bytes": ("B", 256.0 * MIB)}
EARLIER = Offer(
    "memory", "double", "stream.triad", "stream:all", "toy", 4, 25e9, "working_set_bytes", 1e9, True, False, 3e9, "2026-10-01"
)
NO_SPEC = b.machine(b.node(memory_rate_spec=None))


def moving(path: str, rate: float, ranks: int = 1, flop: float = 0.0, **more: Any) -> b.Timed:
    """A section of 1 ms that moves `rate` bytes/s and does `flop` per repetition, all ranks together."""
    work = b.Work(bytes_read=round(rate * 1e-3 / ranks), flop=round(flop / ranks))
    return b.Timed(path, np.full((ranks, 20), 1_000_000), work=work, **more)


def stream(rates: dict[int, float], **more: Any) -> CaseRun:
    """A thread sweep of one rank: bytes/s by team."""
    sections = [moving(f"triad/{team}", rate, of="triad", at=team) for team, rate in rates.items()]
    record = b.record(*sections, check="stream", threads=max(rates), **{"values": FAR, **more})
    return b.case_run(record, of=b.check("stream", [b.bytes_metric(by="teams", provides=b.MEMORY)]))


def user(rate: float = 10e9, ranks: int = 1, values: Any = FAR, **more: Any) -> CaseRun:
    return b.case_run(b.record(moving("operator", rate, ranks), values=values, **more), of=BYTES)


def judge(*cases: CaseRun, on: Machine | None = None, known: tuple[Offer, ...] = ()) -> tuple[CaseAssessment, ...]:
    return assess(b.run(*cases), on or b.machine(), (), known).cases


def ceiling(of: CaseAssessment) -> Ceiling | None:
    return of.metrics[0].ceiling


def speed(of: CaseAssessment) -> str:
    return next(axis.reason for axis in of.axes if axis.axis is Axis.SPEED)


@pytest.mark.parametrize(
    ("ranks", "expected", "team"),
    [(1, 12e9, "1 core"), (2, 20e9, "2 cores"), (3, 30e9, "4 cores"), (4, 30e9, "4 cores")],
)
def test_the_rate_of_the_smallest_team_that_is_large_enough(ranks: int, expected: float, team: str) -> None:
    found = judge(stream({1: 12e9, 2: 20e9, 4: 30e9}), user(10e9, ranks))[1]
    assert ceiling(found) == Ceiling(
        "memory", "measured", expected, f"stream.triad of this run on {team}, {expected / 1e9:.0f} GB/s x 1 node"
    )


def test_the_largest_team_where_none_is_large_enough() -> None:
    held = ceiling(judge(stream({1: 12e9, 2: 20e9}), user(10e9, 4))[1])
    assert held is not None and held.value == 20e9


def test_the_best_metric_and_launch_of_a_team_counts() -> None:
    check = b.check("stream", [b.bytes_metric(name, name, provides=b.MEMORY) for name in ("copy", "triad")])
    records = [
        b.record(moving("copy", copy), moving("triad", triad), check="stream", launch=n, values=FAR)
        for n, (copy, triad) in enumerate([(10e9, 12e9), (11e9, 9e9)], start=1)
    ]
    held = ceiling(judge(b.case_run(*records, of=check), user())[1])
    assert held is not None and held.value == 12e9 and held.formula.startswith("stream.triad of this run on 1 core")


def test_a_sweep_over_anything_but_teams_uses_all_threads() -> None:
    record = b.record(moving("triad/8", 12e9, of="triad", at=8), check="stream", threads=2, values=FAR)
    swept = b.case_run(record, of=b.check("stream", [b.bytes_metric(by="pages", provides=b.MEMORY)]))
    held = ceiling(judge(swept, user())[1])
    assert held is not None and held.formula.startswith("stream.triad of this run on 2 cores")


def test_several_nodes_have_several_times_the_rate() -> None:
    two = b.machine(b.node("n0"), b.node("n1"))
    held = ceiling(judge(stream({2: 20e9}), user(10e9, 4, hosts=("n0", "n1")), on=two)[1])
    assert held is not None and held.value == 40e9 and held.formula.endswith("20 GB/s x 2 nodes")
    per_node = b.record(moving("triad", 36e9, 2), check="stream", hosts=("n0", "n1"), values=FAR)
    spread = b.case_run(per_node, of=b.check("stream", [b.bytes_metric(provides=b.MEMORY)]))
    held = ceiling(judge(spread, user(10e9, 1), on=two)[1])
    assert held is not None and held.value == 18e9


@pytest.mark.parametrize(
    "more", [{"validity": [b.proof(value=9)]}, {"fault": "delay"}, {"values": {"working_set_bytes": ("MiB", 3.0)}}]
)
def test_a_wrong_faulty_or_cached_stream_is_no_ceiling(more: dict[str, Any]) -> None:
    held = ceiling(judge(stream({1: 12e9}, **more), user())[1])
    assert held is not None and held.kind == "spec"


def test_without_stream_an_earlier_ceiling_then_the_specification_then_none() -> None:
    assert ceiling(judge(user(), known=(EARLIER,))[0]) == Ceiling(
        "memory", "measured", 25e9, "stream.triad of 2026-10-01 on 4 cores, 25 GB/s x 1 node", "2026-10-01"
    )
    now = ceiling(judge(stream({1: 12e9}), user(), known=(EARLIER,))[1])
    assert now is not None and now.value == 12e9
    slowed = stream({1: 12e9}, trusts=b.trust(steal_ns=b.SECOND // 10))
    loaded = ceiling(judge(slowed, user(), known=(replace(EARLIER, cores=1),))[1])
    assert loaded is not None and loaded.value == 25e9
    other = (replace(EARLIER, what="network"), replace(EARLIER, node_class="other"), replace(EARLIER, uncached=False))
    assert ceiling(judge(user(), known=other)[0]) == Ceiling(
        "memory", "spec", 40e9, "specification, 40 GB/s x 1 node"
    )
    found = judge(user(), on=NO_SPEC)[0]
    assert ceiling(found) is None
    assert speed(found) == (
        "no check in this run or an earlier one measured the rate of memory, and "
        "no specification of the memory rate in the machine file"
    )
    assert found.verdict is Verdict.OK and found.metrics[0].value == pytest.approx(10.0)


def test_stream_is_held_against_its_specification_only() -> None:
    found = judge(stream({1: 12e9, 4: 30e9}))[0]
    assert [metric.fraction for metric in found.metrics] == [pytest.approx(0.3), pytest.approx(0.75)]
    bare = judge(stream({4: 30e9}), on=NO_SPEC, known=(EARLIER,))[0]
    assert ceiling(bare) is None and speed(bare) == "no specification of the memory rate in the machine file"


def test_another_check_that_moves_bytes_is_no_ceiling() -> None:
    fast = b.case_run(
        b.record(moving("operator", 99e9), check="lqcd"), of=b.check("lqcd", [b.bytes_metric("operator", "operator")])
    )
    held = ceiling(judge(fast, user())[1])
    assert held is not None and held.kind == "spec"


def test_what_fits_in_cache_is_not_bound_by_memory() -> None:
    just_inside = {"working_set_bytes": ("B", 32.0 * MIB - 1)}
    found = judge(user(900e9, values=just_inside))[0]
    assert ceiling(found) is None and found.sections[0].ceilings == () and found.verdict is Verdict.OK
    assert speed(found) == "fits in cache (working set 32 MiB, last-level cache 32 MiB): memory does not bind"
    assert ceiling(judge(user(values={"working_set_bytes": ("B", 32.0 * MIB)}))[0]) is not None


@pytest.mark.parametrize(
    ("rate", "values", "verdict"),
    [
        (41.9e9, FAR, Verdict.OK),  # 104.75 % of 40 GB/s
        (42.0e9, FAR, Verdict.OK),  # exactly 105 %
        (42.1e9, FAR, Verdict.WARN),
        (42.1e9, {"bytes": ("B", 1.0), **FAR}, Verdict.WARN),
        (42.1e9, {"working_set_bytes": ("MiB", 64.0)}, Verdict.WARN),  # exactly twice the cache
        (42.1e9, {"working_set_bytes": ("MiB", 63.9)}, Verdict.OK),  # the cache may still help
        (42.1e9, {}, Verdict.OK),  # nobody says how much it touches
    ],
)
def test_above_the_memory_rate_the_bytes_or_the_ceiling_are_wrong(rate: float, values: Any, verdict: Verdict) -> None:
    found = judge(user(rate, values=values))[0]
    assert found.verdict is verdict
    if verdict is Verdict.WARN:
        assert "its byte count or the ceiling is wrong" in found.reason and found.findings[0].expected == 40e9


def test_the_smaller_roof_at_its_intensity_binds() -> None:
    # One core: 48 GFLOP/s and 40 GB/s meet at 1.2 flop per byte.
    check = b.check(metrics=[b.bytes_metric("low", "low"), b.metric("high", "high")])
    record = b.record(moving("low", 20e9, flop=1.1 * 20e6), moving("high", 20e9, flop=1.3 * 20e6), values=FAR)
    low, high = judge(b.case_run(record, of=check))[0].sections
    assert [(one.ceiling.name, one.binding) for one in low.ceilings] == [("peak double", False), ("memory", True)]
    assert [(one.ceiling.name, one.binding) for one in high.ceilings] == [("peak double", True), ("memory", False)]
    assert low.intensity == pytest.approx(1.1) and low.ceilings[1].fraction == pytest.approx(0.5)


def test_communication_is_not_held_against_memory() -> None:
    found = judge(b.case_run(b.record(moving("halo", 90e9, kind="comm"), values=FAR), of=b.check()))[0]
    assert found.sections[0].ceilings == () and found.sections[0].byte_rate == pytest.approx(90e9)


BUSY = b.machine(b.node(memory_rate_spec=None, exclusive=False, virtual="kvm"))
STOLEN = b.trust(wall_ns=20_000_000, steal_ns=4_000_000)  # of 20 repetitions: at most a fifth of each


@pytest.mark.parametrize(("rate", "verdict"), [(20.5e9, Verdict.NOT_JUDGED), (24e9, Verdict.NOT_JUDGED), (45e9, Verdict.WARN)])
def test_a_ceiling_that_was_disturbed_widens_to_the_fast_side(rate: float, verdict: Verdict) -> None:
    """Measured at 20 GB/s while a fifth was stolen: undisturbed it may have been a quarter more."""
    found = judge(stream({1: 20e9}, trusts=STOLEN), user(rate), on=BUSY)[1]
    bound = ceiling(found)
    assert bound is not None and bound.value == pytest.approx(20e9) and bound.at_best is not None
    assert 1.2 < bound.most / bound.value < 1.7
    assert next(one.verdict for one in found.axes if one.axis is Axis.SPEED) is verdict
    quiet = judge(stream({1: 20e9}), user(24e9), on=BUSY)[1]
    assert next(one.verdict for one in quiet.axes if one.axis is Axis.SPEED) is Verdict.WARN


def test_figures_that_met_load_are_marked() -> None:
    disturbed, quiet = judge(stream({1: 20e9}, trusts=STOLEN), user(), on=BUSY)
    assert disturbed.metrics[0].disturbed and not quiet.metrics[0].disturbed


def on_pages(of: CaseRun, kind: str) -> CaseRun:
    records = tuple(replace(one, parameters={**one.parameters, "page_size": kind}) for one in of.records)
    return replace(of, records=records)


@pytest.mark.parametrize(("measured", "used"), [("base", "huge"), ("huge", "base")])
def test_memory_of_other_pages_is_no_ceiling(measured: str, used: str) -> None:
    found = judge(on_pages(stream({1: 12e9}), measured), on_pages(user(17e9), used), on=NO_SPEC)[1]
    assert ceiling(found) is None and found.metrics[0].fraction is None
    assert f"the rate of memory was not measured on {used} pages, which this case uses" in speed(found)


@pytest.mark.parametrize("pages", ["base", "huge"])
def test_memory_of_equal_pages_is_the_ceiling_among_faster_ones(pages: str) -> None:
    rates = {"base": 12e9, "huge": 18e9}
    sweeps = [on_pages(stream({1: rate}, case=kind), kind) for kind, rate in rates.items()]
    held = ceiling(judge(*sweeps, on_pages(user(), pages), on=NO_SPEC)[2])
    assert held is not None and held.value == rates[pages]


def test_a_case_that_leaves_its_pages_to_the_system_is_held_against_the_best_of_either() -> None:
    sweeps = [on_pages(stream({1: rate}, case=kind), kind) for kind, rate in (("base", 12e9), ("huge", 18e9))]
    for case in (user(), on_pages(user(), "any")):
        held = ceiling(judge(*sweeps, case, on=NO_SPEC)[2])
        assert held is not None and held.value == 18e9


def granted(share: float) -> dict[str, tuple[str, float]]:
    return {**FAR, "array_bytes": ("B", 400.0 * MIB), "huge_bytes": ("B", share * 400 * MIB)}


@pytest.mark.parametrize(("share", "expected"), [(1.0, 18e9), (0.9, 18e9), (0.89, 18e9), (0.5, 18e9), (0.1, 12e9), (0.0, 12e9)])
def test_the_pages_that_a_program_was_given_count_and_not_those_that_it_asked_for(share: float, expected: float) -> None:
    """A mixture is compared with the best of either."""
    sweeps = [on_pages(stream({1: rate}, case=kind), kind) for kind, rate in (("base", 12e9), ("huge", 18e9))]
    for asked in ("huge", "any"):
        bound = ceiling(judge(*sweeps, on_pages(user(values=granted(share)), asked), on=NO_SPEC)[2])
        assert bound is not None and bound.value == expected


@pytest.mark.parametrize(("asked", "share", "percent"), [("huge", 0.2, "20 %"), ("huge", 0.95, None), ("base", 0.0, None)])
def test_a_note_names_the_case_whose_huge_pages_were_refused(asked: str, share: float, percent: str | None) -> None:
    notes = assess(b.run(on_pages(stream({1: 12e9}, values=granted(share)), asked)), NO_SPEC, ()).notes
    assert [f"asked for huge pages; {percent} of its memory is on huge pages" in note for note in notes] == [True] * bool(percent)


def test_the_curve_of_a_cache_is_read_on_equal_pages() -> None:
    inside = {"working_set_bytes": ("B", 8.0 * MIB)}
    sweeps = [on_pages(stream({1: rate}, case=kind, values=inside), kind) for kind, rate in (("base", 50e9), ("huge", 70e9))]
    held = ceiling(judge(*sweeps, on_pages(user(values=inside), "base"), on=NO_SPEC)[2])
    assert held is not None and held.value == 50e9 and held.name.startswith("cache")
    assert ceiling(judge(sweeps[1], on_pages(user(values=inside), "base"), on=NO_SPEC)[1]) is None


def test_an_earlier_rate_of_the_pages_used_stands_in_for_those_not_measured_here() -> None:
    earlier = replace(EARLIER, cores=1, pages="huge")
    found = judge(on_pages(stream({1: 12e9}), "base"), on_pages(user(), "huge"), on=NO_SPEC, known=(earlier,))[1]
    held = ceiling(found)
    assert held is not None and held.value == 25e9 and held.date == "2026-10-01"


OF_CORES = (Band("*", "stream.triad", 0.2, None, "cores", "a fifth of the memory rate of these cores"),)
KNOWN = b.machine(b.node(memory_rate_spec=None, memory_rate_a_core=5e9, memory_rate_source="Toy, 20 GB/s over 4 cores"))


def against_cores(rates: dict[int, float], on: Machine = KNOWN, **more: Any) -> CaseAssessment:
    return assess(b.run(stream(rates, **more)), on, OF_CORES, ()).cases[0]


@pytest.mark.parametrize(("best", "verdict"), [(4.1e9, Verdict.OK), (3.9e9, Verdict.WARN)])
def test_a_rate_of_memory_below_a_fifth_of_what_its_cores_have_is_a_warning(best: float, verdict: Verdict) -> None:
    """Four cores of 5 GB/s each: 4 GB/s. The best team counts."""
    case = against_cores({1: 2e9, 4: best})
    assert next(axis.verdict for axis in case.axes if axis.axis is Axis.SPEED) is verdict
    assert speed(case).startswith(f"4 threads reach {best / 1e9:.1f} GB/s; expected at least 4 GB/s")
    assert case.compared and case.micro_benchmark
    if verdict is Verdict.WARN:
        assert case.findings[0].what.endswith(
            "(a fifth of the memory rate of these cores, 20 GB/s (Toy, 20 GB/s over 4 cores))")


def test_no_limit_of_memory_for_data_in_a_cache_or_an_unknown_core() -> None:
    in_cache = against_cores({4: 1e9}, values={"working_set_bytes": ("B", 1.0 * MIB)})
    unknown = against_cores({4: 1e9}, NO_SPEC)
    for case in (in_cache, unknown):
        assert next(axis.verdict for axis in case.axes if axis.axis is Axis.SPEED) is Verdict.NOT_JUDGED
        assert not case.micro_benchmark and case.metrics[0].band is None
