"""Section summaries: of a launch from its samples, and of a case from those of its launches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tenken.base.rows import medians
from tenken.judge.common.bounds import Lost, beside_median, hidden_by_rank, hidden_in_maximum, lost_in
from tenken.judge.common.grids import Grid, grids
from tenken.model.assessment import RankTime, SectionSummary
from tenken.model.limits import ALPHA, IMBALANCE, JITTER
from tenken.model.record import Record, Work
from tenken.model.run import Measured
from tenken.stats.bounds import least_jitter
from tenken.stats.robust import Spread, imbalance, median, spread, thin
from tenken.stats.space import rows_limit

STRIP_POINTS = 400  # samples of a launch stored for drawing


def launch_sections(measured: Measured, timed: list[Grid] | None = None) -> tuple[SectionSummary, ...]:
    """Every section that a launch timed, in the order of its record; `timed` are its grids, where they are known.

    Where a section has repetitions its once-per-launch sample (repetition -1) is left out.
    """
    hosts = {rank.rank: rank.host for rank in measured.record.rank}
    of_sections = grids(measured.record) if timed is None else timed
    lost = lost_in(measured, [grid for grid in of_sections if grid.section.leaf and not grid.once])
    return _with_shares(_with_group_work([_summarise(grid, hosts, lost) for grid in of_sections]))


class Launches:
    """Grids and sections of the launches of a case, each computed once."""

    def __init__(self) -> None:
        self._timed: dict[int, list[Grid]] = {}
        self._sections: dict[int, tuple[SectionSummary, ...]] = {}

    def timed(self, measured: Measured) -> list[Grid]:
        number = measured.launch.number
        if number not in self._timed:
            self._timed[number] = grids(measured.record)
        return self._timed[number]

    def sections(self, measured: Measured) -> tuple[SectionSummary, ...]:
        number = measured.launch.number
        if number not in self._sections:
            self._sections[number] = launch_sections(measured, self.timed(measured))
        return self._sections[number]


def case_sections(launches: tuple[tuple[SectionSummary, ...], ...]) -> tuple[SectionSummary, ...]:
    """The sections of all launches of a case: medians over the launches that timed them."""
    by_path: dict[str, list[SectionSummary]] = {}
    for sections in launches:
        for section in sections:
            by_path.setdefault(section.path, []).append(section)
    return tuple(_over_launches(same) for same in by_path.values())


def at_best(section: SectionSummary) -> SectionSummary:
    """The section as it may have been without other load: its time and its rates at t - w, its least loss and jitter."""
    least = ((section.loss, section.least_loss), (section.jitter, section.least_jitter))
    loss, jitter = (value if at is None else min(value, at) for value, at in least)
    if (loss, jitter) != (section.loss, section.jitter):
        section = replace(section, loss=loss, jitter=jitter)
    if section.hidden_ns <= 0 or section.median_ns <= 0:
        return section
    fast = max(section.median_ns - section.hidden_ns, 1e-9 * section.median_ns)
    faster = section.median_ns / fast

    def more(rate: float | None) -> float | None:
        return None if rate is None else rate * faster

    return replace(section, median_ns=fast, flop_rate=more(section.flop_rate), byte_rate=more(section.byte_rate))


def stated_path(section: SectionSummary) -> str:
    """The name of a section in check.toml: without the value that it is repeated over."""
    return section.path if section.at is None else section.path.removesuffix(f"/{section.at}")


def slow_ranks(path: str, launches: tuple[tuple[SectionSummary, ...], ...]) -> tuple[int, ...]:
    """The slowest rank of section `path` in each launch."""
    return tuple(section.slowest_rank for sections in launches for section in sections if section.path == path)


def rank_work(record: Record, path: str) -> dict[int, float]:
    """Work (flop, else bytes) of each rank in section `path`, all repetitions together."""
    ids = {section.id for section in record.sections if section.path == path}
    for summary in record.summaries:
        if summary.section in ids:
            work = np.where(summary.flop > 0, summary.flop, summary.bytes_moved)
            return dict(zip(summary.rank, work.tolist(), strict=True))
    totals = {
        series.rank: _total(series.work)
        for series in record.series
        if series.section in ids
    }
    return {rank: float(flop or moved) for rank, (flop, moved) in totals.items()}


def shares_of_work(record: Record, path: str) -> dict[int, float]:
    """Rank -> its work in section `path` over the mean of all ranks; empty where no work is recorded."""
    work = rank_work(record, path)
    mean = sum(work.values()) / len(work) if work else 0.0
    return {rank: done / mean for rank, done in work.items()} if mean > 0 else {}


def _total(work: tuple[Work, ...]) -> tuple[int, int]:
    """Flop, and bytes read and written."""
    if len(set(map(id, work))) == 1:  # as nearly always
        return len(work) * work[0].flop, len(work) * work[0].bytes_moved
    return sum(share.flop for share in work), sum(share.bytes_moved for share in work)


def _summarise(grid: Grid, hosts: dict[int, str], lost: Lost) -> SectionSummary:
    section, slowest = grid.section, grid.slowest
    flop, moved, messages, calls = medians(np.vstack([grid.work, grid.calls])).tolist()
    per_rank = _rank_times(grid, hosts, lost)
    of_ranks = [rank_time.median_ns for rank_time in per_rank]
    seen = spread(slowest)
    return SectionSummary(
        path=section.path,
        kind=section.kind,
        leaf=section.leaf,
        at=section.at,
        once=grid.once,
        launches=1,
        repetitions=slowest.size,
        calls=round(calls),
        median_ns=seen.median,
        mad_ns=seen.mad,
        loss=seen.loss,
        jitter=seen.jitter,
        share=float(slowest.sum()),  # a time until the sections of the launch are together
        imbalance=imbalance(of_ranks),
        imbalance_limit=_limit(grid),
        slowest_rank=per_rank[of_ranks.index(max(of_ranks))].rank,
        ranks=per_rank,
        strip_ns=(thin(slowest, STRIP_POINTS),),
        flop=flop,
        bytes=moved,
        messages=messages,
        flop_rate=_rate(flop, seen.median),
        byte_rate=_rate(moved, seen.median),
        intensity=flop / moved if flop > 0 and moved > 0 else None,
        ceilings=(),
        precisions=(section.precision,) if section.precision and flop > 0 else (),
        **_bounds(grid, lost, seen),
    )


def _bounds(grid: Grid, lost: Lost, seen: Spread) -> dict[str, float]:
    """The time that other load may have added to the time, the loss and the jitter of the maximum over ranks."""
    everywhere = float(lost.total.sum())
    if everywhere <= 0:
        return {}
    bounds = {"hidden_ns": hidden_in_maximum(grid, lost)}
    if seen.median > 0:
        bounds["least_loss"] = max(seen.loss - beside_median(grid, lost) / (grid.slowest.size * seen.median), 0.0)
    if seen.jitter > min(JITTER.values()):
        bounds["least_jitter"] = least_jitter(grid.slowest, everywhere)
    return bounds


def _rank_times(grid: Grid, hosts: dict[int, str], lost: Lost) -> tuple[RankTime, ...]:
    if grid.rows is not None:
        low, middle, high = grid.rows.low, grid.rows.median, grid.rows.high
    else:
        low, middle, high = np.nanquantile(grid.ns, (0.1, 0.5, 0.9), axis=1)
    figures = (each.tolist() for each in (middle, low, high, hidden_by_rank(grid, lost)))
    return tuple(map(RankTime, grid.ranks, map(hosts.__getitem__, grid.ranks), *figures))


def _limit(grid: Grid) -> float:
    """Noise limit and minimum effect, the larger; infinite where ranks took part in different repetitions."""
    if grid.rows is None or not grid.complete:
        return float("inf")
    return max(rows_limit(grid.rows, ALPHA), IMBALANCE)


def _rate(work: float, ns: float) -> float | None:
    return work / ns * 1e9 if work > 0 and ns > 0 else None


def _with_group_work(summaries: list[SectionSummary]) -> list[SectionSummary]:
    """A group carries no work of its own: its rate is the work of the leaves inside it over its time."""
    return [summary if summary.leaf else _group(summary, summaries) for summary in summaries]


def _group(group: SectionSummary, summaries: list[SectionSummary]) -> SectionSummary:
    leaves = [each for each in summaries if each.leaf and each.once == group.once and each.path.startswith(group.path + "/")]
    flop, moved, messages = (sum(getattr(leaf, name) for leaf in leaves) for name in ("flop", "bytes", "messages"))
    counting = [leaf.precisions or ("double",) for leaf in leaves if leaf.flop > 0]
    stated = any(leaf.precisions for leaf in leaves)
    return replace(
        group, precisions=tuple(sorted({precision for each in counting for precision in each})) if stated else (),
        flop=flop, bytes=moved, messages=messages, flop_rate=_rate(flop, group.median_ns),
        byte_rate=_rate(moved, group.median_ns), intensity=flop / moved if flop > 0 and moved > 0 else None,
    )


def _with_shares(summaries: list[SectionSummary]) -> tuple[SectionSummary, ...]:
    """Shares of the time of all leaf sections; those timed once a launch are compared among themselves."""
    total = {
        once: sum(summary.share for summary in summaries if summary.leaf and summary.once == once) for once in (
            True, False
        )
    }
    return tuple(
        replace(
            summary, share=summary.share / total[summary.once] if total[summary.once] > 0 else 0.0
        ) for summary in summaries
    )


def _over_launches(same: list[SectionSummary]) -> SectionSummary:
    first = same[0]
    numbers = (
        "median_ns", "mad_ns", "loss", "jitter", "share", "imbalance", "imbalance_limit", "flop", "bytes", "messages"
    )
    middle = {name: median([getattr(section, name) for section in same]) for name in numbers}
    maybe = ("flop_rate", "byte_rate", "intensity")
    rates = {name: _median_of([getattr(section, name) for section in same]) for name in maybe}
    ranks = _ranks_over_launches(same)
    return replace(
        first,
        launches=len(same),
        repetitions=sum(section.repetitions for section in same),
        calls=round(median([section.calls for section in same])),
        slowest_rank=max(ranks, key=lambda rank_time: rank_time.median_ns).rank,
        ranks=ranks,
        strip_ns=tuple(strip for section in same for strip in section.strip_ns),
        hidden_ns=_hidden(same),
        least_loss=_least([(section.loss, section.least_loss) for section in same]),
        least_jitter=_least([(section.jitter, section.least_jitter) for section in same]),
        **middle,
        **rates,
    )


def _ranks_over_launches(same: list[SectionSummary]) -> tuple[RankTime, ...]:
    """The host is that of the first launch: launches of a sitting may place ranks anew."""
    if len(same) == 1:
        return tuple(sorted(same[0].ranks, key=lambda rank_time: rank_time.rank))
    ranks = sorted({rank_time.rank for section in same for rank_time in section.ranks})
    row = {rank: place for place, rank in enumerate(ranks)}
    hosts: dict[int, str] = {}
    figures = np.full((len(same), 4, len(ranks)), np.nan)
    for launch, section in enumerate(same):
        at = [row[rank_time.rank] for rank_time in section.ranks]
        for rank_time in section.ranks:
            hosts.setdefault(rank_time.rank, rank_time.host)
        best = [rank_time.median_ns - rank_time.hidden_ns for rank_time in section.ranks]
        for place, values in enumerate((
            [rank_time.median_ns for rank_time in section.ranks], [rank_time.low_ns for rank_time in section.ranks],
            [rank_time.high_ns for rank_time in section.ranks], best,
        )):
            figures[launch, place, at] = values
    of = np.nanmedian if np.isnan(figures).any() else np.median  # over the launches in which a rank took part
    middle, low, high, least = of(figures, axis=0)
    each = (column.tolist() for column in (middle, low, high, middle - least))
    return tuple(map(RankTime, ranks, map(hosts.__getitem__, ranks), *each))


def _hidden(same: list[SectionSummary]) -> float:
    """A median over launches lies between that of the times at best and that of the times."""
    return median([section.median_ns for section in same]) - median([section.median_ns - section.hidden_ns for section in same])


def _least(values: list[tuple[float, float | None]]) -> float | None:
    if all(least is None for _, least in values):
        return None
    return median([value if least is None else least for value, least in values])


def _median_of(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
