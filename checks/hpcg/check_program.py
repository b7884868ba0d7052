"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…` (tests/programs.py).

- Residuals are those of a second program (NumPy: dense matrices, triangles solved as such).
- Proofs hold on any number of ranks and threads; residuals of the reference are the same on any number of threads.
- A set of `best` has the flop of 50 iterations, however many it takes, and ends where the reference does.
- The variant `cuda`, with its kernels as loops on the host, has the residuals of `best`, the proofs and the work.
- With each planted fault a proof fails and there is no rating. What cannot be run is refused with one sentence.
- The memory that is stated is the memory that is used.
- hpcg.dat is read; by hand the lines of the benchmark are printed, on the grid that its reference chooses.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from programs import SANITIZED, Program, failed_proofs, run_all, table, values

Array = NDArray[np.float64]
# Fault, ranks that it needs, variants that can have it, proofs that fail.
FAULTS = (
    ("skipped_row", 1, ("reference", "best", "cuda"), {"symmetry_multigrid"}),
    ("stale_halo", 2, ("reference", "best", "cuda"), {"ones", "symmetry_spmv"}),
    ("lost_colour", 1, ("best", "cuda"), {"symmetry_multigrid"}),
)
SET = 50


def of(program: Program, variant: str) -> tuple[Program, list[str]]:
    """The program of a variant, and the arguments that choose it."""
    return (program.on_host(), []) if variant == "cuda" else (program, ["--variant", variant])


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


def test_a_second_program_agrees(program: Program) -> None:
    """After so many iterations as a set of fewer would not show: the residual of the first ones, by their table."""
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
    lines = program.record(1, ["--cells", "8,8,8"])
    assert not failed_proofs(lines), f"{failed_proofs(lines)}"
    residuals = table(lines, "residual_history")["values"]
    for (found,), expected in zip(residuals, history, strict=False):
        assert abs(found - expected) <= 1e-6 * expected, f"residuals {residuals[:8]}, {history}"


def test_proofs_hold_on_any_ranks_and_threads(program: Program) -> None:
    residuals = set()
    for ranks, threads in [(ranks, 1) for ranks in program.counts] + [(1, 2), (1, 3)]:
        lines = program.record(ranks, ["--cells", "16,16,16", "--threads", str(threads)])
        assert not failed_proofs(lines), f"{ranks} ranks, {threads} threads: {failed_proofs(lines)}"
        assert values(lines)["iterations"] == SET
        if ranks == 1:
            residuals.add(tuple(value for (value,) in table(lines, "residual_history")["values"]))
    assert len(residuals) == 1, f"residuals depend on threads: {residuals}"
    for ranks, threads in ((1, 1), (1, 2), (2, 2), (program.counts[-1], 1)):
        lines = program.record(ranks, ["--variant", "best", "--cells", "16,16,16", "--threads", str(threads)])
        assert not failed_proofs(lines), f"best, {ranks} ranks, {threads} threads: {failed_proofs(lines)}"
        found = values(lines)
        assert found["residual"] <= found["reference_residual"] and SET <= found["iterations"] < 2 * SET, f"{found}"


def test_a_card_has_the_residuals_of_best(program: Program) -> None:
    for ranks in program.counts[:3]:
        histories = []
        for variant in ("best", "cuda"):
            own, chosen = of(program, variant)
            lines = own.proved(ranks, [*chosen, "--cells", "24,8,40"])
            histories.append([value for (value,) in table(lines, "residual_history")["values"]])
        best, card = histories
        assert abs(len(card) - len(best)) <= 0.02 * len(best), f"{ranks} ranks: {len(card)} iterations, {len(best)} of best"
        worst = max(abs(one / other - 1) for one, other in zip(card[:10], best[:10], strict=True))
        assert worst <= 1e-10, f"{ranks} ranks: residuals differ by {worst}: {card[:10]}, {best[:10]}"


