"""Routes of halo_paths against packed messages: ratios of each launch, and whether launches agree who is faster.

    python3 benchmarks/halo_paths_table.py --build build/NAME [--launches 5] [--write checks/halo_paths/measured.md]

Each launch (two ranks bound to cores) runs all routes in turn and gives one ratio a route. Printed: the median over the launches with
the least and the largest ratio; "undecided" where some launch has the route faster than packed messages and some slower.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from in_turn import processor

EXTENTS, FACES = (16, 64, 100, 128), ("xy", "xz", "yz")
ROUTES = ("datatype", "window", "put", "neighbour", "staged")
TITLE = "## Routes over packed messages"


def ratios(build: Path, face: str, n: int) -> dict[str, float]:
    """Time of each route over that of packed messages, in one launch."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "record.jsonl")
        subprocess.run(
            ["mpirun", "--allow-run-as-root", "--bind-to", "core", "-n", "2", str(build / "checks/halo_paths/halo_paths"), "--n", str(n),
             "--face", face, "--seconds", "0.5", "--record", str(record)], check=True, capture_output=True, text=True)
        lines = [json.loads(line) for line in record.read_text().splitlines()]
    values = {line["name"]: line["value"] for line in lines if line["type"] == "value"}
    return {route: values[f"{route}_over_pack"] for route in ROUTES if f"{route}_over_pack" in values}


def shown(found: list[float]) -> str:
    """Of one route: median and range, or that launches do not agree."""
    if not found:
        return "none"
    span = f"{min(found):.2f} to {max(found):.2f}"
    return f"undecided ({span})" if min(found) < 1 < max(found) else f"{median(found):.2f} ({span})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--write", type=Path, help="file whose section on routes is written anew")
    asked = parser.parse_args()
    # Launches of one case lie far apart in time: all cases, then all cases again.
    every = [{(face, n): ratios(asked.build, face, n) for face in FACES for n in EXTENTS} for _ in range(asked.launches)]
    rows = []
    for face in FACES:
        for n in EXTENTS:
            cells = [shown([one[face, n][route] for one in every if route in one[face, n]]) for route in ROUTES]
            rows.append(f"| {face} | {n} | {' | '.join(cells)} |")
    lines = [TITLE, "",
             f"Generated {datetime.datetime.now(datetime.UTC):%Y-%m-%d} on {processor()}, two ranks on two cores, by",
             f"`benchmarks/halo_paths_table.py`. Medians over {asked.launches} launches, least and largest ratio beside.", "",
             f"| plane | `n` | {' | '.join(f'`{route}`' for route in ROUTES)} |", "|---|---|" + "---|" * len(ROUTES), *rows, ""]
    print("\n".join(lines))
    if asked.write is not None:
        before = asked.write.read_text().split(f"\n{TITLE}")[0].rstrip("\n")
        asked.write.write_text(before + "\n\n" + "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
