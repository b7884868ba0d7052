"""The facts of an environment that can change a figure, out of machine.json and the environment of a run.

A fact is a string, or a sorted list of strings where it is a set (cards, modules); a fact that a node lacks is left out,
so that a missing fact is never taken for a change. `CLASSES` says which classes of metrics a fact can move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tenken.machine.match import memory_gib
from tenken.model.baseline import Difference, Sitting
from tenken.model.limits import METRIC_CLASSES

Fact = str | list[str]
Facts = dict[str, Fact]
Json = Mapping[str, Any]

_ALL = tuple(METRIC_CLASSES)
_CORE = ("compute", "memory", "latency")
_NETWORK = ("latency", "bandwidth")

# Words of the kernel's command line that name a node or its disk, and differ between nodes that are alike.
_IDENTITY = (
    "BOOTIF", "BOOT_IMAGE", "hostname", "initrd", "ip", "nfsroot", "resume", "root", "rootfs", "systemd.hostname", "uuid",
)


def node_facts(node: Json) -> Facts:
    """The facts of a node of machine.json."""
    return _facts_of(node, _NODE)


def run_facts(software: Json, environment: Json) -> Facts:
    """The facts that all nodes of a run share: "software" of machine.json and "environment" of run.json."""
    return _facts_of({"software": software, "environment": environment}, _RUN)


def environment_of(machine_json: Json, environment: Json, hosts: Collection[str]) -> dict[str, Any]:
    """{facts, exceptions} of the nodes called `hosts` (all where none fits), as a sitting records it.

    `facts`: of most nodes; `exceptions`: by host, the differing facts of that node ("" where it gives none).
    """
    short = {host.split(".")[0] for host in hosts}
    nodes = [node for node in machine_json["nodes"] if (node.get("host") or "").split(".")[0] in short]
    by_host = {node.get("host") or "unknown": node_facts(node) for node in nodes or machine_json["nodes"]}
    shared = most_common(by_host)
    exceptions = {host: _unlike(facts, shared) for host, facts in sorted(by_host.items())}
    return {
        "facts": {**shared, **run_facts(machine_json.get("software") or {}, environment)},
        "exceptions": {host: facts for host, facts in exceptions.items() if facts},
    }


def most_common(by_host: Mapping[str, Facts]) -> Facts:
    """For each fact that any node tells, the value that most of them have; of equals the first host's."""
    shared: Facts = {}
    for name in (name for name in CLASSES if any(name in facts for facts in by_host.values())):
        values = [facts[name] for _, facts in sorted(by_host.items()) if name in facts]
        shared[name] = max(values, key=values.count)
    return shared


def _unlike(facts: Facts, shared: Facts) -> Facts:
    return {name: value for name, value in facts.items() if value != shared[name]}


def _facts_of(source: Json, table: Mapping[str, tuple[tuple[str, ...], Callable[[Json], Any]]]) -> Facts:
    facts: Facts = {}
    for name, (_, read) in table.items():
        value = read(source)
        if isinstance(value, (list, tuple, set)):
            facts[name] = sorted(str(part) for part in value)
        elif value not in (None, "", {}):
            facts[name] = str(value)
    return facts


def _at(*path: str) -> Callable[[Json], Any]:
    def read(source: Json) -> Any:
        value: Any = source
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    return read


def _or_none(*path: str) -> Callable[[Json], str | None]:
    """As `_at`, with "none" where the source says that there is nothing: it looked."""

    def read(source: Json) -> str | None:
        parent = _at(*path[:-1])(source)
        known = isinstance(parent, Mapping) and path[-1] in parent
        return str(parent[path[-1]] or "none") if known else None

    return read


def _joined(*paths: tuple[str, ...]) -> Callable[[Json], str]:
    return lambda source: " ".join(str(value) for path in paths if (value := _at(*path)(source)) is not None)


def _names(*path: str) -> Callable[[Json], str | None]:
    """The distinct values of {value: number of CPUs}: how many CPUs are online is another fact."""
    return lambda source: " and ".join(sorted(_at(*path)(source) or ())) or None


def _command_line(node: Json) -> list[str] | None:
    text = _at("os", "command_line")(node)
    return None if text is None else [word for word in text.split() if word.split("=")[0] not in _IDENTITY]


def _pairs(*path: str) -> Callable[[Json], list[str] | None]:
    def read(source: Json) -> list[str] | None:
        table = _at(*path)(source)
        pairs = None if table is None else {key: value for key, value in table.items() if value is not None}
        return None if pairs is None else [f"{key}={value}" for key, value in pairs.items() if value != "Not affected"]

    return read


def _threads(node: Json) -> str | None:
    topology = node.get("topology") or {}
    usable = set(topology.get("usable") or ())
    cores = [core for core in topology.get("cores") or () if usable & set(core["cpus"])]
    return f"{len(cores)} cores, {len(usable)} hardware threads" if usable else None


