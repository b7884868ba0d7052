from __future__ import annotations

import dataclasses
import re
from itertools import count

import assessments
import pytest
import study_assessments

from tenken.model.check import Plot
from tenken.model.contract import Held, Requirement, RequirementResult
from tenken.model.study import PlottedMetric, StudyAssessment
from tenken.report import html, text, topics


def threads(values: list[float], better: str = "higher", disturbed: str = "") -> StudyAssessment:
    """One line over 1, 2, 4, ... threads."""
    points = [
        study_assessments.point("s", f"t{n}", {"threads": 2**n}, float(2**n), study_assessments.figure(value),
                                disturbed=disturbed)
        for n, value in zip(count(), values)
    ]
    return dataclasses.replace(
        study_assessments.strong(), id="lqcd:s", plot=Plot("curve", "threads", ("solver",), None, None, (), ()),
        points=tuple(points), axes={"threads": ""}, along="threads", metrics=(PlottedMetric("solver", "GFLOP/s", better),))


def sentences(study: StudyAssessment) -> list[str]:
    return topics.Shown(study_assessments.evaluation().topics[0], (), (study,), ()).sentences


@pytest.mark.parametrize(("values", "says"), [
    ([10.0, 19.0, 20.0, 20.0], "solver stays within 5 % of its best from 2 threads on (of 8)"),
    ([10.0, 20.0, 10.0, 20.0], "solver grows up to 8 threads"),  # a dent is no saturation
    ([10.0, 20.0, 30.0], "solver grows up to 4 threads"),
    ([10.0, 20.0, 15.0], "solver is best at 2 threads, 25.0 % less at 4"),
    ([10.0], ""),
])
def test_where_a_rate_saturates(values: list[float], says: str) -> None:
    assert sentences(threads(values)) == ([f"lqcd:s: {says}"] if says else [])


def test_panels_are_never_compared_with_each_other() -> None:
    one, other = threads([10.0, 20.0]), threads([100.0, 50.0])
    points = [
        dataclasses.replace(point, places={**point.places, "pages": pages})
        for pages, study in (("base", one), ("huge", other)) for point in study.points
    ]
    both = dataclasses.replace(one, points=tuple(points), axes={"threads": "", "pages": ""},
                               plot=dataclasses.replace(one.plot, panels="pages"))
    assert sentences(both) == ["lqcd:s: base: solver grows up to 2 threads; huge: solver is best at 1 thread, 50.0 % less at 2"]


def test_times_are_told_by_their_ends_and_load_by_a_sentence() -> None:
    assert sentences(threads([4.0, 2.0, 1.0], "lower")) == ["lqcd:s: 4 GFLOP/s at 1, 1 GFLOP/s at 4"]
    loaded = sentences(threads([4.0, 2.0], disturbed="steal 9 %"))
    assert loaded == ["lqcd:s: all points met other load, so their figures are bounds"]


def test_a_topic_has_its_figures_and_names_what_was_not_measured() -> None:
    memory, rest = topics.topics(study_assessments.evaluation())
    stream = next(metric for metric in assessments.stream().metrics if metric.fraction is not None)
    assert memory.sentences[0].startswith("stream:memory reaches ") and "of memory" in memory.sentences[0]
    assert f"({stream.name}), " in memory.sentences[0] and memory.missing == (
        ("lqcd:volume (64x64x64x64-threads1, 64x64x64x64-threads64)", "too little memory"),)
    assert [case.id for case in rest.cases] == ["dgemm:square"] and [study.id for study in rest.studies] == ["lqcd:ranks"]
    assert rest.missing == (
        ("io_throughput:posix", "no folder named: --set root=DIR"), ("lqcd:left", "it does not fit into the 600 s"))


def test_the_page_has_a_part_for_each_topic() -> None:
    page = html.page(study_assessments.evaluation())
    headings = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert headings[:3] == ["Memory", "The rest", "Why"]
    assert page.count('<section class="case" id="study-') == 2 and "133 GB/s" in page and "size, ranks" in page
    assert "<li>io_throughput:posix: no folder named: --set root=DIR</li>" in page
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= set(re.findall(r'id="([^"]+)"', page))


def test_the_terminal_has_a_line_for_each_topic() -> None:
    evaluation = study_assessments.evaluation()
    rest = dataclasses.replace(evaluation.topics[1], include=(*evaluation.topics[1].include, "broken:study"))
    unread = topics.topics(dataclasses.replace(evaluation, topics=(rest,)))
    assert unread[0].missing[-1] == ("broken:study", "not part of this run")
    shown = text.verdict(evaluation).splitlines()
    assert len(shown) <= text.OTHER_LINES
    assert sum(line.startswith(("memory ", "rest ")) for line in shown) == 2
    assert any("2 not measured" in line for line in shown)


def test_topics_stop_where_the_room_on_the_terminal_ends() -> None:
    shown = study_assessments.evaluation()
    assert len(shown.topics) > 2
    assert [len(topics.topic_lines(shown, 100, room)) for room in (0, 1, 2)] == [0, 1, 2]


TOY = Requirement("1", "", "toy:a", "rate", 10.0, "GB/s")


@pytest.mark.parametrize(("value", "best", "said"), [
    (8.0, None, "8 GB/s"), (8.0, 8.00001, "8 GB/s"), (8.0, 12.0, "8 GB/s to 12 GB/s"), (8.0, 8e9, "8 GB/s or more"),
    (13.0, 1e-9, "13 GB/s or less"), (None, None, "-"),
])
def test_a_figure_that_another_load_bounds(value: float | None, best: float | None, said: str) -> None:
    assert topics.measured(RequirementResult(TOY, Held.NOT_JUDGED, "", "higher", value, best, "", "")) == said
