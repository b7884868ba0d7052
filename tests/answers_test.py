"""Answers of the judge that are kept: any other sentence or figure is seen, and written anew only where that is asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import answers
import assessments
import pytest
from answers import Answers, sentences, told

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


def test_what_a_sum_is_of_can_be_written_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENKEN_ANSWERS", str(folder))
    written(monkeypatch, assessments.bad())
    assert assessments.bad().findings[0].next_command in (folder / "some_test.test_a.txt").read_text()
