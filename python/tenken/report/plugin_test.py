from __future__ import annotations

import assessments
import pytest

from tenken.model.health import HealthResult
from tenken.model.verdict import Verdict
from tenken.report.plugin import line, unknown

WELL = (HealthResult("tmp", Verdict.OK, "/tmp has 5 GiB free"), HealthResult("memory", Verdict.NOT_JUDGED, "no EDAC"))


def test_a_healthy_node_is_one_line_with_figures() -> None:
    text, code = line("n0", assessments.ok(), WELL)
    assert code == 0 and text.startswith("OK - n0: ") and "/tmp has 5 GiB free" in text and "EDAC" not in text
    assert text.count("|") == 1 and "\n" not in text
    assert "'fma_peak double [GFLOP/s]'=" in text.split("|")[1]


def test_the_worst_decides_and_is_told() -> None:
    full = (HealthResult("tmp", Verdict.WARN, "/tmp is full"),)
    text, code = line("n0", assessments.ok(), full)
    assert (code, text.split("|")[0]) == (1, "WARNING - n0: /tmp is full ")
    memory = (HealthResult("memory", Verdict.FAIL, "2 uncorrectable memory errors"),)
    assert line("n0", assessments.ok(), full + memory)[1] == 2
    text, code = line("n0", assessments.bad(), WELL)
    assert code == 2 and text.startswith("CRITICAL - n0: ") and "more |" in text


@pytest.mark.parametrize("name", ["nothing", "interrupted"])
def test_nothing_unmeasured_is_green(name: str) -> None:
    text, code = line("n0", getattr(assessments, name)(), WELL)
    assert code == 3 and text.startswith("UNKNOWN - n0: ")


def test_hostile_names_cannot_forge_figures_or_lines() -> None:
    text, _ = line("n0|'x'=1\n", assessments.hostile(), WELL)
    assert text.count("|") <= 1 and "\n" not in text
    assert unknown("n0", "no build | x") == ("UNKNOWN - n0: no build / x", 3)
