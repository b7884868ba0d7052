"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS… [--long]` (tests/programs.py).

--long: only the sizes whose solves take minutes, 65^3 and 129^3 nodes. Else all others:

- Iterations are those of a second program (NumPy: its own stiffness, dense matrix, own CG), residual by residual.
- They are the same, give or take one, on any number of ranks and threads, and those published.
- With each planted fault a proof fails. What cannot be run is refused with one sentence.
"""

from __future__ import annotations

import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from programs import SANITIZED, Program, failed_proofs, run_all, values

Array = NDArray[np.float64]
CORNERS = list(itertools.product((0, 1), repeat=3))  # z, y, x
FAULTS = {
    "drop_coupling": {"reference", "symmetry"},
    "unsymmetric_preconditioner": {"preconditioner_symmetry", "preconditioner_inverse"},
    "stale_halo": {"reference", "converged"},
}


def stiffness(poisson: float) -> Array:
    """24 x 24 of the unit cube with modulus 1, from integrals over its sides; displacements of a corner side by side."""
    mass, slopes, mixed = np.array([[2, 1], [1, 2]]) / 6, np.array([[1.0, -1], [-1, 1]]), np.array([[-1.0, -1], [1, 1]]) / 2
    lam, mu = poisson / ((1 + poisson) * (1 - 2 * poisson)), 1 / (2 * (1 + poisson))

    def integral(i: int, j: int) -> Array:
        """Of dN_a/dx_i dN_b/dx_j, where 0 is x."""
        sides = [slopes if i == d == j else mixed if i == d else mixed.T if j == d else mass for d in (2, 1, 0)]
        return np.kron(sides[0], np.kron(sides[1], sides[2]))

    laplace = sum(integral(k, k) for k in range(3))
    k = np.zeros((8, 3, 8, 3))
    for i, j in itertools.product(range(3), repeat=2):
        k[:, i, :, j] = lam * integral(i, j) + mu * integral(j, i) + (mu * laplace if i == j else 0)
    return k.reshape(24, 24)


def dense(nodes: tuple[int, int, int], poisson: float) -> tuple[Array, Array]:
    """Matrix and load; nodes x fastest."""
    nx, ny, nz = nodes
    a, b = np.zeros((3 * nx * ny * nz,) * 2), np.zeros(3 * nx * ny * nz)
    k = stiffness(poisson)
    for z, y, x in itertools.product(range(nz - 1), range(ny - 1), range(nx - 1)):
        at = [(z + cz) * ny * nx + (y + cy) * nx + x + cx for cz, cy, cx in CORNERS]
        freedoms = np.array([[3 * n, 3 * n + 1, 3 * n + 2] for n in at]).ravel()
        a[np.ix_(freedoms, freedoms)] += k
        if z == nz - 2:
            b[[3 * n + 2 for n in at[4:]]] += 0.25
    held = [3 * (z * ny * nx + y * nx + x) + d for z, y, x in itertools.product(range(nz), range(ny), range(nx))
            for d, c in enumerate((x, y, z)) if c == 0]
    diagonal = a[held, held].copy()
    a[held, :] = 0
    a[:, held] = 0
    a[held, held] = diagonal
    return a, b


def conjugate_gradients(a: Array, b: Array, tolerance: float) -> tuple[Array, list[float]]:
    n = len(b) // 3
    blocks = np.array([a[3 * i:3 * i + 3, 3 * i:3 * i + 3] for i in range(n)])
    precondition = lambda r: np.linalg.solve(blocks, r.reshape(n, 3, 1)).ravel()  # noqa: E731
    x, r = np.zeros_like(b), b.copy()
    z = precondition(r)
    p, history = z.copy(), [1.0]
    while history[-1] >= tolerance:
        q = a @ p
        rz = r @ z
        alpha = rz / (p @ q)
        x += alpha * p
        r -= alpha * q
        z = precondition(r)
        p = z + (r @ z) / rz * p
        history.append(float(np.linalg.norm(r) / np.linalg.norm(b)))
    return x, history[1:]


def test_a_second_program_agrees(program: Program) -> None:
    nodes, poisson = (5, 4, 6), 0.2
    a, b = dense(nodes, poisson)
    x, history = conjugate_gradients(a, b, 1e-9)
    u = np.linalg.solve(a, b).reshape(nodes[2], nodes[1], nodes[0], 3)
    assert np.abs(x - u.ravel()).max() < 1e-7
    z, y, x_ = np.meshgrid(*(np.arange(n) for n in nodes[::-1]), indexing="ij")
    assert np.abs(u - np.stack([-poisson * x_, -poisson * y, z], axis=-1)).max() < 1e-11  # traction: exact
    for ranks in program.counts:
        lines = program.record(ranks, ["--nodes", "5,4,6", "--poisson_ratio", "0.2", "--tolerance", "1e-9"])
        assert not failed_proofs(lines), f"{ranks} ranks: {failed_proofs(lines)}"
        table = next(line for line in lines if line["type"] == "table")
        assert len(table["rows"]) == len(history) < 64, f"{ranks} ranks: {len(table['rows'])} iterations, {len(history)}"
        for (found,), expected in zip(table["values"], history, strict=True):
            # Roundings differ, and grow on the way.
            assert abs(found - expected) <= 1e-4 * expected, f"{ranks} ranks: residual {found}, {expected}"


def test_iterations_are_those_published_on_any_ranks_and_threads(program: Program) -> None:
    found = {}
    both = [(2, 2)] if SANITIZED else [(1, 2), (1, 3), (2, 2)]
    for ranks, threads in [(ranks, 1) for ranks in program.counts] + both:
        lines = program.record(ranks, ["--nodes", "17,17,17", "--threads", str(threads)])
        assert not failed_proofs(lines), f"{ranks} ranks, {threads} threads: {failed_proofs(lines)}"
        got = values(lines)
        assert got["published_iterations"] == 161
        assert {"reference", "symmetry", "iterations", "displacement", "repeat", "residual"} <= {
            line["name"] for line in lines if line["type"] == "validity"}
        found[ranks, threads] = got["iterations"]
    assert max(found.values()) - min(found.values()) <= 1, f"{found}"
    if SANITIZED:  # the same iterations on eight times as many nodes
        return
    lines = program.record(1, ["--nodes", "33,33,33"])
    assert not failed_proofs(lines) and abs(values(lines)["iterations"] - 325) <= 3, f"{values(lines)}"


def test_solutions_to_rounding(program: Program) -> None:
    for ranks, distortion in itertools.product(program.counts[:3], ("0", "0.4")):
        arguments = ["--nodes", "9,11,10", "--tolerance", "1e-12", "--distortion", distortion]
        lines = program.record(ranks, arguments)
        assert not failed_proofs(lines), f"{ranks} ranks {arguments}: {failed_proofs(lines)}"


def test_faults_are_found(program: Program) -> None:
    # On a single rank a block is lost in both directions.
    cases = [(fault, proofs, program.counts[1]) for fault, proofs in FAULTS.items()] + [("drop_coupling", {"reference"}, 1)]
    for fault, proofs, ranks in cases:
        lines = program.record(ranks, ["--nodes", "9,9,9", "--fault", fault])
        assert lines[0]["fault"] == fault
        assert proofs <= failed_proofs(lines), f"{fault} on {ranks} ranks: only {failed_proofs(lines)} failed"


def test_a_solve_that_does_not_converge_keeps_its_history(program: Program) -> None:
    lines = program.record(1, ["--nodes", "9,9,9", "--iterations", "20"])
    assert {"converged", "displacement"} <= failed_proofs(lines), f"{failed_proofs(lines)}"
    assert values(lines)["iterations"] == 20
    assert len(next(line for line in lines if line["type"] == "table")["rows"]) == 20


def test_refusals(program: Program) -> None:
    cases = (
        (1, 3, ["--fault", "stale_halo"], "needs at least 2 ranks"),
        (2, 3, ["--grid", "2,2,1"], "needs 4 ranks, but 2 were started"),
        (2, 3, ["--nodes", "2,3,3"], "--nodes"),
        (2, 3, ["--nodes", "3,3,65", "--grid", "1,1,1"], "needs 1 ranks"),
        (1, 3, ["--poisson_ratio", "0.5"], "--poisson_ratio"),
        (1, 4, ["--nodes", "2000,2000,2000"], "a mesh of 2000,2000,2000 nodes needs"),
        (1, 4, ["--nodes", "65536,65536,65536"], "GiB are available; choose a smaller size"),
    )

    def refused(case: tuple[int, int, list[str], str]) -> None:
        ranks, code, arguments, words = case
        done = program.start(ranks, arguments)
        assert done.returncode == code, f"{arguments}: exit code {done.returncode}: {done.stderr}"
        assert done.stderr.count("elasticity: ") == 1 and words in done.stderr, f"{arguments}: {done.stderr}"

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(refused, cases))


def long_published_sizes(program: Program) -> None:
    threads = str(len(os.sched_getaffinity(0)))
    for nodes, iterations in ((65, 652), (129, 1305)):
        lines = program.record(program.counts[0], ["--nodes", f"{nodes},{nodes},{nodes}", "--threads", threads])
        assert not failed_proofs(lines), f"{nodes}^3 nodes: {failed_proofs(lines)}"
        assert abs(values(lines)["iterations"] - iterations) <= 0.01 * iterations, f"{nodes}^3 nodes: {values(lines)}"


if __name__ == "__main__":
    run_all(globals(), "long_" if "--long" in sys.argv else "test_", 7000)
