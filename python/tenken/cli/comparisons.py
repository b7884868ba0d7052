"""The answer of a comparison: read both runs, judge, write the report files, print."""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import nearest
from tenken.cli import answer, places
from tenken.cli.terminal import Progress, raw
from tenken.machine.facts import between, environment_of
from tenken.model.assessment import Assessment
from tenken.model.baseline import Difference
from tenken.model.comparison import Comparison, ComparisonPlan
from tenken.model.run import Run, hosts_of
from tenken.store.files import read_json, to_plain, write_json
from tenken.store.runfolder import RunFolder

Runs = tuple[Run, Run]


def show(of: ComparisonPlan, typed: argparse.Namespace, progress: Progress, files: bool = False) -> int:
    """Judge a comparison, print the answer and return the exit code. `files`: write the report files first."""
    from tenken.report.compared import decision

    compared, halves = _judge(of)
    folder = Path(of.folder)
    page = _write(compared, halves, folder, progress) if files else (folder / "report.html").exists()
    progress.clear()
    width = min(shutil.get_terminal_size((100, 24)).columns, 160) if sys.stdout.isatty() else 100
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    plain = decision(compared, typed.all, width, page=page)
    if typed.json:
        from tenken.report.results import comparison

        print(json.dumps(comparison(compared), indent=1))
    else:
        shown = decision(compared, typed.all, width, colour, page) if colour else plain
        print(shown, end="", file=raw(sys.stdout) if colour else None)
    if files:
        progress.log(plain)
    return compared.exit_code


def further(of: ComparisonPlan, progress: Progress) -> Callable[[Runs], dict[str, int]]:
    """How many more pairs cases need before they can be judged, and says so."""

    def wanted(runs: Runs) -> dict[str, int]:
        from tenken.judge.release import further_pairs

        more_pairs = further_pairs(of, runs, answer.machine_of(runs[0])[0])
        if more_pairs:
            named = ", ".join(f"{case_id} {pairs}" for case_id, pairs in list(more_pairs.items())[:3])
            named += ", ..." if len(more_pairs) > 3 else ""
            progress(f"more     pairs for {len(more_pairs)} of {len(runs[0].cases)} cases: {named}")
        return more_pairs

    return wanted


def _judge(of: ComparisonPlan) -> tuple[Comparison, tuple[Assessment, Assessment]]:
    from tenken.judge.release import compare

    folders = [RunFolder(Path(of.folder).parent / name) for name in of.runs]
    runs = folders[0].read(), folders[1].read()
    machine, _ = answer.machine_of(runs[0])
    baselines = places.baselines(None)
    halves = answer.assess(runs[0], baselines), answer.assess(runs[1], baselines)
    return compare(of, runs, halves, machine, _differences(runs, of.environments[0])), halves


def _differences(runs: Runs, name: str) -> tuple[Difference, ...]:
    """Differences of B from A: compiler, MPI, flags, variables, modules, libraries that the programs reported."""
    facts = []
    for run in runs:
        hosts = {host for case_run in run.cases for host in hosts_of(case_run)}
        libraries: dict[str, Any] = {}
        for record in (record for case_run in run.cases for record in case_run.records):
            libraries |= record.environment.libraries
        machine_json = read_json(Path(run.folder) / "machine.json", "machine")
        facts.append(environment_of(machine_json, run.environment | {"libraries": libraries}, hosts))
    return between(facts[0], facts[1], name)


def _write(compared: Comparison, halves: Sequence[Assessment], folder: Path, progress: Progress) -> bool:
    """results.json (of both runs too) and report.html. False where the page could not be drawn."""
    from tenken.report.results import comparison, results

    for half in halves:
        write_json(Path(half.folder) / "results.json", results(half))
    write_json(folder / "results.json", comparison(compared))
    try:
        from tenken.report import pages

        answer.write_text(folder / "report.html", pages.comparison_page(compared))
    except ImportError as error:
        progress(f"report   no report.html: Python module {error.name} is missing (./tenken report --yes installs it)")
        return False
    return True


# The folder of a comparison: its plan. The launches are those of two ordinary runs beside it.

_FILE, _SCHEMA = "comparison.json", "tenken.comparison/1"


def new_folder(runs: Path, suite: str, started: datetime | None = None) -> Path:
    """A new folder `<UTC>-compare-<suite>-<4 hex>` in `runs`."""
    at = (started or datetime.now(timezone.utc)).astimezone(timezone.utc)
    label = re.sub(r"[^A-Za-z0-9_.]+", "-", suite).strip("-.")[:40] or "cases"
    path = runs / f"{at:%Y%m%dT%H%M%SZ}-compare-{label}-{secrets.token_hex(2)}"
    try:
        path.mkdir(parents=True)
    except OSError as error:
        raise TenkenError(
            f"cannot make {path}: {error.strerror}; choose a folder that you can write to with --runs DIR"
        ) from error
    return path


def write_plan(
    folder: Path, suite: str, seed: int, environments: tuple[str, str], runs: tuple[str, str], essential: Sequence[str],
    most_pairs: int,
) -> ComparisonPlan:
    started = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    plan = ComparisonPlan(folder.name, str(folder), suite, started, seed, environments, runs, tuple(essential), most_pairs)
    known = {key: value for key, value in to_plain(plan).items() if key not in ("name", "folder")}
    write_json(folder / _FILE, {"schema": _SCHEMA, **known})
    return plan


def read_plan(folder: Path) -> ComparisonPlan:
    """RecordError where `comparison.json` cannot be believed."""
    plan = read_json(folder / _FILE, "comparison")
    environments, runs = plan["environments"], plan["runs"]
    return ComparisonPlan(
        folder.name, str(folder), plan["suite"], plan["started"], plan["seed"], (environments[0], environments[1]),
        (runs[0], runs[1]), tuple(plan["essential"]), plan["most_pairs"],
    )


def find_comparison(runs: Path, name: str) -> Path:
    """The folder of the comparison called `name`: a path, a unique prefix of a name in `runs`, or `last`."""
    if (Path(name) / _FILE).is_file():
        return Path(name)
    known = sorted(path.parent for path in runs.glob(f"*/{_FILE}"))
    if not known:
        raise TenkenError(f"no comparisons in {runs}: ./tenken compare-env A B makes one, or name the folder with --runs DIR")
    if name == "last":
        return known[-1]
    fitting = [path for path in known if name and path.name.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    names = [path.name for path in fitting or known]
    if fitting:
        raise TenkenError(f"'{name}' fits {len(fitting)} comparisons: {', '.join(names[-5:])}; type more of it")
    raise TenkenError(f"no comparison '{name}' in {runs}; {nearest(name, names[-10:])}")
