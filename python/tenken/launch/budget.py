"""The seconds that the launches of a suite share: launches that do not fit are left out and named."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

from tenken.model.run import Launch, Run
from tenken.model.study import StudyRun

_LONGER = 1.5  # times as long as planned: no noise
# Of the budget, and seconds at least: so much later the last launch of a budget that ends its launches is ended.
_OVER, _LEAST_S = 0.03, 5.0
_WAITED = 0.25  # of the time of all launches: waiting that explains it


class Budget:
    """Counts from the first question on. A launch fits where it ends in time if it takes as long as it took before."""

    def __init__(
        self, suite: str, seconds: float, expected: Mapping[str, float], clock: Callable[[], float] = time.monotonic,
        studies: Mapping[str, Sequence[str]] = MappingProxyType({}), ends: bool = False, spent_s: float = 0.0,
    ) -> None:
        """`expected`: seconds of a launch of a case in earlier runs; a case that never ran here fits until time is up.

        `studies`: the points of each study. A study begins only if a launch of each of its points fits: a point that never ran
        here is expected to take as long as other launches of its check. `ends`: launches are ended soon after the time is up.
        `spent_s`: seconds of launches before the run was interrupted.
        """
        self.suite, self.seconds = suite, seconds
        self._expected, self._clock = dict(expected), clock
        self._begin: float | None = None
        self._spent_s = spent_s
        self._planned_s = self._took_s = self._waited_s = 0.0
        self._points = dict(studies)
        self._study = {case_id: name for name, points in studies.items() for case_id in points}
        self._whole: dict[str, bool] = {}  # by study that was reached: whether it fitted
        self._ends = ends

    def described(self) -> dict[str, object]:
        """For the run folder, so that a resumed run has the rest of the budget."""
        return {"suite": self.suite, "seconds": self.seconds, "ends": self._ends}

    def fits(self, case_id: str) -> bool:
        now = self._clock()
        self._begin = now if self._begin is None else self._begin
        left = self.seconds - self._spent_s - (now - self._begin)
        study = self._study.get(case_id)
        if study is not None and study not in self._whole:
            self._whole[study] = sum(map(self._likely, self._points[study])) <= left
        return left > 0 and self._whole.get(study or "", True) and self._expected.get(case_id, 0.0) <= left

    def _likely(self, case_id: str) -> float:
        """Seconds of a launch of the case, else the median of known launches of its check, else 0."""
        if case_id in self._expected:
            return self._expected[case_id]
        check = case_id.partition(":")[0]
        known = [seconds for name, seconds in self._expected.items() if name.partition(":")[0] == check]
        return statistics.median(known) if known else 0.0

    def limit_s(self, timeout_s: float) -> float:
        """Seconds after which a launch is ended: its time-out, or sooner where the budget ends its launches."""
        return min(timeout_s, self.left_s() + max(_LEAST_S, _OVER * self.seconds)) if self._ends else timeout_s

    def left_s(self) -> float:
        took = 0.0 if self._begin is None else self._clock() - self._begin
        return max(self.seconds - self._spent_s - took, 0.0)

    def used(self) -> bool:
        """Nothing is left: no launch can begin any more."""
        return self.left_s() <= 0

    def took(self, case_id: str, seconds: float, waited: float | None = None) -> None:
        """Times measured in this run count more than times of earlier runs. `waited`: part of it for a processor."""
        self._planned_s += self._expected.get(case_id, seconds)
        self._took_s += seconds
        self._waited_s += seconds * (waited or 0.0)
        self._expected[case_id] = seconds

    def over(self) -> str:
        """The sentence on launches that did not fit."""
        return f"the {self.seconds:g} s of suite {self.suite} are over{self.load()}"

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
        ) if case_id not in self._study else (
            f"it does not fit into the {self.seconds:g} s of suite {self.suite} (alone: ./tenken run {self._study[case_id]})"
        )


def rest(run: Run, expected: Mapping[str, float]) -> Budget | None:
    """The budget of an interrupted run less the seconds of its launches; None where it has none."""
    of = run.environment.get("budget")
    if not isinstance(of, Mapping):
        return None
    spent = sum(launch.seconds or 0.0 for case_run in run.cases for launch in case_run.launches)
    return Budget(
        str(of["suite"]), float(of["seconds"]), expected, studies=points_of(run.studies), ends=bool(of["ends"]), spent_s=spent,
    )


def points_of(studies: Sequence[StudyRun]) -> dict[str, list[str]]:
    """Case ids of the points of each study that are measured."""
    return {study_run.id: [point.case_id for point in study_run.points if not point.left_out] for study_run in studies}


def without(run: Run, left: Collection[Launch], budget: Budget) -> Run:
    """The plan less the launches that did not fit; a case without any other is left out, with the reason."""
    numbers = {launch.number for launch in left}
    cases = []
    for case_run in run.cases:
        launches = tuple(launch for launch in case_run.launches if launch.number not in numbers)
        gone = bool(case_run.launches) and not launches
        unavailable = budget.why(case_run.case.id) if gone else case_run.unavailable
        cases.append(dataclasses.replace(case_run, launches=launches, unavailable=unavailable))
    return dataclasses.replace(run, cases=tuple(cases))
