"""Which peak bounds a flop rate: that of the precision that the record states, else of its metric's."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.run import CaseRun
from tenken.model.verdict import Verdict

PEAK = 48e9  # 16 flop/cycle of double precision x 3 GHz, one core; single precision has twice that


def judged(case_run: CaseRun) -> CaseAssessment:
    return assess(b.run(case_run), b.machine(), ()).cases[0]


def timed(path: str, fraction: float) -> b.Timed:
    """A section without noise at this fraction of the peak of single precision."""
    return b.Timed(path, np.full((1, 20), 1_000_000), work=b.Work(flop=round(fraction * 2 * PEAK * 1e-3)))


def test_the_record_chooses_the_precision_before_the_metric() -> None:
    """90 % of the peak of single precision is impossible in double precision."""
    check = b.check(metrics=[b.metric("rate", "rate")])
    found = judged(b.case_run(b.record(timed("rate", 0.9)), of=check))
    assert found.verdict is Verdict.INVALID and found.reason.startswith("impossible rate: section rate at")
    stated = b.case_run(b.record(replace(timed("rate", 0.9), precision="single")), of=check)
    found = judged(stated)
    assert found.verdict is Verdict.OK and found.metrics[0].fraction == pytest.approx(0.9)
    assert found.sections[0].ceilings[0].ceiling.name == "peak single" and found.sections[0].precisions == ("single",)
    stated = b.case_run(b.record(replace(timed("rate", 0.45), precision="double")), of=replace(
        check, metrics=(b.metric("rate", "rate", precision="single"),)))
    assert judged(stated).sections[0].ceilings[0].ceiling.name == "peak double"


@pytest.mark.parametrize(("of_parts", "precisions"), [
    (("single", "single"), ("single",)),
    (("single", None), ("double", "single")),
    ((None, None), ()),
])
def test_a_group_has_the_precisions_of_what_is_in_it(
    of_parts: tuple[str | None, str | None], precisions: tuple[str, ...]
) -> None:
    """Held against the peak of double precision where some of it is; impossible is only what exceeds that of single."""
    check = b.check(metrics=[b.metric("rate", "rate")])
    parts = [replace(timed(f"rate/{name}", 0.45), precision=one) for name, one in zip("ab", of_parts, strict=True)]
    whole = replace(timed("rate", 0.0), leaf=False, work=b.Work())
    sections = {one.path: one for one in judged(b.case_run(b.record(whole, *parts), of=check)).sections}
    assert sections["rate"].precisions == precisions
    assert sections["rate/b"].precisions == ((of_parts[1],) if of_parts[1] else ())


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
    assert of_peak(1.5 * 1.03).reason.startswith("impossible rate: section rate at 74.2 GFLOP/s is 103 % of 72 GFLOP/s")
