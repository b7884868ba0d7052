"""Variants of the check seismic in turn: time of each over that of `classic`, medians over the starts.

    python3 benchmarks/seismic_speed.py --build build/NAME [--starts 6] [--page checks/seismic/measured.md]

Each start is one process (benchmarks/seismic_speed.cpp) that times a pass of every variant in turn, on one thread, elastic, on
192^3 cells or the cube whose fields are twice the last-level cache where that is larger. The same starts on 48^3 cells, whose
fields lie in a cache, tell the cost of arithmetic from that of memory.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from pathlib import Path
from statistics import median

from in_turn import answer, last_level_cache, processor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

from tenken.stats.interval import median_interval  # noqa: E402

LINES = (  # name, of, what, target, floor
    ("fused", "classic", "ratio to `classic`", 0.68, 0.78), ("one_sweep", "classic", "ratio to `classic`", 0.55, 0.66),
    ("temporal2", "classic", "ratio to `classic`", None, None), ("temporal4", "classic", "ratio to `classic`", 0.40, 0.52),
    ("classic_fortran", "classic", "ratio to `classic`", None, None),
    ("layers", "inside", "point in a layer over a point inside, `fused`", 1.5, 1.9),
    ("fused_viscous", "fused", "viscoelastic over elastic, `fused`", 2.0, 2.4),
)
CLASSIC_BYTES, FIELDS = 264, 12  # a point and step; arrays of `fused`
SMALL = 48  # cells of a side, whose fields lie in a cache
WORK = (  # name, flop and bytes a point and step of the README's table; temporal passes once over memory in `depth` steps
    ("classic", 143, 264), ("fused", 143, 120), ("one_sweep", 143, 84), ("temporal2", 143, 42), ("temporal4", 143, 21),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--starts", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--page", type=Path)
    typed = parser.parse_args()
    cache = last_level_cache()
    cells = max(192, 16 * round((2 * cache / 4 / FIELDS) ** (1 / 3) / 16 + 0.5))
    starts, small = [], []
    for _ in range(typed.starts):
        for size, answers, rounds in ((cells, starts, typed.rounds), (SMALL, small, 10 * typed.rounds)):
            command = [str(typed.build / "benchmarks/seismic_speed"), str(size), "1", str(rounds), str(cache)]
            answers.append(json.loads(answer(command)))
    by_size = [
        f"| cells | {cells}^3: ns a point and step | GFLOP/s | GB/s | {SMALL}^3: ns a point and step | GFLOP/s | over `classic` of {cells}^3 |",
        "|---|---|---|---|---|---|---|"]
    for name, flop, size in WORK:
        large, tiny = (median(one[name] for one in of) for of in (starts, small))
        by_size.append(f"| `{name}` | {large:.2f} | {flop / large:.1f} | {size / large:.1f} | {tiny:.2f} | {flop / tiny:.1f} | "
                       f"{tiny / median(one['classic'] for one in starts):.3f} |")
    rows = ["| quantity | ns a point and step | ratio | interval | target | floor |", "|---|---|---|---|---|---|"]
    rate = [CLASSIC_BYTES / one["classic"] / one["triad"] for one in starts]
    low, high = median_interval(rate) or (min(rate), max(rate))
    rows.append(f"| `classic`: {CLASSIC_BYTES} B a point over its time, over the triad rate | {median(s['classic'] for s in starts):.2f} | "
                f"{median(rate):.3f} | {low:.3f} to {high:.3f} | 0.75 | 0.55 |")
    for name, of, what, target, floor in LINES:
        if name not in starts[0]:  # a build without Fortran
            continue
        ratios = [one[name] / one[of] for one in starts]
        low, high = median_interval(ratios) or (min(ratios), max(ratios))
        bars = " | ".join("" if bar is None else f"{bar:.2f}" for bar in (target, floor))
        rows.append(f"| `{name}`: {what} | {median(s[name] for s in starts):.2f} | {median(ratios):.3f} | {low:.3f} to {high:.3f} | {bars} |")
    page = "\n".join([
        "# Seismic waves, measured", "", "Made by `benchmarks/seismic_speed.py`; do not edit.", "",
        f"- Processor: {processor()}",
        f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- Command: `python3 benchmarks/seismic_speed.py --build BUILD --starts {typed.starts} --rounds {typed.rounds}`", "",
        f"{cells}^3 cells on one thread, all variants in turn in one process. Medians of {typed.starts} starts with the 95 % interval",
        f"of the ratio. The triad moves {median(s['triad'] for s in starts):.1f} GB/s without write-allocate.", "", *rows, "",
        "Flop and bytes are those of the table in [README.md](README.md). The last column is the ratio that a variant would have with",
        "all its fields in a cache.", "", *by_size, ""])
    print(page)
    if typed.page:
        typed.page.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
