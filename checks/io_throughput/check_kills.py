"""kill -9 of the program, of a rank and of the launcher: the next start leaves no file of ours and every other file."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from programs import SANITIZED, Program

LONG = ["--bytes", "4MiB", "--transfer", "64KiB", "--floor", "1", "--repetitions", "100000"]
SHORT = ["--bytes", "64KiB", "--transfer", "64KiB", "--floor", "1", "--repetitions", "1"]
MOMENTS = 3 if SANITIZED else 10
PATIENCE_S = 60


def processes_below(of: int) -> list[int]:
    """Children and their children: with MPICH a helper stands between launcher and ranks."""
    children = [int(pid) for task in Path(f"/proc/{of}/task").iterdir() for pid in (task / "children").read_text().split()]
    return [*children, *(pid for child in children for pid in processes_below(child))]


def a_rank(launch: subprocess.Popen[bytes], path: str) -> int:
    program = Path(path).resolve()
    return next(pid for pid in processes_below(launch.pid) if Path(f"/proc/{pid}/exe").resolve() == program)


def start(program: Program, ranks: int, root: Path) -> subprocess.Popen[bytes]:
    """A launch that has begun to write below `root`, in a new process group."""
    command = [*([program.mpiexec, "-n", str(ranks)] if ranks > 1 else []), program.path, "--root", str(root), *LONG]
    launch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + PATIENCE_S
    while not any(root.glob("tenken-*/*/data*")):
        assert launch.poll() is None and time.monotonic() < end, "the launch did not begin to write"
        time.sleep(0.002)
    return launch


def kill(launch: subprocess.Popen[bytes], whom: str, path: str) -> None:
    """`path`: the program of a rank."""
    if whom == "rank":
        os.kill(a_rank(launch, path), signal.SIGKILL)
    else:
        launch.kill()
    launch.wait(PATIENCE_S)


def written(root: Path, name: str) -> bytes:
    """A MiB or more that a living launch wrote into a file of this name."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        for path in root.glob(f"tenken-*/*/{name}"):
            with contextlib.suppress(FileNotFoundError):  # the next pass writes a new file
                data = path.read_bytes()
                if len(data) >= 1 << 20:
                    return data[:len(data) // 4096 * 4096]
        time.sleep(0.002)
    raise AssertionError(f"no file {name} with a MiB")


def ours(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.glob("tenken-*/*+*"))


def kills_leave_nothing(program: Program) -> None:
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        root, outside = Path(folder) / "root", Path(folder) / "outside"
        own = root / f"tenken-{os.geteuid()}"
        for path in (outside, own / "notes"):
            path.mkdir(parents=True)
            (path / "precious").write_text("not of a launch")
        own.chmod(0o700)
        (root / "theirs").symlink_to(outside)
        kept = [outside / "precious", own / "notes/precious", root / "theirs/precious"]
        for moment in range(MOMENTS):
            ranks, whom = (1, "program") if moment % 5 else (2, ("rank", "launcher")[moment // 5 % 2])
            launch = start(program, ranks, root)
            time.sleep(0.007 * moment)
            left = next(own.glob("*+*/data*"), None)
            if left is not None:  # a link out of a folder that is removed
                (left.parent / "out").symlink_to(outside)
            kill(launch, whom, program.path)
            end = time.monotonic() + PATIENCE_S  # ranks of a dead launcher end a little later
            while True:
                done = program.start(1, ["--root", str(root), *SHORT])
                assert done.returncode == 0, f"after a kill of the {whom}: {done.stderr}"
                if not ours(root):
                    break
                assert time.monotonic() < end, f"after a kill of the {whom}: {ours(root)} are left"
                time.sleep(0.2)
            assert all(path.read_text() == "not of a launch" for path in kept), f"after a kill of the {whom}"
