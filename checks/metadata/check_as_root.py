"""A small disk with few inodes on a loop device, which only root can plant: `check_as_root.py PROGRAM MPIEXEC RANKS…`.

Exit code 77 says that this machine does not permit it. All files lie in temporary folders.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from check_program import row
from programs import Program, run_all, table
from two_nodes import SKIPPED

DISK, INODES = 64 << 20, 512
PATIENCE_S = 60


class NotPermittedError(Exception):
    """Why this machine does not permit the test: a sentence."""


@contextlib.contextmanager
def disk() -> Iterator[Path]:
    """A file system ext4 of 64 MiB and 512 inodes on a loop device."""
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as name:
        image, at = Path(name) / "image", Path(name) / "disk"
        at.mkdir()
        with image.open("wb") as file:
            file.truncate(DISK)
        for words in (["mkfs.ext4", "-q", "-F", "-m", "0", "-N", str(INODES), str(image)], ["mount", "-o", "loop", str(image), str(at)]):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise NotPermittedError(f"{' '.join(words)}: {done.stderr.strip() or 'refused'}")
        try:
            yield at
        finally:
            subprocess.run(["umount", "--lazy", str(at)], check=False)


def test_files_that_exceed_the_inodes_are_refused_before_the_first_file(program: Program) -> None:
    with disk() as at:
        before = os.statvfs(at).f_favail
        program.refused(1, ["--root", str(at), "--floor", "1", "--files", str(before)], "more files (inodes), of which 10 % stay free", code=4)
        assert os.statvfs(at).f_favail == before
        lines = program.proved(2, ["--root", str(at), "--floor", "1", "--files", "100", "--bytes", "3901"])
        assert row(lines).startswith("ext4 on loop") and table(lines, "entries")["values"] == [[200]]
        assert os.statvfs(at).f_favail == before and os.listdir(at) == ["lost+found"], os.listdir(at)


def test_inodes_that_other_files_take_meanwhile_are_named(program: Program) -> None:
    with disk() as at:
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


def main() -> None:
    if os.geteuid() != 0:
        print("skipped: a loop device needs root")
        sys.exit(SKIPPED)
    try:
        with disk():
            pass
    except (NotPermittedError, FileNotFoundError) as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
    run_all(globals())


if __name__ == "__main__":
    main()
