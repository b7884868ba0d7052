"""How findings are made, ordered and given to their cases."""

from __future__ import annotations

from dataclasses import replace

import assessments
import pytest

from tenken.judge.common.findings import evidence, finding, isolating, with_findings, worst_first
from tenken.model.assessment import AxisResult, CaseAssessment, Finding, Where
from tenken.model.verdict import Axis, Verdict


def made(verdict: Verdict = Verdict.WARN, axis: Axis = Axis.SPEED, case_id: str = "demo:a", what: str = "odd") -> Finding:
    return finding(axis, verdict, case_id, what, "seen")


def test_the_ratio_follows_from_the_figures() -> None:
    def ratio(measured: float | None, expected: float | None) -> float | None:
        return finding(Axis.VALIDITY, Verdict.INVALID, "a:b", "w", "e", measured=measured, expected=expected).ratio

    assert ratio(3.0, 2.0) == 1.5 and ratio(3.0, -2.0) == -1.5
    assert ratio(None, None) is ratio(3.0, None) is ratio(3.0, 0.0) is None


def test_what_is_not_given_follows_from_the_case_and_the_section() -> None:
    plain = finding(Axis.CHANGE, Verdict.FAIL, "a:b", "slow", "9 launches", "cg/dot", unit="s")
    assert plain.where == Where(section="cg/dot") and plain.section == "cg/dot" and plain.band == (None, None)
    assert plain.next_command == "./tenken run a:b --launches 5" and (plain.what, plain.evidence) == ("slow", "9 launches")
    assert finding(Axis.CHANGE, Verdict.FAIL, "a:b", "w", "e", launches=1).next_command == "./tenken run a:b --launches 1"
    given = finding(Axis.CHANGE, Verdict.FAIL, "a:b", "w", "e", "cg", where=Where(rank=3), next_command="ls")
    assert (given.where, given.next_command) == (Where(rank=3), "ls")


def test_an_isolating_command_names_what_is_known() -> None:
    assert isolating("r", "a:b") == "./tenken rerun r a:b"
    assert isolating("r", "a:b", ("n1", "n 2"), "x/y") == "./tenken rerun r a:b --section x/y --without 'n1,n 2'"
    assert isolating("r", "a:b", section="x") == "./tenken rerun r a:b --section x"


def test_evidence_counts_launches_and_repetitions() -> None:
    of = replace(assessments.section("a", 1e6), launches=1, repetitions=40)
    assert evidence(of) == "median of 1 launch, 40 repetitions"


def test_the_worst_are_first_and_else_they_stay_in_order() -> None:
    verdicts = (Verdict.WARN, Verdict.INVALID, Verdict.ERROR, Verdict.FAIL)
    found = [made(verdict, what=f"{verdict.value} {i}") for i in (1, 2) for verdict in verdicts]
    assert [one.what for one in worst_first(found)] == [
        "INVALID 1", "INVALID 2", "FAIL 1", "FAIL 2", "ERROR 1", "ERROR 2", "WARN 1", "WARN 2"]


def ok(**changes: object) -> CaseAssessment:
    axes = tuple(AxisResult(one, Verdict.OK, "fine") for one in Axis)
    return replace(replace(assessments.case("demo:a", (), ()), axes=axes), **changes)  # type: ignore[arg-type]


def test_a_finding_of_the_run_is_told_with_its_case_alone() -> None:
    assert with_findings(ok(), [made(case_id="demo:b")]) == ok()
    found = with_findings(ok(), [made(what="slow"), made(case_id="demo:b", what="other")])
    assert (found.verdict, found.reason, [one.what for one in found.findings]) == (Verdict.WARN, "slow", ["slow"])
    assert [(one.verdict, one.reason) for one in found.axes] == [
        (Verdict.WARN, "slow") if one is Axis.SPEED else (Verdict.OK, "fine") for one in Axis]


@pytest.mark.parametrize(("before", "verdict", "reason"), [
    (Verdict.OK, Verdict.WARN, "slow"), (Verdict.NOT_JUDGED, Verdict.WARN, "slow"), (Verdict.WARN, Verdict.WARN, "before"),
    (Verdict.FAIL, Verdict.FAIL, "before"),
])  # fmt: skip
def test_what_is_as_bad_already_keeps_its_reason(before: Verdict, verdict: Verdict, reason: str) -> None:
    axes = tuple(AxisResult(one, before, "before") for one in (Axis.SPEED, Axis.TRUST))
    found = with_findings(ok(axes=axes, verdict=before, reason="before"), [made(what="slow")])
    assert (found.verdict, found.reason) == (verdict, reason)
    assert found.axes == (AxisResult(Axis.SPEED, verdict, reason), axes[1])


def test_the_worse_of_two_findings_decides_whatever_their_order() -> None:
    for given in ([made(what="warn"), made(Verdict.FAIL, what="fail")], [made(Verdict.FAIL, what="fail"), made(what="warn")]):
        found = with_findings(ok(), given)
        assert (found.verdict, found.reason) == (Verdict.FAIL, "fail")
        assert [one.what for one in found.findings] == ["fail", "warn"]
