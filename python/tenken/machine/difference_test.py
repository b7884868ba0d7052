from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tenken.machine.facts import CLASSES, against, between, classes_of, environment_of, node_facts, within
from tenken.model.baseline import Sitting, sentence

NODE = json.loads((Path(__file__).parents[3] / "tests/machines/two_sockets.node.json").read_text())
NODE["os"] |= {"command_line": "quiet mitigations=auto", "numa_balancing": 0}
NODE["cpu"]["microcode"] = "0x12"
NODE["limits"] |= {"cpu_quota_cores": None, "memory_limit_bytes": None}
BUILD = {"compiler": "g++ 12.2.0", "mpi": "Open MPI 4.1.4", "flags": "", "isa": "znver3"}
SOFTWARE = {"libc": "glibc 2.36", "modules": ["gcc/12"], "blas": {"libopenblas.so": "/usr/lib/libopenblas.so.0"}, "variables": {}}


def node(host: str, **changes: Any) -> dict[str, Any]:
    """A node like the golden one; changes are dotted paths with __ for the dot."""
    one = copy.deepcopy(NODE)
    one["host"] = host
    for path, value in changes.items():
        *folders, last = path.split("__")
        place = one
        for folder in folders:
            place = place[folder]
        place[last] = value
    return one


def machine(*nodes: dict[str, Any], **software: Any) -> dict[str, Any]:
    return {"nodes": list(nodes), "software": {**SOFTWARE, **software}}


def environment(*nodes: dict[str, Any], build: dict[str, str] | None = None, **software: Any) -> dict[str, Any]:
    return environment_of(machine(*nodes, **software), {**BUILD, **(build or {})}, [])


def told(differences: Any) -> list[str]:
    return [sentence(one) + (f" on {','.join(one.hosts)}" if one.hosts else "") for one in differences]


