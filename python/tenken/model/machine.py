"""The facts of a machine that the judge needs, reference systems beside it, and rates that checks measured for others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cache:
    """A level of data caches; all caches of a level are taken to be alike."""

    level: int
    bytes: int  # of a cache
    cores: int  # that share a cache


@dataclass(frozen=True, slots=True)
class Node:
    """A node as probed and matched with the machine files; None where unknown."""

    host: str
    node_class: str
    cpu: str  # model name
    core: str | None  # entry of machines/cores.toml, e.g. "zen3"
    flop_per_cycle_double: float | None  # of a core, by multiply-adds
    flop_per_cycle_single: float | None
    cores: int  # physical cores that may be used
    cpus: int  # hardware threads that may be used
    memory_bytes: int
    l3_bytes: int  # sum over the node; last cache level where there is no L3
    memory_rate_spec: float | None  # bytes/s of the node from its machine file
    numa_nodes: int = 1
    sockets: int = 1
    virtual: str | None = None  # hypervisor
    caches: tuple[Cache, ...] = ()  # from the first level up
    most_per_cycle_double: float | None = None  # flop of a core that no code exceeds; None: as flop_per_cycle
    most_per_cycle_single: float | None = None
    granted_cpus: int | None = None  # hardware threads that the scheduler gave the job on each node
    baseline_cpus: int | None = None  # hardware threads that its class had where cases of the run were accepted last
    additions_per_cycle: float | None = None  # independent additions, of a core on which a single hardware thread works
    threads_of_cores: tuple[tuple[int, ...], ...] = ()  # CPUs of each core that has several
    exclusive: bool = False  # no other user's load can be on it (machine file or exclusive allocation)
    memory_rate_a_core: float | None = None  # byte/s: a core's part of the memory rate of the node, else of its kind of core
    memory_rate_source: str = ""  # of the former, with its arithmetic

    def per_cycle(self, precision: str) -> tuple[float, float] | None:
        """Flop per cycle of a core in "double" or "single": by multiply-adds, and the most that code can reach."""
        double = precision == "double"
        fma = self.flop_per_cycle_double if double else self.flop_per_cycle_single
        most = self.most_per_cycle_double if double else self.most_per_cycle_single
        return None if fma is None else (fma, fma if most is None else most)


@dataclass(frozen=True, slots=True)
class Device:
    """An entry [device.NAME] of machines/cores.toml."""

    name: str
    title: str
    capabilities: tuple[str, ...]  # compute capabilities: "9.0"
    flop_per_cycle_double: float  # of a multiprocessor, by multiply-adds
    flop_per_cycle_single: float
    source: str


@dataclass(frozen=True, slots=True)
class Machine:
    name: str  # machine file, or the host name where none fits
    nodes: tuple[Node, ...]
    devices: tuple[Device, ...] = ()  # kinds that are known, on any machine

    def device(self, capability: str) -> Device | None:
        """The kind of a device by its compute capability."""
        return next((device for device in self.devices if capability in device.capabilities), None)

    def node(self, host: str) -> Node:
        """The node called `host`, or the first: ranks may report a short or a full name, or #2 behind a name of several."""
        host = host.partition("#")[0]
        for node in self.nodes:
            if node.host == host or node.host.split(".")[0] == host.split(".")[0]:
                return node
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class Band:
    """An absolute expectation for a metric of a micro-benchmark (machines/classes.toml). It can WARN, never FAIL."""

    node_class: str  # or "*"
    metric: str  # check.metric
    low: float | None
    high: float | None
    of: str  # "ceiling" (fractions of it), "value" (the metric's unit) or "cores" (fractions of memory_rate_a_core x cores)
    source: str
    library: str | None = None  # role of the library that the metric measures, as records name it, e.g. "blas"
    advice: str = ""  # the remedy where it is missed by a factor
    remedy: str = ""  # the same as the step that comes next


# Reference systems side by side, for `tenken compare`. Shown, never judged.

@dataclass(frozen=True, slots=True)
class Cell:
    """A system's figure of a line, as printed."""

    value: str
    percent_printed: str | None = None  # of peak
    percent: float | None = None  # of peak, recomputed
    footnotes: tuple[int, ...] = ()  # from 1


@dataclass(frozen=True, slots=True)
class Line:
    """A section or row; `ratios` are over the first system, None where the figures are not divided."""

    name: str
    cells: tuple[Cell | None, ...]
    ratios: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of an application, size and unit.

    `basis` says the common part of the figures, `apart` the difference, `notes` how each system's were taken.
    """

    application: str
    size: str
    unit: str
    basis: str
    apart: tuple[str, ...]
    notes: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Systems:
    names: tuple[str, ...]
    titles: tuple[str, ...]
    specification: tuple[Line, ...]  # the units are in the names of the lines
    blocks: tuple[Block, ...]
    footnotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A rate that is a ceiling: flop/s of a core, bytes/s of memory of a node, else of the whole launch."""

    what: str  # flop | memory | network | io
    precision: str
    metric: str  # check.metric
    case_id: str
    node_class: str
    cores: int  # of a node, that worked
    rate: float
    by: str | None  # the abscissa of the rate's curve
    size: float | None  # on that curve; of memory: bytes touched on a node
    uncached: bool  # of memory: the size is at least twice the last-level cache
    disturbed: bool  # by other load
    hz: float | None  # median frequency of its cores
    date: str | None = None  # of an earlier run
    at_best: float | None = None  # `rate` without the cost of other load; None where that is nothing
    pages: str | None = None  # base or huge, as measured, else as asked for; None where mixed or not stated

    @property
    def check(self) -> str:
        return self.metric.partition(".")[0]

    @property
    def kind(self) -> tuple[str, str, bool, str | None]:
        """Offers of the same kind may replace each other."""
        return self.what, self.precision, self.uncached, self.pages
