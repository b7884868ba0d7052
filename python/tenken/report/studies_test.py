from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import assessments
import golden_files
import study_assessments
from tenken.base import units
from tenken.model import study as model
from tenken.model.study import StudyAssessment
from tenken.model.verdict import Verdict
from tenken.report import captions, html, studies, text
from tenken.report.draw import study, study as draw, style
from tenken.report.draw.matrix import Matrix, matrix as draw_matrix
from tenken.report.results import results
from tenken.report.text import study_lines

ALL = {"volume": study_assessments.volume, "strong": study_assessments.strong, "variants": study_assessments.variants,
       "heat": study_assessments.heat, "stack": study_assessments.stack}
SCHEMA = json.loads((Path(__file__).parents[3] / "schema" / "results.schema.json").read_text(encoding="utf-8"))


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()).strip() for node in ElementTree.fromstring(svg).iter("text")]


def plainly(svg: str) -> set[str]:
    """Its texts with single blanks."""
    return {re.sub(" +", " ", one) for one in texts(svg)}


def drawing(study: StudyAssessment) -> str:
    (svg,) = draw.panels(study)
    return svg


@pytest.mark.parametrize("name", ALL)
def test_the_terminal_shows_a_study_in_its_lines(name: str) -> None:
    run = study_assessments.run(ALL[name]())
    shown = text.verdict(run)
    golden_files.check(f"study-{name}.txt", shown)
    assert len(shown.splitlines()) <= text.OTHER_LINES and all(len(line) <= 100 for line in shown.splitlines()[:-1])
    assert shown.count(studies.BEST) == 2  # the point and the legend


def test_several_studies_share_the_screen_and_all_shows_every_row() -> None:
    run = study_assessments.run(*(make() for make in ALL.values()))
    shown = text.verdict(run)
    assert len(shown.splitlines()) <= text.OTHER_LINES and all(study.id in shown for study in run.studies)
    everything = text.verdict(run, everything=True)
    assert "more (--all)" in shown and all(f"\n{x}x{x}x{x}x{x} " in everything for x in (4, 8, 16, 32))


def test_no_room_gives_no_half_table() -> None:
    for room in range(8):
        assert len(study_lines(study_assessments.volume(), 100, room)) <= room


def test_a_volume_study_is_drawn_with_lines_caches_and_a_hollow_disturbed_point() -> None:
    study = study_assessments.volume()
    shown = texts(drawing(study))
    assert {"1 thread", "64 threads", "L3 256 MiB", "L1", "L2", "working set", "16 MiB"} <= {re.sub(" +", " ", t) for t in shown}
    assert style.BAD in drawing(study)  # the wrong answer
    quiet = dataclasses.replace(study, points=tuple(dataclasses.replace(one, disturbed="") for one in study.points))
    assert drawing(study).count("#ffffff") > drawing(quiet).count("#ffffff")
    assert "L1" not in texts(drawing(dataclasses.replace(study, caches=())))


def test_a_scaling_study_is_drawn_as_speed_up_with_the_ideal_and_the_efficiency() -> None:
    shown = texts(drawing(study_assessments.strong()))
    assert {"speed-up of solver", "ideal", "32x32x32x32, 80 %", "48", "ranks"} <= set(shown)


def test_what_has_no_order_is_drawn_as_bars() -> None:
    assert {"explicit", "9.90"} <= set(texts(drawing(study_assessments.variants())))
    two = study_assessments.volume()
    points = tuple(dataclasses.replace(one, x="abcdefgh"[index % 8]) for index, one in enumerate(two.points))
    grouped = dataclasses.replace(two, points=points, caches=(), plot=dataclasses.replace(two.plot, x="lattice"))
    assert {"1 thread", "64 threads"} <= set(texts(drawing(grouped)))


def test_a_heat_is_a_matrix_with_its_figures_signs_and_crosses() -> None:
    study = study_assessments.heat()
    shown = texts(drawing(study))
    best, disturbed = (next(one for one in study.points if one.name == name) for name in ("ranks8-threads1", "ranks1-threads8"))
    assert f"{units.number(best.figures[0].value, 3)}*" in shown and f"{units.number(disturbed.figures[0].value, 3)}~" in shown
    assert {"ranks", "threads", "1", "2", "4", "8", "solver  (GFLOP/s)"} <= set(shown) and style.BAD in drawing(study)
    right = dataclasses.replace(study, points=tuple(one for one in study.points if one.verdict is Verdict.OK))
    assert style.BAD not in drawing(right)


