"""The check cg_family against the check iccg, in turn on the same core: one rank, one thread, equal work.

    python3 benchmarks/cg_family_speed.py --build build/NAME [--rounds 5] [--size 64] [--table FILE]

Each round runs iccg's `rm_reduction` and every variant of cg_family (incomplete Cholesky, one parallel region, as many colours); half of
the rounds go the other way round. The time of an iteration is the 10 % quantile of those of one solve after another for a second.
Printed, and written as a table: medians with least and greatest.
"""

from __future__ import annotations

import statistics
import sys
from functools import partial
from pathlib import Path

from in_turn import finish, head, in_turn, launched, parser, per_call, spread, timed


PEER = "iccg:rm_reduction"
GOAL = 1.10  # of standard over the peer, at most
VARIANTS = ("standard", "chronopoulos_gear", "gropp", "pipelined", "pipelined_replaced")


def milliseconds(build: Path, name: str, size: int) -> float:
    check, variant = name.split(":")
    section = "iteration" if name == PEER else "cg"
    lines = launched(build / "checks" / check / check, "--variant", variant, "--threads", 1, "--size", f"{size},{size},{size}",
                     "--colours", 12, "--seconds", 1, "--stretch", 1)
    times = sorted(per_call(timed(lines)[section]))
    return times[len(times) // 10] / 1e6


def main() -> None:
    typed = parser(__doc__, 5)
    typed.add_argument("--size", type=int, default=64, help="cells a side")
    typed.add_argument("--table", type=Path, help="file to write the table to")
    options = typed.parse_args()
    names = [PEER, *(f"cg_family:{variant}" for variant in VARIANTS)]
    ways = {name: partial(milliseconds, options.build, name, options.size) for name in names}
    rounds = in_turn(ways, options.rounds, lambda of: "  ".join(f"{name} {ms:.4g} ms" for name, ms in of.items()))
    command = f"python3 benchmarks/cg_family_speed.py --build build/NAME --rounds {options.rounds} --size {options.size}"
    text = [*head("cg_family against iccg", command), "",
            f"Mesh of {options.size}^3 cells, 12 colours, one rank and one thread, {options.rounds} rounds in turn.", "",
            "| time of an iteration over that of `iccg:rm_reduction` | median | least to greatest | at most |", "|---|---|---|---|"]
    for name in names[1:]:
        goal = f"{GOAL:.2f}" if name.endswith(":standard") else "-"
        text.append(f"| `{name}` | {spread([each[name] / each[PEER] for each in rounds])} | {goal} |")
    text += ["", "| variant | an iteration, 10 % quantile [ms] | least to greatest |", "|---|---|---|"]
    text += [f"| `{name}` | {spread([each[name] for each in rounds])} |" for name in names]
    finish(text, options.table)
    if statistics.median(each["cg_family:standard"] / each[PEER] for each in rounds) > GOAL:
        sys.exit(1)


if __name__ == "__main__":
    main()
