"""A small disk on a loop device, which only root can plant: `check_as_root.py PROGRAM MPIEXEC RANKS…`.

Exit code 77 says that this machine does not permit it. All files lie in temporary folders.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import time
from pathlib import Path

from check_program import SMALL, row
from loop_disk import loop_disk, run_as_root
from programs import Program, values

PATIENCE_S = 60


def test_a_disk_that_holds_half_of_the_files_is_refused_before_the_first_file(program: Program) -> None:
    with loop_disk("-N", "128") as at, tempfile.TemporaryDirectory(prefix="tenken-test-") as local:
        before = os.statvfs(at)
        for words, sentence in (
            (["--variant", "checkpoint", "--bytes", "32MiB"], "choose fewer bytes or a smaller --floor"),
            (["--variant", "stage_out", "--bytes", "32MiB"], "choose fewer bytes or a smaller --floor"),
            (["--small", "60", "--depth", "2", "--large", "1", "--large_bytes", "64KiB"], "more files (inodes)"),
        ):
            program.refused(1, ["--root", str(at), "--floor", "1", *words], sentence, code=4)
        # With a local root in another file system the tree fits.
        lines = program.proved(2, ["--root", str(at), "--local", local, *SMALL, "--small", "60"])
        after = os.statvfs(at)
        assert (after.f_bfree, after.f_ffree) == (before.f_bfree, before.f_ffree)
        assert "from ext4 on loop" in row(lines) and values(lines)["cache_state"] == 6, row(lines)
        assert os.listdir(at) == ["lost+found"] and not os.listdir(local), os.listdir(at)


def test_a_disk_that_is_full_while_a_state_is_written_is_named(program: Program) -> None:
    with loop_disk() as at:
        command = [program.path, "--root", str(at), "--floor", "1", "--variant", "checkpoint", "--bytes", "16MiB", "--repetitions", "1000000"]
        launch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE_S
        while not any(at.glob("tenken-*/*/state.0*")) and launch.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        with (at / "other").open("wb") as other:
            while launch.poll() is None and time.monotonic() < end:
                with contextlib.suppress(OSError):
                    other.write(b"x" * (1 << 20))
                    other.flush()
        launch.kill()
        message = launch.communicate()[1]
        assert launch.returncode == 4, f"exit code {launch.returncode}: {message}"
        assert all(part in message for part in ("rank 0 on ", ", file state.0.new: ", "No space left on device")), message
        assert sorted(os.listdir(at)) == ["lost+found", "other"], os.listdir(at)


def test_a_root_that_becomes_read_only_is_refused(program: Program) -> None:
    with loop_disk() as at:
        subprocess.run(["mount", "-o", "remount,ro", str(at)], check=True)
        program.refused(1, ["--root", str(at), *SMALL], "Read-only file system")
        with tempfile.TemporaryDirectory(prefix="tenken-test-") as root:
            program.refused(1, ["--root", root, "--local", str(at), *SMALL], "Read-only file system")
            assert not os.listdir(root), os.listdir(Path(root))


if __name__ == "__main__":
    run_as_root(globals())
