"""How even-odd solvers keep links: what the rule chooses against every way that can be asked for, in turn (A B A B).

    python3 benchmarks/lqcd_links.py --build build/NAME [--other PROGRAM] [--rounds 7] [--page docs/measured/lqcd_links.md]

Each round starts, one after the other and for each lattice and precision, the hopping term by itself (lqcd_operator) on one core
with `--links auto --storage auto` and with each of 18 or 12 numbers kept once or twice. A start gives the 5 % quantile of the
time of four dependent hops. The page holds the median over the rounds of the time of auto over that of each way, with the
processor, the date and the command. `--other`: a program of another version, started with auto beside them.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent))

from in_turn import ACTIVE, launched, processor, timed, values  # noqa: E402

AUTO, OTHER = ("auto", "auto"), ("auto", "other")
WAYS = {("18", "twice"): "18 twice", ("18", "once"): "18 once", ("12", "twice"): "12 twice", ("12", "once"): "12 once"}
Way = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    program: Path
    other: Path | None
    rounds: int
    seconds: float
    words: tuple[str, ...]  # of every start


@dataclass(frozen=True)
class Start:
    ns: float  # 5 % quantile of `dependent`
    took: str
    lanes: float
    bytes: float


def start(asked: Asked, lattice: str, precision: str, way: Way) -> Start:
    program = asked.program
    if way == OTHER and asked.other:
        program, way = asked.other, AUTO
    record = launched(program, "--lattice", lattice, "--precision", precision, "--links", way[0], "--storage", way[1],
                      "--start", "cold", "--seconds", asked.seconds, "--threads", 1, *asked.words, environment=ACTIVE)
    times, of = sorted(timed(record)["dependent"]["ns"]), values(record)
    copies = "once" if of["link_copies"] == 1 else "twice"
    return Start(times[len(times) // 20], f"{of['link_reals']:.0f} {copies}", of["lanes"], of["working_set_bytes"])


def row(asked: Asked, lattice: str, precision: str) -> str:
    """One lattice and precision: what auto took, and its time over that of each way and of the best."""
    every = [AUTO, *WAYS, *([OTHER] if asked.other else [])]
    found: dict[Way, list[Start]] = {way: [] for way in every}
    for number in range(asked.rounds):
        for way in every:
            found[way].append(start(asked, lattice, precision, way))
        print(f"round {number + 1}  {lattice} {precision}: " + "  ".join(f"{found[way][-1].ns / 1000:.1f}" for way in every),
              file=sys.stderr, flush=True)
    ratios = {way: median(a.ns / b.ns for a, b in zip(found[AUTO], found[way], strict=True)) for way in every}
    best = min(WAYS, key=lambda way: median(one.ns for one in found[way]))
    took = ", ".join(sorted({one.took for one in found[AUTO]}))
    first = found[AUTO][0]
    cells = [lattice, precision, f"{first.lanes:.0f}", f"{first.bytes / 2**20:.1f}", took,
             *(f"{ratios[way]:.3f}" for way in every[1:]), f"{ratios[best]:.3f} ({WAYS[best]})"]
    return "| " + " | ".join(cells) + " |"


def lines(asked: Asked, lattices: list[str], precisions: list[str]) -> Iterator[str]:
    over = [f"over {name}" for name in WAYS.values()] + (["over auto of the other program"] if asked.other else [])
    titles = ["lattice", "precision", "lanes", "working set [MiB]", "auto took", *over, "over the best"]
    yield "| " + " | ".join(titles) + " |"
    yield "|---" * len(titles) + "|"
    for lattice in lattices:
        for precision in precisions:
            yield row(asked, lattice, precision)


def page(asked: Asked, lattices: list[str], precisions: list[str], command: str) -> str:
    return "\n".join([
        "# How links are kept, measured", "",
        "Made by `benchmarks/lqcd_links.py`; do not edit. The rule: [decision 26](../decisions/lattice-qcd.md#26).", "",
        f"- Processor: {processor()}", f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- Command: `{command}`", "",
        "Time of four dependent hops on one core as `auto` keeps links over that of each way that can be asked for: 5 %",
        "quantiles of starts in turn, median over the rounds. Below 1 the rule is faster; a way over itself shows what the",
        "machine does between two starts.", "",
        *lines(asked, lattices, precisions), "",
    ])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--other", type=Path, help="program of another version")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each start")
    parser.add_argument("--lattices", nargs="+", default=["4,4,8,8", "8,8,8,8", "8,8,16,16", "12,16,16,16"])
    parser.add_argument("--precisions", nargs="+", default=["double", "single"])
    parser.add_argument("--vector_bytes", default="build")
    parser.add_argument("--page", type=Path, help="where to write; else it is printed")
    typed = parser.parse_args()
    asked = Asked(typed.build / "checks" / "lqcd_operator" / "lqcd_operator", typed.other, typed.rounds, typed.seconds,
                  ("--vector_bytes", typed.vector_bytes))
    command = (f"python3 benchmarks/lqcd_links.py --build BUILD --rounds {typed.rounds} --seconds {typed.seconds:g} "
               f"--lattices {' '.join(typed.lattices)} --precisions {' '.join(typed.precisions)} "
               f"--vector_bytes {typed.vector_bytes}")
    text = page(asked, typed.lattices, typed.precisions, command)
    print(text)
    if typed.page:
        typed.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
