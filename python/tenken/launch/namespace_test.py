from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parents[2]
INSIDE = """
import os, socket, sys
sys.path.insert(0, sys.argv[1])
from tenken.launch import supervisor
if not supervisor.enter():
    sys.exit(9)
listening = socket.create_server(("127.0.0.1", 0))
print(*sorted(name for _, name in socket.if_nameindex()), os.geteuid(), os.getegid())
socket.create_connection(listening.getsockname(), 5)
try:
    socket.create_connection(("192.0.2.1", 9), 5)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.parametrize("user", [None, 65534])
def test_inside_there_is_the_loopback_and_nothing_else(user: int | None) -> None:
    if user is not None and os.geteuid() != 0:
        pytest.skip("only root becomes another user")
    words = [sys.executable, "-I", "-c", INSIDE, str(PYTHON)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, user=user, group=user)
    except PermissionError:
        pytest.skip("this Python lies where another user may not start it")
    if user is not None and "No module named 'tenken'" in done.stderr:
        pytest.skip("this tree lies where another user may not read it")
    if done.returncode == 9:
        pytest.skip("namespaces are not permitted here")
    who = os.geteuid() if user is None else user
    group = os.getegid() if user is None else user
    lines = done.stdout.splitlines()
    assert lines and "lo" in lines[0].split() and lines[0].split()[-2:] == [str(who), str(group)], done.stderr
    assert lines[1] == "Network is unreachable"
