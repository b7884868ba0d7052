"""The figures of a study: where each point lies in the plot, its metrics with their spread, speed-up and efficiency."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from tenken.base import units
from tenken.judge.common import Prepared, launch_values, own_words
from tenken.judge.launch_set import best_of_sweep
from tenken.model.assessment import CaseAssessment, MetricSummary
from tenken.model.check import Check, Plot, Study
from tenken.model.judgement import StudyToTell, Teller, ToJudge
from tenken.model.machine import Machine, Offer
from tenken.model.run import CaseRun, Measured
from tenken.model.study import (
    CacheMark, LeftOut, PlottedMetric, PointFigure, PointResult, SectionTime, StudyAssessment, StudyPoint, StudyRun,
)
from tenken.stats.robust import median

_CORES, _VALUE = "cores", "value:"
WHERE = ("placement", "reserve", "membind", "rank_map")  # axes that move threads or pages
_MOST_RANKS, _SHOWN = 8, 3


def refused(case_run: CaseRun) -> str | None:
    """Why no launch of a case would start, where none would: the program's own sentence."""
    launches = case_run.launches
    if not launches or any(launch.status != "refused" for launch in launches):
        return None
    return launches[0].reason or "the program refused to start"


def impossible_points(studies: Iterable[StudyRun], cases: Iterable[CaseRun]) -> dict[str, str]:
    """Points that cannot run here, by case id, with the reason: for a sweep that is a place to stop, not a failure."""
    planned = {point.case_id for study in studies for point in study.points}
    why = {case_run.case.id: case_run.lacking or refused(case_run) for case_run in cases if case_run.case.id in planned}
    return {case_id: reason for case_id, reason in why.items() if reason}


def assess_study(
    study: StudyRun, check: Check, prepared: Mapping[str, Prepared], cases: Mapping[str, CaseAssessment],
    impossible: Mapping[str, str], machine: Machine, teller: Teller | None = None, ceilings: tuple[Offer, ...] = (),
) -> StudyAssessment:
    """`prepared` and `cases` have the points that were judged, by case id; `teller` is of the check."""
    plot = study.study.plot
    points = [
        _point(point, study.study, prepared[point.case_id], cases[point.case_id])
        for point in study.points if point.case_id in cases
    ]
    for index in range(len(plot.y)):
        specs = {metric.name: metric for metric in check.metrics}
        higher = specs[plot.y[index]].better == "higher"
        points = _with_best(_with_scaling(points, plot, index, higher), index, higher)
    sizes = {parameter.name for parameter in check.parameters if parameter.type == "size"}
    own = [prepared[point.case_id] for point in points]
    report = own_words(teller, check.name, StudyToTell(study.study, tuple(
        ToJudge(case.run, check, case.case_run.case, case.measured, ceilings) for case in own if case.valid and case.measured)))
    reasons = {point.name: point.left_out or impossible.get(point.case_id, "") for point in study.points}
    return StudyAssessment(
        id=study.id,
        title=study.study.title,
        question=study.study.question,
        axes={axis.name: "B" if axis.name in sizes else "" for axis in study.study.axes},
        along=study.study.along,
        plot=plot,
        x_unit="B" if plot.x in sizes else _recorded_unit(plot.x, own),
        metrics=tuple(
            PlottedMetric(metric.name, metric.unit, metric.better)
            for name in plot.y for metric in check.metrics if metric.name == name
        ),
        points=tuple(points),
        left_out=tuple(LeftOut(name, reason) for name, reason in reasons.items() if reason),
        caches=_caches(points, machine) if "caches" in plot.marks else (),
        notes=socket_notes(study.study, machine) + report.notes,
        published=study.published,
        tables=report.tables,
    )


def _point(point: StudyPoint, study: Study, case: Prepared, judged: CaseAssessment) -> PointResult:
    plot = study.plot
    return PointResult(
        name=point.name,
        case_id=point.case_id,
        places=point.places,
        cores=judged.ranks * judged.threads,
        x=_x(plot.x, point, case, judged),
        verdict=judged.verdict,
        disturbed=judged.trust.reason if judged.trust is not None and judged.trust.disturbed else "",
        figures=tuple(_figure(name, case, judged) for name in plot.y),
        sections=_section_times(judged) if plot.kind == "stack" and case.valid else (),
        processors=processors_of(case.measured) if moves_threads(study) else "",
    )


def _section_times(judged: CaseAssessment) -> tuple[SectionTime, ...]:
    return tuple(
        SectionTime(section.path, section.kind, section.median_ns)
        for section in judged.sections if section.leaf and not section.once
    )


def _x(x: str, point: StudyPoint, case: Prepared, judged: CaseAssessment) -> float | str | None:
    if x == _CORES:
        return float(judged.ranks * judged.threads)
    if x.startswith(_VALUE):
        name = x.removeprefix(_VALUE)
        recorded = [value.value for each in case.measured for value in each.record.values if value.name == name]
        recorded = [value for value in recorded if isfinite(value)]
        return median(recorded) if recorded else None
    place: Any = point.places[x]
    if isinstance(place, (list, tuple)):
        return "x".join(map(str, place))
    return float(place) if isinstance(place, (int, float)) and not isinstance(place, bool) else str(place)


def _recorded_unit(x: str, cases: Iterable[Prepared]) -> str:
    values = (value for case in cases for each in case.measured for value in each.record.values)
    return next((value.unit for value in values if x == _VALUE + value.name), "")


