"""Nodes whose clock is lower than that of their neighbours."""

from __future__ import annotations

from collections.abc import Iterable

from tenken.judge.clock import Samples, host_clocks, spread
from tenken.judge.findings import finding, isolating
from tenken.judge.limits import CLOCK_WARN
from tenken.judge.phrases import digits, percent, plural
from tenken.judge.prepared import Prepared
from tenken.model.assessment import Finding, Where
from tenken.model.machine import Machine
from tenken.model.verdict import Axis, Verdict
from tenken.stats.robust import median


def slow_clocks(cases: Iterable[Prepared], machine: Machine) -> tuple[Finding, ...]:
    """A WARN for each node whose plain clock is lower than that of its neighbours of one class, in the case that shows it most.

    Lower by CLOCK_WARN, and apart: its upper quartile is below the lower one of all of them together.
    """
    worst: dict[str, Finding] = {}
    for case in cases:
        if not case.valid or case.oversubscribed:
            continue
        clocks = host_clocks(each.record for each in case.measured)
        for host, own in clocks.items():
            beside = tuple(
                hz for other, samples in clocks.items() for hz in samples
                if other != host and machine.node(other).node_class == machine.node(host).node_class
            )
            found = _slower(case, host, own, beside)
            if found is not None and (host not in worst or (found.ratio or 1.0) < (worst[host].ratio or 1.0)):
                worst[host] = found
    return tuple(worst.values())


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