def test_a_heat_is_dark_where_it_is_bad() -> None:
    matrix = study.of_points(study_assessments.heat(), 0, "", study_assessments.heat().points)
    assert matrix.values[0][0] == study_assessments.heat().points[0].figures[0].value and matrix.values[3][3] is None
    assert matrix.wrong == {(2, 1)} and matrix.better == "higher"
    two = [[1.0, 2.0]]
    fills = [re.findall(r'fill: (#[0-9a-f]{6})', draw_matrix(Matrix("m", "s", better, ["a"], ["b", "c"], two))) for better in
             ("higher", "lower")]
    dark, light = "#1d4766", "#dce8f0"
    assert fills[0].index(dark) < fills[0].index(light) and fills[1].index(light) < fills[1].index(dark)


def test_a_stack_holds_every_section_the_smallest_as_one() -> None:
    study = study_assessments.stack()
    shown = texts(drawing(study))
    assert {"solve/operator", "solve/wait", "solve/reduction", "write", "others", "time of a repetition  (ms)"} <= set(shown)
    assert "small/0" not in shown and "small/5" in shown
    totals = [sum(one.ns for one in point.sections) / 1e6 for point in study.points]
    assert {f"{units.number(totals[0], 3)}", f"{units.number(totals[1], 3)}~", f"{units.number(totals[3], 3)}"} <= set(shown)
    assert style.BAD in drawing(study)  # the wrong answer has a cross and no bar


def test_each_metric_and_each_panel_is_a_drawing_with_the_same_limits() -> None:
    study = study_assessments.volume()
    panelled = dataclasses.replace(study, plot=dataclasses.replace(study.plot, lines=None, panels="threads"))
    one, two = draw.panels(panelled)
    assert any(shown.endswith(" 1 thread") for shown in texts(one)) and any(shown.endswith("64 threads") for shown in texts(two))
    ticks = [[shown for shown in texts(svg) if shown in ("5", "50", "500")] for svg in (one, two)]
    assert ticks[0] == ticks[1] and ticks[0]


def test_nothing_measured_draws_nothing_and_breaks_nothing() -> None:
    study = study_assessments.volume()
    bare = dataclasses.replace(study, points=())
    blank = dataclasses.replace(study, points=tuple(
        dataclasses.replace(one, x=None, figures=(study_assessments.figure(None),)) for one in study.points
    ))
    for empty in (bare, blank):
        assert draw.panels(empty) == []
        run = study_assessments.run(empty)
        assert empty.title in html.page(run) and "lqcd:volume" in text.verdict(run)


def test_a_point_still_to_be_measured_is_neither_wrong_nor_drawn() -> None:
    study = study_assessments.strong()
    waiting = dataclasses.replace(study.points[3], verdict=Verdict.NOT_JUDGED, figures=(study_assessments.figure(None),))
    partial = dataclasses.replace(study, points=(*study.points[:3], waiting, *study.points[4:]))
    assert style.BAD not in drawing(partial) and "cross" not in captions.study(partial)
    assert "NOT JUDGED" not in "\n".join(study_lines(partial, 100, 24))


def test_drawing_is_deterministic_and_without_foreign_addresses() -> None:
    first = drawing(study_assessments.volume())
    assert first == drawing(study_assessments.volume()) and "http" not in first and "<script" not in first


def test_the_page_has_the_study_its_caption_and_a_row_for_each_point() -> None:
    study = study_assessments.volume()
    page = html.page(study_assessments.run(study))
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert captions.study(study) in words and "hollow: disturbed (1)" in words and "cross: no right answer" in words
    assert "Left out: 64x64x64x64-threads1, 64x64x64x64-threads64 (too little memory)." in words
    assert all(f"{studies.x_text(study, point.x)}" in words for point in study.points)
    for point in study.points:
        assert point.case_id in words
    assert len(page.encode()) < 2_000_000 and "no ceiling" not in page


def test_results_fit_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    written = json.loads(json.dumps(results(study_assessments.run(*(make() for make in ALL.values()))), allow_nan=False))
    jsonschema.Draft202012Validator(SCHEMA).validate(written)
    written["studies"][0]["plot"]["kind"] = "pie"
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(written)


@pytest.mark.parametrize("part", [
    model.StudyAssessment, model.PointResult, model.PointFigure, model.SectionTime, model.LeftOut, model.CacheMark,
    model.PlottedMetric, model.PublishedPoint, model.StudyTable,
])
def test_schema_and_model_name_the_same_fields(part: type) -> None:
    name = part.__name__[0].lower() + part.__name__[1:]
    fields = {field.name for field in dataclasses.fields(part)}
    assert fields == set(SCHEMA["$defs"][name]["properties"]) == set(SCHEMA["$defs"][name]["required"])


