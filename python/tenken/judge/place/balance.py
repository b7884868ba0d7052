"""Do equal ranks take equal time? The slow rank is named with its host.

How long a rank waits in communication is decided anew by every launch, so that launches count there, not repetitions: uneven
waits are a finding where the same rank has the longest in more launches than chance explains. A rank for which others wait is
named, and so is a communicator that is slow as a whole.
"""

from __future__ import annotations

from math import log

import numpy as np

from tenken.base.words import digits, duration, percent
from tenken.judge.common import comparable, evidence, finding, isolating, shares_of_work, slow_ranks, uneven
from tenken.model.assessment import AxisResult, Finding, SectionSummary, Where
from tenken.model.limits import IMBALANCE, SHORT_NS, SMALL_SHARE, UNEQUAL_WORK, WAIT_SHARE
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.robust import median
from tenken.stats.space import Array, Group, group_of, late_rank, slow_together

MAX_OVER_MEAN = "max/mean"  # unit of a finding about the ranks of a section
MOST_RANKS = 8  # with more work that a finding names
_WAITING = ("comm", "wait")
PART = "of a repetition"  # unit of a finding that measures a part of the whole time


def judge_balance(
    case_id: str,
    measured: tuple[Measured, ...],
    by_launch: tuple[tuple[SectionSummary, ...], ...],
    sections: tuple[SectionSummary, ...],
) -> tuple[AxisResult, list[Finding]]:
    """`by_launch` holds the sections of each launch in `measured`, `sections` those of the case."""
    if all(each.record.ranks < 2 for each in measured):
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "a single rank cannot be compared"), []
    eligible = comparable(sections)
    if not eligible:
        reason = f"no section of several ranks takes {duration(SHORT_NS)} and {percent(SMALL_SHARE)} of the time"
        return AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, reason), []
    apart = uneven(eligible, by_launch)
    if apart:
        findings = [_finding(case_id, measured, by_launch, section) for section in apart]
        return AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what), findings
    waiting = [section for section in eligible if section.kind == "comm"]
    kinds = {"": [section for section in eligible if section.kind != "comm"], " in communication": waiting}
    largest = [f"{max(section.imbalance for section in alike):.2f}{where}" for where, alike in kinds.items() if alike]
    waits = any(section.imbalance > section.imbalance_limit for section in eligible)
    words = f"max/mean over ranks up to {', '.join(largest)}"
    return AxisResult(Axis.BALANCE, Verdict.OK, words + (", too few launches with the same rank to name it" if waits else "")), []


def _finding(
    case_id: str,
    measured: tuple[Measured, ...],
    by_launch: tuple[tuple[SectionSummary, ...], ...],
    section: SectionSummary,
) -> Finding:
    uneven_launches = tuple(
        launch for launch in by_launch for other in launch
        if other.path == section.path and other.imbalance > other.imbalance_limit
    )
    slow = slow_ranks(section.path, uneven_launches)
    moves = len(set(slow)) > 1
    worst = next(rank_time for rank_time in section.ranks if rank_time.rank == section.slowest_rank)
    typical = median([rank_time.median_ns for rank_time in section.ranks])
    share = shares_of_work(measured[0].record, section.path)
    more = [rank_time.rank for rank_time in section.ranks if share.get(rank_time.rank, 1.0) > UNEQUAL_WORK]
    several = len(more) > 1 and set(slow) <= set(more)  # by the cut of the problem: moving among them is no sign
    sentence = f"{section.path}: max/mean over ranks is {section.imbalance:.2f} "
    sentence += f"(equal ranks: at most {section.imbalance_limit:.2f}); "
    if several:
        longest = max(rank_time.median_ns for rank_time in section.ranks if rank_time.rank in more)
        sentence += (
            f"{_named(more)} take up to {duration(longest)}, median of all ranks {duration(typical)}, "
            f"with up to {max(share[rank] for rank in more):.2f} times the mean work"
        )
    elif moves:
        sentence += f"the slow rank moves between launches ({', '.join(map(str, slow))})"
    else:
        sentence += (
            f"rank {worst.rank} on {worst.host} takes {duration(worst.median_ns)}, "
            f"median of all ranks {duration(typical)}"
        )
        if share.get(worst.rank, 1.0) > UNEQUAL_WORK:
            sentence += f", with {share[worst.rank]:.2f} times the mean work"
    if section.kind == "comm":
        sentence += " (communication includes waiting for late ranks)"
    nowhere = Where(section=section.path)
    return finding(
        Axis.BALANCE,
        Verdict.WARN,
        case_id,
        sentence,
        f"per-rank medians, {evidence(section)}",
        section=section.path,
        measured=section.imbalance,
        expected=section.imbalance_limit,
        band=(None, section.imbalance_limit),
        unit=MAX_OVER_MEAN,
        where=nowhere if moves and not several else Where(host=worst.host, rank=worst.rank, section=section.path),
    )


def _named(ranks: list[int]) -> str:
    """ "ranks 0 and 3"; "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 40 more"."""
    shown, left = ranks[:MOST_RANKS], len(ranks) - MOST_RANKS
    if left > 0:
        return f"ranks {', '.join(map(str, shown))} and {left} more"
    return f"ranks {', '.join(map(str, shown[:-1]))} and {shown[-1]}"


