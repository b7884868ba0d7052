"""Which ports of this node the processes of a launch hold open to others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

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
