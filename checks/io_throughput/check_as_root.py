"""What only root can plant: a small disk on a loop device, a memory limit. `check_as_root.py PROGRAM MPIEXEC RANKS…`.

Exit code 77 says that this machine does not permit it. All files lie in temporary folders.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from check_program import paths, row, state
from loop_disk import NotPermittedError, loop_disk, run_as_root
from programs import Program, failed_proofs, values

MIB = 1 << 20
LIMIT = 256 * MIB
PATIENCE_S = 60
SMALL = ["--bytes", "4MiB", "--transfer", "64KiB", "--floor", "1", "--repetitions", "2"]
LONG = ["--bytes", "4MiB", "--transfer", "64KiB", "--floor", "1", "--repetitions", "100000"]


@contextlib.contextmanager
def memory_limit() -> Iterator[Path]:
    """A control group of 256 MiB, below the group of this process; version 1 or 2."""
    groups = dict((line.split(":")[1], line.split(":", 2)[2]) for line in Path("/proc/self/cgroup").read_text().splitlines())
    first = "memory" in groups
    own = groups["memory"] if first else groups.get("", "/")
    parent = Path("/sys/fs/cgroup/memory" if first else "/sys/fs/cgroup") / own.lstrip("/")
    group = parent / f"tenken-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / ("memory.limit_in_bytes" if first else "memory.max")).write_text(str(LIMIT))
    except OSError as error:
        if group.exists():
            group.rmdir()
        raise NotPermittedError(f"no group with a memory limit: {error}") from None
    try:
        yield group
    finally:
        end = time.monotonic() + PATIENCE_S
        while group.exists():  # helpers of MPI end a little later than its program
            try:
                group.rmdir()
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)


def test_a_loop_device_is_no_disk(program: Program) -> None:
    """Its file lies in the page cache of the node, although the kernel counts bytes from a device."""
    with loop_disk() as at:
        for cache in ("dropped", "direct"):
            lines = program.proved(program.counts[1], ["--root", str(at), *SMALL, "--cache", cache])
            assert state(lines) == "unknown" and "ext4 on loop" in row(lines), row(lines)


def test_a_small_disk_is_refused_before_the_first_byte(program: Program) -> None:
    with loop_disk() as at:
        before = os.statvfs(at).f_bfree
        for words, sentence in ((["--bytes", "64MiB", "--floor", "1"], "choose fewer bytes or a smaller --floor"),
                                (["--bytes", "1MiB"], "of which 2 GiB stay free, and the case writes")):
            program.refused(1, ["--root", str(at), *words], sentence, code=4)
        assert os.statvfs(at).f_bfree == before
        subprocess.run(["mount", "-o", "remount,ro", str(at)], check=True)
        program.refused(1, ["--root", str(at), *SMALL], "Read-only file system")


def test_a_disk_that_is_full_while_ranks_write_is_named(program: Program) -> None:
    """Other files take the space that the first pass had."""
    with loop_disk() as at:
        command = [program.path, "--root", str(at), *LONG]
        launch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE_S
        while not any(at.glob("tenken-*/*/data.0")) and launch.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        with (at / "other").open("wb") as other:
            while launch.poll() is None and time.monotonic() < end:
                with contextlib.suppress(OSError):
                    other.write(b"x" * MIB)
                    other.flush()
        launch.kill()
        message = launch.communicate()[1]
        assert launch.returncode == 4, f"exit code {launch.returncode}: {message}"
        assert all(part in message for part in ("rank 0 on ", ", file data.0, offset ", "No space left on device")), message
        assert sorted(os.listdir(at)) == ["lost+found", "other"], os.listdir(at)


def test_a_disk_without_inodes(program: Program) -> None:
    with loop_disk("-N", "16") as at:
        with contextlib.suppress(OSError):
            for number in range(64):
                (at / f"other{number}").touch()
        (at / "other0").unlink()
        program.refused(1, ["--root", str(at), *SMALL], "No space left on device", code=4)
        assert not [name for name in os.listdir(at) if name.startswith("tenken")], os.listdir(at)


def test_files_that_outgrow_the_memory_of_a_control_group(program: Program) -> None:
    with memory_limit() as group, tempfile.TemporaryDirectory(prefix="tenken-test-") as root:
        enter = f'echo $$ > {group}/cgroup.procs && exec "$@"'
        for size, code in (("300MiB", 3), ("400MiB", 0)):
            record = Path(root) / "record.jsonl"
            words = [program.path, "--root", root, "--bytes", size, "--cache", "outgrown", "--floor", "1", "--repetitions", "1"]
            done = subprocess.run(["sh", "-c", enter, "sh", *words, "--record", str(record)], capture_output=True, text=True,
                                  timeout=300, check=False)
            assert done.returncode == code, f"{size}: exit code {done.returncode}: {done.stderr}"
            if code != 0:
                assert "384 MiB a rank" in done.stderr, done.stderr
                continue
            lines = [json.loads(line) for line in record.read_text().splitlines()]
            assert not failed_proofs(lines), failed_proofs(lines)
            syncs = [sum(line["calls"]) for line in lines if line["type"] == "series" and paths(lines)[line["section"]] == "sync"]
            assert syncs and syncs[0] > 1, "one sync, expected a sync after each part"
            if "lies in memory" in row(lines) or state(lines) == "unknown":
                continue  # temporary files of this node lie in memory or on a network
            assert state(lines) == "outgrown" and values(lines)["from_device_share"] > 0.9, row(lines)


if __name__ == "__main__":
    run_as_root(globals(), memory_limit)
