"""The answer of a run: read, judge, write the report files, print. Only here these parts are wired."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenken.base.errors import TenkenError
from tenken.base.regular import replace_file
from tenken.cli import places
from tenken.cli.terminal import Progress, raw
from tenken.machine.files import read_files
from tenken.machine.match import bands, choose, facts, with_additions
from tenken.model.assessment import Assessment
from tenken.model.check import Check, exists, present
from tenken.model.contract import Contract, Terms
from tenken.model.judgement import Judge
from tenken.model.machine import Band, Machine
from tenken.model.run import CaseRun, Run
from tenken.model.verdict import EXIT_BAD, EXIT_NOTHING_JUDGED, Axis
from tenken.store.contractfile import kept_files, read_terms
from tenken.store.files import read_json, write_json
from tenken.store.runfolder import RunFolder

if TYPE_CHECKING:  # needs NumPy, which the help of a word does without
    from tenken.judge.common import Prepared


def machine_of(run: Run) -> tuple[Machine, tuple[Band, ...]]:
    """The machine that a run was measured on, and the figures expected of such nodes."""
    machine_json = read_json(Path(run.folder) / "machine.json", "machine")
    files = read_files(places.folders("machines"))
    hosts = [node["host"] or "unknown" for node in machine_json["nodes"]]
    name = run.environment.get("machine")
    machine = facts(machine_json, files, choose(files, hosts, name if name in files.machines else None))
    machine = with_additions(machine, (record for case_run in run.cases for record in case_run.records))
    return machine, bands(files, machine)


def load() -> None:
    """Import the modules that `assess` needs, so that the time of the answer is that of the judge alone."""
    for module in (
        "history.past", "judge.assess", "judge.environment", "judge.started", "store.judges", "store.record",
    ):
        import_module(f"tenken.{module}")


@dataclass(frozen=True, slots=True)
class Ready:
    """A run with all that it takes to judge it, without earlier measurements."""

    run: Run  # its checks as the tree has them now
    checks: Mapping[str, Check]  # of the tree
    judges: Mapping[str, Judge]
    machine: Machine
    expected: tuple[Band, ...]

    def prepared(self, case_run: CaseRun) -> Prepared:
        from tenken.judge.common import prepare

        return prepare(self.run.name, case_run, self.machine, self.judges)


def _checks_of(run: Run, folders: list[Path]) -> Mapping[str, Check]:
    """The checks of the tree that an answer to `run` needs: its own where each case has its present name. A contract and a
    topic may name any check."""
    from tenken.store.checkfile import load_checks
    from tenken.store.contractfile import kept_files

    own = load_checks(folders, {case_run.case.check for case_run in run.cases})
    if run.topics or kept_files(Path(run.folder)) or not all(exists(case_run.case.id, own) for case_run in run.cases):
        return load_checks(folders)
    return own


def ready(run: Run) -> Ready:
    """`show`, `run` and `baseline accept` all prepare a run in this way."""
    from tenken.store.judges import load_judges
    from tenken.store.older import with_present_roles

    folders = [places.TREE / "checks"]
    checks = _checks_of(run, folders)
    run = with_present_roles(run, checks)
    now = {case_run.check.name: present(case_run.case.id, checks).partition(":")[0] for case_run in run.cases}
    judges = load_judges(folders, now.values())
    judges = {name: judges[as_now] for name, as_now in now.items() if as_now in judges}
    return Ready(run, checks, judges, *machine_of(run))


def assess(run: Run, baselines: Path) -> Assessment:
    """The judge's assessment of a run, compared with the accepted sittings in the folder `baselines`."""
    return assess_ready(ready(run), baselines)


def assess_ready(made: Ready, baselines: Path) -> Assessment:
    """The same of a run that is prepared."""
    from tenken.history.past import earlier_sittings, of_run, past
    from tenken.history.points import doubt
    from tenken.judge.assess import assess as judge
    from tenken.judge.environment import with_environment
    from tenken.judge.started import as_started
    from tenken.machine.beside import with_references
    from tenken.store.baseline import known_ceilings, read_earlier
    from tenken.store.judges import load_tellers

    run, checks, machine = made.run, made.checks, made.machine
    tellers = load_tellers([places.TREE / "checks"], {study.check for study in run.studies})
    machine_json = read_json(Path(run.folder) / "machine.json", "machine")
    known = past(run, machine, machine_json, baselines, checks)
    place = Path(run.folder)
    ceilings = known_ceilings(place.parent, place.name, {node.node_class for node in machine.nodes})
    judged_beside = partial(judge, run, known.machine, made.expected, ceilings, known.baselines, made.judges, tellers)
    judged = judged_beside()
    if any(finding.axis is Axis.CHANGE for finding in judged.findings):  # only then it matters whether it lasts
        earlier = read_earlier(place)
        earlier = earlier_sittings(run, machine, place.parent, known.accepted) if earlier is None else earlier
        judged = replace(judged_beside(earlier) if earlier else judged, earlier=earlier)
    assessment = with_environment(judged, known.nodes, known.since)
    assessment = of_run(assessment, run, machine, machine_json, known.accepted, made.prepared)
    wrong = doubt(run.started, *(launch.started for case_run in run.cases for launch in case_run.launches))
    doubts = (f"the time of this run cannot be right: {wrong}",) if wrong else ()
    assessment = replace(assessment, notes=assessment.notes + doubts + known.notes)
    assessment = with_references(assessment, checks, read_files(places.folders("machines"))) if assessment.topics else assessment
    return as_started(with_contract(assessment, Path(run.folder), checks))


