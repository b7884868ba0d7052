"""The record of a launch (`record.jsonl`), as frozen data. Times are integer nanoseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the help of every word goes without NumPy
    from tenken.base.rows import Array, Rows


@dataclass(frozen=True, slots=True)
class Work:
    """Work of a section in a repetition on a rank, summed over its calls."""

    flop: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    messages: int = 0

    @property
    def bytes_moved(self) -> int:
        return self.bytes_read + self.bytes_written


@dataclass(frozen=True, slots=True)
class Section:
    """A named, nested, timed region. `at` is the value of the parameter it is repeated over, if any."""

    id: int
    path: str  # "solve/operator", or "exchange/8" for section "exchange" at 8
    kind: str  # compute | comm | io | wait
    leaf: bool
    of: str  # name in check.toml: equals path unless `at` is set
    at: int | None = None
    precision: str | None = None  # of its flop, double or single; None where the program does not say it


@dataclass(frozen=True, slots=True)
class Trust:
    """Counters over the timed part of a rank; None where the system does not tell."""

    wall_ns: int
    cpu_ns: int | None = None  # process CPU time, all threads
    run_queue_wait_ns: int | None = None  # the most any bound thread waited for a processor
    steal_ns: int | None = None  # the most that was stolen from any of the bound processors
    throttled_ns: int | None = None  # by a CPU quota of the control group
    migrations: int | None = None  # bound threads on another processor than at the start
    involuntary_switches: int | None = None
    major_faults: int | None = None
    frequency_hz: tuple[float, ...] = ()  # samples in time order, mean over the cores of the rank
    vector_frequency_hz: tuple[float, ...] = ()  # the same under the widest vectors; empty where not sampled
    additions_per_cycle: tuple[float, ...] = ()  # beside frequency_hz, independent ones, the least of the cores of the rank
    shared_ns: int | None = None  # set by the judge: another hardware thread worked on a core of the rank
    shared_lost_ns: int | None = None  # of it, the most that it took
    shared_part: float | None = None  # in the worst sample, of the time


@dataclass(frozen=True, slots=True)
class Thread:
    thread: int
    cpu_begin: int
    cpu_end: int


@dataclass(frozen=True, slots=True)
class PagesOfNode:
    """Sampled pages on a memory node."""

    node: int
    pages: int


@dataclass(frozen=True, slots=True)
class Card:
    """The device that a rank used."""

    id: str  # alike for two ranks of a node only where they used the same device
    name: str
    visible: int  # devices that the rank could have used
    numa: int | None  # NUMA node that it is attached to; None: the system does not tell


@dataclass(frozen=True, slots=True)
class Rank:
    rank: int
    host: str
    cpus: tuple[int, ...]
    numa: tuple[int, ...]
    threads: tuple[Thread, ...]
    trust: Trust
    place: int | None = None  # rank of the launcher, before rank_map
    bound: bool | None = None  # whether each thread was bound to its processor
    pages: tuple[PagesOfNode, ...] | None = None  # a sample at the end of the timed part; None: the system does not tell
    card: Card | None = None  # None: on processors


@dataclass(frozen=True, slots=True)
class Series:
    """Samples of a section on a rank. Repetition -1 means once per launch."""

    rank: int
    section: int
    repetition: tuple[int, ...]
    calls: tuple[int, ...]
    ns: tuple[int, ...]  # inclusive, summed over calls
    work: tuple[Work, ...]  # per repetition


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The summary of a section where the samples of all ranks are too many for a record: repetitions, then ranks.

    Repetition -1 where the section was timed once per launch; else those are left out. Times in ns.
    """

    section: int
    repetition: tuple[int, ...]
    calls: Array  # of each repetition: the most of any rank
    ns: Array  # the maximum over ranks
    slowest: tuple[int, ...]  # the rank of that maximum
    work: tuple[Work, ...]  # of all ranks together
    rank: tuple[int, ...]  # who took part, ascending
    rows: Rows  # of the samples of each of them
    flop: Array  # of each of them, all repetitions together
    bytes_moved: Array

    @property
    def complete(self) -> bool:
        """Whether all who took part did so in every repetition."""
        return bool((self.rows.count == len(self.repetition)).all())


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    unit: str
    value: float
    chosen: bool = False  # by the program for itself: launches that chose otherwise are never pooled


