"""Whether a case had the cores that the scheduler granted: what is masked away makes everything slower, and nothing tells."""

from __future__ import annotations

from tenken.judge.findings import finding
from tenken.judge.launches import nodes_of
from tenken.judge.phrases import plural
from tenken.judge.prepared import Prepared
from tenken.model.assessment import Finding, Where
from tenken.model.machine import Machine
from tenken.model.verdict import Axis, Verdict


def fewer_than_granted(case: Prepared, machine: Machine) -> list[Finding]:
    """A WARN for the first node of the case where fewer hardware threads may be used than were granted."""
    nodes = nodes_of(case.measured[0].record, machine) if case.measured else ()
    for node in nodes:
        if node.granted_cpus is not None and node.cpus < node.granted_cpus:
            return [
                finding(
                    Axis.TRUST,
                    Verdict.WARN,
                    case.case_run.case.id,
                    f"{node.host}: only {node.cpus} of {node.granted_cpus} hardware threads that the scheduler granted may be "
                    "used: a mask of the step or the container takes the others (srun --cpus-per-task, cgroup)",
                    f"affinity mask on {plural(len(nodes), 'node')}",
                    where=Where(host=node.host),
                    measured=float(node.cpus),
                    expected=float(node.granted_cpus),
                    band=(float(node.granted_cpus), None),
                    unit="hardware threads",
                )
            ]
    return []
