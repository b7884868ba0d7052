"""What the tests of check programs as a whole share: `check_program.py PROGRAM MPIEXEC RANKS…` (tenken_program_test in cmake/).

A module with functions test_NAME(program: Program) ends with `run_all(globals())`; exit code 1 with the failures named.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
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
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=_no_huge_pages)
            most = 0.0
            while child.poll() is None:
                found = re.search(r"^VmHWM:\s*(\d+) kB$", Path(f"/proc/{child.pid}/status").read_text(), re.M)
                most = 1024.0 * int(found[1]) if found else most  # the newest: before it has started, it is this program's
                time.sleep(0.01)
            assert child.returncode == 0, f"{command}: exit code {child.returncode}"
            return most, [json.loads(line) for line in path.read_text().splitlines()]

    def proved(self, ranks: int, arguments: list[str]) -> Lines:
        """The record of a launch whose proofs all hold."""
        lines = self.record(ranks, arguments)
        assert not failed_proofs(lines), f"{ranks} ranks {arguments}: {failed_proofs(lines)}"
        return lines

    def refused(self, ranks: int, arguments: list[str], words: str, code: int = 3) -> None:
        """With one sentence of the program's, which holds the words."""
        done = self.start(ranks, arguments)
        said = [line for line in done.stderr.splitlines() if line.startswith(f"{Path(self.path).name}: ")]
        assert done.returncode == code, f"{arguments}: exit code {done.returncode}: {done.stderr}"
        assert len(said) == 1 and words in said[0], f"{arguments}: {done.stderr}"


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
