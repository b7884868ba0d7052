"""Starts a launch, watches it, and returns its outcome. A launch leaves nothing behind, whoever is killed."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

from tenken.base.regular import no_link
from tenken.launch import processes, reason, scratch, slurm
from tenken.launch.command import Command
from tenken.launch.pace import Pace
from tenken.launch.pages import read_pages
from tenken.launch.supervised import Supervised
from tenken.launch.unreached import unreached
from tenken.launch.waiting import Waiting, stopped
from tenken.model.run import Launch, RankState

LAST_LINES = 50
_TAIL_BYTES = 64 * 1024
# Rarely, because the launcher shares the cores that are being measured.
_WATCH_S = 0.5

Watcher = Callable[[tuple[RankState, ...]], None]


def run_launch(
    launch: Launch, command: Command, folder: Path, timeout_s: float,
    stop: Callable[[], str | None] = lambda: None, watcher: Watcher | None = None, holding: Sequence[int] = (),
    exposed: Callable[[tuple[int, ...]], None] = lambda ports: None, planned_s: float | None = None,
) -> Launch:
    """Run `command` in `folder` (it exists) and return the launch with its outcome.

    `stop()` gives the name of the signal that asks for an end, or None. `watcher` sees the states of the ranks.
    `holding`: descriptors of locks that stay locked, even where Tenken is killed, as long as anything of the launch runs.
    `exposed` hears of ports of a launch on one node that other nodes could reach. `planned_s`: the time-out on a
    node of its own, where `timeout_s` is longer.
    Raises OSError where the folder cannot be written.
    """
    (folder / "pages").mkdir(exist_ok=True)
    script = folder / "command.sh"
    script.write_text(_own(command, launch).script())
    script.chmod(0o755)
    started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    begin = time.monotonic()
    with (folder / "stdout").open("wb") as stdout, (folder / "stderr").open("wb") as stderr:
        with_folders = bool(launch.id) and command.here
        running = Supervised(["bash", str(script)], stdout, stderr, launch.id, command.here, holding, with_folders)
    cause, overdue, progress = None, None, Progress(folder, launch.id, _WATCH_S)
    try:
        cause = _watch(running, begin + timeout_s, stop, watcher, exposed if command.here else None, progress)
        if cause == "timeout":
            overdue = progress.overdue(timeout_s, planned_s or timeout_s)
    finally:
        if running.wait(0) is None:
            running.end()
        running.close()
        ranks = read_pages(folder / "pages", launch.id)
        processes.end_all(lambda: processes.named((rank.pid for rank in ranks), str(folder)))
    returncode = running.wait(0)
    assert returncode is not None  # a command that did not end was ended
    status, why, signal_name = _outcome(launch.id, returncode, cause, overdue and overdue[:2], folder, ranks)
    lost = None if status == "done" else unreached("\n".join(_tail(folder / "stderr")), cause is not None)
    if lost:
        status, why = "crashed", reason.node_lost(lost, ranks)
    return dataclasses.replace(
        launch, status=status, returncode=returncode, signal=signal_name, reason=why, started=started,
        seconds=round(time.monotonic() - begin, 3), ranks=ranks,
        last_lines=() if status == "done" else last_lines(folder), environment=command.environment,
        lost=lost.nodes if lost else (),
        waited=None if progress.waited is None else round(min(progress.waited, 1.0), 3),
        needs_s=overdue[2] if overdue and status == "starved" else None,
    )


def _own(command: Command, launch: Launch) -> Command:
    """The command with the id of its launch, and on one node with folders of its own for MPI's files."""
    if not launch.id:
        return command
    variables = {processes.VARIABLE: launch.id} | (scratch.variables(launch.id) if command.here else {})
    return dataclasses.replace(
        command, words=(*command.words, "--launch", launch.id), variables=variables | command.variables,
        folders=scratch.folders(launch.id) if command.here else (),
    )


def _watch(
    running: Supervised, deadline: float, stop: Callable[[], str | None], watcher: Watcher | None,
    exposed: Callable[[tuple[int, ...]], None] | None, progress: Progress,
) -> str | None:
    """None where the process ended, "timeout", or the name of the signal that asked for an end."""
    below = lambda: processes.below(running.process.pid)  # noqa: E731
    while True:
        name = stop()
        if name:
            return name
        left = deadline - time.monotonic()
        if left <= 0:
            return "timeout"
        if running.wait(min(_WATCH_S, left)) is not None:
            break
        if exposed and running.isolated is False and (opened := ports(below())):
            exposed(opened)
            exposed = None
        ranks = progress.look(below)
        if watcher:
            watcher(ranks)
    return stop()


def _outcome(
    launch: str, returncode: int, cause: str | None, overdue: tuple[str, str] | None, folder: Path,
    ranks: tuple[RankState, ...],
) -> tuple[str, str, str | None]:
    """(status, reason, signal) of an ended launch; `overdue`: status and reason where its time was over."""
    whole = _record_is_whole(folder / "record.jsonl", launch)
    # mpirun takes a while to leave: a signal that comes then stops nothing that was still being measured.
    if whole and (returncode == 0 or cause not in (None, "timeout")):
        return "done", "", None
    if overdue:
        waiting = None if ranks else slurm.still_waiting("\n".join(_tail(folder / "stderr")))
        return ("crashed", reason.not_begun(waiting), None) if waiting else (*overdue, None)
    if cause:
        return "interrupted", reason.interrupted(cause, ranks), None
    stdout, stderr = ("\n".join(_tail(folder / name)) for name in ("stdout", "stderr"))
    death = reason.read_death(f"{stderr}\n{stdout}", returncode)  # Hydra tells it on standard output
    sentence = reason.own_sentence(stderr)
    if death.code == reason.EXIT_REFUSED:
        return "refused", sentence or "the program refused its arguments", None
    if death.code == reason.EXIT_LACKING:
        return "lacking", sentence or "the program lacks something here", None
    refusal = slurm.not_started(stderr)
    why = f"srun did not start it: {refusal}" if refusal else reason.crashed(death, ranks, sentence)
    if _disk_full(folder):
        why += f"; the file system of {folder} is full: free some space or use --runs DIR"
    return "crashed", why, reason.signal_name(death.signal)


