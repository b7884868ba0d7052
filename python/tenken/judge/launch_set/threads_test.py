"""Threads that ran against threads asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, strategies as some
import pytest

import builders as b
from tenken.judge.assess import assess
from tenken.judge.common import prepare
from tenken.judge.launch_set.providers import offers_of
from tenken.model.assessment import CaseAssessment
from tenken.model.check import Provides
from tenken.model.record import Record, Thread
from tenken.model.run import rank_with_fewest, threads_run
from tenken.model.verdict import Axis, Verdict

FLOPS = b.check(metrics=[b.metric("double", "double", provides=Provides("flop"))])


def running(record: Record, *ran: tuple[bool, ...]) -> Record:
    """`record` with, of each rank, the threads that ran."""
    ranks = tuple(
        replace(rank, threads=tuple(Thread(t, t if one else -1, t if one else -1) for t, one in enumerate(of_rank)))
        for rank, of_rank in zip(record.rank, ran, strict=True)
    )
    return replace(record, rank=ranks)


def judged(*records: Record) -> CaseAssessment:
    return assess(b.run(b.case_run(*records, of=FLOPS)), b.machine(), ()).cases[0]


def short(rate: float = 10e9, **more: Any) -> Record:
    return running(b.record(b.fma(rate), threads=2, **more), (True, False))


@pytest.mark.parametrize("rate", [10e9, 1e15])
def test_fewer_threads_are_an_error_and_neither_impossible_nor_a_rate(rate: float) -> None:
    found = judged(short(rate))
    assert found.verdict is Verdict.ERROR and found.reason.startswith("1 of 2 threads ran on rank 0 (n0): ")
    assert [one.what for one in found.findings] == [found.reason]
    assert all(axis.verdict is Verdict.NOT_JUDGED for axis in found.axes if axis.axis is not Axis.VALIDITY)
    assert all(one.flop_rate is None for one in found.sections) and all(one.value is None for one in found.metrics)


def test_a_proof_that_counted_on_the_missing_threads_calls_no_node_wrong() -> None:
    found = judged(short(validity=[b.proof(value=2.0)]))
    assert found.verdict is Verdict.ERROR and not any("wrong answer" in one.what for one in found.findings)


def test_one_launch_of_several_is_enough_and_is_named() -> None:
    whole = running(b.record(b.fma(10e9), threads=2), (True, True))
    found = judged(whole, short(launch=2))
    assert found.verdict is Verdict.ERROR and found.findings[0].where.launch == 2
    assert found.findings[0].evidence == "seen in 1 of 2 launches"
    assert judged(whole).verdict is not Verdict.ERROR


def test_a_system_that_does_not_tell_where_threads_run_is_not_accused() -> None:
    assert judged(running(b.record(b.fma(10e9), threads=2), (False, False))).verdict is not Verdict.ERROR


@given(some.lists(some.lists(some.booleans(), min_size=4, max_size=4), min_size=1, max_size=6))
def test_the_rank_with_the_fewest_threads_is_found(ran: list[list[bool]]) -> None:
    record = running(b.record(b.fma(10e9, ranks=len(ran)), threads=4), *map(tuple, ran))
    assert [threads_run(rank) for rank in record.rank] == [sum(one) or None for one in ran]
    known = [sum(one) for one in ran if any(one)]
    found = rank_with_fewest(record)
    if not known or min(known) == 4:
        assert found is None
    else:
        assert found is not None and found[1] == min(known) and threads_run(found[0]) == min(known)


def test_fewer_threads_offer_no_ceiling() -> None:
    whole = running(b.record(b.fma(10e9), threads=2), (True, True))
    for record, count in ((whole, 1), (short(), 0)):
        case = prepare("r", b.case_run(record, of=FLOPS), b.machine())
        assert len(offers_of([case], b.machine())) == count
