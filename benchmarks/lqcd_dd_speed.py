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
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

from tenken.stats.interval import median_interval  # noqa: E402

ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}
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
    done = subprocess.run([str(build / "benchmarks" / "lqcd_dd_core"), str(rounds)], check=True, capture_output=True,
                          env=os.environ | ENVIRONMENT)
    return json.loads(done.stdout)


def solved(build: Path, lattice: str, solver: str) -> dict[str, float]:
    """The values of a solve on two ranks, whose proofs all hold."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        command = ["mpirun", "-n", "2", str(build / "checks" / "lqcd_dd" / "lqcd_dd"), "--lattice", lattice, *PHYSICS,
                   "--solver", solver, "--threads", "1", "--record", str(path)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | ENVIRONMENT)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in (line for line in lines if line["type"] == "validity" and line["mode"] == "max"):
        if not float(line["value"]) <= float(line["limit"]):
            sys.exit(f"{solver}: proof {line['name']} is {line['value']}, should be at most {line['limit']}")
    return {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}


def round_of(asked: argparse.Namespace) -> dict[str, tuple[float, float]]:
    """The ratio of each kind: of all repetitions, and of those alone on the core."""
    rates = core_rates(asked.build, asked.core_rounds)
    ratios = {}
    for over, under, name in KERNELS:
        alone = rates[f"alone_{over}"] / rates[f"alone_{under}"] if rates[f"alone_{under}"] else math.nan
        ratios[name] = (rates[f"all_{over}"] / rates[f"all_{under}"], alone or math.nan)
    if asked.without_solves:
        return ratios
    found = {solver: solved(asked.build, asked.lattice, solver) for solver in SOLVERS}
    dd = found["dd_bicgstab"]
    for solver in SOLVERS[:-1]:
        ratios[f"time of {solver} / dd_bicgstab"] = (found[solver]["time_to_solution"] / dd["time_to_solution"], math.nan)
        ratios[f"bytes sent by dd_bicgstab / {solver}"] = (dd["sent_bytes"] / found[solver]["sent_bytes"], math.nan)
    for solver, values in found.items():
        counts = ", ".join(f"{name} {values[name]:.0f}" for name in ("iterations", "inner_iterations") if name in values)
        print(f"{solver}: {values['time_to_solution']:.2f} s, {counts}", file=sys.stderr, flush=True)
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
        interval = median_interval(usual)
        bounds = f"{interval[0]:.3f} to {interval[1]:.3f}" if interval else "too few rounds for an interval"
        print(f"{name}: median {median(usual):.3f} ({bounds})" + (f", alone {median(alone):.3f}" if alone else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
