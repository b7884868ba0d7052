"""The rule of change on its limits, where noise is nothing: each condition alone, on its limit and just below."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tenken.judge.change.lasting import Held, failed, lasting
from tenken.judge.change.rule import Answer, Decision, decide, history_of, votes_of
from tenken.judge.common import Demands, demands
from tenken.model import limits
from tenken.model.baseline import Quantity
from tenken.stats import change as stats
from tenken.stats.shape import LEVELS

TIMES = tuple(Quantity(f"time:s{i}", "ns", "lower", "compute") for i in range(4))
CLOCK, LOSS = Quantity("clock:plain", "GHz", "higher", "compute"), Quantity("loss:s0", "1", "lower", "compute")
DEMAND = demands(TIMES)
WARN, FAIL, DAY = float(DEMAND.warn[0]), float(DEMAND.fail[0]), float(np.log1p(limits.SLOW_DAY))
LESS = 1 - 1e-9
NOTHING = 1e-12


def change(*effect: float, **changes: Any) -> stats.Change:
    """Quantities that moved by `effect` (logarithms) in five sittings; the rest of the run stayed."""
    moved = np.array(effect)
    n, same = moved.size, np.ones(moved.size)
    base: dict[str, Any] = {
        "expected": 0 * same, "follows": np.ones(n, dtype=bool),
        "effect": moved, "own": moved, "own_sigma": NOTHING * same, "own_df": 9 * same,
        "stray": np.full((n, LEVELS.size),
            -np.inf), "stray_sigma": NOTHING * same, "low": moved, "unmoved": np.array(0.0), "explained": 0 * same,
        "sigma": NOTHING * same, "df": 9 * same, "sittings": 5 * same, "compared": np.array(True), "rest": np.array(0.0),
        "rest_sigma": np.array(NOTHING), "rest_df": np.array(9.0), "class_shift": np.zeros(0), "class_sigma": np.zeros(0),
        "members": np.zeros((0, n), dtype=bool), "shifts": np.zeros(5), "class_shifts": np.zeros((5, 0)),
        "highest": 0 * same,
    }
    return stats.Change(**(base | {name: np.asarray(value) for name, value in changes.items()}))


def decided(of: stats.Change, demand: Demands = DEMAND, launches: float = 5.0, together: bool = True) -> Decision:
    n = of.effect.shape[-1]
    part = replace(demand, **{name: getattr(demand, name)[:n] for name in ("warn", "fail", "hopeless", "kind", "clock")})
    of = replace(of, follows=of.follows & together)
    return decide(of, np.full(n, together), part, np.full(n, launches))


def answer(effect: float, launches: float = 5.0, demand: Demands = DEMAND, together: bool = True, **changes: Any) -> Answer:
    return Answer(int(decided(change(effect, 0.0, **changes), demand, launches, together).answers[0]))


@pytest.mark.parametrize(("effect", "expected"), [
    (0.0, Answer.OK), (WARN * LESS, Answer.OK), (WARN, Answer.SLOWER), (FAIL * LESS, Answer.SLOWER), (FAIL, Answer.FAILED),
    (-WARN * LESS, Answer.OK), (-WARN, Answer.FASTER), (-FAIL, Answer.FASTER),
])  # fmt: skip
def test_smallest_effects_are_reached_on_their_limit(effect: float, expected: Answer) -> None:
    assert answer(effect) is expected


def test_a_failure_takes_its_sittings_its_launches_and_every_launch() -> None:
    assert answer(FAIL, sittings=[3.0, 3.0]) is Answer.FAILED and answer(FAIL, sittings=[2.0, 2.0]) is Answer.SLOWER
    assert answer(FAIL, 4.0) is Answer.SLOWER and answer(FAIL, 5.0) is Answer.FAILED
    half = limits.EVERY_LAUNCH * FAIL
    assert answer(FAIL, low=[half, 0.0]) is Answer.FAILED and answer(FAIL, low=[half * LESS, 0.0]) is Answer.SLOWER
    split = decided(change(FAIL, FAIL, low=[half, half * LESS]))
    assert split.split.tolist() == [False, True] and not decided(change(WARN, 0.0, low=[0.0, 0.0])).split.any()


def test_what_a_slow_day_explains_is_taken_off_before_it_fails() -> None:
    assert answer(2 * FAIL, explained=[FAIL, 0.0]) is Answer.FAILED
    assert answer(2 * FAIL, explained=[1.01 * FAIL, 0.0]) is Answer.SLOWER
    half = limits.EVERY_LAUNCH * FAIL
    assert answer(2 * FAIL, explained=[FAIL, 0.0], low=[FAIL + 1.001 * half, 0.0]) is Answer.FAILED
    assert answer(2 * FAIL, explained=[FAIL, 0.0], low=[FAIL + 0.9 * half, 0.0]) is Answer.SLOWER


def test_where_nothing_tells_a_slow_day_only_what_is_beyond_one_fails() -> None:
    alone = {"compared": False}
    assert answer(DAY * LESS, **alone) is Answer.SLOWER and answer(DAY, **alone) is Answer.FAILED
    assert answer(FAIL, together=False, **alone) is Answer.FAILED


def test_unknown_quantities_are_not_judged_however_far_they_are() -> None:
    assert answer(9.0, sittings=[0.0, 5.0]) is Answer.NOT_JUDGED is answer(float("nan")) is answer(-9.0, sittings=[0.0, 5.0])
    assert answer(9.0, sittings=[1.0, 5.0]) is Answer.SLOWER


def test_what_could_not_be_seen_is_not_called_ok() -> None:
    hopeless = float(DEMAND.hopeless[0])
    found = decided(change(0.0, 0.0, sigma=[0.05, NOTHING]))
    assert found.detectable[0] > WARN > found.detectable[1] * LESS and found.answers[0] == Answer.OK
    blind = decided(change(0.0, 0.0, sigma=[1.0, NOTHING]))
    assert blind.detectable[0] > hopeless and blind.answers.tolist() == [Answer.NOT_JUDGED, Answer.OK]


SHIFT = float(np.log1p(limits.SHIFT_WARN))


def test_a_run_that_moved_as_a_whole_is_called_so_from_its_own_limit_on() -> None:
    def moved(rest: float, **changes: Any) -> list[int]:
        return decided(change(rest, rest, **({"rest": rest, "own": [0.0, 0.0], "unmoved": rest} | changes))).answers.tolist()

    assert moved(SHIFT) == [Answer.SLOWER_WITH_REST] * 2 and moved(SHIFT * LESS) == [Answer.OK] * 2
    assert moved(-SHIFT) == [Answer.FASTER] * 2 and moved(-SHIFT * LESS) == [Answer.OK] * 2
    assert moved(SHIFT, rest_sigma=1.0) == moved(-SHIFT, rest_sigma=1.0) == [Answer.OK] * 2, "which chance may do"
    assert decided(change(SHIFT, SHIFT, rest=SHIFT, compared=False)).answers.tolist() != [Answer.SLOWER_WITH_REST] * 2
    shifted = decided(change(SHIFT, SHIFT, rest=SHIFT)), decided(change(-SHIFT, -SHIFT, rest=-SHIFT)), decided(change(0.0, 0.0))
    assert [bool(one.shifted) for one in shifted] == [True, True, False]


def test_a_run_far_beyond_any_slow_day_fails() -> None:
    def moved(rest: float, launches: float = 5.0, **changes: Any) -> int:
        of = change(rest, rest, **({"rest": rest, "own": [0.0, 0.0], "unmoved": rest, "explained": [rest, rest]} | changes))
        return int(decided(of, launches=launches).answers[0])

    assert moved(DAY) == Answer.FAILED_WITH_REST and moved(DAY * LESS) == Answer.SLOWER_WITH_REST
    assert moved(DAY, 4.0) == moved(DAY, sittings=[2.0, 2.0]) == Answer.SLOWER_WITH_REST
    assert moved(DAY, rest_sigma=DAY / 3.0) == Answer.SLOWER_WITH_REST, "rarer than the error of a shift alone"


def test_what_moved_is_held_against_the_rest_and_against_what_did_not_move() -> None:
    apart = {"rest": 0.02, "unmoved": 0.01, "explained": [1.0, 1.0]}
    assert answer(0.0201 + WARN, **apart) is Answer.SLOWER and answer(0.0199 + WARN, **apart) is Answer.OK
    assert answer(0.01 - WARN, **apart) is Answer.OK, "it did not become faster by itself"
    assert answer(-WARN, **apart) is Answer.FASTER
    fast = {"rest": -0.02, "unmoved": -0.01}
    assert answer(WARN, **fast) is Answer.SLOWER and answer(WARN * LESS, **fast) is Answer.OK
    assert answer(-0.0201 - WARN, **fast) is Answer.FASTER and answer(-0.0199 - WARN, **fast) is Answer.OK


def test_noise_widens_what_is_normal() -> None:
    assert answer(FAIL, own_sigma=[0.05, NOTHING]) is Answer.OK and answer(0.5, own_sigma=[0.05, NOTHING]) is Answer.FAILED


def test_a_faster_clock_is_nothing_and_a_slower_one_is() -> None:
    demand = demands((CLOCK, CLOCK))
    warn = float(demand.warn[0])
    assert answer(-1.0, demand=demand) is Answer.OK and answer(warn, demand=demand) is Answer.SLOWER
    quiet = decided(change(-1.0, 0.0), demand)
    assert not quiet.suspect.any() and decided(change(warn, 0.0), demand).suspect.tolist() == [True, False]


def test_jitter_never_fails() -> None:
    demand = demands((replace(LOSS, name="jitter:s0"), LOSS))
    found = decided(change(5.0, 5.0), demand, together=False)
    assert found.answers.tolist() == [Answer.SLOWER, Answer.FAILED]


def test_what_is_worth_confirming() -> None:
    part = limits.SUSPECT_PART * WARN
    assert [bool(decided(change(one, 0.0)).suspect[0]) for one in (part, part * LESS, -part, -part * LESS)] == [True, False,
        True, False]


def test_the_band_moves_along_with_the_usual_shift_alone() -> None:
    found = decided(change(0.0, 0.0, rest=0.01, expected=[1.0, 2.0]))
    assert found.low == pytest.approx([1 - WARN, 2 - WARN]) and found.high == pytest.approx([1 + WARN + 0.01, 2 + WARN + 0.01])
    lower = decided(change(0.0, 0.0, rest=-0.01))
    assert lower.low == pytest.approx([-WARN - 0.01] * 2) and lower.high == pytest.approx([WARN] * 2)
    shifted = decided(change(SHIFT, SHIFT, rest=SHIFT))
    assert shifted.low == pytest.approx([-WARN] * 2) and shifted.high == pytest.approx([WARN] * 2)
    alone = decided(change(0.0, 0.0, rest=0.01), together=False)
    assert alone.high == pytest.approx([WARN] * 2)


def of_class(*effect: float, shift: float, **changes: Any) -> list[int]:
    """Of four quantities the first two are a class that moved by `shift` against all others."""
    members = np.array([[True, True, False, False]])
    of = {"class_shift": [shift], "class_sigma": [NOTHING], "class_shifts": np.zeros((5, 1)), "members": members,
          "own": [0.0] * 4, "explained": list(effect), "rest": 0.0, "unmoved": 0.0}  # fmt: skip
    launches = changes.pop("launches", 5.0)
    found = decided(change(*effect, **(of | {"own_sigma": [9.0] * 4} | changes)), launches=launches)
    return [int(one) for one in found.answers]


def test_a_class_moves_from_the_smallest_effect_on() -> None:
    slow, none = Answer.SLOWER_WITH_CLASS, (Answer.OK, Answer.NOT_JUDGED)
    assert of_class(WARN, WARN, 0.0, 0.0, shift=WARN)[:2] == [slow] * 2 and of_class(WARN, WARN, 0.0, 0.0, shift=WARN)[2] in none
    assert of_class(WARN, WARN, 0.0, 0.0, shift=WARN * LESS)[0] in none
    assert of_class(WARN, WARN * LESS, 0.0, 0.0, shift=WARN)[0] in none, "half of a class is not the class"
    assert of_class(WARN, WARN, 0.0, 0.0, shift=WARN, class_sigma=[1.0])[0] in none
    assert of_class(WARN, WARN, 0.0, 0.0, shift=2.999 * WARN)[:2] == [slow] * 2
    assert of_class(WARN, WARN, 0.0, 0.0, shift=3.01 * WARN)[0] in none, "what moved a third of it did not move along"
    assert of_class(WARN, WARN, 0.0, 0.0, shift=WARN, rest=2 * WARN)[:2] != of_class(WARN, WARN, 0.0, 0.0, shift=WARN,
        rest=2.01 * WARN)[:2]


def test_a_class_beyond_any_slow_day_fails() -> None:
    def first(effect: float, shift: float, **changes: Any) -> int:
        return of_class(effect, effect, 0.0, 0.0, shift=shift, **changes)[0]

    assert first(DAY, DAY) == Answer.FAILED_WITH_CLASS
    for one in (first(DAY * LESS, DAY), first(DAY, DAY * LESS), first(DAY, DAY, launches=4.0),
        first(DAY, DAY, sittings=[2.0] * 4)):
        assert one == Answer.SLOWER_WITH_CLASS
    assert first(DAY, DAY, class_sigma=[DAY / 3.3]) == Answer.FAILED_WITH_CLASS
    assert first(DAY, DAY, class_sigma=[DAY / 3.2]) < Answer.SLOWER_WITH_CLASS


def test_quantities_of_a_case_and_class_share_a_vote() -> None:
    of = tuple(Quantity(f"time:{i}", "ns", "lower", klass) for i,
        klass in enumerate(("compute", "compute", "memory", "compute", "io", "latency")))
    cases = ["a", "a", "a", "b", "b", "c"]
    assert votes_of(of, cases).tolist() == [0.5, 0.5, 1.0, 1.0, 1.0, 1.0]
    assert votes_of(of, ["a"] * 6).tolist() == pytest.approx([1 / 3, 1 / 3, 1.0, 1 / 3, 1.0, 1.0])
    mixed = (*of[:2], LOSS, *of[2:])
    assert votes_of(mixed, ["a", "a", "a", *cases[2:]]).tolist() == [0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0]
    found = votes_of((*of[:4], LOSS, LOSS), ["a", "a", "b", "c", "d", "e"]).tolist()
    assert found == [0.5, 0.5, 1.0, 1.0, 1.0, 1.0], "a loss has a vote"


def test_a_history_knows_kinds_classes_and_floors() -> None:
    nan = float("nan")
    values = np.array([[[1.0, 3.0, nan], [2.0, nan, nan]], [[nan] * 3, [5.0] * 3]])
    found = history_of(values, (TIMES[0], LOSS))
    assert np.array_equal(found.sittings, [[2.0, 2.0], [nan, 5.0]], equal_nan=True) and found.launches.tolist() == [1.5, 3.0]
    assert found.together.tolist() == [True, False] and found.group.tolist() == [0, 1] == found.kind.tolist()
    assert found.floor.tolist() == [0.003, 0.01] and found.guess.tolist() == [0.02, 0.02] and found.votes.tolist() == [1.0, 1.0]
    assert history_of(np.full((1, 1, 2), nan), TIMES[:1]).launches.tolist() == [1.0]


# --- what lasts -----------------------------------------------------------------------------------------------------


def held(effect: float, answers: Answer = Answer.SLOWER, launches: float = 5.0, **changes: Any) -> Held:
    of = change(effect, effect, **changes)
    found = decided(of)
    return Held(of, replace(found, answers=np.array([int(answers)] * 2)), np.full(2, launches))


def lasts(*of: Held) -> bool:
    flags = lasting(of[0], of[1:], replace(DEMAND, warn=DEMAND.warn[:2], kind=DEMAND.kind[:2]))
    assert flags[0] == flags[1]
    return bool(flags[0])


SLOW = held(WARN)


def test_three_in_a_row_on_the_limit_last() -> None:
    assert lasts(SLOW, SLOW, SLOW) and not lasts(SLOW, SLOW) and not lasts(SLOW)
    less = held(WARN * LESS)
    assert not lasts(less, SLOW, SLOW) and not lasts(SLOW, less, SLOW) and not lasts(SLOW, SLOW, less)
    assert lasts(SLOW, SLOW, SLOW, less), "the fourth is not asked"


def test_each_of_the_three_is_slower_by_its_own_judgement() -> None:
    for good in (Answer.OK, Answer.FASTER, Answer.NOT_JUDGED):
        assert not lasts(SLOW, held(WARN, good), SLOW)
    assert lasts(SLOW, held(WARN, Answer.SLOWER_WITH_REST), held(WARN, Answer.FAILED))


def test_what_was_not_measured_is_passed_over() -> None:
    gap = held(float("nan"), Answer.NOT_JUDGED)
    assert lasts(SLOW, gap, SLOW, SLOW) and not lasts(SLOW, gap, SLOW) and not lasts(gap, SLOW, SLOW, SLOW)


def test_as_a_whole_or_by_itself() -> None:
    whole = held(WARN, own=[0.0, 0.0])
    own = held(0.0, own=[WARN, WARN])
    assert lasts(*[whole] * 3) and lasts(*[own] * 3) and not lasts(whole, own, whole)
    assert not lasts(*[held(WARN, own_sigma=[1.0, 1.0], sigma=[1.0, 1.0])] * 3)
    assert lasts(*[held(WARN, own_sigma=[1.0, 1.0])] * 3) and lasts(*[held(WARN, sigma=[1.0, 1.0])] * 3)
    assert not lasts(SLOW, held(WARN, own_sigma=[1.0, 1.0], sigma=[1.0, 1.0]), SLOW), "the widest error counts"


def test_it_takes_three_accepted_sittings_and_five_launches_in_all() -> None:
    def of(sittings: float, launches: float) -> Held:
        return held(WARN, launches=launches, sittings=[sittings, sittings])

    assert lasts(*[of(3.0, 2.0)] * 3) and not lasts(*[of(2.0, 2.0)] * 3)
    assert lasts(of(3.0, 2.0), of(3.0, 2.0), of(3.0, 1.0)) and not lasts(of(3.0, 2.0), of(3.0, 1.0), of(3.0, 1.0))


def test_what_lasts_fails_as_it_was_slower() -> None:
    every = np.array(list(Answer))
    found = failed(replace(SLOW.decision, answers=every), np.ones(every.size, dtype=bool))
    assert found.answers.tolist() == [0, 1, 2, Answer.FAILED_WITH_REST, Answer.FAILED_WITH_CLASS, Answer.FAILED, 6, 7, 8]
    assert failed(replace(SLOW.decision, answers=every), np.zeros(every.size, dtype=bool)).answers.tolist() == every.tolist()
