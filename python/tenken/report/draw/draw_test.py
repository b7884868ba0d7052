from __future__ import annotations

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import assessments
from tenken.model.assessment import CaseAssessment
from tenken.report.draw import bars, roofline, style

LQCD = assessments.lqcd()
DGEMM = assessments.dgemm()


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()).strip() for node in ElementTree.fromstring(svg).iter("text")]


def every_figure(case: CaseAssessment) -> list[str]:
    made = [roofline.roofline(case), bars.ceilings(case), bars.strip(case.sections)]
    made += [bars.ranks(section) for section in case.sections] + [
        bars.sweep(group) for group in bars.sweeps(case.metrics)
    ]
    return [svg for svg in made if svg]


@pytest.mark.parametrize(
    "case", [LQCD, DGEMM, assessments.pingpong(), *assessments.hostile().cases], ids=lambda case: case.check
)
def test_figures_are_xml_without_foreign_addresses(case: CaseAssessment) -> None:
    for svg in every_figure(case):
        ElementTree.fromstring(svg)
        assert "http" not in svg and "xmlns" not in svg and "<script" not in svg and "\x1b" not in svg


def test_drawing_is_deterministic_and_every_reference_arrives() -> None:
    for svg, again in zip(every_figure(LQCD), every_figure(LQCD), strict=True):
        assert svg == again
        names = set(re.findall(r'\bid="([^"]*)"', svg))
        assert set(re.findall(r"url\(#([^)]*)\)", svg)) | set(re.findall(r'href="#([^"]*)"', svg)) <= names


def test_the_roofline_names_roofs_and_every_section_with_work() -> None:
    shown = texts(roofline.roofline(LQCD))
    assert {"peak double  112.4 GFLOP/s", "memory  39.40 GB/s"} <= set(shown)
    named = {section.path for section in LQCD.sections if section.flop_rate}
    assert named <= set(shown)
    assert named.isdisjoint(section.path for section in roofline.outside(LQCD))
    assert [section.path for section in roofline.outside(LQCD)] == ["cg/communication"]


def test_a_section_above_its_roof_is_drawn_in_vermilion() -> None:
    impossible = [
        replace(section, ceilings=tuple(replace(item, fraction=1.2) for item in section.ceilings))
        for section in LQCD.sections
    ]
    assert style.BAD not in roofline.roofline(LQCD)
    assert style.BAD in roofline.roofline(replace(LQCD, sections=tuple(impossible)))


def test_a_section_without_memory_traffic_sits_at_the_edge() -> None:
    first, *rest = (section for section in LQCD.sections if section.flop_rate)
    case = replace(LQCD, sections=(replace(first, intensity=math.inf), *rest))
    assert first.path in texts(roofline.roofline(case))
    assert roofline.roofline(replace(case, sections=case.sections[:1])) == ""


def test_nothing_to_draw_gives_nothing() -> None:
    empty = assessments.nothing().cases[0]
    assert every_figure(empty) == [] and roofline.roofline(assessments.drill().cases[0]) == ""
    assert bars.ranks(DGEMM.sections[0]) == ""


def test_ceilings_write_percent_and_letter() -> None:
    assert {"56.7 % B", "0.9 % N"} <= set(texts(bars.ceilings(LQCD)))


def test_rank_bars_of_many_ranks_stay_small_and_mark_the_slowest() -> None:
    section = assessments.lqcd(count=10_000, slow={4711: 1.5}).sections[1]
    svg = bars.ranks(section)
    assert len(svg) < 40_000 and svg.count(style.BAD) == 1
    assert any(text.startswith("rank 4711") for text in texts(svg))


def test_a_sweep_needs_two_values() -> None:
    assert [len(group) for group in bars.sweeps(DGEMM.metrics)] == [2]
    assert bars.sweeps(DGEMM.metrics[:1]) == []
    assert {"512", "8 Ki", "2 Mi"} <= set(
        texts(bars.sweep([replace(DGEMM.metrics[0], at=at) for at in (64, 65536, 1 << 26)]))
    )
