"""The plain twin of examples/lqcd in NumPy: the formula with its gamma matrices written out. Never made faster.

Fields: links [mu, t, z, y, x, row, column], spinors [t, z, y, x, spin, colour]; mu = x, y, z, t."""

from __future__ import annotations

import numpy as np

KAPPA = 0.15
AXIS = (3, 2, 1, 0)  # of mu, in a field of sites

GAMMA = np.array([
    [[0, 0, 0, -1j], [0, 0, -1j, 0], [0, 1j, 0, 0], [1j, 0, 0, 0]],
    [[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]],
    [[0, 0, -1j, 0], [0, 0, 0, 1j], [1j, 0, 0, 0], [0, -1j, 0, 0]],
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, -1]],
])
GAMMA_5 = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]])


def noise(n: np.ndarray) -> np.ndarray:
    """splitmix64 of uint64 to [-1, 1)."""
    n = n + np.uint64(0x9E3779B97F4A7C15)
    n = (n ^ (n >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    n = (n ^ (n >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    n = n ^ (n >> np.uint64(31))
    return (n >> np.uint64(11)).astype(float) / 2.0**52 - 1


def random_links(shape: tuple[int, int, int, int]) -> np.ndarray:
    place = np.arange(4 * np.prod(shape), dtype=np.uint64).reshape(4, *shape)
    number = noise(place[..., None] * np.uint64(12) + np.arange(12, dtype=np.uint64))
    rows = (number[..., 0::2] + 1j * number[..., 1::2]).reshape(4, *shape, 2, 3)
    first = rows[..., 0, :] / np.linalg.norm(rows[..., 0, :], axis=-1, keepdims=True)
    second = rows[..., 1, :] - np.sum(first.conj() * rows[..., 1, :], -1, keepdims=True) * first
    second /= np.linalg.norm(second, axis=-1, keepdims=True)
    return np.stack([first, second, np.cross(first, second).conj()], axis=-2)


def wilson(links: np.ndarray, psi: np.ndarray) -> np.ndarray:
    """gamma_5 D psi."""
    out = psi.copy()
    for mu in range(4):
        ahead, behind = np.roll(psi, -1, AXIS[mu]), np.roll(psi, 1, AXIS[mu])
        before = np.roll(links[mu], 1, AXIS[mu])
        out -= KAPPA * np.einsum("sr,...ab,...rb->...sa", np.eye(4) - GAMMA[mu], links[mu], ahead)
        out -= KAPPA * np.einsum("sr,...ba,...rb->...sa", np.eye(4) + GAMMA[mu], before.conj(), behind)
    return np.einsum("sr,...ra->...sa", GAMMA_5, out)


def solve(links: np.ndarray) -> tuple[list[float], np.ndarray]:
    """The history of |r|^2 / |b|^2, and |x|^2 of each time slice."""
    b = np.zeros((*links.shape[1:5], 4, 3), complex)
    b[0, 0, 0, 0, 0, 0] = 1
    x, r, history = b.copy(), b - wilson(links, wilson(links, b)), []
    p, rr = r.copy(), np.vdot(r, r).real
    while rr > 1e-16:
        v = wilson(links, wilson(links, p))
        alpha, before = rr / np.vdot(v, p).real, rr
        x += alpha * p
        r -= alpha * v
        rr = np.vdot(r, r).real
        p = r + rr / before * p
        history.append(rr)
    return history, np.sum(abs(x) ** 2, axis=(1, 2, 3, 4, 5))
