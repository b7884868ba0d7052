"""A step of silicon at 16^3 points against ARTED's on one core, in turn: the same cell, bands and applications of H.

    python3 benchmarks/tddft_peer.py --build build/NAME --arted FOLDER [--rounds 7] [--write checks/tddft/measured.md]

FOLDER has the program `arted`, built with its AVX-512 kernels, its input `in.dat` (`data/input_sc_Si.dat` with 4 x 4 x 4 k, 16 bands,
propagator etrs) and `data/`. Where ARTED allocates less aligned than its kernels load, `align.so` there is preloaded. Times are
nanoseconds for a point of a band in one application of H. ARTED's forces are left out; tddft does not compute them in a step.
"""

from __future__ import annotations

import argparse
import math
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

from in_turn import ACTIVE
from tddft_layouts import rewrite, today
from tddft_speed import CELLS, EARLY, run

TITLE = "## A step against ARTED's"
TARGET, FLOOR = 0.50, 0.55
APPLICATIONS = 8  # of H in a step of etrs
PARTS = {"step": ("step", "dynamics"), "stencil": ("step/stencil", "stencil"), "projectors": ("step/nonlocal", "pseudo pt."),
         "current": ("step/current", "current")}


def arted(folder: Path) -> dict[str, float]:
    lines = (folder / "in.dat").read_text().splitlines()
    numbers = {name: next(line.split() for line in lines if name in line) for name in ("NLx", "NB,Nelec", "Nt,dt")}
    points = math.prod(int(word) for word in numbers["NLx"][1:7])  # and k
    bands, steps = int(numbers["NB,Nelec"][0]), int(numbers["Nt,dt"][0])
    align = folder / "align.so"
    extra = {"OMP_NUM_THREADS": "1"} | ({"LD_PRELOAD": str(align)} if align.exists() else {})
    resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with open(folder / "in.dat") as source:
        done = subprocess.run([str(folder / "arted")], stdin=source, cwd=folder, check=True, capture_output=True, text=True,
                              env=ACTIVE | extra)
    text = done.stdout.split("Total time")[1]  # of the whole course; the first are the times of one step
    seconds = {name.strip(" -"): float(value) for name, value in re.findall(r"^ *([-A-Za-z_. ]+?) time +: +([\d.E+-]+)", text, re.M)}
    seconds["dynamics"] -= seconds["Ion_Force"]
    each = 1e9 / (steps * points * bands * APPLICATIONS)
    return {part: seconds[theirs] * each for part, (_, theirs) in PARTS.items()}


def tenken(build: Path) -> dict[str, float]:
    of = run(build / "checks/tddft/tddft", "--cell", "si", *CELLS["si"], *EARLY)
    points = of.values["points_of_a_step"]
    return {part: of.times[ours].usual / points for part, (ours, _) in PARTS.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--arted", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", type=Path, help="file whose section on ARTED is written anew")
    asked = parser.parse_args()
    rounds = []
    for number in range(asked.rounds):
        order = [lambda: ("ARTED", arted(asked.arted)), lambda: ("Tenken", tenken(asked.build))]
        rounds.append(dict(one() for one in (order if number % 2 == 0 else order[::-1])))
        print(f"round {number + 1} of {asked.rounds}: {rounds[-1]['Tenken']['step'] / rounds[-1]['ARTED']['step']:.3f}", file=sys.stderr,
              flush=True)
    lines = [TITLE, "", *today("tddft_peer.py", f"Medians of {asked.rounds} rounds in turn, ns a point and application."), "",
             "| part | ARTED | Tenken | ratio | least to greatest |", "|---|---|---|---|---|"]
    for part in PARTS:
        ratios = [each["Tenken"][part] / each["ARTED"][part] for each in rounds]
        both = (median(each[which][part] for each in rounds) for which in ("ARTED", "Tenken"))
        shown = " | ".join(f"{value:.2f}" for value in (*both, median(ratios)))
        lines.append(f"| {part} | {shown} | {min(ratios):.2f} to {max(ratios):.2f} |")
    lines += ["", f"The target is {TARGET:.2f} for the step, the floor {FLOOR:.2f}.", ""]
    print("\n".join(lines))
    if asked.write is not None:
        rewrite(asked.write, TITLE, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
