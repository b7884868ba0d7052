"""Ends every process of a launch: its group, its session, and ranks that left both but are named on the pages."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Iterable

GRACE_S = 3.0  # between SIGTERM and SIGKILL: time for mpirun to remove its shared memory


class Watch:
    """Waits for a process without spending the processor that is being measured."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        try:
            self._descriptor = os.pidfd_open(process.pid)
        except (AttributeError, OSError):  # Linux before 5.3
            self._descriptor = -1

    def wait(self, seconds: float) -> int | None:
        """The return code, or None where the process still runs after `seconds` or a signal came."""
        if self._process.poll() is None:
            if self._descriptor >= 0:
                select.select([self._descriptor], [], [], max(0.0, seconds))
            else:
                time.sleep(min(max(0.0, seconds), 0.1))
        return self._process.poll()

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


def end(process: subprocess.Popen[bytes], watch: Watch) -> None:
    """SIGTERM to the group, and SIGKILL to it and its session where that was not enough."""
    _signal_group(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    while watch.wait(deadline - time.monotonic()) is None and time.monotonic() < deadline:
        pass
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def sweep(session: int, pids: Iterable[int], mark: str) -> None:
    """SIGKILL what is left of a session, and those of `pids` whose command line holds `mark` (numbers are reused).

    Returns when they are gone, or after a short while.
    """
    left = [pid for pid in _all_pids() if _session(pid) == session]
    left += [pid for pid in pids if pid > 1 and mark in _command_line(pid)]
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    # They hold cores, memory and files until they are really gone.
    deadline = time.monotonic() + GRACE_S
    while any(os.path.exists(f"/proc/{pid}") for pid in left) and time.monotonic() < deadline:
        time.sleep(0.01)


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def _all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return -1


def _command_line(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").replace("\0", " ")
    except OSError:
        return ""
