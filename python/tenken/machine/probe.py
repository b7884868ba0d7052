"""machine.json: the report of every node, the software, and the allocation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tenken.base.errors import TenkenError

SCHEMA = "tenken.machine/1"
NODE_SCHEMA = "tenken.node/1"


def read_node(text: str, where: str = "tenken-probe") -> dict[str, Any]:
    """A node from the output of tenken-probe; lines of a launcher around it are ignored.

    `where` names the output in the sentence of the TenkenError.
    """
    for line in text.splitlines():
        if not line.lstrip().startswith("{"):
            continue
        try:
            node = json.loads(line)
        except ValueError:
            continue
        if isinstance(node, dict) and node.get("schema") == NODE_SCHEMA:
            return node
    shown = text.strip()[:200]
    raise TenkenError(f"{where}: expected a node description ({NODE_SCHEMA}), found {shown!r}; run it by hand")


def silent(expected: Sequence[str], wanted: int, nodes: Sequence[Mapping[str, Any]], why: str) -> list[str]:
    """A sentence on the nodes that did not answer, by name where the `expected` ones are known, else how many of
    `wanted`; none where all did. `why` is the launcher's last output."""
    answered = {(node.get("host") or "unknown").split(".")[0] for node in nodes}
    named = len(expected) == wanted  # of a larger allocation nobody knows which nodes were taken
    missing = [host for host in expected if named and host.split(".")[0] not in answered]
    if missing:
        who = f"{', '.join(missing)} did"
    elif len(answered) < wanted:
        who = f"{wanted - len(answered)} of {wanted} nodes did"
    else:
        return []
    names = [node.get("host") or "unknown" for node in nodes]
    alike = ", ".join(sorted({name for name in names if names.count(name) > 1}))
    reasons = "; ".join([*([f"several answers have the host name {alike}"] if alike else []), *([why] if why else [])])
    return [f"{who} not answer the probe: differences there are unknown{f' ({reasons})' if reasons else ''}"]


def assemble(
    nodes: Iterable[Mapping[str, Any]], software: Mapping[str, Any], allocation: Mapping[str, Any], date: str,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """machine.json. Nodes are ordered by host; of a host probed twice the first counts. `date` is ISO 8601, UTC."""
    by_host: dict[str, Mapping[str, Any]] = {}
    for node in nodes:
        by_host.setdefault(node.get("host") or "unknown", node)
    return {
        "schema": SCHEMA,
        "date": date,
        "nodes": [dict(by_host[host]) for host in sorted(by_host)],
        "software": dict(software),
        "allocation": dict(allocation),
        **({"notes": list(notes)} if notes else {}),
    }
