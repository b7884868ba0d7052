"""Ceilings of cases on several nodes and of several launches, and what a section is bound by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import assessments
import builders as b
from tenken.judge.common import prepare
from tenken.judge.launch_set.ceilings import Roofs, roofs, roofs_at, section_ceilings
from tenken.judge.launch_set.speed import section_precisions
from tenken.model.assessment import Ceiling, SectionSummary
from tenken.model.check import Check, Provides
from tenken.model.machine import Machine, Offer
from tenken.model.record import Record

TWO = b.machine(b.node("n0"), b.node("n1", cores=2))
FLOPS = b.check(metrics=[b.metric("double", "double")])
PEAK, MEMORY = Ceiling("peak double", "measured", 100e9, "f"), Ceiling("memory", "measured", 20e9, "m")


def roof_of(*records: Record, on: Machine = TWO, of: Check = FLOPS, offers: tuple[Offer, ...] = ()) -> Roofs:
    return roofs(prepare("r", b.case_run(*records, of=of), on), offers, on)


def clocks(*ghz: float, vectors: tuple[float, ...] = ()) -> Any:
    return b.trust(frequency_hz=tuple(1e9 * one for one in ghz), vector_frequency_hz=tuple(1e9 * one for one in vectors))


def test_the_peak_is_the_sum_over_hosts_each_at_its_own_clock() -> None:
    found = roof_of(b.record(b.fma(1e9, 4), hosts=("n0", "n1"), trusts={rank: clocks(2.0 + rank % 2) for rank in range(4)}))
    peak = found.peak["double"]
    assert peak is not None and peak.value == 16 * 2 * 2e9 + 16 * 2 * 3e9 and peak.formula == "16 flop/cycle x 2.5 GHz x 4 cores"
    single = found.peak["single"]
    assert single is not None and single.value == 2 * peak.value and single.name == "peak single"
    assert found.impossible == {"double": peak.value, "single": single.value} and found.no_peak == ""


def test_no_more_cores_than_a_node_has() -> None:
    found = roof_of(b.record(b.fma(1e9, 8), hosts=("n0", "n1"), trusts=clocks(2.0)))
    assert found.peak["double"] is not None and found.peak["double"].value == 16 * 2e9 * (4 + 2)


def test_unlike_nodes_are_told_with_their_mean_flop_a_cycle() -> None:
    on = b.machine(b.node("n0"), b.node("n1", flop_per_cycle_double=32.0, most_per_cycle_double=48.0))
    found = roof_of(b.record(b.fma(1e9, 2), hosts=("n0", "n1"), trusts=clocks(2.0)), on=on)
    peak = found.peak["double"]
    assert peak is not None and peak.value == 96e9 and peak.formula == "24 flop/cycle x 2 GHz x 2 cores"
    assert found.impossible["double"] == (16 + 48) * 2e9


def test_impossible_is_beyond_the_highest_clock_of_either_kind() -> None:
    found = roof_of(b.record(b.fma(1e9), trusts=clocks(2.0, 3.0, 2.5, vectors=(2.0, 2.25, 2.2))))
    peak = found.peak["double"]
    assert peak is not None and peak.value == 16 * 2.2e9 and peak.formula == "16 flop/cycle x 2.2 GHz (under vectors) x 1 core"
    assert found.impossible["double"] == 16 * 3e9


def test_vectors_are_named_where_all_ranks_were_sampled_under_them() -> None:
    trusts = {0: clocks(3.0, vectors=(2.0,)), 1: clocks(3.0)}
    peak = roof_of(b.record(b.fma(1e9, 2), trusts=trusts)).peak["double"]
    assert peak is not None and "vectors" not in peak.formula and peak.value == 16 * 2 * 2.5e9


def test_over_launches_the_middle_peak_and_the_formula_nearest_to_it() -> None:
    found = roof_of(*(b.record(b.fma(1e9), launch=n, trusts=clocks(ghz, 3.5)) for n, ghz in enumerate((1.0, 2.5, 3.0, 2.9), 1)))
    peak = found.peak["double"]
    assert peak is not None and peak.value == pytest.approx(16 * (3.2e9 + 3.0e9) / 2)
    assert peak.formula.startswith("16 flop/cycle x 3")
    assert found.impossible["double"] == 16 * 3.5e9


def test_one_launch_without_a_clock_leaves_no_peak() -> None:
    found = roof_of(b.record(b.fma(1e9)), b.record(b.fma(1e9), launch=2, trusts=clocks()))
    assert found.peak == {"double": None, "single": None} and found.impossible == {}
    assert found.no_peak == "the frequency of n0 was not measured"


def memory(rate: float, cores: int, **changes: Any) -> Offer:
    base = Offer("memory", "double", "stream.triad", "stream:a", "toy", cores, rate, "working_set_bytes", 1e9, True, False, 3e9)
    return replace(base, **changes)


def flop(rate: float, **changes: Any) -> Offer:
    return replace(Offer("flop", "double", "fma.double", "fma:a", "toy", 1, rate, None, None, False, False, 3e9), **changes)


FAR = {"working_set_bytes": ("GB", 1.0)}


def test_memory_of_several_nodes_is_that_of_one_times_their_number() -> None:
    record = b.record(b.fma(1e9, 4), hosts=("n0", "n1"), values=FAR)
    held = roof_of(record, offers=(memory(12e9, 2, at_best=13e9), memory(30e9, 4))).memory
    assert held == Ceiling("memory", "measured", 24e9, "stream.triad of this run on 2 cores, 12 GB/s x 2 nodes", None, 26e9)
    dated = roof_of(record, offers=(memory(12e9, 1, date="2026-10-01"),)).memory
    assert dated == Ceiling("memory", "measured", 24e9, "stream.triad of 2026-10-01 on 1 core, 12 GB/s x 2 nodes", "2026-10-01")
    spec = roof_of(record, offers=(memory(12e9, 2, uncached=False),)).memory
    assert spec == Ceiling("memory", "spec", 80e9, "specification, 40 GB/s x 2 nodes")
    other = roof_of(record, offers=(memory(12e9, 2, node_class="other"),)).memory
    assert other is not None and other.kind == "spec"


def test_a_specification_counts_where_all_nodes_have_one() -> None:
    on = b.machine(b.node("n0"), b.node("n1", memory_rate_spec=None))
    record = b.record(b.fma(1e9, 2), hosts=("n0", "n1"), values=FAR)
    found = roof_of(record, on=on)
    assert found.memory is None and found.no_memory == (
        "no check in this run or an earlier one measured the rate of memory, and no specification of the memory rate in "
        "the machine file"
    )
    own = b.check(metrics=[b.bytes_metric(provides=b.MEMORY)])
    assert roof_of(record, on=on, of=own).no_memory == "no specification of the memory rate in the machine file"
    assert roof_of(record, on=on, of=own, offers=(memory(12e9, 1),)).memory is None, "no check is its own ceiling"


def test_a_working_set_is_held_against_the_caches_of_all_nodes() -> None:
    def found(mib: float | None) -> tuple[bool, bool]:
        values = {} if mib is None else {"working_set_bytes": ("MiB", mib)}
        roof = roof_of(b.record(b.fma(1e9, 2), hosts=("n0", "n1"), values=values))
        return roof.fits_cache, roof.uncached

    assert [found(mib) for mib in (63.9, 64.0, 127.9, 128.0)] == [(True, False), (False, False), (False, False), (False, True)]
    assert found(None) == (False, False)


def test_what_fits_into_the_cache_is_told_with_both_sizes() -> None:
    found = roof_of(b.record(b.fma(1e9, 2), hosts=("n0", "n1"), values={"working_set_bytes": ("MiB", 48.0)}))
    assert found.no_memory == "fits in cache (working set 48 MiB, last-level cache 64 MiB): memory does not bind"
    assert found.memory is None


def test_the_rate_of_a_cache_is_read_at_the_size_on_one_node() -> None:
    record = b.record(b.fma(1e9, 4), hosts=("n0", "n1"), values={"working_set_bytes": ("MiB", 16.0)})
    mib = float(1 << 20)
    curve = [memory(rate, 2, size=size * mib, uncached=False, at_best=most) for size, rate,
        most in ((4.0, 90e9, 99e9), (8.0, 60e9, None))]
    found = roof_of(record, offers=(*curve, memory(500e9, 4, size=8.0 * mib, uncached=False))).memory
    assert found == Ceiling("cache", "measured", 120e9, "stream.triad of this run at 8 MiB on 2 cores, 60 GB/s x 2 nodes")
    six = replace(record, values=tuple(replace(one, value=8.0) for one in record.values))
    held = roof_of(six, offers=tuple(curve)).memory
    assert held is not None and held.value == 180e9 and held.at_best == 198e9


UNKNOWN = b.machine(b.node("n0", flop_per_cycle_double=None, flop_per_cycle_single=None))


def test_an_unknown_peak_is_the_best_rate_of_a_core() -> None:
    record = b.record(b.fma(1e9, 3))
    found = roof_of(record, on=UNKNOWN,
        offers=(flop(40e9), flop(45e9, at_best=50e9, date="2026-10-01"), flop(90e9, precision="single")))
    assert found.peak["double"] == Ceiling("peak double", "measured", 135e9,
        "best fma of 2026-10-01, 45 GFLOP/s a core x 3 cores", "2026-10-01", 150e9)
    assert found.peak["single"] is not None and found.peak["single"].value == 270e9 and found.peak["single"].at_best is None
    assert found.no_peak == "machines/cores.toml has no flop per cycle for 'Toy CPU': add the core there, with its source"
    assert found.impossible == {} and roof_of(record, on=UNKNOWN).peak == {"double": None, "single": None}


def test_of_the_check_that_measures_it_other_cases_tell_the_peak_at_its_own_clock() -> None:
    of = b.check(metrics=[b.metric("double", "double", provides=Provides("flop"))])
    record = b.record(b.fma(1e9, 2), trusts=clocks(2.0))
    offers = (flop(45e9, at_best=60e9), flop(40e9, hz=2e9, case_id="fma:b"), flop(99e9, hz=None), flop(990e9, case_id="demo:a"))
    found = roof_of(record, on=UNKNOWN, of=of, offers=offers).peak["double"]
    assert found == Ceiling("peak double", "measured", 80e9, "fma:b of this run, 20 flop/cycle x 2 GHz x 2 cores")
    less = roof_of(record, on=UNKNOWN, of=of, offers=offers[:1]).peak["double"]
    assert less is not None and (less.value, less.at_best) == (60e9, 80e9)
    assert roof_of(record, on=UNKNOWN, of=of, offers=offers[2:]).peak["double"] is None
    assert roof_of(replace(record, rank=tuple(replace(one, trust=clocks()) for one in record.rank)), on=UNKNOWN, of=of,
        offers=offers).peak["double"] is None


@pytest.mark.parametrize(("shared_ns", "most"), [(b.SECOND, 48e9), (b.SECOND - 1, None), (None, None)])
def test_the_clock_beside_another_thread_all_the_time_bounds_the_peak(shared_ns: int | None, most: float | None) -> None:
    """The chain under vectors was slowed in every sample: the clock lies between it and the plain clock."""
    trust = replace(clocks(3.0, 3.0, vectors=(2.0, 2.0)), shared_ns=shared_ns)
    roof = roof_of(b.record(b.fma(1e9), trusts=trust))
    peak = roof.peak["double"]
    assert peak is not None and (peak.value, peak.at_best) == (32e9, most)
    half = roofs_at(roof, "teams", 1, 2).peak["double"]
    assert half is not None and (half.value, half.at_best) == (16e9, most and most / 2)


def test_of_teams_the_peak_is_a_part_and_nothing_else() -> None:
    roof = roof_of(b.record(b.fma(1e9), trusts=clocks(3.0)))
    part = roofs_at(roof, "teams", 3, 4)
    assert part.peak["double"] == Ceiling("peak double", "measured", 36e9, "16 flop/cycle x 3 GHz x 1 core, 3 of 4 threads")
    assert part.impossible == {"double": 36e9, "single": 72e9} and (part.memory, part.elsewhere) == (roof.memory, roof.elsewhere)
    assert roofs_at(roof, "teams", 4, 4).peak == roof.peak
    assert roofs_at(roof, "sizes", 3, 4) is roof is roofs_at(roof, "teams", None, 4) and roofs_at(roof, None, 3, 4) is roof
    bare = replace(roof, peak={"double": None})
    assert roofs_at(bare, "teams", 1, 4).peak == {"double": None}


def section(**changes: Any) -> SectionSummary:
    base = replace(assessments.section("a", 1e6), flop=50e6, bytes=20e6, flop_rate=50e9, byte_rate=20e9)
    return replace(base, **changes)


ROOFS = Roofs({"double": PEAK, "single": None}, "", {}, MEMORY, "", False, False, {})


def bound(of: SectionSummary, roof: Roofs = ROOFS, by_peak: bool = False,
    precision: str = "double") -> list[tuple[str, float, bool]]:
    return [(one.ceiling.name, one.fraction, one.binding) for one in section_ceilings(of, roof, precision, by_peak)]


def test_the_smallest_roof_binds() -> None:
    assert bound(section()) == [("peak double", 0.5, False), ("memory", 1.0, True)]
    assert bound(section(bytes=5e6, byte_rate=5e9)) == [("peak double", 0.5, True), ("memory", 0.25, False)]
    assert bound(section(kind="comm")) == bound(section(leaf=False)) == []
    assert bound(section(), precision="single") == [("memory", 1.0, True)]
    assert bound(section(flop_rate=None)) == [("memory", 1.0, True)]


def test_without_a_memory_rate_the_peak_binds_what_cannot_be_bound_by_it() -> None:
    blind = replace(ROOFS, memory=None)
    assert bound(section(), blind) == [("peak double", 0.5, False)]
    for roof, of, by_peak in ((blind, section(byte_rate=None), False), (replace(blind, fits_cache=True), section(), False),
        (blind, section(), True)):
        assert bound(of, roof, by_peak) == [("peak double", 0.5, True)]
    assert bound(section(byte_rate=None)) == [("peak double", 0.5, True)]


def test_the_precision_is_said_by_the_record_then_by_the_nearest_metric() -> None:
    rates = [b.metric(name, path, precision=precision) for name, path, precision in (
        ("a", "cg", "single"), ("b", "cg/dot", "double"), ("c", "cg/dot", "single"), ("d", "cg/dot", "double"))]  # fmt: skip
    check = b.check(metrics=[*rates, b.metric("t", "cg/axpy", "time", "ms", precision="double")])

    def of(path: str, **changes: Any) -> tuple[str, ...]:
        return section_precisions(section(path=path, **changes), check)

    assert of("cg/dot") == ("double", "single") and of("cg/axpy") == of("cg/axpy/part") == of("cg") == ("single",)
    assert of("other") == ("double", "single") == of("cgx/dot") and of("cg/dot", precisions=("single",)) == ("single",)
    assert of("cg/dot/8", at=8) == ("double", "single")


def test_how_far_the_clock_of_the_peak_moved_over_ranks_and_launches() -> None:
    first, second = 5 * (1.9, 2.0, 2.1, 2.2, 2.3), 20 * (2.0,)
    found = roof_of(*(b.record(b.fma(1e9), trusts=clocks(*one), launch=i) for i, one in enumerate((first, second), 1)))
    assert found.moved == (1.0, 2.1 / 2.0)  # quartiles 2.0 and 2.1 of 45 samples whose median is 2.0
    assert roof_of(b.record(b.fma(1e9), trusts=clocks(*first, vectors=second))).moved == (1.0, 1.0)
    assert roof_of(b.record(b.fma(1e9), trusts=clocks(*first[:19]))).moved == (1.0, 1.0)  # too few tell
    assert roof_of(b.record(b.fma(1e9), trusts=b.trust(frequency_hz=()))).moved == (1.0, 1.0)
