"""Kills of Tenken itself: nothing of its launch goes on, nothing stays, and the resumed run has one writer."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fake_build import case_run, fake_build
from tenken.base.errors import TenkenError
from tenken.launch import one_writer, processes, scratch
from tenken.launch.command import Command, command
from tenken.launch.pages import read_pages
from tenken.launch.plan import plan
from tenken.launch.runner import drive
from tenken.model.check import Case
from tenken.model.run import Launch, RankState
from tenken.store.runfolder import RunFolder

TESTS = Path(__file__).resolve().parents[3] / "tests"
DRIVER = """
import sys
from pathlib import Path
from tenken.launch import processes
processes.GRACE_S = 0.2
from one_writer_test import Driven
Driven(Path(sys.argv[1])).drive()
"""


class Driven:
    """A run folder with one case whose fake program waits for the file `go`; it outlives SIGTERM where told so."""

    def __init__(self, place: Path, **parameters: object) -> None:
        self.place, self.go = place, place / "go"
        if not (place / "runs").exists():
            fake_build(place / "build", "one")
            case = case_run("one", launches=1, until=str(self.go), **parameters)
            RunFolder.create(place / "runs", "quick", plan([case], seed=1), 1, {"name": "fake"})
        self.folder = RunFolder(next((place / "runs").iterdir()))

    def command(self, case: Case, folder: Path) -> Command:
        from fake_build import ENVIRONMENT

        return command(case, self.place / "build/checks/one/one", ENVIRONMENT, folder)

    def drive(self, started: Callable[[], None] = lambda: None) -> list[str]:
        """The processes of earlier launches that still ran when a launch was started, and its number."""
        seen: list[str] = []

        class Listener:
            def launch_started(inner, launch: Launch, index: int, total: int) -> None:  # noqa: N805
                seen.append(f"launch {launch.number}, {len(self.alive())} others")
                started()

            def ranks_seen(inner, ranks: tuple[RankState, ...]) -> None: ...  # noqa: N805
            def ports_open(inner, ports: tuple[int, ...]) -> None: ...  # noqa: N805
            def launch_ended(inner, launch: Launch) -> None: ...  # noqa: N805
            def left_out(inner, *what: object) -> None: ...  # noqa: N805

        drive(self.folder, self.command, Listener())
        return seen

    def alive(self) -> list[int]:
        """Everything of a launch that still runs, found by its arguments alone."""
        mark = str(self.place / "runs").encode()
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes()
            except OSError:
                continue
            if mark in words and b"fake_check.py" in words + b" " and processes.is_running(int(path.parent.name)):
                found.append(int(path.parent.name))
        return found


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def wait_for(condition) -> object:
    deadline = time.monotonic() + 20
    while not (value := condition()):
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.01)
    return value


NO_LOCKS = """
import errno, fcntl
def refuse(*_):
    raise OSError(errno.ENOLCK, "No locks available")
