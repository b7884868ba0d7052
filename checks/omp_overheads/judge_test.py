"""A thread that is held up in one construct, a slow core, and launches in unlike modes, through `assess`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Table
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["omp_overheads"])
CONSTRUCTS = ("parallel", "for_loop", "barrier", "lock", "entry of barrier")


def record(slow: dict[tuple[int, str], float], threads: int = 4, modes: tuple[float, float] = (60, 62)) -> Record:
    """`slow`: (thread, construct or "all") -> microseconds more than the 0.5 of everybody."""
    rows = tuple(
        tuple(0.5 + 0.004 * thread + slow.get((thread, name), 0) + slow.get((thread, "all"), 0) for name in CONSTRUCTS)
        for thread in range(threads)
    )
    names = tuple(f"n0/0/{thread}/{thread + 8}" for thread in range(threads))
    table = Table("thread_times", "us", "lower", names, CONSTRUCTS, rows)
    values = {"core_round_trip_before": ("ns", modes[0]), "core_round_trip_after": ("ns", modes[1])}
    return replace(b.record(b.fma(40e9, path="barrier"), check="omp_overheads", values=values), tables=(table,))


def judged(*records: Record) -> CaseAssessment:
    of = b.check("omp_overheads", validity=())
    launched = [replace(one, path=one.path.replace("0001", f"{i:04d}")) for i, one in enumerate(records, 1)]
    return assess(b.run(b.case_run(*launched, of=of)), b.machine(b.node("n0")), (), judges=JUDGES).cases[0]


def test_equal_threads_are_ok() -> None:
    balance = b.axis(judged(record({}), record({})), Axis.BALANCE)
    assert (balance.verdict, balance.reason) == (Verdict.OK, "4 threads alike in 4 constructs and at the entry of barrier")


@pytest.mark.parametrize("threads", [2, 4])
def test_a_delay_of_two_microseconds_is_named_with_thread_processor_and_construct(threads: int) -> None:
    slow = record({(threads - 1, "barrier"): 2.0}, threads)
    (finding,) = judged(slow, slow, record({}, threads)).findings
    assert finding.what.startswith(f"thread {threads - 1} of rank 0 (processor {threads + 7} of n0) is delayed in barrier: 2")
    assert finding.where.cpu == threads + 7 and finding.section == "barrier"


@pytest.mark.parametrize(("more", "named"), [(2.0, True), (1.05, True), (0.95, False)])
def test_a_delay_at_the_entry_of_a_barrier_is_named(more: float, named: bool) -> None:
    """Lines of another socket cost less than a microsecond."""
    found = judged(record({(1, "entry of barrier"): more})).findings
    assert [one.section for one in found] == ["barrier"] * named
    assert all("thread 1 of rank 0 (processor 9 of n0) is delayed at the entry of barrier: " in one.what for one in found)


def test_an_entry_that_is_not_twice_as_long_is_not_named() -> None:
    slow = {(thread, "entry of barrier"): 9.5 for thread in range(4)}
    assert not judged(record(slow | {(2, "entry of barrier"): 19.4})).findings
    assert judged(record(slow | {(2, "entry of barrier"): 19.9})).findings


def test_records_without_the_entry_are_judged_as_before() -> None:
    bare = record({(1, "barrier"): 2.0})
    table = bare.tables[0]
    rows = tuple(row[:4] for row in table.values or ())
    (finding,) = judged(replace(bare, tables=(replace(table, columns=CONSTRUCTS[:4], values=rows),))).findings
    assert "is delayed in barrier" in finding.what


def test_another_load_on_the_launch_takes_nothing_off_the_medians() -> None:
    loud = replace(record({(3, "barrier"): 2.0}), rank=b.record(trusts=b.trust(run_queue_wait_ns=b.trust().wall_ns // 2)).rank)
    assert any("is delayed in barrier" in one.what for one in judged(loud).findings)


def test_one_launch_of_three_is_not_enough() -> None:
    held = record({(3, "barrier"): 2.0})
    assert not judged(held, record({}), record({})).findings


def test_a_core_that_is_slow_in_all_is_one_finding() -> None:
    (finding,) = judged(record({(2, "all"): 0.2})).findings
    assert "thread 2 of rank 0 (processor 10 of n0) is slow: the same work takes 40.5 %" in finding.what
    assert "in 4 of 4 constructs" in finding.what


def test_unlike_modes_are_said_and_not_judged() -> None:
    steadiness = b.axis(judged(record({}), record({}, modes=(61, 210))), Axis.STEADINESS)
    assert steadiness.verdict is Verdict.NOT_JUDGED and "60 to 210 ns apart" in steadiness.reason
    assert b.axis(judged(record({}), record({})), Axis.STEADINESS).verdict is not Verdict.NOT_JUDGED


def test_one_thread_and_bad_labels_are_not_judged() -> None:
    assert b.axis(judged(record({}, threads=1)), Axis.BALANCE).verdict is Verdict.NOT_JUDGED
    odd = record({(1, "barrier"): 2.0}, threads=2)
    odd = replace(odd, tables=(replace(odd.tables[0], rows=("x", "n0/a/b/c")),))
    assert b.axis(judged(odd), Axis.BALANCE).verdict is Verdict.NOT_JUDGED
