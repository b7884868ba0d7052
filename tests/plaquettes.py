"""Mean plaquettes of the heat bath against the literature: `plaquettes.py PROGRAM TABLE HISTORIES [--reuse]`.

Runs PROGRAM (qcd_history) for independent seeds at each coupling, keeps the plaquette of every sweep in the folder
HISTORIES, writes TABLE (Markdown) and a line `plaquettes: …: passed|FAILED` for each coupling. Exit code 1 when one
failed. With --reuse, histories that are there and complete are not made again.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

THERMALISATION = 100
BIN = 50  # sweeps; many autocorrelation times
SEEDS = (1, 2, 3, 4)
LEAST = 0.0002  # what is allowed at least: the last digit of the literature, and finite volume

HEADING = f"""# Plaquettes of the heat bath

Made by `./tenken test --long` (`tests/plaquettes.py`); do not edit. Seeds {", ".join(map(str, SEEDS))}: each so many
sweeps of one heat bath and four over-relaxations from uniform links, without the first {THERMALISATION}. The error
is that of the mean of bins of {BIN} sweeps; tau is the integrated autocorrelation time in sweeps that
the error implies (1/2 = none). The larger of 4 errors and {LEAST} is allowed.

| beta | lattice | sweeps | plaquette | error | tau | literature | difference | allowed | verdict |
|---|---|---|---|---|---|---|---|---|---|
"""
SOURCES = """
Literature: at beta = 1 the strong-coupling series beta/18 + beta^2/216 - 5 beta^4/93312 (J.-M.
Drouffe, J.-B. Zuber, Phys. Rep. 102 (1983) 1). At 5.7 and 6.0 large-volume simulations (such as
those tabulated by QCDSF-UKQCD, hep-ph/0502212), to the digits that such lattices resolve. At 6.0 a
lattice of 8^4 is near its deconfining transition and 0.0005 too high; 12^4 is not.
"""


@dataclass(frozen=True, slots=True)
class Coupling:
    beta: float
    literature: float
    extent: int = 8
    sweeps: int = 700


COUPLINGS = (Coupling(1.0, 1 / 18 + 1 / 216 - 5 / 93312), Coupling(5.7, 0.549), Coupling(6.0, 0.5937, extent=12, sweeps=400))


@dataclass(frozen=True, slots=True)
class Mean:
    value: float
    error: float  # standard deviation of the value, from bins
    tau: float  # sweeps


def binned(histories: list[NDArray[np.float64]], width: int) -> Mean:
    """Mean of several independent histories; a history's last incomplete bin is left out."""
    bins = np.concatenate([h[: len(h) // width * width].reshape(-1, width) for h in histories])
    means = bins.mean(axis=1)
    error = means.std(ddof=1) / np.sqrt(len(means))
    naive = bins.std(ddof=1) / np.sqrt(bins.size)
    return Mean(float(means.mean()), float(error), float((error / naive) ** 2 / 2))


def history(program: str, coupling: Coupling, seed: int, folder: Path, reuse: bool) -> NDArray[np.float64]:
    path = folder / f"beta_{coupling.beta}_extent_{coupling.extent}_seed_{seed}.txt"
    lines = path.read_text().split() if reuse and path.exists() else []
    if len(lines) != coupling.sweeps:
        command = [program, str(coupling.beta), str(coupling.extent), str(seed), str(coupling.sweeps)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        path.write_text("\n".join(lines) + "\n")
    return np.array([float(line) for line in lines])


def row(coupling: Coupling, mean: Mean) -> tuple[str, bool]:
    difference, allowed = mean.value - coupling.literature, max(4 * mean.error, LEAST)
    passed = abs(difference) <= allowed
    cells = (f"{coupling.beta}", f"{coupling.extent}^4", f"{coupling.sweeps}", f"{mean.value:.5f}", f"{mean.error:.5f}",
             f"{mean.tau:.1f}", f"{coupling.literature:.4f}", f"{difference:+.5f}", f"{allowed:.5f}", "agrees" if passed else "DISAGREES")
    return "| " + " | ".join(cells) + " |\n", passed


def main(argv: list[str]) -> int:
    program, table, folder = argv[1], Path(argv[2]), Path(argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    text, failures = HEADING, 0
    for coupling in COUPLINGS:
        made = [history(program, coupling, seed, folder, "--reuse" in argv)[THERMALISATION:] for seed in SEEDS]
        line, passed = row(coupling, binned(made, BIN))
        text += line
        failures += not passed
        print(f"plaquettes: beta {coupling.beta}: {'passed' if passed else 'FAILED'}", flush=True)
    table.write_text(text + SOURCES)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
