"""Launches that share the time that is left, with fake check programs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_build import case_run, fake_build

from tenken.launch import shares
from tenken.launch.command import Command, command
from tenken.launch.plan import plan
from tenken.launch.runner import Driven
from tenken.launch.shares import NO_TIME, launch_in_shares
from tenken.launch.waiting import Waiting
from tenken.model.check import Case
from tenken.model.run import CaseRun, Launch, Run
from tenken.store.runfolder import RunFolder


class Sitting:
    """A run folder with fake programs, and how the ranks of its launches waited."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch, *cases: CaseRun) -> None:
        self.built = fake_build(place / "build", *{one.case.check for one in cases})
        self.folder = RunFolder.create(place / "runs", "node", plan(cases, 0, "given"), 1, {"name": "fake"})
        self.steps: list[str] = []
        self._patch = monkeypatch

    def waited(self, share: float, known: bool = True) -> None:
        self._patch.setattr(Waiting, "share", lambda _: share)
        self._patch.setattr(Waiting, "known", known)

    def run(
        self, now: Callable[[], float], end: float, least_s: float = 0.5, stolen: Callable[[], float] = lambda: 0.0
    ) -> Run:
        def command_of(case: Case, folder: Path) -> Command:
            return command(case, self.built.program(case.check), self.built.environment, folder)

        driven = Driven(self.folder, command_of)
        return launch_in_shares(driven, now, end, least_s, "./tenken node-check", self.steps.append, stolen)


def statuses(run: Run) -> list[str]:
    return [launch.status for one in run.cases for launch in one.launches]


def test_each_launch_gets_its_part_of_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def fake(todo: list[tuple[Driven, Run, Launch]], *_: object) -> list[Launch]:
        driven, run, launch = todo[0]
        given.append(next(one.case.timeout_s for one in run.cases if one.case.id == launch.case_id))
        return []

    monkeypatch.setattr(shares, "launch_all", fake)
    clock = iter([100.0, 104.0, 109.5])
    cases = [case_run(name, 1) for name in ("first", "second", "third")]
    run = Sitting(tmp_path, monkeypatch, *cases).run(lambda: next(clock), 112.0, 2.6)
    assert given == [4.0, 4.0]  # a third of 12, half of 8; of 2.5 the third cannot live
    assert statuses(run) == ["planned", "planned", "lacking"]
    assert run.cases[2].lacking == NO_TIME


def test_the_first_gets_what_it_needs_at_least(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr(shares, "launch_all", lambda todo, *_: given.append(todo[0][1].cases[0].case.timeout_s))
    clock = iter([0.0, 2.0])
    run = Sitting(tmp_path, monkeypatch, case_run("first", 1), case_run("second", 1)).run(lambda: next(clock), 2.4, 2.0)
    assert given == [2.0] and statuses(run) == ["planned", "lacking"]


def test_what_ends_in_time_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(tmp_path, monkeypatch, case_run("well", 1), case_run("bad", 1, fault="crash"))
    sitting.waited(0.9)
    run = sitting.run(time.monotonic, time.monotonic() + 600)
    assert statuses(run) == ["done", "crashed"] and sitting.steps == ["well:small", "bad:small"]
    assert [one.lacking for one in run.cases] == [None, None] and len(run.cases[0].records) == 1


@pytest.mark.parametrize(("waited", "known", "stolen_s", "status", "why"), [
    (0.9, True, 0.0, "lacking", "other load: ranks waited for a processor 90 % of the time; no end within"),
    (0.0, True, 1e9, "lacking", "other load: ranks waited for a processor 100 % of the time; no end within"),
    (0.0, False, 0.0, "lacking", "whether its ranks had a processor is not known"),
    (0.1, True, 0.0, "hung", ""),
])
def test_hung_is_a_launch_that_had_a_processor(
    waited: float, known: bool, stolen_s: float, status: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenken.launch.processes.GRACE_S", 0.2)
    monkeypatch.setattr("tenken.launch.local.Progress.overdue", lambda *_: ("hung", "no step was seen"))
    sitting = Sitting(tmp_path, monkeypatch, case_run("still", 1, fault="hang"))
    sitting.waited(waited, known)
    stolen = iter([0.0, stolen_s])
    run = sitting.run(time.monotonic, time.monotonic() + 2.0, stolen=lambda: next(stolen))
    assert statuses(run) == [status] and why in (run.cases[0].lacking or "")


def test_what_still_advances_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenken.launch.processes.GRACE_S", 0.2)
    sitting = Sitting(tmp_path, monkeypatch, case_run("long", 1, fault="search"))
    sitting.waited(0.0)
    run = sitting.run(time.monotonic, time.monotonic() + 3.0)
    assert statuses(run) == ["lacking"]
    assert run.cases[0].lacking and run.cases[0].lacking.endswith("its share of the time; it still advanced")
