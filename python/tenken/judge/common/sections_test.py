from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import builders as b
from tenken.base.words import digits, duration, percent, plural, si, size
from tenken.judge.common.quantities import launch_values
from tenken.judge.common.sections import case_sections, launch_sections, stated_path
from tenken.model.assessment import SectionSummary
from tenken.model.record import Record
from tenken.model.run import Measured, cores_by_host, measured_launches


def sections(record: Record) -> tuple[SectionSummary, ...]:
    return launch_sections(Measured(b.launch(1), record))


def test_per_repetition_the_slowest_rank_counts() -> None:
    ns = np.array([[10, 40, 10, 30], [20, 10, 20, 10]])
    only = sections(
        b.record(b.Timed("a", ns, work=b.Work(flop=300, bytes_read=100, bytes_written=50, messages=2), calls=3))
    )[0]
    assert (only.median_ns, only.mad_ns, only.jitter) == (25.0, 5.0, 0.2)
    assert only.loss == pytest.approx(110 / 100 - 1)
    assert [(one.rank, one.median_ns) for one in only.ranks] == [(0, 20.0), (1, 15.0)]
    assert only.imbalance == pytest.approx(20 / 17.5) and only.slowest_rank == 0
    assert (only.flop, only.bytes, only.messages, only.calls) == (600.0, 300.0, 4.0, 3)
    assert only.flop_rate == pytest.approx(600 / 25 * 1e9) and only.byte_rate == pytest.approx(300 / 25 * 1e9)
    assert only.intensity == pytest.approx(2.0)
    assert only.strip_ns == ((20.0, 40.0, 20.0, 30.0),)
    assert (only.launches, only.repetitions, only.once, only.share) == (1, 4, False, 1.0)


def test_quantiles_of_a_rank() -> None:
    only = sections(b.record(b.Timed("a", np.arange(11)[None, :] * 10)))[0]
    assert (only.ranks[0].low_ns, only.ranks[0].high_ns) == (10.0, 90.0)


def test_shares_are_of_the_leaf_sections_of_one_sort() -> None:
    found = sections(
        b.record(
            b.Timed("all", b.quiet(4e6, noise=0), leaf=False),
            b.Timed("all/a", b.quiet(1e6, noise=0)),
            b.Timed("all/b", b.quiet(3e6, noise=0)),
            b.Timed("setup", b.quiet(9e9, repetitions=1, noise=0), once=True),
        )
    )
    assert [(one.path, one.share, one.once) for one in found] == [
        ("all", 1.0, False), ("all/a", 0.25, False), ("all/b", 0.75, False), ("setup", 1.0, True),
    ]  # fmt: skip


def test_ranks_that_take_part_in_other_repetitions_or_none() -> None:
    record = b.record(b.Timed("a", np.array([[10, 20], [30, 40], [50, 60]])))
    first, second, _ = record.series
    mixed = replace(record, series=(replace(first, repetition=(-1, 0)), replace(second, repetition=(0, 1))))
    only = sections(mixed)[0]
    assert (only.repetitions, only.median_ns, only.once) == (2, 35.0, False)  # 0: max(20, 30), 1: 40
    assert [one.rank for one in only.ranks] == [0, 1] and only.imbalance_limit == float("inf")
    assert sections(
        replace(record, series=(replace(first, repetition=(-1,), calls=(1,), ns=(9,), work=first.work[:1]), second))
    )[0].ranks[0].rank == 1
    assert sections(replace(record, series=(replace(first, repetition=(), calls=(), ns=(), work=()),))) == ()


def test_times_of_zero_give_no_rate() -> None:
    only = sections(b.record(b.Timed("a", np.zeros((1, 4), dtype=int), work=b.Work(flop=1))))[0]
    assert (only.flop_rate, only.jitter, only.loss, only.share) == (None, 0.0, 0.0, 0.0)


