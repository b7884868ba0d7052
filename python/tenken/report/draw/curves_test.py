from __future__ import annotations

import math
import re

import pytest

from tenken.model.assessment import TableAssessment
from tenken.report import captions
from tenken.report.draw.tables import curves, difference

TIMES = [0.1 * step for step in range(40)]
WAVE = [math.sin(t) for t in TIMES]


def trace(columns: dict[str, list[float | None]], rows: tuple[str, ...] = ()) -> TableAssessment:
    rows = rows or tuple(f"t {t:g} s" for t in TIMES)
    values = tuple(zip(*columns.values(), strict=True))
    return TableAssessment("seismogram", "m/s", "lower", 1, rows, tuple(columns), 1, values, None, (), "curves")


def heights(svg: str) -> list[list[float]]:
    """Of each drawn line with all samples, its heights on the page."""
    paths = re.findall(r'<path d="(M [^"]*)"[^>]*clip-path', svg)
    points = [[float(y) for _, y in re.findall(r"[ML] (\S+) (\S+)", path)] for path in paths]
    return [line for line in points if len(line) == len(TIMES)]


def test_exact_values_lie_dashed_on_the_computed_ones() -> None:
    right = curves(trace({"vx": WAVE, "vz": WAVE, "exact_vx": WAVE}))
    first, exact, other = heights(right)
    assert first == exact and other != exact  # a panel of its own
    assert "seismogram  (m/s): vx, computed and exact differ by 0 %" in right or "differ by 0.0 %" in right
    assert right.count("exact differ") == 1 and ">time (s)<" in right and "stroke-dasharray" in right
    wrong = curves(trace({"vx": [-value for value in WAVE], "exact_vx": WAVE}))
    first, exact = heights(wrong)
    assert first != exact and "differ by 200" in wrong


def test_the_difference_is_that_of_all_rows() -> None:
    assert difference([1.0, 2.0], [1.0, 2.0]) == 0.0
    assert difference([3.0, 4.0], [0.0, 4.0]) == pytest.approx(0.75)
    assert difference([1.0, 2.0], [0.0, 0.0]) is None and difference([None, 2.0], [1.0, 2.0]) is None


def test_what_cannot_be_drawn_draws_nothing() -> None:
    assert curves(trace({"vx": [None] * len(TIMES)})) == ""
    assert curves(trace({"vx": [1.0, 2.0]}, ("first", "second"))) == ""
    assert "<script" not in curves(trace({"<script>": WAVE}))


def test_the_caption_names_both_lines() -> None:
    assert "dashed: exact. Lines apart look bad." in captions.table(trace({"vx": WAVE, "exact_vx": WAVE}))
    assert "exact" not in captions.table(trace({"vx": WAVE}))
