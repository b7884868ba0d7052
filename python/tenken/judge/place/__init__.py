"""Where: by rank and node, before any maximum over ranks. The balance axis: equal ranks in equal time, and where not, the
guilty place before its consequences.

The door of its package: other packages import only the names listed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf

from tenken.base.words import digits, hidden as up_to, percent, plural
from tenken.judge.common import Prepared, Samples, finding, host_clocks, isolating, lost_by, shares_of_work, spread
from tenken.judge.place.balance import MAX_OVER_MEAN, judge_balance
from tenken.judge.place.late import PART, judge_waiting
from tenken.judge.place.places import Placed, grid_of, judge_place, noisier_words
from tenken.judge.place.unsteady import ByRank, judge_unsteady, losing
from tenken.model.assessment import AxisResult, Finding, SectionSummary, Where
from tenken.model.limits import CLOCK_WARN, UNEQUAL_WORK
from tenken.model.machine import Machine
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.robust import median

__all__ = ["ByRank", "Placed", "judge_unsteady", "judge_where", "losing", "slow_clocks"]


def judge_where(case: Prepared, sections: tuple[SectionSummary, ...]) -> tuple[AxisResult, list[Finding]]:
    """Slow places, late ranks and slow communicators first; of the uneven sections only those that these do not explain."""
    run, case_id = case.run, case.case_run.case.id
    own = case.own.on(Axis.BALANCE)
    if own is not None:
        return _beyond_load(case, sections, *own)
    axis, uneven = judge_balance(case_id, case.measured, case.by_launch, sections)
    grid = grid_of(case.measured, case.by_launch, sections)
    places, named = judge_place(run, case_id, grid)
    waiting, waited = judge_waiting(run, case_id, sections, case.by_launch, named, frozenset(case.own.compared))
    slow = case.own.about(Axis.BALANCE)
    if slow:  # their ranks come late to all later communication, in which others wait for them
        waited = frozenset(section.path for section in sections if section.kind == "comm")
    by_path = {section.path: section for section in sections}
    # A rank that is late with more work is no slow place: the uneven section names it with its work.
    unequal = {finding.section for finding in uneven}
    waiting = [finding for finding in waiting if not (finding.section in unequal and _more_work(case, finding))]
    late = {finding.where.rank for finding in waiting if finding.where.rank is not None}

    def explained(finding: Finding) -> bool:
        section = by_path[finding.section or ""]
        if section.kind == "comm":
            return section.path in waited
        return section.slowest_rank in named or section.slowest_rank in late

    findings = [*slow, *places, *waiting, *(finding for finding in uneven if not explained(finding))]
    noisy = noisier_words(grid)
    if noisy and axis.verdict is Verdict.OK:
        axis = replace(axis, reason=f"{axis.reason}; {noisy}")
    if case.own.beside:
        axis = replace(axis, reason=f"{axis.reason}; {case.own.beside}")
    return _beyond_load(case, sections, axis if not findings else _of(findings[0]), findings)


def _more_work(case: Prepared, late: Finding) -> bool:
    """Whether the rank of a finding has more work in its section than the mean of all ranks."""
    share = shares_of_work(case.measured[0].record, late.section or "")
    return late.where.rank is not None and share.get(late.where.rank, 1.0) > UNEQUAL_WORK


def _of(worst: Finding) -> AxisResult:
    return AxisResult(Axis.BALANCE, Verdict.WARN, worst.what)


def _beyond_load(
    case: Prepared, sections: tuple[SectionSummary, ...], axis: AxisResult, findings: list[Finding]
) -> tuple[AxisResult, list[Finding]]:
    """Only findings beyond their limit when all is taken off the slow place that other load may have cost it."""
    proven: list[Finding] = []
    explained: list[Finding] = []
    for each in findings:
        limit = each.band[1]
        share = _hidden_share(case, sections, each)
        least = None if each.measured is None else _without(share, each.measured, each.unit, _ranks_of(each, sections))
        hidden = limit is not None and least is not None and least <= limit
        (explained if hidden and share > 0 else proven).append(each)
    if proven:
        return _of(proven[0]), proven
    if explained:
        share = _hidden_share(case, sections, explained[0])
        reason = f"{explained[0].what} (other load can explain {up_to(share)})"
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason, ground=True), []
    return axis, []


def _without(share: float, measured: float, unit: str, ranks: float) -> float:
    """The figure of a place, without the part `share` of its time: the mean over `ranks` falls with it."""
    if unit == PART:
        return measured - share
    left = measured * (1 - share)
    return left / (1 - measured * share / ranks) if unit == MAX_OVER_MEAN and left > 0 else left


def _ranks_of(of: Finding, sections: tuple[SectionSummary, ...]) -> float:
    return next((float(len(section.ranks)) for section in sections if section.path == of.section), inf)


def _hidden_share(case: Prepared, sections: tuple[SectionSummary, ...], of: Finding) -> float:
    """The part of the time in question that other load may have taken on the place of a finding."""
    section = next((section for section in sections if section.path == of.section), None)
    if of.unit == PART or section is None:  # of a whole repetition: the loss of that place in its launches
        return median([_lost_share(each, of.where.rank) for each in case.measured])
    ranks = [
        rank for rank in section.ranks
        if (of.where.rank is None or rank.rank == of.where.rank) and (of.where.host is None or rank.host == of.where.host)
    ]
    return max((rank_time.hidden_ns / rank_time.median_ns for rank_time in ranks if rank_time.median_ns > 0), default=0.0)


def _lost_share(measured: Measured, rank: int | None) -> float:
    lost = [
        lost_by(other, measured.record.threads) / other.trust.wall_ns for other in measured.record.rank
        if other.trust.wall_ns > 0 and (rank is None or other.rank == rank)
    ]
    return max(lost, default=0.0)


def slow_clocks(cases: Iterable[Prepared], machine: Machine) -> tuple[Finding, ...]:
    """A WARN for each node whose plain clock is lower than that of its neighbours of its class, in the case that shows it most.

    Lower by CLOCK_WARN, and apart: its upper quartile is below the lower quartile of all of them together.
    """
    worst: dict[str, Finding] = {}
    class_of: dict[str, str] = {}
    for case in cases:
        if not case.valid or case.crowded:
            continue
        clocks = host_clocks(each.record for each in case.measured)
        alike: dict[str, list[str]] = {}
        for host in clocks:
            if host not in class_of:
                class_of[host] = machine.node(host).node_class
            alike.setdefault(class_of[host], []).append(host)
        for hosts in alike.values():
            for host in _perhaps_lower({host: clocks[host] for host in hosts}):
                beside = tuple(hz for other in hosts if other != host for hz in clocks[other])
                finding = _slower(case, host, clocks[host], beside)
                if finding is not None and (host not in worst or (finding.ratio or 1.0) < (worst[host].ratio or 1.0)):
                    worst[host] = finding
    return tuple(worst.values())


def _perhaps_lower(clocks: Mapping[str, Samples]) -> list[str]:
    """The nodes worth a comparison with all others, which are few: thousands would each be compared with thousands.

    Without a node's k samples the median of n is at most the sample at place (n + k) / 2 of all of them.
    """
    everything = sorted(hz for samples in clocks.values() for hz in samples)
    few = []
    for host, samples in clocks.items():
        if samples and len(samples) < len(everything):
            highest = everything[min(len(everything) - 1, (len(everything) + len(samples)) // 2)]
            if median(samples) <= highest / (1 + CLOCK_WARN):
                few.append(host)
    return few


def _slower(case: Prepared, host: str, own: Samples, beside: Samples) -> Finding | None:
    mine, theirs = spread(own), spread(beside)
    if mine is None or theirs is None:
        return None
    here, there = median(own), median(beside)
    if here > there / (1 + CLOCK_WARN) or mine[1] >= theirs[0]:
        return None
    return finding(
        Axis.BALANCE,
        Verdict.WARN,
        case.case_run.case.id,
        f"the clock of {host} is {digits(here / 1e9)} GHz, {percent(1 - here / there)} lower than the "
        f"{digits(there / 1e9)} GHz of its neighbours: power or heat limit, or governor",
        f"median of {plural(len(own), 'sample')} (half of them {digits(mine[0] / 1e9)} to {digits(mine[1] / 1e9)} GHz), "
        f"{plural(len(beside), 'sample')} of neighbours",
        measured=here / 1e9,
        expected=there / 1e9,
        band=(there / (1 + CLOCK_WARN) / 1e9, None),
        unit="GHz",
        where=Where(host=host),
        next_command=isolating(case.run, case.case_run.case.id, without=(host,)),
    )
