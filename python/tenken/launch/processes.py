"""Finds and ends every process of a launch: below a process, of a session, by the launch's id, or named on the pages."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterable

GRACE_S = 3.0  # between SIGTERM and SIGKILL: time for mpirun to remove its shared memory
VARIABLE = "TENKEN_LAUNCH"  # environment variable that holds the id of a launch: every process of it on this node has it
_GONE_S = 3.0  # how long a killed process may take to go


class Watch:
    """Waits for a process without spending the processor that is being measured."""

    def __init__(self, pid: int) -> None:
        try:
            self._descriptor = os.pidfd_open(pid)
        except (AttributeError, OSError):  # Linux before 5.3
            self._descriptor = -1

    def wait(self, seconds: float, *others: int) -> None:
        """Return when the process has ended, a descriptor of `others` can be read, or after `seconds`."""
        known = [self._descriptor] if self._descriptor >= 0 else []
        try:
            select.select([*known, *others], [], [], max(0.0, seconds if known else min(seconds, 0.1)))
        except InterruptedError:
            pass

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


def below(ancestor: int) -> list[int]:
    """All processes that descend from `ancestor`, zombies left out."""
    parents: dict[int, list[int]] = {}
    for pid in _all_pids():
        state, parent = _state(pid)
        if state not in ("Z", "X", ""):
            parents.setdefault(parent, []).append(pid)
    descendants, open_ = [], [ancestor]
    while open_:
        children = parents.get(open_.pop(), [])
        descendants += children
        open_ += children
    return descendants


def of_launch(launch: str) -> list[int]:
    """Processes on this node whose environment holds the id `launch`; none for an empty id."""
    wanted = f"{VARIABLE}={launch}".encode()
    return [pid for pid in _all_pids() if wanted in _read(pid, "environ").split(b"\0")] if launch else []


def named(pids: Iterable[int], mark: str) -> list[int]:
    """Those of `pids` whose command line holds `mark`: numbers are reused, and a stranger is left alone."""
    return [pid for pid in pids if pid > 1 and mark in _command_line(pid)]


def end_all(find: Callable[[], Iterable[int]]) -> bool:
    """SIGKILL the processes of `find` until there are none; False where a process did not end in time."""
    deadline = time.monotonic() + _GONE_S
    while left := [pid for pid in find() if pid != os.getpid() and _state(pid)[0] not in ("Z", "X", "")]:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def is_running(pid: int) -> bool:
    """Whether there is such a process that is not dead already."""
    return _state(pid)[0] not in ("Z", "X", "")


def is_stopped(pid: int) -> bool:
    """Whether SIGSTOP or Ctrl-Z stopped the process."""
    return _state(pid)[0] == "T"


def started(pid: int) -> int:
    """Clock ticks between the start of the system and that of the process; 0 where there is no such process."""
    words = _read(pid, "stat").rpartition(b")")[2].split()
    return int(words[19]) if len(words) > 19 else 0


def having_open(device: int, inode: int) -> list[int]:
    """Processes that have this file open, as far as this user may know."""
    return [pid for pid in _all_pids() if any(_is(path, device, inode) for path in _open_files(pid))]


def _open_files(pid: int) -> list[str]:
    try:
        return [f"/proc/{pid}/fd/{number}" for number in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return []


def _is(path: str, device: int, inode: int) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == (device, inode)


def _all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _state(pid: int) -> tuple[str, int]:
    """State letter and parent; ("", 0) where there is no such process."""
    words = _read(pid, "stat").rpartition(b")")[2].split()
    return (words[0].decode(), int(words[1])) if len(words) > 1 else ("", 0)


def _command_line(pid: int) -> str:
    return _read(pid, "cmdline").decode(errors="replace").replace("\0", " ")


def _read(pid: int, name: str) -> bytes:
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""
