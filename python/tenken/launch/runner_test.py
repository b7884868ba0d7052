from __future__ import annotations

import dataclasses
import errno
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from fake_build import case_run, fake_build
from tenken.base.errors import TenkenError
from tenken.launch import processes, runner
from tenken.launch.budget import Budget, rest
from tenken.launch.command import Command, command
from tenken.launch.plan import plan
from tenken.launch.runner import drive
from tenken.model.check import Case
from tenken.model.run import CaseRun, Launch, RankState, Run
from tenken.store.runfolder import RunFolder


class Listener:
    """Remembers what it heard; `action` is done when a launch starts."""

    def __init__(self, action=lambda launch: None) -> None:
        self.action, self.started, self.ended, self.left = action, [], [], []

    def launch_started(self, launch: Launch, index: int, total: int) -> None:
        self.started.append((launch.number, index, total))
        self.action(launch)

    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None:
        pass

    def ports_open(self, ports: tuple[int, ...]) -> None:
        pass

    def launch_ended(self, launch: Launch) -> None:
        self.ended.append((launch.number, launch.status))

    def left_out(self, launches: Sequence[Launch], budget: Budget) -> None:
        self.left += [launch.number for launch in launches]


class Sitting:
    """A run folder with fake programs."""

    def __init__(self, tmp_path: Path, *cases: CaseRun) -> None:
        self.built = fake_build(tmp_path / "build", *{one.case.check for one in cases})
        self.folder = RunFolder.create(tmp_path / "runs", "quick", plan(cases, seed=1), 1, {"name": "fake"})

    def command(self, case: Case, folder: Path) -> Command:
        return command(case, self.built.program(case.check), self.built.environment, folder)

    def drive(
        self, listener: Listener | None = None, disturbed=lambda run: (), suspects=lambda run: {},
        budget: Budget | None = None,
    ) -> Run:
        return drive(self.folder, self.command, listener or Listener(), disturbed, suspects, budget)


def statuses(run: Run) -> list[str]:
    launches = [launch for one in run.cases for launch in one.launches]
    return [launch.status for launch in sorted(launches, key=lambda launch: launch.number)]


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_S", 0.2)


def test_a_run_from_plan_to_records(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one"), case_run("two"))
    listener = Listener()
    run = sitting.drive(listener)
    assert run.state == "finished" and statuses(run) == ["done"] * 4
    assert all(len(one.records) == 2 and not one.unreadable for one in run.cases)
    assert listener.started == [(1, 1, 4), (2, 2, 4), (3, 3, 4), (4, 4, 4)]
    assert "--record" in (sitting.folder.path / run.cases[0].launches[0].folder / "command.sh").read_text()


def test_a_crash_does_not_stop_the_others(tmp_path: Path) -> None:
    run = Sitting(tmp_path, case_run("one", launches=1), case_run("two", launches=1, fault="crash")).drive()
    assert run.state == "finished" and sorted(statuses(run)) == ["crashed", "done"]


def test_a_signal_keeps_what_is_finished_and_resume_goes_on(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=3, seconds=0.2))
    listener = Listener(lambda launch: launch.number == 2 and os.kill(os.getpid(), signal.SIGTERM))
    before = signal.getsignal(signal.SIGTERM)
    run = sitting.drive(listener)
    assert signal.getsignal(signal.SIGTERM) is before
    assert run.state == "interrupted" and statuses(run) == ["done", "interrupted", "planned"]
    assert run.cases[0].launches[1].reason.startswith("stopped by SIGTERM")
    first = (sitting.folder.path / run.cases[0].launches[0].folder / "record.jsonl").stat().st_mtime_ns

    again = Listener()
    run = sitting.drive(again)
    assert run.state == "finished" and statuses(run) == ["done"] * 3
    assert [number for number, _ in again.ended] == [2, 3]
    assert (sitting.folder.path / run.cases[0].launches[0].folder / "record.jsonl").stat().st_mtime_ns == first


def test_resume_repeats_crashed_and_abandoned_but_not_refused(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=4))
    number = {}
    launches = sitting.folder.read().cases[0].launches
    for launch, status in zip(launches, ("done", "crashed", "refused", "hung"), strict=True):
        sitting.folder.write_launch(dataclasses.replace(launch, status=status, reason="x"))
        number[status] = launch.number
    (sitting.folder.path / "launches/0002-one.small/old").touch()
    listener = Listener()
    sitting.drive(listener)
    assert [one for one, _ in listener.ended] == [number["crashed"], number["hung"]]
    assert not (sitting.folder.path / "launches/0002-one.small/old").exists()


