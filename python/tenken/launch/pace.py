"""Whether a launch that was not done in time still advanced, and how fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tenken.model.run import STATES, RankState

# A step may take so many times as long as the longest before it until the launch counts as hanging.
_PATIENCE = 3.0
# Where a silence was spent on waiting for a processor up to this part, all takes four times as long and it proves little.
_STARVED = 0.75


@dataclass(frozen=True, slots=True)
class _Instant:
    wall_s: float
    own_s: float  # without the time that ranks waited for a processor


class Pace:
    """Steps of the ranks that are furthest behind, as seen from time to time.

    The others may wait for them, or run ahead: their steps prove nothing.
    """

    def __init__(self, watch_s: float) -> None:
        """`watch_s`: seconds between two looks."""
        self._watch_s = watch_s
        self._state: str | None = ""  # of the ranks that are furthest behind, None where there are none; at first empty
        self._seen: tuple[int, ...] = ()
        self._begin = self._last = _Instant(0.0, 0.0)  # of this state, of the last step seen
        self._longest_s = self._longest_own_s = 0.0  # between two steps
        self._moved = False
        self._first: tuple[float, int] | None = None  # instant and completed repetitions
        self._now: tuple[float, int] | None = None

    def see(self, now: float, ranks: Sequence[RankState], waited_s: float = 0.0) -> None:
        """`waited_s`: how long until now ranks were ready to run and had no processor."""
        at = _Instant(now, now - waited_s)
        state = min((rank.state for rank in ranks), key=STATES.index, default=None)
        done = min((rank.repetitions for rank in ranks if rank.state == state), default=0)
        steps = sum(rank.steps for rank in ranks if (rank.state, rank.repetitions) == (state, done))
        seen = (len(ranks), done, steps)
        if state != self._state:  # the new state has a pace of its own
            self._moved = self._state != ""
            self._state, self._begin, self._last = state, at, at
            self._longest_s = self._longest_own_s = 0.0
            self._first = self._now = (now, done) if state == "timing" else None
        elif seen != self._seen:
            self._longest_s = max(self._longest_s, now - self._last.wall_s)
            self._longest_own_s = max(self._longest_own_s, at.own_s - self._last.own_s)
            self._moved, self._last = True, at
            if self._now is not None and done > self._now[1]:
                self._now = now, done
        self._seen = seen

    def advances(self, now: float) -> bool:
        """Whether a step was seen, and lately."""
        return self._moved and self.silent_s(now) <= self._patience_s(self._longest_s)

    def starved(self, now: float, waited_s: float) -> bool:
        """Whether the silence since the last step is want of a processor, for the most part, and in the ranks' share of
        it too short to prove that nothing advances: no longer than patience lasts, or than all that advanced before it."""
        own_s = now - waited_s - self._last.own_s
        before_s = self._last.own_s - self._begin.own_s
        short = before_s == 0 or own_s <= max(self._patience_s(self._longest_own_s), before_s)
        return short and own_s <= (1 - _STARVED) * self.silent_s(now)

    def _patience_s(self, longest_s: float) -> float:
        return _PATIENCE * longest_s + self._watch_s

    def silent_s(self, now: float) -> float:
        return now - self._last.wall_s

    def seconds_each(self) -> float | None:
        """Seconds a repetition, where some were seen to end."""
        if self._first is None or self._now is None or self._now[1] == self._first[1]:
            return None
        return (self._now[0] - self._first[0]) / (self._now[1] - self._first[1])
