"""Upper bounds of the rates of a case: peak of its cores, memory, and which of them binds a section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tenken.base.words import digits, plural, si, size
from tenken.judge.common import Prepared, frequency, most_clock, peak_clock, plain_clock, spread, vector_clock
from tenken.judge.launch_set.providers import (
    best, device_memory, last_level_cache, page_kind, read_curve, recorded, working_set,
)
from tenken.model.assessment import Ceiling, CeilingFraction, SectionSummary
from tenken.model.limits import SURELY_UNCACHED, TEAMS
from tenken.model.machine import Machine, Node, Offer
from tenken.model.record import Record
from tenken.model.run import cores_by_host, nodes_of
from tenken.stats.robust import median

PRECISIONS = ("double", "single")
NO_ROOF = "runs on a device, whose ceilings were not measured"


@dataclass(frozen=True, slots=True)
class Roofs:
    """The ceilings of a case; where a ceiling is None the sentence says why."""

    peak: dict[str, Ceiling | None]  # by precision
    no_peak: str
    impossible: dict[str, float]  # flop/s that no code exceeds at the highest frequency seen; empty where not computed
    memory: Ceiling | None  # of the working set: where a cache holds it, the measured rate of that cache
    no_memory: str
    uncached: bool  # the working set is known to be far larger than the cache
    fits_cache: bool  # it is known to be smaller: memory does not bind
    elsewhere: dict[str, Ceiling | None]  # network, io
    moved: tuple[float, float] = (1.0, 1.0)  # quartiles of the clock of the peak over its median: how far it moved meanwhile


def roofs(case: Prepared, of_all: tuple[Offer, ...], machine: Machine) -> Roofs:
    """The ceilings of `case`. `of_all` are the rates that the checks of this run measured, and for the rest those of earlier
    runs; those of the class of this case's nodes count. A rate of processors, network and files included, is no ceiling
    of kernels on a device: these have the memory rate and the peak of the device, where their program recorded them."""
    if case.on_device:
        peaks, impossible, why_not = _peaks(case, machine, _device_peak)
        memory, why_no_memory = device_memory(case.measured[0].record) if case.measured else (None, NO_ROOF)
        return Roofs(peaks, why_not or NO_ROOF, impossible, memory, why_no_memory, False, False, {})
    hosts = [rank.host for rank in case.measured[0].record.rank] if case.measured else []
    node_class = "+".join(sorted({machine.node(host).node_class for host in hosts}))
    offers = tuple(offer for offer in of_all if offer.node_class == node_class)
    peaks, impossible, why_not = _peaks(case, machine, _computed_peak)
    for precision in PRECISIONS:
        if peaks[precision] is None:
            peaks[precision] = _measured_peak(case, offers, precision, machine)
    memory, why_no_memory = _memory(case, offers, machine)
    cached = [_fits_cache(each.record, nodes_of(each.record, machine)) for each in case.measured]
    return Roofs(
        peaks, why_not, impossible, memory, why_no_memory, _uncached(case, machine), bool(cached) and all(cached),
        {kind: _elsewhere(case, offers, kind) for kind in ("network", "io")}, _moved(case),
    )


def _peaks(
    case: Prepared, machine: Machine, peak_of: Callable[[Record, str, Machine], _Peak | str]
) -> tuple[dict[str, Ceiling | None], dict[str, float], str]:
    """Peaks and rates that no code exceeds, by precision, over all launches; and why any is not known."""
    peaks: dict[str, Ceiling | None] = dict.fromkeys(PRECISIONS)
    impossible: dict[str, float] = {}
    why_not = ""
    for precision in PRECISIONS:
        computed = [peak_of(each.record, precision, machine) for each in case.measured]
        known = [peak for peak in computed if isinstance(peak, _Peak)]
        if known and len(known) == len(computed):
            peaks[precision], impossible[precision] = _over_launches(known, precision)
        else:
            why_not = next((peak for peak in computed if isinstance(peak, str)), "")
    return peaks, impossible, why_not


def _device_peak(record: Record, precision: str, machine: Machine) -> _Peak | str:
    """Flop per cycle x clock measured in that launch x multiprocessors of all devices; or why it cannot be computed."""
    hz = recorded(record, f"device_clock/{precision}")
    count, capability = (recorded(record, f"device_{name}") for name in ("multiprocessors", "capability"))
    if not hz or not count or not capability:
        return NO_ROOF
    kind = f"{int(capability) // 10}.{int(capability) % 10}"
    device = machine.device(kind)
    if device is None:
        return f"machines/cores.toml has no flop per cycle for devices of compute capability {kind}: add it, with its source"
    per_cycle = device.flop_per_cycle_double if precision == "double" else device.flop_per_cycle_single
    value = per_cycle * hz * count
    formula = f"{digits(per_cycle)} flop/cycle x {digits(hz / 1e9)} GHz x {plural(int(count), 'multiprocessor')}"
    return _Peak(value, value, value, formula)


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
    most = None if ceiling.at_best is None else ceiling.at_best * part
    formula = f"{ceiling.formula}, {at} of {plural(threads, 'thread')}"
    return replace(ceiling, value=ceiling.value * part, at_best=most, formula=formula)


def section_ceilings(
    section: SectionSummary, roof: Roofs, precision: str, bounded_by_peak: bool
) -> tuple[CeilingFraction, ...]:
    """The bounds of a leaf section that computes, with the smallest roof at its intensity marked as binding.

    Where the memory rate is unknown, the peak binds only sections known to be bounded by it (`bounded_by_peak`).
    """
    if section.kind != "compute" or not section.leaf:
        return ()
    bounds: list[tuple[float, Ceiling, float]] = []  # seconds the work would take at the ceiling, ceiling, rate
    peak = roof.peak.get(precision)
    if peak is not None and section.flop_rate is not None:
        bounds.append((section.flop / peak.value, peak, section.flop_rate))
    if roof.memory is not None and section.byte_rate is not None:
        bounds.append((section.bytes / roof.memory.value, roof.memory, section.byte_rate))
    comparable = roof.memory is not None or roof.fits_cache or section.byte_rate is None or bounded_by_peak
    longest = max((seconds for seconds, _, _ in bounds), default=0.0) if comparable else None
    return tuple(
        CeilingFraction(ceiling, rate, rate / ceiling.value, binding=seconds == longest)
        for seconds, ceiling, rate in bounds
    )


@dataclass(frozen=True, slots=True)
class _Peak:
    value: float  # by multiply-adds
    most: float  # the same at the highest clock that it may have had
    highest: float  # with pipes that only add, at the highest frequency seen
    formula: str


def _computed_peak(record: Record, precision: str, machine: Machine) -> _Peak | str:
    """Flop per cycle x frequency measured in that launch x cores it keeps busy; or why it is unknown."""
    value = most = highest = 0.0
    cycles: set[float] = set()
    cores = cores_by_host(record, machine)
    for host, count in cores.items():
        node = machine.node(host)
        known = node.per_cycle(precision)
        if known is None:
            return f"machines/cores.toml has no flop per cycle for '{node.cpu}': add the core there, with its source"
        ranks = [rank for rank in record.rank if rank.host == host]
        samples = [hz for rank in ranks for hz in peak_clock(rank)]
        if not samples:
            return f"the frequency of {host} was not measured"
        per_cycle, of_all_pipes = known
        value += per_cycle * count * median(samples)
        most += per_cycle * count * median([hz for rank in ranks for hz in most_clock(rank)])
        highest += of_all_pipes * count * max([*samples, *(hz for rank in ranks for hz in plain_clock(rank))])
        cycles.add(per_cycle)
    total = sum(cores.values())
    per_cycle_mean = sum(cycles) / len(cycles)
    ghz = value / (per_cycle_mean * total) / 1e9
    clock = f"{digits(ghz)} GHz" + (" (under vectors)" if all(map(vector_clock, record.rank)) else "")
    return _Peak(value, max(value, most), highest, f"{digits(per_cycle_mean)} flop/cycle x {clock} x {plural(total, 'core')}")


def _moved(case: Prepared) -> tuple[float, float]:
    samples = tuple(hz for each in case.measured for rank in each.record.rank for hz in peak_clock(rank))
    ends = spread(samples)
    return (1.0, 1.0) if ends is None else (ends[0] / median(samples), ends[1] / median(samples))


def _over_launches(peaks: list[_Peak], precision: str) -> tuple[Ceiling, float]:
    """The formula is that of the launch nearest to the median."""
    value = median([peak.value for peak in peaks])
    nearest = min(peaks, key=lambda peak: abs(peak.value - value))
    most = median([peak.most for peak in peaks])
    ceiling = Ceiling(f"peak {precision}", "measured", value, nearest.formula, at_best=most if most > value else None)
    return ceiling, median([peak.highest for peak in peaks])


def _measured_peak(case: Prepared, offers: tuple[Offer, ...], precision: str, machine: Machine) -> Ceiling | None:
    """The best multiply-add rate of a core x cores; a check that measures it is compared with other cases."""
    rates = [offer for offer in offers if (offer.what, offer.precision) == ("flop", precision)]
    rate = best(rates)
    if rate is None or not case.measured:
        return None
    if case.case_run.check.offers("flop"):
        return _peak_of_neighbours(case, rates, precision, machine)
    cores = sum(cores_by_host(case.measured[0].record, machine).values())
    formula = f"best {rate.check} {_of(rate)}, {si(rate.rate, 'FLOP/s')} a core x {plural(cores, 'core')}"
    return Ceiling(f"peak {precision}", "measured", rate.rate * cores, formula, rate.date, _most(rate, cores))


def _peak_of_neighbours(case: Prepared, rates: list[Offer], precision: str, machine: Machine) -> Ceiling | None:
    """Flop per cycle that other cases reached x frequency of this case x cores; None where there is none."""
    own = case.case_run.case.id
    others = (offer for offer in rates if offer.hz and offer.case_id != own)
    other = max(others, key=lambda offer: offer.rate / (offer.hz or 1.0), default=None)
    frequencies = [hz for each in case.measured if (hz := frequency(each.record)) is not None]
    if other is None or other.hz is None or not frequencies:
        return None
    per_cycle, hz = other.rate / other.hz, median(frequencies)
    cores = sum(cores_by_host(case.measured[0].record, machine).values())
    formula = f"{other.case_id} {_of(other)}, {digits(per_cycle)} flop/cycle x {digits(hz / 1e9)} GHz x {plural(cores, 'core')}"
    most = _most(other, hz * cores / other.hz)
    return Ceiling(f"peak {precision}", "measured", per_cycle * hz * cores, formula, other.date, most)


def _most(rate: Offer, times: float) -> float | None:
    """The ceiling at most without other load: it widens to the fast side only."""
    return None if rate.at_best is None else rate.at_best * times


def _of(rate: Offer) -> str:
    return "of this run" if rate.date is None else f"of {rate.date}"


def _memory(case: Prepared, offers: tuple[Offer, ...], machine: Machine) -> tuple[Ceiling | None, str]:
    if not case.measured:
        return None, "no measurement"
    record = case.measured[0].record
    nodes = nodes_of(record, machine)
    own = case.case_run.check.offers("memory")
    cores = max(cores_by_host(record, machine).values())
    pages = page_kind(record)
    of_any_pages = [offer for offer in offers if offer.what == "memory"]
    # Huge pages are read faster than base pages: a record that states its pages is compared with equal pages alone.
    rates = [offer for offer in of_any_pages if pages in (None, offer.pages)]
    if _fits_cache(record, nodes):
        return _of_cache(record, nodes, [offer for offer in rates if offer.cores == cores and not own])
    measured = None if own else _bandwidth_for(cores, [offer for offer in rates if offer.uncached])
    if measured is not None:
        formula = f"{measured.metric} {_of(measured)} on {plural(measured.cores, 'core')}, {si(measured.rate, 'B/s')}"
        formula += f" x {plural(len(nodes), 'node')}"
        most = _most(measured, len(nodes))
        return Ceiling("memory", "measured", measured.rate * len(nodes), formula, measured.date, most), ""
    stated = [node.memory_rate_spec for node in nodes if node.memory_rate_spec is not None]
    if len(stated) == len(nodes):
        formula = f"specification, {si(stated[0], 'B/s')} x {plural(len(nodes), 'node')}"
        return Ceiling("memory", "spec", sum(stated), formula), ""
    missing = "no specification of the memory rate in the machine file"
    if not own and _bandwidth_for(cores, [offer for offer in of_any_pages if offer.uncached]) is not None:
        return None, f"the rate of memory was not measured on {pages} pages, which this case uses, and {missing}"
    return None, missing if own else f"no check in this run or an earlier one measured the rate of memory, and {missing}"


def _of_cache(record: Record, nodes: tuple[Node, ...], rates: list[Offer]) -> tuple[Ceiling | None, str]:
    """The rate of the cache that holds the working set, read off the curve that as many cores of a node measured."""
    set_bytes = working_set(record) or 0.0
    rate = read_curve(rates, set_bytes / len(nodes))
    if rate is None:
        sizes = f"working set {size(set_bytes)}, last-level cache {size(last_level_cache(nodes))}"
        return None, f"fits in cache ({sizes}): memory does not bind"
    name = level(set_bytes / len(nodes), rate.cores, nodes[0])
    formula = f"{rate.metric} {_of(rate)} at {size(set_bytes / len(nodes))} on {plural(rate.cores, 'core')}, "
    formula += f"{si(rate.rate, 'B/s')} x {plural(len(nodes), 'node')}"
    return Ceiling(name, "measured", rate.rate * len(nodes), formula, rate.date, _most(rate, len(nodes))), ""


def level(set_bytes: float, cores: int, node: Node) -> str:
    """The first cache level that holds so many bytes on so many cores."""
    for cache in node.caches:
        if set_bytes <= cache.bytes * max(cores // max(cache.cores, 1), 1):
            return f"cache L{cache.level}"
    return "cache"


def _elsewhere(case: Prepared, offers: tuple[Offer, ...], kind: str) -> Ceiling | None:
    """The rate of network or files that another check measured: at the size that this case records, else the best."""
    if case.case_run.check.offers(kind) or not case.measured:
        return None
    rates = [offer for offer in offers if offer.what == kind]
    sizes = {offer.by: recorded(case.measured[0].record, offer.by) for offer in rates if offer.by is not None}
    at = [read_curve((offer for offer in rates if offer.by == by), size) for by, size in sizes.items() if size is not None]
    rate = best(offer for offer in at if offer is not None) or best(rates)
    if rate is None:
        return None
    return Ceiling(kind, "measured", rate.rate, f"{rate.metric} {_of(rate)}", rate.date, rate.at_best)


def _bandwidth_for(cores: int, rates: list[Offer]) -> Offer | None:
    """The best rate of the smallest team with at least `cores`, else of the largest team."""
    enough = [offer.cores for offer in rates if offer.cores >= cores]
    team = min(enough) if enough else max((offer.cores for offer in rates), default=0)
    return best(offer for offer in rates if offer.cores == team)


def _fits_cache(record: Record, nodes: tuple[Node, ...]) -> bool:
    set_bytes = working_set(record)
    return set_bytes is not None and set_bytes < last_level_cache(nodes)


def _uncached(case: Prepared, machine: Machine) -> bool:
    sets = [(working_set(each.record), last_level_cache(nodes_of(each.record, machine))) for each in case.measured]
    return bool(sets) and all(used is not None and used >= SURELY_UNCACHED * cache for used, cache in sets)
