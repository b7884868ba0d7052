"""Reads `machines/`: cores.toml (peaks by core), classes.toml (bands) and a file for each system."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tenken.base.toml import Table, read_toml
from tenken.machine.reference import Part, Results, read_part, read_results, refuse_twice
from tenken.model.machine import Band, Device


@dataclass(frozen=True, slots=True)
class Rate:
    """Peak of a core in flop per cycle, where the system shows all of `flags`."""

    flags: tuple[str, ...]
    double: float  # by the pipes that multiply and add
    single: float
    most_double: float  # with those that only add beside them
    most_single: float
    why: str  # "2 pipes x 256 bit"


@dataclass(frozen=True, slots=True)
class Core:
    """An entry of cores.toml. Conditions that are None or empty always hold."""

    name: str
    title: str
    rates: tuple[Rate, ...]
    source: str
    memory_rate: float | None = None  # byte/s: a core's part of the memory rate of a full socket
    memory_why: str = ""
    vendor: str | None = None
    family: int | None = None
    models: tuple[tuple[int, int], ...] = ()
    steppings: tuple[tuple[int, int], ...] = ()
    implementer: int | None = None
    parts: tuple[tuple[int, int], ...] = ()
    threads: tuple[tuple[int, int], ...] = ()  # hardware threads of a core
    pattern: str | None = None  # searched in the model name
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedSection:
    """A line of a published table. Figures stay as printed: their digits say how far they are rounded."""

    id: int
    name: str
    kind: str  # whole | compute | comm | library
    seconds: str | None
    rate: str | None  # flop/s
    percent_of_peak: str | None
    note: str


@dataclass(frozen=True, slots=True)
class Published:
    application: str
    size: str
    ranks: int
    cores_a_rank: int  # percent of peak refers to the peak of these
    source: str
    sections: tuple[PublishedSection, ...]
    entry: str = ""  # of docs/references.md
    shape: str = ""  # of the nodes: "12x12x6 torus"
    statistic: str = "not stated"


@dataclass(frozen=True, slots=True)
class MachineFile:
    """A system: facts that probing cannot detect, the setup of its environments, and its published figures."""

    name: str
    title: str
    path: str
    hosts: tuple[str, ...] = ()  # shell patterns
    node_class: str | None = None
    exclusive: bool = False  # no other user's load can be on its nodes
    reference: bool = False  # a system that results are compared with, not a system that Tenken runs on
    source: str = ""
    core: str | None = None  # overrides recognition
    frequency_ghz: float | None = None  # nominal: for reference systems
    cores: int | None = None
    sockets: int | None = None
    memory_bytes: int | None = None
    memory_rate_spec: float | None = None  # byte/s of the node
    environments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    also: tuple[str, ...] = ()  # other names that it is asked for by
    nodes: int | None = None  # of the whole system
    parts: tuple[Part, ...] = ()
    results: tuple[Results, ...] = ()
    storage_root: str | None = None  # absolute: below it checks of files write


@dataclass(frozen=True, slots=True)
class Files:
    """All that was read. Later folders override machine files of the same name in earlier ones."""

    cores: tuple[Core, ...] = ()
    bands: tuple[Band, ...] = ()
    machines: Mapping[str, MachineFile] = field(default_factory=dict)
    devices: tuple[Device, ...] = ()

    def core(self, name: str) -> Core | None:
        return next((core for core in self.cores if core.name == name), None)


def _rate(table: Table) -> Rate:
    flags, why = table.words("flags", ()), table.text("why")
    fma = _double_and_single(table, "fma")
    most = _double_and_single(table, "most") if "most" in table else fma
    table.done()
    if most[0] < fma[0] or most[1] < fma[1]:
        table.fail("most", f"is the highest rate of any code, so at least fma {fma}; found {most}")
    return Rate(flags, *fma, *most, why)


def _double_and_single(table: Table, key: str) -> tuple[float, float]:
    pair = table.raw(key)
    if not isinstance(pair, list) or len(pair) != 2 or not all(type(peak) in (int, float) and peak > 0 for peak in pair):
        table.fail(key, f"expected [double, single], two positive numbers, found {pair!r}")
    return pair[0], pair[1]


def _core(name: str, table: Table) -> Core:
    core = Core(
        name=name,
        title=table.any_text("title"),
        rates=tuple(map(_rate, table.table_list("rates"))),
        source=table.any_text("source"),
        memory_rate=table.optional_number("memory_rate", 0.0),
        memory_why=table.any_text("memory_why", ""),
        vendor=table.optional_text("vendor"),
        family=table.optional_count("family", 0),
        models=table.pairs("models"),
        steppings=table.pairs("steppings"),
        implementer=table.optional_count("implementer", 0),
        parts=table.pairs("parts"),
        threads=table.pairs("threads"),
        pattern=table.optional_text("name"),
        kind=table.optional_text("kind"),
    )
    table.done()
    return core


def _device(name: str, table: Table) -> Device:
    capabilities = table.words("capabilities")
    if not all(re.fullmatch(r"[1-9][0-9]*\.[0-9]", capability) for capability in capabilities):
        table.fail("capabilities", f"expected compute capabilities such as '9.0', found {list(capabilities)!r}")
    double, single = _double_and_single(table, "fma")
    device = Device(
        name=name,
        title=table.any_text("title"),
        capabilities=capabilities,
        flop_per_cycle_double=double,
        flop_per_cycle_single=single,
        source=table.any_text("source"),
    )
    table.done()
    return device


def _band(table: Table) -> Band:
    band = Band(
        node_class=table.text("node_class"),
        metric=table.text("metric"),
        low=table.optional_number("low", 0.0),
        high=table.optional_number("high", 0.0),
        of=table.text("of"),
        source=table.text("source"),
        library=table.optional_text("library"),
        advice=table.any_text("advice", ""),
        remedy=table.any_text("remedy", ""),
    )
    table.done()
    if band.of not in ("ceiling", "value", "cores"):
        table.fail("of", f"expected ceiling, value or cores, found {band.of!r}")
    return band


def _published(table: Table) -> Published:
    sections = []
    for line in table.table_list("sections"):
        sections.append(
            PublishedSection(
                id=line.count("id", low=0),
                name=line.text("name"),
                kind=line.text("kind"),
                seconds=line.printed("seconds"),
                rate=line.printed("rate"),
                percent_of_peak=line.printed("percent_of_peak"),
                note=line.any_text("note", ""),
            )
        )
        line.done()
    published = Published(
        application=table.text("application"),
        size=table.any_text("size"),
        ranks=table.count("ranks"),
        cores_a_rank=table.count("cores_a_rank"),
        source=table.text("source"),
        sections=tuple(sections),
        entry=table.any_text("entry", ""),
        shape=table.any_text("shape", ""),
        statistic=table.any_text("statistic", "not stated"),
    )
    table.done()
    return published


def _machine(path: Path, table: Table) -> MachineFile:
    node = table.table("node") or Table(path, "node", {})
    machine = MachineFile(
        name=table.text("name"),
        title=table.any_text("title", ""),
        path=str(path),
        hosts=table.words("hosts", ()),
        node_class=table.optional_text("node_class"),
        exclusive=table.flag("exclusive", False),
        reference=table.flag("reference", False),
        source=table.any_text("source", ""),
        core=node.optional_text("core"),
        frequency_ghz=node.optional_number("frequency_ghz", 0.0),
        cores=node.optional_count("cores"),
        sockets=node.optional_count("sockets"),
        memory_bytes=node.optional_count("memory_bytes"),
        memory_rate_spec=node.optional_number("memory_rate_spec", 0.0),
        environments={name: item.content() for name, item in table.tables("environment").items()},
        published=tuple(_published(item) for item in table.table_list("published")),
        also=table.words("also", ()),
        nodes=table.optional_count("nodes"),
        parts=tuple(map(read_part, table.table_list("part"))),
        results=tuple(map(read_results, table.table_list("results"))),
        storage_root=_storage_root(table.table("storage") or Table(path, "storage", {})),
    )
    refuse_twice(table, machine.results)
    node.any_text("source", "")
    node.done()
    table.done()
    return machine


def _storage_root(table: Table) -> str | None:
    root = table.optional_text("root")
    if root is not None and not root.startswith("/"):
        table.fail("root", f"expected an absolute path, found {root!r}")
    table.done()
    return root


def read_cores(path: Path) -> tuple[Core, ...]:
    """Cores of a cores.toml, in order."""
    return tuple(core for core in _cores_and_devices(path) if isinstance(core, Core))


def read_devices(path: Path) -> tuple[Device, ...]:
    """Devices of a cores.toml, in order."""
    return tuple(core for core in _cores_and_devices(path) if isinstance(core, Device))


def _cores_and_devices(path: Path) -> tuple[Core | Device, ...]:
    return _read_all(path, lambda table: (
        *(_core(n, t) for n, t in table.tables("core").items()), *(_device(n, t) for n, t in table.tables("device").items()),
    ))


def read_bands(path: Path) -> tuple[Band, ...]:
    """Entries of a classes.toml."""
    return _read_all(path, lambda table: map(_band, table.table_list("band")))


def _read_all(path: Path, read: Callable[[Table], Any]) -> tuple[Any, ...]:
    table = read_toml(path)
    entries = tuple(read(table))
    table.done()
    return entries


def read_machine(path: Path) -> MachineFile:
    """A machine file. TenkenError names the file and the key at fault."""
    return _machine(path, read_toml(path))


def read_files(folders: Sequence[Path]) -> Files:
    """Everything in the given folders (the tree's first, the user's after); missing folders are skipped.

    Cores, devices and bands of later folders come before those of earlier ones, so that the first match is the user's.
    """
    cores: tuple[Core, ...] = ()
    devices: tuple[Device, ...] = ()
    bands: tuple[Band, ...] = ()
    machines: dict[str, MachineFile] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            if path.name == "cores.toml":
                cores, devices = read_cores(path) + cores, read_devices(path) + devices
            elif path.name == "classes.toml":
                bands = read_bands(path) + bands
            else:
                machine = read_machine(path)
                machines[machine.name] = machine
    return Files(cores, bands, machines, devices)
