"""64 made-up cores with clusters, a slow pair and a slow core planted, through `assess` and the drawing."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.verdict import Axis, Verdict
from tenken.report import html
from tenken.report.draw.tables import tables

sys.path.append(str(Path(__file__).parent))
from made_up import HOST, assessed, judged, made_up


def axis(of: CaseAssessment, which: Axis) -> AxisResult:
    return next(one for one in of.axes if one.axis is which)


def test_clusters_are_named_by_what_they_share() -> None:
    balance = axis(judged(made_up(64, {})), Axis.BALANCE)
    assert balance.verdict is Verdict.OK
    assert re.fullmatch(
        r"8 groups of 8 \(same shared cache\) (59|60)\S* ns apart; 2 groups of 32 \(same socket\) 1\d\d ns apart; "
        r"64 cores 2\d\d ns apart",
        balance.reason), balance.reason


def test_clusters_that_the_kernel_does_not_tell_are_found_all_the_same() -> None:
    assert "8 groups of 8 (unknown to the kernel)" in axis(judged(made_up(64, {}, truth=False)), Axis.BALANCE).reason


@pytest.mark.parametrize("pair", [(3, 6), (10, 20), (7, 40)])
def test_one_slow_pair_is_named_with_what_its_like_take(pair: tuple[int, int]) -> None:
    (finding,) = judged(made_up(64, {pair: 1.6})).findings
    assert finding.what.startswith(f"the pair of processors {pair[0]} and {pair[1]} of {HOST} is slow: ")


def test_a_core_that_is_far_from_all_is_named_alone() -> None:
    (finding,) = judged(made_up(64, {(17, -1): 1.5})).findings
    assert finding.what.startswith(f"processor 17 of {HOST} is far from all others") and finding.where.cpu == 17


def test_healthy_tables_are_not_blamed() -> None:
    assert not [seed for seed in range(6) if judged(made_up(32, {}, seed)).findings]


def test_launches_of_unlike_modes_are_said_and_never_averaged() -> None:
    case = judged(made_up(64, {}), made_up(64, {}, factor=3), made_up(64, {}, factor=3))
    steadiness = axis(case, Axis.STEADINESS)
    assert steadiness.verdict is Verdict.NOT_JUDGED and "different core-to-core modes" in steadiness.reason
    assert "64 cores 2" in axis(case, Axis.BALANCE).reason  # of the faster mode


def test_two_cores_and_empty_tables_are_not_judged() -> None:
    two = made_up(16, {})
    two = replace(two, rows=two.rows[:2], columns=two.columns[:2], values=tuple(row[:2] for row in (two.values or ())[:2]))
    balance = axis(judged(two), Axis.BALANCE)
    assert balance.verdict is Verdict.NOT_JUDGED and "at least 5 cores" in balance.reason
    empty = replace(two, values=((None, None), (None, None)))
    assert axis(judged(empty), Axis.BALANCE).reason == "no pair of cores was measured"


def test_the_made_up_table_is_drawn() -> None:
    ((table, svg),) = tables(judged(made_up(64, {(3, 6): 1.6})))
    assert (len(table.rows), table.block) == (64, 1) and svg.count("<path") > 50
    assert table.worst[0].value > 240


def test_the_page_of_a_made_up_table_says_so_and_names_what_was_planted() -> None:
    page = html.page(assessed(made_up(64, {(3, 6): 1.6, (17, -1): 1.5})))
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "no measurement" in words and "processor 17 of made-up" in words and "processors 3 and 6 of made-up" in words
    assert "8 groups of 7 to 8 (same shared cache)" in words, "the far core is in no group"
