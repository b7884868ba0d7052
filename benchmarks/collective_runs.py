"""Messages and collective operations, run several times: do their medians repeat? (how it is decided: repeated.py)

    python3 benchmarks/collective_runs.py --build build/NAME [--mpirun mpirun] [--runs 5] [--sets 5] [--seconds 1] [--page FILE]
    python3 benchmarks/collective_runs.py --build build/NAME --beside 4 --page docs/measured/collectives-loud.md

A run is one launch of mpi_pt2pt on two ranks and one of mpi_collectives on all cores. Then the barrier as mpi_collectives
times it in a row beside a loop of 1,000 barriers written by hand. Needs a build with the tests (-DTENKEN_TESTS=ON), and the
mpirun of the MPI that it was built with.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from repeated import (
    CPUS, Figure, Lines, Outcome, barriers, checked, outcome, page, parser, per_call, rate,
    require_proofs, rounds, series,
)

QUIET = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
         "OMPI_MCA_hwloc_base_binding_policy": "none"}
LARGE = 1048576
BY_HAND = "benchmarks/collective_barrier_by_hand"


def completed(path: str) -> Callable[[Lines], float]:
    """Microseconds a call: of each repetition the last rank, median over repetitions."""
    def read(lines: Lines) -> float:
        number = series(lines, path)["section"]
        last: dict[int, float] = {}
        for line in (one for one in lines if one["type"] == "series" and one["section"] == number):
            for repetition, calls, ns in zip(line["repetition"], line["calls"], line["ns"], strict=True):
                if repetition >= 0 and calls > 0:
                    last[repetition] = max(last.get(repetition, 0.0), ns / calls)
        return median(last.values()) / 1000
    return read


def planned() -> list[tuple[str, int, tuple[str, ...], list[Figure]]]:
    """Check, ranks, options, figures."""
    messages = [
        Figure("message of 8 bytes, one way", "us", "latency", per_call("exchange/8")),
        Figure("message of 8 bytes in windows", "us", "latency", per_call("one_way/8")),
        Figure("1 MiB there and back", "us", "bandwidth of messages", per_call(f"exchange/{LARGE}")),
        Figure("1 MiB in windows", "GB/s", "bandwidth of messages", rate(f"one_way/{LARGE}", "bytes_written")),
        Figure("1 MiB both ways", "GB/s", "bandwidth of messages", rate(f"both_ways/{LARGE}", "bytes_written")),
    ]
    small = ["barrier", "allreduce/8", "window_barrier", *(f"window_{name}/4" for name in
             ("bcast", "allreduce", "reduce", "allgatherv", "alltoall", "neighbour"))]
    large = [f"window_{name}/{LARGE}" for name in ("bcast", "allreduce", "alltoall")]
    collectives = [*(Figure(path, "us", "latency", completed(path)) for path in small),
                   *(Figure(path, "us", "bandwidth of messages", completed(path)) for path in large)]
    return [("mpi_pt2pt", 2, ("--variant", "nonblocking", "--sizes", f"8,{LARGE}", "--partners", "1"), messages),
            ("mpi_collectives", CPUS, ("--threads", "1"), collectives)]


def launch(words: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, env=os.environ | QUIET, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done


def record(asked: argparse.Namespace, folder: Path, check: str, ranks: int, options: tuple[str, ...]) -> Lines:
    path = folder / "record.jsonl"
    program = str(asked.build / "checks" / check / check)
    launch([asked.mpirun, "-n", str(ranks), program, *options, "--seconds", str(asked.seconds), "--record", str(path)])
    lines: Lines = [json.loads(line) for line in path.read_text().splitlines()]
    require_proofs(check, lines)
    return lines


def one_set(asked: argparse.Namespace) -> list[Outcome]:
    checks = planned()
    with tempfile.TemporaryDirectory() as name:
        found = rounds(asked, [partial(record, asked, Path(name), *one[:3]) for one in checks])
    return [outcome(figure, [each[place] for each in found]) for place, one in enumerate(checks) for figure in one[3]]


def by_hand(asked: argparse.Namespace) -> list[str]:
    program = str(asked.build / BY_HAND)
    found = [json.loads(launch([asked.mpirun, "-n", str(CPUS), program, "301"]).stdout) for _ in range(asked.runs)]
    return barriers("a sample of mpi_collectives", [(one["by_check_us"], one["by_hand_us"]) for one in found])


def main() -> int:
    options = parser(__doc__)
    options.add_argument("--mpirun", default="mpirun")
    asked = checked(options, [BY_HAND, *(f"checks/{check}/{check}" for check, *_ in planned())])
    said = subprocess.run([asked.mpirun, "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()
    page("Do the medians of messages and collective operations repeat?", "collective_runs.py", asked, [f"- MPI: {said[0]}"],
         lambda: one_set(asked), lambda: by_hand(asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
