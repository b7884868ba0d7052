"""Real runs with nothing changed between them, kept as the values of their launches: sittings/, a file a machine.

tests/rates/collect.sh measures a sitting; with --keep it adds those of a folder to the file of their node class, which grows over
days, and writes the table.
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

from tenken.base.units import moment_s
from tenken.cli.answer import machine_of
from tenken.judge.common import Judged, Powers, launches_on, prepare, quantities_of, readings, scaled, values_to_judge
from tenken.judge.launch_set import following_clock, offers_of
from tenken.model.baseline import LaunchValues, Quantity, occasion_of
from tenken.model.machine import Machine
from tenken.model.run import CaseRun
from tenken.store.runfolder import RunFolder, list_runs

KEPT = Path(__file__).with_name("sittings")
LOADS = ("run-queue wait", "steal", "core shared")
FEWEST, APART_S = 16, 20 * 60.0  # sittings that prove something, and how far apart
Array = NDArray[np.float64]


@dataclass(frozen=True)
class OfCase:
    """What one run holds of a case: what is held against a baseline, what a baseline would keep, what follows the clock."""

    judged: Judged
    accepted: tuple[LaunchValues, ...]
    follows: Powers


@dataclass(frozen=True)
class Frozen:
    name: str  # of the machine
    words: str
    dates: tuple[str, str]  # of the first and the last run
    loads: dict[str, tuple[float, ...]]  # of each run, by counter
    quantities: dict[str, dict[str, Quantity]]  # by case and name
    runs: tuple[str, ...]
    cases: tuple[dict[str, OfCase], ...]  # of each run

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Case and quantity of each row of `accepted`."""
        return tuple((case, name) for case, some in self.quantities.items() for name in some)

    @property
    def launches(self) -> int:
        """Undisturbed, of all cases."""
        return sum(len(one.accepted) for run in self.cases for one in run.values())

    def accepted(self) -> Array:
        """(quantities, runs, launches), scaled: what a baseline would keep; NaN where nothing is known."""
        most = max(len(one.accepted) for run in self.cases for one in run.values())
        found = np.full((len(self.names), len(self.runs), most), np.nan)
        for i, (case, name) in enumerate(self.names):
            for j, run in enumerate(self.cases):
                for k, launch in enumerate(run[case].accepted if case in run else ()):
                    if name in launch.values:
                        found[i, j, k] = scaled(self.quantities[case][name], launch.values[name])
        return found


def freeze(folder: Path, machine: str) -> dict[str, Any]:
    """The content of a file of sittings: of every run, oldest first, the values of each launch that can be judged.

    SystemExit where the runs are of several node classes."""
    described: dict[str, dict[str, Quantity]] = {}
    runs, nodes = [], set()
    for run in (RunFolder(path).read() for path in list_runs(folder)):
        known, _ = machine_of(run)
        nodes |= {node.node_class for node in known.nodes}
        cases = [prepare(run.name, one, known) for one in run.cases]
        follows = following_clock(cases, [one.case_run.case.id for one in cases], offers_of(cases, known), known)
        values = {}
        for case in cases:
            judged, case_id = values_to_judge(case, known), case.case_run.case.id
            quantities, accepted = quantities_of(case, known)
            described.setdefault(case_id, {}).update({each.name: each for each in (*quantities, *judged.quantities)})
            steady = {each.launch: each for each in accepted}
            launches = [
                _launch(slow, fast, steady.get(slow.launch)) for slow, fast in zip(judged.launches, judged.fast, strict=True)
            ]
            values[case_id] = {"follows": dict(follows[case_id]), "launches": launches}
        runs.append({"run": run.name, "started": run.started, "sitting": occasion_of(run.environment).name,
                     "counters": counters(run.cases, known), "cases": values})
    if len(nodes) != 1:
        raise SystemExit(f"frozen: the runs in {folder} are of {len(nodes)} node classes; give a folder with runs of one.")
    by_case = {
        case: [{"name": one.name, "unit": one.unit, "better": one.better, "class": one.klass} for one in quantities.values()]
        for case, quantities in described.items()
    }
    return {"machine": machine, "node": nodes.pop(), "quantities": by_case, "runs": runs}


