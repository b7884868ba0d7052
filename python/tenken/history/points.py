"""A figure at a moment, and several in order of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from tenken.base.units import moment_s
from tenken.machine.facts import between
from tenken.model.baseline import HistoryPoint, LaunchValues, Sitting, placed
from tenken.model.machine import Machine
from tenken.model.run import CaseRun, hosts_of
from tenken.stats.robust import mad, median


@dataclass(frozen=True, slots=True)
class Entry:
    """A point and the environment it was measured in, None where that is not known."""

    point: HistoryPoint
    environment: Mapping[str, Any] | None


def of_sitting(sitting: Sitting, name: str, verdict: str = "", accepted: bool = True) -> Entry:
    """The quantity called `name` in a sitting."""
    value, spread = summary(sitting.launches, name)
    disturbed = any(name in launch.best for launch in sitting.launches)
    point = HistoryPoint(sitting.id, sitting.started, value, spread, verdict, accepted, (), doubt(sitting.started),
                         sitting.formerly, disturbed)
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


# Times that cannot be right.

_FIRST = datetime(2020, 1, 1, tzinfo=timezone.utc).timestamp()  # no run is older: a clock that was never set shows 1970
_AHEAD_S = 3600.0  # clocks of two nodes may differ


def doubt(started: str, *later: str | None) -> str:
    """Why `started` cannot be right, "" where it can; `later` are times of the same run that must follow it."""
    begin = moment_s(started)
    if begin is None:
        return f"'{started}' is not a time"
    if begin < _FIRST:
        return "the clock was not set"
    if begin > datetime.now(timezone.utc).timestamp() + _AHEAD_S:
        return "it lies in the future"
    after = [at for one in later if one and (at := moment_s(one)) is not None]
    if any(at < begin - _AHEAD_S for at in after):
        return "the clock jumped back during the run"
    return ""


def class_of(case_run: CaseRun, machine: Machine) -> str:
    """The node class of a case: that of its nodes, all of them joined by + where they are of several."""
    hosts = hosts_of(case_run) or (machine.nodes[0].host,)
    return "+".join(sorted({machine.node(host).node_class for host in hosts}))


def class_in_results(case: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    """The same of a case of results.json."""
    classes = {str(node["host"]).split(".")[0]: str(node["node_class"]) for node in results["machine"]["nodes"]}
    first = str(results["machine"]["nodes"][0]["node_class"])
    return "+".join(sorted({classes.get(host.split(".")[0], first) for host in hosts_in_results(case)} or {first}))


def hosts_in_results(case: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(rank["host"]) for section in case["sections"] for rank in section["ranks"]))
