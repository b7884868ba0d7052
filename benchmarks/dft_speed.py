"""Fourier transforms of plane waves on one core beside FFTW's own, messages of 8 bands beside messages of one, and Gram-Schmidt
beside dgemm, in turn.

    python3 benchmarks/dft_speed.py --build build/NAME [--rounds 21]

Waves are those of half of the grid's greatest wave number. Printed: each ratio with its target and floor, and the times that it
comes from. FFTW's time is the shorter of its transforms from one array to another and in place. Ratios of alltoalls are those of
medians, and, after a slash, of 10 % quantiles, which other load on the processors disturbs less. With 4 ranks the messages alone
are counted. The share of the subspace's eigenproblem is that of an iteration of 64 atoms of silicon at one k-point.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from in_turn import ENVIRONMENT, processor

GRIDS = (45, 90)
MERGED_GRIDS = (24, 45, 90)
MPI = ENVIRONMENT | {"OMP_WAIT_POLICY": "active", "OMPI_MCA_hwloc_base_binding_policy": "none",
                     "OMPI_MCA_rmaps_base_oversubscribe": "1"}
Figures = dict[str, Any]


def measured(build: Path, ranks: int, *words: str) -> Figures:
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, str(build / "benchmarks/planewave_speed"), *words], check=True, capture_output=True, text=True,
                          env=MPI, timeout=1200)
    figures: Figures = json.loads(done.stdout)
    return figures


def row(name: str, ratios: list[float], target: float, floor: float, times: str) -> str:
    word = "target" if ratios[0] <= target else "floor" if ratios[0] <= floor else "missed"
    return f"| {name} | {shown(ratios)} | {target:.2f} | {floor:.2f} | {word} | {times} |"


def shown(ratios: list[float]) -> str:
    return " / ".join(f"{ratio:.2f}" for ratio in ratios)


def local(build: Path, points: int, rounds: int) -> list[str]:
    found = measured(build, 1, "local", str(points), str(rounds))
    rows = []
    for ours, theirs in (("to_points", "fftw_backward"), ("to_waves", "fftw_forward")):
        peer = min(found[theirs], found[f"{theirs}_in_place"])
        rows.append(row(f"{points}^3 points, {ours} over FFTW's transform", [found[ours] / peer], 1.10, 1.30,
                        f"{found[ours]:.3g} and {peer:.3g} ms"))
    return rows


def merged(build: Path, points: int, rows: int, columns: int, rounds: int) -> list[str]:
    found = measured(build, rows * columns, "merged", str(points), str(rows), str(columns), str(rounds))
    name = f"{points}^3 points, {rows} x {columns} ranks, 8 bands a message over 1"
    ratios = {key: [a / b for a, b in zip(found[f"{key}_8"], found[f"{key}_1"], strict=True)] for key in ("alltoall", "transforms")}
    times = {key: f"{found[f'{key}_8'][0]:.4g} and {found[f'{key}_1'][0]:.4g} us a band" for key in ratios}
    return [row(f"{name}: alltoall of {found['bytes'] / 1e3:.3g} kB a band", ratios["alltoall"], 0.75, 0.90, times["alltoall"]),
            f"| {name}: transform there and back | {shown(ratios['transforms'])} | | | | {times['transforms']} |"]


def gram_schmidt(build: Path, block: int, rounds: int) -> str:
    words = [str(build / "benchmarks/gram_schmidt_speed"), "640", "20480", str(block), str(rounds)]
    found: Figures = json.loads(subprocess.run(words, check=True, capture_output=True, text=True, env=MPI, timeout=1200).stdout)
    ratio = found["gram_schmidt"] / found["dgemm"]
    word = "target" if ratio >= 0.85 else "floor" if ratio >= 0.75 else "missed"
    return (f"| Gram-Schmidt of 640 bands on 20,480 points in blocks of {block} over dgemm, rates | {ratio:.2f} | 0.85 | 0.75 | {word} | "
            f"{found['gram_schmidt']} and {found['dgemm']} GFLOP/s |")


def eigenproblem(build: Path) -> str:
    with tempfile.TemporaryDirectory() as name:
        record = Path(name) / "record.jsonl"
        subprocess.run([str(build / "checks/planewave/planewave"), "--repeat", "2,2,2", "--cut_off", "12", "--kpoints", "1,1,1", "--converge",
                        "false", "--repetitions", "3", "--threads", "1", "--record", str(record)], check=True, capture_output=True,
                       env=MPI, timeout=1200)
        lines: list[Figures] = [json.loads(line) for line in record.read_text().splitlines()]
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    ns = {paths[line["section"]]: median(line["ns"]) for line in lines if line["type"] == "series"}
    bands = next(line["value"] for line in lines if line["type"] == "value" and line["name"] == "bands")
    return f"replicated eigenproblem of {2 * bands:.0f} bands and directions: {100 * ns['iteration/eigen'] / ns['iteration']:.1f} % of an iteration"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=21)
    asked = parser.parse_args()
    build = asked.build.resolve()
    print(f"{processor()}; {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}; "
          f"medians of {asked.rounds} rounds\n")
    print("| ratio | | target | floor | reached | times |\n| --- | --- | --- | --- | --- | --- |", flush=True)
    for points in GRIDS:
        print("\n".join(local(build, points, asked.rounds)), flush=True)
    for points in MERGED_GRIDS:
        for rows, columns in ((1, 2), (2, 1)):
            print("\n".join(merged(build, points, rows, columns, asked.rounds)), flush=True)
    for block in (64, 256):
        print(gram_schmidt(build, block, asked.rounds), flush=True)
    print(f"\n{eigenproblem(build)}", flush=True)
    for rows, columns in ((1, 4), (2, 2), (4, 1)):
        found = measured(build, 4, "merged", "24", str(rows), str(columns), "1")
        print(f"\n{rows} x {columns} ranks: {found['messages_8']} messages of a rank for a transform of 8 bands; "
              f"{8 * found['messages_8']} where each band has its messages", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
