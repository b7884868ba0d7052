"""Elasticity against PETSc, in turn: the same matrix, preconditioner, load and tolerance, to the same true residual.

    python3 benchmarks/elasticity_peer.py --build build/NAME [--rounds 3] [--nodes 65] [--large 129] [--page FILE]

PETSc stores the matrix as 3 x 3 blocks (BAIJ) and inverts the diagonal blocks (pbjacobi). Each round starts PETSc and the check on 1
rank, then both on all cores, the check also with threads. Every second round goes backwards. All proofs of the check must hold. The
time to solution is that of an iteration times their number. The time of an iteration is the 10 % quantile over one start, because
other load only lengthens iterations, and there are hundreds. `--large` solves once with so many nodes a side, on all threads.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from pathlib import Path

from solvers_peer import ENVIRONMENT, headline, petsc_program, run, samples, spread

TARGET, FLOOR = 1.4, 1.2  # times of PETSc over ours
NAMES = {"iterations": "iterations", "true_residual": "true residual", "time_to_solution": "time to solution [s]",
         "passed": "as it passed [s]", "ms": "an iteration, 10 % quantile [ms]", "median_ms": "median [ms]"}
Figures = dict[str, float]


def start(program: list[str], ranks: int) -> str:
    pages = ENVIRONMENT | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "OMP_WAIT_POLICY": "active"}
    return run(["mpirun.openmpi", "-n", str(ranks), "--bind-to", "core" if ranks > 1 else "none", *program], pages)


def petsc(program: Path, ranks: int, nodes: int) -> Figures:
    words = start([str(program), "-n", str(nodes), "-pc_type", "pbjacobi"], ranks).split()
    iterations, passed, residual, median, quantile = map(float, words)
    return {"iterations": iterations, "passed": passed, "true_residual": residual, "median_ms": 1e3 * median, "ms": 1e3 * quantile,
            "time_to_solution": iterations * quantile}


def tenken(program: Path, folder: Path, ranks: int, threads: int, nodes: int) -> Figures:
    path = folder / "elasticity.jsonl"
    start([str(program), "--nodes", f"{nodes},{nodes},{nodes}", "--threads", str(threads), "--seconds", "15", "--record", str(path)], ranks)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for proof in (line for line in lines if line["type"] == "validity"):
        error = proof["value"] if proof["mode"] == "max" else abs(proof["value"] - proof["expected"])
        if not error <= proof["limit"]:
            raise SystemExit(f"{nodes}^3 nodes, {ranks} ranks: the proof {proof['name']} does not hold: {proof['value']}")
    values = {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}
    times = sorted(ns / calls for ns, calls in samples(lines, "cg"))
    ms = times[len(times) // 10] / 1e6
    return {"iterations": values["iterations"], "passed": values["time_to_solution"], "true_residual": values["true_residual"],
            "median_ms": statistics.median(times) / 1e6, "ms": ms, "time_to_solution": values["iterations"] * ms / 1e3}


def one_round(peer: Path, ours: Path, folder: Path, nodes: int, cores: int, backwards: bool) -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    for ranks in sorted({1, cores}, reverse=backwards):
        name = f"{ranks} rank{'s' if ranks > 1 else ''}"
        for which in ("tenken", "PETSc") if backwards else ("PETSc", "tenken"):
            found[f"{which}, {name}"] = petsc(peer, ranks, nodes) if which == "PETSc" else tenken(ours, folder, ranks, 1, nodes)
    if cores > 1:
        found[f"tenken, {cores} threads"] = tenken(ours, folder, 1, cores, nodes)
    return found


def ratios(found: dict[str, Figures]) -> dict[str, float]:
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


def large(ours: Path, folder: Path, nodes: int, cores: int) -> list[str]:
    figures = tenken(ours, folder, 1, cores, nodes)
    return [f"## {nodes}^3 nodes, once, {cores} threads", "", "| figure | tenken |", "|---|---|",
            *(f"| {title} | {figures[figure]:.4g} |" for figure, title in NAMES.items()), ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the environment to compare")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=65, help="nodes a side")
    parser.add_argument("--large", type=int, default=0, help="nodes a side of a single solve; 0 for none")
    parser.add_argument("--page", type=Path, help="file to write the page to")
    asked = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    ours = asked.build.resolve() / "checks" / "elasticity" / "elasticity"
    rounds: list[dict[str, Figures]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peer = petsc_program(folder, "petsc_elasticity.c")
        for number in range(asked.rounds):
            rounds.append(one_round(peer, ours, folder, asked.nodes, cores, number % 2 == 1))
            print(f"round {number + 1}:", *(f"{what} {value:.3f}" for what, value in ratios(rounds[-1]).items()), sep="  ", flush=True)
        single = large(ours, folder, asked.large, cores) if asked.large else []
    command = f"python3 benchmarks/elasticity_peer.py --build BUILD --rounds {asked.rounds} --nodes {asked.nodes} --large {asked.large}"
    text = "\n".join([*headline("Elasticity against PETSc", command, cores),
                      f"- Load average at the end: {os.getloadavg()[2]:.1f} over 15 minutes; {cores} is that of this program alone", "",
                      f"{asked.rounds} rounds in turn, to the residual 1e-8 |b|, 2 MiB pages. PETSc: CG on a matrix of 3 x 3 blocks (BAIJ)",
                      "with the inverses of its diagonal blocks, on as many ranks as tenken has ranks or threads. Times of an iteration",
                      "are 10 % quantiles of one start.", "", *table(rounds, asked.nodes), *single])
    print(text)
    if asked.page:
        asked.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
