"""Figures of runs beside published rows and beside each other: figures that are not comparable get a note and no quotient."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from tenken.base import units
from tenken.base.words import plural
from tenken.machine.files import Files, MachineFile
from tenken.machine.reference import UNITS
from tenken.machine.side_by_side import NOT_STATED, Footnotes, Item, differing, items, line_of, place, same
from tenken.model.assessment import Assessment, Beside, CaseAssessment, MetricSummary, SectionSummary, TopicResult
from tenken.model.check import Check, Counterpart, present
from tenken.model.machine import Block, Line, Systems


@dataclass(frozen=True, slots=True)
class _Row:
    """Published figures of an application, section and size, by system."""

    cells: Mapping[int, Item]

    @property
    def first(self) -> Item:
        return self.cells[min(self.cells)]


def with_runs(
    systems: Systems, machines: Sequence[MachineFile], files: Files, runs: Mapping[int, Assessment], checks: Mapping[str, Check]
) -> Systems:
    """`systems` with the figures of `runs` (by column of `machines`): first beside published rows, then beside each other."""
    notes = Footnotes(systems.footnotes)
    ours = {number: figures(run, checks) for number, run in runs.items()}
    published = [item for number, machine in enumerate(machines) if number not in runs for item in items(number, machine, files)]
    blocks = list(_beside_published(ours, published, systems.names, notes))
    if len(runs) > 1:
        blocks += _among_runs(ours, systems.names, notes)
    for number, run in runs.items():
        for sentence in _not_there(run, checks, published, systems.names[number]):
            notes.number(sentence)
    return replace(systems, blocks=(*blocks, *systems.blocks), footnotes=tuple(notes.sentences))


def _beside_published(
    figures_of: Mapping[int, Sequence[Ours]], published: Sequence[Item], names: Sequence[str], notes: Footnotes
) -> Iterable[Block]:
    counterparts = [counterpart for each in figures_of.values() for ours in each for counterpart in ours.beside]
    wanted = dict.fromkeys((counterpart.application, counterpart.section) for counterpart in counterparts)
    for application, section in wanted:
        rows: list[dict[int, Item]] = []
        for item in published:
            if is_of(item, application, section):
                place(item, rows)
        lines: dict[tuple[str, str], dict[int, Item]] = {}
        for number, each in figures_of.items():
            for ours in each:
                if any((counterpart.application, counterpart.section) == (application, section) for counterpart in ours.beside):
                    lines.setdefault((ours.case, ours.name), {})[number] = _item(number, application, section, ours)
        for row in map(_Row, rows):
            apart = dict.fromkeys(counterpart.note for counterpart in counterparts if counterpart.note
                                  and (counterpart.application, counterpart.section) == (application, section))
            made = [_line(f"{case} {name}", {**row.cells, **own}, row.first.unit, names, notes, apart)
                    for (case, name), own in lines.items()]
            title = f"Beside {application}, {row.first.name}"
            yield Block(title, row.first.size, row.first.unit, "", tuple(apart), (), tuple(made))


def _among_runs(figures_of: Mapping[int, Sequence[Ours]], names: Sequence[str], notes: Footnotes) -> list[Block]:
    cases: dict[str, dict[tuple[str, str], dict[int, Item]]] = {}
    for number, each in figures_of.items():
        for ours in each:
            cells = cases.setdefault(ours.case, {}).setdefault((ours.name, ours.unit), {})
            cells[number] = _item(number, ours.case, ours.name, ours)
    blocks = []
    for case, lines in cases.items():
        apart: dict[str, None] = {}
        made = [_line(name, row, unit, names, notes, apart) for (name, unit), row in lines.items()]
        by_unit: dict[str, list[Line]] = {}
        for (_, unit), line in zip(lines, made, strict=True):
            by_unit.setdefault(unit, []).append(line)
        for unit, own in by_unit.items():
            sizes = dict.fromkeys(item.size for row in lines.values() for item in row.values())
            blocks.append(Block(case, next(iter(sizes)) if len(sizes) == 1 else "", unit, "", tuple(apart), (), tuple(own)))
            apart = {}  # written once a case
    return blocks


def _item(number: int, application: str, name: str, ours: Ours) -> Item:
    note = f"{ours.case} {ours.note}" if ours.note else ""
    return Item(number, application, ours.size, ours.unit, name, ours.value, None, None, ours.basis, note, "", "", ours.percent)


def _line(
    name: str, row: Mapping[int, Item], unit: str, names: Sequence[str], notes: Footnotes, apart: dict[str, None]
) -> Line:
    return replace(line_of(dict(sorted(row.items())), unit, names, notes, apart), name=name)


def is_of(item: Item, application: str, section: str) -> bool:
    """Sections of a whole application carry the number of their table."""
    return item.application == application and same(re.sub(r"^\d{3,4} ", "", item.name), section)


def _not_there(run: Assessment, checks: Mapping[str, Check], published: Sequence[Item], label: str) -> list[str]:
    """Which checks the run lacks that are shown beside a figure of the chosen systems."""
    lacking: dict[str, list[str]] = {}
    for check, counterpart in missing(run, checks):
        if any(is_of(item, counterpart.application, counterpart.section) for item in published):
            lacking.setdefault(check, []).append(f"{counterpart.application}, {counterpart.section}")
    return [
        f"{label} has no case of {check}, which is shown beside {'; '.join(dict.fromkeys(rows))}: ./tenken run {check}"
        for check, rows in lacking.items()
    ]


# Published figures of reference systems beside the metrics of a run: for each metric the best figure here and of each system.

T = TypeVar("T")


def with_references(run: Assessment, checks: Mapping[str, Check], files: Files) -> Assessment:
    """`run` with published figures beside the metrics of each of its topics."""
    systems = [machine for machine in files.machines.values() if machine.reference]
    published = [list(items(number, system, files)) for number, system in enumerate(systems)]
    names = [system.name for system in systems]
    shown = [ours for ours in figures(run, checks) if ours.beside]
    return replace(run, topics=tuple(_with_figures(topic, shown, published, names, checks) for topic in run.topics))


def _with_figures(
    topic: TopicResult, shown: Sequence[Ours], published: Sequence[Sequence[Item]], names: Sequence[str],
    checks: Mapping[str, Check],
) -> TopicResult:
    best: dict[tuple[str, str, tuple[Counterpart, ...]], Ours] = {}
    for ours in shown:
        if ours.case in topic.include:
            key = ours.case, _metric(ours), ours.beside
            best[key] = _better([best.get(key, ours), ours], lambda figure: float(figure.value), _higher(ours, checks))
    return replace(topic, beside=tuple(row for ours in best.values() for row in _rows(ours, published, names, checks)))


def _metric(ours: Ours) -> str:
    return ours.name.partition("/")[0]


def _higher(ours: Ours, checks: Mapping[str, Check]) -> bool:
    check = checks[ours.case.partition(":")[0]]
    return next(metric.better for metric in check.metrics if metric.name == _metric(ours)) == "higher"


def _better(figures: Sequence[T], value: Callable[[T], float], higher: bool) -> T:
    """The greatest, or the least; the first of equal figures."""
    return (max if higher else min)(figures, key=value)


def _rows(ours: Ours, published: Sequence[Sequence[Item]], names: Sequence[str], checks: Mapping[str, Check]) -> Iterable[Beside]:
    for number, system in enumerate(published):
        fitting = [
            item for item in system for counterpart in ours.beside
            if is_of(item, counterpart.application, counterpart.section) and " " not in item.value
            and UNITS[item.unit][0] == units.dimension(ours.unit)
        ]
        if fitting:
            best = _better(fitting, lambda item: float(item.value) * UNITS[item.unit][1], _higher(ours, checks))
            yield _beside(ours, best, names[number])


def _beside(ours: Ours, item: Item, system: str) -> Beside:
    mine = Item(-1, item.application, ours.size, ours.unit, ours.name, ours.value, None, None, ours.basis, "", "", "")
    size = f", {item.size}" if item.size and item.size != NOT_STATED else ""
    here = f"{ours.value} {ours.unit}".removesuffix(" 1")
    printed = f"{item.value} {item.unit}".removesuffix(" 1")
    return Beside(
        ours.case, ours.name, here, ours.percent, system, printed, item.percent_printed, f"{item.application}, {item.name}{size}",
        differing(item, mine),
    )


# A run as a column beside reference systems: its machine, and its figures with all that must agree before they are divided.

TEAMS = "teams"  # parameter of a thread sweep: a metric repeated over it states its own number of threads
DISTURBED = "measured under other load: a bound"


@dataclass(frozen=True, slots=True)
class Ours:
    """A figure of a case."""

    case: str  # check:case as it is called now
    name: str  # of the metric (with /AT where it is repeated), or a section
    unit: str
    value: str
    percent: float | None  # of its ceiling
    size: str
    basis: tuple[tuple[str, str], ...]
    note: str
    beside: tuple[Counterpart, ...]


def column(run: Assessment, label: str) -> MachineFile:
    """The nodes of a run, as a machine file would state them. The frequency is the median that was measured."""
    node = run.machine.nodes[0]
    clocks = [case.trust.frequency_ghz for case in run.cases if case.trust and case.trust.frequency_ghz]
    occasion = f"run {run.run} of {run.suite} on {run.machine.name}, {units.moment(run.started)}; clock as measured"
    return MachineFile(
        name=label, title=f"{'DRILL, ' if run.drill else ''}{occasion}", path=run.folder, core=node.core,
        frequency_ghz=median(clocks) if clocks else None, cores=node.cores, sockets=node.sockets, nodes=len(run.machine.nodes),
        memory_bytes=node.memory_bytes, memory_rate_spec=node.memory_rate_spec,
    )


def figures(run: Assessment, checks: Mapping[str, Check]) -> list[Ours]:
    """Metrics, then leaf sections; none of a case whose answer is wrong. A check's folder names figures beside its metrics."""
    ours = []
    for case in run.cases:
        now = present(case.id, checks)
        check = checks.get(now.partition(":")[0])
        for metric in case.metrics:
            if metric.value is not None:
                ours.append(_of_metric(now, case, metric, check, len(run.machine.nodes)))
        if any(metric.value is not None for metric in case.metrics):
            ours += [_of_section(now, case, section, len(run.machine.nodes)) for section in case.sections if section.leaf]
    return ours


