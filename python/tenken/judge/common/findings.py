"""How findings are made and ordered."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenken.base.words import plural
from tenken.model.assessment import THEN, AxisResult, CaseAssessment, Finding, SectionSummary, Where
from tenken.model.verdict import Axis, Verdict, severity

def finding(
    axis: Axis,
    verdict: Verdict,
    case_id: str,
    what: str,
    evidence: str,
    section: str | None = None,
    measured: float | None = None,
    expected: float | None = None,
    band: tuple[float | None, float | None] = (None, None),
    unit: str = "",
    where: Where | None = None,
    launches: int = 5,
    next_command: str | None = None,
    remedy: str = "",
) -> Finding:
    """A finding whose next command, unless given, repeats the case: after the `remedy` where it is known, else with
    `launches` launches.

    The ratio follows from the figures.
    """
    ratio = measured / expected if measured is not None and expected else None
    return Finding(
        axis=axis,
        verdict=verdict,
        what=what,
        case_id=case_id,
        section=section,
        measured=measured,
        expected=expected,
        band=band,
        unit=unit,
        ratio=ratio,
        where=where or Where(section=section),
        evidence=evidence,
        next_command=next_command or (
            f"{remedy}{THEN}./tenken run {case_id}" if remedy else f"./tenken run {case_id} --launches {launches}"
        ),
    )


def isolating(run: str, case_id: str, without: Sequence[str] = (), section: str | None = None) -> str:
    """The command that runs a case of `run` again without the nodes that are suspected. Names come from outside."""
    words = ["./tenken", "rerun", run, case_id]
    words += ["--section", section] if section else []
    words += ["--without", ",".join(without)] if without else []
    return shlex.join(words)


def evidence(section: SectionSummary) -> str:
    return f"median of {plural(section.launches, 'launch')}, {plural(section.repetitions, 'repetition')}"


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By verdict; findings of equal verdict stay in the order in which they were made."""
    return tuple(sorted(findings, key=lambda finding: -severity(finding.verdict)))


def with_findings(case: CaseAssessment, of_run: Iterable[Finding]) -> CaseAssessment:
    """The case with those findings of the whole run that are its own: each at least that verdict of its axis."""
    for finding in (finding for finding in of_run if finding.case_id == case.id):
        axes = tuple(
            AxisResult(finding.axis, finding.verdict, finding.what)
            if each.axis is finding.axis and severity(each.verdict) < severity(finding.verdict) else each
            for each in case.axes
        )
        milder = severity(case.verdict) < severity(finding.verdict)
        case = replace(
            case, axes=axes, findings=worst_first([*case.findings, finding]),
            verdict=finding.verdict if milder else case.verdict, reason=finding.what if milder else case.reason,
        )
    return case
