"""One word for one case: terminal, page, JSON, JUnit and Prometheus print the verdict of the same object."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import assessments
from tenken.model.assessment import Assessment, AxisResult, CaseAssessment
from tenken.model.verdict import Axis, Verdict
from tenken.report.html import page
from tenken.report.junit import junit
from tenken.report.prometheus import prometheus
from tenken.report.results import results
from tenken.report.select import points
from tenken.report.text import verdict
from tenken.report.topics import HEADINGS, case_row


def open_axis() -> Assessment:
    """A case that is OK and not judged on all axes, in a run that is INCOMPLETE for it."""
    run = assessments.ok()
    lost = AxisResult(Axis.STEADINESS, Verdict.NOT_JUDGED, "other load may have caused it", ground=True)
    case = run.cases[0]
    axes = tuple(lost if each.axis is Axis.STEADINESS else each for each in case.axes)
    return replace(run, cases=(replace(case, axes=axes), *run.cases[1:]), verdict=Verdict.INCOMPLETE, exit_code=4)


RUNS = {**assessments.ALL, "open_axis": open_axis}


def of_junit(case: ElementTree.Element) -> str:
    return next(each.attrib["value"] for each in case.iter("property") if each.attrib["name"] == "verdict")


def tag_fits(case: CaseAssessment, element: ElementTree.Element) -> bool:
    """Red where the case is bad or its ground was lost, skipped where nothing of it could be judged, else green."""
    tags = {child.tag for child in element} & {"failure", "error", "skipped"}
    if case.verdict in (Verdict.FAIL, Verdict.INVALID):
        return tags == {"failure"}
    if case.verdict is Verdict.NOT_JUDGED:
        return tags == ({"skipped"} if case.complete else {"error"})
    return tags == ({"error"} if case.verdict is Verdict.ERROR else set())


@pytest.mark.parametrize("name", RUNS)
def test_every_report_prints_the_same_word_for_a_case(name: str) -> None:
    run = RUNS[name]()
    in_results = {each["id"]: each["verdict"] for each in json.loads(json.dumps(results(run)))["cases"]}
    suite = list(ElementTree.fromstring(junit(run)).iter("testcase"))
    given = re.findall(r'^tenken_case_verdict\{.*,verdict="([A-Z ]+)"\} 1\.0$', prometheus(run), re.MULTILINE)
    for case, element in zip(run.cases, suite, strict=False):
        word = case.verdict.value
        assert case_row(case)[HEADINGS.index("verdict")] == word == in_results[case.id]
        assert of_junit(element) == word and tag_fits(case, element)
    assert given == [case.verdict.value for case in run.cases]


@pytest.mark.parametrize("name", RUNS)
def test_every_point_has_the_word_of_its_finding_or_of_its_case(name: str) -> None:
    run = RUNS[name]()
    for point in points(run):
        assert point.verdict is (point.finding.verdict if point.finding else point.case.verdict)


@pytest.mark.parametrize("name", RUNS)
def test_the_first_word_is_that_of_the_run(name: str) -> None:
    run = RUNS[name]()
    first = verdict(run).splitlines()[0].removeprefix("DRILL").strip()
    assert first.startswith(run.verdict.value)
    heading = re.search(r"<title>(.*?)</title>", page(run))
    assert heading is not None and html.unescape(heading[1]).startswith(f"{run.verdict.value}:")


def test_a_run_that_is_incomplete_is_red_in_junit_though_its_case_is_ok() -> None:
    suite = ElementTree.fromstring(junit(open_axis()))
    assert int(suite.attrib["errors"]) == 1 and int(suite.attrib["tests"]) == len(suite.findall("testcase"))
    error = suite.find("testcase[@classname='run']/error")
    assert error is not None and error.attrib["type"] == "INCOMPLETE"
    first = suite.find("testcase/system-out")
    assert first is not None and first.text == "steadiness not judged: other load may have caused it"
