from __future__ import annotations

from dataclasses import replace

import assessments
import pytest

from tenken.judge.health import DrainRules, drain_reasons, judge_health
from tenken.model.health import Health
from tenken.model.verdict import Verdict

WELL = Health(3, 0, 12, 50 << 30, 100 << 30, "tsc")


def verdicts(before: Health = WELL, **changes: object) -> dict[str, Verdict]:
    return {one.name: one.verdict for one in judge_health(before, replace(WELL, **changes))}


def test_a_healthy_node_is_ok_and_an_unknown_one_not_judged() -> None:
    assert set(verdicts().values()) == {Verdict.OK}
    unknown = Health(None, None, None, None, None, None)
    assert {one.verdict for one in judge_health(unknown, unknown)} == {Verdict.NOT_JUDGED}


@pytest.mark.parametrize(
    ("changes", "name", "verdict"),
    [
        ({"uncorrectable": 1}, "memory", Verdict.FAIL),
        ({"correctable": 1001}, "memory", Verdict.WARN),
        ({"throttled": 13}, "throttling", Verdict.WARN),
        ({"tmp_free_bytes": 1 << 29}, "tmp", Verdict.WARN),
        ({"tmp_free_bytes": 2 << 30}, "tmp", Verdict.WARN),
        ({"clock_source": "hpet"}, "clock", Verdict.WARN),
    ],
)
def test_each_trouble_is_told_apart(changes: dict[str, object], name: str, verdict: Verdict) -> None:
    found = verdicts(**changes)
    assert found.pop(name) is verdict and set(found.values()) == {Verdict.OK}


def test_no_rule_drains_nothing() -> None:
    assert drain_reasons(DrainRules(), assessments.drill(), replace(WELL, uncorrectable=9)) == []


def test_each_rule_drains_for_its_own_reason() -> None:
    wrong = drain_reasons(DrainRules(wrong_answer=True), assessments.drill(), WELL)
    assert wrong == ["plaquette is 0.5921, 0.5937 is expected"]
    assert drain_reasons(DrainRules(wrong_answer=True), assessments.ok(), WELL) == []
    memory = DrainRules(uncorrectable_errors=2)
    assert drain_reasons(memory, assessments.ok(), replace(WELL, uncorrectable=1)) == []
    assert "2 uncorrectable" in drain_reasons(memory, assessments.ok(), replace(WELL, uncorrectable=2))[0]
    full = DrainRules(tmp_free_bytes=1 << 30)
    assert "/tmp has 512 MiB free" in drain_reasons(full, assessments.ok(), replace(WELL, tmp_free_bytes=1 << 29))[0]


def test_a_metric_far_below_its_band_drains() -> None:
    answer = assessments.ok()
    case = next(case for case in answer.cases if case.metrics and case.metrics[0].value and case.metrics[0].better == "higher")
    slow = replace(case.metrics[0], band=(2 * case.metrics[0].value, None))
    answer = replace(answer, cases=(replace(case, metrics=(slow,)),))
    assert "the low end of its band" in drain_reasons(DrainRules(below_band_percent=60), answer, WELL)[0]
    assert drain_reasons(DrainRules(below_band_percent=40), answer, WELL) == []


def test_other_load_drains_no_node() -> None:
    answer = assessments.ok()
    case = next(case for case in answer.cases if case.metrics and case.metrics[0].value and case.metrics[0].better == "higher")
    value = case.metrics[0].value or 0.0
    slow = replace(case.metrics[0], band=(2 * value, None), at_best=1.5 * value, disturbed=True)
    answer = replace(answer, cases=(replace(case, metrics=(slow,)),))
    assert drain_reasons(DrainRules(below_band_percent=60), answer, WELL) == []
    assert len(drain_reasons(DrainRules(below_band_percent=80), answer, WELL)) == 1
