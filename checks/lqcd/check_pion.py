"""The physics of a configuration against a second program: `check_pion.py PROGRAM MPIEXEC RANKS…`. Exit code as there.

Plaquette, mean link, |D b| and the pion correlator of a NERSC file are computed here with NumPy from the formulas of
README.md, gamma matrices written out, boundary signs on the quark field. The program must have them to 12 digits with
every solver, on any number of ranks.
"""

from __future__ import annotations

import sys
from pathlib import Path

import check_program
import nersc_file
import numpy as np
from check_configuration import run, with_folder
from check_program import failed_proofs, values
from numpy.typing import NDArray

Array = NDArray[np.complex128]
SHAPE = (4, 4, 4, 8)
KAPPA = 0.12
BOUNDARY = (-1, 1, 1, -1)
SITE = (3, 1, 2, 5)
AGREEMENT = 1e-12  # relative
PAULI = np.array([[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]])
GAMMA = [np.kron([[0, -1j], [1j, 0]], sigma) for sigma in PAULI] + [np.diag([1, 1, -1, -1]).astype(complex)]
GAMMA_5 = np.kron([[0, 1], [1, 0]], np.eye(2))


def read_links(content: bytes) -> Array:
    """[t, z, y, x, mu, row, column] of three rows of 64 bits, big-endian."""
    data = np.frombuffer(content.split(b"END_HEADER\n", 1)[1], dtype=">f8").reshape(*SHAPE[::-1], 4, 3, 3, 2)
    return data[..., 0] + 1j * data[..., 1]


def ahead(field: Array, mu: int, sign: int = 1) -> Array:
    """f(x + mu), times the sign where that is beyond the lattice."""
    axis = 3 - mu
    moved = np.roll(field, -1, axis)
    moved[(slice(None),) * axis + (-1,)] *= sign
    return moved


def behind(field: Array, mu: int, sign: int = 1) -> Array:
    axis = 3 - mu
    moved = np.roll(field, 1, axis)
    moved[(slice(None),) * axis + (0,)] *= sign
    return moved


def averages(u: Array) -> tuple[float, float]:
    links = [u[..., mu, :, :] for mu in range(4)]
    plaquettes = [
        np.einsum("...ab,...bc,...dc,...ad->...", links[mu], ahead(links[nu], mu), ahead(links[mu], nu).conj(), links[nu].conj())
        for mu in range(4) for nu in range(mu)
    ]
    return float(np.mean(plaquettes).real / 3), float(np.einsum("...aa->...", u).mean().real / 3)


def dirac(u: Array, psi: Array, boundary: tuple[int, ...]) -> Array:
    """D psi for psi[t, z, y, x, spin, colour, source]."""
    hops = np.zeros_like(psi)
    for mu in range(4):
        link = u[..., mu, None, :, :]
        forward = link @ ahead(psi, mu, boundary[mu])
        backward = behind(link.conj().swapaxes(-1, -2) @ psi, mu, boundary[mu])
        for sign, moved in ((-1, forward), (1, backward)):
            hops += ((np.eye(4) + sign * GAMMA[mu]) @ moved.reshape(*psi.shape[:4], 4, -1)).reshape(psi.shape)
    return psi - KAPPA * hops


def propagator(u: Array, site: tuple[int, ...], boundary: tuple[int, ...]) -> Array:
    """x[t, z, y, x, spin, colour, source] with D x = b for the 12 point sources: CG on the normal equations, repeated on
    what is left."""
    b = np.zeros((*SHAPE[::-1], 4, 3, 12), complex)
    b[site[::-1]] = np.eye(12).reshape(4, 3, 12)

    def adjoint(psi: Array) -> Array:
        def turned(field: Array) -> Array:
            return (GAMMA_5 @ field.reshape(*field.shape[:4], 4, -1)).reshape(field.shape)

        return turned(dirac(u, turned(psi), boundary))

    def dots(a: Array) -> Array:
        return (abs(a) ** 2).sum(axis=tuple(range(6)))

    x = np.zeros_like(b)
    for _ in range(2):
        rest = b - dirac(u, x, boundary)
        r = adjoint(rest)
        p, rr = r, dots(r)
        first = rr
        while (rr > 1e-22 * first).any():
            dp = dirac(u, p, boundary)
            a = rr / dots(dp)
            x, rest = x + a * p, rest - a * dp
            r = adjoint(rest)
            new = dots(r)
            p, rr = r + new / rr * p, new
    assert np.sqrt(dots(b - dirac(u, x, boundary))).max() < 3e-15
    return x


def near(got: float, expected: float, what: str) -> None:
    assert abs(got - expected) <= AGREEMENT * abs(expected), f"{what}: {got!r}, here {expected!r}"


def test_a_second_program_has_the_same_digits(program: str, mpiexec: str, counts: list[int], folder: Path) -> None:
    path = folder / "file"
    path.write_bytes(nersc_file.file_bytes(nersc_file.random_gauge(SHAPE, 3), SHAPE, 3, "IEEE64BIG"))
    u = read_links(path.read_bytes())
    c = np.roll((abs(propagator(u, SITE, BOUNDARY)) ** 2).sum(axis=(1, 2, 3, 4, 5, 6)), -SITE[3])
    common = ["--kappa", str(KAPPA), "--boundary", typed(BOUNDARY)]
    more = ["--correlator", "pion", "--tolerance", "1e-16", "--source_site", typed(SITE)]
    for solver, ranks, together in (("normal", counts[0], 1), ("even_odd", counts[1], 1), ("mixed", counts[min(2, len(counts) - 1)], 12)):
        where = f"{solver} on {ranks} ranks"
        lines = run(program, mpiexec, ranks, path, *common, "--solver", solver, "--together", str(together), *more)
        assert not failed_proofs(lines), f"{where}: {failed_proofs(lines)}"
        got = values(lines)
        for t, expected in enumerate(c):
            near(got[f"pion_{t:03d}"], expected, f"{where}: C({t})")
    got = values(run(program, mpiexec, counts[1], path, *common, "--source", "constant"))
    constant = np.ones((*SHAPE[::-1], 4, 3, 1), complex)
    expected = (*averages(u), np.linalg.norm(constant), np.linalg.norm(dirac(u, constant, BOUNDARY)))
    for name, number in zip(("plaquette", "link_trace", "source_norm", "operator_norm"), expected, strict=True):
        near(got[name], number, name)


def typed(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


if __name__ == "__main__":
    sys.exit(check_program.run_all([with_folder(test_a_second_program_has_the_same_digits)], sys.argv))
