"""Upper bounds of the rates of a case: peak of its cores, memory, and which of them binds a section."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite

from tenken.judge.launches import cores_by_host, nodes_of
from tenken.judge.limits import CEILING_CHECKS, SURELY_UNCACHED, TEAMS, WORKING_SET
from tenken.judge.metrics import launch_values
from tenken.judge.phrases import digits, plural, si, size
from tenken.judge.prepared import Prepared
from tenken.model import units
from tenken.model.assessment import Ceiling, CeilingFraction, SectionSummary
from tenken.model.machine import Machine, Node
from tenken.model.record import Record
from tenken.stats.robust import median

PRECISIONS = ("double", "single")


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """A memory rate measured in this run: of one node, with so many of its cores."""

    cores: int
    rate: float
    metric: str


@dataclass(frozen=True, slots=True)
class Measurements:
    """What the micro-benchmarks of this run offer as ceilings to the others."""

    memory: tuple[Bandwidth, ...]
    core_rates: dict[str, float]  # flop/s of one core, by precision
    per_cycle: dict[tuple[str, str], float]  # flop per cycle of one core that each case reached, by case id and precision


@dataclass(frozen=True, slots=True)
class Roofs:
    """The ceilings of one case; where one is None the sentence says why."""

    peak: dict[str, Ceiling | None]  # by precision
    no_peak: str
    impossible: dict[str, float]  # flop/s that no code exceeds at the highest frequency seen; empty where not computed
    memory: Ceiling | None
    no_memory: str
    uncached: bool  # the working set is known to be far larger than the cache
    fits_cache: bool  # it is known to be smaller: memory does not bind


def measurements(cases: Iterable[Prepared], machine: Machine) -> Measurements:
    """Best rates of the ceiling checks of a run; wrong, faulty, oversubscribed and cached measurements are left out."""
    memory: list[Bandwidth] = []
    core_rates: dict[str, float] = {}
    per_cycle: dict[tuple[str, str], float] = {}
    for case in cases:
        if not case.valid or case.oversubscribed or case.fault is not None:
            continue
        for measured, sections in zip(case.measured, case.by_launch, strict=True):
            record = measured.record
            nodes, cores = nodes_of(record, machine), cores_by_host(record, machine)
            settings = case.case_run.check.settings(case.case_run.case.parameters)
            for metric in case.case_run.check.metrics:
                if case.case_run.case.check != CEILING_CHECKS.get(metric.ceiling):
                    continue
                for at, rate in launch_values(metric, measured, sections).items():
                    if metric.ceiling == "flop":
                        precision = metric.precision_at(settings)
                        core_rates[precision] = max(core_rates.get(precision, 0.0), rate / sum(cores.values()))
                        key, hz = (case.case_run.case.id, precision), _frequency(record)
                        if hz is not None:
                            per_cycle[key] = max(per_cycle.get(key, 0.0), rate / sum(cores.values()) / hz)
                    elif not _fits_cache(record, nodes):
                        busy = at * record.ranks if metric.by == TEAMS and at is not None else sum(cores.values())
                        name = f"{case.case_run.check.name}.{metric.name}"
                        memory.append(Bandwidth(max(busy // len(nodes), 1), rate / len(nodes), name))
    return Measurements(tuple(memory), core_rates, per_cycle)


def roofs(case: Prepared, measured: Measurements, machine: Machine, known: tuple[Ceiling, ...]) -> Roofs:
    """The ceilings of `case`; `known` are good ones of this node class from earlier runs (memory: of one node)."""
    peaks: dict[str, Ceiling | None] = {}
    impossible: dict[str, float] = {}
    why_not = ""
    for precision in PRECISIONS:
        computed = [_computed_peak(each.record, precision, machine) for each in case.measured]
        if all(isinstance(one, _Peak) for one in computed) and computed:
            peaks[precision], impossible[precision] = _over_launches(
                [one for one in computed if isinstance(one, _Peak)], precision
            )
        else:
            why_not = next((one for one in computed if isinstance(one, str)), "")
            peaks[precision] = _measured_peak(case, measured, precision, machine)
    memory, why_no_memory = _memory(case, measured, machine, known)
    cached = [_fits_cache(each.record, nodes_of(each.record, machine)) for each in case.measured]
    return Roofs(
        peaks, why_not, impossible, memory, why_no_memory, _uncached(case, machine), bool(cached) and all(cached)
    )


def roofs_at(roof: Roofs, by: str | None, at: int | None, threads: int) -> Roofs:
    """The ceilings of a section repeated over `by`: of a team of `at` of the `threads` threads of each rank, the peak is
    that part. The memory ceiling is left as it is."""
    if by != TEAMS or at is None:
        return roof
    part = at / threads
    peak = {precision: _part(ceiling, part, at, threads) for precision, ceiling in roof.peak.items()}
    return replace(roof, peak=peak, impossible={precision: rate * part for precision, rate in roof.impossible.items()})


def _part(ceiling: Ceiling | None, part: float, at: int, threads: int) -> Ceiling | None:
    if ceiling is None or part == 1:
        return ceiling
    return replace(ceiling, value=ceiling.value * part, formula=f"{ceiling.formula}, {at} of {plural(threads, 'thread')}")


def section_ceilings(
    section: SectionSummary, roof: Roofs, precision: str, bounded_by_peak: bool
) -> tuple[CeilingFraction, ...]:
    """What bounds a leaf section that computes, with the smallest roof at its intensity marked as binding.

    Where the memory rate is unknown, the peak binds only what is known to be bounded by it (`bounded_by_peak`).
    """
    if section.kind != "compute" or not section.leaf:
        return ()
    found: list[tuple[float, Ceiling, float]] = []  # seconds the work would take at the ceiling, ceiling, rate
    peak = roof.peak.get(precision)
    if peak is not None and section.flop_rate is not None:
        found.append((section.flop / peak.value, peak, section.flop_rate))
    if roof.memory is not None and section.byte_rate is not None:
        found.append((section.bytes / roof.memory.value, roof.memory, section.byte_rate))
    comparable = roof.memory is not None or roof.fits_cache or section.byte_rate is None or bounded_by_peak
    longest = max((seconds for seconds, _, _ in found), default=0.0) if comparable else None
    return tuple(
        CeilingFraction(ceiling, rate, rate / ceiling.value, binding=seconds == longest)
        for seconds, ceiling, rate in found
    )


@dataclass(frozen=True, slots=True)
class _Peak:
    value: float  # by multiply-adds
    highest: float  # with pipes that only add, at the highest frequency seen
    formula: str


def _computed_peak(record: Record, precision: str, machine: Machine) -> _Peak | str:
    """Flop per cycle x frequency measured in that launch x cores it keeps busy; or why it cannot be told."""
    value = highest = 0.0
    cycles: set[float] = set()
    cores = cores_by_host(record, machine)
    for host, count in cores.items():
        node = machine.node(host)
        known = node.per_cycle(precision)
        if known is None:
            return f"machines/cores.toml has no flop per cycle for '{node.cpu}': add its core there, with the source"
        samples = [
            hz for rank in record.rank if rank.host == host for hz in rank.trust.frequency_hz if isfinite(hz) and hz > 0
        ]
        if not samples:
            return f"the frequency of {host} was not measured"
        per_cycle, most = known
        value += per_cycle * count * median(samples)
        highest += most * count * max(samples)
        cycles.add(per_cycle)
    total = sum(cores.values())
    per_cycle_mean = sum(cycles) / len(cycles)
    ghz = value / (per_cycle_mean * total) / 1e9
    return _Peak(value, highest, f"{digits(per_cycle_mean)} flop/cycle x {digits(ghz)} GHz x {plural(total, 'core')}")


def _over_launches(peaks: list[_Peak], precision: str) -> tuple[Ceiling, float]:
    """The formula is that of the launch nearest to the median."""
    value = median([one.value for one in peaks])
    nearest = min(peaks, key=lambda one: abs(one.value - value))
    return Ceiling(f"peak {precision}", "measured", value, nearest.formula), median([one.highest for one in peaks])


def _measured_peak(case: Prepared, measured: Measurements, precision: str, machine: Machine) -> Ceiling | None:
    """The best multiply-add rate of a core in this run x cores; the check that measures it is held against its other cases."""
    rate = measured.core_rates.get(precision)
    if rate is None or not case.measured:
        return None
    if case.case_run.case.check == CEILING_CHECKS["flop"]:
        return _peak_of_neighbours(case, measured, precision, machine)
    cores = sum(cores_by_host(case.measured[0].record, machine).values())
    formula = f"best {CEILING_CHECKS['flop']} of this run, {si(rate, 'FLOP/s')} a core x {plural(cores, 'core')}"
    return Ceiling(f"peak {precision}", "measured", rate * cores, formula)


def _peak_of_neighbours(case: Prepared, measured: Measurements, precision: str, machine: Machine) -> Ceiling | None:
    """Flop per cycle that the other cases of this check reached x frequency of this case x cores: None where there is none."""
    own = case.case_run.case.id
    others = {other: rate for (other, kind), rate in measured.per_cycle.items() if kind == precision and other != own}
    samples = [hz for each in case.measured if (hz := _frequency(each.record)) is not None]
    if not others or not samples:
        return None
    best, hz = max(others, key=lambda other: others[other]), median(samples)
    cores = sum(cores_by_host(case.measured[0].record, machine).values())
    formula = f"{best} of this run, {digits(others[best])} flop/cycle x {digits(hz / 1e9)} GHz x {plural(cores, 'core')}"
    return Ceiling(f"peak {precision}", "measured", others[best] * hz * cores, formula)


def _frequency(record: Record) -> float | None:
    samples = [hz for rank in record.rank for hz in rank.trust.frequency_hz if isfinite(hz) and hz > 0]
    return median(samples) if samples else None


def _memory(
    case: Prepared, measured: Measurements, machine: Machine, known: tuple[Ceiling, ...]
) -> tuple[Ceiling | None, str]:
    if not case.measured:
        return None, "nothing was measured"
    record = case.measured[0].record
    nodes = nodes_of(record, machine)
    if _fits_cache(record, nodes):
        held = f"working set {size(_working_set(record) or 0)}, last-level cache {size(_cache(nodes))}"
        return None, f"fits in cache ({held}): memory does not bind"
    own = case.case_run.case.check == CEILING_CHECKS["memory"]
    cores = max(cores_by_host(record, machine).values())
    if not own and measured.memory:
        best = _bandwidth_for(cores, measured.memory)
        formula = f"{best.metric} of this run on {plural(best.cores, 'core')}, {si(best.rate, 'B/s')}"
        formula += f" x {plural(len(nodes), 'node')}"
        return Ceiling("memory", "measured", best.rate * len(nodes), formula), ""
    earlier = next((ceiling for ceiling in known if ceiling.name == "memory"), None)
    if not own and earlier is not None:
        formula = f"{earlier.formula} x {plural(len(nodes), 'node')}"
        return Ceiling("memory", earlier.kind, earlier.value * len(nodes), formula, earlier.date), ""
    rates = [node.memory_rate_spec for node in nodes]
    stated = [rate for rate in rates if rate is not None]
    if len(stated) == len(rates):
        formula = f"specification, {si(stated[0], 'B/s')} x {plural(len(nodes), 'node')}"
        return Ceiling("memory", "spec", sum(stated), formula), ""
    missing = "no specification of the memory rate in the machine file"
    return None, missing if own else f"no {CEILING_CHECKS['memory']} in this run and {missing}"


def _bandwidth_for(cores: int, entries: tuple[Bandwidth, ...]) -> Bandwidth:
    """The best rate of the smallest team with at least `cores`, else of the largest team."""
    enough = [entry.cores for entry in entries if entry.cores >= cores]
    team = min(enough) if enough else max(entry.cores for entry in entries)
    return max((entry for entry in entries if entry.cores == team), key=lambda entry: entry.rate)


def _working_set(record: Record) -> float | None:
    for value in record.values:
        if value.name == WORKING_SET and isfinite(value.value):
            return value.value * (units.factor(value.unit) if value.unit in units.UNITS else 1.0)
    return None


def _cache(nodes: tuple[Node, ...]) -> int:
    return sum(node.l3_bytes for node in nodes)


def _fits_cache(record: Record, nodes: tuple[Node, ...]) -> bool:
    working_set = _working_set(record)
    return working_set is not None and working_set < _cache(nodes)


def _uncached(case: Prepared, machine: Machine) -> bool:
    sets = [(_working_set(each.record), _cache(nodes_of(each.record, machine))) for each in case.measured]
    return bool(sets) and all(used is not None and used >= SURELY_UNCACHED * cache for used, cache in sets)
