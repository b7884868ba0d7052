"""The launches that count: disturbed launches are repeated once, and of the two the cleaner counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tenken.judge.common.sections import Launches, launch_sections
from tenken.judge.common.trust import readings, throttled_fraction
from tenken.judge.common.unlike import comparable, steady_sections, uneven, unsteadiness
from tenken.model.assessment import SectionSummary
from tenken.model.check import Check
from tenken.model.limits import DISTURBED, FEWEST_REPETITIONS, SHARED_CORE, SHARED_LOSES
from tenken.model.machine import Machine, Node
from tenken.model.record import Rank
from tenken.model.run import CaseRun, Measured, crowding, measured_launches, nodes_of

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


def launches_on(case_run: CaseRun, machine: Machine) -> tuple[Measured, ...]:
    """Each finished launch whose record could be read, with the time its ranks lost to other hardware threads of their cores.

    A guest of a hypervisor sees its neighbours so, which no counter tells it. The threads of a core share its adders: where
    another works, fewer independent additions a cycle are left than the core alone was probed to do. A program there is
    slower by at most the 1.5th power of these losses: of multipliers there are fewer than of adders, and caches are shared.
    """
    return tuple(_with_shared_part(each, machine) for each in measured_launches(case_run))


def _with_shared_part(measured: Measured, machine: Machine) -> Measured:
    ranks = measured.record.rank
    if not any(rank.trust.additions_per_cycle for rank in ranks):
        return measured
    hosts = {host: machine.node(host) for host in dict.fromkeys(rank.host for rank in ranks)}
    own = {host for host, node in hosts.items() if _beside_each_other(node, (rank for rank in ranks if rank.host == host))}
    ranks_alone = tuple(rank if rank.host in own else _shared(rank, hosts[rank.host]) for rank in ranks)
    return replace(measured, record=replace(measured.record, rank=ranks_alone))


def _beside_each_other(node: Node, ranks: Iterable[Rank]) -> bool:
    """Whether two threads of the launch have the same core: then the other hardware thread may be its own."""
    used = [cpu for rank in ranks for cpu in rank.cpus]
    if len(used) != len(set(used)):
        return True
    taken = set(used)
    return any(len(taken.intersection(core)) > 1 for core in node.threads_of_cores)


def _shared(rank: Rank, node: Node) -> Rank:
    alone, samples = node.additions_per_cycle, rank.trust.additions_per_cycle
    if alone is None or len(samples) < FEWEST_REPETITIONS:
        return rank
    left = [sample / alone for sample in samples]
    lacking = [part for part in left if part < 1 - SHARED_CORE]
    taken = [1.0 - part**SHARED_LOSES for part in lacking]
    each = rank.trust.wall_ns / len(samples)
    trust = replace(rank.trust, shared_ns=round(each * len(lacking)), shared_lost_ns=round(each * sum(taken)))
    clock = _of_the_core_alone(trust.vector_frequency_hz, [part >= 1 - SHARED_CORE for part in left])
    return replace(rank, trust=replace(trust, shared_part=max(taken, default=0.0), vector_frequency_hz=clock))


def _of_the_core_alone(clock: tuple[float, ...], own: list[bool]) -> tuple[float, ...]:
    """The samples of the clock under the widest vectors that no other hardware thread can have slowed.

    Beside another thread the chain waits for multiply-adds, and its rate is less than the clock. Where every sample was taken
    so, all remain.
    """
    alone = tuple(hz for hz, free in zip(clock, own, strict=False) if free)
    return alone if alone and len(clock) == len(own) else clock
