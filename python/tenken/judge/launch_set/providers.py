"""Rates that the checks of a run measure for all others: ceilings, over sizes a curve."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import exp, isfinite, log

from tenken.base import units
from tenken.base.words import percent, plural, si, size
from tenken.judge.common import Prepared, finding, frequency, launch_values, trusted
from tenken.model.assessment import Ceiling, Finding
from tenken.model.check import MetricSpec
from tenken.model.limits import HUGE, OF_HUGE, PAGE_SIZE, PROVIDERS_DIFFER, SURELY_HUGE, SURELY_UNCACHED, TEAMS, WORKING_SET
from tenken.model.machine import Machine, Node, Offer
from tenken.model.record import Record
from tenken.model.run import Measured, cores_by_host, nodes_of, rank_with_fewest
from tenken.model.verdict import Axis, Verdict

UNITS = {"flop": "FLOP/s", "memory": "B/s", "network": "B/s", "io": "B/s"}


def offers_of(cases: Iterable[Prepared], machine: Machine) -> tuple[Offer, ...]:
    """The offers of a run to cases on processors; wrong, faulty and oversubscribed measurements are left out, rates of devices,
    and rates without their size."""
    offers: list[Offer] = []
    for case in cases:
        if not case.valid or case.crowded or case.strangers or case.fault is not None or not case.measured:
            continue
        if case.on_device or not any(metric.provides for metric in case.case_run.check.metrics):
            continue
        if any(rank_with_fewest(each.record) for each in case.measured):
            continue
        disturbed = trusted(case.measured, machine).disturbed
        for measured, sections in zip(case.measured, case.by_launch, strict=True):
            for metric in case.case_run.check.metrics:
                if metric.provides is not None:
                    best_of = launch_values(metric, measured, sections, best=True)
                    for at, rate in launch_values(metric, measured, sections).items():
                        rates = rate, best_of.get(at, rate)
                        offers += _offer(case, metric, measured, at, rates, disturbed, machine)
    return tuple(offers)


def with_known(offers: tuple[Offer, ...], known: Iterable[Offer]) -> tuple[Offer, ...]:
    """The offers of this run, and where it measured none, or only under other load, the good ones of earlier runs."""
    here = {(offer.node_class, offer.kind) for offer in offers if not offer.disturbed}
    return offers + tuple(offer for offer in known if (offer.node_class, offer.kind) not in here)


def _offer(
    case: Prepared, metric: MetricSpec, measured: Measured, at: int | None, rates: tuple[float, float], disturbed: bool,
    machine: Machine,
) -> list[Offer]:
    """No offer where the rate is a curve and the record does not tell its size. `rates`: as measured, and at best."""
    provides, record, check = metric.provides, measured.record, case.case_run.check
    if provides is None:
        return []
    nodes = nodes_of(record, machine)
    cores = sum(cores_by_host(record, machine).values())
    if metric.by == TEAMS and at is not None:
        cores = at * record.ranks
    size = None
    if provides.by is not None:
        size = float(at) if provides.by == metric.by and at is not None else recorded(record, provides.by)
        if size is None:
            return []
    divisor = {"flop": cores, "memory": len(nodes)}.get(provides.what, 1)
    per_node = size / len(nodes) if size is not None and provides.what == "memory" else size
    return [
        Offer(
            what=provides.what,
            precision=provides.precision,
            metric=f"{check.name}.{metric.name}",
            case_id=case.case_run.case.id,
            node_class="+".join(sorted({node.node_class for node in nodes})),
            cores=max(cores // len(nodes), 1),
            rate=rates[0] / divisor,
            by=provides.by,
            size=per_node,
            uncached=size is not None and size >= SURELY_UNCACHED * last_level_cache(nodes),
            disturbed=disturbed,
            hz=frequency(record),
            at_best=rates[1] / divisor if rates[1] > rates[0] else None,
            pages=page_kind(record) if provides.what == "memory" else None,
        )
    ]


def page_kind(record: Record) -> str | None:
    """The kind of pages, base or huge, that the program measured, else that it asked for; None for a mixture, or unknown."""
    share = _huge_share(record)
    if share is None:
        kind = record.parameters.get(PAGE_SIZE)
        return kind if kind in ("base", "huge") else None
    return "huge" if share >= SURELY_HUGE else "base" if 1 - share >= SURELY_HUGE else None


def pages_refused(case_id: str, records: Iterable[Record]) -> str | None:
    """A sentence where a launch asked for huge pages and the kernel gave them to less than SURELY_HUGE of its memory."""
    shares = [share for each in records if each.parameters.get(PAGE_SIZE) == "huge" and (share := _huge_share(each)) is not None]
    if not shares or min(shares) >= SURELY_HUGE:
        return None
    return (
        f"{case_id} asked for huge pages; {percent(min(shares))} of its memory is on huge pages "
        "(see /sys/kernel/mm/transparent_hugepage/enabled and the free memory)"
    )


def _huge_share(record: Record) -> float | None:
    huge, asked = recorded(record, HUGE), recorded(record, OF_HUGE)
    return huge / asked if huge is not None and asked else None


def recorded(record: Record, name: str) -> float | None:
    """The value `name` of a record in its base unit; None where it is missing or not finite."""
    for value in record.values:
        if value.name == name and isfinite(value.value):
            return value.value * (units.factor(value.unit) if value.unit in units.UNITS else 1.0)
    return None


def last_level_cache(nodes: tuple[Node, ...]) -> int:
    return sum(node.l3_bytes for node in nodes)


def working_set(record: Record) -> float | None:
    """Bytes that all ranks of a record touch in a repetition."""
    return recorded(record, WORKING_SET)


def device_memory(record: Record) -> tuple[Ceiling | None, str]:
    """The memory rate of the devices of a launch by clock and bus width; or why it binds nothing, or is not known."""
    rate, cache, used = recorded(record, "device_memory_rate"), recorded(record, "device_cache_bytes"), working_set(record)
    if not rate:
        return None, "the driver did not report the memory rate of the device"
    if cache and used is not None and used < cache:
        return None, f"fits in the cache of the device (working set {size(used)}, cache {size(cache)}): memory does not bind"
    return Ceiling("memory", "spec", rate, f"memory clock x bus width of the devices, {si(rate, 'B/s')}"), ""


def best(offers: Iterable[Offer]) -> Offer | None:
    ordered = sorted(offers, key=lambda offer: -offer.rate)
    return ordered[0] if ordered else None


def read_curve(offers: Iterable[Offer], size: float) -> Offer | None:
    """The best rate at `size`, between two sizes that were measured on a straight line of both logarithms.

    None outside of them: a smaller set may be faster.
    """
    curve: dict[float, Offer] = {}
    for offer in offers:
        if offer.size and (offer.size not in curve or curve[offer.size].rate < offer.rate):
            curve[offer.size] = offer
    below = max((at for at in curve if at <= size), default=None)
    above = min((at for at in curve if at >= size), default=None)
    if below is None or above is None:
        return None
    if below == above:
        return curve[below]
    part = log(size / below) / log(above / below)
    ends = curve[below], curve[above]
    rate, most = (
        exp((1 - part) * log(low) + part * log(high))
        for low, high in (tuple(offer.rate for offer in ends), tuple(offer.at_best or offer.rate for offer in ends))
    )
    return replace(curve[below], rate=rate, size=size, at_best=most if most > rate else None)


def disagreements(offers: tuple[Offer, ...]) -> tuple[Finding, ...]:
    """Two checks whose best rates of the same kind differ by more than PROVIDERS_DIFFER, reported at the slower one's case.

    The slower one's measurement met no other's load: that would only explain it.
    """
    groups: dict[tuple[object, ...], dict[str, Offer]] = {}
    for offer in offers:
        if offer.what == "memory" and not offer.uncached:
            continue
        at = None if offer.uncached else offer.size
        same = (offer.what, offer.precision) if offer.what == "flop" else (offer.what, offer.cores, offer.pages, at)
        of_check = groups.setdefault(same, {})
        if offer.check not in of_check or of_check[offer.check].rate < offer.rate:
            of_check[offer.check] = offer
    findings = []
    for of_check in groups.values():
        fastest = max(of_check.values(), key=lambda offer: offer.rate)
        for offer in of_check.values():
            if offer.rate < (1 - PROVIDERS_DIFFER) * fastest.rate and not offer.disturbed:
                findings.append(_differ(offer, fastest))
    return tuple(findings)


def _differ(slow: Offer, fast: Offer) -> Finding:
    unit = UNITS[slow.what]
    of = f"{slow.what} {slow.precision} of a core" if slow.what == "flop" else f"{slow.what} on {plural(slow.cores, 'core')}"
    return finding(
        Axis.SPEED, Verdict.WARN, slow.case_id,
        f"two ceilings of {of} differ by {percent(1 - slow.rate / fast.rate)}, limit {percent(PROVIDERS_DIFFER)}: "
        f"{slow.metric} {si(slow.rate, unit)}, {fast.metric} {si(fast.rate, unit)}; one of them is wrong",
        f"best of {slow.case_id} and of {fast.case_id}",
        measured=slow.rate, expected=fast.rate, band=((1 - PROVIDERS_DIFFER) * fast.rate, None), unit=unit,
    )
