"""The check cg_family against the check iccg, in turn on the same core: one rank, one thread, equal work.

    python3 benchmarks/cg_family_speed.py --build build/NAME [--rounds 5] [--size 64] [--table FILE]

Each round runs iccg's `rm_reduction` and every variant of cg_family (incomplete Cholesky, one parallel region, as many colours); half of
the rounds go the other way round. The time of an iteration is the 10 % quantile of those of one solve after another for a second.
Printed, and written as a table: medians with least and greatest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from solvers_peer import headline, record, samples, spread

PEER = "iccg:rm_reduction"
GOAL = 1.10  # of standard over the peer, at most
VARIANTS = ("standard", "chronopoulos_gear", "gropp", "pipelined", "pipelined_replaced")


def milliseconds(build: Path, folder: Path, name: str, size: int) -> float:
    check, variant = name.split(":")
    section = "iteration" if name == PEER else "cg"
    lines = record(build, folder, check, ["--variant", variant, "--threads", "1", "--size", f"{size},{size},{size}", "--colours", "12",
                                          "--seconds", "1", "--stretch", "1"])
    for line in lines:
        if line["type"] == "validity" and not float(line["value"]) <= float(line["limit"]):
            sys.exit(f"{name}: the proof {line['name']} does not hold: {line['value']}")
    times = sorted(ns / calls for ns, calls in samples(lines, section))
    return times[len(times) // 10] / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the environment to compare")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=64, help="cells a side")
    parser.add_argument("--table", type=Path, help="file to write the table to")
    options = parser.parse_args()
    names = [PEER, *(f"cg_family:{variant}" for variant in VARIANTS)]
    rounds: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            order = names if number % 2 == 0 else names[::-1]
            rounds.append({name: milliseconds(options.build.resolve(), Path(folder), name, options.size) for name in order})
            print(f"round {number + 1}:", *(f"{name} {rounds[-1][name]:.4g} ms" for name in names), sep="  ", flush=True)
    command = f"python3 benchmarks/cg_family_speed.py --build build/NAME --rounds {options.rounds} --size {options.size}"
    text = [*headline("cg_family against iccg", command, 1), "",
            f"Mesh of {options.size}^3 cells, 12 colours, one rank and one thread, {options.rounds} rounds in turn.", "",
            "| time of an iteration over that of `iccg:rm_reduction` | median | least to greatest | at most |", "|---|---|---|---|"]
    for name in names[1:]:
        goal = f"{GOAL:.2f}" if name.endswith(":standard") else "-"
        text.append(f"| `{name}` | {spread([each[name] / each[PEER] for each in rounds])} | {goal} |")
    text += ["", "| variant | an iteration, 10 % quantile [ms] | least to greatest |", "|---|---|---|"]
    text += [f"| `{name}` | {spread([each[name] for each in rounds])} |" for name in names]
    print("\n".join(text))
    if options.table:
        options.table.write_text("\n".join(text) + "\n")
    if statistics.median(each["cg_family:standard"] / each[PEER] for each in rounds) > GOAL:
        sys.exit(1)


if __name__ == "__main__":
    main()
