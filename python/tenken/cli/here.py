"""This machine and all that can run on it: machine files, checks, suites, environments."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from tenken.base.toml import read_toml
from tenken.base.words import unknown
from tenken.cli import places
from tenken.launch import priority
from tenken.launch.build import Built
from tenken.launch.environment import Named
from tenken.launch.probe import expected_hosts, probe_nodes
from tenken.launch.resolve import Facts
from tenken.machine.files import Files, MachineFile, read_files
from tenken.machine.match import choose, facts
from tenken.machine.probe import assemble, read_node, silent
from tenken.machine.quick import quick_node
from tenken.machine.software import allocation, occasion, software
from tenken.model.baseline import SITTING
from tenken.model.check import Check, Suite, present
from tenken.model.machine import Machine
from tenken.model.variables import not_passed_on
from tenken.store.checkfile import load_checks
from tenken.store.files import to_plain
from tenken.store.suitefile import load_suites


@dataclass(frozen=True, slots=True)
class Here:
    """This machine, read in a moment; `probe` adds the measured figures."""

    files: Files
    file: MachineFile | None  # the machine file that fits, None where none does
    node: dict[str, Any]  # as in machine.json, without measured figures
    machine: Machine


def catalogue() -> tuple[dict[str, Check], dict[str, Suite]]:
    """All checks and suites."""
    checks = load_checks([places.TREE / "checks"])
    return checks, load_suites(places.folders("suites"), checks)


def find_check(name: str, progress: Callable[[str], None]) -> str:
    """The check that has this name or had it. Refuses a name that is no check; a check whose check.toml is bad is a check."""
    folders = [places.TREE / "checks"]
    valid = [file.parent.name for file in folders[0].glob("*/check.toml")]
    now = name if name in valid else present(name, load_checks(folders))
    if now not in valid:
        raise unknown("check", name, valid)
    name_renamed([(name, now)], progress)
    return now


def name_renamed(names: Iterable[tuple[str, str]], progress: Callable[[str], None]) -> None:
    """Says which names are older ones."""
    for before, now in names:
        if before != now:
            progress(f"name     {before} is now called {now}")


def name_broken(checks: Mapping[str, Check], progress: Callable[[str], None]) -> None:
    """Says which checks cannot be read, and why: they are left out, the others go on."""
    for check in checks.values():
        if check.problem:
            progress(f"check    {check.name} is left out: {check.problem}")


def name_not_passed_on(progress: Callable[[str], None]) -> None:
    """Settings of the calling shell that no launch inherits: variables, and the nice value where that is not permitted."""
    for sentence in filter(None, (not_passed_on(os.environ), priority.refusal())):
        progress(f"shell    {sentence}")


def look(name: str | None) -> Here:
    """This machine; `name` is the machine file that was typed, if any."""
    files = read_files(places.folders("machines"))
    node = quick_node(host=platform.node() or None)
    file = choose(files, [node["host"] or "unknown"], name or os.environ.get("TENKEN_MACHINE"))
    return Here(files, file, node, facts(assemble([node], {}, {}, now()), files, file))


def named_environments(here: Here) -> Named:
    """`environments/NAME.toml` of tree and user, and `[environment.NAME]` of the machine file, which has the last word."""
    named = Named()
    for folder in places.folders("environments"):
        for path in sorted(folder.glob("*.toml")):
            named[path.stem] = read_toml(path).content()
    own = here.file.environments if here.file else {}
    named.update(own)
    named.default = next(iter(own), None)
    return named


def resolving_facts(here: Here, nodes: int) -> Facts:
    """The facts that resolve a case, for `nodes` nodes like this one."""
    node, memory = here.machine.nodes[0], here.node.get("memory") or {}
    return Facts(
        cores=node.cores, memory_bytes=node.memory_bytes, available_bytes=memory.get("available_bytes"),
        l1_bytes=_cache(here.node, 1), l2_bytes=_cache(here.node, 2), l3_bytes=node.l3_bytes or None,
        numa_nodes=node.numa_nodes, sockets=node.sockets, nodes=nodes,
        storage_root=here.file.storage_root if here.file else None,
    )


def _cache(node: Mapping[str, Any], level: int) -> int | None:
    """Bytes of a data cache of a level."""
    caches = (node.get("topology") or {}).get("caches") or ()
    sizes = [cache["bytes"] for cache in caches if cache["level"] == level and cache["type"] != "Instruction"]
    return sizes[0] if sizes else None


def probe(
    built: Built, here: Here, on: str = "local", nodes: int = 1, without: Sequence[str] = ()
) -> dict[str, Any]:
    """machine.json: every node measured by tenken-probe. Where that cannot run, the facts that Python can read of this node."""
    probed, notes = [here.node], []
    if built.probe.exists():
        texts, why = probe_nodes(built, on, nodes, here.machine.nodes[0].cores, without=without)
        probed = [read_node(text, str(built.probe)) for text in texts]
        notes = silent([host for host in expected_hosts(on) if host not in without], nodes, probed, why)
    return assemble(probed, software(os.environ), allocation(os.environ), now(), notes)


def sitting() -> dict[str, Any]:
    """The occasion of a run that begins now, by its environment. TenkenError where the sitting has a bad name."""
    return {SITTING: to_plain(occasion(os.environ))}


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