def _memory(node: Json) -> str | None:
    total = _at("memory", "total_bytes")(node)
    parts = [numa_node.get("memory_bytes") for numa_node in _at("topology", "numa")(node) or ()]
    split = f" in {len(parts)} NUMA nodes" if len(parts) > 1 else ""
    sizes = {memory_gib(size) for size in parts if size}
    uneven = f" ({' '.join(f'{size}' for size in sorted(sizes))} GiB)" if len(sizes) > 1 else ""
    return f"{memory_gib(total)} GiB{split}{uneven}" if total else None


def _huge_pages(node: Json) -> list[str] | None:
    pools = _at("memory", "huge_pages")(node)
    return None if pools is None else [
        f"{pool['total']} of {pool['page_bytes'] >> 10} KiB" for pool in pools if pool.get("total")
    ]


def _network(node: Json) -> list[str] | None:
    cards = node.get("network")
    return None if cards is None else [_card(card, "name", "port", "board", "firmware", "driver", "driver_version", "state",
                                             rate=card.get("bits_per_second")) for card in cards if not card.get("virtual")]


def _gpus(node: Json) -> list[str] | None:
    cards = node.get("gpus")
    return None if cards is None else [_card(card, "pci", "vendor", "name", "driver", "driver_version") for card in cards]


def _pci(node: Json) -> list[str] | None:
    cards = node.get("cards")
    return None if cards is None else [_card(card, "pci", "id", "revision", "driver", "driver_version") for card in cards]


def _card(card: Json, *keys: str, rate: float | None = None) -> str:
    words = [str(card[key]) for key in keys if card.get(key) is not None]
    words += [f"{rate / 1e9:g} Gbit/s"] if rate else []
    link = card.get("pcie") or {}
    if link.get("width"):  # not the speed: idle cards lower it
        words.append(f"PCIe x{link['width']}")
    return " ".join(words)


def _quota(node: Json) -> str | None:
    limits = node.get("limits") or {}
    if "cpu_quota_cores" not in limits:
        return None
    return "none" if limits["cpu_quota_cores"] is None else f"{limits['cpu_quota_cores']:g} cores"


def _limit(name: str) -> Callable[[Json], str | None]:
    def read(node: Json) -> str | None:
        limits = node.get("limits") or {}
        if name not in limits:
            return None
        value = limits[name]
        return "none" if value is None or value < 0 else f"{value / (1 << 20):.6g} MiB"

    return read


def _frequency(name: str) -> Callable[[Json], str | None]:
    def read(node: Json) -> str | None:
        value = _at("frequency", name)(node)
        return None if value is None else f"{value / 1e9:.4g} GHz"

    return read


def _cpu(node: Json) -> str | None:
    cpu = node.get("cpu") or {}
    stepping = cpu.get("stepping")
    return None if not cpu.get("model_name") else cpu["model_name"] + ("" if stepping is None else f" stepping {stepping}")


def _blas(source: Json) -> str | None:
    return next(iter((_at("software", "blas")(source) or {}).values()), None)


_NODE: dict[str, tuple[tuple[str, ...], Callable[[Json], Any]]] = {
    "kernel": (_ALL, _at("os", "kernel")),
    "kernel command line": (_ALL, _command_line),
    "operating system": (_ALL, _at("os", "name")),
    "hypervisor": (_ALL, _or_none("os", "hypervisor")),
    "container": (_ALL, _or_none("os", "container")),
    "board": (_ALL, _joined(("firmware", "sys_vendor"), ("firmware", "product_name"), ("firmware", "board_name"))),
    "bios": (_ALL, _joined(("firmware", "bios_vendor"), ("firmware", "bios_version"), ("firmware", "bios_date"))),
    "microcode": (_CORE, _at("cpu", "microcode")),
    "processor": (_CORE, _cpu),
    "cores": (_CORE, _threads),
    "SMT": (_CORE, _at("topology", "smt")),
    "governor": (_CORE, _names("frequency", "governors")),
    "frequency driver": (_CORE, _names("frequency", "drivers")),
    "energy preference": (_CORE, _names("frequency", "energy_preferences")),
    "boost": (_CORE, _at("frequency", "boost")),
    "frequency limit": (_CORE, _frequency("limit_hz")),
    "idle driver": (_CORE, _at("frequency", "idle_driver")),
    "isolated cores": (("compute", "latency"), _at("os", "isolated")),
    "memory": (("memory", "compute"), _memory),
    "transparent huge pages": (("memory", "compute"), _at("memory", "transparent_huge_pages", "enabled")),
    "huge page defragmentation": (("memory",), _at("memory", "transparent_huge_pages", "defrag")),
    "huge page pools": (("memory",), _huge_pages),
    "NUMA balancing": (("memory", "compute"), _at("os", "numa_balancing")),
    "mitigations": (("latency", "bandwidth", "io"), _pairs("os", "mitigations")),
    "clock source": (("latency",), _at("os", "clock_source")),
    "CPU quota": (_ALL, _quota),
    "memory limit": (("memory", "io"), _limit("memory_limit_bytes")),
    "locked memory limit": (_NETWORK, _limit("locked_memory_bytes")),
    "network cards": (_NETWORK, _network),
    "GPUs": (("compute", "memory", "bandwidth"), _gpus),
    "PCI cards": (("latency", "bandwidth", "io"), _pci),
}
_RUN: dict[str, tuple[tuple[str, ...], Callable[[Json], Any]]] = {
    "compiler": (("compute", "memory"), _at("environment", "compiler")),
    "flags": (("compute", "memory"), _or_none("environment", "flags")),
    "instruction set": (("compute", "memory"), _at("environment", "isa")),
    "MPI": (_NETWORK, _at("environment", "mpi")),
    "BLAS": (("compute",), _blas),
    "variables of the environment": (_ALL, _pairs("environment", "variables")),
    "modules of the environment": (_ALL, _at("environment", "modules")),
    "launcher": (_NETWORK, _at("environment", "launcher")),
    "libraries": (_ALL, _pairs("environment", "libraries")),
    "C library": (_CORE, _at("software", "libc")),
    "modules": (_ALL, _at("software", "modules")),
    "variables": (_ALL, _pairs("software", "variables")),
}
# Fact -> classes of metrics that it can move.
CLASSES: dict[str, tuple[str, ...]] = {name: classes for name, (classes, _) in {**_NODE, **_RUN}.items()}


