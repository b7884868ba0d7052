"""This node's facts, read in Python from /sys and /proc: enough to plan before anything is built. Measures nothing.

The same keys as tenken-probe writes (schema/machine.schema.json), fewer of them, with "source": "quick".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from tenken.model.health import Health

# The model, by its names in kernels of different processors.
_MODEL = ("model name", "Model Name", "cpu model", "cpu", "Processor")


def parse_cpus(text: str) -> list[int]:
    """'0-3,8' to [0, 1, 2, 3, 8]; other text gives nothing."""
    cpus: set[int] = set()
    for first, last in re.findall(r"(\d{1,5})(?:-(\d{1,5}))?", text):
        cpus.update(range(int(first), int(last or first) + 1))
    return sorted(cpus)


def parse_mask(text: str) -> list[int]:
    """'1,0000000f', hexadecimal in groups of 32, to [0, 1, 2, 3, 32]; other text gives nothing."""
    if not re.fullmatch(r"[0-9a-fA-F,]+", text):
        return []
    mask = int(text.replace(",", "") or "0", 16)
    return [cpu for cpu in range(mask.bit_length()) if mask >> cpu & 1]


class _Tree:
    def __init__(self, root: Path) -> None:
        self._root = root

    def text(self, path: str) -> str:
        try:
            return (self._root / path).read_bytes()[: 1 << 20].decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def number(self, path: str) -> int | None:
        return _number(self.text(path))

    def cpus_of(self, mask: str, listed: str) -> list[int]:
        """Of the mask; where it is not there, of the list. Old kernels have masks alone."""
        return parse_mask(self.text(mask)) or parse_cpus(self.text(listed))

    def of_topology(self, cpu: int, *names: str) -> list[int]:
        """The first of these sets of the topology of a processor that the kernel has."""
        folder = f"sys/devices/system/cpu/cpu{cpu}/topology/"
        return next((cpus for name in names if (cpus := self.cpus_of(folder + name, f"{folder}{name}_list"))), [])

    def core_id(self, cpu: int) -> int | None:
        return self.number(f"sys/devices/system/cpu/cpu{cpu}/topology/core_id")

    def numbered(self, folder: str, prefix: str) -> list[int]:
        try:
            names = [path.name for path in (self._root / folder).iterdir()]
        except OSError:
            return []
        return sorted(int(name[len(prefix) :]) for name in names if re.fullmatch(prefix + r"\d{1,5}", name))

    def fields(self, path: str) -> dict[str, str]:
        """First value of every 'key : value' line."""
        fields: dict[str, str] = {}
        for line in self.text(path).splitlines():
            key, colon, value = line.partition(":")
            if colon:
                fields.setdefault(key.strip(), value.strip())
        return fields


def _number(text: str | None, base: int = 10) -> int | None:
    match = re.match(r"-?(0x)?[0-9a-fA-F]+" if base == 16 else r"-?\d+", text or "")
    return int(match[0], base) if match else None


def quick_node(root: str = "/", host: str | None = None) -> dict[str, Any]:
    """The node as an object. `root` may be a captured tree; `host` overrides the name there."""
    tree = _Tree(Path(root))
    status, memory, cpu = tree.fields("proc/self/status"), tree.fields("proc/meminfo"), tree.fields("proc/cpuinfo")
    online = parse_cpus(tree.text("sys/devices/system/cpu/online")) or [
        cpu for cpu in tree.numbered("sys/devices/system/cpu", "cpu")
        if tree.number(f"sys/devices/system/cpu/cpu{cpu}/online") != 0
    ]
    allowed = parse_cpus(status["Cpus_allowed_list"]) if "Cpus_allowed_list" in status else online
    numa = _numa(tree)
    flags = (cpu.get("flags") or cpu.get("Features") or "").split()
    return {
        "schema": "tenken.node/1",
        "source": "quick",
        "host": host or tree.text("proc/sys/kernel/hostname") or None,
        "date": None,
        "cpu": {
            "vendor": cpu.get("vendor_id"),
            "model_name": next((cpu[key] for key in _MODEL if cpu.get(key)), None),
            "family": _number(cpu.get("cpu family")),
            "model": _number(cpu.get("model")),
            "stepping": _number(cpu.get("stepping")),
            "implementer": _number(cpu.get("CPU implementer"), 16),
            "part": _number(cpu.get("CPU part"), 16),
            "design": _design(cpu),
            "parts": list(_arm_kinds(tree.text("proc/cpuinfo"))),
            "sve_bytes": tree.number("proc/sys/abi/sve_default_vector_length"),
            "flags": flags,
        },
        "topology": {
            "cores": _cores(tree, online, numa),
            "online": online,
            "usable": sorted(set(online) & set(allowed)),
            "kinds": [{"name": name, "cpus": cpus} for name, cpus in _kinds(tree).items()],
            "caches": _caches(tree, online),
            "numa": numa,
        },
        "memory": {
            "total_bytes": _kib(memory.get("MemTotal")),
            "available_bytes": least(_kib(memory.get("MemAvailable")), memory_left(tree)),
        },
        "os": {
            "kernel": tree.text("proc/sys/kernel/osrelease") or None,
            "hypervisor": "unnamed hypervisor" if "hypervisor" in flags else None,
        },
        "limits": {"memory_limit_bytes": memory_limit(tree)},
    }


def _design(cpu: Mapping[str, str]) -> str | None:
    """The name of a design where the kernel gives it apart from the model: RISC-V's uarch, else its vendor and architecture,
    the machine type of s390."""
    first = next((value for key, value in cpu.items() if re.fullmatch(r"processor \d+", key)), "")
    machine = re.search(r"\bmachine = (\w+)", first)
    if machine:
        return f"s390 machine {machine[1]}"
    numbers = [cpu[key] for key in ("mvendorid", "marchid") if cpu.get(key)]
    return cpu.get("uarch") or (" ".join(["risc-v", *numbers]) if numbers else None)


def _arm_kinds(cpuinfo: str) -> dict[str, list[int]]:
    """Processors of each kind of Arm core, "IMPLEMENTER:PART" in hexadecimal, in their order."""
    kinds: dict[str, list[int]] = {}
    last: dict[str, str] = {}
    for key, value in re.findall(r"^(processor|CPU implementer|CPU part)\s*:\s*(\S+)", cpuinfo, re.MULTILINE):
        last[key] = value
        if key == "CPU part" and "CPU implementer" in last:
            cpu = _number(last.get("processor"))
            kinds.setdefault(f"{last['CPU implementer']}:{value}", []).extend([] if cpu is None else [cpu])
    return kinds


def _kinds(tree: _Tree) -> dict[str, list[int]]:
    """Cores of several kinds in a node: as the kernel's counters name them, else by the parts of Arm."""
    named = {name: parse_cpus(tree.text(f"sys/devices/{name}/cpus")) for name in ("cpu_core", "cpu_atom")}
    if kinds := {name: cpus for name, cpus in named.items() if cpus}:
        return kinds
    arm = _arm_kinds(tree.text("proc/cpuinfo"))
    return arm if len(arm) > 1 else {}


