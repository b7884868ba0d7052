"""What is said of two environments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import assessments
import comparisons as c
import pytest

from tenken.judge.release.pairs import Answer, Judged
from tenken.judge.release.words import (
    alike, broken_findings, missing_finding, more_pairs, named, seems, slower_findings, unseen, worst_of, would_find,
)
from tenken.model.comparison import PairedQuantity
from tenken.model.verdict import Axis, Verdict

PLAN = replace(c.PLAN, environments=("old", "new"))


def one(name: str = "metric:rate", answer: Answer = Answer.SLOWER, certainty: float = 9.0, **changes: Any) -> Judged:
    of: PairedQuantity = c.quantity(name, 1.25, "slower", section="multiply", **changes)
    return Judged(of, answer, False, certainty)


def test_what_is_slower_is_a_time_or_metric_with_its_times() -> None:
    answers = {each: one(answer=each) for each in Answer}
    assert [each.name for each, of in answers.items() if of.slower] == ["SLOWER", "MUCH_SLOWER"]
    assert [one(f"{kind}:x").is_time for kind in ("metric", "time", "loss", "jitter", "clock")] == [True, True, False, False,
        False]


def test_a_slower_quantity_is_told_with_both_figures_and_the_interval() -> None:
    (found,) = slower_findings("dgemm:a", [one(first=50.0, second=40.0, interval=(1.2, 1.3), pairs=7, detectable=0.064)],
        Verdict.FAIL, PLAN)
    assert found.what == "rate: 40 GFLOP/s instead of 50 GFLOP/s, 25 % (20 to 30) slower"
    assert found.evidence == (
        "shift over 7 pairs of launches, ratio of times 1.25 (95 %: 1.2 to 1.3); smallest detectable slowdown: 6.4 %"
    )
    assert (found.axis, found.verdict, found.case_id, found.section) == (Axis.CHANGE, Verdict.FAIL, "dgemm:a", "multiply")
    assert (found.measured, found.expected, found.ratio, found.unit) == (40.0, 50.0, 1.25, "GFLOP/s")
    assert found.where.section == "multiply" and found.next_command == "./tenken compare-env old new dgemm:a --launches 14"


def test_times_are_told_in_their_unit_and_loss_as_a_part_of_the_time() -> None:
    time = one("time:multiply", unit="ns", first=2e6, second=2.5e6, interval=(0.9, 1.3))
    assert slower_findings("a:b", [time], Verdict.WARN, PLAN)[0].what == "multiply: 2.5 ms instead of 2 ms, 25 % (0 to 30) slower"
    loss, jitter = (one(f"{kind}:multiply", unit="1", first=0.02, second=0.27) for kind in ("loss", "jitter"))
    assert slower_findings("a:b", [loss], Verdict.WARN, PLAN)[0].what == (
        "loss of multiply: 27 % instead of 2 %, 25 % (22.5 to 27.5) more of the time of the section"
    )
    assert slower_findings("a:b", [jitter], Verdict.WARN, PLAN)[0].what.startswith("jitter of multiply: 27 % instead of 2 %")


def test_of_a_section_the_clearest_quantity_is_told() -> None:
    judged = [
        one(certainty=5.0), one("time:multiply", certainty=7.0), one("loss:multiply", certainty=9.0),
        replace(one("time:other", certainty=6.0), of=c.quantity("time:other", 1.1, section="other")),
        one("time:third", answer=Answer.SEEMS_SLOWER, certainty=99.0),
        replace(one("metric:score", certainty=1.0), of=c.quantity("metric:score", 1.1, section=None)),
        replace(one("metric:points", certainty=2.0), of=c.quantity("metric:points", 1.1, section=None)),
    ]
    found = slower_findings("a:b", judged, Verdict.WARN, PLAN)
    assert [each.what.split(":")[0] for each in found] == ["loss of multiply", "multiply", "other", "points", "score"]


def test_what_is_broken_in_both_is_said_to_be() -> None:
    case = assessments.dgemm()
    bad = [assessments.finding(Axis.VALIDITY, verdict, case.id, None, f"it {verdict.value}") for verdict in Verdict]
    broken, well = replace(case, findings=tuple(bad)), replace(case, findings=(bad[0], bad[1], bad[2]))
    found = broken_findings(broken, well, PLAN)
    assert [each.what for each in found] == ["it INVALID", "it ERROR"]
    assert {each.next_command for each in found} == {"./tenken run dgemm:square --environment new --launches 1"}
    both = broken_findings(broken, broken, PLAN)
    assert both[0].what == "it INVALID; old fails here too: examine machine and check first" and len(both) == 2
    assert broken_findings(well, broken, PLAN) == []


def test_what_cannot_be_run_is_a_warning_before_any_launch() -> None:
    found = missing_finding("a:b", "no CBLAS", PLAN)
    assert (found.axis, found.verdict, found.what) == (Axis.VALIDITY, Verdict.WARN, "cannot be run in new: no CBLAS")
    assert (found.evidence, found.next_command, found.case_id) == ("before any launch", "./tenken build", "a:b")


def test_what_is_alike_says_what_would_have_been_found_in_its_times() -> None:
    judged = [
        one(answer=Answer.ALIKE, detectable=0.05), one("time:x", Answer.FASTER, detectable=0.08),
        one("time:y", Answer.NOT_JUDGED, detectable=0.9), one("loss:x", Answer.ALIKE, detectable=0.7),
    ]
    assert alike(judged) == "answers right, no time worse; smallest detectable slowdown: 5 to 8 %"
    faster = [replace(each, of=replace(each.of, word="faster")) for each in judged[:2]]
    assert alike(faster).startswith("answers right, no time worse; 2 faster; smallest detectable")
    assert would_find([0.05, 0.05]) == "smallest detectable slowdown: 5 %"
    assert would_find([0.3, 0.05, 0.1]) == "smallest detectable slowdown: 5 to 30 %"


def test_what_could_not_be_seen_names_the_least_known_time() -> None:
    blind = [one("time:x", Answer.NOT_JUDGED, detectable=0.4), one("time:y", Answer.NOT_JUDGED, detectable=0.6)]
    others = [one("loss:z", Answer.NOT_JUDGED, detectable=0.9), one("time:w", Answer.ALIKE, detectable=0.9)]
    assert unseen([*blind, *others]) == (
        "not enough evidence: smallest detectable slowdown of y is 60 % (2 such times); more pairs are needed"
    )
    assert unseen(blind[:1]) == "not enough evidence: smallest detectable slowdown of x is 40 %; more pairs are needed"
    noisy = [one("time:x", Answer.NOT_JUDGED, detectable=11.0)]
    assert unseen(noisy) == "not enough evidence: x is too noisy to show a slowdown; more pairs are needed"
    assert unseen(others) == "answers right, but no pair of launches has times to compare" == unseen([])


def test_what_seems_slower_names_the_clearest() -> None:
    judged = [one("time:x", Answer.SEEMS_SLOWER, 2.0), one("loss:y", Answer.SEEMS_SLOWER, 3.0, interval=(1.0, 1.5)),
        one("time:z", certainty=9.0)]
    assert seems(judged) == (
        "not enough evidence, but loss of y seems 25 % (0 to 50) more of the time of the section; more pairs are needed"
    )
    assert "but x seems 25 % (22.5 to 27.5) slower;" in seems(judged[:1])


@pytest.mark.parametrize(("pairs", "launches"), [(0, 6), (2, 6), (3, 6), (4, 8), (12, 24)])
def test_a_comparison_is_repeated_with_twice_the_pairs(pairs: int, launches: int) -> None:
    assert more_pairs(["a:b", "c:d e"], PLAN, pairs) == f"./tenken compare-env old new a:b 'c:d e' --launches {launches}"


def test_three_cases_are_named() -> None:
    cases = [c.case(name) for name in "abcde"]
    assert named(cases[:3]) == "a:all_cores, b:all_cores, c:all_cores" and named(cases[:1]) == "a:all_cores"
    assert named(cases) == "a:all_cores, b:all_cores, c:all_cores and 2 more"
    assert named(cases[:4]).endswith("c:all_cores and 1 more")


def test_findings_are_ordered_by_verdict_then_by_how_much() -> None:
    def made(verdict: Verdict, ratio: float | None) -> Any:
        return replace(c.finding("a:b", "w", verdict), ratio=ratio)

    given = [made(Verdict.WARN, 1.1), made(Verdict.WARN, None), made(Verdict.FAIL, 1.05), made(Verdict.WARN, 1.3)]
    assert [(one.verdict, one.ratio) for one in worst_of(given)] == [
        (Verdict.FAIL, 1.05), (Verdict.WARN, 1.3), (Verdict.WARN, 1.1), (Verdict.WARN, None)]
