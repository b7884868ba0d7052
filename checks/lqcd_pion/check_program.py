"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…`. Exit code 1 with the failures named.

- The correlator of a NERSC file is computed here with NumPy from the formulas (tests/wilson_formulas.py). The program must have
  it to 12 digits with every solver, on any number of ranks.
- With a planted fault at least one proof fails. What cannot be run is refused with one sentence.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nersc_file
import numpy as np
from programs import SANITIZED, Program, failed_proofs, run_all, values
from wilson_formulas import GAMMA_5, Array, dirac, read_links

SHAPE = (4, 4, 4, 4 if SANITIZED else 8)
KAPPA = 0.12
BOUNDARY = (-1, 1, 1, -1)
SITE = (3, 1, 2, SHAPE[3] - 3)
AGREEMENT = 1e-12  # relative
SMALL = ["--lattice", "4,4,4,4", "--kappa", "0.12", "--tolerance", "1e-8"]


def propagator(u: Array, site: tuple[int, ...], boundary: tuple[int, ...]) -> Array:
    """x[t, z, y, x, spin, colour, source] with D x = b for the 12 point sources: CG on the normal equations, repeated on
    what is left."""
    b = np.zeros((*SHAPE[::-1], 4, 3, 12), complex)
    b[site[::-1]] = np.eye(12).reshape(4, 3, 12)

    def adjoint(psi: Array) -> Array:
        def turned(field: Array) -> Array:
            return (GAMMA_5 @ field.reshape(*field.shape[:4], 4, -1)).reshape(field.shape)

        return turned(dirac(u, turned(psi), boundary, KAPPA))

    def dots(a: Array) -> Array:
        return (abs(a) ** 2).sum(axis=tuple(range(6)))

    x = np.zeros_like(b)
    for _ in range(2):
        rest = b - dirac(u, x, boundary, KAPPA)
        r = adjoint(rest)
        p, rr = r, dots(r)
        first = rr
        while (rr > 1e-22 * first).any():
            dp = dirac(u, p, boundary, KAPPA)
            a = rr / dots(dp)
            x, rest = x + a * p, rest - a * dp
            r = adjoint(rest)
            new = dots(r)
            p, rr = r + new / rr * p, new
    assert np.sqrt(dots(b - dirac(u, x, boundary, KAPPA))).max() < 3e-15
    return x


def typed(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def test_a_second_program_has_the_same_digits(program: Program) -> None:
    counts = program.counts
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(nersc_file.file_bytes(nersc_file.random_gauge(SHAPE, 3), SHAPE, 3, "IEEE64BIG"))
        u = read_links(path.read_bytes(), SHAPE)
        c = np.roll((abs(propagator(u, SITE, BOUNDARY)) ** 2).sum(axis=(1, 2, 3, 4, 5, 6)), -SITE[3])
        common = ["--configuration", str(path), "--kappa", str(KAPPA), "--boundary", typed(BOUNDARY),
                  "--tolerance", "1e-16", "--source_site", typed(SITE), "--repetitions", "2"]
        solvers = (("normal", counts[0], 1), ("even_odd", counts[1], 1), ("mixed", counts[-1], 12))
        for solver, ranks, together in solvers[SANITIZED:]:
            got = values(program.proved(ranks, [*common, "--solver", solver, "--together", str(together)]))
            for t, expected in enumerate(c):
                theirs = got[f"pion_{t:03d}"]
                where = f"{solver} on {ranks} ranks: C({t})"
                assert abs(theirs - expected) <= AGREEMENT * expected, f"{where} {theirs!r}, here {expected!r}"


def test_unit_links_are_the_free_theory(program: Program) -> None:
    lines = program.proved(program.counts[1], [*SMALL, "--start", "cold", "--solver", "even_odd"])
    assert any(line.get("name") == "pion/free" for line in lines)


def test_faults_are_found(program: Program) -> None:
    """Each by one launch; more of them: the check lqcd, whose field and operator are the same. With swapped lanes no solve
    converges, which costs a sanitized program 80,000 iterations."""
    faults = (("lane_swap", "vectors", 1), ("link_sign", "links", program.counts[1]))
    for fault, proof, ranks in faults[SANITIZED:]:
        lines = program.record(ranks, [*SMALL, "--fault", fault])
        assert lines[0]["fault"] == fault and proof in failed_proofs(lines), f"{fault}: only {failed_proofs(lines)} failed"


def test_refusals(program: Program) -> None:
    cases = (
        (["--together", "5"], "--together 5 must divide the 12 point sources"),
        (["--together", "12", "--solver", "normal"], "--together 12 needs an even-odd solver"),
        (["--together", "2", "--storage", "once"], "links stored twice"),
        (["--together", "13"], "--together"),
        (["--source_site", "0,0,8,0"], "outside the lattice, whose extent in z is 8"),
        (["--boundary", "1,1,1,-1", "--links", "12"], "leave --links out or give 18"),
        (["--solver", "normal", "--fault", "lane_swap"], "needs a solver that works on vectors"),
    )
    with ThreadPoolExecutor(max_workers=8) as pool:  # an MPI that aborts sleeps for a second or so: together
        list(pool.map(lambda case: program.refused(1, *case), cases))


if __name__ == "__main__":
    run_all(globals())
