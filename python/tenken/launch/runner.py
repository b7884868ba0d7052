"""Drives the launches of a run. Whatever happens, finished launches stay on disk and the rest can be resumed."""

from __future__ import annotations

import dataclasses
import random
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Protocol

from tenken.base.errors import TenkenError
from tenken.launch import scratch
from tenken.launch.budget import Budget, without
from tenken.launch.command import Command
from tenken.launch.local import run_launch
from tenken.launch.one_writer import end_left_over, held
from tenken.launch.plan import new_launch
from tenken.model.check import Case
from tenken.model.run import Launch, RankState, Run
from tenken.store.runfolder import RunFolder

# Launches that --resume repeats; "refused" would be refused again, and "lacking" would lack again.
AGAIN = ("planned", "interrupted", "crashed", "hung", "slow", "starved")
_LATE = ("hung", "slow", "starved")  # not done in time
MOST_PATIENCE = 10.0  # times the time-out of a case: no more is given to a launch whose node is busy


class Observer(Protocol):
    """Hears of the progress of a run."""

    def launch_started(self, launch: Launch, index: int, total: int) -> None: ...
    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None: ...
    def ports_open(self, ports: tuple[int, ...]) -> None: ...
    def launch_ended(self, launch: Launch) -> None: ...
    def left_out(self, launches: Sequence[Launch], why: str) -> None: ...


