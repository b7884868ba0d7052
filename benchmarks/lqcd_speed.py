"""The lattice QCD kernels against the ceilings and against the plain solver, in turn (A B A B).

    python3 benchmarks/lqcd_speed.py --build build/NAME [--rounds 7] [--large 32,32,32,32] [--without-large]

Each round runs, one after the other: the hopping term on 8x8x8x8 against multiply-adds of the same core, in turn within
milliseconds (lqcd_core.cpp), double and single; the hopping term on two cores, with constant and with dependent input; stream's
triad and the hopping term of a lattice beyond the caches on two cores, with the same pages; and the 12 solves of a pion
correlator on 16x16x16x16, plain double precision conjugate gradients on the normal equations and mixed precision even-odd, both
to a true residual of 1e-10. Printed for each ratio: the median over the rounds of the ratio of medians with its 95 % interval,
and of the same of undisturbed repetitions: on one core those in which a probe found nobody else on the core, else the 5 %
quantiles. Needs a build with the tests (-DTENKEN_TESTS=ON).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from in_turn import ACTIVE, Lines, answer, bounds, launched, timed, values

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))


SOLVE = ("--lattice", "16,16,16,16", "--start", "heatbath", "--sweeps", "5", "--kappa", "0.13", "--repetitions", "1")


@dataclass(frozen=True)
class Rates:
    """Of a section's repetitions: work per second, of all and of those undisturbed (nan: there were none)."""

    usual: float
    undisturbed: float


def rates(record: Lines, unit: str) -> dict[str, Rates]:
    """By section, in GFLOP/s (unit flop) or GB/s (unit bytes)."""
    found = {}
    for path, line in timed(record).items():
        work = line["work"]["flop"] if unit == "flop" else line["work"]["bytes_read"] + line["work"]["bytes_written"]
        times = sorted(line["ns"])
        found[path] = Rates(work / median(times), work / times[len(times) // 20])
    return found


def core_rates(build: Path, precision: str) -> tuple[Rates, Rates, Rates]:
    """GFLOP/s on one core: hops from constant input, dependent ones, and multiply-adds."""
    program = build / "benchmarks" / "lqcd_core"
    core = json.loads(answer([program, precision, 3000], environment=ACTIVE))

    def rates_of(what: str) -> Rates:
        return Rates(core[f"all_{what}"], core[f"alone_{what}"] or math.nan)

    return rates_of("constant"), rates_of("dependent"), rates_of("peak")


def round_of(build: Path, large: str | None) -> Mapping[str, tuple[Rates, Rates]]:
    """(over, under) of each ratio."""
    def run(check: str, *arguments: str) -> Lines:
        return launched(build / "checks" / check / check, *arguments, environment=ACTIVE)

    pairs: dict[str, tuple[Rates, Rates]] = {}
    for precision in ("double", "single"):
        constant, dependent, peak = core_rates(build, precision)
        pairs[f"hopping term 8^4 {precision}, one core / FMA peak"] = (constant, peak)
        pairs[f"the same, {precision}, each hop from the last one's output"] = (dependent, peak)
    for precision in ("double", "single"):
        hop = rates(run("lqcd_operator", "--precision", precision, "--threads", "2", "--seconds", "1"), "flop")
        pairs[f"dependent / constant input, 8^4 {precision}, two cores"] = (hop["dependent"], hop["constant"])
    if large is not None:
        triad = rates(run("stream", "--threads", "2", "--page_size", "huge", "--teams", "1", "--seconds", "1"), "bytes")
        over = rates(run("lqcd_operator", "--threads", "2", "--lattice", large, "--start", "cold",
                         "--repetitions", "20"), "bytes")
        pairs[f"bytes of the hopping term {large}, two cores / triad"] = (over["constant"], triad["triad/1"])
    seconds = {solver: values(run("lqcd_pion", *SOLVE, "--threads", "2", "--solver", solver))["time_to_solution"]
               for solver in ("normal", "mixed")}
    fast, slow = 1 / seconds["mixed"], 1 / seconds["normal"]
    pairs["solves a second, mixed even-odd / plain normal equations"] = (Rates(fast, fast), Rates(slow, slow))
    return pairs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--large", default="32,32,32,32", help="lattice of four times the last cache or more")
    parser.add_argument("--without-large", action="store_true")
    asked = parser.parse_args()
    rounds = []
    for number in range(asked.rounds):
        rounds.append(round_of(asked.build, None if asked.without_large else asked.large))
        for name, (over, under) in rounds[-1].items():
            print(f"round {number + 1}  {name}: {over.usual:.3g} / {under.usual:.3g}  undisturbed "
                  f"{over.undisturbed:.3g} / {under.undisturbed:.3g}", file=sys.stderr, flush=True)
    for name in rounds[0]:
        usual = [each[name][0].usual / each[name][1].usual for each in rounds]
        quiet = [each[name][0].undisturbed / each[name][1].undisturbed for each in rounds]
        undisturbed = [ratio for ratio in quiet if not math.isnan(ratio)]
        print(f"{name}: median {bounds(usual)}, undisturbed "
              + (f"{median(undisturbed):.3f}" if undisturbed else "never"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
