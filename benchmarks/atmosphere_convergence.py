"""Errors of Williamson's case 2 after five days and the time of a step, by level of the grid.

    python3 benchmarks/atmosphere_convergence.py --build build/NAME [--write]

Levels 3 to 6, axis at 0, 45 and 90 degrees, one rank. --write writes a part of checks/atmosphere/measured.md; else it is
printed.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import sys
from pathlib import Path
from statistics import median
from typing import Any

from in_turn import ENVIRONMENT, launched, processor, values


LEVELS, TILTS, DAYS = (3, 4, 5, 6), (0, 45, 90), 5
PASSES = 9  # of a launch: seven repetitions, warm-up and estimate
PROTOTYPE = {3: 2.67e-3, 4: 7.4e-4, 5: 1.87e-4}  # l2 of the height, of the anchors
PAGE = Path(__file__).resolve().parents[1] / "checks/atmosphere/measured.md"


def put_part(page: Path, heading: str, lines: list[str]) -> None:
    """Writes the part of that heading anew; the others stay."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    title, *parts = text.split("\n## ")
    found = dict(part.split("\n", 1) for part in parts)
    found[heading] = "\n" + "\n".join(lines) + "\n"
    title = "# atmosphere, measured\n\nMade by programs in `benchmarks/`; do not edit.\n"
    page.write_text("\n## ".join((title, *(f"{name}\n{body}" for name, body in found.items()))), encoding="utf-8")


def step_ms(lines: list[dict[str, Any]]) -> float:
    """Median over repetitions of the time of one step."""
    section = next(one["id"] for one in lines[0]["sections"] if one["path"] == "dynstep")
    series = next(one for one in lines if one["type"] == "series" and one["section"] == section)
    return median(ns / calls * 1e-6 for ns, calls, number in zip(series["ns"], series["calls"], series["repetition"], strict=True)
                  if number >= 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    os.environ.update(ENVIRONMENT)
    program = asked.build / "checks/atmosphere/atmosphere"
    rows, last = [], {}
    for level in LEVELS:
        steps = values(launched(program, "--level", str(level), "--steps", "1", "--repetitions", "1"))["step_s"]
        needed = math.ceil(DAYS * 86400 / steps / PASSES)
        step_s = DAYS * 86400 / (needed * PASSES)  # errors swing with time: five days, no more
        for tilt in TILTS:
            lines = launched(program, "--level", level, "--tilt", tilt, "--steps", needed, "--step", repr(step_s), "--repetitions",
                             PASSES - 2)
            got = values(lines)
            before = last.get(tilt)
            order = f"{math.log2(before / got['height_l2']):.2f}" if before else ""
            last[tilt] = got["height_l2"]
            rows.append(f"| {level} | {tilt} | {got['days']:.2f} | {got['height_l2']:.3g} | {order} | {PROTOTYPE.get(level, '')} | "
                        f"{got['height_linf']:.3g} | {got['energy_drift']:.2g} | {got['mass_drift']:.1g} | {step_ms(lines):.3g} |")
    text = [
        f"- Processor: {processor()}",
        f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}",
        "- Command: `python3 benchmarks/atmosphere_convergence.py --build BUILD`", "- Case 2 of Williamson, one rank, one thread", "",
        "| level | axis, degrees | days | height, l2 | order | l2 of a prototype | height, largest | energy drift | mass drift | step, ms |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", *rows,
    ]
    if asked.write:
        put_part(PAGE, "Errors of shallow water", text)
    else:
        print("\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