def _numa(tree: _Tree) -> list[dict[str, Any]]:
    """None where two of them claim the same processor: such tables of the firmware are wrong."""
    folder = "sys/devices/system/node/node"
    nodes = {
        node: tree.cpus_of(f"{folder}{node}/cpumap", f"{folder}{node}/cpulist")
        for node in tree.numbered("sys/devices/system/node", "node")
    }
    claimed = [cpu for cpus in nodes.values() for cpu in cpus]
    return [] if len(claimed) > len(set(claimed)) else [{"id": node, "cpus": cpus} for node, cpus in nodes.items()]


def _packages(tree: _Tree, online: list[int]) -> dict[int, int]:
    """Numbers of packages by processor: the kernel's where they tell packages apart as the siblings do, else counted.

    POWER, SPARC and s390 have no numbers, and those of some large machines count anew on each board.
    """
    ids = {cpu: tree.number(f"sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id") for cpu in online}
    numbered = {cpu: number for cpu, number in ids.items() if number is not None and number >= 0}
    siblings = {cpu: tree.of_topology(cpu, "core_siblings", "package_cpus") for cpu in online}
    first = {cpu: cpus[0] for cpu, cpus in siblings.items() if cpus}
    firsts, both = sorted(set(first.values())), {(lowest, numbered.get(cpu)) for cpu, lowest in first.items()}
    if not first or (len(numbered) == len(online) and len(both) == len(firsts) == len({number for _, number in both})):
        return numbered
    return {cpu: firsts.index(lowest) for cpu, lowest in first.items()}


def _threads_of_core(tree: _Tree, cpu: int, online: set[int]) -> list[int]:
    """Siblings whose cores have different numbers, as in the modules of AMD's family 21, are no threads of the same core."""
    siblings = tree.of_topology(cpu, "thread_siblings", "core_cpus")
    own = [sibling for sibling in siblings if sibling in online and tree.core_id(sibling) == tree.core_id(cpu)]
    return own if cpu in own else [cpu]


def _kib(text: str | None) -> int | None:
    kib = _number(text)
    return None if kib is None else kib * 1024


def _cores(tree: _Tree, online: list[int], numa: list[dict[str, Any]]) -> list[dict[str, Any]]:
    home = {cpu: node["id"] for node in numa for cpu in node["cpus"]}
    package, all_online = _packages(tree, online), set(online)
    cores: list[dict[str, Any]] = []
    seen: set[int] = set()
    for cpu in online:
        if cpu in seen:
            continue
        cpus = _threads_of_core(tree, cpu, all_online)
        seen.update(cpus)
        core = {"package": package.get(cpu), "numa": home.get(cpu)}
        cores.append(core | {"id": tree.core_id(cpu), "cpus": cpus})
    return cores


