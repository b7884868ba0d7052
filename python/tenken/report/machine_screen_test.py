"""Screen, drawing and doubts of small hand-made machines."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest

from tenken.model.machine import Machine, Node
from tenken.report.machine_svg import drawing
from tenken.report.machine_text import HEIGHT, WIDTH, peak, screen, size
from tenken.report.machine_trust import doubts

GHZ = 1e9


def raw(host: str = "n1", hz: tuple[float, ...] = (3.67 * GHZ, 3.67 * GHZ), **more: Any) -> dict[str, Any]:
    measured = [{"cpu": cpu, "best_hz": x, "median_hz": x} for cpu, x in enumerate(hz)]
    cores = [{"package": 0, "numa": 0, "id": i, "cpus": [i]} for i in range(2)]
    return {
        "host": host,
        "cpu": {"model_name": "Made-Up", "flags": ["fma", "tsc"]},
        "topology": {"cores": cores, "online": [0, 1], "usable": [0, 1], "caches": [], "numa": []},
        "memory": {"total_bytes": 8 << 30, "available_bytes": 4 << 30},
        "frequency": {"measured": measured, "governors": {"performance": 2}},
    } | more


def node(**more: Any) -> Node:
    known = Node(
        host="n1",
        node_class="x",
        cpu="Made-Up",
        core="zen4",
        flop_per_cycle_double=16,
        flop_per_cycle_single=32,
        cores=2,
        cpus=2,
        memory_bytes=8 << 30,
        l3_bytes=0,
        memory_rate_spec=None,
    )
    return replace(known, **more)


def machine(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"date": "2026-11-21T08:00:00Z", "nodes": list(nodes)}


def test_the_peak_shows_its_formula() -> None:
    text = peak(raw(), node())
    assert text == "16 flop/cycle x 3.67 GHz (measured) x 2 cores = 117.4 GFLOP/s double, 234.9 single"
    nominal = raw(hz=(), frequency={"measured": [], "nominal_hz": 2.3 * GHZ})
    assert "2.3 GHz (nominal, not measured)" in peak(nominal, node())
    assert "not in machines/cores.toml" in peak(raw(), node(flop_per_cycle_double=None))


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        ("", "counters   instructions and misses can be counted"),
        ("not permitted: /proc/sys/kernel/perf_event_paranoid says 4",
         "counters   not permitted: /proc/sys/kernel/perf_event_paranoid says 4"),
        (None, ""),
    ],
)
def test_the_screen_says_whether_instructions_can_be_counted(problem: str | None, line: str) -> None:
    text = screen(machine(raw(counters={"events_problem": problem})), Machine("x", (node(),)))
    assert [shown for shown in text.splitlines() if shown.startswith("counters")] == ([line] if line else [])


def test_the_screen_is_small_whatever_the_machine_holds() -> None:
    card = {"name": "x" * 300, "vendor": "NVIDIA", "numa": None}
    big = raw(
        gpus=[card | {"pci": str(i), "name": f"gpu {i}"} for i in range(9)],
        network=[card] * 40,
        load={"average": [1.0], "busy": 1.0, "running": [{"name": "y" * 200, "user": 0}] * 9},
        limits={"cpu_quota_cores": 0.5},
        os={"hypervisor": "z" * 300, "clock_source": "hpet"},
    )
    lines = screen(machine(big), Machine("site", (node(),))).splitlines()
    assert len(lines) <= HEIGHT and max(map(len, lines)) <= WIDTH
    assert all(line.endswith("…") for line in lines if "xxx" in line)


def test_nothing_moves_the_cursor_of_the_terminal() -> None:
    whole = machine(raw("n\x1b[2J"[:4], cpu={"model_name": "a\nb\x1b[31m\u202e"}))
    lines = screen(whole, Machine("x\x07", (node(),))).split("\n")
    assert all(line.isprintable() for line in lines) and lines[1].startswith("processor  a?b?[31m?")


def test_several_nodes_are_counted_by_class() -> None:
    nodes = (node(), node(host="n2"), node(host="n3", node_class="fat"))
    text = screen(machine(raw(), raw("n2"), raw("n3")), Machine("site", nodes))
    assert "site · 3 nodes: 2 of class x, 1 of class fat" in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"load": {"busy": 0.5, "running": [{"name": "ld", "user": 1}]}}, "50% of the CPUs is busy with other work"),
        ({"load": {"steal": 0.3}}, "the hypervisor takes 30%"),
        ({"load": {"other_users": 2, "other_users_processes": 9}}, "2 other users with 9 processes"),
        ({"os": {"hypervisor": "KVM"}}, "virtual (KVM)"),
        ({"os": {"clock_source": "hpet"}}, "the system's clock is hpet, not tsc"),
        ({"limits": {"cpu_quota_cores": 1.5}}, "CPU quota of 1.5 cores for 2 CPUs"),
        ({"topology": {"usable": [0], "online": [0, 1]}}, "only 1 of 2 CPUs may be used"),
        ({"frequency": {"governors": {"powersave": 2}}}, "governor powersave on 2 CPUs"),
        ({"frequency": {}}, "frequency not measured"),
        ({"frequency": {"measured": [{"cpu": 0, "best_hz": 3e9, "median_hz": 2e9}]}}, "clock of 1 of 1 cores varied"),
        ({"frequency": {"measured": [{"cpu": 0, "best_hz": 3e9, "median_hz": 3e9, "shared": x} for x in (0.05, 0.3, 0.06)]}},
         "other hardware threads work on 2 of 3 cores, up to 30% of the time"),
        ({"counters": {"memory_controllers": [{"uncorrected": 4}]}}, "4 uncorrected memory errors"),
        ({"counters": {"throttled": [{"cpu": 1}]}}, "1 CPU throttled"),
        ({"network": [{"name": "ib0", "pcie": {"width": 8, "max_width": 16}}]}, "ib0: PCIe x8 of x16"),
    ],
)
def test_doubts(change: dict[str, Any], words: str) -> None:
    assert doubts(raw()) == ()
    assert any(words in doubt for doubt in doubts(raw() | change))


def test_a_slow_core_is_named() -> None:
    assert doubts(raw(hz=(3.0 * GHZ, 2.8 * GHZ))) == ("CPU 1 is slowest at 2.80 GHz",)


def test_the_drawing_counts_nodes_that_look_alike() -> None:
    other = raw("n3")
    other["topology"] = other["topology"] | {"usable": [0]}
    picture = drawing(machine(raw("n1"), raw("n2", hz=(3.5 * GHZ,) * 2), other))
    texts = [element.text for element in ElementTree.fromstring(picture).iter() if element.tag.endswith("text")]
    assert "2 nodes alike: n1, n2" in texts and "n3" in texts
    assert texts.count("package 0: 2 cores") == 2
    classes = [element.get("class") for element in ElementTree.fromstring(picture).iter()]
    assert classes.count("core") == 3 and classes.count("unusable") == 1


def test_boxes_hold_what_is_drawn_in_them() -> None:
    """No text begins outside the picture, however many cores and cards there are, and the picture ends 8 after the node."""
    cores = [{"package": i // 96, "numa": i // 48, "id": i, "cpus": [i, i + 192]} for i in range(192)]
    cpus = list(range(384))
    gpus = [{"pci": str(i), "name": "G" * 99, "vendor": "NVIDIA", "numa": i % 4} for i in range(8)]
    big = raw(topology={"cores": cores, "online": cpus, "usable": cpus, "caches": [], "numa": []}, gpus=gpus)
    root = ElementTree.fromstring(drawing(machine(big)))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))

    ends: list[float] = []
    caches: list[tuple[float, list[tuple[float, float, float]]]] = []

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        if move := element.get("transform"):
            dx, dy = move.removeprefix("translate(").removesuffix(")").split()
            x, y = x + float(dx), y + float(dy)
        if element.tag.endswith("rect") and element.get("class") != "page":
            ends.append(x + float(element.get("width", "0")))
            assert y + float(element.get("height", "0")) <= height
            if element.get("class") == "cache":
                caches.append((ends[-1], []))
            if element.get("class") == "core":
                caches[-1][1].append((y, x, ends[-1]))
        for child in element:
            walk(child, x, y)

    walk(root, 0.0, 0.0)
    assert max(ends) == pytest.approx(width - 8, abs=0.5), "the node is the widest box"
    assert len(caches) == 4
    for edge, boxes in caches:
        beside = [start - end for (row, _, end), (other, start, _) in zip(boxes, boxes[1:], strict=False) if row == other]
        assert len(beside) > 24 and beside == pytest.approx([6.0] * len(beside), abs=0.11), "6 between cores"
        assert edge - max(end for _, _, end in boxes) == pytest.approx(8.0, abs=0.3), "8 around them"
    assert width < 2000
    cards = [float(element.get("width", "0")) for element in root.iter() if element.get("class") == "card"]
    assert len(cards) == 8 and min(cards) > 7 * 46, "46 capital letters, which is where a name is cut, do not fit"


def test_sizes() -> None:
    assert [size(x) for x in (0, 1536, 33554432, 412316860416, 5e12, None)] == [
        "0 B", "1.5 KiB", "32 MiB", "384 GiB", "4.55 TiB", "unknown"]  # fmt: skip


def test_cards_that_are_ill_busy_or_slowed_are_doubts() -> None:
    ill = {"uncorrected_errors": 1, "repair_pending": True, "utilization": 0.97, "memory_used_bytes": 30 << 30}
    slow = {"compute_mode": "Prohibited", "partitioned": True, "power_limit_w": 300.0, "power_default_w": 400.0,
            "slowed_by": "heat", "memory_used_bytes": 3 << 30, "utilization": 0.0}
    well = {"compute_mode": "Default", "partitioned": False, "power_limit_w": 400.0, "power_default_w": 400.0, "slowed_by": "",
            "memory_used_bytes": 4 << 20, "utilization": 0.0, "uncorrected_errors": 0, "repair_pending": False}
    card = {"vendor": "NVIDIA", "name": "A100", "pci": "0000:3b:00.0"}
    found = {key: doubts(raw(gpus=[card | {"state": state}])) for key, state in (("ill", ill), ("slow", slow), ("well", well))}
    at = "A100 0000:3b:00.0: "
    assert found["ill"] == (at + "1 uncorrected memory error since the driver was loaded",
                            at + "waits for a reset to replace faulty memory", at + "97% busy with other work")
    assert found["slow"] == (at + "3 GiB of its memory in use", at + "compute mode Prohibited", at + "partitioned (MIG)",
                             at + "power limit 300 W, by default 400 W", at + "slowed by heat")
    assert found["well"] == () and doubts(raw(gpus=[card])) == ()
