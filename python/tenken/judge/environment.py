"""Differences of the environment: findings of their own inside a node class, and the findings they may explain.

The differences come from outside (machine/facts.py); which figure they can move is a matter of classes of metrics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tenken.base.words import plural
from tenken.judge.common import finding, isolating, worst_first
from tenken.judge.completeness import run_verdict, unjudged
from tenken.model.assessment import Assessment, CaseAssessment, Finding, Where
from tenken.model.baseline import Difference, named, placed, sentence
from tenken.model.limits import METRIC_CLASSES, OF_KIND
from tenken.model.verdict import EXIT_NOTHING_JUDGED, Axis, Verdict, exit_code, severity, worst

_ALL = frozenset(METRIC_CLASSES)
_BY_KIND = {kind: frozenset(classes) for kind, classes in OF_KIND.items() if classes}
_MOST = 4  # explanations a finding: more explain nothing


def with_environment(
    assessment: Assessment, nodes: tuple[Difference, ...], since: Mapping[str, tuple[Difference, ...]]
) -> Assessment:
    """`assessment` with `nodes` (differences between nodes of the same class) judged, and every finding explained.

    `since`: by case, differences from its last accepted sitting. Odd nodes are a WARN on the trust axis of every case
    that ran there, reported once, with the first of these cases.
    """
    reported: set[tuple[str, ...]] = set()
    cases = []
    for case in assessment.cases:
        case = _judge_nodes(assessment.run, case, nodes, reported)
        differences = since.get(case.id, ())
        own = tuple(replace(each, explained_by=explanations(each, case, (*nodes, *differences))) for each in case.findings)
        cases.append(replace(case, findings=own, differences=differences))
    verdict = run_verdict(cases)
    return replace(
        assessment,
        cases=tuple(cases),
        findings=worst_first(finding for case in cases for finding in case.findings),
        verdict=verdict,
        exit_code=EXIT_NOTHING_JUDGED if assessment.state == "interrupted" else exit_code(verdict),
        differences=nodes,
        unjudged=unjudged(cases),
    )


def explanations(finding: Finding, case: CaseAssessment, differences: Sequence[Difference]) -> tuple[str, ...]:
    """Sentences on the differences that can move the subject of `finding`: those of its node and new ones first."""
    classes = classes_of(finding, case)
    fitting = [
        difference for difference in differences
        if classes & set(difference.explains)
        and (not difference.hosts or finding.where.host is None or _holds(difference.hosts, finding.where.host))
    ]
    fitting.sort(key=lambda difference: (not difference.hosts, not difference.new))
    sentences = dict.fromkeys(_explanation(difference) for difference in fitting)
    return tuple(sentences)[:_MOST]


def classes_of(finding: Finding, case: CaseAssessment) -> frozenset[str]:
    """The classes of metrics that a finding is about: those of its section; all without a section, or of a wrong answer."""
    if finding.axis in (Axis.VALIDITY, Axis.TRUST) or finding.section is None:
        return _ALL
    classes = frozenset(metric.klass for metric in case.metrics if metric.section == finding.section)
    if classes:
        return classes
    kind = next((section.kind for section in case.sections if section.path == finding.section), "")
    return _BY_KIND.get(kind, _ALL)


def _judge_nodes(
    run: str, case: CaseAssessment, nodes: tuple[Difference, ...], reported: set[tuple[str, ...]]
) -> CaseAssessment:
    ran_on = {rank.host for section in case.sections for rank in section.ranks}
    by_hosts: dict[tuple[str, ...], list[Difference]] = {}
    for difference in nodes:
        if any(_holds(difference.hosts, host) for host in ran_on):
            by_hosts.setdefault(difference.hosts, []).append(difference)
    if case.trust is None or not by_hosts:
        return case
    findings = {hosts: _odd(run, case, hosts, group) for hosts, group in by_hosts.items()}
    first = next(iter(findings.values())).what
    axes = tuple(
        replace(axis, verdict=Verdict.WARN, reason=first)
        if axis.axis is Axis.TRUST and severity(axis.verdict) < severity(Verdict.WARN) else axis
        for axis in case.axes
    )
    verdict = worst((case.verdict, Verdict.WARN))
    new = [finding for hosts, finding in findings.items() if hosts not in reported]
    reported.update(findings)
    reason = case.reason if verdict is case.verdict else first
    return replace(case, axes=axes, verdict=verdict, reason=reason, findings=worst_first([*case.findings, *new]))


def _odd(run: str, case: CaseAssessment, hosts: tuple[str, ...], group: Sequence[Difference]) -> Finding:
    who = f"node {hosts[0]} differs" if len(hosts) == 1 else f"nodes {named(hosts)} differ"
    return finding(
        Axis.TRUST,
        Verdict.WARN,
        case.id,
        f"{who} from {group[0].against} of the same class: {'; '.join(map(sentence, group))}",
        f"read on every node at the start of the run, {plural(len(group), 'fact')}",
        where=Where(host=hosts[0] if len(hosts) == 1 else None),
        next_command=isolating(run, case.id, hosts),
    )


def _explanation(difference: Difference) -> str:
    return placed(difference) + ("" if difference.new else " (as in an older sitting)")


def _holds(hosts: tuple[str, ...], host: str) -> bool:
    """Ranks may report a short or a full name."""
    return host.split(".")[0] in {host.split(".")[0] for host in hosts}
