"""A single writer a run: others are locked out, and launches of a killed Tenken are ended before anything is started."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.launch import processes, scratch
from tenken.launch.lock import Holder, LockError, keepers, locked
from tenken.launch.pages import read_pages
from tenken.model.run import Launch
from tenken.store.runfolder import RunFolder

_LOCK = ".lock"
# Seconds in which the supervisor of a launch may end it after a kill of Tenken; then the lock comes free.
_SLOW_S = 10.0
_SEEN_S = 1.0  # a rank elsewhere that does anything shows it in its page within this time


@contextmanager
def held(path: Path) -> Iterator[tuple[int, ...]]:
    """Holds the run folder alone; yields the descriptors of its lock, none where the file system has no locks.

    The system lets go of the lock when all who have the descriptor have ended: Tenken, and the supervisor of its launch.
    """
    file = path / _LOCK
    try:
        with locked(file, _Refusal(file)) as descriptors:
            yield descriptors
    except LockError as error:
        raise TenkenError(f"cannot write into {path}: {error}; choose another --runs DIR.") from None


class _Refusal:
    """Waits while the launch of a killed Tenken ends; TenkenError where another Tenken lives or nothing ends."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._deadline = time.monotonic() + processes.GRACE_S + _SLOW_S

    def __call__(self, holder: Holder) -> None:
        run = f"run {self._file.parent.name}"
        if holder.stopped:
            raise TenkenError(
                f"{run} is being driven by another tenken ({holder}), which is stopped; end it with: kill -9 {holder.pid}")
        if not holder.dead:
            raise TenkenError(f"{run} is being driven by another tenken ({holder}); wait for it or stop it.")
        late = time.monotonic() > self._deadline
        for pid in keepers(self._file):
            if late or processes.is_stopped(pid):
                state = "is stopped" if processes.is_stopped(pid) else "does not end"
                raise TenkenError(
                    f"{run}: its tenken was killed, and process {pid}, which watches its launch, {state}; "
                    f"end it with: kill -9 {pid}")
        if late:
            raise TenkenError(f"{run}: its tenken was killed ({holder}), and its lock is not free yet; try again.")


def end_left_over(folder: RunFolder) -> None:
    """End processes here of launches that nobody ended, and remove their files; TenkenError where a launch runs elsewhere.

    Those that have a whole record nevertheless get the word on them that Tenken owes.
    """
    abandoned = folder.abandoned()
    for launch in abandoned:
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
    if abandoned:
        nobodys = {launch.folder for launch in abandoned}
        for launch in (launch for case_run in folder.read().cases for launch in case_run.launches):
            if launch.folder in nobodys and launch.status == "done":
                folder.write_launch(launch)


def _refuse_elsewhere(path: Path, launch: Launch) -> None:
    pages = path / launch.folder / "pages"
    before = {rank for rank in read_pages(pages, launch.id) if rank.host != platform.node() and rank.state != "done"}
    if not before:
        return
    time.sleep(_SEEN_S)
    for rank in read_pages(pages, launch.id):
        if rank.host != platform.node() and rank not in before:
            raise TenkenError(
                f"{launch.folder} of {path.name} still runs on {rank.host} (process {rank.pid}); end it there "
                "(under Slurm: scancel its step), then go on."
            )
