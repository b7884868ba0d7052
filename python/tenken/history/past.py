"""The past of the cases of a run: accepted sittings, differences of the environment, earlier runs, histories for its page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from tenken.base.errors import RecordError
from tenken.base.units import moment_text
from tenken.base.words import listed
from tenken.history.points import class_in_results, class_of, in_order, of_sitting
from tenken.judge.common import Prepared, quantities_of
from tenken.judge.credible import credible, dated
from tenken.judge.sittings import first_runs, joined
from tenken.machine.facts import against, environment_of, within
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.baseline import Baseline, Difference, EarlierSitting, History, Quantity, Shown, Sitting, occasion_of
from tenken.model.check import Check, former_set, present, same_case
from tenken.model.machine import Machine
from tenken.model.run import CaseRun, Run, hosts_of
from tenken.stats.robust import median
from tenken.store import baseline as store
from tenken.store.baseline import case_hash, resolved
from tenken.store.files import read_json


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
    present_moment = moment_text(datetime.now(timezone.utc))
    accepted: dict[str, list[store.Accepted]] = {}
    strangers: dict[str, None] = {}
    environments: dict[tuple[str, ...], dict[str, Any]] = {}
    for case_run in run.cases:
        hosts, case_id = hosts_of(case_run), case_run.case.id
        strangers.update(dict.fromkeys(host for host in hosts if not _known(host, machine)))
        of_class, names = class_of(case_run, machine), tuple(same_case(case_id, checks))
        baseline, skipped = store.find(root, of_class, case_run.case, names, former_set(case_id, checks))
        last = store.newest(root, of_class, (case_id, *names), run.name, drill)
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


# The sittings before a run that were not accepted, from the run folder: does the difference of the run last?

_MOST_RUNS = 100  # that are looked through, newest first
_MOST_SITTINGS = 4  # most: two of them measured a quantity, unless cases change every day

Key = tuple[str, str, str]  # of a case: its id, node class and hash


@dataclass(frozen=True, slots=True)
class _Seen:
    """An earlier run of some of the cases."""

    sitting: Sitting  # without launches
    shown: tuple[Shown, ...]


def earlier_sittings(
    run: Run, machine: Machine, runs: Path, accepted: Mapping[str, Baseline]
) -> tuple[EarlierSitting, ...]:
    """Newest first. `accepted`: all accepted sittings of the cases of `run`, run by run.

    Of a case only what was measured after the last of these counts: they say how the machine was then. Drills stay among
    drills. Names of runs begin with their time. What cannot be read is as good as not there.
    """
    keys = {
        (one.case.id, class_of(one, machine), case_hash(resolved(one.case))): _last(accepted[one.case.id], run.started)
        for one in run.cases if one.case.id in accepted
    }
    now = Sitting(run.name, run.started, (), {}, (), occasion=occasion_of(run.environment))
    folders = sorted((path.parent for path in runs.glob("*/results.json") if path.parent.name < run.name), reverse=True)
    seen = [one for folder in folders[:_MOST_RUNS] if (one := _seen(folder, keys, bool(now.occasion.name))) is not None]
    known = [each for baseline in accepted.values() for each in baseline.sittings]
    first = first_runs([now, *known, *(earlier.sitting for earlier in seen)])
    closed = {first[each.id] for each in (now, *known)}
    found: dict[str, list[_Seen]] = {}
    for one in seen:
        if first[one.sitting.id] not in closed:
            found.setdefault(first[one.sitting.id], []).append(one)
    sittings = [_joined(name, of) for name, of in found.items()]
    sittings.sort(key=lambda earlier: (earlier.started, earlier.id), reverse=True)
    return tuple(sittings[:_MOST_SITTINGS])


def _last(of: Baseline, before: str) -> str:
    return max((each.started for each in of.sittings if each.started <= before), default="")


def _seen(folder: Path, keys: Mapping[Key, str], drill: bool) -> _Seen | None:
    """None where it has none of these cases, or is (or is not) a drill."""
    try:
        results = read_json(folder / "results.json")
        occasion, started = occasion_of(results["environment"]), str(results["started"])
        if bool(occasion.name) != drill or results["state"] != "finished" or "comparison" in results["environment"]:
            return None  # who compares environments makes some slow on purpose
        shown = [
            each for case in results["cases"]
            if case["fault"] is None and keys.get(_key(case, results), started) < started for each in _shown(case)
        ]
    except (RecordError, KeyError, TypeError, AttributeError, ValueError):
        return None
    return _Seen(Sitting(folder.name, started, (), {}, (), occasion=occasion), tuple(shown)) if shown else None


def _key(case: Mapping[str, Any], results: Mapping[str, Any]) -> Key:
    of = {name: case[name] for name in ("variant", "parameters", "ranks", "threads")}
    return str(case["id"]), class_in_results(case, results), case_hash(of)


def _shown(case: Mapping[str, Any]) -> list[Shown]:
    shown = []
    for change in case["changes"]:
        value = change.get("at_best")
        value = change["value"] if value is None else value
        if isinstance(value, (int, float)):
            shown.append(Shown(
                str(case["id"]), str(change["quantity"]), str(change["unit"]), str(change["better"]), float(value),
                int(change["launches"]),
            ))
    return shown


def _joined(name: str, runs: list[_Seen]) -> EarlierSitting:
    """The runs of a sitting as a single run: of a quantity that several measured the median."""
    of: dict[tuple[str, str, str, str], list[Shown]] = {}
    for run in runs:
        for figure in run.shown:
            of.setdefault((figure.case_id, figure.quantity, figure.unit, figure.better), []).append(figure)
    shown = tuple(
        Shown(*key, median([shown.value for shown in several]), sum(shown.launches for shown in several))
        for key, several in sorted(of.items())
    )
    return EarlierSitting(name, min(seen.sitting.started for seen in runs), shown)


# The figures of a run behind those of its accepted sittings, for its page.

_MOST = 3  # histories of a case on the page


def of_run(
    assessment: Assessment, run: Run, machine: Machine, machine_json: Mapping[str, Any],
    baselines: Mapping[str, Baseline], prepared: Callable[[CaseRun], Prepared],
) -> Assessment:
    """`assessment` with the histories of each case that has a baseline: its accepted sittings, then this run."""
    case_runs = {case_run.case.id: case_run for case_run in run.cases}
    cases = []
    for case in assessment.cases:
        baseline = baselines.get(case.id)
        if baseline is not None:
            case_run = case_runs[case.id]
            _, launches = quantities_of(prepared(case_run), machine)
            environment = environment_of(machine_json, run.environment, hosts_of(case_run))
            now = Sitting(run.name, run.started, hosts_of(case_run), environment, launches)
            shown = _chosen(case, baseline.quantities)
            entries = [[of_sitting(sitting, quantity.name) for sitting in baseline.sittings] for quantity in shown]
            own = [of_sitting(now, quantity.name, case.verdict.value, accepted=False) for quantity in shown]
            case = replace(case, histories=tuple(
                History(case.id, baseline.node_class, baseline.case_hash, quantity.name, quantity.unit, quantity.better,
                        in_order([*earlier, last]))
                for quantity, earlier, last in zip(shown, entries, own, strict=True)
            ))
        cases.append(case)
    return replace(assessment, cases=tuple(cases))


def _chosen(case: CaseAssessment, quantities: Sequence[Quantity]) -> list[Quantity]:
    """The histories of a page: quantities of findings, then metrics, then the times that weigh most."""
    share = {section.path: section.share for section in case.sections}
    spoken = {found.section for found in case.findings if found.section}
    section = {f"metric:{one.name}" + ("" if one.at is None else f"/{one.at}"): one.section for one in case.metrics}

    def place(quantity: Quantity) -> str:
        return section.get(quantity.name) or quantity.name.partition(":")[2]

    def weight(quantity: Quantity) -> tuple[bool, bool, float]:
        metric = quantity.name.startswith("metric:")
        return (place(quantity) in spoken, metric, share.get(place(quantity), 0.0))

    ordered = sorted((one for one in quantities if one.name.startswith(("metric:", "time:"))), key=weight, reverse=True)
    by_place = {place(quantity): quantity for quantity in reversed(ordered)}  # a metric tells more than the time it is made of
    return sorted(by_place.values(), key=weight, reverse=True)[:_MOST]
