"""machine.json: what every node says of itself, the software, and the allocation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tenken.model.errors import TenkenError

SCHEMA = "tenken.machine/1"
NODE_SCHEMA = "tenken.node/1"


def read_node(text: str, where: str = "tenken-probe") -> dict[str, Any]:
    """One node from what tenken-probe printed; lines of a launcher around it are ignored.

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


def read_nodes(text: str, where: str = "tenken-probe") -> list[dict[str, Any]]:
    """Every node in the joint output of one probe a node, one JSON object a line."""
    nodes = []
    for line in text.splitlines():
        if line.lstrip().startswith("{"):
            nodes.append(read_node(line, where))
    if not nodes:
        read_node(text, where)
    return nodes


def assemble(
    nodes: Iterable[Mapping[str, Any]], software: Mapping[str, Any], allocation: Mapping[str, Any], date: str
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
    }


_NAMES = ("host", "name", "pci", "cpu", "id", "irq", "page_bytes")


def flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    """Every leaf under a key such as `nodes/n01/os/kernel`, so that two machine.json can be compared key by key.

    List items that carry a distinct name, address or number are keyed by it, others by position; a list of plain
    values is one leaf.
    """
    if isinstance(value, Mapping):
        items = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list) and any(isinstance(item, (Mapping, list)) for item in value):
        items = list(zip(_labels(value), value, strict=True))
    else:
        return {prefix: tuple(value) if isinstance(value, list) else value}
    flat: dict[str, Any] = {}
    for key, item in items:
        flat.update(flatten(item, f"{prefix}/{key}" if prefix else key))
    return flat


def _labels(items: list[Any]) -> list[str]:
    for name in _NAMES:
        labels = [str(item.get(name)) if isinstance(item, Mapping) and name in item else "" for item in items]
        if all(labels) and len(set(labels)) == len(labels):
            return labels
    return [str(number) for number in range(len(items))]
