"""How often three sittings in a row, in which nothing changed, are a FAIL by the noise of lines.py; and how often a shift is.

Counts of 200 runs, which lasting_rates_test.py makes again, are written by PYTHONPATH=python:tests python3 tests/rates/lasting_rates.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from rates import lines, noise
from rates.bounds import rate, table, wilson
from rates.line_rates import DEMANDS, FAILS, FEW, LAUNCHES, LINES, NAMES, QUANTITIES, SEED, SITTINGS, Counts, confirmed, summed
from rates.lines import Line
from tenken.judge.change import SITTINGS as IN_A_ROW
from tenken.judge.change import Held, failed, held, history_of, lasting, learn
from tenken.model import limits
from tenken.stats import nested
from tenken.stats.change import Ordinary

FILE = Path(__file__).with_name("lasting_counts.json")
PREFIX = "lasting: "  # of the names of counts
AGAIN = 5  # sittings of the baseline, in what the tests make again
FLOOR = 0.01  # of clean runs that are said to last: upper 95 % bound
SHIFT = 0.10  # of one section, in all three sittings


def sitting(ordinary: Ordinary, new: noise.Array) -> Held:
    """One sitting after both stages; `new` (runs, quantities, launches)."""
    counting = confirmed(ordinary, new)[0]
    launches = (~np.isnan(counting)).sum(axis=-1).astype(float)
    return held(ordinary, DEMANDS, nested.middle(counting), launches, nested.lowest(counting))


def measure(line: Line, sittings: int, runs: int, block: int = 0) -> Counts:
    """Counts over `runs` runs of a line that come after two others, against baselines of `sittings`."""
    chance = np.random.default_rng([SEED, LINES.index(line), sittings, block, IN_A_ROW])
    return summed(lambda many: _chunk(line, sittings, many, chance), runs)


def _chunk(line: Line, sittings: int, runs: int, chance: np.random.Generator) -> Iterator[tuple[str, int]]:
    ordinary = learn(history_of(lines.sittings(line, runs, sittings, LAUNCHES, chance), QUANTITIES, NAMES))
    new = lines.sittings(line, runs, IN_A_ROW, LAUNCHES + limits.CONFIRMING, chance)
    everyone = np.arange(runs)
    place = everyone % noise.SECTIONS
    yield "runs", runs
    for name, shift in (("clean", 0.0), ("shifted", SHIFT)):
        moved = new.copy()
        moved[everyone, place] += np.log1p(shift)
        now, *before = (sitting(ordinary, moved[:, :, one]) for one in range(IN_A_ROW))
        last = lasting(now, before, DEMANDS)
        answers = failed(now.decision, last).answers
        if name == "clean":
            yield "clean lasting", last.any(axis=-1).sum()
            yield "clean failed", (answers >= FAILS).any(axis=-1).sum()
        else:
            yield "shifted alone", (now.decision.answers[everyone, place] >= FAILS).sum()
            yield "shifted failed", (answers[everyone, place] >= FAILS).sum()


def page(counts: Mapping[str, Counts]) -> str:
    """`counts` by "lasting: line/sittings"; sizes of baselines that were not simulated have no rows."""
    runs = counts[f"{PREFIX}{LINES[0].name}/{AGAIN}"]["runs"]
    text = f"""
## Three sittings in a row

{runs} runs of each line that come after two others (tests/rates/lasting_rates.py). Said to last where nothing changed; FAIL then,
for this or by the run alone; and FAIL of one section that is slower by {SHIFT:.0%} in all three, beside what this run alone would have failed.

"""
    rows = []
    for line in LINES:
        for sittings in (each for each in SITTINGS if f"{PREFIX}{line.name}/{each}" in counts):
            one = counts[f"{PREFIX}{line.name}/{sittings}"]
            shares = (f"{100 * one[key] / one['runs']:.0f} %" for key in ("shifted failed", "shifted alone"))
            clean = (rate(one[key], one["runs"]) for key in ("clean lasting", "clean failed"))
            rows.append((line.name, str(sittings), *clean, *shares))
    return text + table(("noise", "sittings", "said to last", "any FAIL", f"+{SHIFT:.0%} FAIL", "alone"), rows)


def goals(counts: Mapping[str, Counts]) -> list[tuple[str, bool]]:
    clean = [one for key, one in counts.items() if key.startswith(PREFIX)]
    return [(f"clean runs that are said to last, on every line: upper bound <= {FLOOR:.0%}",
             all(wilson(one["clean lasting"], one["runs"])[1] <= FLOOR for one in clean))]


def main() -> int:
    found = {line.name: measure(line, AGAIN, FEW) for line in LINES}
    text = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in found.items())  # a line a line
    FILE.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
