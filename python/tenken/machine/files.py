"""Reads `machines/`: cores.toml (peaks by core), classes.toml (bands) and one file a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tenken.machine.toml import NUMBER, Table, read_toml
from tenken.model.machine import Band


@dataclass(frozen=True, slots=True)
class Rate:
    """Peak of one core in flop per cycle, where the system shows all of `flags`."""

    flags: tuple[str, ...]
    double: float
    single: float
    why: str  # "2 pipes x 256 bit"


@dataclass(frozen=True, slots=True)
class Core:
    """An entry of cores.toml. Conditions that are None or empty always hold."""

    name: str
    title: str
    rates: tuple[Rate, ...]
    source: str
    vendor: str | None = None
    family: int | None = None
    models: tuple[tuple[int, int], ...] = ()
    steppings: tuple[tuple[int, int], ...] = ()
    implementer: int | None = None
    part: int | None = None
    pattern: str | None = None  # searched in the model name
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedSection:
    """One line of a published table. Figures are kept as printed: their digits say how far they are rounded."""

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


@dataclass(frozen=True, slots=True)
class MachineFile:
    """One system: what probing cannot tell of it, how its environments are set up, and what was published of it."""

    name: str
    title: str
    path: str
    hosts: tuple[str, ...] = ()  # shell patterns
    node_class: str | None = None
    exclusive: bool = False  # no other user's load can be on its nodes
    reference: bool = False  # a system that results are compared with, not one that Tenken runs on
    source: str = ""
    core: str | None = None  # overrides recognition
    frequency_ghz: float | None = None  # nominal: for reference systems
    cores: int | None = None
    sockets: int | None = None
    memory_bytes: int | None = None
    memory_rate_spec: float | None = None  # byte/s of the node
    environments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: tuple[Published, ...] = ()


@dataclass(frozen=True, slots=True)
class Files:
    """All that was read. Later folders override machine files of the same name in earlier ones."""

    cores: tuple[Core, ...] = ()
    bands: tuple[Band, ...] = ()
    machines: Mapping[str, MachineFile] = field(default_factory=dict)

    def core(self, name: str) -> Core | None:
        return next((core for core in self.cores if core.name == name), None)


def _rate(table: Table) -> Rate:
    rate = Rate(
        flags=table.strings("flags"),
        double=table.get("double", NUMBER),
        single=table.get("single", NUMBER),
        why=table.get("why", str),
    )
    table.done()
    return rate


def _core(name: str, table: Table) -> Core:
    core = Core(
        name=name,
        title=table.get("title", str),
        rates=tuple(_rate(rate) for rate in table.tables("rates")),
        source=table.get("source", str),
        vendor=table.get("vendor", str, None),
        family=table.get("family", int, None),
        models=table.ranges("models"),
        steppings=table.ranges("steppings"),
        implementer=table.get("implementer", int, None),
        part=table.get("part", int, None),
        pattern=table.get("name", str, None),
        kind=table.get("kind", str, None),
    )
    table.done()
    return core


def _band(table: Table) -> Band:
    band = Band(
        node_class=table.get("node_class", str),
        metric=table.get("metric", str),
        low=table.get("low", NUMBER, None),
        high=table.get("high", NUMBER, None),
        of=table.get("of", str),
        source=table.get("source", str),
        library=table.get("library", str, None),
        advice=table.get("advice", str, ""),
    )
    table.done()
    return band


def _published(table: Table) -> Published:
    sections = []
    for line in table.tables("sections"):
        sections.append(
            PublishedSection(
                id=line.get("id", int),
                name=line.get("name", str),
                kind=line.get("kind", str),
                seconds=line.number_text("seconds"),
                rate=line.number_text("rate"),
                percent_of_peak=line.number_text("percent_of_peak"),
                note=line.get("note", str, ""),
            )
        )
        line.done()
    published = Published(
        application=table.get("application", str),
        size=table.get("size", str),
        ranks=table.get("ranks", int),
        cores_a_rank=table.get("cores_a_rank", int),
        source=table.get("source", str),
        sections=tuple(sections),
    )
    table.done()
    return published


def _machine(path: Path, table: Table) -> MachineFile:
    node = Table(table.get("node", dict, {}), f"{path}, [node]")
    machine = MachineFile(
        name=table.get("name", str),
        title=table.get("title", str, ""),
        path=str(path),
        hosts=table.strings("hosts"),
        node_class=table.get("node_class", str, None),
        exclusive=table.get("exclusive", bool, False),
        reference=table.get("reference", bool, False),
        source=table.get("source", str, ""),
        core=node.get("core", str, None),
        frequency_ghz=node.get("frequency_ghz", NUMBER, None),
        cores=node.get("cores", int, None),
        sockets=node.get("sockets", int, None),
        memory_bytes=node.get("memory_bytes", int, None),
        memory_rate_spec=node.get("memory_rate_spec", NUMBER, None),
        environments={name: item.rest() for name, item in table.named_tables("environment").items()},
        published=tuple(_published(item) for item in table.tables("published")),
    )
    node.get("source", str, "")
    node.done()
    table.done()
    return machine


def read_cores(path: Path) -> tuple[Core, ...]:
    """Entries of a cores.toml, in order."""
    return _read_all(path, lambda table: (_core(n, t) for n, t in table.named_tables("core").items()))


def read_bands(path: Path) -> tuple[Band, ...]:
    """Entries of a classes.toml."""
    return _read_all(path, lambda table: map(_band, table.tables("band")))


def _read_all(path: Path, read: Callable[[Table], Any]) -> tuple[Any, ...]:
    table = read_toml(path)
    entries = tuple(read(table))
    table.done()
    return entries


def read_machine(path: Path) -> MachineFile:
    """One machine file. TenkenError names the file and the key at fault."""
    return _machine(path, read_toml(path))


def read_files(folders: Sequence[Path]) -> Files:
    """Everything in the given folders (the tree's first, the user's after); missing folders are skipped.

    Cores and bands of later folders come before those of earlier ones, so that the first match is the user's.
    """
    cores: tuple[Core, ...] = ()
    bands: tuple[Band, ...] = ()
    machines: dict[str, MachineFile] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            if path.name == "cores.toml":
                cores = read_cores(path) + cores
            elif path.name == "classes.toml":
                bands = read_bands(path) + bands
            else:
                machine = read_machine(path)
                machines[machine.name] = machine
    return Files(cores, bands, machines)
