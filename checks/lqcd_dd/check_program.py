"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…`. Exit code 1 with the failures named.

- The clover operator of a NERSC file is computed here with NumPy from the formulas (tests/wilson_formulas.py) and compared to 12
  digits, and a solution of the program is put into it.
- All solvers, on any number of ranks, have the same solution. With a planted fault at least one proof fails.
- What cannot be run is refused with one sentence; a solve that does not converge is reported with its history.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nersc_file
import numpy as np
from programs import SANITIZED, Program, failed_proofs, run_all, table, values
from wilson_formulas import GAMMA_5, Array, clover, dirac, read_links, strengths

SHAPE = (4, 4, 4, 4)
BOUNDARY = (1, 1, 1, -1)
KAPPA, CSW = 0.11, 0.7
SMALL = ["--lattice", "4,4,4,4", "--block", "2,2,2,2", "--source", "random"]


def typed(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def operator(u: Array) -> Callable[[Array], Array]:
    f = strengths(u)
    return lambda psi: dirac(u, psi, BOUNDARY, KAPPA) + clover(f, psi, KAPPA, CSW)


def correlator(u: Array) -> Array:
    """C(t) of the 12 point sources at the origin, by conjugate gradients on the normal equations, twice."""
    d = operator(u)

    def adjoint(psi: Array) -> Array:
        def turned(field: Array) -> Array:
            return (GAMMA_5 @ field.reshape(*field.shape[:4], 4, -1)).reshape(field.shape)

        return turned(d(turned(psi)))

    def dots(a: Array) -> Array:
        return (abs(a) ** 2).sum(axis=tuple(range(6)))

    b = np.zeros((*SHAPE[::-1], 4, 3, 12), complex)
    b[0, 0, 0, 0] = np.eye(12).reshape(4, 3, 12)
    x = np.zeros_like(b)
    for _ in range(2):
        rest = b - d(x)
        r = adjoint(rest)
        p, rr = r, dots(r)
        first = rr
        while (rr > 1e-16 * first).any():
            dp = d(p)
            a = rr / dots(dp)
            x, rest = x + a * p, rest - a * dp
            r = adjoint(rest)
            new = dots(r)
            p, rr = r + new / rr * p, new
    assert np.sqrt(dots(b - d(x))).max() < 1e-13
    return (abs(x) ** 2).sum(axis=(1, 2, 3, 4, 5, 6))


def test_a_second_program_has_the_same_operator_and_correlator(program: Program) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(nersc_file.file_bytes(nersc_file.random_gauge(SHAPE, 3), SHAPE, 3, "IEEE64BIG"))
        u = read_links(path.read_bytes(), SHAPE)
        constant = np.ones((*SHAPE[::-1], 4, 3, 1), complex)
        image = operator(u)(constant)
        expected = {"clover_norm": np.linalg.norm(image), "operator_norm": np.linalg.norm(image),
                    "source_norm": np.linalg.norm(constant)}
        common = ["--configuration", str(path), "--block", "2,2,2,2", "--kappa", str(KAPPA), "--csw", str(CSW), "--boundary",
                  typed(BOUNDARY), "--source", "constant"]
        pion = [] if SANITIZED else ["--correlator", "true", "--tolerance", "1e-12"]
        got = values(program.proved(program.counts[1], [*common, *pion]))
        for name, number in expected.items():
            assert abs(got[name] - number) <= 1e-12 * number, f"{name}: {got[name]!r}, here {number!r}"
        for t, number in enumerate(correlator(u) if pion else ()):
            assert abs(got[f"pion_{t:03d}"] - number) <= 1e-10 * number, f"C({t}) {got[f'pion_{t:03d}']!r}, here {number!r}"


def test_all_solvers_have_the_same_solution(program: Program) -> None:
    cases = [(1, ["--solver", "normal"]), (2, ["--solver", "bicgstab"]), (1, ["--solver", "nested"]), (4, ["--solver", "nested"]),
             *((ranks, ["--solver", "dd_bicgstab"]) for ranks in program.counts),
             (2, ["--solver", "dd_bicgstab", "--block_solver", "minres", "--cycles", "2"])]
    cases = [case for case in cases if case[0] in program.counts][:3 if SANITIZED else None]
    norms, iterations = {}, {}
    for ranks, arguments in cases:
        lines = program.proved(ranks, [*SMALL, "--tolerance", "1e-11", *arguments])
        norms[ranks, typed(tuple(arguments))] = values(lines)["solution_norm"]
        if arguments == ["--solver", "dd_bicgstab"]:
            iterations[ranks] = values(lines)["inner_iterations"]
    first = next(iter(norms.values()))
    for case, norm in norms.items():
        assert abs(norm - first) <= 1e-9 * first, f"{case}: {norm!r}, expected {first!r}"
    assert not iterations or max(iterations.values()) - min(iterations.values()) <= 1, iterations


def test_files_of_any_form(program: Program) -> None:
    """Two and three rows, both orders of bytes, and links of 32 bits, whose proofs have wider limits."""
    with tempfile.TemporaryDirectory() as folder:
        for bits, rows, form in ((64, 2, "IEEE64LITTLE"), (64, 3, "IEEE64BIG"), (32, 3, "IEEE32BIG"))[:1 if SANITIZED else None]:
            path = Path(folder) / f"{rows}{form}"
            path.write_bytes(nersc_file.file_bytes(nersc_file.random_gauge(SHAPE, 5, bits, rows), SHAPE, rows, form))
            common = ["--configuration", str(path), "--block", "2,2,2,2", "--kappa", "0.1", "--csw", "0.7", "--tolerance", "1e-11"]
            norms = [values(program.proved(1, [*common, "--solver", solver]))["solution_norm"]
                     for solver in ("normal", "dd_bicgstab")]
            assert abs(norms[1] - norms[0]) <= 1e-9 * norms[0], f"{form}: {norms}"


def test_many_and_odd_numbers_of_ranks(program: Program) -> None:
    for ranks in () if SANITIZED or max(program.counts) < 8 else (3, 5, 6, 7):
        program.proved(ranks, ["--lattice", "3,5,6,7", "--solver", "bicgstab", "--boundary", typed(BOUNDARY)])


def test_wilson_fermions_and_odd_extents(program: Program) -> None:
    """Without a clover term, and on a lattice that has no blocks."""
    program.proved(1, [*SMALL, "--csw", "0"])
    program.proved(1, [*SMALL, "--start", "hot", "--kappa", "0.08"])
    program.proved(1, [*SMALL, "--start", "heatbath", "--sweeps", "3"])
    program.proved(1, ["--lattice", "3,2,5,2", "--solver", "bicgstab"])


def test_faults_are_found(program: Program) -> None:
    cases = [("clover_sign", "clover/reference", 1), ("clover_factor", "clover/reference", 1), ("pivot_zero", "clover/inverse", 1),
             ("block_halo", "sweep", 1), ("wrong_colour", "sweep", 1), ("single_only", "solution", 1),
             ("stale_send", "sweep", program.counts[1])]
    for fault, proof, ranks in cases[:2] if SANITIZED else cases:
        # A solver with a fault that a proof has found need not converge.
        lines = program.record(ranks, [*SMALL, "--fault", fault, *(["--tolerance", "1e-10"] if fault == "single_only" else
                                                                    ["--tolerance", "1e-2"])])
        assert lines[0]["fault"] == fault and proof in failed_proofs(lines), f"{fault}: only {failed_proofs(lines)} failed"


def test_a_solve_that_does_not_converge_is_told_with_its_history(program: Program) -> None:
    lines = program.record(1, [*SMALL, "--solver", "bicgstab", "--kappa", "0.7", "--start", "hot", "--tolerance", "1e-14"])
    assert "solution" in failed_proofs(lines), failed_proofs(lines)
    assert len(table(lines, "history")["values"]) == 64


def test_refusals(program: Program) -> None:
    cases = (
        (["--block", "4,4,4,3"], "does not divide the extent 8 of a rank's lattice in t; possible in t: 2, 4"),
        (["--block", "8,4,4,4"], "1 block in x"),
        (["--block", "16,4,4,4"], "larger than the extent 8"),
        (["--lattice", "12,8,8,8", "--block", "4,4,4,4"], "3 blocks in x"),
        (["--lattice", "6,8,8,8", "--block", "3,4,4,4"], "odd in x"),
        (["--csw", "-1"], "--csw"),
        (["--csw", "nan"], "--csw"),
        (["--csw", "0", "--fault", "clover_sign"], "needs a clover term"),
        (["--solver", "nested", "--fault", "wrong_colour"], "needs --solver dd_bicgstab"),
        (["--fault", "stale_send"], "needs at least 2 ranks"),
        (["--kappa", "1", "--csw", "10", "--start", "cold", "--block_steps", "0"], "--block_steps"),
    )
    with ThreadPoolExecutor(max_workers=4) as pool:  # an MPI that aborts sleeps for a second or so: together
        list(pool.map(lambda case: program.refused(1, *case), cases))
    program.refused(1, ["--lattice", "256,256,256,256"], "GiB are available", code=4)


if __name__ == "__main__":
    run_all(globals())
