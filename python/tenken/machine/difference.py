"""Differences between this run and accepted sittings, and between the nodes of a run. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tenken.machine.facts import CLASSES, Fact, Facts, most_common, node_facts
from tenken.model.baseline import Sitting
from tenken.model.classes import METRIC_CLASSES
from tenken.model.difference import Difference

_ALL_CLASSES = tuple(METRIC_CLASSES)


def against(sittings: Sequence[Sitting], environment: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Differences of `environment` ({facts, exceptions}) from the last of `sittings` (oldest first).

    `new` is False where an older sitting had it as it is now. Facts that a side lacks are not compared.
    """
    if not sittings:
        return ()
    last = sittings[-1]
    differences = between(last.environment, environment, last.id)
    return tuple(
        replace(difference, new=not any(_had(sitting.environment, environment, difference) for sitting in sittings[:-1]))
        for difference in differences
    )


def between(before: Mapping[str, Any], now: Mapping[str, Any], against: str) -> tuple[Difference, ...]:
    """Facts of most nodes first, then new facts of single nodes."""
    was, is_ = before["facts"], now["facts"]
    differences = [
        _difference(name, was[name], is_[name], (), against) for name in is_ if name in was and was[name] != is_[name]
    ]
    odd: list[Difference] = []
    for host, facts in now["exceptions"].items():
        for name, value in facts.items():
            if name in was and before["exceptions"].get(host, {}).get(name, was[name]) != value:
                odd.append(_difference(name, was[name], value, (host,), against))
    return tuple(differences) + _grouped(odd)


def within(machine_json: Mapping[str, Any], node_class: Mapping[str, str]) -> tuple[Difference, ...]:
    """Differences of single nodes from most nodes of their class; `node_class` is by host."""
    groups: dict[str, dict[str, Facts]] = {}
    for node in machine_json["nodes"]:
        host = node.get("host") or "unknown"
        groups.setdefault(node_class.get(host, ""), {})[host] = node_facts(node)
    differences: list[Difference] = []
    for by_host in groups.values():
        shared = most_common(by_host)
        for host, facts in sorted(by_host.items()):
            for name, value in facts.items():
                if value != shared[name]:
                    alike = sum(other.get(name) == shared[name] for other in by_host.values())
                    others = f"{alike} other node{'s' if alike > 1 else ''}"
                    differences.append(_difference(name, shared[name], value, (host,), others))
    return _grouped(differences)


def classes_of(fact: str) -> tuple[str, ...]:
    """Classes of metrics that a fact can move: all where it is a fact of another version of Tenken."""
    return CLASSES.get(fact, _ALL_CLASSES)


def _difference(name: str, before: Fact, now: Fact, hosts: tuple[str, ...], against: str) -> Difference:
    if isinstance(before, list) and isinstance(now, list):
        gone, come = (", ".join(part for part in a if part not in b) for a, b in ((before, now), (now, before)))
        return Difference(name, gone, come, hosts, against, classes_of(name))
    return Difference(name, _text(before), _text(now), hosts, against, classes_of(name))


def _text(value: Fact) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _grouped(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Nodes that differ in the same way are named together."""
    groups: dict[Difference, list[str]] = {}
    for difference in differences:
        groups.setdefault(replace(difference, hosts=()), []).extend(difference.hosts)
    return tuple(replace(difference, hosts=tuple(hosts)) for difference, hosts in groups.items())


def _had(older: Mapping[str, Any], now: Mapping[str, Any], difference: Difference) -> bool:
    """Whether an older sitting had the fact of `difference` as it is now."""
    facts = now["exceptions"].get(difference.hosts[0], {}) if difference.hosts else now["facts"]
    value = facts.get(difference.fact)
    return older["facts"].get(difference.fact) == value or any(
        each.get(difference.fact) == value for each in older["exceptions"].values()
    )
