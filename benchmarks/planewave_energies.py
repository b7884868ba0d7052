"""Total energies in plane waves beside ABINIT's, and the ground state on a grid in real space beside both.

    python3 benchmarks/planewave_energies.py --build build/NAME [--ranks 2] [--real_space]

Prints the table of checks/planewave/README.md: crystals, cut-offs and functionals of which ABINIT 9.6.2 has the total with the
same pseudopotentials and k-points. --real_space adds silicon on 32^3 points in real space (minutes more).
"""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path
from typing import Any

from in_turn import launched, processor


CASES = [("si", 12, "perdew_zunger"), ("si", 20, "perdew_zunger"), ("si", 35, "perdew_zunger"), ("si", 35, "pade"), ("c", 40, "perdew_zunger"),
         ("c", 60, "perdew_zunger"), ("c", 90, "perdew_zunger"), ("sic", 40, "perdew_zunger")]
# ABINIT 9.6.2 with 31ga.3.hgh and 33as.5.hgh, 2^3 k-points: pseudopotentials with l = 2 and three projectors, read from a file.
EXAMPLES = Path(__file__).resolve().parents[1] / "checks/planewave/examples"
GALLIUM_ARSENIDE = {15: -34.634235, 20: -34.640644}
NAMES = {"si": "Si", "c": "C, diamond", "sic": "SiC"}


def energies(lines: list[dict[str, Any]]) -> dict[str, float]:
    found = next(line for line in lines if line["type"] == "table" and line["name"] == "energies")
    return {row: value[0] for row, value in zip(found["rows"], found["values"], strict=True)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--real_space", action="store_true")
    asked = parser.parse_args()
    program = asked.build / "checks/planewave/planewave"
    print(f"{datetime.date.today()}, {processor()}, {asked.ranks} ranks.\n")
    print("| crystal | cut-off, Ha | functional | total, Ha a cell | ABINIT 9.6.2 | difference, mHa |\n|---|---|---|---|---|---|")
    def shown(name: str, cut_off: int, functional: str, total: float, abinit: float) -> None:
        print(f"| {name} | {cut_off} | {functional} | {total:.6f} | {abinit:.6f} | {1000 * (total - abinit):+.3f} |", flush=True)

    totals = {}
    for crystal, cut_off, functional in CASES:
        found = energies(launched(program, "--crystal", crystal, "--cut_off", cut_off, "--functional", functional, "--reduction",
                                  1 if crystal == "sic" else 8, "--repetitions", 1, ranks=asked.ranks))
        total, abinit = found["total"], found["total of ABINIT 9.6.2"]
        totals[crystal, cut_off, functional] = total
        shown(NAMES[crystal], cut_off, functional, total, abinit)
    for cut_off, abinit in GALLIUM_ARSENIDE.items():
        words = ["--input", str(EXAMPLES / "gallium_arsenide.toml"), "--pseudopotentials", str(EXAMPLES / "gallium_arsenide.gth")]
        found = energies(launched(program, *words, "--cut_off", cut_off, "--repetitions", 1, ranks=asked.ranks))
        shown("GaAs, 2^3 k-points", cut_off, "perdew_zunger", found["total"], abinit)
    if asked.real_space:
        words = ["--grid", "32,32,32", "--kpoints", "4,4,4", "--reduction", "8", "--steps", "1", "--pulse", "none", "--ground_state", "1e-6"]
        lines = launched(asked.build / "checks/tddft/tddft", *words, ranks=asked.ranks)
        total = next(line["value"] for line in lines if line["type"] == "value" and line["name"] == "ground_state_energy")
        waves = totals["si", 35, "perdew_zunger"]
        print(f"| Si, 32^3 points in real space | | perdew_zunger | {total:.6f} | {waves:.6f} (plane waves, 35 Ha) | {1000 * (total - waves):+.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
