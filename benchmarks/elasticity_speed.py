"""Elasticity against reading: rate of the compulsory bytes of an iteration over the rate of reading the matrix, in turn.

    python3 benchmarks/elasticity_speed.py --build build/NAME [--starts 5] [--large 1] [--page checks/elasticity/measured.md]

Each start runs the check with `--read true`: every repetition is one iteration, then one pass that sums the values of the matrix, so
that both meet the same memory, pages, threads and neighbours. A start gives the ratio of two medians. All proofs of a start
must hold; solves end early (`--tolerance 0.5`), because repetitions replay them. The page holds medians over the starts with
their 95 % interval, the split by section, the processor, the date and the command.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from pathlib import Path
from statistics import median
from typing import Any

from in_turn import launched, processor, timed, values

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

from tenken.stats.interval import median_interval  # noqa: E402

CASES = ((33, 200), (65, 30))  # nodes on a side, repetitions
LARGE = (129, 5)
TARGET, FLOOR = 0.80, 0.65
PARTS = ("spmv", "precond", "dot", "axpy")


def start(program: Path, nodes: int, threads: int, repetitions: int) -> dict[str, Any]:
    """Medians over the repetitions of one start: seconds and compulsory bytes of each section."""
    lines = launched(program, "--nodes", f"{nodes},{nodes},{nodes}", "--threads", threads, "--tolerance", 0.5, "--read", "true",
                     "--repetitions", repetitions, environment=os.environ | {"OMP_WAIT_POLICY": "active"})
    found = {}
    for path, series in timed(lines).items():
        times = [ns for repetition, ns in zip(series["repetition"], series["ns"], strict=True) if repetition >= 0]
        work = series["work"][-1] if isinstance(series["work"], list) else series["work"]
        if times:
            read, written = work.get("bytes_read", 0), work.get("bytes_written", 0)
            found[path] = {"seconds": median(times) * 1e-9, "bytes": read + written}
    figures = values(lines)
    return {"sections": found, "working_set": figures["working_set_bytes"], "fill": figures["fill"]}


def rates(one: dict[str, Any]) -> dict[str, float]:
    """GB/s of the compulsory bytes, of the whole iteration, its sections, and reading."""
    sections = one["sections"]
    rate = {part: sections[f"cg/{part}"]["bytes"] / sections[f"cg/{part}"]["seconds"] for part in PARTS}
    rate["iteration"] = sum(sections[f"cg/{part}"]["bytes"] for part in PARTS) / sections["cg"]["seconds"]
    rate["read"] = sections["read"]["bytes"] / sections["read"]["seconds"]
    return {name: value / 1e9 for name, value in rate.items()}


def rows(nodes: int, threads: int, starts: list[dict[str, Any]]) -> tuple[str, str]:
    """A line of the first and of the second table."""
    each = [rates(one) for one in starts]
    ratios = [rate["iteration"] / rate["read"] for rate in each]
    interval = median_interval(ratios)
    bounds = f"{interval[0]:.3f} to {interval[1]:.3f}" if interval else f"{min(ratios):.3f} to {max(ratios):.3f} (range)"
    seconds = median(one["sections"]["cg"]["seconds"] for one in starts)
    name = f"{nodes}^3, {threads} thread{'s' if threads > 1 else ''}"
    first = (f"| {name} | {starts[0]['working_set'] / 1e6:.0f} | {1e3 * seconds:.2f} | {median(r['iteration'] for r in each):.1f} "
             f"| {median(r['read'] for r in each):.1f} | {median(ratios):.3f} | {bounds} | {TARGET:.2f} | {FLOOR:.2f} |")
    parts = []
    for part in PARTS:
        share = median(one["sections"][f"cg/{part}"]["seconds"] / one["sections"]["cg"]["seconds"] for one in starts)
        parts.append(f"{100 * share:.1f} %, {median(rate[part] / rate['read'] for rate in each):.2f}")
    return first, f"| {name} | {starts[0]['fill']:.3f} | {' | '.join(parts)} |"


def page(tables: list[tuple[str, str]], starts: str, command: str) -> str:
    return "\n".join([
        "# Elasticity, measured", "", "Made by `benchmarks/elasticity_speed.py`; do not edit.", "",
        f"- Processor: {processor()}", f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- Command: `{command}`", "",
        "Compulsory bytes of an iteration (a value 8, an index 4, each vector once a pass) over its time, and the values of the",
        f"matrix over the time of summing them, in turn; medians of {starts} with the 95 % interval of the ratio.", "",
        "| nodes | working set, MB | iteration, ms | iteration, GB/s | reading, GB/s | ratio | interval | target | floor |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |", *(first for first, _ in tables), "",
        "Part of the time of an iteration, and rate over that of reading, by section; `fill` is blocks over slots of the storage.", "",
        f"| nodes | fill | {' | '.join(PARTS)} |", f"| --- | --- |{' --- |' * len(PARTS)}", *(second for _, second in tables), ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--large", type=int, default=1, help="starts of 129^3 nodes on all threads, 5 GB")
    parser.add_argument("--page", type=Path, help="where to write; else it is printed")
    asked = parser.parse_args()
    program = asked.build / "checks" / "elasticity" / "elasticity"
    teams = sorted({1, len(os.sched_getaffinity(0))})
    found: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for _ in range(asked.starts):
        for nodes, repetitions in CASES:
            for threads in teams:
                found.setdefault((nodes, threads), []).append(start(program, nodes, threads, repetitions))
    for _ in range(asked.large):
        found.setdefault((LARGE[0], teams[-1]), []).append(start(program, LARGE[0], teams[-1], LARGE[1]))
    tables = [rows(nodes, threads, starts) for (nodes, threads), starts in found.items()]
    command = f"python3 benchmarks/elasticity_speed.py --build BUILD --starts {asked.starts} --large {asked.large}"
    text = page(tables, f"{asked.starts} starts ({asked.large} of 129^3 nodes)", command)
    if asked.page is None:
        print(text)
    else:
        asked.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
