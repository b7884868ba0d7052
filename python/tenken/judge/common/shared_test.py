"""Cores that another hardware thread works on: by what they add a cycle, against what they do alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import pytest

from tenken.judge.common.confirm import disturbance, disturbed_launches
from tenken.judge.common.confirm import launches_on
from tenken.judge.common.trust import readings, trusted
from tenken.model.limits import SHARED
from tenken.model.machine import Machine
from tenken.model.record import Trust
from tenken.model.run import CaseRun

ALONE = b.machine(b.node(additions_per_cycle=4.0))


def run(*samples: float, ranks: int = 1, cpus: tuple[tuple[int, ...], ...] = ((0,), (1,)), **more: Any) -> CaseRun:
    record = b.record(b.fma(1e9, ranks=ranks), hosts=("n0",) * ranks, trusts={
        rank: b.trust(additions_per_cycle=samples, **more) for rank in range(ranks)
    })
    placed = tuple(replace(one, cpus=cpus[one.rank]) for one in record.rank)
    return b.case_run(replace(record, rank=placed))


def told(of: CaseRun, machine: Machine = ALONE) -> Trust:
    return launches_on(of, machine)[0].record.rank[0].trust


def test_fewer_additions_than_alone_tell_another_hardware_thread() -> None:
    trust = told(run(4.0, 3.98, 4.02, 3.0, 2.0))
    assert trust.shared_ns == round(0.4 * b.SECOND)
    assert trust.shared_lost_ns == round((2 - 0.75**1.5 - 0.5**1.5) / 5 * b.SECOND)
    assert trust.shared_part == 1 - 0.5**1.5 and told(run(*[4.0] * 5)).shared_part == 0.0
    assert told(run(*[3.81] * 5)).shared_ns == 0 and told(run(*[3.79] * 5)).shared_ns == b.SECOND
    most = told(run(*[0.0] * 5))
    assert most.shared_lost_ns == b.SECOND and most.shared_part == 1.0, "no more than all"


@pytest.mark.parametrize("of, machine", [
    (run(2.0, 2.0, 2.0, 2.0), ALONE),  # too few
    (run(), ALONE),
    (run(*[2.0] * 9), b.machine()),  # nobody knows what the core does alone
    (run(*[2.0] * 9, ranks=2), b.machine(b.node(additions_per_cycle=4.0, threads_of_cores=((0, 1), (2, 3))))),  # its own
    (run(*[2.0] * 9, ranks=2, cpus=((0,), (0,))), ALONE),  # the same processor twice
])
def test_nothing_is_said_where_it_cannot_be_told(of: CaseRun, machine: Machine) -> None:
    trust = told(of, machine)
    assert trust.shared_ns is None and trust.shared_lost_ns is None and trust.shared_part is None
    assert "core shared" not in [one.name for one in readings(launches_on(of, machine)[0])]


def test_threads_of_other_cores_are_no_own_ones() -> None:
    apart = b.machine(b.node(additions_per_cycle=4.0, threads_of_cores=((0, 4), (1, 5))))
    assert told(run(*[2.0] * 9, ranks=2), apart).shared_ns == b.SECOND


def test_a_launch_is_repeated_where_the_median_may_have_moved() -> None:
    part = round(20 * SHARED)
    few, many = (run(*[2.0] * count, *[4.0] * (20 - count)) for count in (part, part + 1))
    assert disturbed_launches(few, ALONE) == () and disturbed_launches(many, ALONE) == (1,)
    assert disturbance(launches_on(many, ALONE)[0], many.check, ALONE) > 1
    assert disturbed_launches(run(*[2.0] * 20), b.machine()) == ()


@pytest.mark.parametrize(("clock", "kept"), [
    ((3.0, 2.5, 3.1, 2.4, 2.9), (3.0, 3.1, 2.9)),  # beside another thread the chain waits for multiply-adds
    ((3.0, 2.5, 3.1, 2.4), (3.0, 2.5, 3.1, 2.4)),  # which of them were beside it is not known
    ((), ()),
])
def test_samples_of_the_clock_under_vectors_beside_another_thread_do_not_count(
    clock: tuple[float, ...], kept: tuple[float, ...]
) -> None:
    assert told(run(4.0, 2.0, 4.0, 3.0, 4.0, vector_frequency_hz=clock)).vector_frequency_hz == kept


def test_where_all_were_beside_it_they_count() -> None:
    assert told(run(*[2.0] * 5, vector_frequency_hz=(2.5,) * 5)).vector_frequency_hz == (2.5,) * 5


def test_it_is_told_with_its_place_and_limit() -> None:
    trust = trusted(launches_on(run(*[2.0] * 20), ALONE), ALONE)
    assert trust.disturbed and trust.shared == 1.0
    assert trust.reason == "another hardware thread was active for 100 % of the wall time on rank 0 (n0), limit 25 %"
    quiet = trusted(launches_on(run(*[4.0] * 20), ALONE), ALONE)
    assert not quiet.disturbed and quiet.shared == 0.0
    assert trusted(launches_on(run(), ALONE), ALONE).shared is None