def last_lines(folder: Path) -> tuple[str, ...]:
    """The end of the launch's output: standard output, then standard error."""
    return tuple(deque(_tail(folder / "stdout") + _tail(folder / "stderr"), maxlen=LAST_LINES))


def _tail(path: Path) -> list[str]:
    try:
        with open(path, "rb", opener=no_link) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            return file.read().decode(errors="replace").splitlines()
    except OSError:
        return []


def _record_is_whole(path: Path, launch: str) -> bool:
    """Whether the record is of this launch and has its last line; its figures are not this module's business."""
    lines = _tail(path)
    try:
        with open(path, "rb", opener=no_link) as file:
            written_by = json.loads(file.readline(_TAIL_BYTES)).get("launch", "")
        return json.loads(lines[-1])["type"] == "end" and (not launch or written_by == launch)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _disk_full(folder: Path) -> bool:
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False


# Which ports of this node the processes of a launch hold open to others.

_LISTENS = "0A"  # state in /proc/net/tcp
# 127.*, ::1 and ::ffff:127.*, as the kernel prints them.
_LOOPBACK = re.compile(r"[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F")


def ports(pids: Iterable[int]) -> tuple[int, ...]:
    """TCP ports on which these processes listen on another address than the loopback, seen from our network namespace."""
    sockets = {inode for pid in pids for inode in _sockets(pid)}
    return tuple(sorted({port for inode, port in _open_ports() if inode in sockets}))


def _open_ports() -> list[tuple[str, int]]:
    """(inode, port) of every socket that listens to more than the loopback."""
    open_ports = []
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(name, encoding="ascii") as file:
                rows = [line.split() for line in file][1:]
        except OSError:
            continue
        for row in rows:
            address, _, port = row[1].partition(":")
            if row[3] == _LISTENS and not _LOOPBACK.fullmatch(address):
                open_ports.append((row[9], int(port, 16)))
    return open_ports


def _sockets(pid: int) -> list[str]:
    """Inodes of the sockets of a process; none where it is gone or not ours."""
    sockets = []
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            sockets += re.findall(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{name}"))
    except OSError:
        pass
    return sockets


# Observes a launch while it runs, and describes it when its time is over.

_STARVED = 0.5  # of the time: ranks that waited so long for processors that others used are not called hung
_ENOUGH = 0.5  # of the processor time that a launch is planned to need: who had so much and is not done is hung


class Progress:
    """The ranks of a launch, looked at from time to time."""

    def __init__(self, folder: Path, launch: str, watch_s: float) -> None:
        """`folder` of the launch, its id, and the seconds between two looks."""
        self._folder, self._launch, self._watch_s = folder, launch, watch_s
        self._pace, self._waiting = Pace(watch_s), Waiting(str(folder))

    def look(self, started: Callable[[], Iterable[int]] = tuple) -> tuple[RankState, ...]:
        """The states of the ranks; `started()` names processes of the launch as long as there are none."""
        ranks, now = read_pages(self._folder / "pages", self._launch), time.monotonic()
        self._waiting.look(now, [rank.pid for rank in ranks] or started())
        self._pace.see(now, ranks, self._waiting.seconds)
        return ranks

    @property
    def waited(self) -> float | None:
        """The part of the time that ranks waited for a processor; None where no rank was seen twice."""
        return self._waiting.share() if self._waiting.known else None

    def overdue(self, timeout_s: float, planned_s: float) -> tuple[str, str, float | None]:
        """Status and reason of a launch whose time is over, and of a starved launch the time that it needs.

        "hung" only where its ranks had processors and nothing advances. `planned_s`: its time-out on processors of its own.
        """
        ranks, pace, waiting = self.look(), self._pace, self._waiting
        now = time.monotonic()
        silent_s = pace.silent_s(now)
        still = stopped(ranks, str(self._folder)) if silent_s > self._watch_s else None
        if still:
            return "hung", reason.stopped(timeout_s, ranks, still), None
        share, by_others = waiting.share(), waiting.by_others()
        had_s = timeout_s * (1 - share)
        first = timeout_s <= planned_s  # it is started again with more time: then half of the planned time is enough
        if by_others and share >= _STARVED and (first or had_s < _ENOUGH * planned_s):
            needs_s = timeout_s * planned_s / max(had_s, 0.01 * timeout_s)
            return "starved", reason.without_processor(timeout_s, share, needs_s), round(needs_s, 1)
        load = reason.load(share, by_others)
        if pace.advances(now):
            return "slow", reason.slow(timeout_s, ranks, pace.seconds_each(), load), None
        if pace.starved(now, waiting.seconds):
            return "slow", reason.starved(timeout_s, ranks, silent_s, load), None
        return "hung", reason.hung(timeout_s, ranks, load), None