def test_hostile_names_are_text() -> None:
    study = study_assessments.volume()
    evil = dataclasses.replace(study, title=assessments.HOSTILE, left_out=(model.LeftOut("a", assessments.HOSTILE),))
    page, shown = html.page(study_assessments.run(evil)), text.verdict(study_assessments.run(evil))
    assert "<script" not in page and all(char == "\n" or char.isprintable() for char in shown)


def test_processors_and_what_cannot_differ_here_are_told() -> None:
    study = study_assessments.variants()
    placed = dataclasses.replace(
        study, notes=("one socket here: one_socket is the whole node",),
        points=tuple(dataclasses.replace(one, processors=f"{index}-{index + 1}") for index, one in enumerate(study.points)),
    )
    shown = text.verdict(study_assessments.run(placed))
    assert "processors" in shown and "2-3" in shown and "\none socket here: one_socket is the whole node" in shown
    assert len(shown.splitlines()) <= text.OTHER_LINES
    page = re.sub(r"<[^>]+>", " ", html.page(study_assessments.run(placed)))
    assert "One socket here" in page and "processors" in page and " 2-3 " in page
    assert "processors" not in text.verdict(study_assessments.run(study))


def test_published_results_are_hollow_named_and_with_source() -> None:
    study = study_assessments.volume()
    beside = dataclasses.replace(study, published=(model.PublishedPoint("solver", "fx100, QCD", 4096.0, 47.9, "slide 7"),))
    key = "a 47.90 GFLOP/s fx100, QCD"
    assert {"a", key} <= plainly(drawing(beside)) and not {"a", key} & plainly(drawing(study))
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.page(study_assessments.run(beside))))
    assert "hollow diamonds, with letters: published" in words and "(solver). Source: slide 7." in words
    elsewhere = dataclasses.replace(beside, published=(model.PublishedPoint("solver", "fx100, QCD", "none", 1.0, "s"),))
    assert not any("fx100" in one for one in texts(drawing(elsewhere)))


def test_published_results_at_one_place_share_their_letters_and_none_is_cut_off() -> None:
    study = study_assessments.volume()
    rows = (("one", 4096.0, 1.0), ("two", 4096.0, 1.01), ("three", 4096.0, 50.0), ("low", 8192.0, 0.002345))
    beside = dataclasses.replace(study, published=tuple(
        model.PublishedPoint("solver", name, x, value, "s") for name, x, value in rows))
    shown = plainly(drawing(beside))
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.page(study_assessments.run(beside))))
    assert words.count("Source: s.") == 1, "a source is named once"
    assert "one at 4 KiB: 1 (solver); two at 4 KiB: 1.010 (solver)" in words
    assert {"a, b", "c", "d", "a 1 GFLOP/s one", "d 0.002345 GFLOP/s low"} <= shown and "b" not in shown
    assert {"0.01", "0.1"} <= shown and "0.1" not in plainly(drawing(study)), "the axis goes down to what was published"


def together() -> StudyAssessment:
    """Two lines with a time and its model, and a rate."""
    study = study_assessments.volume()
    named = (("time", "us"), ("model", "us"), ("rate", "GB/s"))
    metrics = tuple(model.PlottedMetric(name, unit, "lower") for name, unit in named)
    points = tuple(
        dataclasses.replace(one, verdict=Verdict.OK, disturbed="", figures=tuple(
            dataclasses.replace(study_assessments.figure(one.x / factor), metric=metric.name)
            for metric, factor in zip(metrics, (90.0, 100.0, 3.0), strict=True)))
        for one in study.points if isinstance(one.x, float)
    )
    plot = dataclasses.replace(study.plot, kind="metrics", y=("time", "model", "rate"))
    return dataclasses.replace(study, metrics=metrics, points=points, plot=plot)


def test_metrics_of_one_unit_share_a_panel() -> None:
    times, rates = (plainly(svg) for svg in draw.panels(together()))
    assert {"time, model (µs)", "1 thread, time", "1 thread, model", "64 threads, time", "64 threads, model"} <= times
    assert texts(draw.panels(together())[0]).count("L1") == texts(draw.panels(together())[1]).count("L1") == 1, "one mark a line"
    assert {"rate (GB/s)", "1 thread", "64 threads"} <= rates and not {one for one in rates if "model" in one}
    alone = dataclasses.replace(together(), plot=dataclasses.replace(together().plot, kind="curve"))
    assert len(draw.panels(alone)) == 3
    few = dataclasses.replace(together(), plot=dataclasses.replace(together().plot, lines=None), points=together().points[:4])
    assert {"time", "model"} <= plainly(draw.panels(few)[0]), "without lines each metric has its name"


