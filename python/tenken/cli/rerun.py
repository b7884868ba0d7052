"""`tenken rerun RUN [CHECK:CASE]`: the same resolved cases once more, as a new run, without the nodes suspected."""

from __future__ import annotations

import argparse
import dataclasses
import os
import secrets
from collections.abc import Mapping, Sequence

from tenken.base.errors import TenkenError
from tenken.base.words import unknown
from tenken.cli import builds, here, options, places
from tenken.cli.again import as_now, require_known, start_of
from tenken.cli.run import begin
from tenken.cli.start import require_room
from tenken.cli.terminal import Progress
from tenken.launch.plan import plan
from tenken.model.check import Case, Check, present
from tenken.model.run import CaseRun, Run
from tenken.model.study import StudyRun
from tenken.store.files import read_json
from tenken.store.runfolder import RunFolder, find_run


def main(arguments: Sequence[str]) -> int:
    """The word `rerun`; returns the exit code of the new run's verdict."""
    parser = options.Parser(
        "rerun", "Run the cases of a run again, with the same sizes, as a new run."
    )
    add = parser.add_argument
    add("run", metavar="RUN", help="path, unique prefix or last")
    add("case", nargs="?", metavar="CHECK:CASE", help="this case only (default: all of the run)")
    add("--section", metavar="S", help="only cases that time this section")
    add("--without", default="", metavar="NODE[,NODE]", help="leave out these nodes of the allocation")
    options.add_on(parser)
    add("--launches", type=int, metavar="N", help="job starts of each case (default: as then)")
    options.add_runs(parser)
    options.add_baselines(parser)
    options.add_all(parser)
    typed = parser.parse(arguments)
    typed.require_baseline = False
    here.sitting()  # refused before anything is built
    progress = Progress()
    runs = places.runs(typed.runs)
    folder = RunFolder(find_run(runs, typed.run))
    run, checks = folder.read(), here.catalogue()[0]
    renamed = as_now(run, checks)
    here.name_renamed(((old.case.id, case_run.case.id) for old, case_run in zip(run.cases, renamed.cases, strict=True)), progress)
    run, typed.case = renamed, typed.case and present(typed.case, checks)
    without = _without(typed.without, read_json(folder.path / "machine.json", "machine"), run)
    start = _start(run, without, os.environ, typed.on)
    if chosen := run.environment.get("chosen"):
        start["chosen"] = chosen
    require_known(run.cases, checks)
    cases = [_fewer_ranks(case_run, run.environment.get("nodes", 1), start["nodes"]) for case_run in _chosen(run, typed)]
    known = here.look(run.environment.get("machine"))
    fresh = [CaseRun(case, check, (), ()) for case, check in cases]
    chosen = builds.select([run.environment.get("name")], fresh, known)
    if chosen.run.fingerprint != run.environment.get("fingerprint"):
        progress(f"build    {chosen.run.name} has changed since {run.name}: a difference may come from that")
    built = builds.build_all(chosen, fresh, progress)
    fresh = list(map(built.marked, fresh))
    require_room(start["on"], start["nodes"], fresh)
    seed = secrets.randbits(32)
    progress(f"rerun    of {run.name}" + (f" without {', '.join(without)}" if without else ""))
    studies = _studies_of(run, fresh)
    return begin(f"rerun {run.suite}", plan(fresh, seed), seed, built, known, start, runs, typed, progress, studies,
                 topics=run.topics)


def _studies_of(run: Run, cases: Sequence[CaseRun]) -> list[StudyRun]:
    """The studies of `run` with the points that are among `cases`."""
    ids = {case_run.case.id for case_run in cases}
    studies = [
        dataclasses.replace(study, points=tuple(point for point in study.points if point.case_id in ids))
        for study in run.studies
    ]
    return [study_run for study_run in studies if study_run.points]


def _chosen(run: Run, typed: argparse.Namespace) -> list[CaseRun]:
    cases = list(run.cases)
    if typed.case is not None:
        cases = [case_run for case_run in cases if typed.case in (case_run.case.id, case_run.case.check)]
        if not cases:
            raise unknown("case", typed.case, [case_run.case.id for case_run in run.cases], of=f" of {run.name}")
    if typed.section is not None:
        timed = {case_run.case.id: _sections(case_run) for case_run in cases}
        cases = [case_run for case_run in cases if typed.section in timed[case_run.case.id]]
        if not cases:
            raise unknown("section", typed.section, sorted(set().union(*timed.values())), of=f" of {run.name}")
    if typed.launches is not None and typed.launches < 1:
        raise TenkenError(f"--launches {typed.launches}: at least 1 launch is needed.")
    launches = typed.launches
    return [
        dataclasses.replace(case_run, case=dataclasses.replace(case_run.case, launches=launches)) if launches else case_run
        for case_run in cases
    ]


def _sections(case_run: CaseRun) -> set[str]:
    of_records = {section.path for record in case_run.records for section in record.sections}
    return of_records | {section.path for section in case_run.check.sections}


def _without(typed: str, machine_json: Mapping, run: Run) -> tuple[str, ...]:
    """The nodes to leave out, which this run must know."""
    names = tuple(name for name in typed.split(",") if name)
    hosts = {node["host"] for node in machine_json["nodes"] if node["host"]}
    hosts |= {rank.host for case_run in run.cases for record in case_run.records for rank in record.rank}
    for name in names:
        if name not in hosts:
            raise unknown("node", name, sorted(hosts), of=f" of {run.name}")
    return names


def _start(run: Run, without: tuple[str, ...], variables: Mapping[str, str], typed_on: str | None = None) -> dict:
    """Where and on how many nodes: as many as then where the allocation has others, else those that are left."""
    then = start_of(run, typed_on)
    on, nodes = then["on"], then["nodes"]
    if without and on == "local":
        raise TenkenError(
            f"--without {','.join(without)}: {run.name} was started locally, on one node that cannot be left out; "
            "runs started with --on slurm can."
        )
    node_count = variables.get("SLURM_JOB_NUM_NODES") or variables.get("SLURM_NNODES") or ""
    allocated = int(node_count) if node_count.isdigit() else nodes
    left = min(nodes, allocated - len(without))
    if left < 1:
        raise TenkenError(f"--without {','.join(without)}: no node of the allocation is left; get a larger one.")
    start = {"on": on, "nodes": left, "repeats": run.name}
    return start | ({"without": list(without)} if without else {})


def _fewer_ranks(case_run: CaseRun, nodes: int, left: int) -> tuple[Case, Check]:
    """The case with as many ranks on each node as it had; with all of them where its check says how many there are."""
    case = case_run.case
    if any(other.name == case.name and isinstance(other.ranks, int) for other in case_run.check.cases):
        return case, case_run.check
    if left != nodes and case.ranks * left % nodes:
        raise TenkenError(
            f"{case.id} has {case.ranks} ranks on {nodes} nodes, which do not fit {left}; get an allocation with a "
            f"spare node, so that {nodes} are left."
        )
    return dataclasses.replace(case, ranks=case.ranks * left // nodes), case_run.check
