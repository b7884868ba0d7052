"""Can timings be trusted on this node now? Doubts in words; the judge decides from the counters of each launch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tenken.base.units import size

BUSY_LIMIT = 0.10  # of 0.2 s of all usable CPUs, counted in ticks of 10 ms
STEAL_LIMIT = 0.05
DRIFT_LIMIT = 0.03
IDLE_CARD_BYTES = 1 << 30  # the driver's own memory on a card of many partitions, and the display, take less
SHARED_LIMIT = 0.05  # of 50 ms with another hardware thread on a core


def doubts(node: Mapping[str, Any]) -> tuple[str, ...]:
    """Why timings on this node may not be its own, worst first; empty where nothing speaks against them.

    `node` is a node of machine.json.
    """
    return (*_others(node), *_limits(node), *_clock(node), *_hardware(node))


def _cpus(count: int) -> str:
    return f"{count} CPU{'s'[: count != 1]}"


def _others(node: Mapping[str, Any]) -> list[str]:
    load, others = node.get("load") or {}, []
    busy, steal = load.get("busy"), load.get("steal")
    if busy is not None and busy > BUSY_LIMIT:
        names = sorted({process["name"] for process in load.get("running") or ()})
        who = f" ({', '.join(names[:3])})" if names else ""
        others.append(f"{busy:.0%} of the CPUs is busy with other work{who}")
    if steal is not None and steal > STEAL_LIMIT:
        others.append(f"the hypervisor takes {steal:.0%} of the CPU time")
    measured = (node.get("frequency") or {}).get("measured") or ()
    shared = [part for core in measured if (part := core.get("shared")) is not None and part > SHARED_LIMIT]
    if shared:
        time = f"up to {max(shared):.0%} of the time" if len(shared) > 1 else f"{shared[0]:.0%} of the time"
        others.append(f"other hardware threads work on {len(shared)} of {len(measured)} cores, {time}")
    if load.get("other_users"):
        count, processes = load["other_users"], load.get("other_users_processes")
        others.append(f"{count} other user{'s'[: count > 1]} with {processes} processes")
    if hypervisor := (node.get("os") or {}).get("hypervisor"):
        others.append(f"virtual ({hypervisor}): neighbours on caches and memory are not visible")
    return others


def _limits(node: Mapping[str, Any]) -> list[str]:
    topology, limits = node.get("topology") or {}, []
    quota = (node.get("limits") or {}).get("cpu_quota_cores")
    usable, online = len(topology.get("usable") or ()), len(topology.get("online") or ())
    if quota is not None and quota < usable:
        limits.append(f"CPU quota of {quota:g} cores for {usable} CPUs")
    if usable < online:
        limits.append(f"only {usable} of {online} CPUs may be used")
    return limits


def _clock(node: Mapping[str, Any]) -> list[str]:
    frequency, found = node.get("frequency") or {}, []
    slow = {name: count for name, count in (frequency.get("governors") or {}).items() if name != "performance"}
    if slow:
        found.append("governor " + ", ".join(f"{name} on {_cpus(count)}" for name, count in sorted(slow.items())))
    measured = [core for core in frequency.get("measured") or () if core.get("best_hz")]
    best = [core["best_hz"] for core in measured]
    if not best:
        found.append("frequency not measured")
        return found
    if max(best) > min(best) * (1 + DRIFT_LIMIT):
        slowest = min(measured, key=lambda core: core["best_hz"])
        found.append(f"CPU {slowest['cpu']} is slowest at {slowest['best_hz'] / 1e9:.2f} GHz")
    varied = [core for core in measured if core["median_hz"] < core["best_hz"] * (1 - DRIFT_LIMIT)]
    if varied:
        found.append(f"the clock of {len(varied)} of {len(measured)} cores varied while measured")
    source = (node.get("os") or {}).get("clock_source")
    if "tsc" in ((node.get("cpu") or {}).get("flags") or ()) and source not in (None, "tsc"):
        found.append(f"the system's clock is {source}, not tsc")
    return found


def _hardware(node: Mapping[str, Any]) -> list[str]:
    counters, found = node.get("counters") or {}, []
    bad = sum(controller.get("uncorrected") or 0 for controller in counters.get("memory_controllers") or ())
    if bad:
        found.append(f"{bad} uncorrected memory errors since boot")
    if counters.get("throttled"):
        found.append(f"{_cpus(len(counters['throttled']))} throttled since boot")
    for card in node.get("gpus") or ():
        name = f"{card.get('name') or card.get('vendor')} {card.get('pci')}"
        found += [f"{name}: {doubt}" for doubt in _of_card(card.get("state") or {})]
    for card in (*(node.get("gpus") or ()), *(node.get("network") or ())):
        pcie = card.get("pcie") or {}
        if (pcie.get("width") or 0) < (pcie.get("max_width") or 0):
            found.append(f"{card.get('name') or card.get('pci')}: PCIe x{pcie['width']} of x{pcie['max_width']}")
    return found


def _of_card(state: Mapping[str, Any]) -> list[str]:
    """Doubts about a card with this state, as nvidia-smi reported it."""
    found = []
    if errors := state.get("uncorrected_errors"):
        found.append(f"{errors} uncorrected memory error{'s'[: errors != 1]} since the driver was loaded")
    if state.get("repair_failed"):
        found.append("a memory row could not be replaced")
    if state.get("repair_pending"):
        found.append("waits for a reset to replace faulty memory")
    if (state.get("utilization") or 0) > BUSY_LIMIT:
        found.append(f"{state['utilization']:.0%} busy with other work")
    elif (state.get("memory_used_bytes") or 0) > IDLE_CARD_BYTES:
        found.append(f"{size(state['memory_used_bytes'])} of its memory in use")
    if state.get("compute_mode") not in (None, "Default"):
        found.append(f"compute mode {state['compute_mode']}")
    if state.get("partitioned"):
        found.append("partitioned (MIG)")
    limit, default = state.get("power_limit_w"), state.get("power_default_w")
    if limit and default and limit < default:
        found.append(f"power limit {limit:g} W, by default {default:g} W")
    if state.get("slowed_by"):
        found.append(f"slowed by {state['slowed_by']}")
    return found
