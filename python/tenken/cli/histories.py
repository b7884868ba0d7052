"""Figures through time: out of accepted sittings and the runs in the run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from tenken.base.moments import seconds
from tenken.cli.baselines import hosts_of
from tenken.judge.prepared import prepare
from tenken.judge.quantities import quantities_of
from tenken.machine.difference import between
from tenken.machine.facts import environment_of
from tenken.model.assessment import Assessment, CaseAssessment
from tenken.model.baseline import Baseline, LaunchValues, Quantity, Sitting
from tenken.model.difference import placed
from tenken.model.history import History, HistoryPoint
from tenken.model.machine import Machine
from tenken.model.run import Run
from tenken.stats.robust import mad, median

_MOST = 3  # histories of one case on the page
_FIRST = datetime(2020, 1, 1, tzinfo=timezone.utc).timestamp()  # no run is older: a clock that was never set shows 1970
_AHEAD_S = 3600.0  # clocks of two nodes may differ


@dataclass(frozen=True, slots=True)
class Entry:
    """A point and the environment it was measured in, None where that is not known."""

    point: HistoryPoint
    environment: Mapping[str, Any] | None


def of_run(
    assessment: Assessment, run: Run, machine: Machine, machine_json: Mapping[str, Any],
    baselines: Mapping[str, Baseline],
) -> Assessment:
    """`assessment` with the histories of each case that has a baseline: its accepted sittings, then this run."""
    case_runs = {case_run.case.id: case_run for case_run in run.cases}
    cases = []
    for case in assessment.cases:
        baseline = baselines.get(case.id)
        if baseline is not None:
            case_run = case_runs[case.id]
            _, launches = quantities_of(prepare(run.name, case_run, machine), machine)
            environment = environment_of(machine_json, run.environment, hosts_of(case_run))
            now = Sitting(run.name, run.started, hosts_of(case_run), environment, launches)
            shown = _chosen(case, baseline.quantities)
            entries = [[of_sitting(one, quantity.name) for one in baseline.sittings] for quantity in shown]
            own = [of_sitting(now, quantity.name, case.verdict.value, accepted=False) for quantity in shown]
            case = replace(case, histories=tuple(
                History(case.id, baseline.node_class, baseline.case_hash, quantity.name, quantity.unit, quantity.better,
                        in_order([*earlier, last]))
                for quantity, earlier, last in zip(shown, entries, own, strict=True)
            ))
        cases.append(case)
    return replace(assessment, cases=tuple(cases))


def of_sitting(sitting: Sitting, name: str, verdict: str = "", accepted: bool = True) -> Entry:
    """The quantity called `name` in one sitting."""
    value, spread = summary(sitting.launches, name)
    point = HistoryPoint(
        sitting.id, sitting.started, value, spread, verdict, accepted, doubt=doubt(sitting.started), formerly=sitting.formerly
    )
    return Entry(point, sitting.environment)


def summary(launches: Sequence[LaunchValues], name: str) -> tuple[float | None, float | None]:
    """Median and MAD over the launches that have the quantity."""
    values = [each.values[name] for each in launches if name in each.values]
    return (median(values), mad(values)) if values else (None, None)


def in_order(entries: Sequence[Entry]) -> tuple[HistoryPoint, ...]:
    """Points by time, each with what its environment has otherwise than that of the point before."""
    points: list[HistoryPoint] = []
    last: Mapping[str, Any] | None = None
    for entry in sorted(entries, key=lambda entry: (entry.point.started, entry.point.run)):
        changes: tuple[str, ...] = ()
        if last is not None and entry.environment is not None:
            changes = tuple(placed(one) for one in between(last, entry.environment, ""))
        points.append(replace(entry.point, changes=changes))
        last = entry.environment or last
    return tuple(points)


def doubt(started: str, *later: str | None) -> str:
    """Why `started` cannot be right, "" where it can; `later` are times of the same run that must follow it."""
    begin = seconds(started)
    if begin is None:
        return f"'{started}' is no time"
    if begin < _FIRST:
        return "the clock was not set"
    if begin > datetime.now(timezone.utc).timestamp() + _AHEAD_S:
        return "it lies in the future"
    after = [at for one in later if one and (at := seconds(one)) is not None]
    if any(at < begin - _AHEAD_S for at in after):
        return "the clock jumped back during the run"
    return ""


def _chosen(case: CaseAssessment, quantities: Sequence[Quantity]) -> list[Quantity]:
    """What a page shows: what findings are about, then metrics, then the times that weigh most."""
    share = {section.path: section.share for section in case.sections}
    spoken = {found.section for found in case.findings if found.section}
    section = {f"metric:{one.name}" + ("" if one.at is None else f"/{one.at}"): one.section for one in case.metrics}

    def place(quantity: Quantity) -> str:
        return section.get(quantity.name) or quantity.name.partition(":")[2]

    def weight(quantity: Quantity) -> tuple[bool, bool, float]:
        metric = quantity.name.startswith("metric:")
        return (place(quantity) in spoken, metric, share.get(place(quantity), 0.0))

    ordered = sorted((one for one in quantities if one.name.startswith(("metric:", "time:"))), key=weight, reverse=True)
    by_place = {place(one): one for one in reversed(ordered)}  # a metric tells more than the time it is made of
    return sorted(by_place.values(), key=weight, reverse=True)[:_MOST]
