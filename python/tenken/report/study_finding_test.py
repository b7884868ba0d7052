from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

import pytest

import study_assessments
from tenken.model.check import Plot
from tenken.model.study import PlottedMetric, StudyAssessment
from tenken.report.draw import study as draw
from tenken.report.studies import finding


def of(rows: dict[str, list[float]], better: str = "higher", spread: float = 0.01, disturbed: str = "") -> StudyAssessment:
    """Lines over x = 1, 2, 4, ...; all points of the line `disturbed` were."""
    points = [
        study_assessments.point("s", f"{line}{i}", {"x": 2**i, "line": line}, float(2**i),
                                study_assessments.figure(value, spread), disturbed="load" if line == disturbed else "")
        for line, values in rows.items() for i, value in enumerate(values)
    ]
    lines = "line" if len(rows) > 1 else None
    return dataclasses.replace(
        study_assessments.strong(), plot=Plot("curve", "x", ("solver",), lines, None, (), ()), points=tuple(points),
        axes={"x": "", "line": ""}, along="x", metrics=(PlottedMetric("solver", "us", better),))


def said(study: StudyAssessment) -> str:
    return finding(study, 0, study.points)


def test_the_widest_difference_between_lines_is_told_with_its_place() -> None:
    rows = {"send": [1.0, 2.0, 4.0], "put": [1.1, 5.0, 6.0]}
    assert said(of(rows)) == "at 2: put reaches 2.5 times the figure of send"
    assert said(of(rows, "lower")) == "at 2: put takes 2.5 times as long as send"


def test_only_times_take_long() -> None:
    study = of({"send": [1.0, 2.0], "put": [1.1, 5.0]}, "lower")
    lost = dataclasses.replace(study, metrics=(PlottedMetric("lost", "1", "lower"),))
    assert said(lost) == "at 2: put has 2.5 times the figure of send, and less is better"


def test_what_launches_spread_over_is_no_difference() -> None:
    assert said(of({"a": [1.0, 1.0], "b": [1.2, 1.3]}, spread=0.2)) == "no difference beyond that of launches (at most 30.0 %)"
    assert said(of({"a": [1.0, 1.0], "b": [1.04, 1.02]}, spread=0)) == "no difference beyond that of launches (at most 4.0 %)"


def test_disturbed_points_say_nothing() -> None:
    assert said(of({"a": [1.0, 1.0], "b": [9.0, 9.0]}, disturbed="b")) == "1 us at 1, 1 us at 2"
    assert said(of({"a": [1.0, 1.0]}, disturbed="a")) == ""


@pytest.mark.parametrize("values, better, words", [
    ([1.0, 2.0, 4.0], "higher", "1 us at 1, 4 us at 4"),
    ([1.0, 5.0, 4.0], "higher", "best 5 us at 2; 1 us at 1, 4 us at 4"),
    ([3.0, 2.0, 4.0], "lower", "best 2 us at 2; 3 us at 1, 4 us at 4"),
])
def test_one_line_is_told_by_its_ends_and_its_best_place(values: list[float], better: str, words: str) -> None:
    assert said(of({"only": values}, better)) == words


def test_bars_and_speed_up() -> None:
    assert said(study_assessments.variants()) == "explicit reaches 4.7 times the figure of scalar"
    assert said(study_assessments.strong()) == "up to 51.1 times, at 64, 80 % of the ideal"


def test_the_sentence_stands_in_the_drawing_and_in_its_description() -> None:
    (svg,) = draw.panels(study_assessments.variants())
    root = ElementTree.fromstring(svg)
    sentence = "explicit reaches 4.7 times the figure of scalar"
    assert any("".join(node.itertext()).strip() == sentence for node in root.iter("text"))
    assert root.attrib["aria-label"].endswith(sentence)


def test_more_lines_than_colours_are_told_apart_by_dashes() -> None:
    (svg,) = draw.panels(of({f"line{i}": [1.0 + i, 2.0 + i] for i in range(10)}))
    names = ["".join(node.itertext()).strip() for node in ElementTree.fromstring(svg).iter("text")]
    assert "line7" in names and "-- line8" in names and "-- line9" in names and "stroke-dasharray" in svg
