"""The machine on one terminal screen: its parts, its highest rates, and whether timings can be trusted now."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tenken.base import units
from tenken.model.machine import Machine, Node
from tenken.report.machine_trust import doubts

WIDTH, HEIGHT = 100, 24
_INDENT = 11
_DOT = " · "


def clean(text: object) -> str:
    """Text from a machine made fit for a line of a terminal: control characters become '?'."""
    return "".join(c if c.isprintable() else "?" for c in str(text))


def size(bytes_: float | None) -> str:
    return "unknown" if bytes_ is None else units.brief_size(bytes_)


def screen(machine_json: Mapping[str, Any], machine: Machine) -> str:
    """At most 24 lines of at most 100 columns; details are those of the first node."""
    raw, node = machine_json["nodes"][0], machine.nodes[0]
    software, allocation = machine_json.get("software") or {}, machine_json.get("allocation") or {}
    lines = [
        _line("machine", _title(machine_json, machine)),
        _line("processor", _processor(raw)),
        _line("topology", _topology(raw, node)),
        _line("clock", _clock(raw)),
        _line("peak", peak(raw, node)),
        _line("caches", _caches(raw)),
        _line("memory", _memory(raw, node)),
        _line("pages", _pages(raw)),
        *_few("network", [_network(card) for card in raw.get("network") or ()], 3),
        *_few("gpus", [_gpu(name, count) for name, count in _gpus(raw).items()], 2),
        _line("firmware", _firmware(raw)),
        _line("errors", _errors(raw)),
        *_events(raw),
        _line("system", _system(raw)),
        _line("compilers", _versions(software.get("compilers"))),
        _line("mpi", _versions(software.get("mpi"))),
        _line("blas", _DOT.join(path.rsplit("/", 1)[-1] for path in (software.get("blas") or {}).values())),
        _line("modules", ", ".join(software.get("modules") or ()) or "none"),
        _line("scheduler", _scheduler(allocation)),
    ]
    return "\n".join(lines + _trust(raw, HEIGHT - len(lines))) + "\n"


def _line(title: str, text: str) -> str:
    line = f"{title:<{_INDENT}}{clean(text) or 'unknown'}"
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _few(title: str, texts: Sequence[str], most: int) -> list[str]:
    if not texts:
        return [_line(title, "none seen")]
    shown = list(texts[:most])
    if len(texts) > most:
        shown[-1] += f"{_DOT}and {len(texts) - most} more"
    return [_line(title if number == 0 else "", text) for number, text in enumerate(shown)]


def _joined(*parts: tuple[str, object]) -> str:
    """'title value' for every part that is known."""
    return _DOT.join(f"{title} {value}".strip() for title, value in parts if value not in (None, ""))


def _title(machine_json: Mapping[str, Any], machine: Machine) -> str:
    classes = Counter(node.node_class for node in machine.nodes)
    nodes = ", ".join(f"{count} of class {name}" for name, count in classes.most_common())
    count = len(machine.nodes)
    return _DOT.join((machine.name, f"{count} node{'s'[: count > 1]}: {nodes}", machine_json["date"]))


def _sve(cpu: Mapping[str, Any]) -> str:
    """With the length of vectors that programs start with, where the kernel tells it."""
    return f"SVE of {8 * cpu['sve_bytes']} bits" if cpu.get("sve_bytes") else "SVE"


def _processor(raw: Mapping[str, Any]) -> str:
    cpu = raw.get("cpu") or {}
    flags = set(cpu.get("flags") or ())
    isa = [name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("fma", "FMA"), ("amx_tile", "AMX"),
                                   ("sve", _sve(cpu)), ("asimd", "NEON")) if flag in flags]  # fmt: skip
    return _joined(
        ("", cpu.get("model_name")),
        ("", " ".join(isa)),
        ("microcode", cpu.get("microcode")),
        ("family", cpu.get("family")),
        ("model", cpu.get("model")),
        ("stepping", cpu.get("stepping")),
    )


def _topology(raw: Mapping[str, Any], node: Node) -> str:
    topology = raw.get("topology") or {}
    threads = sorted({len(core["cpus"]) for core in topology.get("cores") or ()})
    packages = "package" if node.sockets == 1 else "packages"
    return (
        f"{node.sockets} {packages} x {node.cores / node.sockets:g} cores"
        f" x {_slashed(threads)} thread{'s'[: threads != [1]]}"
        f"{_DOT}{node.numa_nodes} NUMA node{'s'[: node.numa_nodes > 1]}"
        f"{_DOT}{node.cpus} of {len(topology.get('online') or ())} CPUs usable"
    )


def _ghz(hz: float | None) -> str | None:
    return None if not hz else f"{hz / 1e9:.2f} GHz"


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def measured_hz(raw: Mapping[str, Any]) -> float | None:
    """Median over cores of the frequency measured with all of them busy."""
    best = [core["best_hz"] for core in (raw.get("frequency") or {}).get("measured") or () if core.get("best_hz")]
    return _median(best) if best else None


def _clock(raw: Mapping[str, Any]) -> str:
    frequency = raw.get("frequency") or {}
    best = [core["best_hz"] for core in frequency.get("measured") or () if core.get("best_hz")]
    measured = ""
    if best:
        measured = f"{min(best) / 1e9:.2f} to {max(best) / 1e9:.2f} GHz measured, all {len(best)} cores busy"
    boost = "" if frequency.get("boost") is None else "on" if frequency["boost"] else "off"
    return _joined(
        ("", measured or "not measured"),
        ("nominal", _ghz(frequency.get("nominal_hz") or frequency.get("base_hz"))),
        ("max", _ghz(frequency.get("max_hz"))),
        ("governor", ", ".join(frequency.get("governors") or ()) or "unknown"),
        ("driver", ", ".join(frequency.get("drivers") or ())),
        ("boost", boost),
    )


def peak(raw: Mapping[str, Any], node: Node) -> str:
    """'16 flop/cycle x 3.67 GHz (measured) x 2 cores = 117.4 GFLOP/s double, 234.9 single', or why there is none."""
    if node.flop_per_cycle_double is None:
        return "unknown: this core is not in machines/cores.toml; its flop per cycle must come with a source"
    hz, how = measured_hz(raw), "measured"
    if hz is None:
        frequency = raw.get("frequency") or {}
        hz, how = frequency.get("nominal_hz") or frequency.get("base_hz"), "nominal, not measured"
    if hz is None:
        return f"{node.flop_per_cycle_double:g} flop/cycle x unknown frequency x {node.cores} cores"
    gflops = node.flop_per_cycle_double * hz * node.cores / 1e9
    single = (node.flop_per_cycle_single or 0) * hz * node.cores / 1e9
    return (
        f"{node.flop_per_cycle_double:g} flop/cycle x {hz / 1e9:.3g} GHz ({how}) x {node.cores} cores"
        f" = {gflops:.4g} GFLOP/s double, {single:.4g} single"
    )


def _slashed(values: Sequence[object]) -> str:
    return "/".join(map(str, values)) or "unknown"


def _caches(raw: Mapping[str, Any]) -> str:
    topology = raw.get("topology") or {}
    kinds: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for cache in topology.get("caches") or ():
        kinds.setdefault((cache["level"], cache["type"]), []).append(cache)
    own, shared = [], []
    for (level, kind), caches in sorted(kinds.items()):
        name = f"L{level}" + {"Data": "d", "Instruction": "i"}.get(kind, "")
        sizes = _slashed(sorted({size(cache["bytes"]) for cache in caches}))
        if len(caches) == len(topology["cores"]):
            own.append(f"{name} {sizes}")
        else:
            cpus = _slashed(sorted({len(cache["cpus"]) for cache in caches}))
            shared.append(f"{name} {len(caches)} x {sizes}, each for {cpus} CPUs")
    return _DOT.join([f"each core {', '.join(own)}"] * bool(own) + shared)


def _memory(raw: Mapping[str, Any], node: Node) -> str:
    memory, limits = raw.get("memory") or {}, raw.get("limits") or {}
    rate = node.memory_rate_spec
    return _joined(
        ("", f"{size(memory.get('total_bytes'))} total, {size(memory.get('available_bytes'))} available"),
        ("limit", size(limits["memory_limit_bytes"]) if limits.get("memory_limit_bytes") else None),
        ("specified bandwidth", f"{rate / 1e9:.4g} GB/s" if rate else None),
        ("swap", size(memory["swap_bytes"]) if memory.get("swap_bytes") else None),
    )


def _pages(raw: Mapping[str, Any]) -> str:
    memory = raw.get("memory") or {}
    transparent = memory.get("transparent_huge_pages") or {}
    pools = [
        f"{pool['free']} of {pool['total']} x {size(pool['page_bytes'])} free"
        for pool in memory.get("huge_pages") or ()
        if pool["total"]
    ]
    return _joined(
        ("", size(memory.get("page_bytes"))),
        ("", f"transparent {size(transparent.get('page_bytes'))}: {transparent.get('enabled') or 'unknown'}"),
        ("reserved", ", ".join(pools) or "none"),
    )


def _network(card: Mapping[str, Any]) -> str:
    rate, port = card.get("bits_per_second"), card.get("port")
    return _joined(
        ("", f"{card['name']}{'' if port is None else f' port {port}'}"),
        ("", card.get("protocol")),
        ("", f"{rate / 1e9:g} Gbit/s" if rate else "rate unknown"),
        ("", card.get("width")),
        ("", card.get("state")),
        ("NUMA", card.get("numa")),
        ("", card.get("driver")),
        ("", card.get("firmware")),
    )


def _gpus(raw: Mapping[str, Any]) -> Counter[str]:
    return Counter(
        _joined(
            ("", gpu.get("name") or f"{gpu['vendor']} card"),
            ("", size(gpu["memory_bytes"]) if gpu.get("memory_bytes") else None),
            ("driver", gpu.get("driver_version")),
        )
        for gpu in raw.get("gpus") or ()
    )


def _gpu(name: str, count: int) -> str:
    return f"{count} x {name}"


def _firmware(raw: Mapping[str, Any]) -> str:
    firmware = raw.get("firmware") or {}
    names = ("sys_vendor", "product_name", "device_tree", "bios_vendor", "bios_version", "bios_date")
    return _joined(*((("BIOS" if name == "bios_vendor" else ""), firmware.get(name)) for name in names))


def _errors(raw: Mapping[str, Any]) -> str:
    counters = raw.get("counters") or {}
    controllers = counters.get("memory_controllers") or ()
    corrected = sum(c.get("corrected") or 0 for c in controllers)
    uncorrected = sum(c.get("uncorrected") or 0 for c in controllers)
    ecc = f"{corrected} corrected, {uncorrected} uncorrected" if controllers else "not readable"
    readable = counters.get("throttle_counters")
    throttled = f"{len(counters.get('throttled') or ())} of {readable} CPUs" if readable else "not readable"
    return _joined(("memory", ecc), ("throttled", throttled))


def _events(raw: Mapping[str, Any]) -> list[str]:
    """Whether instructions can be counted; no line where the probe did not try."""
    problem = (raw.get("counters") or {}).get("events_problem")
    return [] if problem is None else [_line("counters", problem or "instructions and misses can be counted")]


def _system(raw: Mapping[str, Any]) -> str:
    os_ = raw.get("os") or {}
    mitigations = os_.get("mitigations") or {}
    active = sum(1 for text in mitigations.values() if text and text.startswith("Mitigation"))
    return _joined(
        ("", os_.get("name")),
        ("", os_.get("hypervisor") and f"virtual ({os_['hypervisor']})"),
        ("container", os_.get("container")),
        ("mitigations", f"{active} active" if mitigations else None),
        ("Linux", os_.get("kernel")),
    )


def _versions(commands: Mapping[str, Mapping[str, Any]] | None) -> str:
    """'g++ 12.2.0' for each; a second name of the same program is left out."""
    texts: dict[str, str] = {}
    for command, what in (commands or {}).items():
        numbers = re.findall(r"\d+(?:\.\d+)+", what.get("version") or "")
        product = re.search(r"Open MPI|Intel|MPICH", what.get("version") or "")
        name = f"{command} ({product[0]})" if product else command
        texts.setdefault(what["path"], f"{name} {numbers[-1] if numbers else '?'}")
    return _DOT.join(texts.values()) or "none found"


def _scheduler(allocation: Mapping[str, Any]) -> str:
    if not allocation.get("scheduler"):
        return "none: not inside an allocation"
    return _joined(
        ("", allocation["scheduler"]),
        ("job", allocation.get("job")),
        ("partition", allocation.get("partition")),
        ("nodes", allocation.get("node_list") or allocation.get("nodes")),
    )


def _trust(raw: Mapping[str, Any], most: int) -> list[str]:
    reasons = doubts(raw)
    average = "/".join(f"{x:g}" for x in (raw.get("load") or {}).get("average") or ()) or "unknown"
    answer = f"doubts: {'; '.join(reasons)}" if reasons else "nothing speaks against timings"
    text = f"load average {average}{_DOT}{answer}"
    wrapped = textwrap.wrap(clean(text), WIDTH - _INDENT) or [""]
    if len(wrapped) > most:
        wrapped = wrapped[:most]
        wrapped[-1] = wrapped[-1][: WIDTH - _INDENT - 2] + " …"
    return [_line("trust now" if number == 0 else "", line) for number, line in enumerate(wrapped)]
