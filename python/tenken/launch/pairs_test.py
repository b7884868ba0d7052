"""Two runs driven in pairs, with fake programs."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from fake_build import case_run, fake_build
from tenken.launch.command import Command, command
from tenken.launch.plan import plan
from tenken.launch.runner import Driven, drive_pairs, second_first
from tenken.model.check import Case
from tenken.model.run import CaseRun, Launch, RankState, Run
from tenken.store.runfolder import RunFolder

SEED = 5


class Journal:
    """Remembers which run did what; `action` is done when a launch starts."""

    def __init__(self, action=lambda side, launch: None) -> None:
        self.action, self.said = action, []

    def launch_started(self, launch: Launch, index: int, total: int) -> None: ...
    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None: ...
    def ports_open(self, ports: tuple[int, ...]) -> None: ...
    def launch_ended(self, launch: Launch) -> None: ...
    def left_out(self, *what: object) -> None: ...


class Sitting:
    def __init__(self, tmp_path: Path, *cases: CaseRun) -> None:
        built = fake_build(tmp_path / "build", *{one.case.check for one in cases})
        self.journal: list[tuple[str, int]] = []
        self.planned = plan(cases, seed=SEED)

        def side(name: str) -> Driven:
            folder = RunFolder.create(tmp_path / "runs", name, self.planned, SEED, {"name": "fake"})

            def command_of(case: Case, place: Path) -> Command:
                self.journal.append((name, int(place.name[:4])))
                return command(case, built.program(case.check), built.environment, place)

            return Driven(folder, command_of)

        self.sides = side("A"), side("B")

    def drive(self, more=lambda runs: {}, observer: object | None = None) -> tuple[Run, Run]:
        return drive_pairs(self.sides, observer or Journal(), "again", more)  # type: ignore[arg-type]


def test_pairs_are_back_to_back_and_balanced(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=4), case_run("two", launches=4))
    runs = sitting.drive()
    numbers = [number for _, number in sitting.journal]
    assert numbers == [number for number in range(1, 9) for _ in "AB"]
    pairs = list(zip(sitting.journal[::2], sitting.journal[1::2], strict=True))
    assert all({first[0], second[0]} == {"A", "B"} for first, second in pairs)
    for one in sitting.planned:
        mine = {launch.number for launch in one.launches}
        assert sorted(first for (first, number), _ in pairs if number in mine) == ["A", "A", "B", "B"]
    assert {launch.status for run in runs for one in run.cases for launch in one.launches} == {"done"}
    assert [run.state for run in runs] == ["finished", "finished"]


def test_the_lot_is_drawn_by_seed_and_case() -> None:
    lots = [second_first(seed, "a:b", 0) for seed in range(40)]
    assert 5 < sum(lots) < 35 and lots == [second_first(seed, "a:b", 0) for seed in range(40)]
    assert all(second_first(seed, "a:b", pair) != second_first(seed, "a:b", pair + 1) for seed in range(9) for pair in (0, 2, 4))


def test_more_pairs_come_last_until_none_are_wanted(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=1), case_run("two", launches=1))
    asked: list[tuple[int, int]] = []

    def more(runs: tuple[Run, Run]) -> dict[str, int]:
        asked.append(tuple(len(run.cases[0].records) for run in runs))  # type: ignore[arg-type]
        return {"two:small": 2} if len(asked) == 1 else {}

    runs = sitting.drive(more)
    assert asked == [(1, 1), (1, 1)]
    for run in runs:
        assert [len(one.launches) for one in run.cases] == [1, 3] and run.cases[1].launches[-1].number == 4
        assert [len(one.records) for one in run.cases] == [1, 3]


def test_a_broken_pair_is_done_again_as_a_whole_and_a_crash_is_not(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=2), case_run("two", launches=1, fault="crash"))
    sitting.drive()
    before = len(sitting.journal)
    lost = next(iter((sitting.sides[1].folder.path / "launches").glob("*-one.small")))
    for name in ("launch.json", "record.jsonl"):
        (lost / name).unlink()
    runs = sitting.drive()
    assert len(sitting.journal) == before + 2 and {name for name, _ in sitting.journal[before:]} == {"A", "B"}
    assert [launch.status for run in runs for launch in run.cases[1].launches] == ["crashed", "crashed"]


def test_a_signal_ends_both(tmp_path: Path) -> None:
    class Impatient(Journal):
        def launch_started(self, launch: Launch, index: int, total: int) -> None:
            if index == 3:
                os.kill(os.getpid(), signal.SIGTERM)

    sitting = Sitting(tmp_path, case_run("one", launches=3))
    runs = sitting.drive(lambda runs: pytest.fail("asked for more after a signal"), Impatient())
    assert [run.state for run in runs] == ["interrupted", "interrupted"] and len(sitting.journal) == 3
    assert [run.state for run in sitting.drive()] == ["finished", "finished"]
