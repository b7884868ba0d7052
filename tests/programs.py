"""What the tests of check programs as a whole share: `check_program.py PROGRAM MPIEXEC RANKS…` (tenken_program_test in cmake/).

A module with functions test_NAME(program: Program) ends with `run_all(globals())`; exit code 1 with the failures named.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SANITIZED = "TENKEN_SANITIZED" in os.environ  # twenty times slower
Lines = list[dict[str, Any]]


@dataclass(frozen=True)
class Program:
    path: str
    mpiexec: str
    counts: tuple[int, ...]  # of ranks that may be started
    timeout_s: float = 600
    name: str = ""  # before its sentences; "": as its file is called

    def on_host(self) -> Program:
        """The program of variant cuda with its kernels in loops on the host, beside this program."""
        path = Path(self.path)
        return replace(self, path=str(path.with_name(f"{path.name}_cuda_on_host")), name=path.name)

    def start(self, ranks: int, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        command = [*([self.mpiexec, "-n", str(ranks)] if ranks > 1 else []), self.path, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=self.timeout_s, check=False)

    def record(self, ranks: int, arguments: list[str]) -> Lines:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            done = self.start(ranks, ["--repetitions", "3", "--record", str(path), *arguments])
            assert done.returncode == 0, f"{ranks} ranks {arguments}: exit code {done.returncode}: {done.stderr}"
            return [json.loads(line) for line in path.read_text().splitlines()]

    def peak(self, arguments: list[str]) -> tuple[float, Lines]:
        """Most bytes that one process alone had resident, without huge pages, which round them up; and its record."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            command = [self.path, "--repetitions", "2", "--record", str(path), *arguments]
            done = subprocess.run([sys.executable, "-I", "-S", "-c", _PEAK, *command], stdout=subprocess.PIPE, text=True, check=False,
                                  timeout=self.timeout_s, preexec_fn=_no_huge_pages)
            assert done.returncode == 0, f"{command}: exit code {done.returncode}"
            return 1024.0 * int(done.stdout), [json.loads(line) for line in path.read_text().splitlines()]

    def proved(self, ranks: int, arguments: list[str]) -> Lines:
        """The record of a launch whose proofs all hold."""
        lines = self.record(ranks, arguments)
        assert not failed_proofs(lines), f"{ranks} ranks {arguments}: {failed_proofs(lines)}"
        return lines

    def refused(self, ranks: int, arguments: list[str], words: str, code: int = 3) -> None:
        """With one sentence of the program's, which holds the words."""
        done = self.start(ranks, arguments)
        sentences = [line for line in done.stderr.splitlines() if line.startswith(f"{self.name or Path(self.path).name}: ")]
        assert done.returncode == code, f"{arguments}: exit code {done.returncode}: {done.stderr}"
        assert len(sentences) == 1 and words in sentences[0], f"{arguments}: {done.stderr}"


# The kernel's own count at the end of the child. Its start counts too, with the memory of who starts it: a small interpreter,
# below what any program with MPI has.
_PEAK = """
import os, sys
words = sys.argv[1:]
child = os.posix_spawnp(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


def _no_huge_pages() -> None:
    ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE


def values(lines: Lines) -> dict[str, float]:
    return {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}


def failed_proofs(lines: Lines) -> set[str]:
    failed = set()
    for line in (line for line in lines if line["type"] == "validity"):
        value, expected, limit = float(line["value"]), float(line["expected"]), float(line["limit"])
        if not (value if line["mode"] == "max" else abs(value - expected)) <= limit:
            failed.add(line["name"])
    return failed


def table(lines: Lines, name: str) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == "table" and line["name"] == name)


def run_all(functions: Mapping[str, Any], prefix: str = "test_", timeout_s: float = 600) -> None:
    """All functions whose names begin so, of a module; ends the process."""
    path, mpiexec, *counts = (argument for argument in sys.argv[1:] if not argument.startswith("--"))
    program = Program(path, mpiexec, tuple(int(n) for n in counts), timeout_s)
    os.environ["OMP_NUM_THREADS"] = "1"
    tests = [test for name, test in functions.items() if name.startswith(prefix)]
    failures = 0
    for test in tests:
        try:
            test(program)
        except AssertionError as error:
            failures += 1
            print(f"FAILED {test.__name__}: {error}")
    print(f"{len(tests) - failures} passed, {failures} failed, 0 skipped")
    sys.exit(1 if failures or not tests else 0)
