"""Answers of the judge that are kept: any other sentence or figure is seen, and written anew only where that is asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import answers
import assessments
import pytest
from answers import Answers, Totals, sentences, told

from tenken.model.assessment import Assessment
from tenken.model.verdict import Verdict


@pytest.fixture()
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(answers, "FOLDER", tmp_path)
    return tmp_path


def written(monkeypatch: pytest.MonkeyPatch, *of: Assessment) -> None:
    monkeypatch.setenv("TENKEN_UPDATE_GOLDEN", "1")
    Answers("some_test").check("test_a", of)
    Answers("some_test").check("test_nothing", ())
    monkeypatch.delenv("TENKEN_UPDATE_GOLDEN")


def test_a_value_is_told_to_five_digits_without_what_is_empty() -> None:
    assert told((1.0000049, 2, None, Verdict.OK, {"b", "a"}, {"k": 0.5})) == "[1 2 None OK [a b] {k:0.5}]"
    finding = assessments.bad().findings[0]
    assert told(finding).startswith(f"(axis={finding.axis.value} verdict={finding.verdict.value} what={finding.what}")
    assert told(replace(finding, measured=1.23456789)).count("measured=1.2346 ") == 1


def test_the_same_answer_passes_and_is_readable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(monkeypatch, assessments.bad())
    Answers("some_test").check("test_a", [assessments.bad()])
    text = (folder / "some_test.txt").read_text()
    assert text.startswith("== test_a\n") and "test_nothing" not in text
    assert all(line.replace("\n", "\\n") in text for line in sentences(assessments.bad()))


@pytest.mark.parametrize("part", ["what", "measured", "next_command"])
def test_any_difference_is_seen(folder: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    written(monkeypatch, assessments.bad())
    case = next(case for case in assessments.bad().cases if case.findings and case.findings[0].measured)
    first = replace(case.findings[0], **{part: 7.0 if part == "measured" else "other"})
    other = replace(case, findings=(first, *case.findings[1:]))
    changed = replace(assessments.bad(), cases=tuple(other if one.id == case.id else one for one in assessments.bad().cases))
    with pytest.raises(AssertionError, match="TENKEN_UPDATE_GOLDEN"):
        Answers("some_test").check("test_a", [changed])
    with pytest.raises(AssertionError):
        Answers("some_test").check("test_nothing", [changed])
    with pytest.raises(AssertionError):
        Answers("some_test").check("test_a", [])


def test_totals_show_any_figure_and_choice_beside_the_sentences() -> None:
    case = next(case for case in assessments.bad().cases if case.metrics)
    before = str(Totals([case]))
    metric = replace(case.metrics[0], value=case.metrics[0].value * 1.001)
    for other in (replace(case, metrics=(metric, *case.metrics[1:])), replace(case, verdict=Verdict.ERROR)):
        assert str(Totals([other])) != before
    assert str(Totals([{"a": (2, -8.0, 0), "b": Verdict.OK, "c": False}])) == "OK 1;  3, 1 below 0, 1 of 0, mean 4"


def test_every_answer_is_of_a_test_that_is_there() -> None:
    judge = answers.TREE / "python" / "tenken" / "judge"
    tests = {path.stem: path.read_text() for path in judge.rglob("*_test.py")}
    for path in (answers.TREE / "tests" / "golden" / "judge").iterdir():
        names = [line[3:].partition("[")[0] for line in path.read_text().splitlines() if line.startswith("== ")]
        assert names and all(f"def {name}(" in tests[path.stem] for name in names), path
