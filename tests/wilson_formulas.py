"""Lattice QCD by a second program: averages of links and the Wilson operator in NumPy from the formulas of checks/lqcd/README.md,
gamma matrices written out, boundary signs on the quark field."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.complex128]
Shape = tuple[int, int, int, int]  # x, y, z, t
PAULI = np.array([[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]])
GAMMA = [np.kron([[0, -1j], [1j, 0]], sigma) for sigma in PAULI] + [np.diag([1, 1, -1, -1]).astype(complex)]
GAMMA_5 = np.kron([[0, 1], [1, 0]], np.eye(2))


def read_links(content: bytes, shape: Shape) -> Array:
    """[t, z, y, x, mu, row, column] of three rows of 64 bits, big-endian."""
    data = np.frombuffer(content.split(b"END_HEADER\n", 1)[1], dtype=">f8").reshape(*shape[::-1], 4, 3, 3, 2)
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


def dirac(u: Array, psi: Array, boundary: tuple[int, ...], kappa: float) -> Array:
    """D psi for psi[t, z, y, x, spin, colour, source]."""
    hops = np.zeros_like(psi)
    for mu in range(4):
        link = u[..., mu, None, :, :]
        forward = link @ ahead(psi, mu, boundary[mu])
        backward = behind(link.conj().swapaxes(-1, -2) @ psi, mu, boundary[mu])
        for sign, moved in ((-1, forward), (1, backward)):
            hops += ((np.eye(4) + sign * GAMMA[mu]) @ moved.reshape(*psi.shape[:4], 4, -1)).reshape(psi.shape)
    return psi - kappa * hops


def strengths(u: Array) -> dict[tuple[int, int], Array]:
    """F_mu,nu at every site for mu < nu, of links without signs (checks/lqcd_dd/README.md)."""
    def dagger(a: Array) -> Array:
        return a.conj().swapaxes(-1, -2)

    found = {}
    for mu in range(4):
        for nu in range(mu + 1, 4):
            # The four links of the plaquette at x, from each of its corners in turn; each corner is then moved to x.
            a, b = u[..., mu, :, :], u[..., nu, :, :]
            c, d = ahead(b, mu), ahead(a, nu)
            q = a @ c @ dagger(d) @ dagger(b)
            for mu_steps, nu_steps, leaf in ((1, 0, c @ dagger(d) @ dagger(b) @ a), (1, 1, dagger(d) @ dagger(b) @ a @ c),
                                             (0, 1, dagger(b) @ a @ c @ dagger(d))):
                q = q + np.roll(leaf, (mu_steps, nu_steps), (3 - mu, 3 - nu))
            found[mu, nu] = (q - dagger(q)) / 8
    return found


def clover(found: dict[tuple[int, int], Array], psi: Array, kappa: float, csw: float) -> Array:
    """-kappa csw sum over mu < nu of gamma_mu gamma_nu F_mu,nu psi."""
    total = np.zeros_like(psi)
    for (mu, nu), f in found.items():
        turned = f[..., None, :, :] @ psi
        total += ((GAMMA[mu] @ GAMMA[nu]) @ turned.reshape(*psi.shape[:4], 4, -1)).reshape(psi.shape)
    return -kappa * csw * total
