"""Compute times in cycles: what neither L3 nor memory binds follows the clock, and is compared at the clock of this run.

Only change against a baseline is sharpened so. Environments, variants and requirements are decided in seconds: code that
lowers the clock pays for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tenken.judge.ceilings import Roofs, roofs
from tenken.judge.clock import PLAIN, VECTORS
from tenken.judge.prepared import Prepared
from tenken.judge.sections import stated_path
from tenken.judge.speed import ceilings_of
from tenken.model.assessment import SectionSummary
from tenken.model.baseline import LaunchValues
from tenken.model.machine import Machine
from tenken.model.offer import Offer
from tenken.stats.robust import median

OF_THE_CORE = ("cache L1", "cache L2")  # ceilings that rise and fall with its clock, as the peak does
TIMES, RATES = ("time", "time_per_call"), ("flop_rate", "byte_rate")
Powers = Mapping[str, int]  # by quantity: 1 a time, which is longer at a lower clock, -1 a rate


def clock_bound(case: Prepared, offers: tuple[Offer, ...], machine: Machine) -> Powers:
    """The quantities of `case` that follow the clock of its cores: of sections that the peak or a cache of the core binds."""
    if not case.measured or case.oversubscribed:
        return {}
    roof, found = roofs(case, offers, machine), {}
    for section in case.sections:
        if section.kind != "compute" or not _bound(section, case, roof):
            continue
        found[f"time:{section.path}"] = 1
        for metric in case.case_run.check.metrics:
            if metric.section == stated_path(section) and metric.quantity in TIMES + RATES:
                name = f"metric:{metric.name}" + ("" if section.at is None else f"/{section.at}")
                found[name] = 1 if metric.quantity in TIMES else -1
    return found


def _bound(section: SectionSummary, case: Prepared, roof: Roofs) -> bool:
    binding = next((one.ceiling for one in ceilings_of(section, case, roof) if one.binding), None)
    if binding is None:
        return False
    if binding.name in OF_THE_CORE:
        return True
    stated = any(one.ceiling == "flop" and one.section == stated_path(section) for one in case.case_run.check.metrics)
    # Where the rate of its bytes is not known, an L3 may bind what seems bound by the peak.
    return binding.name.startswith("peak") and (stated or section.byte_rate is None or roof.memory is not None)


def common_clock(launches: Iterable[LaunchValues], of: Powers) -> str | None:
    """The clock that every launch knows which has one of these quantities; that under vectors before the plain one."""
    timed = [set(one.values) for one in launches if not of.keys().isdisjoint(one.values)]
    return next((name for name in (VECTORS, PLAIN) if timed and all(name in each for each in timed)), None)


def reference(launches: Iterable[LaunchValues], clock: str) -> float:
    """The clock of the run that is judged, in GHz."""
    return median([one.values[clock] for one in launches if clock in one.values])


def at_clock(launch: LaunchValues, of: Powers, clock: str, ghz: float) -> LaunchValues:
    """What the quantities of `launch` would have been at `ghz`: as many cycles."""
    if clock not in launch.values:
        return launch
    factor = launch.values[clock] / ghz
    return replace(launch, values={name: one * factor ** of.get(name, 0) for name, one in launch.values.items()})
