"""The domain-decomposed lattice QCD solver against the peak of a core and against its other solvers, in turn (A B A B).

    python3 benchmarks/lqcd_dd_speed.py --build build/NAME [--rounds 7] [--lattice 16,16,16,16] [--without-solves]

Each round runs, one after the other: the kernels on one core against multiply-adds of the same core, in turn within milliseconds
(lqcd_dd_core.cpp); and solves on two ranks to a true residual of 1e-10, heat-bath links of beta 6.0, csw 1.769, kappa 0.1334
(UKQCD, hep-lat/9711052): plain double precision BiCGStab, nested, and domain-decomposed. Printed for each ratio: the median over
the rounds with its 95 % interval and, of kernels, the median over rounds in which a probe found nobody else on the core. Needs a
build with the tests (-DTENKEN_TESTS=ON).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from statistics import median

from in_turn import answer, bounds, launched, values

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))


PHYSICS = ("--start", "heatbath", "--beta", "6.0", "--csw", "1.769", "--kappa", "0.1334", "--source", "random", "--tolerance", "1e-10",
           "--repetitions", "1")
SOLVERS = ("bicgstab", "nested", "dd_bicgstab")
# Over, under, and what the ratio is.
KERNELS = (
    ("ssor", "peak", "kernel3 (ssor, block 4,4,4,4) / FMA peak, single precision, one core"),
    ("minres", "peak", "kernel3 (minres, block 4,4,4,4) / FMA peak, single precision, one core"),
    ("hops", "peak", "kernel1 of one block / FMA peak"),
    ("inverse", "peak", "kernel2 of one block / FMA peak"),
    ("large_kernel1", "large_hopping", "kernel1 / hopping term on 16,16,16,16, links stored twice"),
)


def core_rates(build: Path, rounds: int) -> dict[str, float]:
    return json.loads(answer([build / "benchmarks" / "lqcd_dd_core", rounds]))


def round_of(asked: argparse.Namespace) -> dict[str, tuple[float, float]]:
    """The ratio of each kind: of all repetitions, and of those alone on the core."""
    rates = core_rates(asked.build, asked.core_rounds)
    ratios = {}
    for over, under, name in KERNELS:
        alone = rates[f"alone_{over}"] / rates[f"alone_{under}"] if rates[f"alone_{under}"] else math.nan
        ratios[name] = (rates[f"all_{over}"] / rates[f"all_{under}"], alone or math.nan)
    if asked.without_solves:
        return ratios
    program = asked.build / "checks" / "lqcd_dd" / "lqcd_dd"
    found = {solver: values(launched(program, "--lattice", asked.lattice, *PHYSICS, "--solver", solver, "--threads", 1, ranks=2))
             for solver in SOLVERS}
    dd = found["dd_bicgstab"]
    for solver in SOLVERS[:-1]:
        ratios[f"time of {solver} / dd_bicgstab"] = (found[solver]["time_to_solution"] / dd["time_to_solution"], math.nan)
        ratios[f"bytes sent by dd_bicgstab / {solver}"] = (dd["sent_bytes"] / found[solver]["sent_bytes"], math.nan)
    for solver, of in found.items():
        counts = ", ".join(f"{name} {of[name]:.0f}" for name in ("iterations", "inner_iterations") if name in of)
        print(f"{solver}: {of['time_to_solution']:.2f} s, {counts}", file=sys.stderr, flush=True)
    return ratios


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--core-rounds", type=int, default=200)
    parser.add_argument("--lattice", default="16,16,16,16")
    parser.add_argument("--without-solves", action="store_true")
    asked = parser.parse_args()
    rounds = [round_of(asked) for _ in range(asked.rounds)]
    for name in rounds[0]:
        usual = [each[name][0] for each in rounds]
        alone = [each[name][1] for each in rounds if not math.isnan(each[name][1])]
        print(f"{name}: median {bounds(usual)}" + (f", alone {median(alone):.3f}" if alone else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
