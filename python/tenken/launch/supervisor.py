"""Stands between Tenken and a command: it ends the command and all that it started when Tenken is gone, however it went.

Started by `supervised.Supervised` as `python -I -S supervisor.py LAUNCH GRACE ISOLATED FOLDERS HELD COMMAND...` with an end of a
socket as standard input. When the other end is closed, by Tenken or by its death, the command is ended: SIGTERM, then
SIGKILL for all. It holds the descriptors HELD (locks) until nothing runs any more. Last it tells `ISOLATED CODE` through
the socket and removes the files of the launch, with the scratch folders that it made. Only the standard library; it waits
without using a processor.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tenken.launch import priority, processes, scratch  # noqa: E402

_CONTROL = 0
_ALONE, _OPEN, _BROKEN = b"a", b"o", b"b"
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36  # prctl
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)  # the end comes by the socket alone


def main(words: list[str]) -> None:
    launch, grace, isolated, folders, locks, *command = words
    for descriptor in filter(None, locks.split(",")):
        os.set_inheritable(int(descriptor), False)
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)  # whoever leaves the family comes back to us
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    if folders == "1":
        try:
            scratch.make(launch)
        except OSError as error:
            command = ["sh", "-c", 'echo "$0" >&2; exit 1', f"cannot make the folder {error.filename}: {error.strerror}"]
    child, alone = _start(command, isolated == "1")
    if not child:  # a namespace was made, but its loopback stayed down
        child, alone = _start(command, False)
    _tell("alone" if alone else "open")
    code = _wait(child, float(grace))
    processes.end_all(lambda: processes.below(os.getpid()))
    _bury()
    scratch.remove(launch)
    _tell(str(code))


def _start(command: list[str], isolated: bool) -> tuple[int, bool]:
    """The process of the command, 0 where it could not be started so, and whether it is in a namespace of its own."""
    parent = os.getpid()
    reader, writer = os.pipe()
    child = os.fork()
    if child != 0:
        os.close(writer)
        word = os.read(reader, 1)
        os.close(reader)
        if word == _BROKEN:
            os.waitpid(child, 0)
        return (0 if word == _BROKEN else child), word == _ALONE
    try:
        os.setsid()
        priority.keep(priority.own())  # a session of its own begins with nice 0; cli/here.py says where that stays so
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        word = _enter() if isolated else _OPEN
        os.write(writer, word)
        if word == _BROKEN:
            os._exit(1)
        for number in _IGNORED:
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, _CONTROL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _enter() -> bytes:
    try:
        return _ALONE if enter() else _OPEN
    except OSError:
        return _BROKEN


def _wait(child: int, grace: float) -> int:
    """Exit code of `child`, negative for a signal; ended where the socket asks for it."""
    watch = processes.Watch(child)
    deadline = None
    try:
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            if deadline is None:
                watch.wait(3600, _CONTROL)
                if _asked():
                    deadline = time.monotonic() + grace
                    processes.signal_group(child, signal.SIGTERM)
                    processes.signal_group(child, signal.SIGCONT)
            elif time.monotonic() < deadline:
                watch.wait(deadline - time.monotonic())
            else:
                processes.end_all(lambda: processes.below(os.getpid()))
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        watch.close()


def _tell(word: str) -> None:
    """Nobody listens any more where Tenken is gone: there is still to be tidied up."""
    try:
        os.write(_CONTROL, f"{word}\n".encode())
    except OSError:
        pass


def _bury() -> None:
    """Take the dead that came back to us, so that none stays in the table of processes where nobody else does."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _asked() -> bool:
    """Whether the other end of the socket is closed."""
    try:
        os.set_blocking(_CONTROL, False)
        return os.read(_CONTROL, 1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        os.set_blocking(_CONTROL, True)


# A network namespace with nothing but the loopback: its ports cannot be reached from outside.
# Only the standard library, since the supervisor of a launch uses it; `os.unshare` came with Python 3.12.

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_INTERNET, _DATAGRAM = 2, 2
_SET_FLAGS, _UP = 0x8914, 0x1  # SIOCSIFFLAGS, IFF_UP


def enter() -> bool:
    """Move this process (a single thread) into a new network namespace; False, and nothing changed, where it may not.

    Root may, outside of most containers; others where user namespaces are permitted.
    OSError where the namespace was made but its loopback could not be brought up: the process is then of no use.
    """
    user, group = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NET) != 0:
        if libc.unshare(_NEW_USER | _NEW_NET) != 0:
            return False
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    descriptor = libc.socket(_INTERNET, _DATAGRAM, 0)
    _require(min(descriptor, 0))
    try:
        _require(libc.ioctl(descriptor, ctypes.c_ulong(_SET_FLAGS), struct.pack("16sH22x", b"lo", _UP)))
    finally:
        os.close(descriptor)
    return True


def _require(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
