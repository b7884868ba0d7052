"""The checks of cores, threads and memory, each run several times: do their medians repeat?

    python3 benchmarks/micro_runs.py --build build/NAME [--runs 5] [--sets 1] [--seconds 1] [--page docs/measured/micro.md]

A set is `--runs` rounds; in a round each check runs once, one after the other, so that the runs of one check lie apart in time.
A figure of a run is the median that the check itself would report. A set repeats where no run is farther from the median of its
runs than the limit of that kind of figure. Where it does not, what the runs met is named: cores of unlike round trips (more than
1.5 times), or others' load (run-queue wait, stolen time). Such sets are counted apart; they are excused, not removed. Then the
barrier as omp_overheads times it beside a loop of 1,000 barriers written by hand. Needs a build with the tests
(-DTENKEN_TESTS=ON).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

UNLIKE = 1.5  # times: round trips of another mode
DISTURBED = 0.02  # of the time: run-queue wait or stolen
LIMITS = {"fixed work": 0.03, "bandwidth inside L2": 0.03, "latency": 0.05, "bandwidth of memory": 0.15}
CPUS = len(os.sched_getaffinity(0))
Lines = list[dict[str, Any]]


@dataclass(frozen=True)
class Figure:
    name: str
    unit: str
    kind: str  # of LIMITS
    read: Callable[[Lines], float]


@dataclass(frozen=True)
class Runs:
    check: str
    arguments: tuple[str, ...]
    figures: tuple[Figure, ...]
    threads: int = CPUS


def per_call(path: str) -> Callable[[Lines], float]:
    """Microseconds a call: median over repetitions."""
    def read(lines: Lines) -> float:
        one = series(lines, path)
        return median(ns / calls for ns, calls in zip(one["ns"], one["calls"], strict=True)) / 1000
    return read


def rate(path: str) -> Callable[[Lines], float]:
    """Bytes read a nanosecond: median over repetitions."""
    def read(lines: Lines) -> float:
        one = series(lines, path)
        work = one["work"] if isinstance(one["work"], list) else [one["work"]] * len(one["ns"])
        return median(each["bytes_read"] / ns for each, ns in zip(work, one["ns"], strict=True))
    return read


def value(name: str) -> Callable[[Lines], float]:
    return lambda lines: float(next(line["value"] for line in lines if line["type"] == "value" and line["name"] == name))


def series(lines: Lines, path: str) -> dict[str, Any]:
    number = next(one["id"] for one in lines[0]["sections"] if one["path"] == path)
    return next(line for line in lines if line["type"] == "series" and line["section"] == number and line["repetition"][0] >= 0)


def caches() -> dict[int, int]:
    """Level -> bytes, as the kernel tells of the first processor."""
    found = {}
    for index in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        if (index / "type").read_text().strip() != "Instruction":
            found[int((index / "level").read_text())] = int((index / "size").read_text().strip().rstrip("K")) * 1024
    return found


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
        cache("half of L2", l2 // 2, ("latency", "bandwidth inside L2")),
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
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    for line in lines:
        if line["type"] == "validity" and not abs(line["value"] - line["expected"]) <= line["limit"]:
            sys.exit(f"{of.check}: the proof {line['name']} does not hold: {line['value']}")
    return lines


def load(lines: Lines) -> float:
    """Share of the time that a thread waited for a processor or its processor was stolen: the worst rank."""
    return max(max(line["trust"].get(name) or 0 for name in ("run_queue_wait_ns", "steal_ns")) / line["trust"]["wall_ns"]
               for line in lines if line["type"] == "rank")


def round_trips(lines: Lines) -> list[float]:
    names = ("core_round_trip_before", "core_round_trip_after", "sequence_ns")
    return [line["value"] for line in lines if line["type"] == "value" and line["name"] in names]


def row(figure: Figure, records: list[Lines]) -> tuple[str, str]:
    """The line of the table, and how the set ended: repeats, excused or does not repeat."""
    figures = [figure.read(lines) for lines in records]
    middle = median(figures)
    farthest = max(abs(one / middle - 1) for one in figures)
    limit = LIMITS[figure.kind]
    trips = [trip for lines in records for trip in round_trips(lines)]
    reasons = []
    if trips and max(trips) > UNLIKE * min(trips):
        reasons.append(f"cores {min(trips):.0f} to {max(trips):.0f} ns apart")
    waited = max(map(load, records))
    if waited > DISTURBED:
        reasons.append(f"others' load took up to {100 * waited:.0f} %")
    end = "repeats" if farthest <= limit else "excused" if reasons else "does not repeat"
    shown = ", ".join(f"{one:.4g}" for one in figures)
    met = "; ".join(reasons) if reasons else "quiet"
    text = f"| {figure.name} | {figure.unit} | {shown} | {100 * farthest:.1f} % | {100 * limit:.0f} % | {end} | {met} |"
    return text, end


def by_hand(build: Path, starts: int) -> list[str]:
    """The barrier in both ways, over several starts, in turn."""
    bound = {"OMP_NUM_THREADS": str(CPUS), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores", "OMP_WAIT_POLICY": "active"}
    command = [str(build / "benchmarks" / "barrier_by_hand"), "301"]
    rows = []
    for _ in range(starts):
        done = subprocess.run(command, env=os.environ | bound, capture_output=True, text=True, check=True, timeout=120)
        found = json.loads(done.stdout)
        rows.append((found["by_check_us"], found["by_hand_us"]))
    ratio = median(check / hand for check, hand in rows)
    return [f"| {check:.4f} | {hand:.4f} | {check / hand:.3f} |" for check, hand in rows] + [f"| | median | {ratio:.3f} |"]


def processor() -> str:
    model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    sizes = ", ".join(f"L{level} {size // 1024} KiB" for level, size in sorted(caches().items()))
    return f"{model[1] if model else 'unknown'}, {CPUS} processors; by the kernel {sizes}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=5, help="of each check in a set")
    parser.add_argument("--sets", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run")
    parser.add_argument("--page", type=Path, help="where to write; else it is printed")
    asked = parser.parse_args()
    if asked.runs < 2 or asked.sets < 1:
        parser.error("--runs must be 2 at least and --sets 1 at least")
    options = f"--runs {asked.runs} --sets {asked.sets} --seconds {asked.seconds:g}"
    command = f"python3 benchmarks/micro_runs.py --build BUILD {options}"
    text = ["# Do the medians of micro-benchmarks repeat?", "", "Made by `benchmarks/micro_runs.py`; do not edit.", "",
            f"- Processor: {processor()}", f"- Command: `{command}`", "",
            "Each figure is the median of one run. A set repeats where no run is farther from the median of its runs than the",
            "limit of the kind:",
            ", ".join(f"{kind} {100 * limit:.0f} %" for kind, limit in LIMITS.items()) + ".",
            "Where it does not, unlike core-to-core modes or others' load excuse it, and are named.", ""]
    ends: dict[str, int] = {"repeats": 0, "excused": 0, "does not repeat": 0}
    with tempfile.TemporaryDirectory() as name:
        for number in range(1, asked.sets + 1):
            start = datetime.datetime.now(datetime.timezone.utc)
            checks = planned()
            records = [[run(asked.build, one, asked.seconds, Path(name)) for one in checks] for _ in range(asked.runs)]
            text += [f"## Set {number}, {start:%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f} at its end", "",
                     "| figure | unit | runs | farthest | limit | the set | met |", "| --- | --- | --- | --- | --- | --- | --- |"]
            for place, one in enumerate(checks):
                for figure in one.figures:
                    shown, end = row(figure, [each[place] for each in records])
                    text.append(shown)
                    ends[end] += 1
            text.append("")
    text += ["## Sets", "", "| " + " | ".join(ends) + " |", "| --- | --- | --- |",
             "| " + " | ".join(map(str, ends.values())) + " |", "",
             "## Barrier as timed and by hand", "",
             "Medians of 301 rounds in turn, us a barrier: the body of omp_overheads, and an empty loop of 1,000 barriers.",
             "Target of the ratio: 1.05.", "",
             "| as timed | by hand | ratio |", "| --- | --- | --- |", *by_hand(asked.build, asked.runs), ""]
    page = "\n".join(text)
    if asked.page is None:
        print(page)
    else:
        asked.page.parent.mkdir(parents=True, exist_ok=True)
        asked.page.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
