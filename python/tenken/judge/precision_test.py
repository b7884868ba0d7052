"""Which peak bounds a flop rate: that of the precision of its metric, which parameters of the case may choose."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.check import Parameter
from tenken.model.run import CaseRun
from tenken.model.verdict import Verdict

PEAK = 48e9  # 16 flop/cycle of double precision x 3 GHz, one core; single precision has twice that


def judged(case_run: CaseRun) -> CaseAssessment:
    return assess(b.run(case_run), b.machine(), ()).cases[0]


def timed(path: str, fraction: float) -> b.Timed:
    """A section without noise at this fraction of the peak of single precision."""
    return b.Timed(path, np.full((1, 20), 1_000_000), work=b.Work(flop=round(fraction * 2 * PEAK * 1e-3)))


@pytest.mark.parametrize(
    ("given", "kind"),
    [({"kind": "fast"}, "single"), ({"kind": "slow"}, "double"), ({}, "double"), ({"n": 5, "kind": "fast"}, "double")],
)
def test_parameters_of_the_case_can_choose_the_precision(given: dict[str, object], kind: str) -> None:
    """90 % of the peak of single precision is impossible in double precision. Defaults count: kind = slow, n = 4."""
    parameters = (Parameter("kind", "choice", "slow", "m"), Parameter("n", "int", 4, "m"))
    chosen = replace(b.metric("rate", "rate"), single_where=({"kind": "other"}, {"kind": "fast", "n": 4}))
    check = b.check(metrics=[chosen], parameters=parameters)
    found = judged(b.case_run(b.record(timed("rate", 0.9)), of=check, parameters=given))
    if kind == "double":
        assert found.verdict is Verdict.INVALID and found.reason.startswith("impossible: rate at")
        return
    assert found.verdict is Verdict.OK and found.metrics[0].fraction == pytest.approx(0.9)
    assert found.sections[0].ceilings[0].ceiling.name == "peak single"


def test_the_precision_of_a_metric_chooses_its_peak() -> None:
    single = b.check(metrics=[b.metric("single", "single", precision="single")])
    found = judged(b.case_run(b.record(timed("single", 0.9)), of=single))
    assert found.verdict is Verdict.OK and found.metrics[0].fraction == pytest.approx(0.9)
    assert found.sections[0].ceilings[0].ceiling.name == "peak single"
    above = b.case_run(b.record(timed("single", 1.1)), of=single)
    assert judged(above).verdict is Verdict.INVALID


@pytest.mark.parametrize(("metric", "name"), [("outer", "peak single"), ("other", "peak double")])
def test_a_section_without_a_rate_of_its_own_takes_the_precision_of_the_one_around_it(metric: str, name: str) -> None:
    check = b.check(metrics=[b.metric(metric, metric, precision="single")])
    found = judged(b.case_run(b.record(timed("outer", 0.9), timed("outer/inner", 0.4)), of=check))
    inner = next(section for section in found.sections if section.path == "outer/inner")
    assert inner.ceilings[0].ceiling.name == name


def test_pipes_that_only_add_make_more_than_the_peak_possible() -> None:
    """24 flop a cycle with them, 16 without: 107 % of the peak is a figure, 154 % of it (103 % of 24) is not."""
    adding = b.machine(b.node(most_per_cycle_double=24.0, most_per_cycle_single=48.0))
    check = b.check(metrics=[b.metric("rate", "rate")])

    def of_peak(fraction: float) -> CaseAssessment:
        return assess(b.run(b.case_run(b.record(timed("rate", fraction / 2)), of=check)), adding, ()).cases[0]

    found = of_peak(1.07)
    assert found.verdict is Verdict.OK and found.metrics[0].fraction == pytest.approx(1.07)
    assert of_peak(1.5 * 1.03).reason.startswith("impossible: rate at 74.2 GFLOP/s is 103 % of 72 GFLOP/s")
