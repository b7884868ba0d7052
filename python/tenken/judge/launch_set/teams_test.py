"""Sections repeated over team sizes: each is held against the peak of its own team."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.verdict import Verdict

# The builders' node has a peak of 48 GFLOP/s a core (16 flop/cycle at 3 GHz).
RATE = replace(b.metric("rate", "multiply"), by="teams")
SWEEP = b.check("dgemm", [RATE])


def judged(rates: dict[int, float], threads: int = 4) -> CaseAssessment:
    sections = [b.fma(rate, path=f"multiply/{team}", of="multiply", at=team) for team, rate in rates.items()]
    record = b.record(*sections, check="dgemm", threads=threads)
    return assess(b.run(b.case_run(record, of=SWEEP)), b.machine(), ()).cases[0]


def test_each_team_has_its_own_peak() -> None:
    found = judged({1: 24e9, 4: 96e9})
    assert [metric.fraction for metric in found.metrics] == [pytest.approx(0.5, rel=1e-2), pytest.approx(0.5, rel=1e-2)]
    assert all(section.ceilings[0].fraction == pytest.approx(0.5, rel=1e-2) for section in found.sections)
    assert found.sections[0].ceilings[0].ceiling.formula.endswith("x 4 cores, 1 of 4 threads")
    assert found.sections[0].ceilings[0].binding


def test_one_thread_above_the_peak_of_one_core_is_impossible() -> None:
    assert judged({1: 60e9, 4: 96e9}).verdict is Verdict.INVALID
    assert judged({1: 44e9, 4: 96e9}).verdict is not Verdict.INVALID
