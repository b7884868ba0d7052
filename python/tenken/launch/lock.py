"""A single process at a time: by flock, and where the file system has no locks, by a file that only one process can make."""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from time import sleep
from typing import TextIO

from tenken.base.regular import no_link
from tenken.launch import processes

# Errors of flock on Lustre without the option flock and on NFS without a lock service.
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)
_BUSY = (errno.EWOULDBLOCK, errno.EACCES)
_POLL_S = 0.02
_BEAT_S = 60.0  # between two signs of life of a holder that has no flock
DEAD_S = 600.0  # without any of them a process that cannot be seen from here counts as dead
_TAKING_S = 60.0  # a removal of a dead holder's file takes less

_noted: list[str] = []


class LockError(Exception):
    """Why a lock cannot be had, as the system states it."""


class _Way(Enum):
    FLOCK, FILE = 1, 2


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a lock. Its start tells a process from a later process of the same number."""

    pid: int
    host: str
    start: int  # clock ticks since the start of the system; 0: not known
    space: str  # name space of process numbers: those of a container mean nothing outside
    silent_s: float = 0.0  # since its last sign of life; 0 where flock speaks for it

    @property
    def here(self) -> bool:
        """Whether its number can be looked up from this process."""
        return (self.host, self.space) == (platform.node() or "unknown", _space())

    @property
    def dead(self) -> bool:
        if not self.here:
            return self.silent_s > DEAD_S
        return not processes.is_running(self.pid) or self.start not in (0, processes.started(self.pid))

    @property
    def stopped(self) -> bool:
        return self.here and processes.is_stopped(self.pid)

    def __str__(self) -> str:
        seen = f", last seen {self.silent_s:.0f} s ago" if not self.here and self.silent_s else ""
        return f"process {self.pid or 'unknown'}{f' on {self.host}' if self.host else ''}{seen}"


@contextmanager
def locked(
    file: Path, busy: Callable[[Holder], None], note: Callable[[str], None] = lambda line: print(line, file=sys.stderr)
) -> Iterator[tuple[int, ...]]:
    """Holds the lock `file`; yields descriptors that hold it too as long as a process has them open: none without flock.

    Where another process holds it, `busy(holder)` is asked again and again, and raises to give up. `note` is given a
    sentence, once a process, where the file system has no locks. LockError where the file cannot be written or locked.
    """
    beside = file.with_name(f"{file.name}.holder")
    try:
        lock = open(file, "a+", encoding="ascii", errors="replace", opener=no_link)
    except OSError as error:
        raise LockError(error.strerror) from None
    with lock:
        if _wait(lock, beside, busy, note) is _Way.FILE:
            with _beating(beside):
                yield ()
            return
        _write(lock, _text(_self()))
        try:
            yield (lock.fileno(),)
        finally:
            _write(lock, "")


def _wait(lock: TextIO, beside: Path, busy: Callable[[Holder], None], note: Callable[[str], None]) -> _Way:
    try:
        while isinstance(way := _take(lock, beside, note), Holder):
            busy(way)
            sleep(_POLL_S)
    except OSError as error:
        raise LockError(error.strerror) from None
    return way


def keepers(file: Path) -> list[int]:
    """Other processes of this user here that have `file` open."""
    with suppress(OSError):
        wanted = file.stat()
        return [pid for pid in processes.having_open(wanted.st_dev, wanted.st_ino) if pid != os.getpid()]
    return []


def _take(lock: TextIO, beside: Path, note: Callable[[str], None]) -> _Way | Holder:
    """How the lock was taken, or who has it. Each way respects the other: nodes may differ."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return _holder(lock)
        if error.errno not in _NO_LOCKS:
            raise
        if not _noted:
            _noted.append(lock.name)
            note(f"lock     {beside.parent}: the file system has no locks ({error.strerror}); the file {beside.name} with host "
                 "and process replaces them")
        before = _holder(lock)
        return before if before.pid and before.here and not before.dead else _make(lock, beside)
    other = _holder_of_file(lock, beside)
    if other is None or other.dead:
        return _Way.FLOCK
    fcntl.flock(lock, fcntl.LOCK_UN)
    return other


def _make(lock: TextIO, beside: Path) -> _Way | Holder:
    """_Way.FILE where the file could be made, after the removal of a dead holder's."""
    try:
        descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except FileExistsError:
        other = _holder_of_file(lock, beside)
        if other is None:  # removed meanwhile
            return _make(lock, beside)
        if other.dead:
            _remove_dead(lock, beside)
        return other
    try:
        os.write(descriptor, _text(_self()).encode())
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return _Way.FILE


def _remove_dead(lock: TextIO, beside: Path) -> None:
    """Remove a dead holder's file, by a single process at a time: a second would remove that of the next holder."""
    taking = beside.with_name(f"{beside.name}.taking")
    try:
        os.close(os.open(taking, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        if (_age_s(lock, taking) or 0) > _TAKING_S:  # its process was killed in the middle
            taking.unlink(missing_ok=True)
        return
    try:
        other = _holder_of_file(lock, beside)
        if other is not None and other.dead:
            beside.unlink(missing_ok=True)
    finally:
        taking.unlink(missing_ok=True)


@contextmanager
def _beating(beside: Path) -> Iterator[None]:
    """Shows that this process lives, to those that cannot see it, and removes its file at the end."""
    end = threading.Event()

    def beat() -> None:
        while not end.wait(_BEAT_S):
            with suppress(OSError):
                os.utime(beside)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
        with suppress(OSError):
            if beside.read_text(encoding="ascii", errors="replace") == _text(_self()):
                beside.unlink()


def _holder(lock: TextIO) -> Holder:
    lock.seek(0)
    return _parsed(lock.read(400))


def _holder_of_file(lock: TextIO, beside: Path) -> Holder | None:
    """None where there is no such file. A file that is not yet written is a holder of which only the age is known."""
    try:
        with open(beside, encoding="ascii", errors="replace", opener=no_link) as file:
            text = file.read(400)
    except FileNotFoundError:
        return None
    age = _age_s(lock, beside)
    return None if age is None else _parsed(text, age)


def _age_s(lock: TextIO, path: Path) -> float | None:
    """Seconds since the last sign of life, by the clock that gives the files their times."""
    try:
        os.utime(lock.fileno())
        return max(0.0, os.fstat(lock.fileno()).st_mtime - path.stat().st_mtime)
    except FileNotFoundError:
        return None


def _parsed(text: str, silent_s: float = 0.0) -> Holder:
    words = text.split()
    if len(words) != 4 or not words[0].isdigit() or not words[2].isdigit():
        return Holder(0, "", 0, "", silent_s)
    return Holder(int(words[0]), words[1], int(words[2]), words[3], silent_s)


def _text(holder: Holder) -> str:
    return f"{holder.pid} {holder.host} {holder.start} {holder.space}"


def _write(lock: TextIO, text: str) -> None:
    lock.seek(0)
    lock.truncate()
    lock.write(text)
    lock.flush()


def _self() -> Holder:
    return Holder(os.getpid(), platform.node() or "unknown", processes.started(os.getpid()), _space())


def _space() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return "unknown"
