"""A run as a column beside reference systems: its machine, and its figures with all that must agree before they are divided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from tenken.base import units
from tenken.base.words import plural
from tenken.machine.files import MachineFile
from tenken.model.assessment import Assessment, CaseAssessment, MetricSummary, SectionSummary
from tenken.model.check import Check, Counterpart
from tenken.model.formerly import present

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
