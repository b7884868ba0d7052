"""Tenken's stream triad and dgemm against HPC Challenge (`apt install hpcc`), interleaved on the same cores.

    python3 benchmarks/hpcc_peer.py --build build/NAME [--pairs 10]

Both programs run on 2 ranks with one thread each, bound alike, with the same OpenBLAS, array size and matrix order (those
that hpcc derives from the order of its HPL matrix), plain stores and the pages that the system gives to any program.
The statistic is hpcc's own: StarSTREAM triad = best of 9 sweeps after the first, each timed until the last rank is done,
decimal GB/s of one rank; StarDGEMM = one multiplication, mean over the ranks. Printed: the median of the ratios
Tenken / hpcc over the pairs, with its 95 % interval. Half of the pairs run hpcc first, so that a drift of the
machine cancels. An hpcc run takes about half a minute on two quiet cores, most of it in RandomAccess, which cannot be left out.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from in_turn import ENVIRONMENT, Lines, answer, bounds, launched

RANKS = 2
SWEEPS = 10  # NTIMES of hpcc's STREAM; its first sweep is left out
MPIRUN = ["mpirun.openmpi", "-n", str(RANKS), "--bind-to", "core"]

# Lines of hpccinf.txt: value, then what it is. One HPL of order N in a 1 x 2 grid; everything else as in the example of the package.
INPUT = """HPLinpack benchmark input file
one short run
HPL.out  output file name
8        device out
1        number of problem sizes
{order}  Ns
1        number of NBs
192      NBs
0        process mapping: by rows
1        number of process grids
1        Ps
2        Qs
16.0     threshold
1        number of panel factorisations
2        PFACTs
1        number of stopping criteria
4        NBMINs
1        number of panels in recursion
2        NDIVs
1        number of recursive panel factorisations
1        RFACTs
1        number of broadcasts
1        BCASTs
1        number of look-ahead depths
1        DEPTHs
2        SWAP
64       swapping threshold
0        L1 transposed
0        U transposed
1        equilibration
8        alignment in doubles
#####
0        additional problem sizes for PTRANS
1200     values of N
0        additional blocking sizes for PTRANS
40       values of NB
"""


def run(command: Sequence[object], folder: Path) -> str:
    return answer(command, folder, ENVIRONMENT | {"OPENBLAS_NUM_THREADS": "1"})


def hpcc(folder: Path, order: int) -> dict[str, float]:
    """Figures of the summary section that are numbers, by name."""
    (folder / "hpccinf.txt").write_text(INPUT.format(order=order))
    output = folder / "hpccoutf.txt"
    output.unlink(missing_ok=True)
    run([*MPIRUN, "hpcc"], folder)
    figures: dict[str, float] = {}
    for line in output.read_text().splitlines():
        name, equals, value = line.partition("=")
        try:
            figures[name] = float(value) if equals else 0.0
        except ValueError:
            continue
    return figures


def tenken(build: Path, check: str, *arguments: str) -> Lines:
    """The record of a launch on both ranks whose proofs hold."""
    return launched(build / "checks" / check / check, *arguments, "--threads", 1, ranks=RANKS,
                    environment=ENVIRONMENT | {"OPENBLAS_NUM_THREADS": "1"}, mpirun=("mpirun.openmpi", "--bind-to", "core"))


def times(lines: Lines, path: str) -> list[list[int]]:
    """Nanoseconds of each repetition of a section, rank by rank."""
    number = next(s["id"] for s in lines[0]["sections"] if s["path"] == path)
    return [line["ns"] for line in lines if line["type"] == "series" and line["section"] == number]


def triad_rate(build: Path, elements: int) -> float:
    lines = tenken(build, "stream", "--size", str(8 * elements), "--repetitions", str(SWEEPS), "--page_size", "any")
    slowest = [max(each) for each in zip(*times(lines, "triad/1"), strict=True)]
    return 24.0 * elements / min(slowest[1:])


def dgemm_rate(build: Path, order: int) -> float:
    lines = tenken(build, "dgemm", "--n", str(order), "--repetitions", "1")
    return statistics.fmean(2.0 * order**3 / ns[0] for ns in times(lines, "multiply/1"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the environment to compare")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--order", type=int, default=5600, help="order of hpcc's HPL matrix; arrays have order^2/6 elements")
    options = parser.parse_args()
    build = options.build.resolve()
    ratios: dict[str, list[float]] = {"triad GB/s": [], "dgemm GFLOP/s": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = hpcc(folder, options.order)  # also a warm-up: nothing of it is used but the sizes
        elements, order = int(sizes["STREAM_VectorSize"]), int(sizes["DGEMM_N"])
        print(f"arrays of {elements} elements, matrices of order {order}, {RANKS} ranks, {options.pairs} pairs")
        for pair in range(options.pairs):
            theirs = hpcc(folder, options.order) if pair % 2 == 0 else {}
            ours = {"triad GB/s": triad_rate(build, elements), "dgemm GFLOP/s": dgemm_rate(build, order)}
            theirs = theirs or hpcc(folder, options.order)
            known = {"triad GB/s": theirs["StarSTREAM_Triad"], "dgemm GFLOP/s": theirs["StarDGEMM_Gflops"]}
            for what, rate in ours.items():
                ratios[what].append(rate / known[what])
            print(f"pair {pair + 1}:", *(f"{what} {ours[what]:.2f} / {known[what]:.2f} = {ratios[what][-1]:.3f}" for what in ours),
                  sep="  ", flush=True)
    for what, each in ratios.items():
        print(f"{what}: median of {len(each)} ratios Tenken / hpcc and its 95 % interval: {bounds(each)}")


if __name__ == "__main__":
    main()
