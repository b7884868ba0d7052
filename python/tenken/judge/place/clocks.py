"""Nodes whose clock is lower than that of their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tenken.base.words import digits, percent, plural
from tenken.judge.common import Prepared, Samples, finding, host_clocks, isolating, spread
from tenken.model.assessment import Finding, Where
from tenken.model.limits import CLOCK_WARN
from tenken.model.machine import Machine
from tenken.model.verdict import Axis, Verdict
from tenken.stats.robust import median


def slow_clocks(cases: Iterable[Prepared], machine: Machine) -> tuple[Finding, ...]:
    """A WARN for each node whose plain clock is lower than that of its neighbours of its class, in the case that shows it most.

    Lower by CLOCK_WARN, and apart: its upper quartile is below the lower quartile of all of them together.
    """
    worst: dict[str, Finding] = {}
    class_of: dict[str, str] = {}
    for case in cases:
        if not case.valid or case.crowded:
            continue
        clocks = host_clocks(each.record for each in case.measured)
        alike: dict[str, list[str]] = {}
        for host in clocks:
            if host not in class_of:
                class_of[host] = machine.node(host).node_class
            alike.setdefault(class_of[host], []).append(host)
        for hosts in alike.values():
            for host in _perhaps_lower({host: clocks[host] for host in hosts}):
                beside = tuple(hz for other in hosts if other != host for hz in clocks[other])
                finding = _slower(case, host, clocks[host], beside)
                if finding is not None and (host not in worst or (finding.ratio or 1.0) < (worst[host].ratio or 1.0)):
                    worst[host] = finding
    return tuple(worst.values())


def _perhaps_lower(clocks: Mapping[str, Samples]) -> list[str]:
    """The nodes worth a comparison with all others, which are few: thousands would each be compared with thousands.

    Without a node's k samples the median of n is at most the sample at place (n + k) / 2 of all of them.
    """
    everything = sorted(hz for samples in clocks.values() for hz in samples)
    few = []
    for host, samples in clocks.items():
        if samples and len(samples) < len(everything):
            highest = everything[min(len(everything) - 1, (len(everything) + len(samples)) // 2)]
            if median(samples) <= highest / (1 + CLOCK_WARN):
                few.append(host)
    return few


def _slower(case: Prepared, host: str, own: Samples, beside: Samples) -> Finding | None:
    mine, theirs = spread(own), spread(beside)
    if mine is None or theirs is None:
        return None
    here, there = median(own), median(beside)
    if here > there / (1 + CLOCK_WARN) or mine[1] >= theirs[0]:
        return None
    return finding(
        Axis.BALANCE,
        Verdict.WARN,
        case.case_run.case.id,
        f"the clock of {host} is {digits(here / 1e9)} GHz, {percent(1 - here / there)} lower than the "
        f"{digits(there / 1e9)} GHz of its neighbours: power or heat limit, or governor",
        f"median of {plural(len(own), 'sample')} (half of them {digits(mine[0] / 1e9)} to {digits(mine[1] / 1e9)} GHz), "
        f"{plural(len(beside), 'sample')} of neighbours",
        measured=here / 1e9,
        expected=there / 1e9,
        band=(there / (1 + CLOCK_WARN) / 1e9, None),
        unit="GHz",
        where=Where(host=host),
        next_command=isolating(case.run, case.case_run.case.id, without=(host,)),
    )
