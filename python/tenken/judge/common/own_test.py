"""A check's own judgement: it replaces or adds, and where it goes wrong only its own case is an ERROR."""

from __future__ import annotations

from dataclasses import replace

import builders as b
import numpy as np
import pytest

from tenken.judge.assess import assess
from tenken.judge.common.findings import finding
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.judgement import Judge, OwnJudgement, ToJudge
from tenken.model.verdict import Axis, Verdict


def judged(judge: Judge, *proofs: bool) -> list[CaseAssessment]:
    """The case of the check with that judge, whose proofs hold as told, and the case of another check."""
    validity = [b.proof(f"p{i}", value=1.0 if holds else 2.0) for i, holds in enumerate(proofs)]
    own = b.case_run(b.record(b.fma(40e9), check="own", validity=validity), of=b.check("own", validity=()))
    other = b.case_run(b.record(b.fma(40e9), check="other"))
    return list(assess(b.run(own, other), b.machine(), (), judges={"own": judge}).cases)


@pytest.mark.parametrize("name", [Axis.SPEED, Axis.BALANCE, Axis.STEADINESS])
def test_it_replaces_an_axis_with_its_findings(name: Axis) -> None:
    def judge(of: ToJudge) -> OwnJudgement:
        assert (of.run, of.check.name, len(of.measured)) == ("20261121T080000Z-quick-1a2b", "own", 1)
        told = finding(name, Verdict.WARN, of.case.id, "odd weather", "measured")
        return OwnJudgement((AxisResult(name, Verdict.WARN, "odd weather"),), (told,))

    own, other = judged(judge, True)
    assert own.verdict is Verdict.WARN and b.axis(own, name).reason == "odd weather" and own.reason == "odd weather"
    assert other.verdict is Verdict.OK


def uneven(judge: Judge | None, *sections: b.Timed) -> CaseAssessment:
    run = b.run(b.case_run(b.record(*sections, hosts=("n0", "n1"), check="own"), of=b.check("own", validity=())))
    machine = b.machine(b.node("n0"), b.node("n1"))
    return assess(run, machine, (), judges={} if judge is None else {"own": judge}).cases[0]


def factors(ns: float, *ranks: float) -> np.ndarray:
    return np.rint(b.quiet(ns, len(ranks)) * np.array(ranks)[:, None]).astype(np.int64)


def test_findings_on_balance_without_that_axis_stand_beside_the_general_judgement() -> None:
    """Its slow rank is not lost, and waiting in communication is explained by the finding of the check."""
    slow = b.Timed("work", factors(1e6, 1, 1, 1, 1.4))
    quiet = b.Timed("work", factors(1e6, 1, 1, 1, 1))

    def judge(of: ToJudge) -> OwnJudgement:
        told = finding(Axis.BALANCE, Verdict.WARN, of.case.id, "link 3 is slow", "measured")
        return OwnJudgement(findings=(told,), beside="links compared")

    found = uneven(judge, slow)
    assert [one.what.split(" on ")[0] for one in found.findings] == ["link 3 is slow", "rank 3"]
    assert b.axis(found, Axis.BALANCE).reason == "link 3 is slow"
    alone = uneven(lambda of: OwnJudgement(beside="links compared"), quiet)
    general = b.axis(uneven(None, quiet), Axis.BALANCE)
    assert general.verdict is Verdict.OK
    assert b.axis(alone, Axis.BALANCE) == replace(general, reason=f"{general.reason}; links compared")


def test_in_sections_that_the_check_compares_no_communicator_is_inferred() -> None:
    sections = [b.Timed("work", factors(1e6, 1, 1, 1, 1)), b.Timed("sum", factors(5e5, 3, 1, 3, 1), kind="comm"),
                b.Timed("wait", factors(5e5, 1, 3, 1, 3), kind="comm")]
    inferred = uneven(None, *sections).findings
    assert ["communicator 0 of 2" in one.what for one in inferred] == [True, False]
    assert "wait: communicator 1 of 2" in inferred[1].what, "its ranks wait for those that were slow before"
    assert uneven(lambda of: OwnJudgement(compared=("sum", "wait")), *sections).findings == ()
    assert uneven(lambda of: OwnJudgement(compared=("wait",)), *sections).findings == inferred[:1]


def test_it_adds_to_validity_and_explains_a_broken_proof() -> None:
    def judge(of: ToJudge) -> OwnJudgement:
        told = finding(Axis.VALIDITY, Verdict.INVALID, of.case.id, "core 3 is odd", "bits")
        return OwnJudgement(findings=(told,), explained=("p0",))

    own, _ = judged(judge, False, False)
    assert own.verdict is Verdict.INVALID
    assert [one.what.split(" is ")[0] for one in own.findings] == ["core 3", "wrong answer: p1"]


def test_a_broken_proof_is_never_explained_away() -> None:
    own, _ = judged(lambda of: OwnJudgement(explained=("p0",)), False)
    assert own.verdict is Verdict.INVALID and own.reason.startswith("wrong answer: p0")


def _raises(of: ToJudge) -> OwnJudgement:
    raise ZeroDivisionError("no repetitions")


def _of_another_case(of: ToJudge) -> OwnJudgement:
    return OwnJudgement(findings=(finding(Axis.SPEED, Verdict.FAIL, "other:a", "slow", ""),))


@pytest.mark.parametrize(
    ("judge", "problem"),
    [
        (_raises, "ZeroDivisionError: no repetitions"),
        (lambda of: 3, "it returned int, expected an OwnJudgement"),
        (
            lambda of: OwnJudgement((AxisResult(Axis.VALIDITY, Verdict.OK, "trust me"),)),
            "it may replace speed, balance, steadiness, not validity",
        ),
        (_of_another_case, "a finding is about another case"),
    ],
)
def test_a_judge_that_goes_wrong_is_an_error_of_its_check_alone(judge: Judge, problem: str) -> None:
    own, other = judged(judge, True)
    assert own.verdict is Verdict.ERROR and own.reason == f"checks/own/judge.py failed: {problem}"
    assert other.verdict is Verdict.OK


def test_a_wrong_answer_stays_invalid_where_the_judge_goes_wrong() -> None:
    assert judged(_raises, False)[0].verdict is Verdict.INVALID


def test_nothing_measured_is_not_shown_to_it() -> None:
    case = replace(b.case_run(of=b.check("own")), launches=(b.launch(status="planned"),))
    assert assess(b.run(case), b.machine(), (), judges={"demo": _raises}).cases[0].verdict is Verdict.NOT_JUDGED
