"""The program as a whole: the same current on any ranks and threads, planted faults found, refusals in one sentence.

    check_program.py PROGRAM MPIEXEC RANKS…
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SMALL = ("--grid", "8,8,8", "--kpoints", "2,2,2", "--ground_state", "1e-9", "--steps", "6", "--pulse_length", "0.0058")
REFUSED = 3


def started(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)


class Program:
    def __init__(self, program: str, mpiexec: str) -> None:
        self.program = program
        self.mpiexec = mpiexec

    def record(self, ranks: int, *arguments: str) -> list[dict]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            launcher = (self.mpiexec, "-n", str(ranks)) if ranks > 1 else ()  # costs half a second
            done = started(*launcher, self.program, *SMALL, *arguments, "--record", str(path))
            assert done.returncode == 0, done.stderr
            return [json.loads(line) for line in path.read_text().splitlines()]

    def refusal(self, *arguments: str) -> str:
        done = started(self.program, *SMALL, *arguments)
        assert done.returncode == REFUSED, f"{arguments} ended with {done.returncode}: {done.stderr}"
        return done.stderr


def broken(record: list[dict]) -> set[str]:
    return {line["name"] for line in record if line["type"] == "validity" and not float(line["value"]) <= line["limit"]}


def last_current(record: list[dict]) -> float:
    return next(line["values"][-1][-1] for line in record if line["type"] == "table")


def energy(record: list[dict]) -> float:
    return next(line["value"] for line in record if line["type"] == "value" and line["name"] == "energy")


def main() -> int:
    program = Program(*sys.argv[1:3])
    alone = program.record(1, "--threads", "1")
    assert not broken(alone), broken(alone)
    paths = {section["path"] for section in alone[0]["sections"]}
    assert {f"step/{part}" for part in
            ("stencil", "nonlocal", "update", "density", "current", "hartree", "xc", "allreduce")} <= paths
    for ranks in map(int, sys.argv[3:]):
        for threads in ("2",) if "TENKEN_SANITIZED" in os.environ else ("1", "2"):  # twenty times slower
            other = program.record(ranks, "--threads", threads)
            assert not broken(other), broken(other)
            assert abs(last_current(other) - last_current(alone)) < 1e-11, (ranks, threads)
            assert abs(energy(other) - energy(alone)) < 1e-11 * abs(energy(alone)), (ranks, threads)
    faults = {"gradient_sign": "hamiltonian", "missing_phase": "hamiltonian", "stale_current": "current",
              "unsymmetric_density": "density"}
    for fault, proof in faults.items():
        found = broken(program.record(1, "--threads", "1", "--reduction", "4", "--fault", fault))
        assert proof in found, f"{fault} was not found: {found}"
    for arguments, word in (
            (("--dt", "5"), "dt"), (("--pulse_length", "10"), "pulse"), (("--reduction", "4", "--axis", "x"), "axis"),
            (("--grid", "2,8,8"), "grid"), (("--reduction", "3"), "3")):
        said = program.refusal(*arguments)
        assert word in said and "Traceback" not in said and "terminate called" not in said, said
    return 0


if __name__ == "__main__":
    sys.exit(main())