def _caches(tree: _Tree, online: list[int]) -> list[dict[str, Any]]:
    distinct: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cpu in online:
        folder = f"sys/devices/system/cpu/cpu{cpu}/cache"
        for index in tree.numbered(folder, "index"):
            at = f"{folder}/index{index}/"
            level = tree.number(at + "level")
            if level is None:
                continue
            size = tree.text(at + "size")
            count = _number(size)
            factor = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(size[-1:], 1)
            cpus = tree.cpus_of(at + "shared_cpu_map", at + "shared_cpu_list")
            cpus = cpus or tree.of_topology(cpu, "thread_siblings") or [cpu]
            cache = {
                "level": level,
                "type": tree.text(at + "type") or "Unified",
                "bytes": None if count is None else count * factor,
                "line_bytes": tree.number(at + "coherency_line_size"),
                "ways": tree.number(at + "ways_of_associativity"),
                "cpus": cpus,
            }
            distinct.setdefault((level, cache["type"], tuple(cpus)), cache)
    return [distinct[key] for key in sorted(distinct)]


# The memory that control groups (versions 1 and 2) leave to this process, as cpp/base/control_group.cpp reads it.

_UNLIMITED = 1 << 60  # version 1 writes a number near 2^63


class Tree(Protocol):
    """Files of the node."""

    def text(self, path: str) -> str: ...
    def number(self, path: str) -> int | None: ...


def memory_limit(tree: Tree) -> int | None:
    """Bytes; the least limit of the groups of this process and of those above them, None where there is none."""
    return least(*(limit for _, limit, _, _ in _groups(tree)))


def memory_left(tree: Tree) -> int | None:
    """Bytes that those limits leave; files in the page cache give way."""
    left: list[int] = []
    for folder, limit, usage, reclaimable in _groups(tree):
        used = tree.number(f"{folder}/{usage}")
        if used is not None:
            left.append(min(max(limit - used + _statistic(tree, folder, reclaimable), 0), limit))
    return least(*left)


def least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


def _groups(tree: Tree) -> Iterator[tuple[str, int, str, str]]:
    """Folder, limit, and the names of usage and page cache, of every group with a limit."""
    paths = _paths(tree)
    for mount, group, names in (
        ("sys/fs/cgroup", paths.get("", "/"), ("memory.max", "memory.current", "inactive_file")),
        ("sys/fs/cgroup/memory", paths.get("memory", "/"),
         ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")),
    ):
        while True:
            folder = mount + (group if group != "/" else "")
            limit = tree.number(f"{folder}/{names[0]}")  # "max" is no number
            if limit is not None and limit < _UNLIMITED:
                yield folder, limit, names[1], names[2]
            if group == "/":
                break
            group = os.path.dirname(group)


def _paths(tree: Tree) -> dict[str, str]:
    """The group of this process by controller; "" stands for the unified hierarchy."""
    paths: dict[str, str] = {}
    for line in tree.text("proc/self/cgroup").splitlines():  # 4:cpu,cpuacct:/job_7
        words = line.split(":", 2)
        if len(words) == 3:
            for controller in words[1].split(","):
                paths.setdefault(controller, os.path.normpath("/" + words[2].lstrip("/")))
    return paths


def _statistic(tree: Tree, folder: str, name: str) -> int:
    for line in tree.text(f"{folder}/memory.stat").splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.isdigit():
            return int(value)
    return 0


# Reads the health counters of a node in a few milliseconds: memory errors, throttling, room in /tmp, clock source.

def health(root: Path = Path("/")) -> Health:
    """The health of this node, or of a captured tree."""
    controllers = sorted((root / "sys/devices/system/edac/mc").glob("mc[0-9]*"))
    cores = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/thermal_throttle/core_throttle_count")
    free, whole = _room(root / "tmp")
    return Health(
        correctable=_sum(controller / "ce_count" for controller in controllers),
        uncorrectable=_sum(controller / "ue_count" for controller in controllers),
        throttled=_sum(cores),
        tmp_free_bytes=free,
        tmp_bytes=whole,
        clock_source=_text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
    )


def stolen_s(root: Path = Path("/")) -> float:
    """Seconds since boot that other guests of the host took of a processor of this node, on average; 0 where not counted."""
    lines = (_text(root / "proc/stat") or "").splitlines()
    ticks = [line.split()[8] for line in lines if line.startswith("cpu") and len(line.split()) > 8]
    processors = len(ticks) - 1  # the first line is of all together
    return int(ticks[0]) / os.sysconf("SC_CLK_TCK") / processors if processors > 0 and ticks[0].isdigit() else 0.0


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def _sum(paths: Iterable[Path]) -> int | None:
    """Of all counters that can be read; None where there is none."""
    known = [int(text) for path in paths if (text := _text(path)) is not None and text.isdigit()]
    return sum(known) if known else None


def _room(path: Path) -> tuple[int | None, int | None]:
    try:
        status = os.statvfs(path)
    except OSError:
        return None, None
    return status.f_bavail * status.f_frsize, status.f_blocks * status.f_frsize