def _of_metric(now: str, case: CaseAssessment, metric: MetricSummary, check: Check | None, nodes: int) -> Ours:
    spec = next((other for other in check.metrics if other.name == metric.name), None) if check else None
    flop = check is not None and spec is not None and metric.quantity == "flop_rate"
    precisions = (section.precisions for section in case.sections if section.path == metric.section)
    stated = next((each[0] for each in precisions if each), None)
    precision = stated or spec.precision if flop and spec else ""
    beside = [counterpart for counterpart in (check.counterparts if check else ())
              if counterpart.metric == metric.name and counterpart.at in (None, metric.at)]
    at = "" if metric.at is None else f"/{metric.at}"
    return Ours(
        now, f"{metric.name}{at}", metric.unit, f"{metric.value or 0.0:.4g}",
        _percent(case, metric, precision), _size(case),
        _basis(case, nodes, precision, metric.launches, metric.at if spec is not None and spec.by == TEAMS else None),
        DISTURBED if metric.disturbed else "", tuple(beside),
    )


def _percent(case: CaseAssessment, metric: MetricSummary, precision: str) -> float | None:
    """Of its own ceiling; a flop rate that has none, of the peak that bounds sections of its case."""
    if metric.fraction is not None:
        return 100 * metric.fraction
    ceilings = [ceiling.ceiling for section in case.sections for ceiling in section.ceilings]
    peaks = [ceiling.value for ceiling in ceilings if ceiling.name == f"peak {precision}"]
    same_cores = len(set(peaks)) == 1 and metric.at is None
    return 100 * (metric.value or 0.0) * units.factor(metric.unit) / peaks[0] if precision and same_cores else None


