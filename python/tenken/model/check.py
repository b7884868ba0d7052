"""A check as its `check.toml` states it, a case, and a suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str  # int | float | choice | ints | size | flag | path
    default: Any
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    length: int | None = None  # of a list, where it is fixed


@dataclass(frozen=True, slots=True)
class SectionSpec:
    path: str
    kind: str  # compute | comm | io | wait
    meaning: str
    by: str | None = None  # list parameter the section is repeated over: "exchange" -> "exchange/8", ...


@dataclass(frozen=True, slots=True)
class MetricSpec:
    name: str
    section: str | None
    quantity: str  # time | time_per_call | flop_rate | byte_rate | message_rate | value:NAME
    unit: str
    better: str  # higher | lower
    klass: str  # compute | memory | latency | bandwidth | io
    ceiling: str  # flop | memory | network | none
    by: str | None = None
    precision: str = "double"  # of the flop that the metric counts: chooses the peak


@dataclass(frozen=True, slots=True)
class ValiditySpec:
    name: str
    tolerance: float
    source: str


@dataclass(frozen=True, slots=True)
class CaseSpec:
    """A case as written: ranks and threads may be words, sizes may be expressions such as 4*L3."""

    name: str
    variant: str
    parameters: dict[str, Any]
    ranks: int | str  # int | core | numa | socket
    threads: int | str  # int | fill
    launches: int
    timeout_s: float
    suites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    title: str
    question: str
    repetition: str  # what one repetition is
    variants: tuple[str, ...]  # the first is the default
    faults: tuple[str, ...]
    requires: tuple[str, ...]  # what a build needs beyond compiler and MPI, e.g. ("cblas",)
    parameters: tuple[Parameter, ...]
    sections: tuple[SectionSpec, ...]
    metrics: tuple[MetricSpec, ...]
    validity: tuple[ValiditySpec, ...]
    cases: tuple[CaseSpec, ...]
    folder: str


@dataclass(frozen=True, slots=True)
class Case:
    """A case resolved for one machine: every word has become a number."""

    check: str
    name: str
    variant: str
    parameters: dict[str, Any]
    ranks: int
    threads: int
    launches: int
    timeout_s: float
    oversubscribed: bool = False
    library_threads: bool = False  # a library brings threads of its own: idle OpenMP threads must sleep

    @property
    def id(self) -> str:
        return f"{self.check}:{self.name}"


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    title: str
    question: str
    budget_s: float
    order: str  # random | given
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
