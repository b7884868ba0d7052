"""Where a case was measured."""

from __future__ import annotations

from tenken.model.machine import Machine
from tenken.model.run import CaseRun


def hosts_of(case_run: CaseRun) -> tuple[str, ...]:
    """The hosts that the launches of a case ran on."""
    return tuple(dict.fromkeys(rank.host for record in case_run.records for rank in record.rank))


def class_of(case_run: CaseRun, machine: Machine) -> str:
    """The node class of a case: that of its nodes, all of them joined by + where they are of several."""
    hosts = hosts_of(case_run) or (machine.nodes[0].host,)
    return "+".join(sorted({machine.node(host).node_class for host in hosts}))
