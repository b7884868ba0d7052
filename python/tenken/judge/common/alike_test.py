"""Launches whose program chose otherwise are another measurement: they are left out, named, and still proved."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import CaseAssessment
from tenken.model.record import Record, Value
from tenken.model.verdict import Axis, Verdict


def record(copies: float, rate: float, number: int, chosen: bool = True, wrong: bool = False) -> Record:
    one = b.record(b.triad(rate), launch=number, validity=[b.proof(value=2.0 if wrong else 1.0)])
    return replace(one, values=(Value("width", "1", 8.0, True), Value("copies", "1", copies, chosen)))


def judged(*records: Record) -> CaseAssessment:
    return assess(b.run(b.case_run(*records, of=b.check("stream", [b.bytes_metric()]))), b.machine(), ()).cases[0]


def test_the_most_that_are_alike_count_and_the_others_are_named() -> None:
    fast, slow = record(2, 30e9, 1), record(1, 20e9, 2)
    found = judged(fast, slow, record(1, 20e9, 3))
    assert found.metrics[0].value == pytest.approx(20.0, rel=1e-3) and found.metrics[0].launches == 2
    assert found.verdict is Verdict.WARN
    assert found.reason.startswith(
        "launch 1 ran with copies=2, launches 2 and 3 with copies=1; launch 1 is not counted"
    )
    assert next(one for one in found.axes if one.axis is Axis.TRUST).verdict is Verdict.WARN
    assert judged(fast, slow).metrics[0].value == pytest.approx(30.0, rel=1e-3), "the first where two are as many"


def test_what_is_alike_or_only_measured_is_pooled() -> None:
    for chosen, copies in ((True, (2, 2)), (False, (2, 1))):
        found = judged(*(record(one, 30e9, number, chosen) for number, one in enumerate(copies, start=1)))
        assert found.metrics[0].launches == 2 and "unlike" not in found.reason


def test_a_wrong_answer_of_a_launch_that_is_left_out_still_counts() -> None:
    found = judged(record(2, 30e9, 1), record(2, 30e9, 2), record(1, 30e9, 3, wrong=True))
    assert found.verdict is Verdict.INVALID
