"""Launches that share the time that is left: each gets its part of it, and no launch is started a second time."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from tenken.launch import processes
from tenken.launch.runner import Driven, driving, launch_all
from tenken.launch.waiting import Waiting
from tenken.model.run import CaseRun, Launch, RankState, Run

_WAITED = 0.25  # of the time: from there on waiting for a processor explains that a launch did not end
NO_TIME = "no time was left to start it: the node is busy, or a file system is slow"
_OVERDUE = ("hung", "slow", "starved")


class _Watch:
    """Measures how long the ranks of the present launch wait for a processor; prints nothing."""

    def __init__(self, now: Callable[[], float], mark: str) -> None:
        self._now, self.waiting = now, Waiting(mark)

    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None:
        self.waiting.look(self._now(), [rank.pid for rank in ranks] or processes.below(os.getpid()))

    def launch_started(self, launch: Launch, index: int, total: int) -> None: ...
    def ports_open(self, ports: tuple[int, ...]) -> None: ...
    def launch_ended(self, launch: Launch) -> None: ...
    def left_out(self, launches: Sequence[Launch], why: str) -> None: ...


def launch_in_shares(
    driven: Driven, now: Callable[[], float], end: float, least_s: float, resume: str, step: Callable[[str], None],
    stolen: Callable[[], float] = lambda: 0.0,
) -> Run:
    """Do the planned launches in their order until `end` (on the clock `now`) and return the run as it then is.

    A launch for which less than `least_s` is left is not started. A launch that did not end in its share is not judged
    where its ranks waited or still advanced; else it stays as it ended. `resume`: the command after an error. `step`
    hears of each launch. `stolen()`: seconds per processor that other guests of the host took.
    """
    planned = driven.folder.read()
    causes: dict[str, str] = {}
    with driving((driven.folder,), resume) as stop:
        todo = [launch for case_run in planned.cases for launch in case_run.launches]
        todo.sort(key=lambda launch: launch.number)
        for index, launch in enumerate(todo):
            left = end - now()
            if stop() or left < least_s:
                causes |= {launch.case_id: NO_TIME for launch in todo[index:]}
                break
            share = min(left, max(left / (len(todo) - index), least_s))
            step(launch.case_id)
            watch, before = _Watch(now, str(driven.folder.path / launch.folder)), stolen()
            launch_all([(driven, _given(planned, launch.case_id, share), launch)], watch, stop)
            why = _why_overdue(driven.folder.read(), launch, share, watch.waiting, stolen() - before)
            if why:
                causes[launch.case_id] = why
    run = driven.folder.read()
    return replace(run, cases=tuple(_excused(case_run, causes) for case_run in run.cases))


def _given(run: Run, case_id: str, seconds: float) -> Run:
    """The run in which the case has `seconds` for a launch."""
    return replace(run, cases=tuple(
        replace(case_run, case=replace(case_run.case, timeout_s=round(seconds, 2))) if case_run.case.id == case_id else case_run
        for case_run in run.cases
    ))


def _why_overdue(run: Run, launch: Launch, share: float, waiting: Waiting, stolen_s: float) -> str:
    """Why a launch did not end in its share, where the node or the share explains it; else empty."""
    ended = next(each for case_run in run.cases for each in case_run.launches if each.number == launch.number)
    if ended.status not in _OVERDUE:
        return ""
    limit = f"no end within {share:.2g} s, its share of the time"
    waited = min(1.0, waiting.share() + stolen_s / share)
    if waited >= _WAITED:
        return f"other load: ranks waited for a processor {100 * waited:.0f} % of the time; {limit}"
    if ended.status != "hung":
        return f"{limit}; it still advanced"
    if not waiting.known:
        return f"{limit}; whether its ranks had a processor is not known"
    return ""


def _excused(case_run: CaseRun, causes: dict[str, str]) -> CaseRun:
    """The case with launches that lack time or a processor, which is nobody's failure."""
    cause = causes.get(case_run.case.id)
    if not cause:
        return case_run
    return replace(case_run, launches=tuple(
        each if each.status == "done" else replace(each, status="lacking", reason=cause) for each in case_run.launches
    ))
