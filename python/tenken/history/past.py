"""Accepted sittings for a run: baselines, and differences of the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tenken.base.moments import written
from tenken.base.words import listed
from tenken.history.hosts import class_of, hosts_of
from tenken.judge.credible import credible, dated
from tenken.judge.sittings import joined
from tenken.machine.difference import against, within
from tenken.machine.facts import environment_of
from tenken.model.baseline import Baseline
from tenken.model.check import Check
from tenken.model.difference import Difference
from tenken.model.formerly import former_set, present, same_case
from tenken.model.machine import Machine
from tenken.model.run import Run
from tenken.model.sitting import occasion_of
from tenken.store import baseline as store


@dataclass(frozen=True, slots=True)
class Past:
    """All that accepted sittings and the nodes themselves tell about a run."""

    accepted: dict[str, Baseline]  # by case: all that was accepted, run by run
    baselines: dict[str, Baseline]  # the trusted part, sitting by sitting, with which a run is compared
    since: dict[str, tuple[Difference, ...]]  # by case: from its last accepted sitting
    nodes: tuple[Difference, ...]  # between nodes of a class
    machine: Machine  # with facts of its accepted sittings
    notes: tuple[str, ...]


def past(run: Run, machine: Machine, machine_json: Mapping[str, Any], root: Path, checks: Mapping[str, Check]) -> Past:
    """What is known of the cases of `run` from the folder `root`; `checks` of the tree tell their other names.

    Sittings of drills are for drills: a run of this machine is compared with runs of this machine.
    """
    baselines, since, notes = {}, {}, list(machine_json.get("notes") or ())
    drill, drills = bool(occasion_of(run.environment).name), dict[str, None]()
    present_moment = written(datetime.now(timezone.utc))
    accepted: dict[str, list[store.Accepted]] = {}
    strangers: dict[str, None] = {}
    environments: dict[tuple[str, ...], dict[str, Any]] = {}
    for case_run in run.cases:
        hosts, case_id = hosts_of(case_run), case_run.case.id
        strangers.update(dict.fromkeys(host for host in hosts if not _known(host, machine)))
        of_class, names = class_of(case_run, machine), tuple(same_case(case_id, checks))
        baseline, skipped = store.find(root, of_class, case_run.case, names, former_set(case_id, checks))
        last = store.newest(root, of_class, (case_id, *names), run.name, drills=drill)
        accepted.setdefault(of_class, []).extend([last] if last else [])
        now = present(case_id, checks)
        notes += [note for note in skipped if note not in notes]
        environments.setdefault(hosts, environment_of(machine_json, run.environment, hosts))
        others = [
            replace(sitting, formerly="") if sitting.formerly == now else sitting
            for sitting in (baseline.sittings if baseline else ()) if sitting.id != run.name
        ]
        drills.update(dict.fromkeys(sitting.id for sitting in others if sitting.occasion.name and not drill))
        others = sorted((one for one in others if drill or not one.occasion.name), key=lambda one: dated(one, present_moment))
        older = dict.fromkeys(sitting.formerly for sitting in others if sitting.formerly)
        notes += [f"{case_id}: its baseline was accepted under the name {name} (formerly {name})" for name in older]
        if baseline and others:  # a run that was accepted is not its own judge
            baselines[case_id] = replace(baseline, sittings=tuple(others))
            since[case_id] = against(others, environments[hosts])
    renamed = {case.case.id: present(case.case.id, checks) for case in run.cases}
    notes += [f"{name} is now called {now}" for name, now in renamed.items() if name != now]
    notes += [f"{host} took part and was not probed: its differences are unknown" for host in strangers]
    if drills:
        notes.append(f"not used: sittings of drills (TENKEN_SITTING): {listed(list(drills), 3)}")
    believed, doubts = credible(baselines, run, present_moment)
    notes += doubts
    nodes = within(machine_json, {node.host: node.node_class for node in machine.nodes})
    had = {of_class: _cpus(max(ones, key=lambda one: one.sitting.started)) for of_class, ones in accepted.items() if ones}
    known = replace(machine, nodes=tuple(replace(node, baseline_cpus=had.get(node.node_class)) for node in machine.nodes))
    return Past(baselines, joined(believed), since, nodes, known, tuple(notes))


def _cpus(accepted: store.Accepted) -> int | None:
    """Hardware threads that a job might use on the nodes of an accepted sitting; None where the sitting does not state them."""
    told = re.search(r"(\d+) hardware thread", str(accepted.sitting.environment["facts"].get("cores", "")))
    return int(told[1]) if told else None


def _known(host: str, machine: Machine) -> bool:
    return any(node.host.split(".")[0] == host.split(".")[0] for node in machine.nodes)
