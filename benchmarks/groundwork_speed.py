"""What checks share against the best that is known of it: exchange by lists, sparse matrix times vector.

    python3 benchmarks/groundwork_speed.py --build build/NAME [--starts 7] [--page docs/measured/groundwork.md]

Each start runs, one after the other: exchange_speed with 7 ranks (six faces each) and with 2 (one face each), for faces of 8 KiB,
64 KiB and 1 MiB, by lists and by hand-written persistent requests in turn; and sell_speed, the SELL product of the Poisson matrix
on 128^3 cells and reading as many bytes in turn. A start gives the ratio of two medians. The page holds the median over the starts
with its 95 % interval, the processor, the date and the command. Needs a build with the tests (-DTENKEN_TESTS=ON).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

from in_turn import bounds, processor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))


ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
SIZES = ((8, 100), (64, 20), (1024, 2))  # KiB of a face, exchanges in a burst
RANKS = (7, 2)
ROUNDS = 11
CELLS = 128


def answer(command: list[str], threads: int) -> dict:
    environment = os.environ | ENVIRONMENT | {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "active"}
    done = subprocess.run(command, check=True, capture_output=True, env=environment, timeout=120)
    return json.loads(done.stdout)


def exchanges(programs: Path, mpiexec: str) -> dict[str, float]:
    """Time by lists over time by hand."""
    ratios = {}
    for ranks in RANKS:
        for kib, burst in SIZES:
            found = answer([mpiexec, "-n", str(ranks), str(programs / "exchange_speed"), str(kib * 1024), str(burst), str(ROUNDS)], 1)
            faces = f"{found['faces']} face{'s' if found['faces'] > 1 else ''} of {kib} KiB, {ranks} ranks"
            ratios[f"{faces}, sent from where they lie"] = found["bound"] / found["bound_by_hand"]
            ratios[f"{faces}, packed"] = found["packed"] / found["packed_by_hand"]
    return ratios


def product(programs: Path, threads: int) -> tuple[str, float, dict]:
    """Rate of the product over the rate of reading."""
    found = answer([str(programs / "sell_speed"), str(CELLS), str(ROUNDS)], threads)
    name = f"SELL-{found['c']} product, {CELLS}^3 Poisson, double, {threads} thread{'s' if threads > 1 else ''}"
    return name, found["product"] / found["read"], found


def page(times: dict[str, list[float]], rates: dict[str, list[float]], last: dict, command: str) -> str:
    head = ["| | median | 95 % interval | target | floor |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([
        "# What checks share, measured", "",
        "Made by `benchmarks/groundwork_speed.py`; do not edit.", "",
        f"- Processor: {processor()}", f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- Command: `{command}`", "",
        "Time of an exchange by lists over that of hand-written persistent requests, in turn. Where there are more ranks than",
        "processors, ranks take turns on them, in both.", "",
        *head, *(f"| {name} | {bounds(ratios)} | 1.05 | 1.15 |" for name, ratios in times.items()), "",
        "Rate of the product's compulsory bytes over the rate of reading as many, in turn. In the last start:",
        f"{last['product']:.1f} of {last['read']:.1f} GB/s, {last['bytes'] / 1e6:.0f} MB, fill {last['fill']:.3f}.", "",
        *head, *(f"| {name} | {bounds(ratios)} | 0.70 | 0.55 |" for name, ratios in rates.items()), ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--starts", type=int, default=7)
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--page", type=Path, help="where to write; else it is printed")
    asked = parser.parse_args()
    programs = asked.build / "benchmarks"
    times: dict[str, list[float]] = {}
    rates: dict[str, list[float]] = {}
    found: dict = {}
    for _ in range(asked.starts):
        for name, ratio in exchanges(programs, asked.mpiexec).items():
            times.setdefault(name, []).append(ratio)
        for threads in sorted({1, len(os.sched_getaffinity(0))}):
            name, ratio, found = product(programs, threads)
            rates.setdefault(name, []).append(ratio)
    text = page(times, rates, found, f"python3 benchmarks/groundwork_speed.py --build BUILD --starts {asked.starts}")
    if asked.page is None:
        print(text)
    else:
        asked.page.parent.mkdir(parents=True, exist_ok=True)
        asked.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
