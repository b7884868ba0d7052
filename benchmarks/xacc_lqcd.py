"""The Wilson operator that xacc makes of xacc/examples/lqcd against the one by hand with MPI and against serial, in turn.

    python3 benchmarks/xacc_lqcd.py [--lattice 16] [--pairs 10] [--flags=-O3\\ -march=native]

All programs are the example's, built with the same compiler and flags; halos are equally wide. A pair runs the two programs one
after the other, every other pair the other way round, each bound to cores. Printed: medians of the ratios with their 95 %
bootstrap intervals, for one rank and for two along each axis, and of reflect_do without its barrier against with it on eight, and the processor, the date and the command.
"""

from __future__ import annotations

import argparse
import datetime
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from in_turn import MPI as ENVIRONMENT, processor

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "xacc" / "examples" / "lqcd"
GRIDS = ((1, 1), (2, 1), (1, 2))  # ranks along t and z
RANKS_NOWAIT = 8


def seconds(command: list[str], folder: Path, times: int) -> float:
    """Of one application of the operator, as the program prints it."""
    done = subprocess.run([*command, "1", str(times)], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    found = re.search(r"^operator (\S+) s$", done.stdout, re.MULTILINE)
    if done.returncode or not found:
        sys.exit(f"{shlex.join(command)} failed: {done.stdout[-500:]}{done.stderr[-500:]}")
    return float(found.group(1))


def interval(ratios: list[float]) -> tuple[float, float]:
    """95 % of the medians of samples drawn from the ratios."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[-51]


def compare(name: str, one: list[str], other: list[str], folder: Path, pairs: int, times: int) -> None:
    ratios = []
    for n in range(pairs):
        order = (one, other) if n % 2 == 0 else (other, one)
        got = {id(command): seconds(command, folder, times) for command in order}
        ratios.append(got[id(one)] / got[id(other)])
    low, high = interval(ratios)
    print(f"| {name} | {statistics.median(ratios):.3f} | {low:.3f} to {high:.3f} |", flush=True)


def against_hand(build: Callable[[list[str]], None], folder: Path, pairs: int, times: int) -> None:
    build(["mpicc", "-std=gnu11", str(EXAMPLE / "lqcd.c"), "-o", "serial"])
    for t, z in GRIDS:
        build(["mpicc", "-std=gnu11", f"-DNODES_T={t}", f"-DNODES_Z={z}", str(EXAMPLE / "lqcd_mpi.c"), "-o", f"hand{t}{z}"])
        build([str(ROOT / "xacc" / "xacc"), "cc", f"-DNODES_Z={z}", str(EXAMPLE / "lqcd_xacc.c"), "-o", f"xacc{t}{z}"])
    run = ["mpirun", "--bind-to", "core", "-n"]
    compare("hand / serial, 1 rank", [*run, "1", "./hand11"], [*run, "1", "./serial"], folder, pairs, times)
    compare("xacc / serial, 1 rank", [*run, "1", "./xacc11"], [*run, "1", "./serial"], folder, pairs, times)
    for t, z in GRIDS:
        ranks = str(t * z)
        compare(f"xacc / hand, {t} x {z} ranks", [*run, ranks, f"./xacc{t}{z}"], [*run, ranks, f"./hand{t}{z}"], folder, pairs, times)


def with_and_without_nowait(build: Callable[[list[str]], None], folder: Path, pairs: int, times: int) -> None:
    source = (EXAMPLE / "lqcd_xacc.c").read_text(encoding="utf-8")
    (folder / "barrier.c").write_text(source.replace("reflect_do (in) acc nowait", "reflect_do (in) acc"), encoding="utf-8")
    for name, path in ("nowait", EXAMPLE / "lqcd_xacc.c"), ("barrier", folder / "barrier.c"):
        build([str(ROOT / "xacc" / "xacc"), "cc", "-DNODES_Z=2", str(path), "-o", name])
    run = ["mpirun", *(["--oversubscribe"] if (os.cpu_count() or 1) < RANKS_NOWAIT else ["--bind-to", "core"]), "-n", str(RANKS_NOWAIT)]
    compare(f"nowait / with the barrier, {RANKS_NOWAIT} ranks", [*run, "./nowait"], [*run, "./barrier"], folder, pairs, times)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lattice", type=int, default=16, help="sites along each axis (16)")
    parser.add_argument("--pairs", type=int, default=10, help="pairs of runs of each comparison (10)")
    parser.add_argument("--times", type=int, default=12, help="pairs of applications in one run (12)")
    parser.add_argument("--flags", default="-O3 -march=native", help="for the compiler")
    parser.add_argument("--only", choices=("hand", "nowait"), help="against the program by hand and serial, or with and without nowait")
    given = parser.parse_args()
    flags = [*given.flags.split(), *(f"-DN{axis}={given.lattice}" for axis in "TZYX")]
    with tempfile.TemporaryDirectory(prefix="xacc-lqcd-") as name:
        folder = Path(name)

        def build(words: list[str]) -> None:
            done = subprocess.run([*words, *flags, "-lm"], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{shlex.join(words)} failed:\n{done.stderr}")

        command = shlex.join(["python3", "benchmarks/xacc_lqcd.py", *sys.argv[1:]])
        print("# xacc_lqcd, measured\n\nPrinted by `benchmarks/xacc_lqcd.py`; do not edit.\n")
        print(f"- Processor: {processor()}\n- Date: {datetime.date.today()}\n- Command: `{command}`\n")
        print("| seconds of the operator | median ratio | 95 % interval |\n|---|---|---|")
        if given.only != "nowait":
            against_hand(build, folder, given.pairs, given.times)
        if given.only != "hand":
            with_and_without_nowait(build, folder, given.pairs, given.times)
    return 0


if __name__ == "__main__":
    sys.exit(main())