CHANGES = [
    ({"os__kernel": "6.9"}, "kernel 6.9 instead of", "compute"),
    ({"os__command_line": "quiet mitigations=off"}, "kernel command line", "latency"),
    ({"firmware__bios_version": "2.6"}, "bios", "memory"),
    ({"cpu__microcode": "0xff"}, "microcode 0xff instead of", "compute"),
    ({"frequency__governors": {"powersave": 64}}, "governor powersave instead of", "compute"),
    ({"frequency__boost": False}, "boost False instead of", "compute"),
    ({"memory__transparent_huge_pages": {"enabled": "never"}}, "transparent huge pages never", "memory"),
    ({"memory__total_bytes": NODE["memory"]["total_bytes"] // 2}, "memory", "memory"),
    ({"os__mitigations": {"retbleed": "Mitigation: IBRS"}}, "mitigations", "latency"),
    ({"os__numa_balancing": 1}, "NUMA balancing", "memory"),
    ({"limits__cpu_quota_cores": 1.5}, "CPU quota 1.5 cores instead of none", "compute"),
    ({"limits__memory_limit_bytes": 1 << 30}, "memory limit 1024 MiB instead of none", "memory"),
    ({"network": []}, "network cards without", "bandwidth"),
    ({"gpus": []}, "GPUs without", "compute"),
    ({"cards": [{"pci": "0000:ff:00.0", "id": "0x1:0x2", "driver": "mlx5_core", "pcie": {}}]}, "PCI cards", "bandwidth"),
    ({"os__hypervisor": "KVM"}, "hypervisor KVM instead of none", "io"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "said", "explains"), CHANGES, ids=[said for _, said, _ in CHANGES])
def test_each_fact_is_seen_against_a_sitting_and_between_nodes(changes: dict[str, Any], said: str, explains: str) -> None:
    (whole,) = between(environment(node("n0")), environment(node("n0", **changes)), "run1")
    assert sentence(whole).startswith(said) and explains in whole.explains and whole.hosts == ()
    odd = machine(node("n0"), node("n1"), node("n2", **changes))
    (one,) = within(odd, dict.fromkeys(("n0", "n1", "n2"), "toy"))
    assert sentence(one).startswith(said) and one.hosts == ("n2",) and one.against == "2 other nodes"


@pytest.mark.parametrize(
    ("build", "software", "said"),
    [
        ({"compiler": "g++ 13.1"}, {}, "compiler g++ 13.1 instead of g++ 12.2.0"),
        ({"flags": "-O1"}, {}, "flags -O1 instead of none"),
        ({"mpi": "MPICH 4.0"}, {}, "MPI MPICH 4.0 instead of Open MPI 4.1.4"),
        ({}, {"modules": ["gcc/13"]}, "modules gcc/13 instead of gcc/12"),
        ({}, {"modules": ["gcc/12", "ucx/1.15"]}, "modules with ucx/1.15"),
        ({}, {"libc": "glibc 2.40"}, "C library glibc 2.40 instead of glibc 2.36"),
        ({}, {"blas": {"libblis.so": "/opt/blis.so"}}, "BLAS /opt/blis.so instead of /usr/lib/libopenblas.so.0"),
        ({}, {"variables": {"OMP_PLACES": "cores"}}, "variables with OMP_PLACES=cores"),
    ],
)
def test_software_and_build(build: dict[str, str], software: dict[str, Any], said: str) -> None:
    found = between(environment(node("n0")), environment(node("n0"), build=build, **software), "run1")
    assert told(found) == [said]


def test_what_names_a_node_or_is_not_told_is_no_difference() -> None:
    less = NODE["memory"]["total_bytes"] - (90 << 20)  # what the kernel keeps varies
    one = node("n0", os__command_line="BOOTIF=01-aa root=UUID=1 quiet")
    two = node("n1", os__command_line="quiet BOOTIF=01-bb root=UUID=2", memory__total_bytes=less)
    assert within(machine(one, two), {"n0": "toy", "n1": "toy"}) == ()
    bare = {"host": "n0", "os": {"hypervisor": None}, "limits": {}}
    assert not [one for one in between(environment(node("n0")), environment(bare), "r") if one.fact != "hypervisor"]


def test_other_classes_are_not_compared() -> None:
    fat = node("fat", memory__total_bytes=1 << 41)
    assert within(machine(node("n0"), node("n1"), fat), {"n0": "thin", "n1": "thin", "fat": "fat"}) == ()


def test_nodes_that_differ_alike_are_named_together() -> None:
    nodes = [node(f"n{number}", firmware__bios_version="2.4" if number in (17, 40) else "2.6") for number in range(64)]
    (one,) = within(machine(*nodes), {f"n{number}": "toy" for number in range(64)})
    assert one.hosts == ("n17", "n40") and one.against == "62 other nodes"


def sitting(name: str, of: dict[str, Any]) -> Sitting:
    return Sitting(name, "2026-11-01T08:00:00Z", ("n0",), of, ())


def test_an_older_sitting_that_had_it_so_is_known() -> None:
    old, new = environment(node("n0", os__kernel="6.1")), environment(node("n0", os__kernel="6.9"))
    (back,) = against([sitting("a", old), sitting("b", new)], old)
    assert (back.new, back.against, sentence(back)) == (False, "b", "kernel 6.1 instead of 6.9")
    (fresh,) = against([sitting("a", old), sitting("b", old)], new)
    assert fresh.new and against([], new) == ()


def test_a_single_node_that_changed_since_the_sitting_is_named() -> None:
    before = environment(node("n0"), node("n1"), node("n2"))
    now = environment(node("n0"), node("n1"), node("n2", frequency__governors={"powersave": 64}))
    (one,) = against([sitting("a", before)], now)
    assert one.hosts == ("n2",) and one.fact == "governor" and one.new
    for older, new in ((before, True), (now, False)):
        assert [each.new for each in against([sitting("a", older), sitting("b", before)], now)] == [new]
    assert against([sitting("a", now)], now) == (), "it was so when it was accepted"


def test_only_the_nodes_of_the_case_count() -> None:
    two = machine(node("n0.site"), node("n1", os__kernel="6.9"))
    assert environment_of(two, BUILD, ["n1"])["facts"]["kernel"] == "6.9"
    assert environment_of(two, BUILD, ["n0"])["facts"]["kernel"] == NODE["os"]["kernel"]
    assert environment_of(two, BUILD, ["elsewhere"])["facts"]["kernel"] == NODE["os"]["kernel"]


def test_a_fact_of_another_version_may_explain_anything() -> None:
    assert "io" in classes_of("phase of the moon") and set(node_facts(NODE)) <= set(CLASSES)
