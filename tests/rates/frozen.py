"""Real runs of one machine with nothing changed between them, kept as the values of their launches: real.json.

tests/rates/collect.sh measures a sitting, and with --page freezes all of a folder and writes the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tenken.base.moments import seconds
from tenken.cli.answer import machine_of
from tenken.judge.common import prepare, quantities_of, readings, scaled, values_to_judge
from tenken.model.baseline import LaunchValues, Quantity
from tenken.model.run import CaseRun, Measured
from tenken.model.sitting import occasion_of
from tenken.store.runfolder import RunFolder, list_runs

FILE = Path(__file__).with_name("real.json")
LOADS = ("run-queue wait", "steal")
FEWEST, APART_S = 16, 20 * 60.0  # sittings, and how far apart
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Frozen:
    machine: str  # in words
    dates: tuple[str, str]  # of the first and the last run
    loads: dict[str, tuple[float, ...]]  # of each run, by counter
    names: tuple[tuple[str, str], ...]  # case and quantity of each row
    quantities: tuple[Quantity, ...]
    runs: tuple[str, ...]
    launches: int  # undisturbed, of all cases
    accepted: Array  # (quantities, runs, launches), scaled: what a baseline would keep; NaN where nothing is known
    judged: Array  # the same: what is held against one


def freeze(folder: Path, machine: str) -> dict[str, Any]:
    """The content of real.json: of every run, oldest first, the values of each launch that can be judged."""
    cases: dict[str, dict[str, Quantity]] = {}
    runs = []
    whole = [RunFolder(path).read() for path in list_runs(folder)]
    require_sittings([(run.name, run.started, occasion_of(run.environment).name) for run in whole])
    for run in whole:
        known, _ = machine_of(run)
        values = {}
        for one in run.cases:
            case = prepare(run.name, one, known)
            quantities, launches = values_to_judge(case, known)
            steady = {each.launch for each in quantities_of(case, known)[1]}
            cases.setdefault(one.case.id, {}).update({each.name: each for each in quantities})
            values[one.case.id] = [_launch(each, each.launch in steady) for each in launches]
        runs.append({"run": run.name, "started": run.started, "counters": counters(run.cases), "launches": values})
    described = {
        case: [{"name": one.name, "unit": one.unit, "better": one.better, "class": one.klass} for one in quantities.values()]
        for case, quantities in cases.items()
    }
    return {"machine": machine, "quantities": described, "runs": runs}


def counters(cases: Sequence[CaseRun]) -> dict[str, float]:
    """What the system counted of others' load, at its worst over the launches of a run: parts of the timed wall."""
    found: dict[str, float] = {}
    measured = (Measured(launch, record) for case in cases for launch, record in zip(case.launches, case.records, strict=False))
    for one in (reading for each in measured for reading in readings(each) if reading.name in LOADS):
        found[one.name] = max(found.get(one.name, 0.0), float(f"{one.value:.3g}"))
    return found


def require_sittings(runs: Sequence[tuple[str, str, str]]) -> None:
    """SystemExit unless `runs` (name, start, name of the sitting) are sittings of their own, some time apart."""
    if len(runs) < FEWEST:
        raise SystemExit(f"frozen: {len(runs)} runs, of which at least {FEWEST} are needed; measure more with collect.sh.")
    names = [sitting for _, _, sitting in runs]
    for name, _, sitting in runs:
        if not sitting or names.count(sitting) > 1:
            what = f"is of the sitting {sitting} as another" if sitting else "has no named sitting"
            raise SystemExit(f"frozen: {name} {what}; give each run a name of its own with collect.sh.")
    times = sorted((seconds(started) or 0.0, name) for name, started, _ in runs)
    for (before, _), (after, name) in pairwise(times):
        if after - before < APART_S:
            minutes = f"{(after - before) / 60:.0f} minutes after the one before; at least {APART_S / 60:.0f} are needed"
            raise SystemExit(f"frozen: {name} began {minutes}.")


def _launch(one: LaunchValues, steady: bool) -> dict[str, Any]:
    return {"steady": steady, "values": {name: float(f"{value:.6g}") for name, value in one.values.items()}}


def read(path: Path = FILE) -> Frozen:
    content = json.loads(path.read_text(encoding="utf-8"))
    rows = [(case, Quantity(*one.values())) for case, some in content["quantities"].items() for one in some]
    runs = content["runs"]
    most = max(len(some) for run in runs for some in run["launches"].values())
    accepted = np.full((len(rows), len(runs), most), np.nan)
    judged = accepted.copy()
    for j, run in enumerate(runs):
        for i, (case, quantity) in enumerate(rows):
            for k, launch in enumerate(run["launches"].get(case, ())):
                if quantity.name in launch["values"]:
                    judged[i, j, k] = scaled(quantity, launch["values"][quantity.name])
                    accepted[i, j, k] = judged[i, j, k] if launch["steady"] else np.nan
    names = tuple((case, quantity.name) for case, quantity in rows)
    steady = sum(launch["steady"] for run in runs for some in run["launches"].values() for launch in some)
    quantities = tuple(one for _, one in rows)
    dates = sorted(run.get("started") or _date(run["run"]) for run in runs)
    ran = tuple(run["run"] for run in runs)
    told = [run["counters"] for run in runs if "counters" in run]
    loads = {name: tuple(one[name] for one in told if name in one) for name in LOADS if any(name in one for one in told)}
    return Frozen(content["machine"], (dates[0][:10], dates[-1][:10]), loads, names, quantities, ran, steady, accepted, judged)


def _date(run: str) -> str:
    """Of a run by its name, which begins with it."""
    return f"{run[:4]}-{run[4:6]}-{run[6:8]}"


if __name__ == "__main__":
    text = json.dumps(freeze(Path(sys.argv[1]), sys.argv[2])).replace('{"run"', '\n{"run"')  # a run a line
    FILE.write_text(text + "\n", encoding="utf-8")
