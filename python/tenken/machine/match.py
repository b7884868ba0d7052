"""From the probe to the facts that the judge needs: which machine file, which core, which node class, which bands."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.words import plural, si
from tenken.machine.files import Core, Files, MachineFile, Rate
from tenken.model.machine import Band, Cache, Machine, Node
from tenken.model.record import Record

_GIB = 1 << 30


def choose(files: Files, hosts: Sequence[str], name: str | None = None) -> MachineFile | None:
    """The machine file called `name` (--machine, $TENKEN_MACHINE), else the file whose host patterns fit every host.

    None where no pattern fits: then the machine is as probed. TenkenError for an unknown name.
    """
    if name is not None:
        if name not in files.machines:
            near = difflib.get_close_matches(name, files.machines, n=3, cutoff=0.0)
            raise TenkenError(f"machine '{name}': no such machine file; nearest: {', '.join(near) or 'none at all'}")
        return files.machines[name]
    fitting = [machine for machine in files.machines.values() if hosts and all(_fits(host, machine) for host in hosts)]
    if len(fitting) > 1:
        names = ", ".join(f"{machine.name} ({machine.path})" for machine in fitting)
        raise TenkenError(f"host {hosts[0]} fits the machine files {names}; choose one with --machine")
    return fitting[0] if fitting else None


def _fits(host: str, machine: MachineFile) -> bool:
    return any(fnmatchcase(host, pattern) or fnmatchcase(host.split(".")[0], pattern) for pattern in machine.hosts)


def recognise(node: Mapping[str, Any], cores: Sequence[Core]) -> Core | None:
    """The entry of cores.toml that this node's usable cores are, None where none fits or they are of two kinds."""
    cpu = node.get("cpu") or {}
    topology = node.get("topology") or {}
    usable = set(topology.get("usable") or ())
    kinds = [kind["name"] for kind in topology.get("kinds") or () if usable & set(kind["cpus"])]
    if len(kinds) > 1 or (not kinds and len(cpu.get("parts") or ()) > 1):
        return None
    kind = kinds[0] if kinds else None
    if kind is not None and (arm := re.fullmatch(r"(0x[0-9a-f]+):(0x[0-9a-f]+)", kind)):
        cpu = {**cpu, "implementer": int(arm[1], 16), "part": int(arm[2], 16)}
    threads = max((len(core["cpus"]) for core in topology.get("cores") or () if usable & set(core["cpus"])), default=None)
    return next((core for core in cores if _is_core(core, cpu, kind, threads)), None)


def _is_core(core: Core, cpu: Mapping[str, Any], kind: str | None, threads: int | None) -> bool:
    exact = {"vendor": core.vendor, "family": core.family, "implementer": core.implementer}
    if any(wanted is not None and cpu.get(key) != wanted for key, wanted in exact.items()):
        return False
    if core.kind is not None and core.kind != kind:
        return False
    if core.pattern is not None and not re.search(core.pattern, cpu.get("model_name") or ""):
        return False
    return (
        _within(cpu.get("model"), core.models) and _within(cpu.get("stepping"), core.steppings)
        and _within(cpu.get("part"), core.parts) and _within(threads, core.threads)
    )


def _within(number: int | None, ranges: Sequence[tuple[int, int]]) -> bool:
    return not ranges or (number is not None and any(first <= number <= last for first, last in ranges))


def rate_of(core: Core, flags: Sequence[str]) -> Rate | None:
    """The peak that a core shows with these ISA flags: its first rate whose flags are all there."""
    return next((rate for rate in core.rates if set(rate.flags) <= set(flags)), None)