@dataclass(frozen=True, slots=True)
class WorstCell:
    row: int
    column: int
    value: float


@dataclass(frozen=True, slots=True)
class TableSummary:
    """The rest of a table that was too large for the record: its worst cells, 1 % or as many as fitted."""

    cells: int
    missing: int
    least: float | None  # of the finite ones; None where there is none
    median: float | None
    greatest: float | None
    worst: tuple[WorstCell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A matrix of figures, such as a figure for each pair of ranks; curves; a plane of a field; places of ranks."""

    name: str
    unit: str
    better: str  # higher | lower
    rows: tuple[str, ...]  # their labels
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...] | None  # of each row; None in a cell: nothing was measured
    summary: TableSummary | None = None  # where values is None
    form: str = "matrix"  # matrix | curves | field | ranks | figures


@dataclass(frozen=True, slots=True)
class Placement:
    """Where things were asked to run, as written in the case."""

    placement: str
    reserve: int
    membind: str | None
    rank_map: str | None


@dataclass(frozen=True, slots=True)
class Validity:
    """A proof that the answer is right. `value` may be non-finite: then it does not hold."""

    name: str
    value: float
    expected: float
    limit: float
    mode: str  # abs: |v-e| <= limit; rel: |v-e| <= limit*|e|; max: v <= limit
    source: str


@dataclass(frozen=True, slots=True)
class Clock:
    source: str  # tsc | cntvct | steady
    ns_per_tick: float
    drift: float  # relative difference of the two calibrations


@dataclass(frozen=True, slots=True)
class Environment:
    """Compiler, MPI, flags and libraries with which the kernels were built and run."""

    name: str
    compiler: str
    mpi: str
    flags: str
    isa: str
    sections: bool  # False in a build without timed sections (overhead measurements)
    libraries: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CountedSection:
    """Sums over the samples of a section that were counted, on all ranks; None: not counted on this processor."""

    section: int
    samples: int
    dropped: int  # samples with a group that was not on the counters all the time, with a new thread, or around another
    ns: int  # of the samples, as all that follows
    processor_ns: int  # for which the threads together had a processor
    instructions: int | None
    cycles: int | None
    l2_misses: int | None  # lines
    last_level_misses: int | None  # lines
    memory_samples: int  # of the samples: those of ranks that counted the memory of their node
    memory_read: float | None  # bytes in these, of all programs on the nodes
    memory_written: float | None
    flop: int  # stated work
    bytes_read: int
    bytes_written: int


@dataclass(frozen=True, slots=True)
class Counters:
    """The counts of the processors' counters around the samples, or why nothing was counted."""

    problem: str | None
    memory_problem: str | None = None
    line_bytes: int = 64
    late_threads: int = 0  # that started during the timed part: not counted
    memory_ranks: int = 0  # a rank of each node
    sections: tuple[CountedSection, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    path: str
    check: str
    variant: str
    parameters: dict[str, Any]
    environment: Environment
    ranks: int
    threads: int
    clock: Clock
    timer_overhead_ns: float
    sections: tuple[Section, ...]
    fault: str | None
    started: str  # ISO 8601, UTC
    rank: tuple[Rank, ...]
    series: tuple[Series, ...]
    values: tuple[Value, ...]
    validity: tuple[Validity, ...]
    tables: tuple[Table, ...] = ()
    placement: Placement | None = None
    thread_level: str | None = None  # that MPI offered: single | funneled | serialized | multiple
    launch: str = ""  # id of the launch that wrote it; "" where it was started by hand
    counters: Counters | None = None  # None: they were off
    # Where the samples of all ranks are too many: a summary of each section, and `series` of the ranks that stand out.
    summaries: tuple[Summary, ...] = ()

    @property
    def repetitions(self) -> int:
        """Of the section that has most of them."""
        every: Sequence[Series | Summary] = (*self.series, *self.summaries)
        return 1 + max((max(series.repetition, default=-1) for series in every), default=-1)
