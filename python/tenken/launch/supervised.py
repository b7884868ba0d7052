"""A command that dies with Tenken: started through the supervisor, which outlives a kill of Tenken for as long as it takes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenken.launch import processes, scratch

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_SLOW_S = 10.0  # for a supervisor beyond the grace: a node that is full of work


class Supervised:
    """A command under its supervisor."""

    def __init__(
        self, command: Sequence[str], stdout: Any, stderr: Any, launch: str = "", isolated: bool = False,
        holding: Sequence[int] = (), scratch_folders: bool = False, variables: dict[str, str] | None = None,
    ) -> None:
        """Start `command`. `launch`: the id whose scratch folders go with it. `isolated`: in a network namespace, where
        permitted. `holding`: descriptors (locks) that stay open as long as anything of the command runs. `scratch_folders`:
        make those of the launch.
        """
        self._launch = launch
        self._returncode: int | None = None
        self.isolated: bool | None = None  # None until it is known
        self._answer = b""
        self._control, theirs = socket.socketpair()
        words = [launch, str(processes.GRACE_S), str(int(isolated)), str(int(scratch_folders)), ",".join(map(str, holding))]
        own = {processes.VARIABLE: launch} if launch else {}
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", str(_SUPERVISOR), *words, *command], stdin=theirs.fileno(), stdout=stdout,
                stderr=stderr, start_new_session=True, pass_fds=holding, env={**os.environ, **own, **(variables or {})},
            )
        self._control.setblocking(False)
        self._watch = processes.Watch(self.process.pid)

    def wait(self, seconds: float) -> int | None:
        """The command's exit code (negative: the signal), or None where it still runs after `seconds` or a signal came."""
        if self._returncode is None:
            if self.process.poll() is None:
                self._watch.wait(seconds)
            self._finish() if self.process.poll() is not None else self._hear()
        return self._returncode

    def end(self) -> None:
        """End the command and all that it started."""
        self._control.shutdown(socket.SHUT_WR)
        deadline = time.monotonic() + processes.GRACE_S + _SLOW_S
        while self.wait(deadline - time.monotonic()) is None and time.monotonic() < deadline:
            pass
        if self._returncode is None:
            self.process.kill()
            self.process.wait()
            self._finish()

    def close(self) -> None:
        self._watch.close()
        self._control.close()

    def _hear(self) -> None:
        """The supervisor's answer: whether the command is isolated, then its exit code."""
        try:
            while part := self._control.recv(64):
                self._answer += part
        except (BlockingIOError, ConnectionError):
            pass
        lines = self._answer.split(b"\n")[:-1]
        if lines:
            self.isolated = lines[0] == b"alone"

    def _finish(self) -> None:
        """The supervisor has ended: its answer on the command, or, where it was killed, the work left to it."""
        self._hear()
        lines = self._answer.split(b"\n")[:-1]
        if len(lines) > 1:
            self._returncode = int(lines[1])
        else:
            processes.end_all(lambda: processes.of_launch(self._launch))
            scratch.remove(self._launch)
            self._returncode = self.process.returncode or -9
