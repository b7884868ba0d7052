"""A small disk with few inodes on a loop device, which only root can plant: `check_as_root.py PROGRAM MPIEXEC RANKS…`.

Exit code 77 says that this machine does not permit it. All files lie in temporary folders.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time

from check_program import row
from loop_disk import loop_disk, run_as_root
from programs import Program, table

INODES = 512
PATIENCE_S = 60


def test_files_that_exceed_the_inodes_are_refused_before_the_first_file(program: Program) -> None:
    with loop_disk("-N", str(INODES)) as at:
        before = os.statvfs(at).f_favail
        program.refused(1, ["--root", str(at), "--floor", "1", "--files", str(before)], "more files (inodes), of which 10 % stay free", code=4)
        assert os.statvfs(at).f_favail == before
        lines = program.proved(2, ["--root", str(at), "--floor", "1", "--files", "100", "--bytes", "3901"])
        assert row(lines).startswith("ext4 on loop") and table(lines, "entries")["values"] == [[200]]
        assert os.statvfs(at).f_favail == before and os.listdir(at) == ["lost+found"], os.listdir(at)


def test_inodes_that_other_files_take_meanwhile_are_named(program: Program) -> None:
    with loop_disk("-N", str(INODES)) as at:
        command = [program.path, "--root", str(at), "--floor", "1", "--files", "300", "--repetitions", "1000000"]
        launch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end, number = time.monotonic() + PATIENCE_S, 0
        while not any(at.glob("tenken-*/*/t/f.0.*")) and launch.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        while launch.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError):
                (at / f"other{number}").touch()
                number += 1
        launch.kill()
        message = launch.communicate()[1]
        assert launch.returncode == 4, f"exit code {launch.returncode}: {message}"
        assert "rank 0 on " in message and "No space left on device" in message, message
        assert not [name for name in os.listdir(at) if name.startswith("tenken")], os.listdir(at)


if __name__ == "__main__":
    run_as_root(globals())
