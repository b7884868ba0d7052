"""Do equal ranks take equal time? The slow rank is named with its host.

How long a rank waits in communication is decided anew by every launch, so that launches count there, not repetitions: uneven
waits are a finding where the same rank has the longest in more launches than chance explains. Who makes others wait, `late` says.
"""

from __future__ import annotations

from tenken.base.words import duration, percent
from tenken.judge.common import comparable, evidence, finding, shares_of_work, slow_ranks, uneven
from tenken.model.assessment import AxisResult, Finding, SectionSummary, Where
from tenken.model.limits import SHORT_NS, SMALL_SHARE, UNEQUAL_WORK
from tenken.model.run import Measured
from tenken.model.verdict import Axis, Verdict
from tenken.stats.robust import median

MAX_OVER_MEAN = "max/mean"  # unit of a finding about the ranks of a section
MOST_RANKS = 8  # with more work that a finding names


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
