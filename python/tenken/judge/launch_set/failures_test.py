"""Launches that failed, with where their ranks were."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import builders as b
import pytest

from tenken.judge.launch_set import failure_findings
from tenken.model.assessment import Finding, Where
from tenken.model.run import RankState
from tenken.model.verdict import Axis, Verdict


def state(rank: int, section: str | None = "cg", repetitions: int = 3, name: str = "timing") -> RankState:
    return RankState(rank, f"n{rank}", 100 + rank, name, section, repetitions, 10)


def failed(status: str = "crashed", *ranks: RankState, others: int = 0, **changes: Any) -> Finding:
    launches = [b.launch(1, status=status, ranks=ranks, **changes), *(b.launch(n) for n in range(2, 2 + others))]
    (found,) = failure_findings(b.case_run(launches=launches))
    return found


@pytest.mark.parametrize("status", ["done", "planned", "interrupted", "lacking"])
def test_what_did_not_fail_is_no_finding(status: str) -> None:
    assert failure_findings(b.case_run(launches=[b.launch(1, status=status)])) == []


@pytest.mark.parametrize("status", ["crashed", "hung", "slow", "refused"])
def test_each_failure_is_an_error_of_its_launch(status: str) -> None:
    found = failed(status, others=2)
    assert (found.axis, found.verdict, found.case_id) == (Axis.VALIDITY, Verdict.ERROR, "demo:a")
    assert (found.evidence, found.where, found.section) == ("launch 1 of 3 launches", Where(launch=1), None)
    assert found.next_command == "./tenken run demo:a --launches 1"


def test_the_rank_that_is_furthest_behind_is_the_place() -> None:
    found = failed("hung", state(0, repetitions=5), state(1, "cg/dot", 2), state(2, "cg/halo", 2),
        state(3, repetitions=0, name="done"))
    assert found.where == Where("n1", 1, "cg/dot", 1) and found.section == "cg/dot"
    nobody = failed("crashed", state(0, name="done"))
    assert nobody.where == Where(launch=1) and nobody.section is None
    starting = failed("hung", state(4, None, 0, "starting"))
    assert starting.where == Where("n4", 4, None, 1)


def test_ranks_of_one_place_are_told_together_the_rarest_first_and_three_places_at_most() -> None:
    ranks = [state(0), state(1), state(2, repetitions=4), state(3, "cg/dot"), state(4, "cg/dot"), state(5, "cg/dot"),
             *(state(i, "cg/sum") for i in range(6, 10))]  # fmt: skip
    assert failed("hung", *ranks).what == (
        "launch 1 hung until its time-out; rank 2 (n2) timing in cg, repetition 4 of 10; ranks 0, 1 timing in cg, "
        "repetition 3 of 10; "
        "ranks 3, 4, 5 timing in cg/dot, repetition 3 of 10"
    )
    assert failed("hung", *(state(i, None) for i in range(5))).what.endswith("; 5 ranks timing, repetition 3 of 10")


@pytest.mark.parametrize(("status", "changes", "what"), [
    ("crashed", {}, "launch 1 crashed"),
    ("crashed", {"returncode": 0}, "launch 1 crashed (exit code 0)"),
    ("crashed", {"returncode": 1, "signal": "SIGSEGV"}, "launch 1 crashed (SIGSEGV)"),
    ("crashed", {"reason": "no memory", "last_lines": ("x",)}, "launch 1 crashed: no memory"),
    ("hung", {"returncode": 9, "last_lines": ("x", "y")}, "launch 1 hung until its time-out: y"),
    ("slow", {"signal": "SIGKILL"}, "launch 1 was too slow for its time-out"),
    ("refused", {"returncode": 2, "reason": "lattice 7"}, "launch 1 refused to start: lattice 7"),
    ("refused", {"returncode": 2}, "launch 1 refused to start: exit code 2"),
    ("refused", {"returncode": 2, "last_lines": ("odd",)}, "launch 1 refused to start: odd"),
])  # fmt: skip
def test_how_it_ended(status: str, changes: dict[str, Any], what: str) -> None:
    assert failed(status, **changes).what == what
    if status != "refused":
        assert failed(status, state(0), **changes).what == f"{what}; rank 0 (n0) timing in cg, repetition 3 of 10"


def test_a_broken_check_comes_first_and_refused_records_last() -> None:
    check = b.check(problem="no metric")
    run = replace(b.case_run(of=check, launches=[b.launch(1, status="hung")]), unreadable=("line 3 is no JSON", "empty"))
    broken, hung, *refused = failure_findings(run)
    assert (broken.what, broken.evidence) == ("the check is broken: no metric", "nothing was launched")
    assert hung.what == "launch 1 hung until its time-out"
    assert [(one.what, one.evidence) for one in refused] == [("line 3 is no JSON", "one of 1 launch"),
        ("empty", "one of 1 launch")]
    assert {(one.axis, one.verdict, one.next_command) for one in (broken, hung, *refused)} == {
        (Axis.VALIDITY, Verdict.ERROR, "./tenken run demo:a --launches 1")}
