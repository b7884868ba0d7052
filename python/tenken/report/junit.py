"""junit.xml: cases as test cases, for continuous integration."""

from __future__ import annotations

from xml.etree import ElementTree

from tenken.base import units
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.contract import ClauseResult, Held
from tenken.model.verdict import Verdict
from tenken.report import topics
from tenken.report.plain import plain
from tenken.report.select import ENDED_BADLY, achieved, counts
from tenken.report.topics import whereabouts


def junit(assessment: Assessment) -> str:
    """The XML document. INVALID and FAIL are failures, ERROR is an error, WARN has passed (its text is in system-out).

    NOT JUDGED is an error where its ground was lost, else skipped. A run that is INCOMPLETE adds an error of the class "run", so
    that what was not judged is never green. The metrics are properties of their case. Clauses of a contract are test cases of
    class "contract": not met is a failure, not judged an error; waived has passed, with its owner, reason and date in
    system-out."""
    tally = counts(assessment.cases)
    clauses = assessment.contract.clauses if assessment.contract else ()
    states = [clause.held for clause in clauses]
    incomplete = assessment.verdict is Verdict.INCOMPLETE
    suite = ElementTree.Element(
        "testsuite",
        {
            "name": plain(assessment.suite), "hostname": plain(assessment.machine.name),
            "timestamp": plain(assessment.started), "tests": str(len(assessment.cases) + len(clauses) + incomplete),
            "failures": str(tally.get(Verdict.FAIL, 0) + tally.get(Verdict.INVALID, 0) + states.count(Held.UNMET)),
            "errors": str(sum(map(_is_error, assessment.cases)) + states.count(Held.NOT_JUDGED) + incomplete),
            "skipped": str(sum(case.verdict is Verdict.NOT_JUDGED and case.complete for case in assessment.cases)),
            "time": f"{assessment.seconds or 0:.3f}",
        },
    )
    properties = {
        "run": assessment.run, "state": assessment.state, "verdict": assessment.verdict.value,
        "drill": str(assessment.drill).lower(),
    }
    _properties(suite, properties)
    for case in assessment.cases:
        _case(suite, case, assessment)
    if incomplete:
        _incomplete(suite, assessment)
    for clause in clauses:
        _clause(suite, clause)
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _is_error(case: CaseAssessment) -> bool:
    return case.verdict is Verdict.ERROR or (case.verdict is Verdict.NOT_JUDGED and not case.complete)


def _incomplete(suite: ElementTree.Element, assessment: Assessment) -> None:
    element = ElementTree.SubElement(suite, "testcase", {"classname": "run", "name": "complete", "time": "0.000"})
    causes = "\n".join(plain(each.what) for each in assessment.unjudged)
    message = ", ".join(achieved(assessment.cases))
    ElementTree.SubElement(element, "error", {"message": message, "type": assessment.verdict.value}).text = causes


def _case(suite: ElementTree.Element, case: CaseAssessment, assessment: Assessment) -> None:
    element = ElementTree.SubElement(suite, "testcase", {
        "classname": plain(case.check), "name": plain(case.id), "time": f"{case.seconds:.3f}"})
    _properties(element, _figures(case))
    message = {"message": plain(case.reason)}
    if case.verdict in (Verdict.FAIL, Verdict.INVALID):
        ElementTree.SubElement(element, "failure", {**message, "type": case.verdict.value}).text = _details(case)
    elif case.verdict is Verdict.ERROR:
        ElementTree.SubElement(element, "error", {**message, "type": case.verdict.value}).text = _details(case)
    elif case.verdict is Verdict.NOT_JUDGED:
        what = next((each.what for each in assessment.unjudged if case.id in each.cases), case.reason)
        tag = "error" if _is_error(case) else "skipped"
        ElementTree.SubElement(element, tag, {"message": plain(what), "type": case.verdict.value})
    elif case.verdict is Verdict.WARN:
        ElementTree.SubElement(element, "system-out").text = f"WARN: {plain(case.reason)}\n{_details(case)}"
    elif not case.complete:
        open_axes = [each for each in case.axes if each.ground and each.verdict is Verdict.NOT_JUDGED]
        lines = [f"{each.axis.value} not judged: {plain(each.reason)}" for each in open_axes]
        ElementTree.SubElement(element, "system-out").text = "\n".join(lines)


def _clause(suite: ElementTree.Element, clause: ClauseResult) -> None:
    element = ElementTree.SubElement(suite, "testcase", {"classname": "contract", "name": plain(clause.clause), "time": "0.000"})
    why = [plain(requirement.why) for requirement in clause.results if requirement.held is clause.held]
    text = "\n".join([*why, *([topics.waived(clause)] if clause.waiver else [])])
    tag = {Held.UNMET: "failure", Held.NOT_JUDGED: "error"}.get(clause.held)
    if tag is not None:
        ElementTree.SubElement(element, tag, {"message": why[0], "type": clause.held.value.upper()}).text = text
    elif clause.waiver is not None:
        ElementTree.SubElement(element, "system-out").text = f"{clause.held.value.upper()}: {text}"


def _figures(case: CaseAssessment) -> dict[str, str]:
    figures = {"verdict": case.verdict.value}
    for metric in case.metrics:
        name = plain(metric.name if metric.at is None else f"{metric.name}.{metric.at}")
        if metric.value is not None:
            figures[name] = units.quantity(metric.value, plain(metric.unit))
        if metric.fraction is not None:
            figures[f"{name}.of_ceiling"] = units.percent(metric.fraction)
    return figures


def _details(case: CaseAssessment) -> str:
    """A line for each finding and its next command, and where the ranks of broken launches were."""
    lines = [
        f"{item.verdict.value} {item.axis.value}: {plain(item.what)}\nnext: {plain(item.next_command)}"
        for item in case.findings
    ]
    lines += [line for launch in case.launches if launch.status in ENDED_BADLY for line in whereabouts(launch)]
    return "\n".join(lines)


def _properties(parent: ElementTree.Element, values: dict[str, str]) -> None:
    element = ElementTree.SubElement(parent, "properties")
    for name, value in values.items():
        ElementTree.SubElement(element, "property", {"name": name, "value": plain(value)})
