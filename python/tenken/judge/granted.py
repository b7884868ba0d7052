"""Whether a case had the cores that were granted, or that its baseline had: fewer make everything slower, and nothing tells."""

from __future__ import annotations

from tenken.judge.findings import finding
from tenken.judge.launches import nodes_of
from tenken.judge.phrases import plural
from tenken.judge.prepared import Prepared
from tenken.model.assessment import Finding, Where
from tenken.model.machine import Machine, Node
from tenken.model.verdict import Axis, Verdict

_GRANTED = (
    "that the scheduler granted may be used: a mask of the step or the container takes the others (srun --cpus-per-task, cgroup)"
)
_BEFORE = "that its baseline had may be used: a mask, a container, a smaller allocation or cores that are offline"


def fewer_than_granted(case: Prepared, machine: Machine) -> list[Finding]:
    """A WARN for the first node of the case where fewer hardware threads may be used than were granted, or were before."""
    nodes = nodes_of(case.measured[0].record, machine) if case.measured else ()
    for node in nodes:
        for expected, why in ((node.granted_cpus, _GRANTED), (node.baseline_cpus, _BEFORE)):
            if expected is not None and node.cpus < expected:
                return [_fewer(case, node, expected, why, len(nodes))]
    return []


def _fewer(case: Prepared, node: Node, expected: int, why: str, nodes: int) -> Finding:
    return finding(
        Axis.TRUST,
        Verdict.WARN,
        case.case_run.case.id,
        f"{node.host}: only {node.cpus} of {expected} hardware threads {why}",
        f"affinity mask on {plural(nodes, 'node')}",
        where=Where(host=node.host),
        measured=float(node.cpus),
        expected=float(expected),
        band=(float(expected), None),
        unit="hardware threads",
    )
