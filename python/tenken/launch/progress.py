"""Observes a launch while it runs, and describes it when its time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tenken.launch import reason
from tenken.launch.pace import Pace
from tenken.launch.pages import read_pages
from tenken.launch.waiting import Waiting, stopped
from tenken.model.run import RankState

_STARVED = 0.5  # of the time: ranks that waited so long for processors that others used are not called hung
_ENOUGH = 0.5  # of the processor time that a launch is planned to need: who had so much and is not done is hung


class Progress:
    """The ranks of a launch, looked at from time to time."""

    def __init__(self, folder: Path, launch: str, watch_s: float) -> None:
        """`folder` of the launch, its id, and the seconds between two looks."""
        self._folder, self._launch, self._watch_s = folder, launch, watch_s
        self._pace, self._waiting = Pace(watch_s), Waiting(str(folder))

    def look(self, started: Callable[[], Iterable[int]] = tuple) -> tuple[RankState, ...]:
        """The states of the ranks; `started()` names processes of the launch as long as there are none."""
        ranks, now = read_pages(self._folder / "pages", self._launch), time.monotonic()
        self._waiting.look(now, [rank.pid for rank in ranks] or started())
        self._pace.see(now, ranks, self._waiting.seconds)
        return ranks

    @property
    def waited(self) -> float | None:
        """The part of the time that ranks waited for a processor; None where no rank was seen twice."""
        return self._waiting.share() if self._waiting.known else None

    def overdue(self, timeout_s: float, planned_s: float) -> tuple[str, str, float | None]:
        """Status and reason of a launch whose time is over, and of a starved launch the time that it needs.

        "hung" only where its ranks had processors and nothing advances. `planned_s`: its time-out on processors of its own.
        """
        ranks, pace, waiting = self.look(), self._pace, self._waiting
        now = time.monotonic()
        silent_s = pace.silent_s(now)
        still = stopped(ranks, str(self._folder)) if silent_s > self._watch_s else None
        if still:
            return "hung", reason.stopped(timeout_s, ranks, still), None
        share, by_others = waiting.share(), waiting.by_others()
        had_s = timeout_s * (1 - share)
        first = timeout_s <= planned_s  # it is started again with more time: then half of the planned time is enough
        if by_others and share >= _STARVED and (first or had_s < _ENOUGH * planned_s):
            needs_s = timeout_s * planned_s / max(had_s, 0.01 * timeout_s)
            return "starved", reason.without_processor(timeout_s, share, needs_s), round(needs_s, 1)
        load = reason.load(share, by_others)
        if pace.advances(now):
            return "slow", reason.slow(timeout_s, ranks, pace.seconds_each(), load), None
        if pace.starved(now, waiting.seconds):
            return "slow", reason.starved(timeout_s, ranks, silent_s, load), None
        return "hung", reason.hung(timeout_s, ranks, load), None
