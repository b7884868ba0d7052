"""The quantities of a launch: those that a baseline stores, and those that are compared with a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from tenken.base import units
from tenken.judge.common.confirm import disturbance
from tenken.judge.common.prepared import Prepared
from tenken.judge.common.sections import at_best, stated_path
from tenken.judge.common.trust import clocks_of, other_load, readings
from tenken.judge.common.unlike import DISTANCE, distance_of, section_class, steady_sections
from tenken.model.assessment import SectionSummary
from tenken.model.baseline import LaunchValues, Quantity
from tenken.model.check import Check, MetricSpec
from tenken.model.limits import KEPT_BELOW, SHORT_NS, SMALL_SHARE
from tenken.model.machine import Machine
from tenken.model.run import Measured

Values = dict[str, float]


def launch_values(
    metric: MetricSpec, measured: Measured, sections: tuple[SectionSummary, ...], best: bool = False
) -> dict[int | None, float]:
    """The metric in a launch, in base units (s, flop/s, byte/s, ...), by the value it is repeated over, if any.

    `best`: without the time that other load may have cost.
    """
    if metric.quantity.startswith("value:"):
        return _recorded(metric, measured)
    by_place = {}
    for section in sections:
        if stated_path(section) == metric.section and (section.at is not None) == (metric.by is not None):
            value = _quantity(metric.quantity, at_best(section) if best else section)
            if value is not None:
                by_place[section.at] = value
    return by_place


def quantities_of(case: Prepared, machine: Machine) -> tuple[tuple[Quantity, ...], tuple[LaunchValues, ...]]:
    """The part of a case that a baseline stores: its quantities and their values in each undisturbed launch.

    Metrics are in their unit, section times in ns. A section that a metric states has no time of its own, so that
    nothing is judged twice. Times of sections still worth no look are stored too, so that a section that grows is known.
    Nothing where the answer is wrong, unproven or the case is oversubscribed. Where no launch was undisturbed, those count
    that met nothing but other hardware threads on their cores, with the values they may have had without.
    """
    quantities, steady, _ = _all(case, machine, KEPT_BELOW)
    launches = steady or (_bounded(case, KEPT_BELOW) if quantities else ())
    everywhere = [quantity for quantity in quantities if all(quantity.name in values.values for values in launches)]
    if not launches:
        return (), ()

    def least(values: Values) -> Values:
        return {quantity.name: values[quantity.name] for quantity in everywhere if quantity.name in values}

    return tuple(everywhere), tuple(LaunchValues(each.launch, least(each.values), least(each.best)) for each in launches)


def _bounded(case: Prepared, weight: float) -> tuple[LaunchValues, ...]:
    """The launches that met nothing but other hardware threads on their cores, with their values at best."""
    pairs = zip(case.measured, _launches(case, {}, weight=weight), _launches(case, {}, best=True, weight=weight), strict=True)
    return tuple(
        LaunchValues(now.launch, now.values, {name: each for name, each in best.values.items() if each != now.values.get(name)})
        for measured, now, best in pairs if other_load(measured) is None and any(each.exceeded for each in readings(measured))
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """The part of a case that is compared with its baseline. `fast` are `launches` without the time other load may have cost."""

    quantities: tuple[Quantity, ...]
    launches: tuple[LaunchValues, ...]
    fast: tuple[LaunchValues, ...]


def values_to_judge(case: Prepared, machine: Machine) -> Judged:
    """Like `quantities_of`, but a launch may lack quantities, and unsteady launches count for loss and jitter.

    Where a node is not ours alone unsteadiness makes a launch disturbed; against a baseline unsteadiness itself is judged,
    as long as no counter tells of other load beyond its limit. Where every launch met other load their times are
    bounds; loss and jitter always are, since less than makes a launch disturbed may be all that a short section shows.
    """
    quantities, steady, unsteady = _all(case, machine)
    if not quantities:
        return Judged((), (), ())
    quantities = tuple(quantity for quantity in quantities if quantity.name != DISTANCE)  # by which sittings are chosen
    best = {each.launch: each.values for each in _launches(case, {}, best=True)}
    now = steady or tuple(LaunchValues(each.launch, _times(each.values)) for each in _launches(case, {}))
    now += tuple(LaunchValues(each.launch, _excesses(each.values)) for each in unsteady)

    def at_most(each: LaunchValues) -> LaunchValues:
        known = _excesses(best[each.launch]) if steady else best[each.launch]
        return LaunchValues(each.launch, {name: known.get(name, value) for name, value in each.values.items()})

    return Judged(quantities, now, tuple(map(at_most, now)))


def every_launch(runs: Sequence[Prepared]) -> tuple[tuple[Quantity, ...], tuple[dict[int, Values], ...]]:
    """The quantities of a case that was measured in several runs, and for each run its values by launch number.

    Disturbed or not: where launches of the runs were made in turn, all met the same neighbours, and leaving out unsteady
    launches would hide a run that is unsteady by itself. A section is looked at where it has weight in any of the runs.
    """
    timed, repeated = (frozenset().union(*some) for some in zip(*map(_of_weight, runs), strict=True))
    quantities: dict[str, Quantity] = {}
    values = tuple(
        {
            measured.launch.number: _metrics(case, measured, sections, quantities)
            | _sections(case.case_run.check, sections, quantities, timed, repeated)
            for measured, sections in zip(case.measured, case.by_launch, strict=True)
        }
        for case in runs
    )
    return tuple(quantities.values()), values


def _all(case: Prepared, machine: Machine, weight: float = 1.0) -> tuple[
    tuple[Quantity, ...], tuple[LaunchValues, ...], tuple[LaunchValues, ...]
]:
    """Quantities, undisturbed launches, and launches whose only disturbance is their own unsteadiness."""
    if not case.measured or not case.valid or not case.proofs or case.crowded:
        return (), (), ()
    quantities: dict[str, Quantity] = {}
    steady: list[LaunchValues] = []
    unsteady: list[LaunchValues] = []
    launches = _launches(case, quantities, weight=weight)
    for measured, sections, values in zip(case.measured, case.by_launch, launches, strict=True):
        if disturbance(measured, case.case_run.check, machine, sections) <= 1.0:
            steady.append(values)
        elif all(reading.ratio <= 1.0 for reading in readings(measured)):
            unsteady.append(values)
    return tuple(quantities.values()), tuple(steady), tuple(unsteady)


def _launches(
    case: Prepared, quantities: dict[str, Quantity], best: bool = False, weight: float = 1.0
) -> list[LaunchValues]:
    """The values of every launch, as measured or at `best`; their quantities are added to `quantities`."""
    paths, launches = _of_weight(case, weight), []
    for measured, own in zip(case.measured, case.by_launch, strict=True):
        sections = tuple(map(at_best, own)) if best else own
        values = _metrics(case, measured, sections, quantities)
        values |= _sections(case.case_run.check, sections, quantities, *paths)
        clocks = clocks_of(measured.record)
        quantities |= {name: Quantity(name, "GHz", "higher", "compute") for name in clocks}
        distance = distance_of(measured.record)
        quantities |= {name: Quantity(name, "ns", "lower", "latency") for name in distance}
        launches.append(LaunchValues(measured.launch.number, values | clocks | distance))
    return launches


def _excesses(values: Values) -> Values:
    return {name: value for name, value in values.items() if not _is_time(name)}


def _times(values: Values) -> Values:
    return {name: value for name, value in values.items() if _is_time(name)}


def _is_time(name: str) -> bool:
    return not name.startswith(("loss:", "jitter:"))


def _metrics(
    case: Prepared, measured: Measured, sections: tuple[SectionSummary, ...], quantities: dict[str, Quantity]
) -> Values:
    values: Values = {}
    for metric in case.case_run.check.metrics:
        for at, value in launch_values(metric, measured, sections).items():
            name = f"metric:{metric.name}" if at is None else f"metric:{metric.name}/{at}"
            quantities.setdefault(name, Quantity(name, metric.unit, metric.better, metric.klass))
            values[name] = value / units.factor(metric.unit)
    return values


def _of_weight(case: Prepared, weight: float = 1.0) -> tuple[frozenset[str], frozenset[str]]:
    """Paths of the sections whose time has that part of the weight worth a look, and of those whose loss and jitter have all."""
    timed = frozenset(
        each.path for each in case.sections
        if each.leaf and each.kind != "wait" and each.share >= weight * SMALL_SHARE and each.median_ns >= weight * SHORT_NS
    )
    return timed, frozenset(section.path for section in steady_sections(case.sections, case.case_run.check))


def _sections(
    check: Check, sections: tuple[SectionSummary, ...], quantities: dict[str, Quantity], timed: frozenset[str],
    repeated: frozenset[str],
) -> Values:
    stated = {metric.section for metric in check.metrics if not metric.quantity.startswith("value:")}
    values: Values = {}
    for section in sections:
        shown: list[tuple[str, str, float]] = []
        if section.path in timed and not section.once and stated_path(section) not in stated:
            shown.append(("time", "ns", section.median_ns))
        if section.path in repeated:
            shown += [("loss", "elapsed/(n x median) - 1", section.loss), ("jitter", "MAD/median", section.jitter)]
        for kind, unit, value in shown:
            name = f"{kind}:{section.path}"
            quantities.setdefault(name, Quantity(name, unit, "lower", section_class(section, check)))
            values[name] = value
    return values


def _quantity(quantity: str, section: SectionSummary) -> float | None:
    if quantity == "time":
        return section.median_ns * 1e-9
    if quantity == "time_per_call":
        return section.median_ns * 1e-9 / section.calls if section.calls > 0 else None
    if quantity == "flop_rate":
        return section.flop_rate
    if quantity == "byte_rate":
        return section.byte_rate
    return section.messages / section.median_ns * 1e9 if section.messages > 0 and section.median_ns > 0 else None


def _recorded(metric: MetricSpec, measured: Measured) -> dict[int | None, float]:
    """Value NAME of the record, or NAME/1, NAME/2, ... where the metric is repeated."""
    name = metric.quantity.removeprefix("value:")
    by_place: dict[int | None, float] = {}
    for value in measured.record.values:
        at = value.name.removeprefix(name + "/")
        place = int(at) if metric.by is not None and at != value.name and at.isdigit() else None
        named = place is not None if metric.by is not None else value.name == name
        same_kind = value.unit in units.UNITS and units.dimension(value.unit) == units.dimension(metric.unit)
        if named and same_kind and isfinite(value.value):
            by_place[place] = value.value * units.factor(value.unit)
    return by_place
