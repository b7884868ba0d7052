"""A check as its `check.toml` states it with its cases, studies and older names, a resolved case, and a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DEVICES = frozenset({"cuda"})  # requirements of kernels that run on a device (cmake/requires)


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str  # int | float | choice | ints | size | flag | path; of those of every check also text
    default: Any
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()  # of a choice; of a path: words that stand for no file
    length: int | None = None  # of a list, where it is fixed


@dataclass(frozen=True, slots=True)
class SectionSpec:
    path: str
    kind: str  # compute | comm | io | wait
    meaning: str
    by: str | None = None  # list parameter the section is repeated over: "exchange" -> "exchange/8", ...


@dataclass(frozen=True, slots=True)
class Provides:
    """The rate of a metric for all checks: a ceiling of their rates, over sizes a curve."""

    what: str  # flop | memory | network | io
    precision: str = "double"  # of flop
    by: str | None = None  # value of the record that is the size, e.g. "working_set_bytes"


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
    precision: str = "double"  # of the flop that the metric counts, where the record does not say it: chooses the peak
    provides: Provides | None = None
    headline: str = ""  # words of the tile of its check, {at} for the value that its section is repeated over


@dataclass(frozen=True, slots=True)
class ValiditySpec:
    name: str
    tolerance: float | str  # or an expression of the case's parameters and the record's named values (base/toml.py)
    source: str
    when: float | str = 1.0  # the same; 0 where a record need not hold this proof


@dataclass(frozen=True, slots=True)
class VariantSpec:
    """The needs of a variant beyond those of its check."""

    name: str
    requires: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # compiled only where the variant is


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
    formerly: tuple[str, ...] = ()  # older names, check:case
    formerly_set: dict[str, Any] = field(default_factory=dict)  # parameters that it had under these and its check has not


@dataclass(frozen=True, slots=True)
class StudyAxis:
    """The swept settings: a parameter, `variant`, `ranks`, `ranks_per_node`, `threads` or `environment`, or several together."""

    name: str  # of the swept settings; free where several move together
    sweeps: dict[str, Any]  # by swept setting: its values in order, or the text "A..B" (doublings from A to B)


@dataclass(frozen=True, slots=True)
class Plot:
    # curve | metrics (a panel for all metrics of a unit) | strong | weak (scaling: speed-up over the smallest point of
    # each line) | heat (a matrix of x and lines) | stack (time of the leaf sections over x)
    kind: str
    x: str  # an axis, "cores" (ranks x threads) or value:NAME of the record
    y: tuple[str, ...]  # metrics, a panel each but in the kind metrics
    lines: str | None  # axis: a line for each of its values, in a heat a row
    panels: str | None  # axis: a panel for each of its values
    log: tuple[str, ...]  # of "x", "y"
    marks: tuple[str, ...]  # of "caches", "ceiling", "launches"

    @property
    def scaling(self) -> bool:
        return self.kind in ("strong", "weak")


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A published result of a machine file, to be drawn beside a measurement."""

    metric: str  # any of y
    machine: str
    application: str
    section: str
    size: str  # "" where application and section are enough to tell it
    x: float | str  # where the plot has it
    panel: str = ""  # place on the axis of panels; "" = in all
    number: int | None = None  # of a row with several values: its place, from 0; None = the row has a single value
    change_of: tuple[str, str] | None = None  # application and section that the figure is a change of; None = it is none


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Published figures, of whatever system, beside which a metric is shown."""

    metric: str
    application: str
    section: str  # or the name of a row
    at: int | None = None  # of a metric that is repeated: only there
    note: str = ""  # a sentence that is shown below the figures


@dataclass(frozen=True, slots=True)
class Study:
    """A study as written in check.toml. `case` holds the settings that the axes leave alone."""

    name: str
    title: str
    question: str
    case: CaseSpec
    axes: tuple[StudyAxis, ...]
    plot: Plot
    published: tuple[PublishedRow, ...] = ()
    formerly: tuple[str, ...] = ()  # older names, check:study

    @property
    def along(self) -> str:
        """The axis along which a line of the plot runs: x, or where x is derived the axis that is nothing else."""
        names = [axis.name for axis in self.axes]
        others = (self.plot.lines, self.plot.panels)
        return self.plot.x if self.plot.x in names else next(name for name in names if name not in others)


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    title: str
    question: str
    repetition: str  # the meaning of a repetition
    variants: tuple[str, ...]  # the first is the default
    faults: tuple[str, ...]
    requires: tuple[str, ...]  # needs of a build beyond compiler and MPI, e.g. ("cblas",)
    parameters: tuple[Parameter, ...]
    sections: tuple[SectionSpec, ...]
    metrics: tuple[MetricSpec, ...]
    validity: tuple[ValiditySpec, ...]
    cases: tuple[CaseSpec, ...]
    folder: str
    studies: tuple[Study, ...] = ()
    tests_s: float | None = None  # processor seconds that its tests may cost in a build; None = not stated
    thread_level: str = ""  # that MPI must offer; "" = by the number of threads
    counters: bool = False  # --counters is on unless the command line has it off
    variant_needs: tuple[VariantSpec, ...] = ()  # of variants with needs of their own
    repetitions_alike: bool = True  # else every repetition does something else by design: loss and jitter mean nothing
    formerly: tuple[str, ...] = ()  # older names of the check, or check:case of a case or study of this name
    published: tuple[Counterpart, ...] = ()  # as written for the whole check
    # Why it cannot run: check.toml was refused (then only names and suites of the cases are known), or it does not compile.
    problem: str | None = None

    @property
    def named(self) -> tuple[CaseSpec | Study, ...]:
        """Its cases and studies, which check:NAME can mean."""
        return (*self.cases, *self.studies)

    @property
    def counterparts(self) -> tuple[Counterpart, ...]:
        """Counterparts of its metrics in the report: as written, and those that its studies draw."""
        rows = (row for study in self.studies for row in study.published if row.change_of is None)
        drawn = (Counterpart(row.metric, row.application, row.section) for row in rows)
        return tuple(dict.fromkeys((*self.published, *drawn)))

    def requires_of(self, variant: str) -> tuple[str, ...]:
        """The needs of a build of this variant beyond compiler and MPI."""
        return self.requires + tuple(word for need in self.variant_needs if need.name == variant for word in need.requires)

    def on_device(self, variant: str) -> bool:
        """Whether the kernels of this variant run on a device, not on processors."""
        return not DEVICES.isdisjoint(self.requires_of(variant))

    def offers(self, what: str) -> bool:
        """Whether its rates are ceilings of this kind for other checks."""
        return any(metric.provides is not None and metric.provides.what == what for metric in self.metrics)

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every parameter of a case that states the `given` ones."""
        return {parameter.name: parameter.default for parameter in self.parameters} | dict(given)


