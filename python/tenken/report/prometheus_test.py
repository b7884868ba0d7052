from __future__ import annotations

import re
from dataclasses import replace

import assessments
import golden_files
import pytest
from tenken.model.verdict import Verdict
from tenken.report.prometheus import prometheus

# https://prometheus.io/docs/instrumenting/exposition_formats: escapes are \\, \" and \n only.
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(
    rf"([a-zA-Z_:][a-zA-Z0-9_:]*)\{{({LABEL}(?:,{LABEL})*)\}} (?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)"
)
COMMENT = re.compile(r"# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)")


@pytest.mark.parametrize("name", assessments.ALL)
def test_every_line_fits_the_grammar_and_no_series_comes_twice(name: str) -> None:
    text = prometheus(assessments.ALL[name]())
    assert text.endswith("\n")
    seen, family = set(), ""
    for line in text.splitlines():
        if comment := COMMENT.fullmatch(line):
            family = comment[2]
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample and sample[1] == family, line
        assert sample[0].rpartition(" ")[0] not in seen, line
        seen.add(sample[0].rpartition(" ")[0])
    assert seen


def test_exactly_one_verdict_is_set_for_a_case() -> None:
    lines = [
        line
        for line in prometheus(assessments.bad()).splitlines()
        if line.startswith("tenken_case_verdict") and "lqcd:weak" in line
    ]
    assert len(lines) == len(Verdict)
    assert [line for line in lines if line.endswith(" 1.0")] == [line for line in lines if 'verdict="FAIL"' in line]


def test_labels_are_read_back_as_the_names_that_they_had() -> None:
    names = ('a "quoted" one', "back\\slash", 'both \\"', "ends with \\", "\\n is no new line", "日本")
    for name in names:
        given = assessments.bad()
        text = prometheus(replace(given, machine=replace(given.machine, name=name)))
        found = {match[1] for match in re.finditer(r'machine="((?:[^"\\]|\\.)*)"', text)}
        assert {re.sub(r"\\(.)", lambda one: {"n": "\n"}.get(one[1], one[1]), label) for label in found} == {name}


def test_withheld_figures_have_no_line() -> None:
    text = prometheus(assessments.drill())
    assert "tenken_metric{" not in text and "tenken_section_ceiling_ratio{" not in text
    assert "tenken_section_seconds{" in text


def test_it_is_golden() -> None:
    golden_files.check("prometheus-drill.txt", prometheus(assessments.drill()))