class Stop:
    """The name of the signal that asked for an end; a flag, so that no file is left half written."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.holding: tuple[int, ...] = ()  # descriptors of the locks of the run folders

    def __call__(self) -> str | None:
        return self.name

    @contextmanager
    def listening(self) -> Iterator[None]:
        def heard(number: int, _frame: FrameType | None) -> None:
            self.name = "Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name

        before = {number: signal.signal(number, heard) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def drive(
    folder: RunFolder, command: Callable[[Case, Path], Command], observer: Observer,
    disturbed: Callable[[Run], Sequence[int]] = lambda run: (), suspects: Callable[[Run], Mapping[str, int]] = lambda run: {},
    budget: Budget | None = None,
) -> Run:
    """Run the launches that remain in the plan of `folder`, in the order of the launch numbers, and return the run then.

    `command` makes the command of a launch of a case into a folder. A launch that got no processor is started once more,
    with the time that it needs. `disturbed` names launches whose measurement met other load: each is repeated once, after
    all others. `suspects` says how many more launches a case needs before a change of it is believed; they come last.
    Launches that do not fit into `budget` are left out of the plan. The state ends as finished, after a signal as interrupted.
    Raises TenkenError where another process drives the same run or the folder cannot be written.
    """
    driven = Driven(folder, command)
    with driving((folder,), f"./tenken run --resume {folder.path}") as stop:

        def goes_on() -> bool:
            return not stop() and not (budget and budget.used())

        run = folder.read()
        left = launch_all([(driven, run, launch) for launch in _waiting(run)], observer, stop, budget)
        if left and budget:
            folder.write_run(without(folder.read(), left, budget))
        if goes_on():
            run = folder.read()
            starved = _starved(run, budget)
            launch_all([(driven, run, launch) for launch in starved], observer, stop, budget, starved)
        if goes_on():
            run = folder.read()
            launch_all([(driven, run, launch) for launch in _repeats(run, disturbed(run))], observer, stop, budget)
        if goes_on():
            run = folder.read()
            launch_all([(driven, run, launch) for launch in _confirming(run, suspects(run))], observer, stop, budget)
    return folder.read()


@dataclass(frozen=True, slots=True)
class Driven:
    """A run on disk and the command of each of its launches into a folder."""

    folder: RunFolder
    command: Callable[[Case, Path], Command]


@contextmanager
def driving(folders: Sequence[RunFolder], resume: str) -> Iterator[Stop]:
    """Holds run folders alone and keeps their state: running, then finished, or interrupted by a signal or an error.

    `resume` is the command to type after an error. Signals are heard as long as it lasts.
    """
    stop = Stop()
    with ExitStack() as stack:
        for folder in folders:
            stop.holding += stack.enter_context(held(folder.path))
            end_left_over(folder)
        scratch.remove_dead()
        stack.enter_context(stop.listening())
        begin = {folder: time.monotonic() - (folder.read().seconds or 0.0) for folder in folders}

        def save(state: str) -> None:
            for folder, since in begin.items():
                run = dataclasses.replace(folder.read(), state=state, seconds=round(time.monotonic() - since, 3))
                folder.write_run(run)

        save("running")
        try:
            yield stop
        except OSError as error:
            save("interrupted")
            raise TenkenError(
                f"cannot write {error.filename or folders[0].path}: {error.strerror}; finished launches are saved. "
                f"Make room, then: {resume}"
            ) from None
        except BaseException:
            save("interrupted")
            raise
        save("interrupted" if stop() else "finished")


def _waiting(run: Run) -> list[Launch]:
    launches = [launch for case_run in run.cases for launch in case_run.launches if launch.status in AGAIN]
    return sorted(launches, key=lambda launch: launch.number)


def _starved(run: Run, budget: Budget | None) -> dict[Launch, float]:
    """New launches that repeat those which got no processor, each with its time-out; none where the budget has too little."""
    of_case = {case_run.case.id: case_run.case for case_run in run.cases}
    old = {launch.number: launch for case_run in run.cases for launch in case_run.launches if launch.status == "starved"}
    again = {}
    for launch in _repeats(run, tuple(old)):
        planned_s = of_case[launch.case_id].timeout_s
        needs_s = min(old[launch.confirms or 0].needs_s or planned_s, MOST_PATIENCE * planned_s)
        seconds = needs_s if budget is None else min(needs_s, budget.left_s())
        if seconds > planned_s:
            again[launch] = seconds
    return again


def _repeats(run: Run, numbers: Sequence[int]) -> list[Launch]:
    """New launches that repeat those of `numbers`; none for a repeat or a launch repeated before."""
    launches = [launch for case_run in run.cases for launch in case_run.launches]
    confirmed = {launch.confirms for launch in launches}
    next_number = max((launch.number for launch in launches), default=0) + 1
    wanted = set(numbers) - confirmed
    again = [launch for launch in launches if launch.number in wanted and launch.confirms is None]
    return [new_launch(next_number + index, launch.case_id, confirms=launch.number) for index, launch in enumerate(again)]


def _confirming(run: Run, wanted: Mapping[str, int]) -> list[Launch]:
    """More launches of suspect cases, case after case in turn, so that they are spread over time."""
    next_number = max((launch.number for case_run in run.cases for launch in case_run.launches), default=0) + 1
    turns = [case_id for turn in range(max(wanted.values(), default=0)) for case_id in wanted if turn < wanted[case_id]]
    return [new_launch(next_number + index, case_id) for index, case_id in enumerate(turns)]


def launch_all(
    todo: Sequence[tuple[Driven, Run, Launch]], observer: Observer, stop: Stop, budget: Budget | None = None,
    allowed: Mapping[Launch, float] = MappingProxyType({}),
) -> list[Launch]:
    """Run these launches in turn, until a signal asks for an end. Returns those that did not fit into `budget`.

    `allowed`: seconds of launches that get more than the time-out of their case."""
    left: list[Launch] = []
    for index, (driven, run, launch) in enumerate(todo, start=1):
        if stop():
            break
        if budget and not budget.fits(launch.case_id):
            left.append(launch)
            continue
        case = next(case_run.case for case_run in run.cases if case_run.case.id == launch.case_id)
        place = driven.folder.path / launch.folder
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        seconds = allowed.get(launch, case.timeout_s)
        seconds = budget.limit_s(seconds) if budget else seconds
        started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        launch = dataclasses.replace(launch, status="planned", reason="", id=secrets.token_hex(8), started=started)
        driven.folder.write_started(launch)
        observer.launch_started(launch, index, len(todo))
        ended = run_launch(
            launch, driven.command(case, place), place, seconds, stop, observer.ranks_seen, stop.holding,
            observer.ports_open, case.timeout_s,
        )
        if ended.status in _LATE and seconds < case.timeout_s and not ended.lost:  # the budget ended it
            shutil.rmtree(place, ignore_errors=True)
            left.append(launch)
            continue
        driven.folder.write_launch(ended)
        observer.launch_ended(ended)
        if ended.lost:
            raise TenkenError(
                f"launch {ended.number} of {ended.case_id}: {ended.reason}. The run stops; finished launches are saved. "
                f"With as many nodes continue: ./tenken run --resume {driven.folder.path}"
            )
        if budget:
            budget.took(ended.case_id, ended.seconds or 0.0, ended.waited)
    if left and budget:
        observer.left_out(left, budget.over())
    return left


# Two runs of the same plan, driven launch by launch: the two launches numbered n are a pair.
# A pair is started back to back, so that both launches meet the same minute of the machine. Which environment goes first is
# drawn by lot for the first of two pairs of a case and the other way round for the second: the cost of being first cancels out.

_OPEN = ("planned", "interrupted")  # a crash is an answer: it is not tried again
Sides = tuple[Driven, Driven]
Runs = tuple[Run, Run]


def second_first(seed: int, case_id: str, pair: int) -> bool:
    """Whether pair number `pair` (from 0) of a case starts with the second run."""
    lot = random.Random(f"{seed} {case_id} {pair // 2}").random() < 0.5
    return lot != (pair % 2 == 1)


def drive_pairs(
    sides: Sides, observer: Observer, resume: str, more: Callable[[Runs], Mapping[str, int]] = lambda runs: {},
) -> Runs:
    """Run the launches that remain in the plans, pair after pair in the order of the launch numbers, and return both runs.

    The plans hold the same launches. A pair with a missing launch is done again as a whole. `more` says how
    many further pairs a case needs, made case after case in turn, and is asked again until it wants none.
    """
    with driving([side.folder for side in sides], resume) as stop:
        runs = _read(sides)
        launch_all(_todo(sides, runs, _planned(runs)), observer, stop)
        while not stop():
            runs = _read(sides)
            extra = _further(runs, more(runs))
            if not extra:
                break
            launch_all(_todo(sides, runs, extra), observer, stop)
    return _read(sides)


def _read(sides: Sides) -> Runs:
    return sides[0].folder.read(), sides[1].folder.read()


def _todo(sides: Sides, runs: Runs, pairs: Sequence[tuple[Launch, Launch]]) -> list[tuple[Driven, Run, Launch]]:
    """The launches of pairs in their order, without those pairs that are complete."""
    seen: dict[str, int] = {}
    todo: list[tuple[Driven, Run, Launch]] = []
    for first, second in pairs:
        index = seen[first.case_id] = seen.get(first.case_id, -1) + 1
        pair = [(sides[0], runs[0], first), (sides[1], runs[1], second)]
        if first.status in _OPEN or second.status in _OPEN:
            todo += reversed(pair) if second_first(runs[0].seed, first.case_id, index) else pair
    return todo


def _planned(runs: Runs) -> list[tuple[Launch, Launch]]:
    first, second = (_by_number(run) for run in runs)
    return [(first[number], second[number]) for number in sorted(first.keys() & second.keys())]


def _further(runs: Runs, wanted: Mapping[str, int]) -> list[tuple[Launch, Launch]]:
    """New pairs, with numbers that are free in both runs."""
    number = 1 + max((launch for run in runs for launch in _by_number(run)), default=0)
    turns = range(max(wanted.values(), default=0))
    cases = [case_id for turn in turns for case_id in wanted if turn < wanted[case_id]]
    launches = [new_launch(number + index, case_id) for index, case_id in enumerate(cases)]
    return [(launch, launch) for launch in launches]


def _by_number(run: Run) -> dict[int, Launch]:
    return {launch.number: launch for case_run in run.cases for launch in case_run.launches}
