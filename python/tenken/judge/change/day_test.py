"""A day that is slow as earlier days were is no change: each limit, on it and just beyond, where noise is nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from tenken.judge.change.change_limits_test import DAY, FAIL, LESS, SHIFT, WARN, change, decided, of_class
from tenken.judge.change.change_test import OURS, axis, case_of, judged
from tenken.judge.change.rule import Answer, Decision
from tenken.judge.common import prepare, quantities_of
from tenken.model.baseline import Baseline, Sitting
from tenken.model.limits import CLASS_ERROR, SLOW_AGAIN
from tenken.model.verdict import Verdict
from tenken.stats import change as stats
from tenken.stats.tails import t_quantile

BARE = (Answer.OK, Answer.NOT_JUDGED)
MORE = 2 - LESS


def days_of(shift: float, of: int = 20, slow: int = 1) -> np.ndarray:
    """Shifts of earlier sittings, of which some were slow."""
    return np.repeat([shift, 0.0], [slow, of - slow])


def moved(rest: float, **changes: Any) -> Decision:
    """Two quantities that moved with the rest, as much as it."""
    of = {"rest": rest, "own": [0.0, 0.0], "unmoved": rest, "explained": [rest, rest]}
    return decided(change(rest, rest, **(of | changes)))


def test_a_run_as_slow_as_an_earlier_one_has_not_changed() -> None:
    slow = moved(SLOW_AGAIN * SHIFT, shifts=days_of(SHIFT))
    assert slow.answers.tolist() == [Answer.OK] * 2 and slow.again.tolist() == [True] * 2 and not slow.shifted
    beyond = moved(SLOW_AGAIN * SHIFT * MORE, shifts=days_of(SHIFT))
    assert beyond.answers.tolist() == [Answer.SLOWER_WITH_REST] * 2 and not beyond.again.any() and beyond.shifted
    assert moved(DAY, shifts=days_of(DAY)).answers.tolist() == [Answer.OK] * 2, "nor where it would fail"
    assert not moved(SHIFT * LESS, shifts=days_of(SHIFT)).again.any(), "an ordinary day is none of these"
    assert not moved(SHIFT, shifts=days_of(SHIFT), rest_sigma=1.0).again.any()
    unknown = moved(SHIFT, shifts=days_of(SHIFT), sittings=[0.0, 5.0])
    assert unknown.again.tolist() == [False, True] and unknown.answers[0] == Answer.NOT_JUDGED


def test_a_slow_day_in_more_than_twenty_is_no_habit() -> None:
    assert moved(SHIFT, shifts=days_of(SHIFT, 21)).answers.tolist() == [Answer.SLOWER_WITH_REST] * 2
    assert moved(SHIFT, shifts=days_of(SHIFT, 40, 2)).again.all() and not moved(SHIFT, shifts=days_of(SHIFT, 41, 2)).again.any()
    assert moved(SHIFT, shifts=np.append(days_of(SHIFT), np.nan)).again.all(), "what is unknown is no quiet day"
    assert not moved(SHIFT, shifts=np.full(3, np.nan)).again.any(), "nor is one that nobody saw"
    mixed = np.append(days_of(SHIFT, 39), SHIFT / SLOW_AGAIN)
    assert moved(SHIFT, shifts=mixed).again.all() and not moved(SHIFT * MORE, shifts=mixed).again.any()


def test_a_run_as_fast_as_an_earlier_one_has_not_changed() -> None:
    fast = moved(-SLOW_AGAIN * SHIFT, shifts=days_of(-SHIFT))
    assert fast.answers.tolist() == [Answer.OK] * 2 and not fast.again.any() and not fast.shifted
    assert moved(-SLOW_AGAIN * SHIFT * MORE, shifts=days_of(-SHIFT)).answers.tolist() == [Answer.FASTER] * 2
    assert moved(-SHIFT, shifts=days_of(SHIFT)).answers.tolist() == [Answer.FASTER] * 2, "a slow day says nothing of fast ones"


def test_on_a_slow_day_as_before_what_moved_further_still_stands_out() -> None:
    def first(effect: float, **changes: Any) -> Answer:
        of = {"rest": SHIFT, "unmoved": SHIFT, "shifts": days_of(SHIFT), "own": [effect - SHIFT, 0.0], "explained": [SHIFT, 0.0]}
        return Answer(int(decided(change(effect, SHIFT, **(of | changes))).answers[0]))

    far = SHIFT + WARN * MORE
    assert first(far, low=[0.0, 0.0]) is Answer.SLOWER and first(SHIFT + WARN * LESS, low=[0.0, 0.0]) is Answer.OK
    assert first(far, explained=[far, 0.0]) is Answer.OK, "a slow day slows unequally"
    assert first(far, highest=[far, 0.0], low=[0.0, 0.0]) is Answer.OK, "by no more than it was on that day"
    assert first(far + SHIFT, highest=[SHIFT + SHIFT, 0.0], low=[0.0, 0.0]) is Answer.SLOWER
    assert first(9.0, explained=[far, 0.0], highest=[far, 0.0]) is Answer.FAILED
    ordinary = {"rest": SHIFT * LESS, "highest": [9.0, 0.0], "low": [0.0, 0.0]}
    assert first(far, **ordinary) is Answer.SLOWER, "on an ordinary day an earlier stray explains nothing"
    found = moved(SHIFT, shifts=days_of(SHIFT), explained=[SHIFT, 2 * SHIFT], highest=[0.0, 0.0], expected=[1.0, 2.0])
    np.testing.assert_allclose(found.high, [1 + SHIFT + WARN, 2 + 2 * SHIFT + WARN])


def test_a_class_as_slow_as_an_earlier_one_has_not_changed() -> None:
    def first(shift: float, slowest: float, effect: float = 0.0) -> Answer:
        slow = max(shift, effect)
        return Answer(of_class(slow, slow, 0.0, 0.0, shift=shift, class_shifts=days_of(slowest)[:, None])[0])

    assert first(SLOW_AGAIN * WARN, WARN) in BARE and first(SLOW_AGAIN * WARN * MORE, WARN) is Answer.SLOWER_WITH_CLASS
    assert first(DAY, DAY) in BARE and first(DAY, DAY / SLOW_AGAIN * LESS) is Answer.FAILED_WITH_CLASS
    assert first(FAIL, 0.0) is Answer.SLOWER_WITH_CLASS


def test_quantities_of_a_class_as_before_are_told() -> None:
    members = np.array([[True, True, False, False]])
    of = {"class_shift": [WARN], "class_sigma": [1e-12], "members": members, "rest": 0.0, "unmoved": 0.0}
    found = decided(change(WARN, WARN, 0.0, 0.0, **of, class_shifts=days_of(WARN)[:, None], explained=[WARN, WARN, 0.0, 0.0]))
    assert found.again.tolist() == [True, True, False, False] and (found.answers == Answer.OK).all()
    assert not decided(change(WARN, WARN, 0.0, 0.0, **of, class_shifts=days_of(0.0)[:, None])).again.any()


def test_classes_share_their_error() -> None:
    halves = np.array([[True, True, False, False], [False, False, True, True]])
    of = {"rest": 0.0, "unmoved": 0.0, "explained": [DAY] * 4, "own": [0.0] * 4, "own_sigma": [9.0] * 4}

    def first(t: float) -> Answer:
        both = {"class_shift": [DAY, 0.0], "class_sigma": [DAY / t, DAY / t], "class_shifts": np.zeros((5, 2)), "rest_df": np.inf}
        return Answer(int(decided(change(DAY, DAY, 0.0, 0.0, **(of | both), members=halves)).answers[0]))

    one, two = (float(t_quantile(np.array(CLASS_ERROR / count), np.array(np.inf))) for count in (1, 2))
    assert one < two and first(two * 1.001) >= Answer.SLOWER_WITH_CLASS and first(two * 0.999) in BARE
    assert first(9.0) is Answer.FAILED_WITH_CLASS


def test_what_shares_no_shift_is_held_against_itself_on_any_day() -> None:
    for rest in (-DAY, DAY):
        found = decided(change(WARN, -WARN * MORE, rest=rest, unmoved=rest), together=False)
        assert found.answers.tolist() == [Answer.SLOWER, Answer.FASTER]
        found = decided(change(WARN * LESS, -WARN * LESS, rest=rest, unmoved=rest), together=False)
        assert found.answers.tolist() == [Answer.OK] * 2


def test_what_follows_no_shift_is_held_against_itself_until_the_whole_run_moved() -> None:
    """On a day of the others that is no change, slower by DAY or faster, it has what it has by itself."""
    aloof = {"follows": [False, True], "own": [0.0, 0.0], "explained": [0.0, 0.0]}
    for rest in (-DAY, DAY):
        usual = {"rest": rest, "unmoved": rest, "shifts": days_of(rest), "highest": [0.0, DAY]}
        stayed = decided(change(0.0, rest, **(aloof | usual)))
        assert stayed.answers.tolist() == [Answer.OK] * 2
        moved_alone = decided(change(WARN, rest, **(aloof | usual)))
        assert moved_alone.answers.tolist() == [Answer.SLOWER, Answer.OK]
        assert decided(change(-WARN, rest, **(aloof | usual))).answers.tolist() == [Answer.FASTER, Answer.OK]
    explained = {"explained": [DAY, DAY]}
    along = decided(change(WARN, DAY, rest=DAY, unmoved=DAY, shifts=days_of(DAY), **(aloof | explained)))
    assert along.answers.tolist() == [Answer.SLOWER, Answer.OK], "a day of the others explains nothing of it"
    for sign, answer in ((1, Answer.SLOWER_WITH_REST), (-1, Answer.FASTER)):
        rest = sign * SHIFT * MORE
        whole = decided(change(rest, rest, rest=rest, unmoved=rest, **(aloof | {"explained": [rest, rest]})))
        assert whole.answers.tolist() == [answer] * 2, "one finding of the run, not two"


def test_the_band_of_what_follows_no_shift_stays_where_it_was() -> None:
    low, high = (
        decided(change(0.0, 0.0, rest=rest, unmoved=rest, follows=[False, True])) for rest in (-SHIFT * LESS, SHIFT * LESS)
    )
    assert low.low[0] == high.low[0] and low.high[0] == high.high[0]
    assert low.low[1] < high.low[1] or low.high[1] < high.high[1]


def test_runs_at_once_are_answered_as_one_by_one() -> None:
    chance = np.random.default_rng(3)
    halves = np.array([[True, True, False, False], [False, False, True, True]])
    runs = []
    for rest in (0.0, DAY, -DAY, SHIFT, 0.0, DAY) * 2:
        effect = rest + chance.choice([0.0, WARN, DAY], 4) * np.array([1, 1, 0, 0])
        runs.append(change(
            *effect, rest=rest, unmoved=rest, own=effect - rest, explained=effect * chance.integers(2), members=halves,
            class_sigma=[1e-12] * 2, class_shift=chance.choice([0.0, DAY], 2), class_shifts=chance.choice([0.0, DAY], (6, 2)),
            shifts=chance.choice([0.0, SHIFT, -DAY], 6), highest=chance.choice([0.0, WARN], 4),
        ))  # fmt: skip
    names = [one.name for one in fields(stats.Change) if one.name != "members"]
    at_once = decided(stats.Change(members=halves, **{name: np.stack([getattr(run, name) for run in runs]) for name in names}))
    for index, run in enumerate(runs):
        alone = decided(run)
        assert at_once.answers[index].tolist() == alone.answers.tolist() and at_once.again[index].tolist() == alone.again.tolist()
        assert bool(at_once.shifted[index]) == bool(alone.shifted)
    assert at_once.again.any() and len(set(at_once.answers.ravel().tolist())) > 3


def known(*slow: float) -> dict[str, Baseline]:
    """A baseline of sittings in which everything takes so many times as long."""
    kept, quantities = [], ()
    for day, times in enumerate(slow, 1):
        quantities, launches = quantities_of(prepare("r", case_of({"all": times}, day=day, launches=3), OURS), OURS)
        kept.append(Sitting(f"run-{day}", f"2026-11-{day:02d}T08:00:00Z", ("n0",), {}, launches))
    return {"demo:a": Baseline("toy", "demo:a", "0badcafe", quantities, tuple(kept))}


def test_from_records_to_the_reason() -> None:
    quiet, loud = known(1.0, 1.0, 1.0, 1.0, 1.0), known(1.0, 1.0, 1.2, 1.0, 1.0)
    assert axis(judged(case_of({"all": 1.2}), quiet)).verdict is Verdict.WARN
    found = axis(judged(case_of({"all": 1.2}), loud))
    assert found.verdict is Verdict.OK
    assert "slower together" not in axis(judged(case_of(), loud)).reason
    assert axis(judged(case_of({"all": 1.4}), loud)).verdict is Verdict.FAIL
    one = judged(case_of({"all": 1.2, "s3": 1.8}), loud)
    assert [each.section for each in one.findings if each.axis is axis(one).axis] == ["s3"]