def test_disturbed_launches_are_repeated_once(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=2))
    asked: list[Run] = []

    def disturbed(run: Run) -> Sequence[int]:
        asked.append(run)
        return [launch.number for launch in run.cases[0].launches]

    run = sitting.drive(disturbed=disturbed)
    assert [launch.confirms for launch in run.cases[0].launches] == [None, None, 1, 2]
    assert statuses(run) == ["done"] * 4 and statuses(asked[0]) == ["done"] * 2
    assert len(sitting.drive(disturbed=disturbed).cases[0].launches) == 4


@pytest.mark.parametrize(
    ("seconds", "done", "left"), [(10.0, {"one": 2, "two": 2}, []), (0.0, {"one": 0, "two": 0}, [1, 2, 3, 4])]
)
def test_what_does_not_fit_into_the_seconds_of_a_suite_is_left_out(
    tmp_path: Path, seconds: float, done: dict[str, int], left: list[int]
) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=2), case_run("two", launches=2))
    times = iter([0.0] + [1.0] * 9)
    budget = Budget("quick", seconds, {f"{name}:small": 0.5 for name in done}, lambda: next(times))
    listener = Listener()
    run = sitting.drive(listener, budget=budget)
    assert {one.case.check: len(one.launches) for one in run.cases} == done and sorted(listener.left) == left
    for one in run.cases:
        assert (one.unavailable is None) is bool(done[one.case.check])
        said = f"0 s that the cases of suite quick share (about 0 s a launch; by itself: ./tenken run {one.case.id})"
        assert not left or said in (one.unavailable or "")


def test_a_case_loses_its_last_launches_first(tmp_path: Path) -> None:
    """A launch takes three units of time and seven are there: each case has its first, nobody a second."""
    sitting = Sitting(tmp_path, case_run("one", launches=3), case_run("two", launches=3))
    now = [0.0]

    def pass_time(_launch: Launch) -> None:
        now[0] += 3.0

    budget = Budget("quick", 7.0, {"one:small": 3.0, "two:small": 3.0}, lambda: now[0])
    budget.took = lambda *_: None
    run = sitting.drive(Listener(pass_time), disturbed=lambda run: [1], budget=budget)
    assert [len(one.launches) for one in run.cases] == [1, 1] and statuses(run) == ["done"] * 2
    assert all(one.unavailable is None for one in run.cases) and run.state == "finished"


def test_suspect_cases_are_launched_again_in_turn_after_all_others(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=1), case_run("two", launches=1))
    asked: list[Run] = []

    def suspects(run: Run) -> dict[str, int]:
        asked.append(run)
        return {run.cases[0].case.id: 2, run.cases[1].case.id: 1}

    listener = Listener()
    run = sitting.drive(listener, disturbed=lambda run: [1], suspects=suspects)
    assert statuses(asked[0]) == ["done"] * 3 and statuses(run) == ["done"] * 6
    assert [number for number, _, _ in listener.started] == [1, 2, 3, 4, 5, 6]
    more = sorted((launch.number, one.case.check) for one in run.cases for launch in one.launches if launch.number > 3)
    assert more == [(4, "one"), (5, "two"), (6, "one")]


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=1))
    refusals: list[str] = []

    def intrude(_launch: Launch) -> None:
        with pytest.raises(TenkenError) as refused:
            sitting.drive()
        refusals.append(str(refused.value))

    assert sitting.drive(Listener(intrude)).state == "finished"
    assert len(refusals) == 1 and f"process {os.getpid()}" in refusals[0]


def test_a_full_disk_is_a_sentence_and_leaves_a_readable_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=2))
    real = runner.run_launch

    def full(launch: Launch, *rest: object) -> Launch:
        if launch.number == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/r/stdout")
        return real(launch, *rest)

    monkeypatch.setattr(runner, "run_launch", full)
    with pytest.raises(TenkenError, match=r"cannot write /r/stdout: No space left on device; finished .* --resume"):
        sitting.drive()
    run = sitting.folder.read()
    assert run.state == "interrupted" and statuses(run)[0] == "done"


