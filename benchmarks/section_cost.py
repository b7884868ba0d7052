"""What timed sections cost an application: lqcd with them against a build without them, in turn (A B A B).

    python3 benchmarks/section_cost.py --with BUILD --without BUILD [--pairs 61]

A build without: `cmake --preset no-sections && cmake --build build/preset-no-sections`. Both run the same number of
iterations of the same solve; the whole timed part is compared by the trust counter of the record (wall_ns), which both
builds write. Printed: the median of the pair ratios with its 95 % interval (order statistics of the pairs).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

from tenken.stats.interval import median_interval  # noqa: E402

ARGUMENTS = ("--lattice", "8,8,8,8", "--repetitions", "100", "--threads", "1")


def timed_part_s(build: Path) -> float:
    """Seconds of the timed part of one run on one core."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        command = [str(build / "checks" / "lqcd" / "lqcd"), *ARGUMENTS, "--record", str(record)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"OMP_NUM_THREADS": "1"})
        lines = [json.loads(line) for line in record.read_text().splitlines()]
    return max(line["trust"]["wall_ns"] for line in lines if line["type"] == "rank") * 1e-9


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--with", dest="with_sections", type=Path, required=True)
    parser.add_argument("--without", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=61)
    asked = parser.parse_args()
    ratios = []
    for pair in range(asked.pairs):
        order = (asked.with_sections, asked.without) if pair % 2 == 0 else (asked.without, asked.with_sections)
        seconds = {build: timed_part_s(build) for build in order}
        ratios.append(seconds[asked.with_sections] / seconds[asked.without])
        print(f"pair {pair + 1:2d}  with {seconds[asked.with_sections]:.4f} s  without {seconds[asked.without]:.4f} s  "
              f"ratio {ratios[-1]:.4f}", file=sys.stderr)
    interval = median_interval(ratios)
    bounds = f"{interval[0]:.4f} to {interval[1]:.4f}" if interval else "too few pairs"
    print(f"lqcd with sections / without: median {median(ratios):.4f}, 95 % interval {bounds}, {len(ratios)} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
