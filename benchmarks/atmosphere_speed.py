"""Speed of a step of dry air: both orders of memory in turn, and the bytes of each section against the triad.

    python3 benchmarks/atmosphere_speed.py --build build/NAME [--rounds 3] [--level 6] [--levels 40] [--write]

A round is triad, blocked, plain, blocked, plain, with one thread and with two; a figure is the median over all launches. Pack,
unpack and wait are of two ranks. Processor time of a step is the difference of launches of many and of few steps, so that other
load counts little; the sections have wall time. --write writes a part of checks/atmosphere/measured.md; else it is printed.
"""

from __future__ import annotations

import argparse
import datetime
import os
import resource
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from in_turn import ENVIRONMENT, launched, processor
from atmosphere_convergence import PAGE, put_part

SECTIONS = ("large_step", "small_step", "vertical_solve", "tracer", "filter", "comm_data_transfer")
TRIAD_BYTES = 1 << 28
FEW, MANY = 2, 8  # repetitions of a step


def sections(lines: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """By section of rank 0: its median ns a repetition, and its bytes."""
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    found = {}
    for line in lines:
        if line["type"] == "series" and line["rank"] == 0:
            ns = [one for one, number in zip(line["ns"], line["repetition"], strict=True) if number >= 0]
            if ns:
                found[paths[line["section"]]] = (median(ns), line["work"]["bytes_read"] + line["work"]["bytes_written"])
    return found


def step_seconds(program: Path, *words: str) -> float:
    """Processor seconds of a step, of all threads."""
    spent = []
    for repetitions in (FEW, MANY):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        launched(program, *words, "--repetitions", repetitions)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return (spent[1] - spent[0]) / (MANY - FEW)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--levels", type=int, default=40)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    os.environ.update(ENVIRONMENT)
    program, stream = (asked.build.resolve() / f"checks/{name}/{name}" for name in ("atmosphere", "stream"))
    values = (10 * 4**asked.level + 2) * asked.levels
    words = ["--model", "hevi", "--level", str(asked.level), "--levels", str(asked.levels), "--steps", "1"]
    spent: dict[str, list[float]] = {variant: [] for variant in ("blocked", "plain")}
    for _ in range(asked.rounds):
        for variant, found in spent.items():
            found.append(step_seconds(program, "--variant", variant, *words) / values * 1e9)
    words += ["--repetitions", "3"]
    rows, ratios = [], []
    for threads in (1, 2):
        triads: list[float] = []
        times: dict[tuple[str, str], list[float]] = defaultdict(list)
        rates: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(asked.rounds):
            swept = sections(launched(stream, "--threads", threads, "--teams", threads, "--size", TRIAD_BYTES,
                                      "--in_cache", "true", "--repetitions", 5))
            ns, moved = swept[f"triad/{threads}"]
            triads.append(moved / ns)
            for variant in ("blocked", "plain") * 2:
                of = sections(launched(program, "--variant", variant, "--threads", threads, *words))
                for path, (ns, moved) in of.items():
                    times[variant, path].append(ns / values)
                    rates[variant, path].append(moved / ns / triads[-1])
        for section in ("", *SECTIONS):
            path = f"dynstep/{section}" if section else "dynstep"
            blocked, plain = median(times["blocked", path]), median(times["plain", path])
            part = f"{median(rates['blocked', path]):.0%}" if section not in ("", "comm_data_transfer") else ""
            rows.append(f"| {threads} | `{path}` | {blocked:.1f} | {plain:.1f} | {blocked / plain:.2f} | {part} |")
        pairs = [a / b for a, b in zip(times["blocked", "dynstep"], times["plain", "dynstep"], strict=True)]
        ratios.append(f"{threads} threads: {min(pairs):.2f} to {max(pairs):.2f}, triad {median(triads):.1f} GB/s")
    both = sections(launched(program, *words, ranks=2))
    halo = {part: both[f"dynstep/comm_data_transfer/{part}"][0] / both["dynstep"][0] for part in ("pack", "wait", "unpack")}
    text = [
        f"- Processor: {processor()}",
        f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}",
        f"- Command: `python3 benchmarks/atmosphere_speed.py --build BUILD --rounds {asked.rounds} --level {asked.level} "
        f"--levels {asked.levels}`",
        f"- Balanced flow, {values} cells x levels; ns are of a cell, level and step; medians of {2 * asked.rounds} launches",
        f"- Processor time of a step, one thread: blocked {median(spent['blocked']):.0f} ns, plain {median(spent['plain']):.0f} ns, "
        f"ratio of pairs {', '.join(f'{a / b:.2f}' for a, b in zip(spent['blocked'], spent['plain'], strict=True))}",
        f"- Wall time of a step, blocked over plain, pairs of launches: {'; '.join(ratios)}",
        f"- Of a step on 2 ranks: pack {halo['pack']:.1%}, wait {halo['wait']:.1%}, unpack {halo['unpack']:.1%}", "",
        "| threads | section | blocked, ns | plain, ns | ratio | compulsory bytes of blocked, of the triad |",
        "| --- | --- | --- | --- | --- | --- |", *rows,
    ]
    if asked.write:
        put_part(PAGE, "Speed of dry air", text)
    else:
        print("\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
