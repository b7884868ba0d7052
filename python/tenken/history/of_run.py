"""The figures of a run behind those of its accepted sittings, for its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tenken.history.hosts import hosts_of
from tenken.history.points import in_order, of_sitting
from tenken.judge.common import Prepared, quantities_of
from tenken.machine.facts import environment_of
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.baseline import Baseline, Quantity, Sitting
from tenken.model.history import History
from tenken.model.machine import Machine
from tenken.model.run import CaseRun, Run

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
