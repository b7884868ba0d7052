"""Where a case was measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tenken.model.machine import Machine
from tenken.model.run import CaseRun


def hosts_of(case_run: CaseRun) -> tuple[str, ...]:
    """The hosts that the launches of a case ran on."""
    return tuple(dict.fromkeys(rank.host for record in case_run.records for rank in record.rank))


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