# Differences between this run and accepted sittings, and between the nodes of a run. Pure functions.

_ALL_CLASSES = tuple(METRIC_CLASSES)


def against(sittings: Sequence[Sitting], environment: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Differences of `environment` ({facts, exceptions}) from the last of `sittings` (oldest first).

    `new` is False where an older sitting had it as it is now. Facts that a side lacks are not compared.
    """
    if not sittings:
        return ()
    last = sittings[-1]
    differences = between(last.environment, environment, last.id)
    return tuple(
        replace(difference, new=not any(_had(sitting.environment, environment, difference) for sitting in sittings[:-1]))
        for difference in differences
    )


def between(before: Mapping[str, Any], now: Mapping[str, Any], against: str) -> tuple[Difference, ...]:
    """Facts of most nodes first, then new facts of single nodes."""
    was, is_ = before["facts"], now["facts"]
    differences = [
        _difference(name, was[name], is_[name], (), against) for name in is_ if name in was and was[name] != is_[name]
    ]
    odd: list[Difference] = []
    for host, facts in now["exceptions"].items():
        for name, value in facts.items():
            if name in was and before["exceptions"].get(host, {}).get(name, was[name]) != value:
                odd.append(_difference(name, was[name], value, (host,), against))
    return tuple(differences) + _grouped(odd)


def within(machine_json: Mapping[str, Any], node_class: Mapping[str, str]) -> tuple[Difference, ...]:
    """Differences of single nodes from most nodes of their class; `node_class` is by host."""
    groups: dict[str, dict[str, Facts]] = {}
    for node in machine_json["nodes"]:
        host = node.get("host") or "unknown"
        groups.setdefault(node_class.get(host, ""), {})[host] = node_facts(node)
    differences: list[Difference] = []
    for by_host in groups.values():
        shared = most_common(by_host)
        for host, facts in sorted(by_host.items()):
            for name, value in facts.items():
                if value != shared[name]:
                    alike = sum(other.get(name) == shared[name] for other in by_host.values())
                    others = f"{alike} other node{'s' if alike > 1 else ''}"
                    differences.append(_difference(name, shared[name], value, (host,), others))
    return _grouped(differences)


def classes_of(fact: str) -> tuple[str, ...]:
    """Classes of metrics that a fact can move: all where it is a fact of another version of Tenken."""
    return CLASSES.get(fact, _ALL_CLASSES)


def _difference(name: str, before: Fact, now: Fact, hosts: tuple[str, ...], against: str) -> Difference:
    if isinstance(before, list) and isinstance(now, list):
        gone, come = (", ".join(part for part in a if part not in b) for a, b in ((before, now), (now, before)))
        return Difference(name, gone, come, hosts, against, classes_of(name))
    return Difference(name, _text(before), _text(now), hosts, against, classes_of(name))


def _text(value: Fact) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _grouped(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Nodes that differ in the same way are named together."""
    groups: dict[Difference, list[str]] = {}
    for difference in differences:
        groups.setdefault(replace(difference, hosts=()), []).extend(difference.hosts)
    return tuple(replace(difference, hosts=tuple(hosts)) for difference, hosts in groups.items())


def _had(older: Mapping[str, Any], now: Mapping[str, Any], difference: Difference) -> bool:
    """Whether an older sitting had the fact of `difference` as it is now."""
    facts = now["exceptions"].get(difference.hosts[0], {}) if difference.hosts else now["facts"]
    value = facts.get(difference.fact)
    return older["facts"].get(difference.fact) == value or any(
        each.get(difference.fact) == value for each in older["exceptions"].values()
    )