def test_extra_iterations_are_charged(program: Program) -> None:
    """An iteration has its share of the flop of 50: counted by the rule book's formulas, without the program's counts."""
    for variant in ("reference", "best", "cuda"):
        own, chosen = of(program, variant)
        lines = own.record(1, [*chosen, "--cells", "16,24,16"])
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


def test_faults_are_found(program: Program) -> None:
    for fault, ranks, variants, proofs in FAULTS:
        for variant in variants:
            own, chosen = of(program, variant)
            lines = own.record(ranks, ["--fault", fault, *chosen])
            assert lines[0]["fault"] == fault
            assert proofs <= failed_proofs(lines), f"{fault} of {variant} on {ranks} ranks: only {failed_proofs(lines)} failed"
            assert not {"rating", "rating_24"} & set(values(lines)), f"{fault} of {variant}: has a rating"


def test_memory_is_what_is_stated(program: Program) -> None:
    if SANITIZED:  # whose memory it would be
        return
    for variant, cells in (("reference", 48), ("best", 48), ("cuda", 64)):
        own, chosen = of(program, variant)
        without, _ = own.peak([*chosen, "--cells", "8,8,8"])
        used, lines = own.peak([*chosen, "--cells", f"{cells},{cells},{cells}"])
        used, stated = used - without, values(lines)["memory_bytes"]
        if variant == "cuda":  # the card's is the host's here, and comes when the vectors of the reference are gone
            stated += values(lines)["card_memory_bytes"] - 8 * 8 * cells**3
        assert abs(used - stated) <= 0.05 * stated, f"{variant}: {used:.0f} bytes used, {stated:.0f} stated"


def test_hpcg_dat_and_the_lines_of_the_benchmark(program: Program) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "hpcg.dat")
        file.write_text("HPCG benchmark input file\nfor a test\n24 16 32\n60\n")
        program.refused(1, ["--input", str(file), "--cells", "16,16,16"], "leave --cells out")
        said = program.start(2, ["--input", str(file), "--seconds", "0.01"]).stdout.splitlines()
        for line in ("Local Domain Dimensions::nx=24", "Local Domain Dimensions::nz=32", "Processor Dimensions::npx=2",
                     "Global Problem Dimensions::Global nx=48", "Spectral Convergence Tests::Result=PASSED",
                     "Iteration Count Information::Optimized CG iterations per set=50"):
            assert line in said, f"{line} is not in {said}"
        rating = [line for line in said if line.startswith("Final Summary::HPCG result is VALID with a GFLOP/s rating of=")]
        assert len(rating) == 1 and float(rating[0].split("=")[1]) > 0, f"{said}"
        wrong = program.start(1, ["--input", str(file), "--seconds", "0.01", "--fault", "skipped_row"]).stdout
        assert "Final Summary::HPCG result is=INVALID." in wrong and "GFLOP" not in wrong, wrong
        file.write_text("HPCG benchmark input file\nfor a test\n24 16\n60\n")
        program.refused(2, ["--input", str(file)], "line 3 of --input")


def test_reading_gives_a_share_of_the_rate(program: Program) -> None:
    for variant in ("best", "cuda"):
        own, chosen = of(program, variant)
        found = values(own.record(1, ["--read", "true", *chosen]))
        assert found["byte_share"] > 0 and found["read_rate"] > 0, f"{variant}: {found}"


def test_refusals(program: Program) -> None:
    program.refused(1, ["--cells", "12,16,16"], "cannot be halved three times")
    program.refused(2, ["--grid", "2,2,1"], "needs 4 ranks, but 2 were started")
    program.refused(1, ["--fault", "lost_colour"], "add --variant best")
    for variant in ("best", "reference"):
        sizes = ["--cells", "4096,4096,4096", "--variant", variant]
        program.refused(1, sizes, "HPCG with 4096,4096,4096 cells a rank needs", code=4)
    program.on_host().refused(1, ["--cells", "256,256,256"], "needs 6.68 GiB of the card, but 1 GiB are free", code=4)


if __name__ == "__main__":
    run_all(globals())
