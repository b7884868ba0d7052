"""Real runs of one machine with nothing changed between them, kept as the values of their launches: real.json.

Collect with tests/rates/collect.sh FOLDER, then freeze and judge:
PYTHONPATH=python:tests python3 -m rates.frozen FOLDER "the machine in words", and judge_rates.py --real-only.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tenken.cli.answer import machine_of
from tenken.judge.change_history import scaled
from tenken.judge.prepared import prepare
from tenken.judge.quantities import quantities_of, values_to_judge
from tenken.model.baseline import LaunchValues, Quantity
from tenken.store.runfolder import RunFolder, list_runs

FILE = Path(__file__).with_name("real.json")
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Frozen:
    machine: str  # in words
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
    for path in sorted(list_runs(folder)):
        run = RunFolder(path).read()
        known, _ = machine_of(run)
        values = {}
        for one in run.cases:
            case = prepare(run.name, one, known)
            quantities, launches = values_to_judge(case, known)
            steady = {each.launch for each in quantities_of(case, known)[1]}
            cases.setdefault(one.case.id, {}).update({each.name: each for each in quantities})
            values[one.case.id] = [_launch(each, each.launch in steady) for each in launches]
        runs.append({"run": run.name, "launches": values})
    described = {
        case: [{"name": one.name, "unit": one.unit, "better": one.better, "class": one.klass} for one in quantities.values()]
        for case, quantities in cases.items()
    }
    return {"machine": machine, "quantities": described, "runs": runs}


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
    return Frozen(content["machine"], names, quantities, tuple(run["run"] for run in runs), steady, accepted, judged)


if __name__ == "__main__":
    text = json.dumps(freeze(Path(sys.argv[1]), sys.argv[2])).replace('{"run"', '\n{"run"')  # a run a line
    FILE.write_text(text + "\n", encoding="utf-8")
