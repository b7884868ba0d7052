"""Disturbed launches are repeated once; of the two the cleaner counts."""

from __future__ import annotations

from tenken.judge.common.sections import Launches, launch_sections
from tenken.judge.common.shared import launches_on
from tenken.judge.common.trust import readings, throttled_fraction
from tenken.judge.common.unlike import comparable, steady_sections, uneven, unsteadiness
from tenken.model.assessment import SectionSummary
from tenken.model.check import Check
from tenken.model.limits import DISTURBED
from tenken.model.machine import Machine
from tenken.model.run import CaseRun, Measured, crowding, nodes_of

Sections = tuple[SectionSummary, ...]


def disturbed_launches(case_run: CaseRun, machine: Machine) -> tuple[int, ...]:
    """Numbers of the finished launches that met other load and were not repeated yet.

    A launch that itself confirms another is never named: a single repetition is enough. Ranks that share
    cores or a card disturb each other: their launches are not repeated.
    """
    confirmed = {launch.confirms for launch in case_run.launches}
    return tuple(
        measured.launch.number
        for measured in launches_on(case_run, machine)
        if measured.launch.confirms is None
        and measured.launch.number not in confirmed
        and not case_run.case.oversubscribed
        and not crowding(measured.record, machine)
        and disturbance(measured, case_run.check, machine) > 1.0
    )


def chosen_launches(case_run: CaseRun, machine: Machine, known: Launches | None = None) -> tuple[Measured, ...]:
    """The launches whose figures count: a confirming launch replaces the launch it repeats where it is cleaner."""
    known = known or Launches()
    measured = {each.launch.number: each for each in launches_on(case_run, machine)}
    dropped = set()
    for each in measured.values():
        first = measured.get(each.launch.confirms or 0)
        if first is not None:
            again, before = (disturbance(launch, case_run.check, machine, known.sections(launch)) for launch in (each, first))
            dropped.add((first if again < before else each).launch.number)
    return tuple(each for number, each in measured.items() if number not in dropped)


def disturbance(measured: Measured, check: Check, machine: Machine, sections: Sections | None = None) -> float:
    """How disturbed a launch was: its worst figure over its limit, above 1 disturbed. `sections`: of it, where they are known.

    Where a node is not ours alone other load is invisible from inside, and unsteadiness is its evidence.
    """
    worst = max((reading.ratio for reading in readings(measured)), default=0.0)
    if (throttled_fraction(measured) or 0.0) > DISTURBED or all(
        node.exclusive for node in nodes_of(measured.record, machine)
    ):
        return worst
    sections = launch_sections(measured) if sections is None else sections
    apart = uneven(comparable(sections), (sections,)) if measured.record.ranks > 1 else []
    figures = [unsteadiness(section, check) for section in steady_sections(sections, check)]
    figures += [section.imbalance / section.imbalance_limit for section in apart]
    return max([worst, *figures])
