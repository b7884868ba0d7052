"""Wrong data and late calls with their place, labels of the cache, the spread of repetitions, through `assess`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Table, Validity
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["io_throughput"])
DROPPED, DIRECT, MEMORY, UNKNOWN = 1, 2, 5, 6
MS = 1e6


def record(
    writes: Sequence[float] = (500, 520, 510), reads: Sequence[float] = (400, 410, 405), state: int = DROPPED,
    late: Sequence[float] | None = None, wrong: Sequence[float] | None = None, close_ms: float = 0.1, layout: str = "file_a_rank",
) -> Record:
    """Two ranks; `late` and `wrong` are the numbers of rank 1, `close_ms` the time of its close."""
    parts = [b.Timed(name, np.concatenate([b.quiet(ns, repetitions=3), b.quiet(of_last, repetitions=3)]), kind="io")
             for name, ns, of_last in (("open", 0.1 * MS, 0.1 * MS), ("write", 50 * MS, 50 * MS), ("sync", 20 * MS, 20 * MS),
                                       ("close", 0.1 * MS, close_ms * MS), ("read", 90 * MS, 90 * MS))]
    rows = tuple(zip(writes, reads, strict=True))
    names = tuple(f"repetition {i}" for i in range(len(rows)))
    states = ("ext4, cache state of reads dropped",)
    tables = [Table("rates_with_open_and_close", "MB/s", "higher", names, ("write", "read"), rows),
              Table("cache_state", "%", "lower", states, ("in cache", "from a device"), ((0.0, 100.0),))]
    for name, numbers in (("late_calls", late), ("wrong_data", wrong)):
        if numbers is not None:
            columns = tuple(map(str, range(len(numbers))))
            tables.append(Table(name, "1", "lower", ("n0/1",), columns, (tuple(map(float, numbers)),)))
    proof = Validity("data", float(wrong[0]) if wrong else 0.0, 0.0, 0.0, "max", "words")
    made = b.record(*parts, check="io_throughput", validity=(proof,),
                    values={"cache_state": ("1", state), "read_over_direct": ("1", 0.9)})
    return replace(made, tables=tuple(tables), parameters={"layout": layout})


def judged(*records: Record) -> CaseAssessment:
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    run = b.run(b.case_run(*launched, of=b.check("io_throughput", validity=())))
    return assess(run, b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


def test_steady_repetitions_are_ok_and_the_state_of_the_cache_is_shown() -> None:
    case = judged(record(), record())
    assert case.verdict is Verdict.OK
    steady = b.axis(case, Axis.STEADINESS)
    assert steady.reason.startswith("repetitions of write differ by 3.92 % of their median")
    assert "ext4, cache state of reads dropped" in steady.reason


def test_a_spread_above_30_percent_is_no_figure_over_all_launches() -> None:
    steady = b.axis(judged(record(), record(reads=(250, 255, 260))), Axis.STEADINESS)
    assert steady.verdict is Verdict.NOT_JUDGED and steady.ground
    assert steady.reason.startswith("repetitions of read differ by 48.5 % of their median, and at most 30 %")
    one = b.axis(judged(record(writes=(500,), reads=(400,))), Axis.STEADINESS)
    assert one.verdict is Verdict.NOT_JUDGED and one.reason.startswith("fewer than two repetitions")


@pytest.mark.parametrize(("state", "words"), [
    (DROPPED, "reads are of state dropped; their slowest repetition is 0.9 times as fast as the fastest direct reads"),
    (MEMORY, "reads are of state memory: no rate of a disk"),
    (UNKNOWN, "reads are of state unknown: no rate of a disk"),
])
def test_only_reads_of_a_device_are_compared_with_direct_reads(state: int, words: str) -> None:
    speed = b.axis(judged(record(state=state)), Axis.SPEED)
    assert speed.verdict is Verdict.NOT_JUDGED and speed.reason.startswith(words)


@pytest.mark.parametrize(("kind", "layout", "words"), [
    (0, "file_a_rank", "file data.0, offset 4096: bytes that no rank wrote (2 wrong words of 8 bytes)"),
    (1, "file_a_rank", "offset 4096: nothing was read"),
    (2, "strided", "file data, offset 4096: stale: launch 77"),
    (3, "file_a_rank", "offset 4096: block of offset 512 of rank 3 at 4096"),
    (4, "file_a_rank", "offset 4096: the file has 100 bytes, expected 8192"),
])
def test_wrong_data_have_host_rank_file_and_offset(kind: int, layout: str, words: str) -> None:
    case = judged(record(wrong=(2, kind, 0, 4096, 77, 3, 512, 100, 8192), layout=layout))
    assert case.verdict is Verdict.INVALID
    (found,) = (one for one in case.findings if one.axis is Axis.VALIDITY)
    assert words in found.what and (found.where.host, found.where.rank) == ("n0", 1)


def late(share_of_writes: float, share_of_reads: float) -> tuple[float, ...]:
    writes, reads = 100 * share_of_writes, 100 * share_of_reads
    return writes + reads, writes, 100, 31, 4096, reads, 100, 55, 8192, 0


def test_late_calls_of_every_launch_are_named_with_file_and_offset() -> None:
    case = judged(record(late=late(0, 0.2)), record(late=late(0, 0.2)))
    (found,) = (one for one in case.findings if one.axis is Axis.STEADINESS)
    assert found.what == ("20 % of the read calls of rank 1 on n0 were late, expected at most 15 %; the longest took 55 ms, "
                          "file data.0, offset 8192")
    assert b.axis(case, Axis.STEADINESS).verdict is Verdict.WARN
    (write,) = (one for one in judged(record(late=late(0.2, 0))).findings if one.axis is Axis.STEADINESS)
    assert "write calls of rank 1" in write.what and "file data.1, offset 4096" in write.what


def test_few_late_calls_and_those_of_a_single_launch_are_no_finding() -> None:
    for records in ([record(late=late(0.1, 0.1))], [record(late=late(0.2, 0.2)), record()]):
        assert b.axis(judged(*records), Axis.STEADINESS).verdict is Verdict.OK


def test_time_that_lies_in_close_is_found() -> None:
    case = judged(record(close_ms=100))
    (found,) = (one for one in case.findings if one.axis is Axis.STEADINESS)
    assert found.what.startswith("58.8 % of the time to write file data.1 of rank 1 on n0 lies in close, expected at most 50 %")
    assert (found.where.rank, found.where.section) == (1, "close")
