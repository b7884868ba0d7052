"""Whether a launch that was not done in time still advanced, and how fast."""

from __future__ import annotations

from collections.abc import Sequence

from tenken.model.run import RankState

# A repetition may take so many times as long as those before it until nothing is said to advance any more.
_PATIENCE = 3.0


class Pace:
    """Repetitions that all ranks have completed, as seen from time to time."""

    def __init__(self, watch_s: float) -> None:
        """`watch_s`: seconds between two looks."""
        self._watch_s = watch_s
        self._first: tuple[float, int] | None = None
        self._last: tuple[float, int] | None = None

    def see(self, now: float, ranks: Sequence[RankState]) -> None:
        if not ranks or any(rank.state != "timing" for rank in ranks):
            self._first = self._last = None  # before the repetitions, or behind them
            return
        done = min(rank.repetitions for rank in ranks)
        if self._first is None or self._last is None:
            self._first = self._last = now, done
        elif done > self._last[1]:
            self._last = now, done

    def seconds_each(self, now: float) -> float | None:
        """Seconds a repetition where they still advance at `now`, else None: nothing was seen to advance, or not lately."""
        if self._first is None or self._last is None or self._last[1] == self._first[1]:
            return None
        each = (self._last[0] - self._first[0]) / (self._last[1] - self._first[1])
        return each if now - self._last[0] <= _PATIENCE * each + self._watch_s else None
