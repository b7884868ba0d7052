"""Published figures of reference systems beside the metrics of a run: for each metric the best figure here and of each system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from tenken.base import units
from tenken.machine.beside import is_of
from tenken.machine.files import Files
from tenken.machine.ours import Ours, figures
from tenken.machine.reference import UNITS
from tenken.machine.side_by_side import NOT_STATED, Item, differing, items
from tenken.model.assessment import Assessment
from tenken.model.check import Check, Counterpart
from tenken.model.topic import Beside, TopicResult

T = TypeVar("T")


def with_references(run: Assessment, checks: Mapping[str, Check], files: Files) -> Assessment:
    """`run` with published figures beside the metrics of each of its topics."""
    systems = [machine for machine in files.machines.values() if machine.reference]
    published = [list(items(number, system, files)) for number, system in enumerate(systems)]
    names = [system.name for system in systems]
    shown = [ours for ours in figures(run, checks) if ours.beside]
    return replace(run, topics=tuple(_with_figures(topic, shown, published, names, checks) for topic in run.topics))


def _with_figures(
    topic: TopicResult, shown: Sequence[Ours], published: Sequence[Sequence[Item]], names: Sequence[str],
    checks: Mapping[str, Check],
) -> TopicResult:
    best: dict[tuple[str, str, tuple[Counterpart, ...]], Ours] = {}
    for ours in shown:
        if ours.case in topic.include:
            key = ours.case, _metric(ours), ours.beside
            best[key] = _better([best.get(key, ours), ours], lambda figure: float(figure.value), _higher(ours, checks))
    return replace(topic, beside=tuple(row for ours in best.values() for row in _rows(ours, published, names, checks)))


def _metric(ours: Ours) -> str:
    return ours.name.partition("/")[0]


def _higher(ours: Ours, checks: Mapping[str, Check]) -> bool:
    check = checks[ours.case.partition(":")[0]]
    return next(metric.better for metric in check.metrics if metric.name == _metric(ours)) == "higher"


def _better(figures: Sequence[T], value: Callable[[T], float], higher: bool) -> T:
    """The greatest, or the least; the first of equal figures."""
    return (max if higher else min)(figures, key=value)


def _rows(ours: Ours, published: Sequence[Sequence[Item]], names: Sequence[str], checks: Mapping[str, Check]) -> Iterable[Beside]:
    for number, system in enumerate(published):
        fitting = [
            item for item in system for counterpart in ours.beside
            if is_of(item, counterpart.application, counterpart.section) and " " not in item.value
            and UNITS[item.unit][0] == units.dimension(ours.unit)
        ]
        if fitting:
            best = _better(fitting, lambda item: float(item.value) * UNITS[item.unit][1], _higher(ours, checks))
            yield _beside(ours, best, names[number])


def _beside(ours: Ours, item: Item, system: str) -> Beside:
    mine = Item(-1, item.application, ours.size, ours.unit, ours.name, ours.value, None, None, ours.basis, "", "", "")
    size = f", {item.size}" if item.size and item.size != NOT_STATED else ""
    here = f"{ours.value} {ours.unit}".removesuffix(" 1")
    printed = f"{item.value} {item.unit}".removesuffix(" 1")
    return Beside(
        ours.case, ours.name, here, ours.percent, system, printed, item.percent_printed, f"{item.application}, {item.name}{size}",
        differing(item, mine),
    )
