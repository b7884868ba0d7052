"""Speed of real-time TDDFT on one core: stencil, non-local part and the rest, against multiply-adds and the compiler's loops, in turn.

    python3 benchmarks/tddft_speed.py --build build/NAME [--rounds 7] [--cells si,sio2] [--write checks/tddft/measured.md]

Each round runs, one after the other: multiply-adds (check fma_peak), a few time steps of each cell with each variant, all on one
core. Printed for each ratio: the median over rounds of the ratio of medians, its quartiles, and the median of the same of undisturbed
repetitions (5 % quantiles of the times). The ground state is stopped early: orbitals only have to be smooth for timing.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from in_turn import ACTIVE, launched, processor, timed, values as values_of

# sio2 at the time step of the check's own cases: at the default of 0.04 its Taylor expansion loses norm.
CELLS = {"si": ("--kpoints", "4,4,4", "--reduction", "8", "--steps", "8"),
         "sio2": ("--coarse", "true", "--kpoints", "1,1,1", "--steps", "4", "--dt", "0.01")}
EARLY = ("--ground_state_steps", "2", "--ground_state", "1")
PARTS = ("stencil", "nonlocal", "update", "density", "current", "allreduce", "hartree", "xc")
CONVENTION = 158  # flop a point


@dataclass(frozen=True)
class Times:
    """Of one section's repetitions, ns."""

    usual: float
    undisturbed: float


@dataclass(frozen=True)
class Run:
    times: dict[str, Times]
    flop: dict[str, float]  # a repetition
    values: dict[str, float]

    def rate(self, section: str) -> tuple[float, float]:
        """GFLOP/s by the medians, and undisturbed."""
        return self.flop[section] / self.times[section].usual, self.flop[section] / self.times[section].undisturbed


def run(program: Path, *arguments: str) -> Run:
    record = launched(program, *arguments, "--threads", 1, environment=ACTIVE)
    times, flop = {}, {}
    for path, line in timed(record).items():
        ns = sorted(line["ns"])
        times[path] = Times(median(ns), ns[len(ns) // 20])
        work = line["work"][0] if isinstance(line["work"], list) else line["work"]
        flop[path] = work["flop"]
    return Run(times, flop, values_of(record))


@dataclass
class Figure:
    """A ratio (or figure) in all rounds: usual, undisturbed."""

    unit: str
    usual: list[float]
    undisturbed: list[float]


def one_round(build: Path, cells: list[str], variants: list[str]) -> dict[str, tuple[str, float, float]]:
    found: dict[str, tuple[str, float, float]] = {}
    for cell in cells:
        peak = run(build / "checks/fma_peak/fma_peak", "--seconds", "0.3").rate("double")
        runs = {variant: run(build / "checks/tddft/tddft", "--cell", cell, *CELLS[cell], *EARLY, "--variant", variant)
                for variant in variants}
        best = runs[variants[0]]
        rate = best.rate("step/stencil")
        found[f"{cell}: multiply-adds of the core"] = ("GFLOP/s", *peak)
        found[f"{cell}: stencil, {CONVENTION} flop a point"] = ("GFLOP/s", *rate)
        found[f"{cell}: stencil"] = ("ns a point", CONVENTION / rate[0], CONVENTION / rate[1])
        found[f"{cell}: stencil / multiply-adds"] = ("%", 100 * rate[0] / peak[0], 100 * rate[1] / peak[1])
        for variant in variants[1:]:
            other = runs[variant].rate("step/stencil")
            found[f"{cell}: stencil, {variant}, {CONVENTION} flop a point"] = ("GFLOP/s", *other)
            found[f"{cell}: stencil, {variants[0]} / {variant}"] = ("1", rate[0] / other[0], rate[1] / other[1])
        stencil, other, step = (best.times[name] for name in ("step/stencil", "step/nonlocal", "step"))
        found[f"{cell}: non-local part / stencil"] = (
            "%", 100 * other.usual / stencil.usual, 100 * other.undisturbed / stencil.undisturbed)
        found[f"{cell}: all but Hamiltonian / step"] = (
            "%", 100 * (1 - (stencil.usual + other.usual) / step.usual),
            100 * (1 - (stencil.undisturbed + other.undisturbed) / step.undisturbed))
        for part in PARTS:
            one = best.times[f"step/{part}"]
            found[f"{cell}: share of {part}"] = ("%", 100 * one.usual / step.usual, 100 * one.undisturbed / step.undisturbed)
        for name, unit in (("vector_bytes", "bytes"), ("bands_of_a_block", "bands"), ("projector_points", "points"),
                           ("projector_radius", "Bohr")):
            found[f"{cell}: {name}"] = (unit, best.values[name], best.values[name])
    return found


def rows(figures: dict[str, Figure]) -> list[str]:
    lines = ["| figure | unit | median | quartiles | undisturbed |", "|---|---|---|---|---|"]
    for name, figure in figures.items():
        low, _, high = quantiles(figure.usual, n=4) if len(figure.usual) > 1 else [figure.usual[0]] * 3
        lines.append(f"| {name} | {figure.unit} | {median(figure.usual):.3g} | {low:.3g} to {high:.3g} "
                     f"| {median(figure.undisturbed):.3g} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cells", default="si,sio2")
    parser.add_argument("--variants", default="explicit,compiler,fortran", help="the first is compared with the others")
    parser.add_argument("--write", type=Path, help="file that the table is written to")
    asked = parser.parse_args()
    figures: dict[str, Figure] = {}
    for number in range(asked.rounds):
        for name, (unit, usual, undisturbed) in one_round(asked.build, asked.cells.split(","), asked.variants.split(",")).items():
            figure = figures.setdefault(name, Figure(unit, [], []))
            figure.usual.append(usual)
            figure.undisturbed.append(undisturbed)
        print(f"round {number + 1} of {asked.rounds}", file=sys.stderr, flush=True)
    table = rows(figures)
    print("\n".join(table))
    if asked.write is not None:
        shown = " ".join(Path(word).name if word == sys.argv[0] else word for word in sys.argv)
        load = os.getloadavg()[0]
        before = asked.write.read_text() if asked.write.exists() else ""
        rest = before[before.find("\n## "):] if "\n## " in before else ""  # of tddft_layouts.py
        asked.write.write_text("\n".join([
            "# tddft: measured", "",
            f"Generated {datetime.datetime.now(datetime.UTC):%Y-%m-%d} on {processor()}, {os.cpu_count()} processors, one of them used, "
            f"load {load:.1f} at the end, by `benchmarks/{shown}`. Medians and quartiles over {asked.rounds} rounds.", "", *table, ""]) + rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