def test_over_launches_the_median_is_taken() -> None:
    launches = tuple(
        sections(b.record(b.Timed("a", b.quiet(ns, 2, noise=0), work=b.Work(flop=100)), *extra, launch=n))
        for n, (ns, extra) in enumerate([(1e6, []), (3e6, []), (2e6, [b.fma(1e9, 2, "late")])], start=1)
    )
    first, late = case_sections(launches)
    assert (first.median_ns, first.launches, first.repetitions) == (2e6, 3, 120)
    assert [one.median_ns for one in first.ranks] == [2e6, 2e6] and len(first.strip_ns) == 3
    assert first.flop_rate == pytest.approx(200 / 2e6 * 1e9)
    assert (late.path, late.launches) == ("late", 1)


def test_a_repeated_section_is_stated_without_its_value() -> None:
    found = sections(b.record(b.fma(1e9, path="x/8", of="x", at=8), b.fma(1e9, path="y/8")))
    assert [stated_path(one) for one in found] == ["x", "y/8"]


def test_records_belong_to_launches_by_their_folder() -> None:
    records = [b.record(b.fma(1e9), launch=n) for n in (1, 2, 3)]
    of = b.case_run(records[0], records[2], launches=[b.launch(n) for n in (1, 2, 3)])
    assert [(one.launch.number, one.record.path[-26:-21]) for one in measured_launches(of)] == [
        (1, records[0].path[-26:-21]), (3, records[2].path[-26:-21])
    ]


def test_cores_are_counted_by_host() -> None:
    on = b.machine(b.node("n0", cores=4), b.node("n1", cores=2))
    assert cores_by_host(b.record(b.fma(1e9, 6), hosts=("n0", "n1")), on) == {"n0": 3, "n1": 2}
    assert cores_by_host(b.record(b.fma(1e9, 1), threads=3), on) == {"n0": 3}


@pytest.mark.parametrize(
    ("quantity", "unit", "expected"),
    [
        ("time", "ms", 2e-3),
        ("time_per_call", "us", 5e-4),
        ("flop_rate", "GFLOP/s", 1e9),
        ("byte_rate", "GB/s", 5e8),
        ("message_rate", "msg/s", 4e3),
    ],
)
def test_quantities_of_a_section(quantity: str, unit: str, expected: float) -> None:
    record = b.record(b.Timed("a", b.quiet(2e6, noise=0), work=b.Work(2_000_000, 600_000, 400_000, 8), calls=4))
    values = launch_values(b.metric("m", "a", quantity, unit), Measured(b.launch(1), record), sections(record))
    assert values == {None: pytest.approx(expected)}


def test_recorded_values_are_converted_and_may_be_repeated() -> None:
    record = b.record(
        b.fma(1e9), values={"lag": ("us", 3.0), "rate/8": ("MB/s", 2.0), "rate/x": ("MB/s", 9.0), "odd": ("foo", 1.0)}
    )
    measured = Measured(b.launch(1), record)
    assert launch_values(b.metric("m", None, "value:lag", "ms"), measured, ()) == {None: pytest.approx(3e-6)}
    assert launch_values(b.metric("m", None, "value:rate", "GB/s", by="sizes"), measured, ()) == {8: 2e6}
    assert launch_values(b.metric("m", None, "value:odd", "s"), measured, ()) == {}
    assert launch_values(b.metric("m", None, "value:lag", "B"), measured, ()) == {}


def test_numbers_in_sentences() -> None:
    assert (si(45.21e9, "FLOP/s"), si(999.0, "B/s"), si(1e3, "B/s")) == ("45.2 GFLOP/s", "999 B/s", "1 kB/s")
    assert (duration(1.5e9), duration(2e6), duration(1e3), duration(12.0)) == ("1.5 s", "2 ms", "1 us", "12 ns")
    assert (size(32 << 20), size(2048), size(5)) == ("32 MiB", "2 KiB", "5 B")
    assert (percent(0.1234), percent(2.5), digits(12345.6), digits(0.00123)) == ("12.3 %", "250 %", "12346", "0.00123")
    assert (plural(1, "launch"), plural(2, "launch"), plural(3, "core")) == ("1 launch", "2 launches", "3 cores")
