"""How far the timings of a launch set can be trusted: other load, our own quota, fewer cores than it should have had.

Fewer cores make everything slower, and nothing else tells.
"""

from __future__ import annotations

from dataclasses import dataclass

from tenken.base.words import percent, plural
from tenken.judge.common import Prepared, clock_words, finding, steady_sections
from tenken.model.assessment import AxisResult, Finding, Trusted, Where
from tenken.model.limits import DISTURBED
from tenken.model.machine import Machine, Node
from tenken.model.run import nodes_of
from tenken.model.verdict import Axis, Verdict

_GRANTED = (
    "that the scheduler granted may be used: a mask of the step or the container excludes others (srun --cpus-per-task, cgroup)"
)
_BEFORE = "of its baseline may be used: a mask, a container, a smaller allocation or cores that are offline"


@dataclass(frozen=True, slots=True)
class Trust:
    """The trust axis of a launch set."""

    axis: AxisResult
    worsened: tuple[Finding, ...]  # faults of the machine or the launch, with or without other load
    met_load: tuple[Finding, ...]  # other load on nodes that were ours alone
    throttled: bool  # by a CPU quota of our own


def judge_trust(case: Prepared, trust: Trusted, machine: Machine) -> Trust:
    """`trust`: the figures of the counters of its launches."""
    throttled = trust.throttled is not None and trust.throttled > DISTURBED
    quota = [_throttled(case, trust.throttled or 0.0)] if throttled else []
    met_load = [_disturbed(case, trust)] if trust.disturbed and case.exclusive else []
    worsened = [*quota, *fewer_than_granted(case, machine), *case.unlike]
    axis = AxisResult(Axis.TRUST, Verdict.WARN, worsened[0].what) if worsened else _trust_axis(trust, met_load)
    return Trust(axis, tuple(worsened), tuple(met_load), throttled)


def _trust_axis(trust: Trusted, met_load: list[Finding]) -> AxisResult:
    if met_load:
        return AxisResult(Axis.TRUST, Verdict.WARN, met_load[0].what)
    if trust.disturbed:
        reason = f"other load on a shared or virtual machine: {trust.reason}; times are upper bounds"
        return AxisResult(Axis.TRUST, Verdict.NOT_JUDGED, reason)
    if trust.run_queue_wait is None and trust.steal is None:
        return AxisResult(Axis.TRUST, Verdict.NOT_JUDGED, "the system reports neither run-queue wait nor steal")
    known = {"run-queue wait": trust.run_queue_wait, "steal": trust.steal, "core shared": trust.shared}
    parts = [f"{name} {percent(part)}" for name, part in known.items() if part is not None]
    return AxisResult(Axis.TRUST, Verdict.OK, ", ".join([*parts, *clock_words(trust)]))


def _disturbed(case: Prepared, trust: Trusted) -> Finding:
    return finding(
        Axis.TRUST,
        Verdict.WARN,
        case.case_run.case.id,
        f"other load: {trust.reason}",
        f"worst of {plural(len(case.measured), 'launch')} and all ranks",
        where=trust.where,
    )


def _throttled(case: Prepared, fraction: float) -> Finding:
    loss = max((section.loss for section in steady_sections(case.sections, case.case_run.check)), default=0.0)
    return finding(
        Axis.TRUST,
        Verdict.WARN,
        case.case_run.case.id,
        f"throttled by a CPU quota for {percent(fraction)} of the wall time (limit {percent(DISTURBED)}), "
        f"loss {percent(loss)}: a limit of this job, not other load",
        f"worst of {plural(len(case.measured), 'launch')} and all ranks",
        measured=fraction,
        expected=DISTURBED,
        band=(None, DISTURBED),
        unit="of the wall time",
        where=Where(),
    )


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
