"""Every section of PHASE that the paper prints stands beside a metric of this check, on both machines."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
CHECK: dict[str, Any] = tomllib.loads((HERE / "check.toml").read_text())


@pytest.mark.parametrize("machine", ["k", "fx100"])
def test_all_sections_of_phase_stand_beside_a_metric(machine: str) -> None:
    tables = tomllib.loads((HERE.parents[1] / "machines" / f"{machine}.toml").read_text())["published"]
    printed = [each["sections"] for each in tables if each["application"] == "PHASE"]
    names = [each["name"] for sections in printed for each in sections]
    shown = [each["section"] for rows in CHECK["published"].values() for each in rows]
    assert len(names) == 16 and sorted(shown) == sorted(names)


def test_the_identifiers_of_the_paper_stand_in_the_meanings() -> None:
    """`FFT_D/alltoall1 202` is the meaning of the section whose metric stands beside row 202."""
    (phase,) = (each["sections"] for each in tomllib.loads((HERE.parents[1] / "machines" / "k.toml").read_text())["published"]
                if each["application"] == "PHASE")
    number = {each["name"]: each["id"] for each in phase}
    for metric, ((row,),) in ((metric, (rows,)) for metric, rows in CHECK["published"].items()):
        meaning = CHECK["section"][CHECK["metric"][metric]["section"]]["meaning"]
        assert meaning.startswith(f"{row['section']} {number[row['section']]}: "), metric
