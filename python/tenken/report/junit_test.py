from __future__ import annotations

from xml.etree import ElementTree

import assessments
import golden_files
import pytest
from tenken.model.verdict import Verdict
from tenken.report.junit import junit


@pytest.mark.parametrize("name", assessments.ALL)
def test_it_is_xml_and_counts_its_cases(name: str) -> None:
    assessment = assessments.ALL[name]()
    suite = ElementTree.fromstring(junit(assessment))
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
    assert len(suite.findall("testcase")) == len(assessment.cases) + (assessment.verdict is Verdict.INCOMPLETE)
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.attrib[attribute]) == len(suite.findall(f"testcase/{tag}"))


def test_each_verdict_has_its_place() -> None:
    suite = ElementTree.fromstring(junit(assessments.bad()))
    found = {
        case.attrib["name"]: [child.tag for child in case if child.tag != "properties"]
        for case in suite.iter("testcase")
    }
    assert found == {
        "fma_peak:all_cores": [], "stream:memory": ["error"], "dgemm:square": ["system-out"],
        "mpi_pt2pt:default": [], "lqcd:weak": ["failure"], "lqcd:small": ["failure"], "lqcd:large": ["error"],
    }
    failure = suite.find("testcase[@name='lqcd:weak']/failure")
    assert failure is not None and "next: tenken run lqcd:weak --launches 5" in (failure.text or "")
    error = suite.find("testcase[@name='lqcd:large']/error")
    assert error is not None and "rank 5 on n03: timing in cg/operator" in (error.text or "")


def test_figures_are_properties_and_withheld_ones_are_absent() -> None:
    suite = ElementTree.fromstring(junit(assessments.bad()))
    names = {
        item.attrib["name"]: item.attrib["value"]
        for item in suite.findall("testcase[@name='dgemm:square']/properties/property")
    }
    assert names["dgemm.2"] == "53.73 GFLOP/s" and names["dgemm.2.of_ceiling"] == "47.8 %"
    wrong = suite.findall("testcase[@name='lqcd:small']/properties/property")
    assert [item.attrib["name"] for item in wrong] == ["verdict"]


def test_it_is_golden() -> None:
    golden_files.check("junit-bad.xml", junit(assessments.bad()))
