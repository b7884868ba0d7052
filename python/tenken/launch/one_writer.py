"""One writer a run: a run folder is held alone, and what a killed Tenken left running is ended before anything is started."""

from __future__ import annotations

import fcntl
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tenken.base.regular import no_link
from tenken.launch import processes, scratch
from tenken.launch.pages import read_pages
from tenken.model.errors import TenkenError
from tenken.model.run import Launch
from tenken.store.runfolder import RunFolder

_LOCK = ".lock"
# What the supervisor of a launch may take to end it after a kill of Tenken; then the lock comes free.
_SLOW_S = 10.0
_SEEN_S = 1.0  # a rank elsewhere that does anything shows it in its page within this time


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Holds the run folder alone; yields the descriptor of its lock.

    The system lets go of the lock when all who have the descriptor have ended: Tenken, and the supervisor of its launch.
    """
    try:
        lock = open(path / _LOCK, "a+", encoding="ascii", errors="replace", opener=no_link)
    except OSError as error:
        raise TenkenError(f"cannot write into {path}: {error.strerror}; choose another --runs DIR.") from None
    with lock:
        _take(lock, path)
        lock.seek(0)
        lock.truncate()
        lock.write(f"{os.getpid()} {platform.node()}")
        lock.flush()
        yield lock.fileno()


def _take(lock: TextIO, path: Path) -> None:
    """The lock, at once, or as soon as the launch of a killed Tenken has ended; TenkenError where another one lives."""
    deadline = time.monotonic() + processes.GRACE_S + _SLOW_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            lock.seek(0)
            pid, _, host = lock.read(200).partition(" ")
            killed = host == platform.node() and pid.isdigit() and not processes.is_running(int(pid))
            if not killed or time.monotonic() > deadline:
                raise TenkenError(
                    f"run {path.name} is being driven by another tenken (process {pid or 'unknown'}"
                    f"{f' on {host}' if host else ''}); wait for it or stop it."
                ) from None
        time.sleep(0.02)


def end_left_over(folder: RunFolder) -> None:
    """End what runs here of launches that nobody ended, and remove what they left; TenkenError where one runs elsewhere."""
    for launch in folder.abandoned():
        place = folder.path / launch.folder
        pages = [page.pid for page in read_pages(place / "pages", launch.id)]
        left = lambda: {*processes.of_launch(launch.id), *processes.named(pages, str(place))}  # noqa: B023, E731
        if not processes.end_all(left):
            raise TenkenError(
                f"{launch.folder} of {folder.path.name} still runs here (process {min(left())}) and could not be "
                "ended; end it, then go on."
            )
        _refuse_elsewhere(folder.path, launch)
        scratch.remove(launch.id)


def _refuse_elsewhere(path: Path, launch: Launch) -> None:
    pages = path / launch.folder / "pages"
    before = {one for one in read_pages(pages, launch.id) if one.host != platform.node() and one.state != "done"}
    if not before:
        return
    time.sleep(_SEEN_S)
    for one in read_pages(pages, launch.id):
        if one.host != platform.node() and one not in before:
            raise TenkenError(
                f"{launch.folder} of {path.name} still runs on {one.host} (process {one.pid}); end it there "
                "(under Slurm: scancel its step), then go on."
            )
