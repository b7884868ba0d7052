"""The supervisor by itself."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from tenken.launch import processes, scratch


def test_a_supervisor_whose_tenken_was_gone_before_its_first_word_still_tidies_up(tmp_path: Path) -> None:
    launch = f"gone{os.getpid():x}"
    folders = [Path(tempfile.gettempdir(), f"tenken-{launch}"), Path("/dev/shm", f"tenken-{launch}")]
    scratch.make(launch)
    ours, theirs = socket.socketpair()
    ours.close()
    supervisor = Path(processes.__file__).with_name("supervisor.py")
    command = [sys.executable, "-I", "-S", "-B", str(supervisor), launch, "0.2", "0", ""]
    done = subprocess.run(
        [*command, "sleep", "60"], stdin=theirs.fileno(), capture_output=True, text=True, timeout=30, check=False
    )
    theirs.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert not any(folder.exists() for folder in folders)
