"""How long the processes of a launch on this node waited for a processor, and whether others had it: read from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenken.model.run import RankState

PROC = Path("/proc")
_OWN_PART = 0.75  # of the time of their processors: from there on those that wait are in each other's way


@dataclass(slots=True)
class _Process:
    """The last reading of a process; of its first thread, but `used_s` of all."""

    ran_ns: int
    waited_ns: int
    used_s: float  # when it was first seen


class Waiting:
    """Of a launch, as seen from time to time."""

    def __init__(self, mark: str) -> None:
        """`mark`: part of the command line of all of them (numbers are reused: a stranger is left alone)."""
        self._mark = mark
        self._processes: dict[int, _Process] = {}
        self._first: float | None = None
        self._last = 0.0
        self.seconds = 0.0  # so far: at each look the longest wait of any of them since the look before

    def look(self, now: float, pids: Iterable[int]) -> None:
        waits = [self._wait(pid, now - self._last) for pid in set(pids)]
        known = [wait for wait in waits if wait is not None]
        if known and self._first is None:
            self._first = now
        elif known:
            self.seconds += min(max(known), now - self._last)
        self._last = now

    def _wait(self, pid: int, since_s: float) -> float | None:
        """Seconds that it waited since the last look; None where it is not of the launch, or not on this node."""
        words = _read(pid, "schedstat").split()
        before = self._processes.get(pid)
        if len(words) < 2 or (before is None and not _marked(pid, self._mark)):
            return None
        ran, waited = int(words[0]), int(words[1])
        self._processes[pid] = _Process(ran, waited, before.used_s if before else _used_s(pid))
        if before is None:
            return 0.0
        # A wait is counted when it is over: who is ready to run and did not run at all waits still.
        stuck = (ran, waited) == (before.ran_ns, before.waited_ns) and _state(pid) == "R"
        return since_s if stuck else (waited - before.waited_ns) * 1e-9

    @property
    def known(self) -> bool:
        """Whether a process was seen twice."""
        return self._first is not None and self._last > self._first

    def share(self) -> float:
        """The part of the time since the first was seen that they waited; 0 where it is not known."""
        return self.seconds / (self._last - self._first) if self._first is not None and self._last > self._first else 0.0

    def by_others(self) -> bool:
        """Whether others had the processors that they waited for: they themselves used little of them."""
        used = sum(_used_s(pid) - process.used_s for pid, process in self._processes.items())
        processors = set().union(*(_processors(pid) for pid in self._processes))
        return self._first is not None and used < _OWN_PART * len(processors) * (self._last - self._first)


def stopped(ranks: Sequence[RankState], mark: str) -> RankState | None:
    """The first rank on this node that a signal or a debugger has stopped."""
    return next((rank for rank in ranks if _state(rank.pid) in ("T", "t") and _marked(rank.pid, mark)), None)


def _marked(pid: int, mark: str) -> bool:
    return mark.encode() in _read(pid, "cmdline").replace(b"\0", b" ")


def _words(pid: int) -> list[bytes]:
    """The fields of `stat` behind the name: state, parent, …; empty where there is no such process."""
    return _read(pid, "stat").rpartition(b")")[2].split()


def _state(pid: int) -> str:
    return next(iter(_words(pid)), b"").decode()


def _used_s(pid: int) -> float:
    """Processor time of all its threads."""
    words = _words(pid)
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK") if len(words) > 12 else 0.0


def _processors(pid: int) -> set[int]:
    try:
        return os.sched_getaffinity(pid)
    except OSError:
        return set()


def _read(pid: int, name: str) -> bytes:
    try:
        return (PROC / str(pid) / name).read_bytes()
    except OSError:
        return b""
