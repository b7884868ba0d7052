from __future__ import annotations

from dataclasses import replace

import builders
import pytest

from tenken.judge import studies
from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.machine import Machine
from tenken.model.record import Record, Thread
from tenken.model.run import Measured


def measured(*cpus: list[int], hosts: tuple[str, ...] = ("n0",)) -> Measured:
    """A launch with these processors of the threads of each rank."""
    record: Record = builders.record(builders.fma(1e9, ranks=len(cpus)), hosts=hosts)
    ranks = tuple(
        replace(rank, threads=tuple(Thread(index, cpu, cpu) for index, cpu in enumerate(own)))
        for rank, own in zip(record.rank, cpus, strict=True)
    )
    return Measured(builders.launch(), replace(record, rank=ranks))


@pytest.mark.parametrize(("cpus", "text"), [
    ([[0, 1, 2, 3]], "0-3"), ([[0, 32, 1, 33]], "0-1,32-33"), ([[0, 1], [2, 3]], "0-1|2-3"), ([[2, 3], [0, 1]], "2-3|0-1"),
    ([[rank] for rank in range(9)], "0|1|2|...|8"), ([[-1]], ""),
])
def test_processors_are_told_in_the_order_of_ranks(cpus: list[list[int]], text: str) -> None:
    assert studies.processors_of([measured(*cpus)]) == text


def test_launches_are_joined_and_hosts_that_are_alike_are_told_once() -> None:
    assert studies.processors_of([measured([0]), measured([2])]) == "0,2"
    assert studies.processors_of([measured([0], [0], hosts=("n0", "n1"))]) == "0"
    assert studies.processors_of([measured([0], [4], hosts=("n0", "n1"))]) == "0; 4"


def study(**sweeps: list[object]) -> Study:
    axes = tuple(StudyAxis(name, {name: values}) for name, values in sweeps.items())
    case = CaseSpec("s", "plain", {}, 1, 1, 1, 1.0, ())
    return Study("s", "t", "q", case, axes, Plot("curve", "x", ("y",), None, None, (), ()))


def test_one_socket_says_so_and_two_do_not() -> None:
    placements, threads = study(placement=["compact", "scatter", "one_socket"]), study(threads=[1, 2])
    one, two = Machine("m", (builders.node(),)), Machine("m", (builders.node(sockets=2),))
    assert studies.socket_notes(placements, one) == (
        "one socket here: one_socket is the whole node, and scatter takes the cores that compact takes",
    )
    assert "its 4 NUMA nodes" in studies.socket_notes(placements, Machine("m", (builders.node(numa_nodes=4),)))[0]
    assert studies.socket_notes(placements, two) == () == studies.socket_notes(threads, one)
    assert studies.moves_threads(placements) and not studies.moves_threads(threads)
