from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import builders as b
from tenken.machine.match import additions_per_cycle, threads_of_cores, with_additions
from tenken.model.limits import SHARED_CORE


def node(measured: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    cores = [{"package": 0, "numa": 0, "id": i, "cpus": [i, i + 4]} for i in range(4)]
    return {"topology": {"cores": cores, "kinds": []} | more} | ({"frequency": {"measured": measured}} if measured else {})


MEASURED = [
    {"cpu": 0, "additions_per_cycle": 2.1}, {"cpu": 1, "additions_per_cycle": 3.95}, {"cpu": 2, "additions_per_cycle": None},
]


def test_a_core_alone_adds_as_the_one_that_had_most_of_itself() -> None:
    assert additions_per_cycle(node(MEASURED)) == 3.95
    assert additions_per_cycle(node(MEASURED, kinds=[{"name": "big", "cpus": [0]}, {"name": "small", "cpus": [1]}])) is None
    assert additions_per_cycle(node()) is None  # probed by an older Tenken


def test_hardware_threads_of_a_core_are_kept_once_for_nodes_alike() -> None:
    one, other = threads_of_cores(node()), threads_of_cores(node())
    assert one == ((0, 4), (1, 5), (2, 6), (3, 7)) and one is other
    assert threads_of_cores(node(cores=[{"cpus": [i]} for i in range(4)])) == ()


def test_a_core_that_was_shared_while_probed_is_known_by_its_launches() -> None:
    samples = (2.0,) * 50 + (3.95,) * 30 + (5.9,)  # the last: its chain was interrupted
    records = [b.record(b.fma(1e9), trusts={0: b.trust(additions_per_cycle=one)}) for one in (samples, (2.0,) * 3)]
    machine = b.machine(b.node(additions_per_cycle=2.9), b.node("n1", additions_per_cycle=3.0), b.node("n2"))
    assert [one.additions_per_cycle for one in with_additions(machine, records).nodes] == [3.95, 3.0, None]
    low = [b.record(b.fma(1e9), trusts={0: b.trust(additions_per_cycle=(2.0,) * 9)})]
    assert with_additions(machine, low) == machine


def test_the_probe_and_the_judge_call_the_same_core_shared() -> None:
    source = Path(__file__).resolve().parents[3] / "cpp" / "probe" / "frequency.cpp"
    (limit,) = re.findall(r"^constexpr double alone = ([\d.]+);", source.read_text(encoding="utf-8"), re.MULTILINE)
    assert float(limit) == 1 - SHARED_CORE
