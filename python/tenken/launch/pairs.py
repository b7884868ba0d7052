"""Two runs of the same plan, driven launch by launch: the two launches numbered n are a pair.

A pair is started back to back, so that both launches meet the same minute of the machine. Which environment goes first is
drawn by lot for the first of two pairs of a case and the other way round for the second: the cost of being first cancels out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from tenken.launch.plan import new_launch
from tenken.launch.runner import Driven, Observer, driving, launch_all
from tenken.model.run import Launch, Run

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
