"""One holder at a time, with flock and without, seen from processes, containers and nodes."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenken.launch import lock, processes
from tenken.launch.lock import Holder, LockError, locked

PYTHON = Path(__file__).resolve().parents[2]
HOLDER = """
import fcntl, os, sys, time
from pathlib import Path
from tenken.launch import lock
def refuse(*_):
    raise OSError(int(sys.argv[2]), "no locks")
if int(sys.argv[2]):
    fcntl.flock = refuse
with lock.locked(Path(sys.argv[1]), lambda holder: None, lambda line: None):
    print("locked", flush=True)
    time.sleep(60)
"""


class Busy(Exception):
    """Somebody else has it."""


def give_up(holder: Holder) -> None:
    raise Busy(str(holder))


def no_locks(monkeypatch: pytest.MonkeyPatch, number: int = errno.ENOLCK) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_noted", [])


@pytest.fixture(params=[0, errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP], ids=["flock", "ENOSYS", "ENOLCK", "EOPNOTSUPP"])
def site(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    if request.param:
        no_locks(monkeypatch, request.param)
    return request.param


@pytest.fixture
def other(site: int, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "lock"), str(site)], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
    ) as process:
        assert process.stdout and process.stdout.readline() == "locked\n"
        yield process
        process.kill()


def take(path: Path) -> None:
    with locked(path, lambda holder: None if holder.dead else give_up(holder), lambda line: None):
        pass


def test_one_holder_at_a_time(other: subprocess.Popen[str], tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(Busy, match=f"process {other.pid} on "):
            take(tmp_path / "lock")
    other.kill()
    other.wait()
    take(tmp_path / "lock")
    take(tmp_path / "lock")
    assert [path.name for path in tmp_path.iterdir()] == ["lock"], "nothing stays beside it"


def test_a_stopped_holder_lives_and_is_seen(other: subprocess.Popen[str], tmp_path: Path) -> None:
    os.kill(other.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, other.pid, os.WSTOPPED | os.WNOWAIT)
    seen: list[Holder] = []

    def busy(holder: Holder) -> None:
        seen.append(holder)
        give_up(holder)

    with pytest.raises(Busy), locked(tmp_path / "lock", busy, lambda line: None):
        pass
    assert seen[0].stopped and not seen[0].dead and lock.keepers(tmp_path / "lock")[:1] in ([other.pid], [])


def test_a_holder_of_the_other_way_is_respected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two processes on a node, flock may fail for the second alone: no memory for a lock."""
    with locked(tmp_path / "lock", give_up), monkeypatch.context() as patch:
        no_locks(patch)
        with pytest.raises(Busy):
            take(tmp_path / "lock")
    with monkeypatch.context() as patch:
        no_locks(patch)
        holding = locked(tmp_path / "lock", give_up, lambda line: None)
        holding.__enter__()
    with pytest.raises(Busy):
        take(tmp_path / "lock")
    holding.__exit__(None, None, None)
    take(tmp_path / "lock")


def test_what_is_no_lack_of_locks_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks(monkeypatch, errno.EIO)
    with pytest.raises(LockError, match="Input/output error"):
        take(tmp_path / "lock")
    with pytest.raises(LockError, match="No such file"):
        take(tmp_path / "absent" / "lock")


def test_the_lack_of_locks_is_noted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks(monkeypatch)
    notes: list[str] = []
    for name in ("one", "two"):
        with locked(tmp_path / name, give_up, notes.append) as descriptors:
            assert descriptors == ()
    assert len(notes) == 1 and "No locks available" in notes[0] and str(tmp_path) in notes[0]


def left(path: Path, text: str, silent_s: float = 0.0) -> Path:
    """A holder's file whose last sign of life is so old."""
    file = path.with_name(f"{path.name}.holder")
    file.write_text(text)
    now = path.stat().st_mtime if path.exists() else file.stat().st_mtime
    os.utime(file, (now - silent_s, now - silent_s))
    return file


@pytest.mark.parametrize("text", ["4711 another-node 12 pid:[1]", ""], ids=["elsewhere", "not yet written"])
def test_a_holder_that_cannot_be_seen_is_dead_after_ten_minutes_of_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    no_locks(monkeypatch)
    left(tmp_path / "lock", text, lock.DEAD_S - 60)
    with pytest.raises(Busy, match="process 4711 on another-node, last seen 5.. s ago" if text else "process unknown"):
        take(tmp_path / "lock")
    left(tmp_path / "lock", text, lock.DEAD_S + 60)
    take(tmp_path / "lock")


def test_a_later_process_of_the_same_number_is_not_the_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks(monkeypatch)
    own = lock._self()
    left(tmp_path / "lock", lock._text(own))
    with pytest.raises(Busy):
        take(tmp_path / "lock")
    left(tmp_path / "lock", f"{own.pid} {own.host} {own.start - 1} {own.space}")
    take(tmp_path / "lock")


def test_a_number_of_a_container_means_nothing_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks(monkeypatch)
    left(tmp_path / "lock", f"{1 << 22} {lock._self().host} 12 pid:[1]")
    assert not processes.is_running(1 << 22)
    with pytest.raises(Busy):
        take(tmp_path / "lock")


def test_a_removal_that_was_killed_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks(monkeypatch)
    left(tmp_path / "lock", f"{1 << 22} {lock._self().host} 12 {lock._self().space}")
    taking = tmp_path / "lock.holder.taking"
    taking.touch()
    tries: list[Holder] = []

    def busy(holder: Holder) -> None:
        tries.append(holder)
        if len(tries) == 3:
            os.utime(taking, (0, 0))

    with locked(tmp_path / "lock", busy, lambda line: None):
        assert len(tries) > 3 and not taking.exists()


def test_signs_of_life_are_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_locks(monkeypatch)
    monkeypatch.setattr(lock, "_BEAT_S", 0.01)
    with locked(tmp_path / "lock", give_up, lambda line: None):
        file = tmp_path / "lock.holder"
        os.utime(file, (0, 0))
        while file.stat().st_mtime == 0:
            pass
