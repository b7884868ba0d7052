"""Wall time of `tenken test --ci`: when drawn steps stop, and when a step that must run is ended."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

MINUTES = 60.0
# A site may kill the whole CI after 90 minutes: five are left for the counts and the logs.
MUST_MINUTES, _AFTER_BUDGET = 85.0, 25.0
_TERMINATE_S = 20.0  # from SIGTERM to SIGKILL
_AGAIN_S = 60.0  # a step that goes on with another command is interrupted again


class TimeUp(Exception):
    """The time of a step is used up."""


class Budget:
    """Counts from its making. Drawn steps have `minutes`; steps that must run have at least MUST_MINUTES."""

    def __init__(self, minutes: float = MINUTES, clock: Callable[[], float] = time.monotonic) -> None:
        self.minutes, self.must_minutes = minutes, max(MUST_MINUTES, minutes + _AFTER_BUDGET)
        self._clock, self._start = clock, clock()

    def left_s(self, must: bool) -> float:
        return (self.must_minutes if must else self.minutes) * 60 - (self._clock() - self._start)


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the block after `seconds`, more than 0; infinity is no limit. For the main thread."""
    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    if seconds == math.inf:
        yield
        return
    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, old)


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """SIGTERM in the block unwinds it: commands are ended, folders are removed. For the main thread."""
    old = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)


def end(process: subprocess.Popen[bytes]) -> None:
    """SIGTERM to a process and all that it started, so that each can clean up; SIGKILL to the rest."""
    started = [process.pid, *_descendants(process.pid)]
    _kill(started, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_TERMINATE_S)
    _kill(started[1:], signal.SIGKILL)
    process.kill()
    process.wait()


def _kill(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def _descendants(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parent = int(stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    descendants = [pid]
    for parent in descendants:
        descendants += children.get(parent, [])
    return descendants[1:]
