from __future__ import annotations

from dataclasses import replace

import assessments
from tenken.model.assessment import CaseAssessment, Ceiling
from tenken.model.run import Launch, RankState
from tenken.model.verdict import Verdict
from tenken.report import html, select, text


def test_points_are_worst_first_and_cover_every_case_that_is_not_ok() -> None:
    found = select.points(assessments.bad())
    assert [point.verdict.value for point in found] == ["INVALID", "FAIL", "ERROR", "WARN", "NOT JUDGED"]
    assert {point.case.id for point in found} == {
        case.id for case in assessments.bad().cases if case.verdict is not Verdict.OK
    }


def test_broken_launches_are_told_with_the_first_point_of_their_case_only() -> None:
    case = assessments.bad().cases[4]
    case = replace(
        case, findings=case.findings + (replace(case.findings[0], what="second"),), launches=(assessments.crash(),)
    )
    first, second = select.points(replace(assessments.run([case]), findings=case.findings))
    assert first.launches and not second.launches


def test_all_is_ok_only_where_something_ran_to_its_end() -> None:
    good = assessments.ok()
    assert select.all_ok(good)
    assert not select.all_ok(replace(good, state="interrupted"))
    assert not select.all_ok(replace(good, cases=()))
    assert not select.all_ok(replace(good, cases=(*good.cases, assessments.nothing().cases[0])))


def test_the_headline_is_the_metric_with_the_best_known_ceiling() -> None:
    roofs = {"old": Ceiling("memory", "measured", 1.0, "", "2026-01-01"), "spec": Ceiling("memory", "spec", 1.0, ""),
             "now": Ceiling("memory", "measured", 1.0, ""), "none": None}
    metrics = [
        assessments.metric(name, name, 1.0, "GB/s", roof=(roof, 0.5) if roof else None) for name, roof in roofs.items()
    ]
    names = []
    while metrics:
        best = select.headline(assessments.case("c:c", (), metrics))
        assert best is not None
        names.append(best.name)
        metrics = [metric for metric in metrics if metric.name != best.name]
    assert names == ["now", "old", "spec", "none"]


def test_the_headline_is_the_metric_that_the_check_names() -> None:
    roof = Ceiling("memory", "measured", 1.0, "")
    ceiled = assessments.metric("copy", "copy", 1.0, "GB/s", roof=(roof, 0.5))
    rates = [replace(assessments.metric("triad", "triad", 1.0, "GB/s", at=at), headline=f"triad by {at}") for at in (1, 4, 2)]
    times = [replace(assessments.metric("latency", "exchange", 1.0, "us", "time_per_call", at=at), headline=f"{at} B")
             for at in (64, 8)]
    for named, expected in ((rates, "triad by 4"), (times, "8 B")):
        best = select.headline(assessments.case("c:c", (), [ceiled, *named]))
        assert best is not None and best.headline == expected


def test_an_axis_without_ground_is_listed_once_for_the_run() -> None:
    one, two = assessments.stream(), replace(assessments.stream(), id="stream:two")
    open_ = replace(one, id="stream:open", axes=tuple(replace(axis, ground=True) for axis in one.axes))
    assert select.groundless([one, two, open_]) == [("change", "no baseline", ["stream:memory", "stream:two"])]


def test_a_case_that_was_not_judged_stands_before_those_that_are_well() -> None:
    well, open_ = assessments.stream(), replace(assessments.stream(), id="stream:open", verdict=Verdict.NOT_JUDGED)
    assert [case.id for case in select.worst_first([well, open_])] == ["stream:open", well.id]


def test_a_withheld_figure_is_never_a_headline() -> None:
    assert select.headline(assessments.drill().cases[0]) is None


def test_a_check_is_headed_by_its_case_on_most_processors() -> None:
    chosen = {case.check: case.id for case, _ in select.headlines(assessments.ok())}
    assert chosen["fma_peak"] == "fma_peak:all_cores"


def test_letters_of_ceilings() -> None:
    assert [
        select.letter(Ceiling(name, "spec", 1.0, "")) for name in ("peak single", "memory", "network", "disk", "")
    ] == ["F", "B", "N", "D", ""]


def test_what_no_launch_measured_is_no_figure_that_is_missing() -> None:
    case = assessments.stream()
    absent = replace(case.metrics[0], name="elsewhere", value=None, mad=None, launches=0)
    more = replace(case, metrics=(*case.metrics, absent))
    assert select.told_metrics(more) == list(case.metrics) and "elsewhere" not in html.page(assessments.run([more]))
    assert "withheld" not in html.page(assessments.run([more]))
    wrong = assessments.lqcd(valid=False, verdict=Verdict.INVALID, reason="plaquette is 0.5921, 0.5937 is expected")
    assert select.told_metrics(wrong) == list(wrong.metrics) and "withheld" in html.page(assessments.run([wrong]))


def ran_on(case_id: str, *hosts: str) -> CaseAssessment:
    ranks = tuple(RankState(rank, host, 1, "done", None, 9, 9) for rank, host in enumerate(hosts))
    done = Launch(1, case_id, "done", "launches/0001", ranks=ranks)
    lost = Launch(2, case_id, "crashed", "launches/0002", ranks=(RankState(0, "n3", 1, "timing", None, 1, 9),))
    return assessments.case(case_id, (), (), launches=(done, lost))


def test_the_first_line_names_the_nodes_that_fewer_cases_ran_on() -> None:
    whole = assessments.run([ran_on("a:a", "n1", "n2"), ran_on("b:b", "n1.site"), ran_on("c:c", "n1", "n1#2")])
    first = whole.machine.nodes[0]
    nodes = {number: tuple(replace(first, host=f"n{i}") for i in range(1, number + 1)) for number in (1, 2, 3, 4)}
    expected = {1: "", 2: "n2: 1 of 3 cases", 3: "n3: not measured", 4: "n3 and 1 more: not measured"}
    for number, words in expected.items():
        one = replace(whole, machine=replace(whole.machine, nodes=nodes[number]))
        head = text.verdict(one, width=200).partition("\n")[0]
        assert select.coverage(one) == words and head.partition(" compared  ")[2].lstrip().startswith(words)
        assert ("cases" in head or "not measured" in head) == bool(words)
        assert words in html.page(one)
    alike = replace(whole, machine=replace(whole.machine, nodes=nodes[2]), cases=(ran_on("a:a", "n1", "n2"),))
    assert select.coverage(alike) == ""
