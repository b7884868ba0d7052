"""Elasticity against PETSc, in turn: the same matrix, preconditioner, load and tolerance, to the same true residual.

    python3 benchmarks/elasticity_peer.py --build build/NAME [--rounds 3] [--nodes 65] [--large 129] [--page FILE]

PETSc stores the matrix as 3 x 3 blocks (BAIJ) and inverts the diagonal blocks (pbjacobi). Each round starts PETSc and the check on 1
rank, then both on all cores, the check also with threads. Every second round goes backwards. All proofs of the check must hold. The
time to solution is that of an iteration times their number. The time of an iteration is the 10 % quantile over one start, because
other load only lengthens iterations, and there are hundreds. `--large` solves once with so many nodes a side, on all threads.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from in_turn import ENVIRONMENT, answer, finish, head, in_turn, launched, parser, per_call, spread, timed, values
from solvers_peer import petsc_program

TARGET, FLOOR = 1.4, 1.2  # times of PETSc over ours
NAMES = {"iterations": "iterations", "true_residual": "true residual", "time_to_solution": "time to solution [s]",
         "passed": "as it passed [s]", "ms": "an iteration, 10 % quantile [ms]", "median_ms": "median [ms]"}
Figures = dict[str, float]


PAGES = ENVIRONMENT | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "OMP_WAIT_POLICY": "active"}


def petsc(program: Path, ranks: int, nodes: int) -> Figures:
    launcher = ["mpirun.openmpi", "-n", ranks, "--bind-to", "core" if ranks > 1 else "none"]
    words = answer([*launcher, program, "-n", nodes, "-pc_type", "pbjacobi"], None, PAGES).split()
    iterations, passed, residual, median, quantile = map(float, words)
    return {"iterations": iterations, "passed": passed, "true_residual": residual, "median_ms": 1e3 * median, "ms": 1e3 * quantile,
            "time_to_solution": iterations * quantile}


def tenken(program: Path, ranks: int, threads: int, nodes: int) -> Figures:
    lines = launched(program, "--nodes", f"{nodes},{nodes},{nodes}", "--threads", threads, "--seconds", 15, ranks=ranks,
                     environment=PAGES, mpirun=("mpirun.openmpi", "--bind-to", "core"))
    of = values(lines)
    times = sorted(per_call(timed(lines)["cg"]))
    ms = times[len(times) // 10] / 1e6
    return {"iterations": of["iterations"], "passed": of["time_to_solution"], "true_residual": of["true_residual"],
            "median_ms": statistics.median(times) / 1e6, "ms": ms, "time_to_solution": of["iterations"] * ms / 1e3}


def ways(peer: Path, ours: Path, nodes: int, cores: int) -> dict[str, Callable[[], Figures]]:
    found: dict[str, Callable[[], Figures]] = {}
    for ranks in sorted({1, cores}):
        name = f"{ranks} rank{'s' if ranks > 1 else ''}"
        found |= {f"PETSc, {name}": partial(petsc, peer, ranks, nodes), f"tenken, {name}": partial(tenken, ours, ranks, 1, nodes)}
    if cores > 1:
        found[f"tenken, {cores} threads"] = partial(tenken, ours, 1, cores, nodes)
    return found


def ratios(found: Mapping[str, Figures]) -> dict[str, float]:
    """Time to solution of PETSc over ours, for each way of ours."""
    ratio = {}
    for name, figures in found.items():
        if name.startswith("tenken"):
            count = name.split()[1]
            peer = found[f"PETSc, {count} rank{'s' if count != '1' else ''}"]
            ratio[name.removeprefix("tenken, ")] = peer["time_to_solution"] / figures["time_to_solution"]
    return dict(sorted(ratio.items()))


def table(rounds: list[dict[str, Figures]], nodes: int) -> list[str]:
    each = [ratios(found) for found in rounds]
    lines = [f"## {nodes}^3 nodes", "",
             "| PETSc / tenken, time to solution | median | least to greatest | target | floor |", "|---|---|---|---|---|",
             *(f"| {name} | {spread([ratio[name] for ratio in each])} | {TARGET} | {FLOOR} |" for name in each[0]), "",
             "| program | figure | median | least to greatest |", "|---|---|---|---|"]
    for program in sorted(rounds[0]):
        lines += [f"| {program} | {title} | {spread([found[program][figure] for found in rounds])} |" for figure, title in NAMES.items()]
    return [*lines, ""]


def large(ours: Path, nodes: int, cores: int) -> list[str]:
    figures = tenken(ours, 1, cores, nodes)
    return [f"## {nodes}^3 nodes, once, {cores} threads", "", "| figure | tenken |", "|---|---|",
            *(f"| {title} | {figures[figure]:.4g} |" for figure, title in NAMES.items()), ""]


def main() -> None:
    typed = parser(__doc__, 3)
    typed.add_argument("--nodes", type=int, default=65, help="nodes a side")
    typed.add_argument("--large", type=int, default=0, help="nodes a side of a single solve; 0 for none")
    typed.add_argument("--page", type=Path, help="file to write the page to")
    asked = typed.parse_args()
    cores = len(os.sched_getaffinity(0))
    ours = asked.build.resolve() / "checks" / "elasticity" / "elasticity"
    with tempfile.TemporaryDirectory() as name:
        each = ways(petsc_program(Path(name), "petsc_elasticity.c"), ours, asked.nodes, cores)
        rounds = in_turn(each, asked.rounds, lambda of: "  ".join(f"{name} {ratio:.3f}" for name, ratio in ratios(of).items()))
        single = large(ours, asked.large, cores) if asked.large else []
    command = f"python3 benchmarks/elasticity_peer.py --build BUILD --rounds {asked.rounds} --nodes {asked.nodes} --large {asked.large}"
    finish([*head("Elasticity against PETSc", command),
                      f"- Load average at the end: {os.getloadavg()[2]:.1f} over 15 minutes; {cores} is that of this program alone", "",
                      f"{asked.rounds} rounds in turn, to the residual 1e-8 |b|, 2 MiB pages. PETSc: CG on a matrix of 3 x 3 blocks (BAIJ)",
                      "with the inverses of its diagonal blocks, on as many ranks as tenken has ranks or threads. Times of an iteration",
                      "are 10 % quantiles of one start.", "", *table(rounds, asked.nodes), *single], asked.page)


if __name__ == "__main__":
    main()