fcntl.flock = refuse
"""


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driven]:
    """A run whose driver is a process of its own, with its launch going on."""
    yield from going_on(tmp_path, monkeypatch, "")


@pytest.fixture
def killed_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driven]:
    """The same on a file system without locks."""
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    yield from going_on(tmp_path, monkeypatch, NO_LOCKS)


def going_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str) -> Iterator[Driven]:
    monkeypatch.setattr(processes, "GRACE_S", 0.2)
    run = Driven(tmp_path)
    paths = os.pathsep.join([str(TESTS), str(TESTS.parent / "python"), str(Path(__file__).parent)])
    driver = subprocess.Popen([sys.executable, "-c", before + DRIVER, str(tmp_path)], env={**os.environ, "PYTHONPATH": paths})
    try:
        wait_for(lambda: len(read_pages(next(iter(run.folder.path.glob("launches/*/pages")), tmp_path))) == 2)
        run.driver = driver
        run.rank = run.alive()[0]
        run.supervisor = parent(run.rank)
        yield run
    finally:
        driver.kill()
        driver.wait()
        processes.end_all(run.alive)


def scratch_of(run: Driven) -> list[Path]:
    return [path for launch in run.folder.abandoned() for root in ("/tmp", "/dev/shm")
            for path in [Path(root, f"tenken-{launch.id}")] if path.exists()]


@pytest.mark.parametrize("also", ["nothing", "stopped rank", "supervisor"])
def test_kill_9_of_the_driver_and_resume_at_once(killed: Driven, also: str) -> None:
    assert len(scratch_of(killed)) == 2
    left = scratch_of(killed)
    if also == "stopped rank":
        os.kill(killed.rank, signal.SIGSTOP)
    if also == "supervisor":  # nobody is left to clean up but the one who resumes
        os.kill(killed.driver.pid, signal.SIGSTOP)
        os.kill(killed.supervisor, signal.SIGKILL)
        wait_for(lambda: not killed.alive())
    killed.driver.kill()
    killed.driver.wait()
    # A rank told to go on before its supervisor ends it could still write a whole record, to be adopted.
    assert killed.drive(started=killed.go.touch) == ["launch 1, 0 others"]
    assert not any(path.exists() for path in left) and not killed.alive()
    run = killed.folder.read()
    assert run.state == "finished" and [one.status for one in run.cases[0].launches] == ["done"]
    assert run.cases[0].records[0].launch == run.cases[0].launches[0].id != ""


def test_a_driver_that_is_killed_leaves_nothing_though_nobody_resumes(killed: Driven) -> None:
    left = scratch_of(killed)
    killed.driver.kill()
    wait_for(lambda: not killed.alive() and not any(path.exists() for path in left))


def test_a_living_driver_keeps_its_run(killed: Driven) -> None:
    with pytest.raises(TenkenError, match=f"driven by another tenken .process {killed.driver.pid} on "):
        killed.drive()


@pytest.mark.parametrize("who", ["driver", "supervisor"])
def test_a_stopped_process_that_has_the_run_is_named_with_the_command_that_ends_it(killed: Driven, who: str) -> None:
    pid = killed.driver.pid if who == "driver" else killed.supervisor
    os.kill(pid, signal.SIGSTOP)
    wait_for(lambda: processes.is_stopped(pid))
    if who == "supervisor":
        killed.driver.kill()
        killed.driver.wait()
    with pytest.raises(TenkenError, match=f"process {pid}.* is stopped; end it with: kill -9 {pid}$"):
        killed.drive()
    os.kill(pid, signal.SIGKILL)
    killed.driver.wait()
    assert killed.drive(started=killed.go.touch) == ["launch 1, 0 others"]


def test_without_locks_a_living_driver_keeps_its_run_and_a_killed_one_does_not(killed_without_locks: Driven) -> None:
    run = killed_without_locks
    with pytest.raises(TenkenError, match=f"driven by another tenken .process {run.driver.pid} on "):
        run.drive()
    left = scratch_of(run)
    os.kill(run.supervisor, signal.SIGSTOP)  # nothing of it may go on beside the next driver
    run.driver.kill()
    run.driver.wait()
    assert run.drive(started=run.go.touch) == ["launch 1, 0 others"]
    assert not processes.is_running(run.supervisor) and not any(path.exists() for path in left)
    assert {path.name for path in run.folder.path.glob(".lock*")} == {".lock"}


def test_a_start_removes_the_folders_of_dead_launches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = tmp_path / "shm" / "tenken-0123456789abcdef"
    dead.mkdir(parents=True)
    monkeypatch.setattr(scratch, "_SHARED_MEMORY", dead.parent)
    run = Driven(tmp_path)
    run.go.touch()
    assert run.drive() == ["launch 1, 0 others"] and not dead.exists()


def test_a_killed_supervisor_is_a_crash_and_leaves_nothing(killed: Driven) -> None:
    left = scratch_of(killed)
    os.kill(killed.supervisor, signal.SIGKILL)
    killed.driver.wait(timeout=20)
    assert not killed.alive() and not any(path.exists() for path in left)
    assert [one.status for one in killed.folder.read().cases[0].launches] == ["crashed"]


def test_a_whole_record_is_adopted_and_not_measured_again(killed: Driven) -> None:
    """Tenken was killed between the end of the program and its own word on it."""
    launch = killed.folder.abandoned()[0]
    os.kill(killed.driver.pid, signal.SIGSTOP)
    killed.go.touch()
    wait_for(lambda: not killed.alive())
    killed.driver.kill()
    killed.driver.wait()
    record = killed.folder.path / launch.folder / "record.jsonl"
    before = record.stat().st_mtime_ns
    adopted = killed.folder.read().cases[0].launches[0]
    assert killed.drive() == [] and record.stat().st_mtime_ns == before
    assert killed.folder.read().cases[0].launches[0] == adopted and adopted.status == "done"
    assert (record.parent / "launch.json").exists() and killed.folder.abandoned() == ()


def test_a_record_of_another_launch_is_not_adopted(killed: Driven) -> None:
    launch = killed.folder.abandoned()[0]
    killed.driver.kill()
    killed.driver.wait()
    wait_for(lambda: not killed.alive())
    killed.go.touch()
    script = (killed.folder.path / launch.folder / "command.sh").read_text().replace(launch.id, "0123456789abcdef")
    subprocess.run(["bash", "-c", script], check=True, stdin=subprocess.DEVNULL)
    run = killed.folder.read()
    assert run.cases[0].launches[0].status == "interrupted"
    killed.folder.write_launch(Launch(1, "one:small", "done", launch.folder, id=launch.id))
    assert "written by another launch" in killed.folder.read().cases[0].unreadable[0]


def test_a_rank_that_goes_on_elsewhere_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Driven(tmp_path)
    launch = Launch(1, "one:small", "planned", run.folder.read().cases[0].launches[0].folder, id="0123456789abcdef")
    (run.folder.path / launch.folder).mkdir()
    run.folder.write_started(replace(launch, started="2026-01-01T00:00:00Z"))
    ticks = iter(range(100))
    state = lambda *_: (RankState(0, "n7", 4711, "timing", "solve", next(ticks), 100),)  # noqa: E731
    monkeypatch.setattr(one_writer, "read_pages", state)
    monkeypatch.setattr(one_writer, "_SEEN_S", 0.01)
    with pytest.raises(TenkenError, match=r"launches/0001-one.small of .* still runs on n7 \(process 4711\)"):
        run.drive()
