from __future__ import annotations

import pytest

from tenken.launch import reason
from tenken.launch.pace import Pace
from tenken.model.run import RankState


def ranks(*repetitions: int, state: str = "timing") -> tuple[RankState, ...]:
    return tuple(RankState(rank, "n0", 1, state, "s", done, 40) for rank, done in enumerate(repetitions))


@pytest.mark.parametrize(
    ("seen", "now", "each"),
    [
        ([(0.0, (0,)), (4.0, (1,)), (8.0, (2,))], 12.0, 4.0),
        ([(0.0, (0,)), (4.0, (1,)), (8.0, (2,))], 20.5, 4.0),  # three times as long as before, and one look
        ([(0.0, (0,)), (4.0, (1,)), (8.0, (2,))], 21.0, None),  # longer: it hangs
        ([(0.0, (37,)), (0.5, (37,))], 1.0, None),  # nothing was ever seen to advance
        ([(0.0, (3, 0)), (4.0, (9, 0))], 4.5, None),  # one of the ranks does not
        ([(0.0, (3, 0)), (4.0, (9, 2))], 4.5, 2.0),
        ([], 60.0, None),
    ],
)
def test_what_advances_is_not_hung(seen: list[tuple[float, tuple[int, ...]]], now: float, each: float | None) -> None:
    pace = Pace(0.5)
    for at, repetitions in seen:
        pace.see(at, ranks(*repetitions))
    assert pace.seconds_each(now) == each


@pytest.mark.parametrize("state", ["starting", "gathering", "done"])
def test_only_repetitions_count_as_advancing(state: str) -> None:
    pace = Pace(0.5)
    pace.see(0.0, ranks(0))
    pace.see(1.0, ranks(40))
    pace.see(1.5, ranks(40, state=state))
    assert pace.seconds_each(1.6) is None


def test_slow_says_its_rate_and_what_would_be_enough() -> None:
    assert reason.slow(60, ranks(12, 13), 4.2) == (
        "no end within 60 s, but it advances: 12 of 40 repetitions, 4.2 s each; give it more time: --timeout 266"
    )
