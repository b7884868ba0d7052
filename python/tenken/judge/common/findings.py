"""How findings are made and ordered; the findings of the judges that checks bring, which are never trusted to end well."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenken.base.words import plural
from tenken.model.assessment import THEN, AxisResult, CaseAssessment, Finding, SectionSummary, Where
from tenken.model.judgement import Judge, OwnJudgement, StudyTold, StudyToTell, Teller, ToJudge
from tenken.model.verdict import Axis, Verdict, severity

REPLACED = (Axis.SPEED, Axis.BALANCE, Axis.STEADINESS)  # axes whose general judgement a check may replace


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


def own_judgement(judge: Judge | None, case: ToJudge) -> tuple[OwnJudgement, tuple[Finding, ...]]:
    """The check's judgement of its case, and an ERROR of this case alone where its judge went wrong."""
    if judge is None or not case.measured:
        return OwnJudgement(), ()
    try:
        own = judge(case)
        problem = _misfit(own, case)
    except Exception as error:  # noqa: BLE001  # whatever it raises, the other checks go on
        problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if problem is None:
        return own, ()
    sentence = f"checks/{case.check.name}/judge.py failed: {problem}"
    return OwnJudgement(), (
        finding(Axis.VALIDITY, Verdict.ERROR, case.case.id, sentence, "the record was readable", launches=1),
    )


def own_words(teller: Teller | None, check: str, study: StudyToTell) -> StudyTold:
    """The check's words on its study; where it went wrong a note says so, and nothing else suffers."""
    if teller is None or not study.points:
        return StudyTold()
    try:
        report = teller(study)
        if not isinstance(report, StudyTold):
            raise TypeError(f"it returned {type(report).__name__}, expected a StudyTold")
    except Exception as error:  # noqa: BLE001  # whatever it raises, the figures stand
        problem = str(error) or type(error).__name__
        return StudyTold(notes=(f"checks/{check}/judge.py failed for this study: {problem}",))
    return report


def _misfit(own: object, case: ToJudge) -> str | None:
    if not isinstance(own, OwnJudgement):
        return f"it returned {type(own).__name__}, expected an OwnJudgement"
    wrong = [axis.axis.value for axis in own.axes if axis.axis not in REPLACED]
    if wrong:
        return f"it may replace {', '.join(axis.value for axis in REPLACED)}, not {wrong[0]}"
    if any(finding.case_id != case.case.id for finding in own.findings):
        return "a finding is about another case"
    return None
