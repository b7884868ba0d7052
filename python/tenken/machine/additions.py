"""Additions of a core in a cycle while a single hardware thread works on it, and the threads of each core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from tenken.model.machine import Machine
from tenken.model.record import Record

HIGH = 0.95  # quantile: an interrupt makes a few samples more than a core can do


def with_additions(machine: Machine, records: Iterable[Record]) -> Machine:
    """`machine`, its cores as they were at their best while probed or in any launch: few are shared all the time."""
    by_host: dict[str, list[float]] = {}  # by host as ranks name it: looking for a node is no work of every rank
    for record in records:
        for rank in record.rank:
            if rank.trust.additions_per_cycle:
                by_host.setdefault(rank.host, []).extend(rank.trust.additions_per_cycle)
    samples: dict[str, list[float]] = {}
    for host, some in by_host.items():
        samples.setdefault(machine.node(host).host, []).extend(some)
    best = {host: sorted(some)[int(HIGH * (len(some) - 1))] for host, some in samples.items()}
    return replace(machine, nodes=tuple(
        replace(node, additions_per_cycle=max(node.additions_per_cycle, best.get(node.host, 0.0)))
        if node.additions_per_cycle is not None else node
        for node in machine.nodes
    ))


def additions_per_cycle(node: Mapping[str, Any]) -> float | None:
    """Of the core that had most of itself while it was probed; None where cores are of several kinds or it was not probed."""
    measured = (node.get("frequency") or {}).get("measured") or ()
    rates = [launch["additions_per_cycle"] for launch in measured if launch.get("additions_per_cycle")]
    one_kind = len((node.get("topology") or {}).get("kinds") or ()) < 2
    return max(rates) if rates and one_kind else None


def threads_of_cores(node: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """The CPUs of each core that has several hardware threads."""
    cores = (node.get("topology") or {}).get("cores") or ()
    return _same(tuple(tuple(core["cpus"]) for core in cores if len(core["cpus"]) > 1))


@cache
def _same(threads: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Ten thousand nodes of a kind share an object."""
    return threads
