"""What is said of change, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tenken.judge.change.rule import Answer, Decision
from tenken.judge.change.words import VERDICTS, axis_result, class_finding, finding_of, lasts, shift_finding, summary_of
from tenken.model.assessment import ChangeSummary, Finding
from tenken.model.baseline import Quantity, Seen
from tenken.model.verdict import Axis, Verdict
from tenken.stats import change as stats
from tenken.stats.tails import t_quantile

RATE, TIME = Quantity("metric:rate", "GFLOP/s", "higher", "compute"), Quantity("time:cg/dot", "ns", "lower", "memory")
LOSS, CLOCK = Quantity("loss:cg", "1", "lower", "memory"), Quantity("clock:vectors", "GHz", "higher", "compute")
ALL = (RATE, TIME, LOSS, CLOCK)
EFFECT = np.log(np.array([1.25, 1.25, 1.10, 1.25]))


def change(**changes: Any) -> stats.Change:
    """Of RATE, TIME, LOSS and CLOCK: slower by a quarter, the loss by a tenth; two classes."""
    four = np.ones(4)
    base = {
        "follows": np.array([True, True, False, False]),
        "expected": np.array([-np.log(10.0), np.log(2e6), np.log1p(0.10), -np.log(3.0)]), "effect": EFFECT, "own": EFFECT,
        "own_sigma": 0.05 * four, "own_df": np.array([7.0, 8.0, 9.0, 10.0]), "stray": np.zeros((4, 1)), "stray_sigma": four,
        "low": EFFECT, "unmoved": np.array(0.0), "explained": 0 * four, "sigma": 0.04 * four, "df": np.array([6.0, 7.0, 8.0,
            9.0]),
        "sittings": np.array([5.0, 4.0, 3.0, 2.0]), "compared": np.array(True), "rest": np.log(np.array(1.10)),
        "rest_sigma": np.array(0.02), "rest_df": np.array(12.0), "class_shift": np.log(np.array([1.2, 1.3])),
        "class_sigma": np.array([0.03, 0.05]), "members": np.array([[True, False, False, False], [False, True, False, False]]),
        "shifts": np.zeros(5), "class_shifts": np.zeros((5, 2)), "highest": np.zeros(4),
    }
    return stats.Change(**(base | changes))


def decision(*answers: Answer) -> Decision:
    half = np.log(np.array([1.05, 1.10, 1.05, 1.05]))
    expected = change().expected
    return Decision(
        np.array(answers or [Answer.OK] * 4), np.zeros(4,
            dtype=bool), np.log1p(np.array([0.06, 0.12, 0.2, 0.1])), expected - half,
        expected + half, np.array(False), np.zeros(4, dtype=bool), np.zeros(4, dtype=bool),
    )


def summary(index: int, answer: Answer = Answer.OK, **changes: Any) -> ChangeSummary:
    now = {0: (8.0, 7.9, 8.1), 1: (2.4e6, 2.5e6, 2.6e6), 2: (0.2, 0.21, 0.3), 3: (2.4,) * 6}[index]
    made = summary_of(ALL[index], now, changes.pop("fast", now), index, changes.pop("of", change()), decision(*[answer] * 4))
    return replace(made, **changes)


def test_a_summary_of_a_rate_tells_its_ratio_interval_and_band() -> None:
    found = summary(0, Answer.FAILED)
    assert (found.quantity, found.unit, found.better, found.klass, found.verdict) == ("metric:rate", "GFLOP/s", "higher",
        "compute", Verdict.FAIL)
    assert (found.value, found.expected, found.ratio) == pytest.approx((8.0, 10.0, 0.8))
    half = np.exp(float(t_quantile(0.025, 6.0)) * 0.04)
    assert found.interval == pytest.approx((0.8 / half, 0.8 * half)) and found.band == pytest.approx((10 / 1.05, 10 * 1.05))
    assert found.detectable == pytest.approx(0.06) and (found.launches, found.sittings, found.at_best) == (3, 5, None)


def test_a_summary_of_a_time_or_loss_is_worse_upwards() -> None:
    time, loss = summary(1), summary(2)
    assert (time.value, time.expected, time.ratio) == pytest.approx((2.5e6, 2e6, 1.25)) and time.verdict is Verdict.OK
    assert time.interval[0] < 1.25 < time.interval[1] and time.band == pytest.approx((2e6 / 1.10, 2.2e6))
    assert (loss.value, loss.expected, loss.ratio) == pytest.approx((0.21, 0.10, 1.10))
    assert loss.band == pytest.approx((1.1 / 1.05 - 1, 1.1 * 1.05 - 1)) and (loss.launches, loss.sittings) == (3, 3)


def test_what_it_would_have_been_without_a_load_is_told_where_there_was_one() -> None:
    assert summary(1, fast=(2.0e6, 2.1e6, 2.2e6)).at_best == pytest.approx(2.1e6)
    assert summary(1).at_best is None


@pytest.mark.parametrize("of", [change(sittings=np.zeros(4)), change(effect=np.full(4, np.nan))])
def test_a_quantity_that_the_baseline_does_not_know_has_its_value_alone(of: stats.Change) -> None:
    found = summary(0, Answer.FAILED, of=of)
    assert (found.verdict, found.value, found.expected, found.ratio) == (Verdict.NOT_JUDGED, pytest.approx(8.0), None, None)
    assert (found.interval, found.band, found.detectable, found.launches) == ((None, None), (None, None), None, 3)
    assert found.sittings == int(of.sittings[0])


def told(index: int, answer: Answer = Answer.FAILED, split: bool = False, of: stats.Change | None = None,
    **changes: Any) -> Finding:
    of = of or change()
    return finding_of("demo:a", summary(index, answer, **changes), answer, index, of, 30, split)


def test_a_rate_that_fell_is_told_in_full() -> None:
    found = told(0)
    assert found.what == (
        "rate: 8 GFLOP/s, 25 % slower than 10 GFLOP/s before (band 9.52 GFLOP/s to 10.5 GFLOP/s); all other figures are "
        "10 % slower"
    )
    assert found.evidence.startswith(
        "median of 3 launches against 5 sittings, t = 4.46 with 7 degrees of freedom among 30; ratio 0.8 (95 %: 0."
    )
    assert found.evidence.endswith(", smallest detectable change: 6 %")
    assert (found.axis, found.verdict, found.section, found.where.section) == (Axis.CHANGE, Verdict.FAIL, None, None)
    assert (found.measured, found.expected, found.ratio) == pytest.approx((8.0, 10.0, 0.8)) and found.unit == "GFLOP/s"
    assert found.band == pytest.approx((10 / 1.05, 10.5))


def test_a_time_is_told_with_its_section_and_a_loss_as_a_part() -> None:
    time, loss = told(1), told(2)
    assert time.what.startswith("cg/dot: 2.5 ms, 25 % slower than 2 ms before (band 1.82 ms to 2.2 ms); all other figures")
    assert (time.section, time.where.section, time.unit) == ("cg/dot", "cg/dot", "ns")
    assert loss.what == "loss of cg: 21 %, was 10 % (band 4.76 % to 15.5 %)" and loss.section == "cg"
    assert "t = 1.91 with 9 degrees of freedom among 30" in loss.evidence


def test_a_clock_is_named_and_its_consequence_told() -> None:
    found = told(3)
    assert found.what == (
        "the clock under the widest vectors: 2.4 GHz, 25 % slower than 3 GHz before (band 2.86 GHz to 3.15 GHz): power or heat "
        "limit, governor, or code that lowers the clock; compute times are judged in clock cycles"
    )
    assert found.section is None


def test_the_rest_of_the_run_is_told_where_it_was_compared() -> None:
    assert "; all other figures are 10 % faster" in told(0, of=change(rest=-np.log(np.array(1.10)))).what
    assert "; all other figures are 0 % faster" in told(0, of=change(rest=np.array(0.0))).what
    assert "all other figures" not in told(0, of=change(compared=np.array(False))).what
    assert "all other figures" not in told(2).what


def test_what_moved_the_other_way_is_faster() -> None:
    of = change(effect=-EFFECT)
    made = summary_of(RATE, (12.5,), (12.5,), 0, of, decision(*[Answer.FASTER] * 4))
    found = finding_of("demo:a", made, Answer.FASTER, 0, change(own=-EFFECT), 30)
    assert found.what.startswith("rate: 12.5 GFLOP/s, 25 % faster than 10 GFLOP/s before") and found.verdict is Verdict.WARN
    assert found.what.endswith(
        "; all other figures are 10 % slower: faster than the baseline, or a measurement error. Confirm, then "
        "accept a new baseline"
    )
    assert "t = 4.46 with" in found.evidence


@pytest.mark.parametrize(("sittings", "launches", "split", "end"), [
    (2, 5, False, "; a FAIL needs 3 sittings, the baseline has 2"), (1, 1, True, "; a FAIL needs 3 sittings, the baseline has 1"),
    (3, 4, False, "; not confirmed"), (3, 4, True, "; not confirmed"), (3, 5, True, "; not in every launch"),
    (3, 5, False, "are 10 % slower"),
])  # fmt: skip
def test_why_it_is_no_failure(sittings: int, launches: int, split: bool, end: str) -> None:
    assert told(0, Answer.SLOWER, split, sittings=sittings, launches=launches).what.endswith(end)
    assert told(0, Answer.FAILED, split, sittings=sittings, launches=launches).what.endswith("are 10 % slower")


def test_a_run_that_moved_as_a_whole_is_told_with_what_moved_most() -> None:
    found = shift_finding("demo:a", summary(1), Answer.SLOWER_WITH_REST, 4, 1, change())
    assert found.what == (
        "all figures are 10 % slower than the baseline; the largest change is cg/dot: 2.5 ms, 25 % slower than 2 ms "
        "before (band 1.82 ms to 2.2 ms), and 3 more. One sitting does not separate a slow day from a slower node: run again in "
        "another allocation"
    )
    assert "common shift (median of all times and rates), t = 4.77 with 12 degrees of freedom; ratio 1.25" in found.evidence
    assert found.verdict is Verdict.WARN
    failed = shift_finding("demo:a", summary(1), Answer.FAILED_WITH_REST, 1, 1, change())
    assert failed.what.endswith("(band 1.82 ms to 2.2 ms)") and failed.verdict is Verdict.FAIL
    assert ", and 1 more" in shift_finding("demo:a", summary(1), Answer.FAILED_WITH_REST, 2, 1, change()).what


def test_a_class_that_moved_is_told_with_its_own_shift() -> None:
    found = class_finding("demo:a", summary(1), Answer.SLOWER_WITH_CLASS, (3, 7), 1, change())
    assert found.what == (
        "7 memory figures together are 30 % slower than all other figures; the largest change is cg/dot: 2.5 ms, "
        "25 % slower than 2 ms before (band 1.82 ms to 2.2 ms), and 2 more. One sitting does not separate a slow day from a "
        "lasting change: run again in another allocation"
    )
    assert "shift of the class (medians against the baselines), t = 5.25 with 12 degrees of freedom" in found.evidence
    assert found.verdict is Verdict.WARN
    first = class_finding("demo:a", summary(0), Answer.FAILED_WITH_CLASS, (1, 1), 0, change())
    assert first.what.startswith("1 compute figure is 20 % slower") and first.verdict is Verdict.FAIL
    assert first.what.endswith("GFLOP/s)") and "t = 6.08 with" in first.evidence


def test_what_lasts_is_told_newest_first() -> None:
    assert lasts(summary(1), [Seen("run2", 2.5e6, 3), Seen("run1", 2.4e6, 3)]) == (
        ". The 2 sittings before show the same, 2.5 ms in run2 and 2.4 ms in run1: a lasting change"
    )
    assert "21 % in run2" in lasts(summary(2), [Seen("run2", 0.21, 3)])


def axis(
    *summaries: ChangeSummary, findings: tuple[Finding, ...] = (), could_hide: float = 0.0, again: Sequence[float] = ()
) -> tuple[Verdict, str, bool]:
    found = axis_result(summaries, list(findings), could_hide, again)
    assert found.axis is Axis.CHANGE
    return found.verdict, found.reason, found.ground


def test_the_axis_is_its_worst_finding() -> None:
    warn, fail, more = told(0, Answer.SLOWER), told(1, Answer.FAILED), told(2, Answer.FAILED)
    assert axis(summary(0), findings=(warn, fail, more), could_hide=0.5) == (Verdict.FAIL, fail.what, False)
    assert axis(summary(0), findings=(warn,)) == (Verdict.WARN, warn.what, False)


def test_the_axis_without_a_finding() -> None:
    few, many = summary(0), summary(1)
    unseen = replace(summary(2), verdict=Verdict.NOT_JUDGED)
    unknown = replace(unseen, detectable=None)
    assert axis(few, could_hide=0.2) == (
        Verdict.NOT_JUDGED, "slower than the baseline; other load can explain up to 20 %", True)
    assert axis(few, many, unseen) == (
        Verdict.OK, "2 of 3 quantities as in 5 sittings; smallest detectable change: 6 to 12 %", False)
    assert axis(replace(few, sittings=1)) == (
        Verdict.OK, "1 of 1 quantities as in 1 sitting; smallest detectable change: 6 %", False)
    assert axis(few, again=[0.1, 0.25, 0.2])[1] == (
        "1 of 1 quantities as in 5 sittings; smallest detectable change: 6 % "
        "(3 slower together with the run, by up to 25 %, as in an earlier sitting)")
    assert axis(unseen, replace(unseen, detectable=0.5), unknown) == (
        Verdict.NOT_JUDGED, "not enough evidence: smallest detectable change: 20 %; accept more sittings", True)
    assert axis(unknown) == (Verdict.NOT_JUDGED, "the baseline has no quantity of this case", True) == axis()


def test_every_answer_has_its_verdict() -> None:
    assert {one: VERDICTS[one].value for one in Answer} == {
        Answer.NOT_JUDGED: "NOT JUDGED", Answer.OK: "OK", Answer.FASTER: "WARN", Answer.SLOWER_WITH_REST: "WARN",
        Answer.SLOWER_WITH_CLASS: "WARN", Answer.SLOWER: "WARN", Answer.FAILED_WITH_REST: "FAIL",
        Answer.FAILED_WITH_CLASS: "FAIL",
        Answer.FAILED: "FAIL",
    }
