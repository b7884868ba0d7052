"""Synthetic accepted sittings for tests."""

from __future__ import annotations

from typing import Any

from tenken.model.baseline import LaunchValues, Quantity, Sitting
from tenken.store.baseline import Accepted, case_hash

QUANTITIES = (
    Quantity("metric:triad", "GB/s", "higher", "memory"),
    Quantity("time:triad", "ns", "lower", "memory"),
    Quantity("loss:triad", "1", "lower", "memory"),
)
FACTS = {"kernel": "6.1.0-18", "governor": "performance", "modules": ["gcc/12", "openmpi/4"]}
CASE = {"variant": "plain", "parameters": {"n": 100, "sizes": [1, 2]}, "ranks": 2, "threads": 1}


def sitting(
    run: str = "20261101T080000Z-check-1a2b", started: str = "2026-11-01T08:00:00Z", rate: float = 30.1,
    launches: int = 3, facts: dict[str, Any] | None = None, exceptions: dict[str, Any] | None = None,
    hosts: tuple[str, ...] = ("n0", "n1"),
) -> Sitting:
    """A sitting whose launches scatter a little around `rate` GB/s."""
    values = [
        LaunchValues(number, {"metric:triad": rate * (1 + 0.001 * number), "time:triad": 1e9 / 3.0 / rate, "loss:triad": 0.01})
        for number in range(1, launches + 1)
    ]
    environment = {"facts": FACTS if facts is None else facts, "exceptions": exceptions or {}}
    return Sitting(run, started, hosts, environment, tuple(values))


def accepted(of: Sitting | None = None, node_class: str = "toy", case_id: str = "stream:all", **changes: Any) -> Accepted:
    """`of` as accepted for a case on a node class."""
    case = {**CASE, **changes.pop("case", {})}
    return Accepted(
        node_class, case_id, case_hash(case), case, of or sitting(), QUANTITIES, changes.pop("at", "2026-11-01T09:00:00Z"), **changes
    )
