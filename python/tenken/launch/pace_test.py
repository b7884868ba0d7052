from __future__ import annotations

from dataclasses import replace

import pytest

from tenken.launch.pace import Pace
from tenken.model.run import RankState


def ranks(*repetitions: int, state: str = "timing", steps: tuple[int, ...] = ()) -> tuple[RankState, ...]:
    states = tuple(RankState(rank, "n0", 1, state, "s", done, 40) for rank, done in enumerate(repetitions))
    return tuple(replace(one, steps=count) for one, count in zip(states, steps or (0,) * len(states), strict=True))


def seen(*looks: tuple[float, tuple[RankState, ...]], waited_s: float = 0.0) -> Pace:
    """What a pace saw; by each look the ranks had waited this part of the time."""
    pace = Pace(0.5)
    for at, states in looks:
        pace.see(at, states, waited_s * at)
    return pace


@pytest.mark.parametrize(
    ("looks", "now", "each"),
    [
        ([(0.0, (0,)), (4.0, (1,)), (8.0, (2,))], 12.0, 4.0),
        ([(0.0, (0,)), (4.0, (1,)), (8.0, (2,))], 20.5, 4.0),  # three times as long as before, and one look
        ([(0.0, (0,)), (4.0, (1,)), (8.0, (2,))], 21.0, None),  # longer: it hangs
        ([(0.0, (37,)), (0.5, (37,))], 1.0, None),  # nothing was ever seen to advance
        ([(0.0, (3, 0)), (4.0, (9, 0))], 4.5, None),  # one of the ranks does not
        ([(0.0, (3, 0)), (4.0, (9, 2))], 4.5, 2.0),
        ([(0.0, (3, 0))], 0.4, None),  # what is seen once only proves nothing
        ([(0.0, ())], 0.4, None),
        ([(0.0, ()), (60.0, ())], 60.0, None),
    ],
)
def test_what_advances_is_not_hung(looks: list[tuple[float, tuple[int, ...]]], now: float, each: float | None) -> None:
    pace = seen(*((at, ranks(*repetitions)) for at, repetitions in looks))
    assert (pace.seconds_each() if pace.advances(now) else None) == each


def test_steps_after_the_last_repetition_are_an_advance_of_the_launch() -> None:
    """Two of four ranks search on, the others wait for them in a barrier."""
    pace = seen(*((float(at), ranks(40, 40, 40, 40, steps=(9, 9, 100 + at, 100 + at))) for at in range(9)))
    assert pace.advances(8.5) and pace.advances(11.5) and not pace.advances(11.6)
    assert pace.seconds_each() is None


@pytest.mark.parametrize("state", ["starting", "timing", "gathering", "writing"])
def test_steps_count_in_every_state(state: str) -> None:
    pace = seen((0.0, ranks(0, state=state, steps=(7,))), (1.0, ranks(0, state=state, steps=(8,))))
    assert pace.advances(1.4) and pace.silent_s(1.4) == pytest.approx(0.4)


def test_what_the_others_do_is_no_advance_of_the_rank_behind() -> None:
    looks = [(float(at), ranks(3 + at, 2, steps=(10 * at, 5))) for at in range(9)]
    assert not seen(*looks).advances(8.0)
    # It waits for the others, who are no farther than it is.
    looks = [(float(at), ranks(2, 2, steps=(10 * at, 5))) for at in range(9)]
    assert seen(*looks).advances(8.0)


def test_a_state_has_a_pace_of_its_own() -> None:
    """It took 20 s to start; a silence of 8 s in the timed part is long all the same."""
    begun = [(0.0, ranks(0, state="starting")), (20.0, ranks(0, state="starting", steps=(1,))), (21.0, ranks(0, steps=(1,)))]
    assert seen(*begun).advances(21.4) and not seen(*begun).advances(29.0)
    assert seen(*begun[:2]).advances(29.0)


def test_a_silence_is_held_against_the_time_that_the_ranks_had() -> None:
    """They waited for a processor for nine seconds of ten: 30 s of silence are 3 s."""
    pace = seen((0.0, ranks(0)), (1.0, ranks(1)), (2.0, ranks(2)))
    assert not pace.advances(32.0) and not pace.starved(32.0, 0.0)
    assert pace.starved(32.0, 27.0)  # 3 s, of 30 s
    assert not pace.starved(42.0, 36.0)  # 4 s, where patience with steps of 1 s is 3.5 s
    assert pace.starved(10.0, 6.0) and not pace.starved(10.0, 5.9)  # 2 s of 8 s: with more of it, steps would have come


def test_what_advanced_for_long_is_believed_for_as_long() -> None:
    pace = seen(*((float(at), ranks(0, steps=(at,))) for at in range(31)), waited_s=0.9)  # 3 s of their own, 0.1 s a step
    assert pace.advances(33.5) and not pace.advances(33.6)
    assert pace.starved(59.0, 53.1)  # 2.9 s
    assert not pace.starved(61.0, 54.9)  # 3.1 s


def test_without_anything_to_compare_with_a_wait_is_believed_for_ever() -> None:
    first = seen((0.0, ranks(0)), (1.0, ranks(0)))
    assert first.starved(60.0, 45.0) and not first.starved(60.0, 44.9)
    assert seen((0.0, ()), (1.0, ())).starved(60.0, 55.0)  # no page yet
