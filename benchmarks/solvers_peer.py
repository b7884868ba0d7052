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
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from in_turn import ENVIRONMENT, TREE, answer, head, in_turn, launched, per_call, spread, timed, values


# Ratio, what it is of, target and floor; the first two are times of PETSc over ours, the third of best's rate over the read rate.
GOALS = {
    "PETSc / rm_reduction, time an iteration": (1.6, 1.3),
    "PETSc / best, time to solution": (2.5, 2.0),
    "best, share of the read rate": (0.70, 0.55),
    "rm_reduction, share of the read rate": (None, None),
    "rm_reduction / best, time to solution": (None, None),
}


def petsc_program(folder: Path, source: str = "petsc_cg.c") -> Path:
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc"], capture_output=True, text=True, check=False)
    if found.returncode != 0 or shutil.which("mpicc.openmpi") is None:
        sys.exit("PETSc or Open MPI's mpicc is not there; install them with: apt install petsc-dev pkg-config libopenmpi-dev")
    program = folder / Path(source).stem
    answer(["mpicc.openmpi", "-O2", TREE / "benchmarks" / source, "-o", program, *found.stdout.split()])
    return program


def petsc(program: Path, cores: int, size: int) -> dict[str, float]:
    pages = ENVIRONMENT | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    command = ["mpirun.openmpi", "-n", str(cores), "--bind-to", "core", str(program), "-n", str(size)]
    figures = [float(word) for word in answer([*command, "-pc_type", "bjacobi", "-sub_pc_type", "icc"], None, pages).split()]
    return {"iterations": figures[0], "passed": figures[1], "residual_true": figures[2], "median_ms": 1e3 * figures[3],
            "ms": 1e3 * figures[4], "time_to_solution": figures[0] * figures[4]}


def tenken(build: Path, variant: str, cores: int, size: int) -> dict[str, float]:
    lines = launched(build / "checks/iccg/iccg", "--variant", variant, "--threads", cores, "--size", f"{size},{size},{size}",
                     "--seconds", 1, "--stretch", 1, "--read", "true")
    of_record, sections = values(lines), timed(lines)
    times = sorted(per_call(sections["iteration"]))
    ms = times[len(times) // 10] / 1e6
    for path, one in sections.items():
        if path.startswith("iteration/"):
            parts = sorted(one["ns"])
            of_record[path + " ms"] = parts[len(parts) // 10] / 1e6
    # Medians of one launch: the rate of the iterations, and of its threads reading as much as the working set.
    of_record |= {"gbs": of_record["bytes_a_row"] * size**3 / statistics.median(times), "read_gbs": of_record["read_rate"] / 1e9}
    return of_record | {"passed": of_record["time_to_solution"], "median_ms": statistics.median(times) / 1e6, "ms": ms,
                        "time_to_solution": of_record["iterations"] * ms / 1e3}


def all_rounds(build: Path, program: Path, cores: int, size: int, rounds: int) -> list[dict[str, dict[str, float]]]:
    steps: dict[str, Callable[[], dict[str, float]]] = {
        "PETSc": lambda: petsc(program, cores, size),
        "rm_reduction": lambda: tenken(build, "rm_reduction", cores, size),
        "best": lambda: tenken(build, "best", cores, size),
    }
    return in_turn(steps, rounds, lambda results: "  ".join(f"{name} {result['ms']:.3g} ms" for name, result in results.items()))


def ratios(results: dict[str, dict[str, float]]) -> dict[str, float]:
    peer, paper, best = results["PETSc"], results["rm_reduction"], results["best"]
    return dict(zip(GOALS, (peer["ms"] / paper["ms"],
                            peer["time_to_solution"] / best["time_to_solution"], best["gbs"] / best["read_gbs"],
                            paper["gbs"] / paper["read_gbs"], paper["time_to_solution"] / best["time_to_solution"]), strict=True))


def table(rounds: list[dict[str, dict[str, float]]], command: str, cores: int, size: int) -> str:
    lines = [*head("iccg against PETSc", command), "",
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

    peers = [json.loads(line) for line in answer([sys.executable, TREE / "benchmarks" / "petsc_icc.py"]).splitlines()]
    lines = [*head("iccg against PETSc on matrices of users", command), "",
             "Iterations and true residual, to |b - A x| <= 1e-8 |b| with b = A 1: PETSc with ICC(0) and its default shift; iccg with levels",
             "(in the matrix's order) and with colours (PETSc: on the permuted matrix).", "",
             "| matrix | rows | levels | shift | PETSc | colours | shift | PETSc, permuted |", "|---|---|---|---|---|---|---|---|"]
    for peer in peers:
        path = folder / "matrix.mtx"
        write(path, MATRICES[peer["name"]]())
        ours = []
        for colouring in ("levels", "auto"):
            of = values(launched(build / "checks/iccg/iccg", "--matrix", path, "--colouring", colouring, "--repetitions", 1, "--stretch", 1))
            ours.append(f"{of['iterations']:.0f}, {of['residual_true']:.2g} | {of['shift']:g}")
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
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        of_matrices = matrices(build, folder, "python3 benchmarks/solvers_peer.py --build build/NAME --rounds 0")
        print(of_matrices, end="", flush=True)
        if options.matrices:
            options.matrices.write_text(of_matrices)
        if options.rounds == 0:
            return
        program = petsc_program(folder)
        rounds = all_rounds(build, program, options.cores, options.size, options.rounds)
    command = f"python3 benchmarks/solvers_peer.py --build build/NAME --rounds {options.rounds} --size {options.size}"
    text = table(rounds, command, options.cores, options.size)
    print(text, end="")
    if options.table:
        options.table.write_text(text)


if __name__ == "__main__":
    main()