def joined(kept: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """`new` with the earlier runs of `kept`, a run once; both of one node class."""
    runs = {one["run"]: one for one in (*kept["runs"], *new["runs"])}
    quantities = {case: list({one["name"]: one for one in (*kept["quantities"].get(case, ()), *some)}.values())
                  for case, some in (kept["quantities"] | new["quantities"]).items()}
    return new | {"quantities": quantities, "runs": [runs[name] for name in sorted(runs)]}


def counters(cases: Sequence[CaseRun], machine: Machine) -> dict[str, float]:
    """What the system counted of others' load, at its worst over the launches of a run: parts of the wall time."""
    found: dict[str, float] = {}
    for one in (reading for case in cases for each in launches_on(case, machine) for reading in readings(each)):
        if one.name not in LOADS:
            continue
        found[one.name] = max(found.get(one.name, 0.0), float(f"{one.value:.3g}"))
    return found


def require_sittings(runs: Sequence[tuple[str, str, str]]) -> None:
    """SystemExit unless `runs` (name, start, name of the sitting) are sittings of their own, some time apart."""
    names = [sitting for _, _, sitting in runs]
    for name, _, sitting in runs:
        if not sitting or names.count(sitting) > 1:
            what = f"is of the sitting {sitting} as another" if sitting else "has no named sitting"
            raise SystemExit(f"frozen: {name} {what}; give each run a name of its own with collect.sh.")
    times = sorted((moment_s(started) or 0.0, name) for name, started, _ in runs)
    for (before, _), (after, name) in pairwise(times):
        if after - before < APART_S:
            minutes = f"{(after - before) / 60:.0f} minutes after the one before; at least {APART_S / 60:.0f} are needed"
            raise SystemExit(f"frozen: {name} began {minutes}.")


def _launch(slow: LaunchValues, fast: LaunchValues, accepted: LaunchValues | None) -> dict[str, Any]:
    """As measured; where other load may have cost some of it, without that; what a baseline keeps beside it, unjudged."""
    told = {"launch": slow.launch, "steady": accepted is not None, "values": _short(slow)}
    if fast != slow:
        told["fast"] = _short(fast)
    kept = {} if accepted is None else {name: one for name, one in accepted.values.items() if name not in slow.values}
    return told | {"kept": _short(LaunchValues(slow.launch, kept))} if kept else told


def _short(launch: LaunchValues) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in launch.values.items()}


def read_all() -> tuple[Frozen, ...]:
    """Of every machine what is kept; those with sittings enough first, of them the latest."""
    latest = sorted(map(read, sorted(KEPT.glob("*.json"))), key=lambda one: one.dates[1], reverse=True)
    return tuple(sorted(latest, key=lambda one: len(one.runs) < FEWEST))


def read(path: Path) -> Frozen:
    content = json.loads(path.read_text(encoding="utf-8"))
    quantities = {case: {one["name"]: Quantity(*one.values()) for one in some} for case, some in content["quantities"].items()}
    runs = content["runs"]
    dates = sorted(run.get("started") or _date(run["run"]) for run in runs)
    told = [run["counters"] for run in runs if "counters" in run]
    loads = {name: tuple(one[name] for one in told if name in one) for name in LOADS if any(name in one for one in told)}
    cases = tuple({case: _of_case(quantities[case], one) for case, one in run["cases"].items()} for run in runs)
    ran = tuple(run["run"] for run in runs)
    return Frozen(path.stem, content["machine"], (dates[0][:10], dates[-1][:10]), loads, quantities, ran, cases)


def _of_case(quantities: dict[str, Quantity], told: dict[str, Any]) -> OfCase:
    slow, fast = (
        tuple(LaunchValues(one["launch"], one.get(key, one["values"])) for one in told["launches"]) for key in ("values", "fast")
    )
    present = {name for one in slow for name in one.values}
    judged = Judged(tuple(one for name, one in quantities.items() if name in present), slow, fast)
    accepted = (LaunchValues(one["launch"], one["values"] | one.get("kept", {})) for one in told["launches"] if one["steady"])
    return OfCase(judged, tuple(accepted), told["follows"])


def _date(run: str) -> str:
    """Of a run by its name, which begins with it."""
    return f"{run[:4]}-{run[4:6]}-{run[6:8]}"


def main(folder: Path, machine: str) -> None:
    content = freeze(folder, machine)
    earlier = KEPT / f"{content['node']}.json"
    if earlier.exists():
        content = joined(json.loads(earlier.read_text(encoding="utf-8")), content)
    runs = [(one["run"], one["started"], one["sitting"]) for one in content["runs"]]
    require_sittings(runs)
    text = json.dumps(content).replace('{"run"', '\n{"run"')  # a run a line
    KEPT.mkdir(exist_ok=True)
    earlier.write_text(text + "\n", encoding="utf-8")
    print(f"frozen: {len(runs)} sittings of {content['node']}, of {FEWEST} that prove something")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
