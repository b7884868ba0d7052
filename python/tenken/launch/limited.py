"""Does work in a child process that ends by a given time, with all that it started, whatever it waits for."""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

from tenken.base.errors import TenkenError
from tenken.launch import processes

STARTED = "TENKEN_STARTED"  # set by the bootstrap: seconds since boot when it began
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36  # prctl
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_IMPORTED = time.clock_gettime(time.CLOCK_BOOTTIME)


def began() -> float:
    """When this command began, on the clock of `now`: at the first line of the bootstrap, else at this import."""
    try:
        start = float(os.environ.pop(STARTED, "nan"))
    except ValueError:
        return _IMPORTED
    return start if 0 <= start <= _IMPORTED else _IMPORTED


def now() -> float:
    """Seconds since boot, suspended ones included, as in /proc/uptime."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class Ended:
    """How the work ended. `answer` is None where it did not end by itself."""

    answer: Any
    step: str  # the last step that the work named
    cause: str  # "" | "time" | name of the signal that asked for an end | "error: SENTENCE"


class _Heard:
    """The signal that asked for an end, and a pipe that wakes who waits for it."""

    def __init__(self) -> None:
        self.name = ""
        self.descriptor, self._wake = os.pipe()
        os.set_blocking(self._wake, False)

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        self.name = "Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name
        os.write(self._wake, b"!")

    def close(self) -> None:
        os.close(self.descriptor)
        os.close(self._wake)


def end_by(deadline: float, work: Callable[[Callable[[str], None]], Any], say: Callable[[Ended], None]) -> Ended:
    """Do `work` in a child until it answers, `deadline` (on the clock of `now`) has come, or a signal asks for an end.

    `work` names its steps by the function that it is given, and returns data for JSON. `say` is called as soon as
    the end is known; then all that the child started is ended. A child whose parent is killed gets SIGTERM.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent, heard = os.getpid(), _Heard()
    before = {number: handler for number in _SIGNALS if (handler := signal.getsignal(number)) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, heard)
    try:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            _work(parent, write, work)
        os.close(write)
        priority = os.getpriority(os.PRIO_PROCESS, 0)
        _go_first()
        text, cause = _read(read, deadline, heard)
        os.close(read)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        heard.close()
    ended = _ended(text, cause)
    say(ended)
    _end(child)
    os.setpriority(os.PRIO_PROCESS, 0, priority)
    return ended


def _go_first() -> None:
    """Where it is permitted: this process sleeps, and must end the others in time when all processors are busy."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    except OSError:
        pass


def _read(descriptor: int, deadline: float, heard: _Heard) -> tuple[bytes, str]:
    """The output of the child until it closed its end, and why the reading ended: "", "time" or a signal."""
    text = b""
    while (left := deadline - now()) > 0 and not heard.name:
        if descriptor in select.select([descriptor, heard.descriptor], [], [], left)[0]:
            part = os.read(descriptor, 65536)
            if not part:
                return text, heard.name
            text += part
    return text, heard.name or "time"


def _ended(text: bytes, cause: str) -> Ended:
    lines = [json.loads(line) for line in text.split(b"\n")[:-1]]
    step = next((line["step"] for line in reversed(lines) if "step" in line), "")
    last = lines[-1] if lines else {}
    if "answer" in last:
        return Ended(last["answer"], step, "")
    if "error" in last:
        return Ended(None, step, f"error: {last['error']}")
    return Ended(None, step, cause or "error: the process of the measurement was ended from outside")


def _work(parent: int, descriptor: int, work: Callable[[Callable[[str], None]], Any]) -> NoReturn:
    def tell(key: str, value: object) -> None:
        try:
            os.write(descriptor, json.dumps({key: value}).encode() + b"\n")
        except BrokenPipeError:  # nobody reads any more: only tidying up remains
            pass

    try:
        for number in _SIGNALS:
            signal.signal(number, lambda *_: sys.exit(1))
        os.setpgid(0, 0)  # Ctrl-C is for the parent; no new session, which would have a priority of its own
        library = ctypes.CDLL(None)
        library.prctl(_SET_SUBREAPER, 1, 0, 0, 0)  # so that all that it started stays below it
        library.prctl(_SET_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() == parent:
            tell("answer", work(lambda step: tell("step", step)))
    except SystemExit:
        pass
    except TenkenError as error:
        tell("error", str(error))
    except OSError as error:
        trouble = f"cannot use {error.filename}" if error.filename else "cannot go on"
        tell("error", f"{trouble}: {error.strerror or error}")
    except BaseException as error:  # noqa: BLE001  # the last resort: a sentence
        tell("error", f"internal error: {type(error).__name__}: {error}")
    finally:
        os._exit(0)


def _end(child: int) -> None:
    """End the child and all below it. It stands still meanwhile, and orphans come to it, so that nobody escapes."""
    ended, _ = os.waitpid(child, os.WNOHANG)
    if ended:
        return
    os.kill(child, signal.SIGSTOP)
    processes.end_all(lambda: processes.below(child))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
