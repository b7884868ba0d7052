"""What keeping threads in step costs an iteration of the check iccg, against the size of the mesh.

    python3 benchmarks/sync_cost.py --build build/NAME [--sizes 8,12,16,24,32,48] [--seconds 2] [--table FILE]

The five variants take turns inside of one launch (`--turns`). Printed: median of the differences to `rm_reduction` in the same
repetition, with its 95 % bootstrap interval, and the rows a thread at which `baseline` costs 5 % more, between two sizes on a
logarithmic scale.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
from pathlib import Path

from in_turn import finish, head, launched, per_call, timed


VARIANTS = ("baseline", "nowait", "mv_parallel", "rm_ompdo", "rm_reduction")
NOTED = 0.05


def interval(values: list[float]) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the median."""
    draw = random.Random(1)
    some = values if len(values) <= 1000 else draw.sample(values, 1000)
    medians = sorted(statistics.median(draw.choices(some, k=len(some))) for _ in range(400))
    return medians[10], medians[-11]


def crossing(points: list[tuple[float, float]]) -> str:
    """Rows a thread where the cost falls through 5 %."""
    for (rows, cost), (more_rows, less) in zip(points, points[1:], strict=False):
        if cost >= NOTED > less:
            part = math.log(cost / NOTED) / math.log(cost / max(less, 1e-4))
            return f"{rows * (more_rows / rows) ** part:.0f}"
    return "more than were measured" if points[-1][1] >= NOTED else "fewer than were measured"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the environment to measure")
    parser.add_argument("--sizes", default="8,12,16,24,32,48")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--table", type=Path, help="file to write the table to")
    options = parser.parse_args()
    command = f"python3 benchmarks/sync_cost.py --build build/NAME --sizes {options.sizes} --seconds {options.seconds:g}"
    lines = [*head("Keeping threads in step", command), "", "Microseconds an iteration more than `rm_reduction`, at 12 "
             "colours: median of the differences in one repetition, and its 95 % interval.", "",
             "| cells | rows a thread | rm_reduction [us] | " + " | ".join(VARIANTS[:-1]) + " | baseline costs |",
             "|---" * (len(VARIANTS) + 3) + "|"]
    points = []
    for size in (int(word) for word in options.sizes.split(",")):
        sections = timed(launched(options.build / "checks/iccg/iccg", "--turns", "true", "--size", f"{size},{size},{size}",
                                  "--threads", options.cores, "--seconds", options.seconds))
        times = {v: [ns / 1e3 for ns in per_call(sections[f"turns/{v}"])] for v in VARIANTS}
        base = statistics.median(times["rm_reduction"])
        cells = []
        for variant in VARIANTS[:-1]:
            more = [x - y for x, y in zip(times[variant], times["rm_reduction"], strict=True)]
            low, high = interval(more)
            cells.append(f"{statistics.median(more):.3g} ({low:.3g} to {high:.3g})")
            if variant == "baseline":
                points.append((size**3 / options.cores, statistics.median(more) / base))
        lines.append(f"| {size}^3 | {size**3 // options.cores} | {base:.4g} | {' | '.join(cells)} | {100 * points[-1][1]:.1f} % |")
    lines += ["", f"Rows a thread at which synchronising costs 5 %: {crossing(points)}."]
    finish(lines, options.table)


if __name__ == "__main__":
    main()
