"""A figure at a moment, and several in order of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tenken.history.moments import doubt
from tenken.machine.difference import between
from tenken.model.baseline import LaunchValues, Sitting
from tenken.model.difference import placed
from tenken.model.history import HistoryPoint
from tenken.stats.robust import mad, median


@dataclass(frozen=True, slots=True)
class Entry:
    """A point and the environment it was measured in, None where that is not known."""

    point: HistoryPoint
    environment: Mapping[str, Any] | None


def of_sitting(sitting: Sitting, name: str, verdict: str = "", accepted: bool = True) -> Entry:
    """The quantity called `name` in a sitting."""
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
    """Points by time, each with the differences of its environment from that of the point before."""
    points: list[HistoryPoint] = []
    last: Mapping[str, Any] | None = None
    for entry in sorted(entries, key=lambda entry: (entry.point.started, entry.point.run)):
        changes: tuple[str, ...] = ()
        if last is not None and entry.environment is not None:
            changes = tuple(placed(difference) for difference in between(last, entry.environment, ""))
        points.append(replace(entry.point, changes=changes))
        last = entry.environment or last
    return tuple(points)
