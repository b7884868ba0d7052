"""All simulations of error rates by name. counts.json has the counts of a release, of which page.py makes the page, and those of
the first 200 runs of six simulations, which rates_test.py makes again.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from zlib import crc32

import numpy as np
from rates import change, disturbed, places

SEED, CHUNK = 20261129, 200  # runs that are simulated at once, and are made again by the tests
COUNTS = Path(__file__).with_name("counts.json")
SIMULATIONS = change.SIMULATIONS | places.SIMULATIONS | disturbed.SIMULATIONS
SHORT = ("t4/5", "shared/5", "in a row: t4/5", "one section 20 % slower in four cases of 5/5",
         "place: 64 nodes: every tenth six times noisier, another 20 % slower", "disturbed: 0.05")
# Runs of lines that are near their goal, where the same goal cannot be shown with fewer.
LEAST = {"t4/3": 4000, "t4/30": 4000, "t2.5/3": 10000, "t2.5/5": 10000, "t2.5/30": 5000, "disturbed: 0.05": 2000}
Counts = dict[str, int]


def chunk(name: str, number: int, runs: int = CHUNK) -> Counts:
    """Each chunk of each simulation has chance of its own, so that any can be made again alone."""
    chance = np.random.default_rng([SEED, crc32(name.encode()), number])
    return {key: int(count) for key, count in SIMULATIONS[name](chance, runs)}


def simulate(runs: int) -> dict[str, Counts]:
    """`runs` of every simulation, in whole chunks; of those in LEAST at least so many."""
    most = max(runs, *LEAST.values()) // CHUNK
    parts = [(name, number) for number in range(most) for name in SIMULATIONS if number < max(runs, LEAST.get(name, 0)) // CHUNK]
    sums: dict[str, Counter[str]] = {name: Counter() for name in SIMULATIONS}
    with ProcessPoolExecutor() as pool:
        for done, ((name, _), counts) in enumerate(zip(parts, pool.map(chunk, *zip(*parts, strict=True)), strict=True), 1):
            sums[name].update(counts)
            print(f"{done} of {len(parts)}: {name}", flush=True)
    return {name: dict(counts) for name, counts in sums.items()}


def read() -> dict[str, dict[str, Counts]]:
    """ "all": the counts of a release; "short": those of the first chunk of some."""
    found: dict[str, dict[str, Counts]] = json.loads(COUNTS.read_text(encoding="utf-8"))
    return found


def write(whole: dict[str, Counts]) -> None:
    """A simulation a line, the short ones made anew."""
    kinds = {"short": {name: chunk(name, 0) for name in SHORT}, "all": whole}
    texts = [f'"{kind}": {{\n' + ",\n".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in some.items()) + "\n}"
             for kind, some in kinds.items()]
    COUNTS.write_text("{" + ",\n".join(texts) + "}\n", encoding="utf-8")
