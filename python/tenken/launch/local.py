"""Starts one launch, watches it, and says what became of it. A launch leaves nothing running behind."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import time
from collections import deque
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from tenken.launch import processes, reason
from tenken.launch.command import Command
from tenken.launch.pages import read_pages
from tenken.model.run import Launch, RankState

LAST_LINES = 50
_TAIL_BYTES = 64 * 1024
# Rarely, because the launcher shares the cores that are being measured.
_WATCH_S = 0.5

Watcher = Callable[[tuple[RankState, ...]], None]


def run_launch(
    launch: Launch, command: Command, folder: Path, timeout_s: float,
    stop: Callable[[], str | None] = lambda: None, watcher: Watcher | None = None,
) -> Launch:
    """Run `command` in `folder` (it exists) and return the launch with its outcome.

    `stop()` gives the name of the signal that asks for an end, or None. `watcher` sees the states of the ranks.
    Raises OSError where the folder cannot be written.
    """
    (folder / "pages").mkdir(exist_ok=True)
    script = folder / "command.sh"
    script.write_text(command.script())
    script.chmod(0o755)
    started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    begin = time.monotonic()
    with (folder / "stdout").open("wb") as stdout, (folder / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            ["bash", str(script)], stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True,
        )
    watch = processes.Watch(process)
    cause = None
    try:
        cause = _watch(watch, folder, begin + timeout_s, stop, watcher)
    finally:
        if process.poll() is None:
            processes.end(process, watch)
        watch.close()
        ranks = read_pages(folder / "pages")
        # All of it: a rank of Open MPI leaves the group, and one that mpirun lost may still hold a core.
        processes.sweep(process.pid, [rank.pid for rank in ranks], str(folder))
    status, why, signal_name = _outcome(process.returncode, cause, timeout_s, folder, ranks)
    return dataclasses.replace(
        launch, status=status, returncode=process.returncode, signal=signal_name, reason=why, started=started,
        seconds=round(time.monotonic() - begin, 3), ranks=ranks,
        last_lines=() if status == "done" else last_lines(folder),
    )


def _watch(
    watch: processes.Watch, folder: Path, deadline: float, stop: Callable[[], str | None], watcher: Watcher | None,
) -> str | None:
    """None where the process ended, "timeout", or the name of the signal that asked for an end."""
    while True:
        name = stop()
        if name:
            return name
        left = deadline - time.monotonic()
        if left <= 0:
            return "timeout"
        if watch.wait(min(_WATCH_S, left)) is not None:
            break
        if watcher:
            watcher(read_pages(folder / "pages"))
    return stop()


def _outcome(
    returncode: int, cause: str | None, timeout_s: float, folder: Path, ranks: tuple[RankState, ...],
) -> tuple[str, str, str | None]:
    """(status, reason, signal) of an ended launch."""
    whole = _record_is_whole(folder)
    # mpirun takes a while to leave: a signal that comes then stops nothing that was still being measured.
    if whole and (returncode == 0 or cause not in (None, "timeout")):
        return "done", "", None
    if cause == "timeout":
        return "hung", reason.hung(timeout_s, ranks), None
    if cause:
        return "interrupted", reason.interrupted(cause, ranks), None
    stdout, stderr = ("\n".join(_tail(folder / name)) for name in ("stdout", "stderr"))
    death = reason.read_death(f"{stderr}\n{stdout}", returncode)  # Hydra tells it on standard output
    sentence = reason.own_sentence(stderr)
    if death.code == reason.EXIT_REFUSED:
        return "refused", sentence or "the program refused its arguments", None
    if death.code == reason.EXIT_UNAVAILABLE:
        return "unavailable", sentence or "what this variant runs on is not here", None
    why = reason.crashed(death, ranks, sentence)
    if _disk_full(folder):
        why += f"; the file system of {folder} is full: free some space or use --runs DIR"
    return "crashed", why, reason.signal_name(death.signal)


def last_lines(folder: Path) -> tuple[str, ...]:
    """The end of what the launch wrote: standard output, then standard error."""
    return tuple(deque(_tail(folder / "stdout") + _tail(folder / "stderr"), maxlen=LAST_LINES))


def _tail(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            return file.read().decode(errors="replace").splitlines()
    except OSError:
        return []


def _record_is_whole(folder: Path) -> bool:
    """Whether the record has its last line; its figures are not this module's business."""
    lines = _tail(folder / "record.jsonl")
    try:
        return bool(lines) and json.loads(lines[-1])["type"] == "end"
    except (ValueError, KeyError, TypeError):
        return False


def _disk_full(folder: Path) -> bool:
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False
