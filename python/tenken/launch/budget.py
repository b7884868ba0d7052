"""The seconds that the launches of a suite share: what does not fit any more is left out and named."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Mapping

from tenken.model.run import Launch, Run

_LONGER = 1.5  # times as long as planned: no noise
_WAITED = 0.25  # of the time of all launches: waiting that explains it


class Budget:
    """Counts from the first question on. A launch fits where it ends in time if it takes as long as it took before."""

    def __init__(
        self, suite: str, seconds: float, expected: Mapping[str, float], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`expected`: seconds of one launch of a case in earlier runs; a case that never ran here fits until time is up."""
        self.suite, self.seconds = suite, seconds
        self._expected, self._clock = dict(expected), clock
        self._begin: float | None = None
        self._planned_s = self._took_s = self._waited_s = 0.0

    def fits(self, case_id: str) -> bool:
        now = self._clock()
        self._begin = now if self._begin is None else self._begin
        return now - self._begin + self._expected.get(case_id, 0.0) <= self.seconds

    def left_s(self) -> float:
        return self.seconds if self._begin is None else max(self.seconds - (self._clock() - self._begin), 0.0)

    def took(self, case_id: str, seconds: float, waited: float | None = None) -> None:
        """What was measured in this run counts more than what earlier ones say. `waited`: part of it for a processor."""
        self._planned_s += self._expected.get(case_id, seconds)
        self._took_s += seconds
        self._waited_s += seconds * (waited or 0.0)
        self._expected[case_id] = seconds

    def load(self) -> str:
        """That load made the launches longer than planned; empty where it did not."""
        if self._took_s == 0 or self._waited_s < _WAITED * self._took_s:
            return ""
        part = 100 * self._waited_s / self._took_s
        longer = self._took_s >= _LONGER * self._planned_s > 0
        times = f"took {self._took_s / self._planned_s:.1f} times as long as planned and " if longer else ""
        return f"; other load is the reason: the launches {times}waited for a processor {part:.0f} % of the time"

    def why(self, case_id: str) -> str:
        """The sentence of a case of which no launch fitted."""
        needs = self._expected.get(case_id)
        alone = f"about {needs:.0f} s a launch; " if needs else ""
        return (
            f"it does not fit into the {self.seconds:g} s that the cases of suite {self.suite} share ({alone}"
            f"by itself: ./tenken run {case_id}){self.load()}"
        )


def without(run: Run, left: Collection[Launch], budget: Budget) -> Run:
    """The plan less the launches that did not fit; a case without any other is left out, with the reason."""
    numbers = {launch.number for launch in left}
    cases = []
    for one in run.cases:
        kept = tuple(launch for launch in one.launches if launch.number not in numbers)
        gone = bool(one.launches) and not kept
        cases.append(dataclasses.replace(one, launches=kept, unavailable=budget.why(one.case.id) if gone else one.unavailable))
    return dataclasses.replace(run, cases=tuple(cases))
