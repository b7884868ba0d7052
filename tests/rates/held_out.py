"""Real runs of one machine, nothing changed between them: each is judged against all the others as its baseline.

PYTHONPATH=python:tests python3 -m rates.held_out RUNS
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from tenken.cli.answer import machine_of
from tenken.judge.change import judge_changes
from tenken.judge.prepared import Prepared, prepare
from tenken.judge.quantities import quantities_of
from tenken.model.assessment import ChangeSummary
from tenken.model.baseline import Baseline, Quantity, Sitting
from tenken.model.machine import Machine
from tenken.model.verdict import Verdict
from tenken.store.runfolder import RunFolder, list_runs

MOST_SETS = 20  # baselines of three sittings that one held-out run is judged against


@dataclass(frozen=True)
class RealRun:
    name: str
    started: str
    machine: Machine
    cases: tuple[Prepared, ...]


@dataclass(frozen=True)
class HeldOut:
    """Counts over judgements: each of the runs against baselines made of the others."""

    runs: int
    sittings: int
    judgements: int
    failed: int  # judgements with any FAIL
    slower: int  # with any slower, FAIL or WARN
    faster: int
    quantities: int
    judged: int  # of the quantities
    called: int  # quantities called anything but OK


def held_out(folder: Path) -> tuple[HeldOut, ...]:
    """Against baselines of 3 sittings, and of all other runs. Empty for fewer than 4 runs."""
    runs = [_read(path) for path in sorted(list_runs(folder))]
    if len(runs) < 4:
        return ()
    sizes = dict.fromkeys((3, len(runs) - 1))
    return tuple(_judge(runs, size) for size in sizes)


def _read(path: Path) -> RealRun:
    run = RunFolder(path).read()
    machine, _ = machine_of(run)
    return RealRun(run.name, run.started, machine, tuple(prepare(run.name, one, machine) for one in run.cases))


def _judge(runs: Sequence[RealRun], sittings: int) -> HeldOut:
    judged: list[list[ChangeSummary]] = []
    for run in runs:
        others = [one for one in runs if one is not run]
        sets = list(combinations(others, sittings))
        for chosen in sets[:: max(1, len(sets) // MOST_SETS)]:
            answers = judge_changes(run.cases, run.machine, baselines(chosen), run.name)
            judged.append([one for answer in answers.values() for one in answer.summaries])
    every = [one for summaries in judged for one in summaries]
    return HeldOut(
        runs=len(runs),
        sittings=sittings,
        judgements=len(judged),
        failed=sum(any(one.verdict is Verdict.FAIL for one in summaries) for summaries in judged),
        slower=sum(any(_slower(one) for one in summaries) for summaries in judged),
        faster=sum(any(_found(one) and not _slower(one) for one in summaries) for summaries in judged),
        quantities=len(every),
        judged=sum(one.verdict is not Verdict.NOT_JUDGED for one in every),
        called=sum(_found(one) for one in every),
    )


def _found(one: ChangeSummary) -> bool:
    return one.verdict in (Verdict.WARN, Verdict.FAIL)


def _slower(one: ChangeSummary) -> bool:
    return _found(one) and ((one.ratio or 1.0) > 1) == (one.better == "lower")


def baselines(runs: Sequence[RealRun]) -> dict[str, Baseline]:
    sittings: dict[str, list[Sitting]] = {}
    quantities: dict[str, dict[str, Quantity]] = {}
    for run in runs:
        for case in run.cases:
            found, launches = quantities_of(case, run.machine)
            if not launches:
                continue
            case_id = case.case_run.case.id
            hosts = tuple({rank.host for each in case.measured for rank in each.record.rank})
            sittings.setdefault(case_id, []).append(Sitting(run.name, run.started, hosts, {}, launches))
            quantities.setdefault(case_id, {}).update({one.name: one for one in found})
    return {
        case_id: Baseline("here", case_id, "00000000", tuple(quantities[case_id].values()), tuple(some))
        for case_id, some in sittings.items()
    }


if __name__ == "__main__":
    for line in held_out(Path(sys.argv[1])):
        print(line)
