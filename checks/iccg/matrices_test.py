"""The generators of matrices: positive definite, and with the solutions and rigid motions of their equations."""

from __future__ import annotations

import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import matrices  # noqa: E402


def dense(matrix: matrices.Matrix) -> np.ndarray:
    rows, entries = matrix
    full = np.zeros((rows, rows))
    for (i, j), value in entries.items():
        full[i, j] = full[j, i] = value
    return full


@pytest.mark.parametrize("name", matrices.MATRICES)
def test_each_matrix_is_positive_definite_with_entries_of_the_lower_triangle(name: str) -> None:
    rows, entries = matrices.MATRICES[name]()
    assert all(0 <= j <= i < rows for i, j in entries) and all(entries[i, i] > 0 for i in range(rows))
    full = dense((rows, entries))
    scale = 1 / np.sqrt(np.diag(full))
    np.linalg.cholesky(full * scale[:, None] * scale)
    assert (rows, entries) == matrices.MATRICES[name](), "drawn anew, it must be the same"


def test_a_beam_bends_as_euler_and_bernoulli_state() -> None:
    full, length = dense(matrices.beam(20)), 20 * 0.05
    load = np.zeros(len(full))
    load[-3] = 1
    assert np.linalg.solve(full, load)[-3] == pytest.approx(length**3 / (3 * 2.1e11 * 1e-8), rel=1e-8)


def test_a_thin_plate_under_uniform_load_bends_as_navier_states() -> None:
    n, thickness = 20, 0.01
    free = [(x, y, u) for y in range(n + 1) for x in range(n + 1) for u in range(3)
            if not (u == 0 and (x in (0, n) or y in (0, n)))]
    full = dense(matrices.plate_of(n, thickness))
    assert len(full) == len(free)
    bent = np.linalg.solve(full, np.array([1 / n**2 if u == 0 else 0.0 for _, _, u in free]))
    series = sum(math.sin(a * math.pi / 2) * math.sin(b * math.pi / 2) / (a * b * (a * a + b * b) ** 2)
                 for a, b in itertools.product(range(1, 60, 2), repeat=2))
    expected = 16 / math.pi**6 * series * 12 * (1 - 0.3**2) / thickness**3
    assert bent[free.index((n // 2, n // 2, 0))] == pytest.approx(expected, rel=0.01)


def test_rigid_motions_and_uniform_strains_have_their_energy() -> None:
    element = np.array(matrices.elastic(3, [1.0, 2.0, 0.5], 0.3))
    corners = np.array([[(c >> d & 1) * size for d, size in enumerate((1.0, 2.0, 0.5))] for c in range(8)])
    largest = np.abs(element).max()
    for axis in np.eye(3):
        assert np.abs(element @ np.tile(axis, 8)).max() < 1e-13 * largest
        assert np.abs(element @ np.cross(axis, corners).ravel()).max() < 1e-13 * largest
    stretched = (corners * [1, 0, 0]).ravel()  # energy of a strain of 1 along x: (lambda + 2 mu) of the volume, which is 1
    assert stretched @ element @ stretched == pytest.approx(0.7 / (1.3 * 0.4), rel=1e-12)
    bending = np.array(matrices.plate([1.0, 0.5], 0.1, 0.3))
    places = corners[:4, :2] * [1, 0.25]
    for motion in ([(1, 0, 0)] * 4, [(y, 1, 0) for _, y in places], [(-x, 0, 1) for x, _ in places]):
        assert np.abs(bending @ np.array(motion, dtype=float).ravel()).max() < 1e-13 * np.abs(bending).max()


def test_a_matrix_is_written_with_all_digits(tmp_path: Path) -> None:
    matrices.write(tmp_path / "a.mtx", (2, {(0, 0): 0.1, (1, 0): -1 / 3, (1, 1): 2.0}), 2.0)
    assert (tmp_path / "a.mtx").read_text().splitlines()[1:] == ["2 2 3", "1 1 0.2", f"2 1 {-2 / 3!r}", "2 2 4.0"]
