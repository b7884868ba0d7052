"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…`. Exit code 1 with the failures named.

- Residuals are those of a second program (NumPy: dense matrices, triangles solved as such).
- Proofs hold on any number of ranks and threads; residuals of the reference are the same on any number of threads.
- A set of `best` has the flop of 50 iterations, however many it takes, and ends where the reference does.
- With each planted fault a proof fails and there is no rating. What cannot be run is refused with one sentence.
- The memory that is stated is the memory that is used.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# Fault, ranks that it needs, variants that can have it, proofs that fail.
FAULTS = (
    ("skipped_row", 1, ("reference", "best"), {"symmetry_multigrid"}),
    ("stale_halo", 2, ("reference", "best"), {"ones", "symmetry_spmv"}),
    ("lost_colour", 1, ("best",), {"symmetry_multigrid"}),
)
SET = 50


def start(program: str, mpiexec: str, ranks: int, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [*([mpiexec, "-n", str(ranks)] if ranks > 1 else []), program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def record(program: str, mpiexec: str, ranks: int, arguments: list[str]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        done = start(program, mpiexec, ranks, ["--repetitions", "3", "--record", str(path), *arguments])
        assert done.returncode == 0, f"{ranks} ranks {arguments}: exit code {done.returncode}: {done.stderr}"
        return [json.loads(line) for line in path.read_text().splitlines()]


def values(lines: list[dict[str, Any]]) -> dict[str, float]:
    return {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}


def failed_proofs(lines: list[dict[str, Any]]) -> set[str]:
    return {line["name"] for line in lines if line["type"] == "validity" and not float(line["value"]) <= float(line["limit"])}


def matrix(cells: int) -> Array:
    places = list(itertools.product(range(cells), repeat=3))
    distance = np.abs(np.array(places)[:, None, :] - np.array(places)[None, :, :]).max(axis=2)
    return np.where(distance == 0, 26.0, np.where(distance == 1, -1.0, 0.0))


def cycle(cells: int, r: Array) -> Array:
    """One V-cycle from 0, grids down to a single cell."""
    a = matrix(cells)
    lower, upper, diagonal = np.tril(a), np.triu(a), np.diag(a)

    def sweep(x: Array) -> Array:
        return x + np.linalg.solve(upper, diagonal * np.linalg.solve(lower, r - a @ x))

    x = sweep(np.zeros_like(r))
    if cells > 1:
        coarse = [z * cells * cells + y * cells + x_ for z, y, x_ in itertools.product(range(0, cells, 2), repeat=3)]
        x[coarse] += cycle(cells // 2, (r - a @ x)[coarse])
        x = sweep(x)
    return x


def test_a_second_program_agrees(program: str, mpiexec: str, counts: list[int]) -> None:
    """After so many iterations as a set of fewer would not show: the residual of the first ones, by their table."""
    del counts
    a = matrix(8)
    b = a @ np.ones(512)
    x, r, p, rz = np.zeros(512), b.copy(), np.zeros(512), 1.0
    history = []
    for _ in range(8):
        z = cycle(8, r)
        before, rz = rz, float(r @ z)
        p = z + (rz / before if history else 0) * p
        q = a @ p
        alpha = rz / (p @ q)
        x, r = x + alpha * p, r - alpha * q
        history.append(float(np.linalg.norm(r) / np.linalg.norm(b)))
    lines = record(program, mpiexec, 1, ["--cells", "8,8,8"])
    assert not failed_proofs(lines), f"{failed_proofs(lines)}"
    table = next(line for line in lines if line["type"] == "table")
    for (found,), expected in zip(table["values"], history, strict=False):
        assert abs(found - expected) <= 1e-6 * expected, f"residuals {table['values'][:8]}, {history}"


def test_proofs_hold_on_any_ranks_and_threads(program: str, mpiexec: str, counts: list[int]) -> None:
    residuals = set()
    for ranks, threads in [(ranks, 1) for ranks in counts] + [(1, 2), (1, 3)]:
        lines = record(program, mpiexec, ranks, ["--cells", "16,16,16", "--threads", str(threads)])
        assert not failed_proofs(lines), f"{ranks} ranks, {threads} threads: {failed_proofs(lines)}"
        assert values(lines)["iterations"] == SET
        if ranks == 1:
            residuals.add(tuple(value for (value,) in next(line for line in lines if line["type"] == "table")["values"]))
    assert len(residuals) == 1, f"residuals depend on threads: {residuals}"
    for ranks, threads in ((1, 1), (1, 2), (2, 2), (counts[-1], 1)):
        lines = record(program, mpiexec, ranks, ["--variant", "best", "--cells", "16,16,16", "--threads", str(threads)])
        assert not failed_proofs(lines), f"best, {ranks} ranks, {threads} threads: {failed_proofs(lines)}"
        found = values(lines)
        assert found["residual"] <= found["reference_residual"] and SET <= found["iterations"] < 2 * SET, f"{found}"


def test_extra_iterations_are_charged(program: str, mpiexec: str, counts: list[int]) -> None:
    """An iteration has its share of the flop of 50: counted by the rule book's formulas, without the program's counts."""
    del counts
    for variant in ("reference", "best"):
        lines = record(program, mpiexec, 1, ["--variant", variant, "--cells", "16,24,16"])
        entries = [(3 * 16 // 2**level - 2) ** 2 * (3 * 24 // 2**level - 2) for level in range(4)]
        rows = 16 * 24 * 16
        full = 2 * entries[0] + sum((4 + 4 + 2) * each for each in entries[:3]) + 4 * entries[3] + 6 * 2 * rows
        iterations = values(lines)["iterations"]
        assert variant == "reference" or iterations > SET, "this size needs extra iterations, or nothing is charged"
        names = {section["id"]: section["path"] for section in lines[0]["sections"]}
        found = 0
        for series in (line for line in lines if line["type"] == "series" and names[line["section"]].startswith("cg/")):
            work = series["work"][-1] if isinstance(series["work"], list) else series["work"]
            found += work.get("flop", 0)
        expected = full * SET / iterations
        assert abs(found - expected) <= 1e-4 * expected, f"{variant}: {found} flop an iteration, expected {expected}"
        assert 0 < values(lines)["rating"] < values(lines)["rating_24"], f"{variant}: {values(lines)}"


def test_faults_are_found(program: str, mpiexec: str, counts: list[int]) -> None:
    del counts
    for fault, ranks, variants, proofs in FAULTS:
        for variant in variants:
            lines = record(program, mpiexec, ranks, ["--fault", fault, "--variant", variant])
            assert lines[0]["fault"] == fault
            assert proofs <= failed_proofs(lines), f"{fault} of {variant} on {ranks} ranks: only {failed_proofs(lines)} failed"
            assert not {"rating", "rating_24"} & set(values(lines)), f"{fault} of {variant}: has a rating"


def memory(program: str, variant: str, cells: int) -> tuple[float, float]:
    """Peak of the process, without huge pages, which round it up; and the bytes that the check states."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        size = f"{cells},{cells},{cells}"
        command = [program, "--variant", variant, "--cells", size, "--repetitions", "2", "--record", str(path)]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=no_huge_pages)
        peak = 0.0
        while child.poll() is None:
            found = re.search(r"^VmHWM:\s*(\d+) kB$", Path(f"/proc/{child.pid}/status").read_text(), re.M)
            peak = 1024.0 * int(found[1]) if found else peak  # the newest: before it has started, it is this program's
            time.sleep(0.01)
        assert child.returncode == 0, f"{command}: exit code {child.returncode}"
        return peak, values([json.loads(line) for line in path.read_text().splitlines()])["memory_bytes"]


def no_huge_pages() -> None:
    ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE


def test_memory_is_what_is_stated(program: str, mpiexec: str, counts: list[int]) -> None:
    del mpiexec
    if len(counts) < 3:  # with sanitizers, whose memory it would be
        return
    for variant in ("reference", "best"):
        without, _ = memory(program, variant, 8)
        used, stated = memory(program, variant, 48)
        used -= without
        assert abs(used - stated) <= 0.05 * stated, f"{variant}: {used:.0f} bytes used, {stated:.0f} stated"


def test_refusals(program: str, mpiexec: str, counts: list[int]) -> None:
    del counts
    for ranks, code, arguments, words in (
        (1, 3, ["--cells", "12,16,16"], "cannot be halved three times"),
        (2, 3, ["--grid", "2,2,1"], "needs 4 ranks, but 2 were started"),
        (1, 3, ["--fault", "lost_colour"], "add --variant best"),
        (1, 4, ["--cells", "4096,4096,4096", "--variant", "best"], "HPCG with 4096,4096,4096 cells a rank needs"),
        (1, 4, ["--cells", "4096,4096,4096"], "HPCG with 4096,4096,4096 cells a rank needs"),
    ):
        done = start(program, mpiexec, ranks, arguments)
        assert done.returncode == code, f"{arguments}: exit code {done.returncode}: {done.stderr}"
        assert done.stderr.count("hpcg: ") == 1 and words in done.stderr, f"{arguments}: {done.stderr}"


def run_all(tests: list[Callable[[str, str, list[int]], None]], argv: list[str]) -> int:
    program, mpiexec, counts = argv[1], argv[2], [int(n) for n in argv[3:]]
    os.environ["OMP_NUM_THREADS"] = "1"
    failures = 0
    for test in tests:
        try:
            test(program, mpiexec, counts)
        except AssertionError as error:
            failures += 1
            print(f"FAILED {test.__name__}: {error}")
    print(f"{len(tests) - failures} passed, {failures} failed, 0 skipped")
    return 1 if failures or not tests else 0


if __name__ == "__main__":
    sys.exit(run_all([test for name, test in globals().items() if name.startswith("test_")], sys.argv))
