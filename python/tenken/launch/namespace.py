"""A network namespace with nothing but the loopback: its ports cannot be reached from outside.

Only the standard library, since the supervisor of a launch uses it; `os.unshare` came with Python 3.12.
"""

from __future__ import annotations

import ctypes
import os
import struct

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
