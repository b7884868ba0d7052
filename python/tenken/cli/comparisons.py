"""The answer of a comparison: read both runs, judge, write the report files, print."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tenken.cli import answer, places
from tenken.cli.progress import Progress
from tenken.cli.terminal import raw
from tenken.history.hosts import hosts_of
from tenken.machine.difference import between
from tenken.machine.facts import environment_of
from tenken.model.assessment import Assessment
from tenken.model.comparison import Comparison, ComparisonPlan
from tenken.model.difference import Difference
from tenken.model.run import Run
from tenken.store.files import read_json, write_json
from tenken.store.runfolder import RunFolder

Runs = tuple[Run, Run]


def show(of: ComparisonPlan, typed: argparse.Namespace, progress: Progress, files: bool = False) -> int:
    """Judge a comparison, print the answer and return the exit code. `files`: write the report files first."""
    from tenken.report import compare_text

    compared, halves = _judge(of)
    folder = Path(of.folder)
    page = _write(compared, halves, folder, progress) if files else (folder / "report.html").exists()
    progress.clear()
    width = min(shutil.get_terminal_size((100, 24)).columns, 160) if sys.stdout.isatty() else 100
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    plain = compare_text.decision(compared, typed.all, width, page=page)
    if typed.json:
        from tenken.report.results import comparison

        print(json.dumps(comparison(compared), indent=1))
    else:
        shown = compare_text.decision(compared, typed.all, width, colour, page) if colour else plain
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
        from tenken.report import compare_html

        answer.write_text(folder / "report.html", compare_html.page(compared))
    except ImportError as error:
        progress(f"report   no report.html: Python module {error.name} is missing (./tenken report --yes installs it)")
        return False
    return True