def _of_section(now: str, case: CaseAssessment, section: SectionSummary, nodes: int) -> Ours:
    bound = next((ceiling for ceiling in section.ceilings if ceiling.binding), None)
    disturbed = DISTURBED if case.trust is not None and case.trust.disturbed else ""
    return Ours(
        now, f"section {section.path}", "s", f"{section.median_ns * 1e-9:.4g}", 100 * bound.fraction if bound else None,
        _size(case), _basis(case, nodes, "", section.launches), disturbed, (),
    )


def _size(case: CaseAssessment) -> str:
    """The parameters of the case but for those that say how long and how it is measured."""
    own = {name: value for name, value in case.parameters.items() if name not in ("seconds", "repetitions")}
    return " ".join(f"{name}={_value(value)}" for name, value in own.items())


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _basis(
    case: CaseAssessment, nodes: int, precision: str, launches: int, threads: int | None = None
) -> tuple[tuple[str, str], ...]:
    return (
        ("nodes", str(nodes)), ("ranks", str(case.ranks)), ("cores a rank", str(threads or case.threads)),
        ("precision", precision),
        ("statistic", f"median of {plural(launches, 'launch')}"),
    )


def missing(run: Assessment, checks: Mapping[str, Check]) -> Iterator[tuple[str, Counterpart]]:
    """(check, published figures that it is shown beside) of the checks that the run has no case of."""
    there = {present(case.id, checks).partition(":")[0] for case in run.cases}
    for check in checks.values():
        if check.name not in there:
            for counterpart in check.counterparts:
                yield check.name, counterpart
