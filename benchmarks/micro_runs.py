"""The checks of cores, threads and memory, each run several times: do their medians repeat? (how it is decided: repeated.py)

    python3 benchmarks/micro_runs.py --build build/NAME [--runs 5] [--sets 5] [--seconds 1] [--page docs/measured/micro.md]
    python3 benchmarks/micro_runs.py --build build/NAME --beside 4 --page docs/measured/micro-loud.md

Then the barrier as omp_overheads times it beside a loop of 1,000 barriers written by hand. Needs a build with the tests
(-DTENKEN_TESTS=ON).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from repeated import (
    CPUS, Figure, Lines, Outcome, barriers, caches, checked, outcome, page, parser, per_call, rate,
    require_proofs, rounds, value,
)

BY_HAND = "benchmarks/barrier_by_hand"


@dataclass(frozen=True)
class Runs:
    check: str
    arguments: tuple[str, ...]
    figures: tuple[Figure, ...]
    threads: int = CPUS


def planned() -> list[Runs]:
    level = caches()
    l1, l2, last = level.get(1, 32 << 10), level.get(2, 512 << 10), max(level.values(), default=32 << 20)

    def cache(title: str, size: int, kinds: tuple[str, str]) -> Runs:
        return Runs("cache", ("--size", str(size), "--page_size", "huge"), (
            Figure(f"cache: load, {title}", "ns", kinds[0], value("latency_ns")),
            Figure(f"cache: read, {title}", "GB/s", kinds[1], value("bandwidth"))), threads=1)

    def reads(count: int) -> Figure:
        name = f"memory: read, {count} stream{'s' if count > 1 else ''}"
        return Figure(name, "GB/s", "bandwidth of memory", rate(f"read/{count}"))

    read = ("--size", str(2 * last // CPUS), "--streams", "1,4", "--pairs", "false")
    us = ("parallel", "barrier", "critical", "atomic")
    return [
        Runs("omp_overheads", (), tuple(Figure(f"omp_overheads: {name}", "us", "latency", per_call(name)) for name in us)),
        Runs("core_pingpong", (), tuple(Figure(f"core_pingpong: {name}", "ns", "latency", value(f"{name}_ns"))
                                        for name in ("sequence", "capture"))),
        cache("half of L1", l1 // 2, ("fixed work", "bandwidth inside L2")),
        cache("half of L2", l2 // 2, ("latency inside L2", "bandwidth inside L2")),
        cache("twice the last cache", 2 * last, ("bandwidth of memory", "bandwidth of memory")),
        Runs("memory", read, (reads(1), reads(4))),
        Runs("noise", (), (Figure("noise: quantum", "us", "fixed work", value("quantum_us")),)),
    ]


def run(build: Path, of: Runs, seconds: float, folder: Path) -> Lines:
    """The record of one launch; ends the program where a proof of it does not hold."""
    record = folder / "record.jsonl"
    program = build / "checks" / of.check / of.check
    command = [str(program), *of.arguments, "--threads", str(of.threads), "--seconds", str(seconds), "--record", str(record)]
    environment = os.environ | {"OMP_WAIT_POLICY": "active"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    lines: Lines = [json.loads(line) for line in record.read_text().splitlines()]
    require_proofs(of.check, lines)
    return lines


def one_set(asked: argparse.Namespace) -> list[Outcome]:
    checks = planned()
    with tempfile.TemporaryDirectory() as name:
        found = rounds(asked, [partial(run, asked.build, one, asked.seconds, Path(name)) for one in checks])
    return [outcome(figure, [each[place] for each in found]) for place, one in enumerate(checks) for figure in one.figures]


def by_hand(asked: argparse.Namespace) -> list[str]:
    """The barrier in both ways, over several starts, in turn."""
    bound = {"OMP_NUM_THREADS": str(CPUS), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores", "OMP_WAIT_POLICY": "active"}
    command = [str(asked.build / BY_HAND), "301"]
    rows = []
    for _ in range(asked.runs):
        done = subprocess.run(command, env=os.environ | bound, capture_output=True, text=True, check=True, timeout=120)
        found = json.loads(done.stdout)
        rows.append((found["by_check_us"], found["by_hand_us"]))
    return barriers("the body of omp_overheads", rows)


def main() -> int:
    asked = checked(parser(__doc__), [BY_HAND, *(f"checks/{one.check}/{one.check}" for one in planned())])
    page("Do the medians of micro-benchmarks repeat?", "micro_runs.py", asked, (), lambda: one_set(asked), lambda: by_hand(asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