def memory_gib(memory_bytes: int) -> int:
    """Installed memory: the part that the kernel leaves, rounded to a quarter of the power of two below.

    The kernel takes 1 to 3 per cent for itself, more or less from boot to boot; modules come in such steps.
    """
    gib = memory_bytes / _GIB
    if gib < 1:
        return 0
    step = max(1, (1 << (int(gib).bit_length() - 1)) // 4)
    return round(gib / step) * step


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "unknown"


def _design(cpu: Mapping[str, Any]) -> str:
    """A word for a processor that cores.toml does not have: nodes of two designs never share a class.

    The model, else the parts of Arm, else the design (RISC-V, s390), else vendor, family and model numbers.
    """
    numbers = [cpu.get(key) for key in ("vendor", "family", "model")]
    parts = " ".join(["arm", *cpu["parts"]]) if cpu.get("parts") else ""
    known = " ".join(str(number) for number in numbers if number is not None)
    return _slug(cpu.get("model_name") or parts or cpu.get("design") or known)


def _node(raw: Mapping[str, Any], files: Files, machine: MachineFile | None, allocation: Mapping[str, Any]) -> Node:
    cpu, topology, memory = raw.get("cpu") or {}, raw.get("topology") or {}, raw.get("memory") or {}
    usable = set(topology.get("usable") or ())
    cores = [core for core in topology.get("cores") or () if usable & set(core["cpus"])]
    core = files.core(machine.core) if machine and machine.core else recognise(raw, files.cores)
    if machine and machine.core and core is None:
        raise TenkenError(f"{machine.path}: core '{machine.core}' is not in cores.toml; add it there with its source")
    rate = rate_of(core, cpu.get("flags") or ()) if core else None
    name = cpu.get("model_name") or "unknown"
    total = memory.get("total_bytes") or 0
    limit = (raw.get("limits") or {}).get("memory_limit_bytes")
    online = set(topology.get("online") or usable)
    whole = sum(1 for core in topology.get("cores") or () if online & set(core["cpus"]))  # a mask makes no other class
    rate_a_core, rate_source = memory_rate_a_core(machine, core, whole)
    probed_class = f"{core.name if core else _design(cpu)}-{whole}c-{memory_gib(total)}GiB"
    return Node(
        host=raw.get("host") or "unknown",
        node_class=(machine.node_class if machine else None) or probed_class,
        cpu=name,
        core=core.name if core else None,
        flop_per_cycle_double=rate.double if rate else None,
        flop_per_cycle_single=rate.single if rate else None,
        most_per_cycle_double=rate.most_double if rate else None,
        most_per_cycle_single=rate.most_single if rate else None,
        cores=len(cores),
        cpus=len(usable),
        memory_bytes=min(total, limit) if limit else total,
        l3_bytes=last_level_bytes(raw),
        memory_rate_spec=machine.memory_rate_spec if machine else None,
        numa_nodes=max(1, sum(1 for numa in topology.get("numa") or () if usable & set(numa["cpus"]))),
        sockets=max(1, len({core["package"] for core in cores})),
        virtual=(raw.get("os") or {}).get("hypervisor"),
        caches=data_caches(raw),
        granted_cpus=granted_cpus(allocation),
        additions_per_cycle=additions_per_cycle(raw),
        threads_of_cores=threads_of_cores(raw),
        exclusive=bool(machine and machine.exclusive) or exclusive_allocation(raw, allocation),
        memory_rate_a_core=rate_a_core,
        memory_rate_source=rate_source,
    )


def memory_rate_a_core(machine: MachineFile | None, core: Core | None, cores: int) -> tuple[float | None, str]:
    """A core's part of the memory rate of a node with `cores` cores, byte/s, and the source: machine file, else kind of core."""
    if machine and machine.memory_rate_spec is not None and cores:
        rate = machine.memory_rate_spec
        return rate / cores, f"{si(rate, 'B/s')} over {plural(cores, 'core')}: machine file"
    if core and core.memory_rate is not None:
        return core.memory_rate, f"{core.title}, {core.memory_why}"
    return None, ""


def data_caches(node: Mapping[str, Any]) -> tuple[Cache, ...]:
    """The levels of data caches that the usable CPUs reach, each as its largest cache."""
    topology = node.get("topology") or {}
    cores = topology.get("cores") or ()
    levels: dict[int, Cache] = {}
    for cache in topology.get("caches") or ():
        sharing = sum(1 for core in cores if set(core["cpus"]) & set(cache["cpus"]))
        if cache["type"] != "Instruction" and cache["bytes"] and sharing:
            data_cache = Cache(cache["level"], cache["bytes"], sharing)
            levels[data_cache.level] = max(levels.get(data_cache.level, data_cache), data_cache, key=lambda cache: cache.bytes)
    return tuple(levels[level] for level in sorted(levels))


def last_level_bytes(node: Mapping[str, Any]) -> int:
    """Sum of the distinct last-level caches that the usable CPUs reach; 0 where the system tells of none."""
    topology = node.get("topology") or {}
    usable = set(topology.get("usable") or ())
    data = [c for c in topology.get("caches") or () if c["type"] != "Instruction" and usable & set(c["cpus"])]
    last = max((cache["level"] for cache in data), default=0)
    return sum(cache["bytes"] or 0 for cache in data if cache["level"] == last)


def exclusive_allocation(node: Mapping[str, Any], allocation: Mapping[str, Any]) -> bool:
    """Whether the scheduler gave this job whole nodes: it says so, or it gave as many CPUs a node as there are."""
    if allocation.get("oversubscribe") == "NO":  # Slurm's word for --exclusive
        return True
    granted = granted_cpus(allocation)
    online = len((node.get("topology") or {}).get("online") or ())
    return granted is not None and 0 < online <= granted


def granted_cpus(allocation: Mapping[str, Any]) -> int | None:
    """Hardware threads that the scheduler gave this job on every node, the fewest of any ("72(x3),36"); None if untold."""
    per_node = [int(n) for n in re.findall(r"(\d+)(?:\(x\d+\))?", allocation.get("cpus_per_node") or "")]
    return min(per_node, default=None)


def facts(machine_json: Mapping[str, Any], files: Files, machine: MachineFile | None = None) -> Machine:
    """The machine as the judge and the plan see it. `machine` is the choice of `choose`."""
    allocation = machine_json.get("allocation") or {}
    nodes = tuple(_node(raw, files, machine, allocation) for raw in machine_json["nodes"])
    if not nodes:
        raise TenkenError("machine.json: no node in it; probe at least one")
    return Machine(machine.name if machine else nodes[0].host, nodes, files.devices)


def bands(files: Files, machine: Machine) -> tuple[Band, ...]:
    """Absolute bands for the classes of this machine; a band of a class hides a band of "*" for the same metric."""
    classes = {node.node_class for node in machine.nodes}
    chosen: dict[str, Band] = {}
    for band in sorted(files.bands, key=lambda band: band.node_class == "*"):
        if band.node_class == "*" or band.node_class in classes:
            chosen.setdefault(band.metric, band)
    return tuple(chosen.values())


# Additions of a core in a cycle while a single hardware thread works on it, and the threads of each core.

HIGH = 0.95  # quantile: an interrupt makes a few samples more than a core can do


def with_additions(machine: Machine, records: Iterable[Record]) -> Machine:
    """`machine`, its cores as they were at their best while probed or in any launch: few are shared all the time."""
    by_host: dict[str, list[float]] = {}  # by host as ranks name it: looking for a node is no work of every rank
    for record in records:
        for rank in record.rank:
            if rank.trust.additions_per_cycle:
                by_host.setdefault(rank.host, []).extend(rank.trust.additions_per_cycle)
    samples: dict[str, list[float]] = {}
    for host, some in by_host.items():
        samples.setdefault(machine.node(host).host, []).extend(some)
    best = {host: sorted(some)[int(HIGH * (len(some) - 1))] for host, some in samples.items()}
    return replace(machine, nodes=tuple(
        replace(node, additions_per_cycle=max(node.additions_per_cycle, best.get(node.host, 0.0)))
        if node.additions_per_cycle is not None else node
        for node in machine.nodes
    ))


def additions_per_cycle(node: Mapping[str, Any]) -> float | None:
    """Of the core that had most of itself while it was probed; None where cores are of several kinds or it was not probed."""
    measured = (node.get("frequency") or {}).get("measured") or ()
    rates = [launch["additions_per_cycle"] for launch in measured if launch.get("additions_per_cycle")]
    one_kind = len((node.get("topology") or {}).get("kinds") or ()) < 2
    return max(rates) if rates and one_kind else None


def threads_of_cores(node: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """The CPUs of each core that has several hardware threads."""
    cores = (node.get("topology") or {}).get("cores") or ()
    return _same(tuple(tuple(core["cpus"]) for core in cores if len(core["cpus"]) > 1))


@functools.cache
def _same(threads: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Ten thousand nodes of a kind share an object."""
    return threads
