"""Tolerances mean the same in the judge and in a program that runs by hand: the cases of tests/expressions.tsv."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import builders as b
import pytest

from tenken.judge.common.validity import evaluated
from tenken.model.check import Parameter

TABLE = Path(__file__).resolve().parents[4] / "tests/expressions.tsv"
CASES = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
CHECK = b.check(parameters=(
    Parameter("lattice", "ints", [4, 8], "sites"), Parameter("start", "choice", "hot", "links", choices=("hot", "cold")),
    Parameter("file", "path", "", "links"),
))
RECORD = b.record(b.fma(40e9), values={"half": ("1", 0.5), "two": ("1", 2.0), "zero": ("1", 0.0)})


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_the_judge_gives_the_value_of_the_table(text: str, expected: str) -> None:
    value = evaluated(text, CHECK, {}, RECORD)
    assert isnan(value) if expected == "none" else value == pytest.approx(float(expected), rel=1e-15, abs=0)
