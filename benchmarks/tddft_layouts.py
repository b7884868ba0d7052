"""Layouts of tddft's vectors: what `--layout auto` picks in each of several starts, against whole steps of both layouts.

    python3 benchmarks/tddft_layouts.py --build build/NAME [--starts 10] [--write checks/tddft/measured.md]

A start runs a cell with `points`, `bands` and `auto`, one after the other on one core. The time of a layout is the median step of
the run with that layout in that start. A pick counts as good where its layout takes at most 1.08 times the shorter of the two, by
the medians over all starts: on a shared machine the times of one start tell the load apart no better than the layouts.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path
from statistics import median

from in_turn import processor
from tddft_speed import EARLY, Run, run

CELLS = {"si 16^3": ("--grid", "16,16,16"), "si 20^3": ("--grid", "20,20,20"), "si 24^3": ("--grid", "24,24,24"),
         "sio2 20x36x52": ("--cell", "sio2", "--coarse", "true", "--steps", "4", "--dt", "0.005")}
COMMON = ("--kpoints", "1,1,1", "--steps", "12", "--dt", "0.01", "--pulse", "none")
GOOD = 1.08
TITLE = "## Layouts"


def each(of: Run) -> float:
    """Nanoseconds of a step for a point of a band in one application of H."""
    return of.times["step"].usual / of.values["points_of_a_step"]


def row(build: Path, cell: str, starts: int) -> str:
    arguments = (*(word for word in COMMON if "--steps" not in CELLS[cell] or word not in ("--steps", "12")), *CELLS[cell], *EARLY)
    times: dict[str, list[float]] = {"points": [], "bands": [], "auto": []}
    picks = []
    for _ in range(starts):
        runs = {layout: run(build / "checks/tddft/tddft", *arguments, "--layout", layout) for layout in times}
        for layout, of in runs.items():
            times[layout].append(each(of))
        picks.append("bands" if runs["auto"].values["bands_of_a_block"] > 1 else "points")
        print(f"{cell}: {picks[-1]}", file=sys.stderr, flush=True)
    usual = {layout: median(values) for layout, values in times.items()}
    good = sum(usual[pick] <= GOOD * min(usual["points"], usual["bands"]) for pick in picks)
    shown = " | ".join(f"{value:.2f}" for value in usual.values())
    return f"| {cell} | {shown} | {picks.count('bands')} of {starts} | {good} of {starts} |"


def today(program: str, rest: str) -> list[str]:
    """Date, processor and program of a table."""
    return [f"Generated {datetime.datetime.now(datetime.UTC):%Y-%m-%d} on {processor()}, one processor used, by",
            f"`benchmarks/{program}`. {rest}"]


def rewrite(page: Path, title: str, lines: list[str]) -> None:
    """Puts a section in the place of the one with the same title, or at the end."""
    before, found, old = page.read_text().partition(f"\n{title}\n")
    after = old[old.index("\n## "):] if found and "\n## " in old else ""
    page.write_text(before.rstrip("\n") + "\n\n" + "\n".join(lines).rstrip("\n") + "\n" + after)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--write", type=Path, help="file whose section on layouts is written anew")
    asked = parser.parse_args()
    lines = [TITLE, "",
             *today("tddft_layouts.py", f"Medians over {asked.starts} starts, ns a point and application, whole steps."), "",
             "| cell | `points` | `bands` | `auto` | `auto` took `bands` | took the best, or within 8 % of it |", "|---|---|---|---|---|---|",
             *(row(asked.build, cell, asked.starts) for cell in CELLS), ""]
    print("\n".join(lines))
    if asked.write is not None:
        rewrite(asked.write, TITLE, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