def test_what_does_not_fit_says_when_load_was_the_reason() -> None:
    budget = Budget("quick", 60.0, {"one:small": 10.0, "two:small": 5.0}, lambda: 0.0)
    budget.took("one:small", 40.0, 0.1)
    assert budget.load() == "" and budget.why("two:small").endswith("./tenken run two:small)")
    budget.took("one:small", 40.0, 0.9)
    load = "the launches took 1.6 times as long as planned and waited for a processor 50 % of the time"
    assert budget.why("two:small").endswith(f"; other load is the reason: {load}")


@pytest.mark.parametrize(("left_s", "again"), [(400.0, ["starved", "done"]), (100.0, ["starved", "done"]), (10.0, ["starved"])])
def test_a_launch_that_found_no_processor_is_started_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_s: float, again: list[str]
) -> None:
    """With the time that it needs, as far as the budget has it; with less than its time-out not at all."""
    sitting, seen = Sitting(tmp_path, case_run("one", 1)), []

    def ended(launch: Launch, words: Command, folder: Path, timeout_s: float, *more: object) -> Launch:
        seen.append(timeout_s)
        return dataclasses.replace(launch, status="done" if len(seen) > 1 else "starved", needs_s=10 * timeout_s, seconds=1.0)

    monkeypatch.setattr(runner, "run_launch", ended)
    monkeypatch.setattr(Budget, "left_s", lambda self: left_s)
    run = sitting.drive(budget=Budget("quick", 1e6, {}, lambda: 0.0))
    assert statuses(run) == again
    planned_s = run.cases[0].case.timeout_s
    assert seen[1:] == ([min(10 * planned_s, left_s)] if len(again) > 1 else [])


def test_a_study_begins_only_where_all_its_points_fit() -> None:
    now = [0.0]
    points = {"toy:sweep": ["toy:sweep/1", "toy:sweep/2"], "toy:wide": [f"toy:wide/{n}" for n in range(9)]}
    budget = Budget("evaluate", 10.0, {"toy:small": 2.0}, lambda: now[0], points)
    assert budget.fits("toy:sweep/1") and not budget.fits("toy:wide/0")  # 4 s and 18 s
    now[0] = 8.5
    assert budget.fits("toy:sweep/2")  # a study that was begun goes on: how long this point takes is not known
    budget.took("toy:sweep/2", 3.0)
    assert not budget.fits("toy:sweep/2") and not budget.fits("toy:wide/1")
    assert budget.why("toy:wide/1") == "it does not fit into the 10 s of suite evaluate (alone: ./tenken run toy:wide)"


def test_a_budget_may_end_a_launch_which_then_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting, given = Sitting(tmp_path, case_run("one", 1), case_run("two", 1)), []

    def ended(launch: Launch, words: Command, folder: Path, timeout_s: float, *more: object) -> Launch:
        given.append(timeout_s)
        return dataclasses.replace(launch, status="done" if launch.case_id == "one:small" else "hung", seconds=timeout_s)

    monkeypatch.setattr(runner, "run_launch", ended)
    planned_s = sitting.folder.read().cases[0].case.timeout_s
    budget = Budget("evaluate", planned_s - 6.0, {}, lambda: 0.0, ends=True)
    assert budget.limit_s(planned_s) == planned_s - 1.0  # 5 s later
    listener = Listener()
    run = sitting.drive(listener, budget=budget)
    assert given == [planned_s - 1.0] * 2 and len(listener.left) == 1
    by_check = {one.case.check: one for one in run.cases}
    assert [launch.status for launch in by_check["one"].launches] == ["done"] and by_check["two"].launches == ()
    assert "it does not fit into the" in (by_check["two"].unavailable or "")
    assert not list(sitting.folder.path.glob("launches/*two*"))


def test_a_resumed_run_has_the_rest_of_its_budget(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, case_run("one", launches=2), case_run("two", launches=2))
    run = sitting.drive()
    spent = sum(launch.seconds or 0.0 for one in run.cases for launch in one.launches)
    assert rest(run, {}) is None and spent > 0
    described = {"budget": Budget("quick", 60.0, {}, ends=True).described()}
    left = rest(dataclasses.replace(run, environment=described), {"one:small": 1.0})
    assert left is not None and left.left_s() == 60.0 - spent and not left.used() and left.fits("one:small")
    used = rest(dataclasses.replace(run, environment={"budget": Budget("quick", spent, {}).described()}), {})
    assert used is not None and used.used() and not used.fits("one:small")
    assert "fit into the" in used.why("one:small") and left.limit_s(1e9) <= 60.0 - spent + 5.0
