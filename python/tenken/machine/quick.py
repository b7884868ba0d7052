"""What this node is, read in Python from /sys and /proc: enough to plan before anything is built. Measures nothing.

The same keys as tenken-probe writes (schema/machine.schema.json), fewer of them, with "source": "quick".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tenken.machine.control_group import least, memory_left, memory_limit


# The model, by what kernels of different processors call it.
_MODEL = ("model name", "Model Name", "cpu model", "cpu", "Processor")


def parse_cpus(text: str) -> list[int]:
    """'0-3,8' to [0, 1, 2, 3, 8]; what is no such list gives nothing."""
    cpus: set[int] = set()
    for first, last in re.findall(r"(\d{1,5})(?:-(\d{1,5}))?", text):
        cpus.update(range(int(first), int(last or first) + 1))
    return sorted(cpus)


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

    def numbered(self, folder: str, prefix: str) -> list[int]:
        try:
            names = [path.name for path in (self._root / folder).iterdir()]
        except OSError:
            return []
        return sorted(int(name[len(prefix) :]) for name in names if re.fullmatch(prefix + r"\d{1,5}", name))

    def told(self, path: str) -> dict[str, str]:
        """First value of every 'key : value' line."""
        told: dict[str, str] = {}
        for line in self.text(path).splitlines():
            key, colon, value = line.partition(":")
            if colon:
                told.setdefault(key.strip(), value.strip())
        return told


def _number(text: str | None, base: int = 10) -> int | None:
    match = re.match(r"-?(0x)?[0-9a-fA-F]+" if base == 16 else r"-?\d+", text or "")
    return int(match[0], base) if match else None


def quick_node(root: str = "/", host: str | None = None) -> dict[str, Any]:
    """The node as one object. `root` may be a captured tree; `host` overrides the name found there."""
    tree = _Tree(Path(root))
    status, memory, cpu = tree.told("proc/self/status"), tree.told("proc/meminfo"), tree.told("proc/cpuinfo")
    online = parse_cpus(tree.text("sys/devices/system/cpu/online")) or tree.numbered("sys/devices/system/cpu", "cpu")
    allowed = parse_cpus(status["Cpus_allowed_list"]) if "Cpus_allowed_list" in status else online
    numa = [
        {"id": node, "cpus": parse_cpus(tree.text(f"sys/devices/system/node/node{node}/cpulist"))}
        for node in tree.numbered("sys/devices/system/node", "node")
    ]
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
            "parts": _arm_parts(tree.text("proc/cpuinfo") or ""),
            "flags": flags,
        },
        "topology": {
            "cores": _cores(tree, online, numa),
            "online": online,
            "usable": sorted(set(online) & set(allowed)),
            "kinds": [
                {"name": kind, "cpus": cpus}
                for kind in ("cpu_core", "cpu_atom")
                if (cpus := parse_cpus(tree.text(f"sys/devices/{kind}/cpus")))
            ],
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
    """The name of a design where the kernel gives one apart from the model: RISC-V's uarch, the machine type of s390."""
    machine = re.search(r"\bmachine = (\w+)", cpu.get("processor 0", ""))
    return cpu.get("uarch") or (f"s390 machine {machine[1]}" if machine else None)


def _arm_parts(cpuinfo: str) -> list[str]:
    """"IMPLEMENTER:PART" of each kind of Arm core, in hexadecimal, in the order of the processors."""
    found = re.findall(r"^CPU implementer\s*:\s*(\S+)$(?:\n.+)*?\nCPU part\s*:\s*(\S+)$", cpuinfo, re.MULTILINE)
    return list(dict.fromkeys(f"{implementer}:{part}" for implementer, part in found))


def _kib(text: str | None) -> int | None:
    kib = _number(text)
    return None if kib is None else kib * 1024


def _cores(tree: _Tree, online: list[int], numa: list[dict[str, Any]]) -> list[dict[str, Any]]:
    home = {cpu: node["id"] for node in numa for cpu in node["cpus"]}
    cores: list[dict[str, Any]] = []
    seen: set[int] = set()
    for cpu in online:
        if cpu in seen:
            continue
        folder = f"sys/devices/system/cpu/cpu{cpu}/topology/"
        siblings = parse_cpus(tree.text(folder + "thread_siblings_list"))
        cpus = siblings if cpu in siblings else [cpu]
        seen.update(cpus)
        core = {"package": tree.number(folder + "physical_package_id"), "numa": home.get(cpu)}
        cores.append(core | {"id": tree.number(folder + "core_id"), "cpus": cpus})
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
            cpus = parse_cpus(tree.text(at + "shared_cpu_list")) or [cpu]
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