def test_negative_figures_are_inside_of_the_axis() -> None:
    study = study_assessments.volume()
    points = tuple(dataclasses.replace(one, figures=(study_assessments.figure(value),), disturbed="", verdict=Verdict.OK)
                   for one, value in zip(study.points, (9.0, 4.0, -3.0), strict=False))
    flat = dataclasses.replace(study, points=points, caches=(), plot=dataclasses.replace(study.plot, lines=None, log=("x",)))
    assert {"-2", "0", "8"} <= {one.replace("\N{MINUS SIGN}", "-") for one in plainly(drawing(flat))}


def test_launches_are_told_beside_each_figure_with_what_they_hold() -> None:
    study = study_assessments.variants()
    marked = dataclasses.replace(study, plot=dataclasses.replace(study.plot, marks=("launches",)))
    shown = text.verdict(study_assessments.run(marked))
    assert "7.70 (7.47..7.93)" in shown and "(a..b) least and greatest launch: 75.0 % interval of the median" in shown
    assert studies._alike(-0.1312, -0.2571, -0.0052) == ["-0.13", "-0.26", "-0.01"] and studies._alike(0.0, 0.0, 0.0) == ["0"] * 3
    assert studies._alike(1234.0, 1200.0, 1300.0) == ["1234", "1200", "1300"]
    assert "(75.0 % interval of the median)" in captions.study(marked) and "interval" not in captions.study(study)


def test_what_the_check_tells_stands_below_the_figures_in_the_lines_of_the_screen() -> None:
    study = study_assessments.variants()
    table = model.StudyTable("counted", ("", "one", "two"), (("do", "35", "<b>23</b>"), ("barrier", "43", "31")), "no more")
    told = dataclasses.replace(study, tables=(table,))
    shown = text.verdict(study_assessments.run(told))
    assert re.search(r"\ncounted\n +one +two\ndo +35 +<b>23</b>\nbarrier +43 +31\nno more\n", shown)
    assert len(shown.splitlines()) <= text.OTHER_LINES
    for room in range(20):
        assert len(study_lines(told, 100, room)) <= room
    page = re.sub(r"\s+", " ", html.page(study_assessments.run(told)))
    assert "<h4>counted</h4>" in page and "&lt;b&gt;23" in page and '<td class="num">31</td>' in page and "no more" in page


def test_a_count_has_no_unit_on_its_axis() -> None:
    study = dataclasses.replace(study_assessments.volume(), x_unit="1")
    assert studies.x_text(study, 2048.0) == "2048" and studies.x_text(study_assessments.volume(), 2048.0) == "2 KiB"
    assert not [one for one in plainly(drawing(study)) if one.endswith(" 1")]


def test_a_narrow_terminal_gives_up_a_derived_place_and_never_the_axis() -> None:
    narrow = study_lines(study_assessments.strong(), 30, 24)
    assert narrow[2].startswith("ranks") and narrow[3].startswith("1 ")
    assert "working set" in study_lines(study_assessments.volume(), 100, 24)[2]
    assert "working set" not in study_lines(study_assessments.volume(), 20, 24)[2]


def test_a_ratio_has_no_unit_in_its_headings() -> None:
    study = study_assessments.variants()
    ratio = dataclasses.replace(study, metrics=(dataclasses.replace(study.metrics[0], unit="1"),))
    assert "solver" in plainly(drawing(ratio)) and "(1)" not in html.page(study_assessments.run(ratio))
    assert '<th class="num">solver (GFLOP/s)</th>' in html.page(study_assessments.run(study))
    two = dataclasses.replace(together(), metrics=(together().metrics[0], dataclasses.replace(together().metrics[1], unit="1")))
    headings, _ = studies.table(two)
    assert "time us, 1 thread" in headings and "model, 1 thread" in headings


def test_published_results_of_one_panel_are_drawn_there_alone() -> None:
    study = study_assessments.volume()
    beside = dataclasses.replace(
        study, plot=dataclasses.replace(study.plot, lines=None, panels="threads"),
        published=(model.PublishedPoint("solver", "everywhere", 4096.0, 2.0, "s"),
                   model.PublishedPoint("solver", "of many", 4096.0, 3.0, "s", panel="64")))
    one, many = map(plainly, draw.panels(beside))
    assert "a 2 GFLOP/s everywhere" in one & many
    assert "b 3 GFLOP/s of many" in many and not any("of many" in told for told in one)
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.page(study_assessments.run(beside))))
    assert "everywhere at 4 KiB: 2 (solver); of many at threads 64, 4 KiB: 3 (solver)" in words