def disturbed(run: Run, baselines: Path) -> list[int]:
    """Numbers of the launches that met other load and whose repetition can change the answer: of cases that have a finding, or
    an axis that load left open."""
    from tenken.judge.common import disturbed_launches

    machine, _ = machine_of(run)
    try:
        settled = {case.id for case in assess(run, baselines).cases if case.complete and not case.findings}
        open_ = [case_run for case_run in run.cases if case_run.case.id not in settled]
        return [number for case_run in open_ for number in disturbed_launches(case_run, machine)]
    except Exception:  # noqa: BLE001  # an odd record is named by the answer; it asks for no repetition
        return []


def suspects(run: Run, baselines: Path) -> dict[str, int]:
    """Confirming launches that cases want which seem to have changed since the sittings in the folder `baselines`."""
    from tenken.history.past import past
    from tenken.judge.assess import suspects as suspected
    from tenken.store.checkfile import load_checks

    machine, _ = machine_of(run)
    machine_json = read_json(Path(run.folder) / "machine.json", "machine")
    try:
        checks = load_checks([places.TREE / "checks"])
        return suspected(run, machine, past(run, machine, machine_json, baselines, checks).baselines)
    except Exception:  # noqa: BLE001  # as above
        return {}


def write(assessment: Assessment, folder: Path, progress: Progress) -> bool:
    """results.json, junit.xml and report.html into the run folder. False where the page could not be drawn."""
    from tenken.report.junit import junit
    from tenken.report.results import results
    from tenken.store.baseline import write_ceilings, write_earlier

    write_json(folder / "results.json", results(assessment))
    if assessment.state == "finished" and not assessment.drill:
        write_ceilings(folder, assessment.started, assessment.offers)
    if assessment.state == "finished" and assessment.earlier is not None:
        write_earlier(folder, assessment.earlier)
    write_text(folder / "junit.xml", junit(assessment))
    try:
        from tenken.report import html

        write_text(folder / "report.html", html.page(assessment))
    except ImportError as error:
        progress(f"report   no report.html: Python module {error.name} is missing (./tenken report --yes installs it)")
        return False
    return True


def show(
    folder: RunFolder, progress: Progress, baselines: Path, *, everything: bool = False, as_json: bool = False,
    files: bool = False, require_baseline: bool = False,
) -> int:
    """Judge the run in `folder`, print the answer and return the exit code. `files`: write the report files first."""
    from tenken.report import text

    run = folder.read()
    assessment = assess(run, baselines)
    page = write(assessment, folder.path, progress) if files else (folder.path / "report.html").exists()
    progress.clear()
    width = min(shutil.get_terminal_size((100, 24)).columns, 160) if sys.stdout.isatty() else 100
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    plain = text.verdict(assessment, everything, width, page=page)
    if as_json:
        from tenken.report.results import results

        print(json.dumps(results(assessment), indent=1))
    else:
        shown = text.verdict(assessment, everything, width, colour, page) if colour else plain
        # The judge's words are made visible where they are laid out; colours are Tenken's own.
        print(shown, end="" if shown.endswith("\n") else "\n", file=raw(sys.stdout) if colour else None)
    if files:
        progress.log(plain)
    code = EXIT_NOTHING_JUDGED if run.state == "interrupted" else assessment.exit_code
    without = [case.id for case in assessment.cases if not case.histories]
    if require_baseline and without and code != EXIT_BAD:
        raise TenkenError(
            f"--require-baseline: no accepted sitting of {', '.join(without)} on this node class in {baselines}; "
            "./tenken baseline accept RUN makes one."
        )
    return code


def write_text(path: Path, content: str) -> None:
    """All of it or nothing."""
    replace_file(path, content.encode("utf-8", "backslashreplace"))


def doubts(machine_json: Mapping[str, Any]) -> list[str]:
    """Short phrases on how far timings can be trusted now."""
    from tenken.report import machine_trust

    return [doubt for node in machine_json["nodes"] for doubt in machine_trust.doubts(node)][:3]


def sheet(assessment: Assessment, terms: Terms, checks: Mapping[str, Check]) -> Contract:
    """The acceptance sheet of today. TenkenError for terms that name a check, case or metric that does not exist."""
    from tenken.judge.contract import judge_contract

    return judge_contract(assessment, terms, checks, datetime.now(timezone.utc).date().isoformat())


def with_contract(assessment: Assessment, folder: Path, checks: Mapping[str, Check]) -> Assessment:
    """The assessment with the contract that its run was last compared with; a note where it cannot be read any more."""
    paths = kept_files(folder)
    if paths is None:
        return assessment
    try:
        return replace(assessment, contract=sheet(assessment, read_terms(*paths), checks))
    except TenkenError as error:
        return replace(assessment, notes=(*assessment.notes, f"contract not shown: {error}"))
