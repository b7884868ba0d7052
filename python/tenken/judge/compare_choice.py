"""Which pairs of launches count: one that met another's load is made again once, and of the two the cleaner counts.

Another's load is what counters of the system tell (run-queue wait, steal, migration, frequency). Unsteadiness is no reason: it
may be what the environment does. A pair that stays disturbed still counts, so that nothing can hide by disturbing itself.
"""

from __future__ import annotations

from dataclasses import replace

from tenken.judge.launches import Measured, measured_launches, oversubscribed
from tenken.judge.trust import readings
from tenken.model.machine import Machine
from tenken.model.run import CaseRun, Run


def disturbed_pairs(runs: tuple[Run, Run], machine: Machine) -> tuple[int, ...]:
    """Numbers of the pairs that met another's load and were not made again yet."""
    found: list[int] = []
    for first, second in zip(runs[0].cases, runs[1].cases, strict=True):
        pairs = _pairs(first, second)
        repeated = {pair[0].launch.confirms for pair in pairs.values()}
        found += [
            number for number, pair in pairs.items()
            if pair[0].launch.confirms is None and number not in repeated and _disturbance(pair) > 1.0
            and not any(oversubscribed(one.record, machine) for one in pair)
        ]
    return tuple(sorted(found))


def chosen_pairs(first: CaseRun, second: CaseRun) -> tuple[CaseRun, CaseRun]:
    """The same case in both runs with the launches of those pairs that count."""
    pairs = _pairs(first, second)
    dropped = set()
    for number, pair in pairs.items():
        again = pair[0].launch.confirms
        if again in pairs:
            dropped.add(again if _disturbance(pair) < _disturbance(pairs[again]) else number)
    kept = pairs.keys() - dropped
    return _only(first, kept), _only(second, kept)


def _pairs(first: CaseRun, second: CaseRun) -> dict[int, tuple[Measured, Measured]]:
    """By number, the launches that were measured in both."""
    sides = [{one.launch.number: one for one in measured_launches(case_run)} for case_run in (first, second)]
    return {number: (sides[0][number], sides[1][number]) for number in sides[0] if number in sides[1]}


def _disturbance(pair: tuple[Measured, Measured]) -> float:
    return max((reading.ratio for one in pair for reading in readings(one)), default=0.0)


def _only(case_run: CaseRun, numbers: set[int]) -> CaseRun:
    return replace(case_run, launches=tuple(one for one in case_run.launches if one.number in numbers))
