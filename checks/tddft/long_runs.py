"""What takes minutes: a film of silicon against its own dielectric function, and epsilon of silicon against perturbation theory."""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

LIGHT_SPEED = 137.035999
HARTREE_EV = 27.211386

CRYSTAL = ("--coarse", "true", "--grid", "12,12,12", "--kpoints", "2,2,2", "--reduction", "4", "--ground_state", "1e-9", "--dt", "0.08",
           "--steps", "4000")
STEP_A = 0.002
POINTS, SPACING, VACUUM = 4, 12.0, 2
# The transforms are taken at w + i ETA: what rings on after the end then counts for nothing, and no window is needed. So few
# k-points let a constant A drive a current, under which A of a film grows; more slowly than this.
ETA = 1.0 / HARTREE_EV

# 12 fs. STATIC: epsilon at zero by density functional perturbation theory (ABINIT 9.6.2) of the same cell, pseudopotential and
# k-points, plane waves up to 12 Hartree as on this grid.
SILICON = ("--grid", "16,16,16", "--kpoints", "4,4,4", "--reduction", "8", "--ground_state", "1e-8", "--pulse", "step",
           "--step_a", "0.005", "--dt", "0.12", "--steps", "4135")
STATIC, OFF = 14.3, 0.05


def record(program: str, *arguments: str, without: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """The lines of a run whose proofs all pass, except those named in `without`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        done = subprocess.run([program, *arguments, "--record", str(path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    broken = {line["name"] for line in lines if line["type"] == "validity" and not float(line["value"]) <= line["limit"]}
    assert broken <= without, broken
    return lines


def tables(program: str, *arguments: str, without: frozenset[str] = frozenset()) -> dict[str, np.ndarray]:
    lines = record(program, *arguments, without=without)
    return {line["name"]: np.array(line["values"]) for line in lines if line["type"] == "table"}


def transform(t: np.ndarray, values: np.ndarray, w: complex) -> complex:
    weights = np.full(len(t), t[1] - t[0])
    weights[0] /= 2
    return complex(np.sum(weights * values * np.exp(1j * w * t)))


def film_of_silicon(program: str) -> None:
    """Amplitudes that a film reflects and lets through, by Fresnel from the response of one cell."""
    t, _, current = tables(program, *CRYSTAL, "--pulse", "step", "--step_a", str(STEP_A))["current"].T
    film = ("--macro_points", str(POINTS), "--macro_spacing", str(SPACING), "--macro_vacuum", str(VACUUM))
    light = ("--photon", "5", "--pulse_length", "1.5", "--intensity", "1e9")
    # Damped transforms at w + i ETA replace the decay that the proofs of the table `reflectance` ask for.
    seen = tables(program, *CRYSTAL, *film, *light, without=frozenset({"decay", "growth", "reflectance"}))["light"]
    for energy in np.arange(3.0, 7.01, 0.5):
        w = energy / HARTREE_EV + 1j * ETA
        epsilon = 1 + 4j * math.pi / w * transform(t, current, w) / STEP_A
        n = np.sqrt(epsilon)
        face = (1 - n) / (1 + n)
        once = np.exp(1j * w * n * POINTS * SPACING / LIGHT_SPEED)
        whole = 1 - (face * once) ** 2
        way = np.exp(1j * w * (2 * VACUUM - 1) * SPACING / LIGHT_SPEED)  # there and back, or what is not film, in vacuum
        incident, reflected, transmitted = (transform(seen[:, 0], seen[:, column], w) for column in (1, 2, 3))
        for name, found, expected in (("reflected", reflected, face * (1 - once**2) / whole * way),
                                      ("transmitted", transmitted, (1 - face**2) * once / whole * way)):
            off = abs(found / incident / expected - 1)
            print(f"film of silicon, {energy:.1f} eV: |epsilon| {abs(epsilon):.2f}, {name} {abs(expected):.4f}, off by {off:.4f}")
            assert off < 0.02, (energy, name, off)


def silicon(program: str) -> None:
    """Epsilon of silicon: its static limit against perturbation theory, and its peak."""
    lines = record(program, *SILICON)
    static = next(line["value"] for line in lines if line["type"] == "value" and line["name"] == "epsilon_at_zero")
    curve = np.array(next(line["values"] for line in lines if line["type"] == "table" and line["name"] == "dielectric"))
    peak = curve[np.argmax(curve[:, 2]), 0]
    print(f"silicon: epsilon at zero is {static:.2f}, {STATIC} by perturbation theory; Im epsilon is greatest at {peak:.1f} eV")
    assert abs(static / STATIC - 1) < OFF, static
    assert 3 <= peak <= 4, peak
    low = curve[curve[:, 0] < 2.0, 1]
    assert np.all(np.diff(low) > -0.05 * STATIC), low  # below the gap Re epsilon rises with energy


def run_all(program: str) -> int:
    """Prints and returns like tests/programs.py."""
    failed = 0
    tests = (film_of_silicon, silicon)
    for test in tests:
        try:
            test(program)
        except AssertionError as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}")
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0
