"""The check iccg against PETSc (`apt install petsc-dev`), in turn on the same cores, with 2 MiB pages for both.

    python3 benchmarks/solvers_peer.py --build build/NAME [--rounds 3] [--size 128] [--table FILE] [--matrices FILE]

Each round runs PETSc (conjugate gradients, block Jacobi with ICC(0), a rank a core), Tenken's variant `rm_reduction` (the paper's
structure) and `best` (as many threads). The threads of ours then sum memory of the same working set; shares of that rate are of medians.
All solve the Poisson equation to the same true residual 1e-8. Half of the rounds go the other way round. Printed, and written as a table: medians with least and greatest.

The time of an iteration is the 10 % quantile of those of one solve, and the time to solution that times their number: what others on
the machine take away lengthens single iterations, and there are hundreds. The times to solution as they passed stand below.

Then the iterations of both on the small matrices of checks/iccg/matrices.py, to the same true residual, written to --matrices. `--rounds
0` prints these alone. PETSc for Python makes its part (petsc_icc.py).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Ratio, what it is of, target and floor; the first two are times of PETSc over ours, the third of best's rate over the read rate.
GOALS = {
    "PETSc / rm_reduction, time an iteration": (1.6, 1.3),
    "PETSc / best, time to solution": (2.5, 2.0),
    "best, share of the read rate": (0.70, 0.55),
    "rm_reduction, share of the read rate": (None, None),
    "rm_reduction / best, time to solution": (None, None),
}
TREE = Path(__file__).resolve().parent.parent
ENVIRONMENT = {
    **os.environ,
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def petsc_program(folder: Path, source: str = "petsc_cg.c") -> Path:
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc"], capture_output=True, text=True, check=False)
    if found.returncode != 0 or shutil.which("mpicc.openmpi") is None:
        sys.exit("PETSc or Open MPI's mpicc is not there; install them with: apt install petsc-dev pkg-config libopenmpi-dev")
    program = folder / Path(source).stem
    run(["mpicc.openmpi", "-O2", str(TREE / "benchmarks" / source), "-o", str(program), *found.stdout.split()], ENVIRONMENT)
    return program


def petsc(program: Path, cores: int, size: int) -> dict[str, float]:
    pages = ENVIRONMENT | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    command = ["mpirun.openmpi", "-n", str(cores), "--bind-to", "core", str(program), "-n", str(size)]
    figures = [float(word) for word in run([*command, "-pc_type", "bjacobi", "-sub_pc_type", "icc"], pages).split()]
    return {"iterations": figures[0], "passed": figures[1], "residual_true": figures[2], "median_ms": 1e3 * figures[3],
            "ms": 1e3 * figures[4], "time_to_solution": figures[0] * figures[4]}


def record(build: Path, folder: Path, check: str, arguments: list[str]) -> list[dict[str, Any]]:
    path = folder / f"{check}.jsonl"
    run([str(build / "checks" / check / check), *arguments, "--record", str(path)], ENVIRONMENT)
    return [json.loads(line) for line in path.read_text().splitlines()]


def tenken(build: Path, folder: Path, variant: str, cores: int, size: int) -> dict[str, float]:
    lines = record(build, folder, "iccg", ["--variant", variant, "--threads", str(cores), "--size", f"{size},{size},{size}",
                                           "--seconds", "1", "--stretch", "1", "--read", "true"])
    for line in lines:
        if line["type"] == "validity" and not float(line["value"]) <= float(line["limit"]):
            sys.exit(f"iccg {variant}: the proof {line['name']} does not hold: {line['value']}")
    of_record = {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}
    times = sorted(ns / calls for ns, calls in samples(lines, "iteration"))
    ms = times[len(times) // 10] / 1e6
    for section in lines[0]["sections"]:
        series = [line for line in lines if line["type"] == "series" and line["section"] == section["id"]]
        if section["path"].startswith("iteration/") and series:
            parts = sorted(series[0]["ns"])
            of_record[section["path"] + " ms"] = parts[len(parts) // 10] / 1e6
    return of_record | {"passed": of_record["time_to_solution"], "median_ms": statistics.median(times) / 1e6, "ms": ms,
                        "time_to_solution": of_record["iterations"] * ms / 1e3}


def samples(lines: list[dict[str, Any]], path: str) -> list[tuple[float, float]]:
    """Nanoseconds and calls of a section, repetition by repetition."""
    number = next(s["id"] for s in lines[0]["sections"] if s["path"] == path)
    series = next(line for line in lines if line["type"] == "series" and line["section"] == number and line["repetition"] != [-1])
    return list(zip(series["ns"], series["calls"], strict=True))


def one_round(build: Path, folder: Path, program: Path, cores: int, size: int, backwards: bool) -> dict[str, dict[str, float]]:
    steps: dict[str, Callable[[], dict[str, float]]] = {
        "PETSc": lambda: petsc(program, cores, size),
        "rm_reduction": lambda: tenken(build, folder, "rm_reduction", cores, size),
        "best": lambda: tenken(build, folder, "best", cores, size),
    }
    results = {name: step() for name, step in (reversed(steps.items()) if backwards else steps.items())}
    for name, result in results.items():
        if name != "PETSc":
            # Medians of one launch: the rate of the iterations, and of its threads reading as much as the working set.
            result["gbs"] = result["bytes_a_row"] * size**3 / result["median_ms"] / 1e6
            result["read_gbs"] = result["read_rate"] / 1e9
    return results


def ratios(results: dict[str, dict[str, float]]) -> dict[str, float]:
    peer, paper, best = results["PETSc"], results["rm_reduction"], results["best"]
    return dict(zip(GOALS, (peer["ms"] / paper["ms"],
                            peer["time_to_solution"] / best["time_to_solution"], best["gbs"] / best["read_gbs"],
                            paper["gbs"] / paper["read_gbs"], paper["time_to_solution"] / best["time_to_solution"]), strict=True))


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.4g} | {min(values):.4g} to {max(values):.4g}"


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def headline(title: str, command: str, cores: int) -> list[str]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=TREE, capture_output=True, text=True, check=False)
    return [f"# {title}", "", "Generated; do not edit.", "", f"- Processor: {processor()}, {cores} cores",
            f"- Date: {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d %H:%M} UTC, commit {commit.stdout.strip()}", f"- Command: `{command}`"]


def table(rounds: list[dict[str, dict[str, float]]], command: str, cores: int, size: int) -> str:
    lines = [*headline("iccg against PETSc", command, cores), "",
             f"Mesh of {size}^3 cells, {len(rounds)} rounds in turn, true residual 1e-8, 2 MiB pages; PETSc on {cores} ranks, Tenken on as "
             "many threads. Times of an iteration are 10 % quantiles of one solve.", "",
             "| ratio | median | least to greatest | target | floor |", "|---|---|---|---|---|"]
    of_rounds = [ratios(results) for results in rounds]
    for name, (target, floor) in GOALS.items():
        goal = f"{target} | {floor}" if target else "- | -"
        lines.append(f"| {name} | {spread([each[name] for each in of_rounds])} | {goal} |")
    lines += ["", "| program | figure | median | least to greatest |", "|---|---|---|---|"]
    names = {"iterations": "iterations", "time_to_solution": "time to solution [s]", "passed": "as it passed [s]",
             "ms": "an iteration, 10 % quantile [ms]", "median_ms": "median [ms]",
             "bytes_a_row": "compulsory bytes a row and iteration", "gbs": "of these, GB/s",
             "read_gbs": "read rate of the same working set, GB/s", "working_set_bytes": "working set [B]",
             "residual_true": "true residual"}
    for program, first in rounds[0].items():
        for figure, title in (names | {name: f"`{name.split()[0]}` [{name.split()[1]}]" for name in first if "/" in name}).items():
            if figure in rounds[0][program]:
                lines.append(f"| {program} | {title} | {spread([results[program][figure] for results in rounds])} |")
    return "\n".join(lines) + "\n"


def matrices(build: Path, folder: Path, command: str) -> str:
    """The table of the small matrices."""
    sys.path.insert(0, str(TREE / "checks" / "iccg"))
    from matrices import MATRICES, write

    peers = [json.loads(line) for line in run([sys.executable, str(TREE / "benchmarks" / "petsc_icc.py")], ENVIRONMENT).splitlines()]
    lines = [*headline("iccg against PETSc on matrices of users", command, len(os.sched_getaffinity(0))), "",
             "Iterations and true residual, to |b - A x| <= 1e-8 |b| with b = A 1: PETSc with ICC(0) and its default shift; iccg with levels",
             "(in the matrix's order) and with colours (PETSc: on the permuted matrix).", "",
             "| matrix | rows | levels | shift | PETSc | colours | shift | PETSc, permuted |", "|---|---|---|---|---|---|---|---|"]
    for peer in peers:
        path = folder / "matrix.mtx"
        write(path, MATRICES[peer["name"]]())
        ours = []
        for colouring in ("levels", "auto"):
            found = record(build, folder, "iccg", ["--matrix", str(path), "--colouring", colouring, "--repetitions", "1", "--stretch", "1"])
            values = {line["name"]: float(line["value"]) for line in found if line["type"] == "value"}
            ours.append(f"{values['iterations']:.0f}, {values['residual_true']:.2g} | {values['shift']:g}")
        lines.append(f"| {peer['name']} | {peer['rows']} | {ours[0]} | {peer['iterations']}, {peer['residual']:.2g} | {ours[1]} | "
                     f"{peer['iterations_coloured']}, {peer['residual_coloured']:.2g} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the environment to compare")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=128, help="cells a side")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--table", type=Path, help="file to write the table to")
    parser.add_argument("--matrices", type=Path, help="file to write the table of the small matrices to")
    options = parser.parse_args()
    build = options.build.resolve()
    rounds: list[dict[str, dict[str, float]]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        of_matrices = matrices(build, folder, "python3 benchmarks/solvers_peer.py --build build/NAME --rounds 0")
        print(of_matrices, end="", flush=True)
        if options.matrices:
            options.matrices.write_text(of_matrices)
        if options.rounds == 0:
            return
        program = petsc_program(folder)
        for number in range(options.rounds):
            rounds.append(one_round(build, folder, program, options.cores, options.size, number % 2 == 1))
            print(f"round {number + 1}:", *(f"{what} {value:.3f}" for what, value in ratios(rounds[-1]).items()), sep="  ", flush=True)
    command = f"python3 benchmarks/solvers_peer.py --build build/NAME --rounds {options.rounds} --size {options.size}"
    text = table(rounds, command, options.cores, options.size)
    print(text, end="")
    if options.table:
        options.table.write_text(text)


if __name__ == "__main__":
    main()