@dataclass(frozen=True, slots=True)
class Case:
    """A case resolved for a machine: every word has become a number."""

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
    environment: str = ""  # as a study names it; "" = that of the run

    @property
    def id(self) -> str:
        return f"{self.check}:{self.name}"


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of a suite with a part of the report: cases and studies that answer the same question."""

    name: str
    title: str
    question: str
    include: tuple[str, ...]  # check:case and check:study, the most important first


def named(topics: Sequence[Topic]) -> tuple[str, ...]:
    """The parts that topics name, in the order of importance: the first of each topic, then the second of each, ..."""
    longest = max((len(topic.include) for topic in topics), default=0)
    turns = (topic.include[place] for place in range(longest) for topic in topics if place < len(topic.include))
    return tuple(dict.fromkeys(turns))


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    title: str
    question: str
    budget_s: float
    order: str  # random | given
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    topics: tuple[Topic, ...] = ()


# Older names of checks, cases and studies: the present name of such a name, and the older names of a present name.
# `formerly` in check.toml names checks (`mpi_old`: every case of it is a case here), or cases and studies (`mpi_old:pair`).

def older_ids(check: Check, case: str) -> tuple[str, ...]:
    """The earlier names of `check:case`; `case` may be a point of a study (`study/point`)."""
    name, slash, point = case.partition("/")
    claimed = [old for case in check.named if case.name == name for old in case.formerly]
    claimed += [old for old in check.formerly if old.endswith(f":{name}")]
    names = [name, *(old.partition(":")[2] for old in claimed if old.partition(":")[0] == check.name)]
    claimed += [f"{old}:{name}" for old in check.formerly if ":" not in old for name in names]
    return tuple(f"{old}{slash}{point}" for old in dict.fromkeys(claimed))


def claims(check: Check) -> dict[str, str]:
    """Every older name that `check` takes over, with the present name."""
    present_of = {old: check.name for old in check.formerly if ":" not in old}
    for case in check.named:
        present_of |= dict.fromkeys(older_ids(check, case.name), f"{check.name}:{case.name}")
    return present_of


def conflicts(checks: Mapping[str, Check]) -> dict[str, str]:
    """A sentence for each check that takes a name which another takes as well, or which still exists."""
    exist = dict.fromkeys(checks, "a check") | {
        f"{check.name}:{case.name}": "a case or study" for check in checks.values() for case in check.named
    }
    takers: dict[str, list[str]] = {}
    for check in checks.values():
        for old in claims(check):
            takers.setdefault(old, []).append(check.name)
    errors: dict[str, str] = {}
    for old, names in takers.items():
        for name in names:
            others = [other for other in names if other != name]
            if old in exist:
                errors.setdefault(name, f"'{old}' is the name of {exist[old]} that is there; an older name is free: leave it out")
            elif others:
                errors.setdefault(name, f"'{old}' is the older name of check {others[0]} too; one of them may have it")
    return errors


def present(name: str, checks: Mapping[str, Check]) -> str:
    """The present name of `name` (a check, check:case, check:study/point, or any of these with /figure).

    A name that exists is never taken for an older name, and an unknown name stays as it is.
    """
    head, slash, rest = name.partition("/")
    check, colon, case = head.partition(":")
    if not exists(head, checks):
        taken = {old: now for check in checks.values() for old, now in claims(check).items()}
        head = taken.get(head) or (f"{taken[check]}{colon}{case}" if check in taken else head)
    return f"{head}{slash}{rest}"


def former_set(case_id: str, checks: Mapping[str, Check]) -> Mapping[str, Any]:
    """Parameters that a case (or point of a study) had under its older names, and its check has no more."""
    check, _, case = present(case_id, checks).partition(":")
    name = case.partition("/")[0]
    cases = checks[check].named if check in checks else ()
    return next(((case.case if isinstance(case, Study) else case).formerly_set for case in cases if case.name == name), {})


def parameters_now(case_id: str, parameters: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    """`parameters` of a case under whatever name, without those of `former_set`."""
    former = former_set(case_id, checks)
    return {name: value for name, value in parameters.items() if name not in former or former[name] != value}


def exists(name: str, checks: Mapping[str, Check]) -> bool:
    """Whether `name` (a check, check:case or check:study/point) is a present name."""
    check, _, case = name.partition("/")[0].partition(":")
    return check in checks and case in ("", *(case.name for case in checks[check].named))


def same_case(case_id: str, checks: Mapping[str, Check]) -> tuple[str, ...]:
    """All other names of a case, present or older."""
    now = present(case_id, checks)
    check, _, case = now.partition(":")
    older = older_ids(checks[check], case) if check in checks else ()
    return tuple(name for name in (now, *older) if name != case_id)