def _figure(name: str, case: Prepared, judged: CaseAssessment) -> PointFigure:
    """A metric; where it is repeated over a parameter, its best value."""
    shown = best_of_sweep(judged.metrics, name)
    if shown is None:
        return PointFigure(name, None, None, None, 0, None, None, None, False)
    values = _by_launch(shown, case)
    ceiling = shown.ceiling.value / units.factor(shown.unit) if shown.ceiling else None
    return PointFigure(
        name, shown.value, min(values, default=None), max(values, default=None), shown.launches, ceiling, None, None,
        False,
    )


def _by_launch(shown: MetricSummary, case: Prepared) -> list[float]:
    spec = next(metric for metric in case.case_run.check.metrics if metric.name == shown.name)
    of_launches = [launch_values(spec, each, own) for each, own in zip(case.measured, case.by_launch, strict=True)]
    return [values[shown.at] / units.factor(shown.unit) for values in of_launches if shown.at in values]


def _with_scaling(points: list[PointResult], plot: Plot, index: int, higher: bool) -> list[PointResult]:
    """Speed-up over the point on the fewest cores of the same line, and its part of the ideal speed-up.

    S = rate/rate_0, for times with the same work (strong) S = t_0/t; both are ideally n/n_0, n being the place on x.
    Times with the same work on each rank or thread (weak) are ideally constant: S = (t_0/t)(n/n_0).
    """
    if not plot.scaling:
        return points
    first: dict[tuple[str, ...], tuple[float, float]] = {}
    for point in sorted(points, key=_numeric_x):
        value = point.figures[index].value
        if value and isinstance(point.x, float):
            first.setdefault(_line(point, plot), (point.x, value))
    result = []
    for point in points:
        figure, start = point.figures[index], first.get(_line(point, plot))
        if start and figure.value and isinstance(point.x, float):
            ideal = point.x / start[0]
            ratio = figure.value / start[1] if higher else start[1] / figure.value
            gain = ratio * ideal if plot.kind == "weak" and not higher else ratio
            figure = replace(figure, speed_up=gain, efficiency=gain / ideal)
        result.append(_with_figure(point, index, figure))
    return result


def _with_best(points: list[PointResult], index: int, higher: bool) -> list[PointResult]:
    measured = [point for point in points if point.figures[index].value is not None]
    quiet = [point for point in measured if not point.disturbed] or measured
    if len(quiet) < 2:
        return points
    best = (max if higher else min)(quiet, key=lambda point: point.figures[index].value or 0.0)
    return [
        _with_figure(point, index, replace(point.figures[index], best=True)) if point is best else point
        for point in points
    ]


def _with_figure(point: PointResult, index: int, figure: PointFigure) -> PointResult:
    return replace(point, figures=(*point.figures[:index], figure, *point.figures[index + 1:]))


def _line(point: PointResult, plot: Plot) -> tuple[str, ...]:
    return tuple(str(point.places[axis]) for axis in (plot.lines, plot.panels) if axis is not None)


def _numeric_x(point: PointResult) -> float:
    return point.x if isinstance(point.x, float) else 0.0


def _caches(points: list[PointResult], machine: Machine) -> tuple[CacheMark, ...]:
    """Each level for each number of cores that the points use."""
    return tuple(
        CacheMark(f"L{cache.level}", cores, cache.bytes * -(-cores // cache.cores))
        for cache in machine.nodes[0].caches for cores in sorted({point.cores for point in points})
    )


def moves_threads(study: Study) -> bool:
    return any(swept in WHERE for axis in study.axes for swept in axis.sweeps)


def processors_of(measured: Iterable[Measured]) -> str:
    """Processors of each rank in the order of ranks, such as "0-1|2-3", over all launches; hosts that are alike once."""
    hosts: dict[str, dict[int, set[int]]] = {}
    for each in measured:
        for rank in each.record.rank:
            seen = hosts.setdefault(rank.host, {}).setdefault(rank.rank, set())
            seen.update(cpu for thread in rank.threads for cpu in (thread.cpu_begin, thread.cpu_end) if cpu >= 0)
    texts = [_of_host([number_ranges(ranks[rank]) for rank in sorted(ranks)]) for ranks in hosts.values()]
    return "; ".join(dict.fromkeys(text for text in texts if text))


def _of_host(ranks: Sequence[str]) -> str:
    shown = [*ranks[:_SHOWN], "...", ranks[-1]] if len(ranks) > _MOST_RANKS else ranks
    return "|".join(shown) if any(ranks) else ""


def number_ranges(numbers: Iterable[int]) -> str:
    """{0, 1, 2, 5} is "0-2,5"."""
    groups: list[list[int]] = []
    for number in sorted(numbers):
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return ",".join(str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups)


def socket_notes(study: Study, machine: Machine) -> tuple[str, ...]:
    """Sweeps that cannot differ here: with a single socket, one_socket is the node."""
    swept = {value for axis in study.axes for value in axis.sweeps.get("placement", ())}
    if not swept & {"scatter", "one_socket"} or any(node.sockets > 1 for node in machine.nodes):
        return ()
    numa = max(node.numa_nodes for node in machine.nodes)
    scatter = f"scatter deals to its {numa} NUMA nodes" if numa > 1 else "scatter takes the cores that compact takes"
    return (f"one socket here: one_socket is the whole node, and {scatter}",)
