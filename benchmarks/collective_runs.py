"""Collective operations, run several times: do their medians repeat? And the barrier beside a loop written by hand.

    python3 benchmarks/collective_runs.py --build build/NAME [--mpirun mpirun] [--runs 5] [--seconds 1] [--page FILE]

As benchmarks/micro_runs.py does it, whose limits and words it takes; each run is one launch of mpi_collectives on all cores.
Needs a build with the tests (-DTENKEN_TESTS=ON), and the mpirun of the MPI that it was built with.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from micro_runs import CPUS, LIMITS, Figure, Lines, processor, row, series

QUIET = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
         "OMPI_MCA_hwloc_base_binding_policy": "none"}


def completed(path: str) -> Callable[[Lines], float]:
    """Microseconds a call: of each repetition the last rank, median over repetitions."""
    def read(lines: Lines) -> float:
        number = series(lines, path)["section"]
        last: dict[int, float] = {}
        for line in (one for one in lines if one["type"] == "series" and one["section"] == number):
            for repetition, calls, ns in zip(line["repetition"], line["calls"], line["ns"], strict=True):
                if repetition >= 0:
                    last[repetition] = max(last.get(repetition, 0.0), ns / calls)
        return median(last.values()) / 1000
    return read


def figures() -> list[Figure]:
    latency = ["barrier", "allreduce/8", "window_barrier", *(f"window_{name}/4" for name in
               ("bcast", "allreduce", "reduce", "allgatherv", "alltoall", "neighbour"))]
    large = [f"window_{name}/1048576" for name in ("bcast", "allreduce", "alltoall")]
    return ([Figure(path, "us", "latency", completed(path)) for path in latency]
            + [Figure(path, "us", "bandwidth of memory", completed(path)) for path in large])


def launch(words: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, env=os.environ | QUIET, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done


def record(asked: argparse.Namespace, folder: Path) -> Lines:
    path = folder / "record.jsonl"
    program = asked.build / "checks" / "mpi_collectives" / "mpi_collectives"
    options = ["--threads", "1", "--seconds", str(asked.seconds), "--record", str(path)]
    launch([asked.mpirun, "-n", str(CPUS), str(program), *options])
    lines: Lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if line["type"] == "validity" and not line["value"] <= line["limit"]:
            sys.exit(f"mpi_collectives: the proof {line['name']} does not hold: {line['value']}")
    return lines


def by_hand(asked: argparse.Namespace) -> list[str]:
    program = str(asked.build / "benchmarks" / "collective_barrier_by_hand")
    found = [json.loads(launch([asked.mpirun, "-n", str(CPUS), program, "301"]).stdout) for _ in range(asked.runs)]
    rows = [(one["by_check_us"], one["by_hand_us"]) for one in found]
    ratio = median(check / hand for check, hand in rows)
    return [f"| {check:.4f} | {hand:.4f} | {check / hand:.3f} |" for check, hand in rows] + [f"| | median | {ratio:.3f} |"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run")
    parser.add_argument("--page", type=Path, help="where to write; else it is printed")
    asked = parser.parse_args()
    if asked.runs < 2:
        parser.error("--runs must be 2 at least")
    start = datetime.datetime.now(datetime.timezone.utc)
    with tempfile.TemporaryDirectory() as name:
        records = [record(asked, Path(name)) for _ in range(asked.runs)]
    ends = [row(figure, records) for figure in figures()]
    counted = {word: sum(end == word for _, end in ends) for word in ("repeats", "excused", "does not repeat")}
    options = f"--runs {asked.runs} --seconds {asked.seconds:g}"
    text = ["# Do the medians of collective operations repeat?", "", "Made by `benchmarks/collective_runs.py`; do not edit.", "",
            f"- Processor: {processor()}", f"- MPI and compiler: {records[0][0]['environment']['mpi']}",
            f"- Command: `python3 benchmarks/collective_runs.py --build BUILD {options}`",
            f"- Date: {start:%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f} at its end", "",
            "Each figure is the median of one launch on all cores, until the last rank is done. Limits: "
            + f"latency {100 * LIMITS['latency']:.0f} %, large messages {100 * LIMITS['bandwidth of memory']:.0f} %.",
            "Unlike core-to-core modes or others' load excuse a figure beyond its limit, and are named.", "",
            "| figure | unit | runs | farthest | limit | the set | met |", "| --- | --- | --- | --- | --- | --- | --- |",
            *(shown for shown, _ in ends), "", "| " + " | ".join(counted) + " |", "| --- | --- | --- |",
            "| " + " | ".join(map(str, counted.values())) + " |", "", "## Barrier in a row and by hand", "",
            "Medians of 301 rounds in turn, us a barrier: a sample of mpi_collectives, and a loop of 1,000 barriers. Target of the",
            "ratio: 1.05.", "", "| as timed | by hand | ratio |", "| --- | --- | --- |", *by_hand(asked), ""]
    page = "\n".join(text)
    if asked.page is None:
        print(page)
    else:
        asked.page.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
