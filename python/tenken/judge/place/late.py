"""Time in communication: who is waited for, and which communicator is slow as a whole."""

from __future__ import annotations

from math import log

import numpy as np

from tenken.base.words import digits, duration, percent
from tenken.judge.common import evidence, finding, isolating
from tenken.model.assessment import Finding, SectionSummary, Where
from tenken.model.limits import IMBALANCE, SHORT_NS, SMALL_SHARE, WAIT_SHARE
from tenken.model.verdict import Axis, Verdict
from tenken.stats.robust import median
from tenken.stats.space import Array, Group, group_of, late_rank, slow_together

_WAITING = ("comm", "wait")
PART = "of a repetition"  # unit of a finding that measures a part of the whole time


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
