"""How the answers of both environments make a decision, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import assessments
import builders as b
import comparisons as c
from tenken.judge import release
from tenken.judge.common import demands
from tenken.judge.release.pairs import Answer, Judged, _Row, _scaled, _section, answer
from tenken.model import limits
from tenken.model.assessment import AxisResult, CaseAssessment
from tenken.model.baseline import Quantity
from tenken.model.check import SectionSpec
from tenken.model.comparison import CaseComparison, Decision
from tenken.model.run import CaseRun
from tenken.model.verdict import Axis, Verdict
from tenken.stats import shift as stats

PLAN = replace(c.PLAN, environments=("old", "new"), essential=())
RUN = b.case_run(b.record(b.fma(1e9)))


def seen(validity: Verdict = Verdict.OK, speed: Verdict = Verdict.OK, **changes: Any) -> CaseAssessment:
    axes = (AxisResult(Axis.VALIDITY, validity, "v"), AxisResult(Axis.SPEED, speed, "s"))
    return replace(replace(assessments.case("demo:a", (), ()), axes=axes), **changes)


def ended(*status: str, **changes: Any) -> CaseRun:
    launches = tuple(b.launch(n, status=one, reason=f"it {one}") for n, one in enumerate(status, 1))
    return replace(RUN, launches=launches, **changes)


@pytest.mark.parametrize(("run", "of", "word"), [
    (RUN, seen(), "right"), (RUN, seen(Verdict.NOT_JUDGED), "unproven"), (RUN, None, "unproven"), (RUN, seen(Verdict.ERROR),
        "unproven"),
    (replace(RUN, unavailable="no CBLAS"), seen(Verdict.INVALID), "unavailable"), (ended("lacking"), seen(), "unavailable"),
    (ended("crashed"), seen(Verdict.INVALID), "wrong"), (ended("done", "slow", "hung", "crashed"), seen(), "crashed"),
    (ended("slow", "hung"), seen(), "hung"), (ended("refused", "slow"), seen(), "slow"), (ended("done", "refused"), seen(),
        "refused"),
    (replace(RUN, unreadable=("line 3",)), seen(), "crashed"), (ended("hung", unreadable=("line 3",)), seen(), "hung"),
    (RUN, seen(speed=Verdict.INVALID), "impossible"), (ended("crashed"), seen(speed=Verdict.INVALID), "crashed"),
    (replace(RUN, records=()), seen(), "none"), (replace(RUN, records=()), seen(speed=Verdict.INVALID), "impossible"),
])  # fmt: skip
def test_how_the_launches_of_a_case_ended(run: CaseRun, of: CaseAssessment | None, word: str) -> None:
    assert release._answer(run, of) == word


def one(word: Answer, name: str = "time:s", certainty: float = 5.0, **changes: Any) -> Judged:
    return Judged(c.quantity(name, 1.2, "w", section="s", **changes), word, False, certainty)


def decide(
    answers: tuple[str, str], *judged: Judged, first: CaseRun = RUN, second: CaseRun = RUN, essential: bool = False,
    of: tuple[CaseAssessment | None, CaseAssessment | None] | None = None,
) -> tuple[Decision, str, int]:
    decision, reason, findings = release._decide(first, second, of or (seen(), seen()), answers, judged, essential, PLAN)
    return decision, reason, len(findings)


FAST = one(Answer.ALIKE, detectable=0.05)


@pytest.mark.parametrize("bad", ["wrong", "impossible", "crashed", "hung", "slow"])
def test_what_is_broken_in_the_new_environment_holds(bad: str) -> None:
    assert decide(("right", bad)) == (Decision.HOLD, f"{bad} in new", 0)
    broken = seen(findings=(assessments.finding(Axis.VALIDITY, Verdict.ERROR, "demo:a", None, "it broke"),))
    assert decide(("right", bad), of=(seen(), broken)) == (Decision.HOLD, "it broke", 1)
    both = decide((bad, bad))
    assert both == ((Decision.UNDECIDED, "nothing to compare with: impossible in old too", 0) if bad == "impossible" else
                    (Decision.HOLD, f"{bad} in new", 0))
    assert decide(("right", bad), of=(None, broken))[0] is decide(("right", bad), of=(seen(), None))[0] is Decision.UNDECIDED
    assert decide((bad, "right")) == (Decision.UNDECIDED, f"nothing to compare with: {bad} in old, right in new", 0)


@pytest.mark.parametrize("missing", ["unavailable", "refused"])
def test_what_cannot_be_run_any_more_is_a_restriction(missing: str) -> None:
    gone = replace(RUN, unavailable="no CBLAS") if missing == "unavailable" else ended("done", "refused")
    why = "cannot be run in new: " + ("no CBLAS" if missing == "unavailable" else "it refused")
    assert decide(("right", missing), second=gone) == (Decision.RESTRICT, why, 1)
    assert decide(("right", missing), second=gone, essential=True) == (Decision.HOLD, why, 1)
    assert decide((missing, missing), second=gone) == (Decision.UNDECIDED, f"nothing to compare with: {missing} in old too", 0)
    lacking = decide(("unavailable", "unavailable"), first=replace(RUN, unavailable="no GPU"), second=gone)
    assert lacking == (Decision.UNDECIDED, "nothing to compare with: no GPU", 0)


def test_right_or_unproven_times_are_compared() -> None:
    for answers in (("right", "right"), ("unproven", "right"), ("right", "unproven")):
        assert decide(answers, FAST)[0] is Decision.RELEASE
    assert decide(("none", "right"), FAST) == (Decision.UNDECIDED, "nothing to compare with: none in old, right in new", 0)
    assert decide(("right", "none"), FAST)[0] is Decision.UNDECIDED


def test_times_of_too_many_threads_are_not_compared() -> None:
    trust = replace(seen().trust or assessments.dgemm().trust, oversubscribed=True)
    found = decide(("right", "right"), one(Answer.SLOWER), of=(seen(), seen(trust=trust)))
    assert found == (Decision.RELEASE, "answers right; oversubscribed (more threads than cores): times are not judged", 0)
    assert decide(("right", "right"), FAST, of=(seen(trust=trust), seen(trust=None)))[0] is Decision.RELEASE


def test_what_is_slower_restricts_and_where_it_is_essential_holds() -> None:
    slow, loss = one(Answer.SLOWER), one(Answer.MUCH_SLOWER, "loss:s", 9.0)
    decision, reason, findings = decide(("right", "right"), slow, FAST)
    assert (decision, findings) == (Decision.RESTRICT, 1) and reason.startswith("s: ") and ", and" not in reason
    both = decide(("right", "right"), slow, loss, essential=True)
    assert both[0] is Decision.HOLD and both[1].startswith("loss of s: ") and both[1].endswith(", and 1 more") and both[2] == 2


def test_what_is_not_enough_decides_nothing() -> None:
    blind, seems = one(Answer.NOT_JUDGED, detectable=0.9), one(Answer.SEEMS_SLOWER)
    assert decide(("right", "right"), FAST, blind)[0] is decide(("right", "right"), FAST, seems)[0] is Decision.UNDECIDED
    assert "seems" in decide(("right", "right"), FAST, blind, seems)[1]
    assert " is 90 %" in decide(("right", "right"), FAST, blind)[1]
    assert decide(("right", "right"))[1] == "answers right, but no pair of launches has times to compare"
    for word in (Answer.NOT_JUDGED, Answer.SEEMS_SLOWER):
        assert decide(("right", "right"), FAST, one(word, "loss:s"))[0] is Decision.RELEASE, "of times alone"


def test_a_case_is_seen_by_all_of_its_times_or_one_that_is_slower() -> None:
    def found(*words: Answer, name: str = "time:s") -> bool:
        return release._seen([one(word, name) for word in words])

    assert found(Answer.ALIKE, Answer.FASTER) and found(Answer.NOT_JUDGED, Answer.SLOWER)
    assert found(Answer.SEEMS_SLOWER, Answer.MUCH_SLOWER)
    assert not found(Answer.ALIKE, Answer.NOT_JUDGED) and not found(Answer.SEEMS_SLOWER) and not found()
    assert not found(Answer.ALIKE, name="loss:s")


def compared(name: str, decision: Decision, **changes: Any) -> CaseComparison:
    return c.case(name, decision, **({"reason": f"why {name}", "essential": False} | changes))


def whole(*cases: CaseComparison, **judged: tuple[Judged, ...]) -> tuple[Decision, str]:
    return release._whole(cases, {one.id: judged.get(one.check, (FAST,)) for one in cases})


def test_one_case_that_holds_holds_all() -> None:
    free, held = compared("a", Decision.RELEASE), compared("b", Decision.HOLD)
    assert whole(free, held) == (Decision.HOLD, "b:all_cores: why b")
    assert whole(held, compared("c", Decision.HOLD), free,
        compared("d", Decision.HOLD))[1] == "b:all_cores: why b (and 2 more cases)"
    assert whole(held, compared("c", Decision.HOLD))[1].endswith("(and 1 more case)")


def test_much_slower_in_half_of_the_cases_holds() -> None:
    cases = [compared(name, Decision.RESTRICT) for name in "ab"] + [compared(name, Decision.RELEASE) for name in "cd"]
    much = (one(Answer.MUCH_SLOWER),)
    assert whole(*cases, a=much, b=much) == (
        Decision.HOLD, "slower beyond the limits in 2 of 4 judged cases (a:all_cores, b:all_cores): too many for restrictions")
    assert whole(*cases, a=much) == (Decision.RESTRICT, "2 restrictions: a:all_cores, b:all_cores")
    assert whole(*cases, a=much, b=(one(Answer.SLOWER),))[0] is Decision.RESTRICT
    assert whole(*cases, a=much, b=(FAST, one(Answer.MUCH_SLOWER, "loss:s")))[0] is Decision.RESTRICT
    blind = (one(Answer.NOT_JUDGED),)
    assert whole(*cases, a=much, c=blind, d=blind)[0] is Decision.HOLD, "one of two that were judged"
    assert whole(*[replace(each, quantities=()) for each in cases[2:]], cases[0], a=much)[0] is Decision.HOLD


def test_restrictions_are_named_with_what_is_unknown() -> None:
    unknown = compared("u", Decision.UNDECIDED, answers=("crashed", "right"))
    assert whole(compared("a", Decision.RESTRICT), unknown, compared("c", Decision.RELEASE), compared("d", Decision.RELEASE)) == (
        Decision.RESTRICT, "1 restriction: a:all_cores; not enough evidence on u:all_cores")


def test_an_undecided_case_withholds_the_release_where_it_could_be_compared_or_is_essential() -> None:
    free = compared("a", Decision.RELEASE)
    for blind in (compared("u", Decision.UNDECIDED),
        compared("u", Decision.UNDECIDED, answers=("crashed", "right"), essential=True)):
        assert whole(free, blind) == (Decision.UNDECIDED, "u:all_cores: why u")
        assert whole(free, blind, replace(blind, id="v:x"))[1] == "u:all_cores: why u (and 1 more case)"
    lost = compared("u", Decision.UNDECIDED, answers=("crashed", "right"))
    decision, reason = whole(free, lost)
    assert decision is Decision.RELEASE and reason.endswith("; not enough evidence on u:all_cores")
    assert whole(replace(lost, quantities=())) == (Decision.UNDECIDED, "u:all_cores: why u")
    untimed = replace(free, quantities=())
    assert whole(untimed) == (Decision.UNDECIDED, "a:all_cores: why a")


def test_a_release_says_what_would_have_been_found() -> None:
    fast, loss = one(Answer.FASTER, detectable=0.2), one(Answer.ALIKE, "loss:s", detectable=0.9)
    decision, reason = whole(compared("a", Decision.RELEASE), compared("b", Decision.RELEASE), a=(FAST, loss), b=(fast,))
    assert (decision, reason) == (
        Decision.RELEASE, "answers right and no time worse in 2 cases; smallest detectable slowdown: 5 to 20 %")


def test_a_check_is_its_worst_case() -> None:
    order = (Decision.HOLD, Decision.RESTRICT, Decision.RELEASE, Decision.UNDECIDED)
    for i, worst in enumerate(order):
        cases = [compared("a", each) for each in reversed(order[i:])]
        (found,) = release._checks(cases, {"a": "title"})
        assert (found.name, found.title, found.decision, found.cases) == ("a", "title", worst, len(cases))
    two = release._checks([compared("b", Decision.RELEASE), compared("a", Decision.HOLD)], {"a": "x", "b": "y"})
    assert [(each.name, each.title) for each in two] == [("b", "y"), ("a", "x")]


# --- pairs ----------------------------------------------------------------------------------------------------------

TIMES = tuple(Quantity(f"time:s{i}", "ns", "lower", "compute") for i in range(3))
DEMAND = demands(TIMES)


def row(name: str, *values: list[float], better: str = "lower") -> _Row:
    check = b.check(metrics=[b.metric("rate", "x"), b.metric("v", None, "value:v")], sections=[
        SectionSpec("x", "comm", ""), SectionSpec("y", "io", "", by="sizes")])
    return _Row("demo:a", check, 6, Quantity(name, "1", better, "compute"), (values[0], values[-1]) if values else ([], []))


@pytest.mark.parametrize(("name", "section", "kind"), [
    ("metric:rate", "x", "comm"), ("metric:rate/8", "x/8", "comm"), ("metric:v", None, ""), ("metric:v/8", None, ""), ("time:x",
        "x", "comm"),
    ("loss:y/16", "y/16", "io"), ("time:z", "z", ""),
])  # fmt: skip
def test_the_section_behind_a_quantity(name: str, section: str | None, kind: str) -> None:
    assert _section(row(name)) == (section, kind)


def test_values_are_scaled_side_by_side() -> None:
    rows = [row("time:a", [1.0, 2.0], [4.0, 8.0]), row("metric:rate", [2.0], [0.5], better="higher")]
    nan = float("nan")
    assert np.allclose(_scaled(rows, 0), np.log([[1, 2], [0.5, nan]]), equal_nan=True)
    assert np.allclose(_scaled(rows, 1), np.log([[4, 8], [2, nan]]), equal_nan=True)


WARN, FAIL = float(DEMAND.warn[0]), float(DEMAND.fail[0])
LESS = 1 - 1e-9


def ruled(effect: float, sigma: float = 1e-9, looks: int = 1, kind: str = "time") -> tuple[Answer, bool, float]:
    """Of three quantities of a kind the first, in pairs that scatter by `sigma`; the others are alike."""
    of = tuple(replace(each, name=each.name.replace("time", kind)) for each in TIMES)
    found = stats.Paired(np.array([effect, 0.0, float("nan")]), np.full(3, sigma), np.full(3, 9.0), np.full(3, 6.0))
    rule = answer(found, of, np.full(3, looks))
    assert rule.answers[2] == Answer.NOT_JUDGED and not rule.open[2], "no pair tells"
    return Answer(int(rule.answers[0])), bool(rule.open[0]), float(rule.detectable[0])


def test_pairs_without_noise_are_called_by_the_smallest_effects() -> None:
    called = [ruled(effect)[0] for effect in (0.0, WARN * LESS, WARN, FAIL * LESS, FAIL, -WARN * LESS, -WARN)]
    assert called == [Answer.ALIKE, Answer.ALIKE, Answer.SLOWER, Answer.SLOWER, Answer.MUCH_SLOWER, Answer.ALIKE, Answer.FASTER]
    assert ruled(9.0, kind="jitter")[0] is Answer.SLOWER


def test_noise_makes_what_is_slower_seem_so_and_at_last_hides_it() -> None:
    assert [ruled(0.4, sigma)[0] for sigma in (0.05, 0.15, 0.5)] == [Answer.MUCH_SLOWER, Answer.SEEMS_SLOWER, Answer.NOT_JUDGED]
    hopeless = float(DEMAND.hopeless[0])
    assert ruled(0.0, 0.04)[2] < hopeless < ruled(0.0, 0.06)[2]
    assert (ruled(0.0, 0.04)[0], ruled(0.0, 0.06)[0]) == (Answer.ALIKE, Answer.NOT_JUDGED)
    assert ruled(0.0, 0.02, 4)[2] > ruled(0.0, 0.02)[2], "looks share the error"


def test_more_pairs_are_wanted_where_they_could_tell() -> None:
    part = limits.SUSPECT_PART * WARN
    assert [ruled(effect)[1] for effect in (part, part * LESS, WARN, -WARN, 0.0)] == [True, False, False, False, False]
    wanted = np.log1p(limits.RELEASE_FINDS["compute"])
    few, many = ruled(0.0, 0.014), ruled(0.0, 0.022)
    assert few[2] < wanted < many[2] and (few[1], many[1]) == (False, True)
    assert not ruled(0.0, 0.022, kind="jitter")[1], "of jitter no size is wanted"
