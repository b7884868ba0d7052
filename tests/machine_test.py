"""tenken-probe and its Python stand-in on captured, made-up, hostile and empty machines; screens of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from machines import trees

from tenken.machine.files import MachineFile, read_files
from tenken.machine.match import facts
from tenken.machine.probe import assemble, read_node
from tenken.machine.quick import quick_node
from tenken.machine.software import allocation, software
from tenken.report.machine_svg import drawing
from tenken.report.machine_text import HEIGHT, WIDTH, screen

TREE = Path(__file__).resolve().parent.parent
GOLDEN = TREE / "tests" / "machines"
FILES = read_files([TREE / "machines"])
SCHEMA = json.loads((TREE / "schema" / "machine.schema.json").read_text())
MACHINES = {"zen3_vm": lambda: trees.captured("zen3_vm"), "two_sockets": trees.two_sockets}

Probe = Callable[..., dict[str, Any]]


@pytest.fixture()
def probe(probe_program: Path, tmp_path: Path) -> Probe:
    """Runs tenken-probe on a tree."""

    def run(tree: trees.Tree) -> dict[str, Any]:
        folder = trees.plant(tree, tmp_path / "root")
        done = subprocess.run([probe_program, "--root", folder], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return read_node(done.stdout)

    return run


def machine(*nodes: dict[str, Any]) -> dict[str, Any]:
    """machine.json of these nodes, schema-checked."""
    whole = assemble(nodes, {}, {}, "2026-11-21T08:00:00Z")
    jsonschema.validate(whole, SCHEMA)
    return whole


def same_as_golden(name: str, text: str) -> None:
    """Compares with a committed file; TENKEN_ACCEPT=1 writes it instead."""
    path = GOLDEN / name
    if os.environ.get("TENKEN_ACCEPT"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} changed; TENKEN_ACCEPT=1 accepts it"


@pytest.mark.parametrize("name", MACHINES)
def test_the_probe_reads_whole_machines(name: str, probe: Probe) -> None:
    node = probe(MACHINES[name]())
    machine(node)
    same_as_golden(f"{name}.node.json", json.dumps(node) + "\n")


# Sockets, NUMA nodes, cores, usable processors, and the L3 caches: how many, and of how many MiB each.
KINDS = {"desktop": (1, 1, 8, 16, 1, 32), "two_sockets_snc": (2, 4, 8, 16, 2, 105), "many_ccx": (1, 4, 8, 8, 4, 32),
         "vm_with_steal": (4, 1, 4, 4, 4, 16), "bare_container": (0, 0, 0, 0, 0, None)}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_the_probe_reads_kinds_of_machines(name: str, probe: Probe) -> None:
    node = probe(trees.of_kind(name))
    machine(node)
    topology = node["topology"]
    caches = [cache["bytes"] // 2**20 for cache in topology["caches"] if cache["level"] == 3]
    sockets = {core["package"] for core in topology["cores"]}
    assert (len(sockets), len(topology["numa"]), len(topology["cores"]), len(topology["usable"]), len(caches),
            max(caches, default=None)) == KINDS[name]  # fmt: skip


@pytest.mark.parametrize("name", MACHINES)
def test_screens(name: str) -> None:
    whole = machine(json.loads((GOLDEN / f"{name}.node.json").read_text()))
    text = screen(whole, facts(whole, FILES))
    assert text.count("\n") <= HEIGHT and max(map(len, text.splitlines())) <= WIDTH
    same_as_golden(f"{name}.screen.txt", text)


@pytest.mark.parametrize("name", MACHINES)
def test_the_stand_in_agrees_with_the_probe(name: str, tmp_path: Path) -> None:
    root = str(trees.plant(MACHINES[name](), tmp_path))
    quick = quick_node(root)
    probed = json.loads((GOLDEN / f"{name}.node.json").read_text())
    for part in ("cpu", "topology", "memory", "os"):
        for key, value in quick[part].items():
            if key == "numa":
                value, expected = ([(n["id"], n["cpus"]) for n in x] for x in (value, probed[part][key]))
            else:
                expected = probed[part][key]
            assert value == expected, f"{part}/{key}"
    quick_class, probed_class = (facts(machine(x), FILES).nodes[0].node_class for x in (quick, probed))
    assert quick_class == probed_class


@pytest.mark.parametrize("word", trees.PROCESSORS)
def test_processors_of_other_designs_are_read_alike(word: str, probe: Probe, tmp_path: Path) -> None:
    tree = {"proc/cpuinfo": trees.PROCESSORS[word] or "\n"}
    quick, probed = quick_node(str(trees.plant(tree, tmp_path)))["cpu"], probe(tree)["cpu"]
    assert {key: probed[key] for key in quick} == quick


def test_the_length_of_sve_vectors_is_read_and_shown(probe: Probe, tmp_path: Path) -> None:
    cpuinfo = "processor\t: 0\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd40"
    tree = {"proc/cpuinfo": cpuinfo, "proc/sys/abi/sve_default_vector_length": "32"}
    for node in (probe(tree), quick_node(str(trees.plant(tree, tmp_path)))):
        whole = machine(node)
        assert node["cpu"]["sve_bytes"] == 32 and "SVE of 256 bits NEON" in screen(whole, facts(whole, FILES))


def test_a_machine_that_tells_nothing(probe: Probe, tmp_path: Path) -> None:
    for node in (probe({"proc/.keep": ""}), quick_node(str(tmp_path / "nothing"))):
        whole = machine(node)
        text = screen(whole, facts(whole, FILES))
        assert "unknown" in text
        ElementTree.fromstring(drawing(whole))


HOSTILE = {
    "proc/cpuinfo": 'vendor_id : X\nmodel name : <script>"&\x1b[31m\udcff\ncpu family : 99999999999999999999',
    "proc/sys/kernel/hostname": "n1\x1b]0;owned\x07</text><script>",
    "proc/meminfo": "MemTotal: lots kB\nMemAvailable:\n:::\n",
    "proc/self/status": "Cpus_allowed_list:\t0-3,9-7,x,99999999999\n",
    "proc/self/cgroup": "0::/../../../etc\n4:cpu\nnonsense\n",
    "proc/loadavg": "nan",
    "sys/fs/cgroup/cpu.max": "0 0",
    "sys/devices/system/cpu/online": "0-3,4-2,-5,1-",
    "sys/devices/system/cpu/cpu0/topology/thread_siblings_list": "7",
    "sys/devices/system/cpu/cpu1/topology/physical_package_id": "-1",
    "sys/devices/system/cpu/cpu0/cache/index0/level": "3",
    "sys/devices/system/cpu/cpu0/cache/index0/size": "K",
    "sys/devices/system/cpu/cpu0/cache/index1/level": "two",
    "sys/devices/system/node/node0/cpulist": "0-1",
    "sys/devices/system/node/nodeX/cpulist": "0-1",
    "sys/class/net/]]>&/operstate": "up",
    "sys/class/infiniband/m/ports/1/rate": ") Gb/sec (",
    "sys/class/infiniband/m/ports/1/counters/symbol_error": "N/A (no PMA)",
    "sys/class/dmi/id/bios_version": "A" * 5000,
}


def test_hostile_contents(probe: Probe) -> None:
    whole = machine(probe(HOSTILE))
    node = whole["nodes"][0]
    assert node["cpu"]["family"] is None and node["memory"]["total_bytes"] is None
    assert node["topology"]["usable"] == [0, 1, 2, 3]
    text = screen(whole, facts(whole, FILES))
    assert re.sub(r"\n", "", text).isprintable() and text.count("\n") <= HEIGHT
    picture = drawing(whole)
    assert "<script" not in picture
    ElementTree.fromstring(picture)


def test_limits_of_control_groups_version_1(probe: Probe) -> None:
    """A limit of any group above binds; a quota of -1 and a memory limit near 2^63 are none."""
    groups = {"cpu/cpu.cfs_quota_us": "250000", "cpu/cpu.cfs_period_us": "100000",
              "cpu/job/cpu.cfs_quota_us": "-1", "cpu/job/cpu.cfs_period_us": "100000",
              "memory/memory.limit_in_bytes": "9223372036854771712", "memory/job/memory.limit_in_bytes": "1073741824"}
    tree = {f"sys/fs/cgroup/{name}": content for name, content in groups.items()}
    limits = probe(tree | {"proc/self/cgroup": "4:memory:/job\n2:cpu,cpuacct:/job\n0::/"})["limits"]
    assert (limits["cpu_quota_cores"], limits["memory_limit_bytes"]) == (2.5, 1 << 30)


def test_the_running_node(probe_program: Path) -> None:
    """Every core measured, and the description complete. No figure is asserted: the machine may be busy."""
    done = subprocess.run([probe_program], capture_output=True, text=True, timeout=60, check=True)
    node = read_node(done.stdout)
    whole = assemble([node], software(os.environ), allocation(os.environ), "2026-11-21T08:00:00Z")
    jsonschema.validate(whole, SCHEMA)
    usable = node["topology"]["usable"]
    assert set(usable) == os.sched_getaffinity(0)
    cores = [core for core in node["topology"]["cores"] if set(core["cpus"]) & set(usable)]
    assert len(node["frequency"]["measured"]) == len(cores)
    assert all(1e8 < core["best_hz"] < 1e10 for core in node["frequency"]["measured"])


@pytest.mark.parametrize("arguments", [["--rot", "/"], ["--root"], ["--root", "/no/such/folder"]])
def test_wrong_arguments_are_one_sentence(probe_program: Path, arguments: list[str]) -> None:
    done = subprocess.run([probe_program, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (3, "") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("machine_file", FILES.machines.values(), ids=lambda machine_file: machine_file.name)
def test_machine_files_follow_their_schema(machine_file: MachineFile) -> None:
    schema = json.loads((TREE / "schema" / "machinefile.schema.json").read_text())
    jsonschema.validate(tomllib.loads(Path(machine_file.path).read_text(encoding="utf-8")), schema)