def judge_waiting(
    run: str, case_id: str, sections: tuple[SectionSummary, ...], by_launch: tuple[tuple[SectionSummary, ...], ...],
    named: frozenset[int], compared: frozenset[str] = frozenset(),
) -> tuple[list[Finding], frozenset[str]]:
    """Findings, and the sections of communication in which waiting is thereby explained.

    `named`: ranks that are already known to be slow. `compared`: sections whose communicators the check compares itself.
    """
    leaves = [section for section in sections if section.leaf and not section.once and section.ranks]
    ranks = max((len(section.ranks) for section in leaves), default=0)
    leaves = [section for section in leaves if len(section.ranks) == ranks]
    waiting = [section for section in leaves if section.kind in _WAITING]
    compute = [section for section in leaves if section.kind not in _WAITING]
    if not waiting or ranks < 3:
        return [], frozenset()
    groups = [finding for section in waiting
              if section.path not in compared and (finding := _slow_group(run, case_id, section)) is not None]
    guilty = frozenset(finding.section for finding in groups if finding.section is not None)
    if groups:
        return groups, guilty
    late = _late(run, case_id, waiting, compute, by_launch)
    explained = frozenset(section.path for section in waiting) if late is not None or named else frozenset()
    return [late] if isinstance(late, Finding) and late.where.rank not in named else [], explained


def _waits(waiting: list[SectionSummary], by_launch: tuple[tuple[SectionSummary, ...], ...]) -> Array:
    """(launches, ranks) waiting of a repetition; of all launches together where they are not alike."""
    paths, ranks = {section.path for section in waiting}, [rank_time.rank for rank_time in waiting[0].ranks]
    launches = [[section for section in sections if section.path in paths] for sections in by_launch]
    alike = bool(launches) and all(
        len(each) == len(paths) and all([rank.rank for rank in section.ranks] == ranks for section in each) for each in launches
    )
    return np.array([
        np.sum([[rank_time.median_ns for rank_time in section.ranks] for section in each], axis=0)
        for each in (launches if alike else [waiting])
    ])


def _late(
    run: str, case_id: str, waiting: list[SectionSummary], compute: list[SectionSummary],
    by_launch: tuple[tuple[SectionSummary, ...], ...],
) -> Finding | None:
    ranks = [rank_time.rank for rank_time in waiting[0].ranks]
    waits = _waits(waiting, by_launch)
    wait = np.median(waits, axis=0)
    work = np.array([[rank_time.median_ns for rank_time in section.ranks] for section in compute]).reshape(-1, len(ranks))
    whole = float(np.median(wait + work.sum(axis=0)))
    late = late_rank(work, waits, max(WAIT_SHARE * whole, SHORT_NS))
    if late is None:
        return None
    rank = waiting[0].ranks[late.index]
    where = max(waiting, key=lambda section: section.share)
    section = compute[int(np.argmax(late.excess))] if late.explained >= 0.5 else None
    sentence = f"rank {rank.rank} on {rank.host} arrives late: the other ranks wait {duration(late.waited)} in each repetition"
    sentence += f", {percent(late.waited / whole)} of the time"
    if section is not None:
        over = float(np.max(late.excess))
        sentence += f"; rank {rank.rank} takes {duration(over)} longer in {section.path}"
    else:
        sentence += "; its timed sections do not explain the delay: interruptions, or work outside of sections"
    return finding(
        Axis.BALANCE,
        Verdict.WARN,
        case_id,
        sentence,
        f"waiting in {', '.join(section.path for section in waiting[:4])}; per-rank medians, {evidence(where)}",
        section=section.path if section is not None else where.path,
        measured=late.waited / whole,
        expected=WAIT_SHARE,
        band=(None, WAIT_SHARE),
        unit=PART,
        where=Where(host=rank.host, rank=rank.rank, section=section.path if section is not None else None),
        next_command=isolating(
            run, case_id, without=(rank.host,) if len({rank_time.host for rank_time in waiting[0].ranks}) > 1 else ()
        ),
    )


def _slow_group(run: str, case_id: str, section: SectionSummary) -> Finding | None:
    """Ranks of a communicator spend the same time in a collective: slow communicators show as sets of equally slow ranks."""
    if section.share < SMALL_SHARE or section.median_ns < SHORT_NS or min(rank.median_ns for rank in section.ranks) <= 0:
        return None
    slow = slow_together(np.array([rank_time.median_ns for rank_time in section.ranks]), log(IMBALANCE))
    group = group_of(slow, len(section.ranks))
    if group is None:
        return None
    inside = [section.ranks[int(i)].median_ns for i in slow]
    chosen = set(slow.tolist())
    outside = [rank_time.median_ns for i, rank_time in enumerate(section.ranks) if i not in chosen]
    hosts = tuple(dict.fromkeys(section.ranks[int(i)].host for i in slow))
    others = {rank_time.host for i, rank_time in enumerate(section.ranks) if i not in chosen}
    apart = not others.intersection(hosts) and len(hosts) <= 16
    normal = max(outside)
    return finding(
        Axis.BALANCE,
        Verdict.WARN,
        case_id,
        f"{section.path}: communicator {group.number} of {group.count} (counted from 0; {_members(group, slow)}) "
        f"takes {duration(max(inside))}, {digits(median(inside) / median(outside))} times the other communicators "
        f"(at most {duration(normal)})",
        f"{len(inside)} equally slow ranks, {len(outside)} others; per-rank medians, {evidence(section)}",
        section=section.path,
        measured=max(inside) / normal,
        expected=1.0,
        band=(None, IMBALANCE),
        unit="slow/equal peers",
        where=Where(host=hosts[0] if len(hosts) == 1 else None, section=section.path),
        next_command=isolating(run, case_id, without=hosts if apart else (), section=section.path),
    )


def _members(group: Group, slow: np.ndarray) -> str:
    if group.layout == "consecutive":
        return f"ranks {slow[0]} to {slow[-1]}"
    return f"every {group.count}th rank from {slow[0]} on"
