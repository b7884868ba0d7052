"""mpi_pt2pt's round trips beside NetPIPE's (`apt install netpipe-openmpi`), in turn on the same cores.

    python3 benchmarks/netpipe_peer.py --build build/NAME [--rounds 5] [--page docs/measured/messages.md]

A round is ours, NetPIPE, NetPIPE -I and ours again, with two ranks bound to two cores by Open MPI. NetPIPE's figure is its
own: of seven trials the least mean of many round trips, halved, from one buffer that stays in the cache; with -I from a
place of memory that is new each time. Ours is the median over samples, of messages each written just before (the mean of the
two launches of the round); its least sample stands beside it, as NetPIPE's statistic is a least. The core-to-core round
trips before and after both of ours tell the mode of the round; rounds of unlike modes (more than 1.5 times) are left out,
and counted.

In each round benchmarks/messages_by_hand times the same messages in three forms, with NetPIPE's statistic beside: fresh as
ours, sent again as they are, and from one hot buffer, so that a difference is placed in the definition that makes it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from in_turn import MPI, answer, launched, processor, timed

SIZES = (8, 4096, 65536, 1048576)
UNLIKE = 1.5  # times: round trips of another mode
FORMS = ("fresh", "again", "hot")
NEAR = 0.15  # of NetPIPE's figure
MPIRUN = ["mpirun.openmpi", "-n", "2", "--bind-to", "core"]
Figures = dict[int, float]


def netpipe(folder: Path, cold: bool) -> Figures:
    """Microseconds one way, by size."""
    found = {}
    for size in SIZES:
        out = folder / "np.out"
        words = [*MPIRUN, "NPopenmpi", "-l", str(size), "-u", str(size), "-p", "0", "-o", str(out), *(["-I"] if cold else [])]
        answer(words, folder, MPI)
        rows = [line.split() for line in out.read_text().splitlines()]
        found[size] = next(1e6 * float(row[2]) for row in rows if int(row[0]) == size)
    return found


def ours(build: Path) -> tuple[Figures, Figures, list[float]]:
    """Median and least over samples, microseconds one way, by size; and the core-to-core round trips in ns."""
    sizes = ",".join(map(str, SIZES))
    lines = launched(build / "checks/mpi_pt2pt/mpi_pt2pt", "--sizes", sizes, "--seconds", 1, ranks=2, environment=MPI, mpirun=("mpirun.openmpi", "--bind-to", "core"))
    sections = timed(lines)
    middle, least = {}, {}
    for size in SIZES:
        one = sections[f"exchange/{size}"]
        times = [ns / calls / 1000 for ns, calls in zip(one["ns"], one["calls"], strict=True)]
        middle[size], least[size] = median(times), min(times)
    trips = [line["value"] for line in lines if line["type"] == "value" and line["name"].startswith("core_round_trip")]
    return middle, least, trips


def by_hand(build: Path, folder: Path) -> dict[str, Figures]:
    """Least samples by form and size, microseconds one way: fresh, again, hot."""
    found: dict[str, Figures] = {form: {} for form in FORMS}
    for size in SIZES:
        words = [*MPIRUN, str(build / "benchmarks/messages_by_hand"), str(size), "501"]
        one = json.loads(answer(words, folder, MPI))
        if one["wrong"]:
            sys.exit("messages_by_hand: wrong bytes")
        for form in FORMS:
            found[form][size] = one[f"{form}_least_us"]
    return found


def together(before: tuple[Figures, Figures, list[float]], after: tuple[Figures, Figures, list[float]]
             ) -> tuple[Figures, Figures, list[float]]:
    """The mean of two launches; all their core-to-core round trips."""
    pairs = zip(before[:2], after[:2], strict=True)
    middle, least = ({size: (one[size] + other[size]) / 2 for size in SIZES} for one, other in pairs)
    return middle, least, before[2] + after[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--page", type=Path, help="where to write; else it is printed")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error("--rounds must be 1 at least")
    rounds = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(asked.rounds):
            before = ours(asked.build)
            first = number % 2 == 0  # whether the hot buffer comes first
            in_turn = {cold: netpipe(folder, cold) for cold in ((False, True) if first else (True, False))}
            hand = by_hand(asked.build.resolve(), folder)
            rounds.append((together(before, ours(asked.build)), in_turn[False], in_turn[True], hand))
    low = min(trip for (_, _, trips), *_ in rounds for trip in trips)
    alike = [one for one in rounds if max(one[0][2]) <= UNLIKE * low]
    text = ["# Round trips beside NetPIPE", "", "Made by `benchmarks/netpipe_peer.py`; do not edit.", "",
            f"- Processor: {processor()}", f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, "
            f"load {os.getloadavg()[0]:.1f} at the end",
            f"- Command: `python3 benchmarks/netpipe_peer.py --build BUILD --rounds {asked.rounds}`",
            f"- Rounds in one mode: {len(alike)} of {asked.rounds}; core-to-core round trips there {low:.0f} to "
            f"{max(max(one[0][2]) for one in alike) if alike else 0:.0f} ns", "",
            "Microseconds one way, medians over rounds; ratio to the NetPIPE figure that is nearer in definition: least samples",
            "against its least mean (hot buffer), and medians of fresh messages against -I (cold buffer).", "",
            "| bytes | median | least | NetPIPE | NetPIPE -I | least / NetPIPE | median / NetPIPE -I | within 15 % | "
            "GB/s, median | GB/s, NetPIPE -I |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for size in SIZES if alike else ():
        middle, least, hot, cold = (median(part) for part in zip(
            *((own[0][size], own[1][size], np[size], np_cold[size]) for own, np, np_cold, _ in alike), strict=True))
        ratios = {"hot": median(own[1][size] / np[size] for own, np, *_ in alike),
                  "cold": median(own[0][size] / np_cold[size] for own, _, np_cold, _ in alike)}
        near = " and ".join(word for word, ratio in ratios.items() if abs(ratio - 1) <= NEAR) or "neither"
        figures = f"{middle:.4g} | {least:.4g} | {hot:.4g} | {cold:.4g} | {ratios['hot']:.3f} | {ratios['cold']:.3f}"
        text.append(f"| {size} | {figures} | {near} | {size / middle / 1000:.3f} | {size / cold / 1000:.3f} |")
    text += ["", "## What makes the difference", "",
             "The same messages by hand (`benchmarks/messages_by_hand.cpp`), least samples, microseconds one way: *fresh* as",
             "ours, *again* without writing and checking between samples, *hot* from one buffer on each side, NetPIPE's",
             "definition. Ratios are medians over rounds.", "",
             "| bytes | fresh | again | hot | fresh / ours | hot / NetPIPE |", "| --- | --- | --- | --- | --- | --- |"]
    for size in SIZES if alike else ():
        forms = [median(hand[form][size] for *_, hand in alike) for form in FORMS]
        same = median(hand["fresh"][size] / own[1][size] for own, _, _, hand in alike)
        peer = median(hand["hot"][size] / np[size] for _, np, _, hand in alike)
        text.append(f"| {size} | {' | '.join(f'{one:.4g}' for one in forms)} | {same:.3f} | {peer:.3f} |")
    page = "\n".join([*text, ""])
    if asked.page is None:
        print(page)
    else:
        asked.page.parent.mkdir(parents=True, exist_ok=True)
        asked.page.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
