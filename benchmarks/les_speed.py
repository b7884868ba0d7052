"""Kernels of the check les in turn with reads of the same bytes, and its sums of shared nodes beside a copy.

    python3 benchmarks/les_speed.py --build build/NAME [--cells 64] [--turns 21] [--write]

One and two threads. A turn runs every kernel once; figures are medians of the turns. --write writes checks/les/measured.md;
else it is printed.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from in_turn import ENVIRONMENT, launched, processor, timed, values


PAGE = Path(__file__).resolve().parents[1] / "checks/les/measured.md"
Kernels = dict[str, tuple[float, int]]  # seconds, bytes


def kernels(build: Path, cells: int, turns: int, threads: int) -> Kernels:
    done = subprocess.run([str(build / "benchmarks/les_speed"), str(cells), str(turns)], check=True, capture_output=True, text=True,
                          env=ENVIRONMENT | {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "close"}, timeout=1200)
    lines = (line.split() for line in done.stdout.splitlines())
    return {name: (float(seconds), int(count)) for name, seconds, count in lines}


def ratios(of: Kernels) -> list[tuple[str, float, str, str]]:
    """Figure, value, target and floor of a run."""
    seconds = {name: one[0] for name, one in of.items()}
    rate = of["read_pair"][1] / seconds["read_pair"]
    cells = of["random"][1] / (2 * 96 + 40)  # about: integrals and vectors of an element
    best = min("gather", "fused", key=lambda name: seconds[name])
    lines = cells * 24 * 64  # of the cache: one a velocity
    return [
        ("matrix product, share of the rate of reads", of["ax"][1] / seconds["ax"] * seconds["read_matrix"] / of["read_matrix"][1],
         "0.75", "0.60"),
        *((f"{name}, time over the bytes of its formula at the rate of reads", seconds[name] * rate / of[name][1], "1.5", "2.0")
          for name in ("gather", "fused")),
        (f"best pair ({best}) over scatter", seconds[best] / seconds["scatter"], "0.60", "0.75"),
        ("fused over gather", seconds["fused"] / seconds["gather"], "", ""),
        ("assembled over the best pair", seconds["assembled"] / seconds[best], "", ""),
        ("random over natural order (gather)", seconds["random"] / seconds["gather"], "", ""),
        ("the same by the model of cache lines", 1 + lines / of["gather"][1], "", ""),
    ]


def sums(build: Path, cells: int, copy_rate: float) -> tuple[float, float]:
    """Pack and unpack of shared nodes on two ranks over a copy of the same bytes; and their share of ddcomx."""
    lines = launched(build / "checks/les/les", "--cells", f"{cells},{cells},{cells}", "--repetitions", 5, ranks=2)
    series, figures = timed(lines), values(lines)
    ns = {path: median(series[f"loop/blk/ddcomx{path}"]["ns"]) for path in ("", "/pack", "/unpack")}
    calls = median(series["loop/blk/ddcomx"]["calls"])
    products = 2 * figures["pressure_iterations"] + 2  # sums of three fields; the others are of one
    moved = figures["shared_nodes_bytes"] * (products + (calls - products) / 3)
    both = ns["/pack"] + ns["/unpack"]
    return both * 1e-9 / (2 * 2 * moved / copy_rate), both / ns[""]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--cells", type=int, default=64)
    parser.add_argument("--turns", type=int, default=21)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    os.environ.update(ENVIRONMENT)
    build = asked.build.resolve()
    runs = {threads: kernels(build, asked.cells, asked.turns, threads) for threads in (1, 2)}
    rows = [f"| {name} | {one:.2f} | {two:.2f} | {target} | {floor} |"
            for (name, one, target, floor), (_, two, _, _) in zip(ratios(runs[1]), ratios(runs[2]), strict=True)]
    copy = runs[1]["copy"][1] / runs[1]["copy"][0]
    over, share = sums(build, asked.cells, copy)
    rows.append(f"| pack and unpack on two ranks over a copy of the same bytes | {over:.2f} | | 2 | 3 |")
    rows.append(f"| the same, share of ddcomx | {share:.2f} | | | |")
    times = [f"| {name} | {seconds * 1e3:.3g} | {count / seconds * 1e-9:.3g} | {runs[2][name][0] * 1e3:.3g} | "
             f"{runs[2][name][1] / runs[2][name][0] * 1e-9:.3g} |" for name, (seconds, count) in runs[1].items()]
    page = "\n".join((
        "# les, measured", "", "Made by `benchmarks/les_speed.py`; do not edit.", "",
        f"- Processor: {processor()}",
        f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}",
        f"- Command: `python3 benchmarks/les_speed.py --build BUILD --cells {asked.cells} --turns {asked.turns}`",
        f"- {asked.cells}^3 elements, single precision; medians of {asked.turns} turns", "",
        "| ratio | one thread | two threads | target | floor |", "| --- | --- | --- | --- | --- |", *rows, "",
        "| kernel | ms | GB/s | ms, two threads | GB/s |", "| --- | --- | --- | --- | --- |", *times, "",
    ))
    if asked.write:
        PAGE.write_text(page, encoding="utf-8")
    else:
        print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
