"""Judgements that a check makes of its cases and studies: called here, and never trusted to end well."""

from __future__ import annotations

from tenken.judge.common.findings import finding
from tenken.model.assessment import Finding
from tenken.model.judgement import Judge, OwnJudgement, StudyTold, StudyToTell, Teller, ToJudge
from tenken.model.verdict import Axis, Verdict

REPLACED = (Axis.SPEED, Axis.BALANCE, Axis.STEADINESS)  # axes whose general judgement a check may replace


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
