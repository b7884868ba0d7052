"""The samples of a section of a launch: of all ranks, or of those that stand out beside figures of each rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tenken.base.rows import Array, Rows, of_rows
from tenken.model.limits import MOVES_DATA
from tenken.model.record import Record, Section, Series, Summary, Work
from tenken.stats.bounds import Outliers, outliers, stretched, uninterrupted

ROUNDING = 0.01  # of a loss: counters are read beside the samples


@dataclass(frozen=True, eq=False)
class Grid:
    """Repetitions in order; where a section has some, its once-per-launch sample (repetition -1) is left out."""

    section: Section
    once: bool
    slowest: Array  # (repetitions,) maximum over ranks
    calls: Array  # (repetitions,) the most of any rank
    work: Array  # (3, repetitions): flop, bytes, messages of all ranks
    ranks: tuple[int, ...]  # that took part, ascending
    rows: Rows | None  # figures of each of them; None where they took part in different repetitions and all samples are here
    complete: bool  # each in every repetition
    kept: tuple[int, ...]  # ranks whose samples are here
    ns: Array  # (stored ranks, repetitions), NaN where a rank took no part

    @property
    def whole(self) -> bool:
        return len(self.kept) == len(self.ranks)

    def shared(self, part: Array) -> Array:
        """The largest part of the time that another hardware thread takes, given its `part` where the units of a core bind.

        The threads of a core share its caches too, which adders do not show: code that moves data may be slower by the square.
        """
        flop, moved = self.work[:2].sum(axis=1)
        return 1.0 - (1.0 - part) ** 2 if self.section.leaf and flop < MOVES_DATA * moved else part

    def uninterrupted(self, lost: Array) -> Array:
        """The samples of each stored rank without the interruptions that its `lost` time explains; none may be missing."""
        if self.whole and self.rows is not None and not self.rows.outlying.any():
            return self.ns
        key = lost.tobytes()
        if key not in self._uninterrupted:
            self._uninterrupted[key] = uninterrupted(self._outliers, lost, ROUNDING)
        return self._uninterrupted[key]

    @cached_property
    def _outliers(self) -> Outliers:
        return outliers(self.ns)

    @cached_property
    def _uninterrupted(self) -> dict[bytes, Array]:
        return {}


@dataclass(frozen=True, slots=True, eq=False)
class RankRows:
    """Figures of each rank that took part in a repeated section."""

    ranks: tuple[int, ...]  # ascending
    rows: Rows
    stretched: Array  # ns beside the median that other hardware threads explain at most; infinite where samples were not stored


def rank_rows(record: Record, timed: list[Grid]) -> dict[str, RankRows]:
    """By the path of the section; those where ranks took part in different repetitions are left out."""
    parts = {rank.rank: rank.trust.shared_part or 0.0 for rank in record.rank}
    return {
        grid.section.path: RankRows(grid.ranks, grid.rows, _stretched(grid, parts))
        for grid in timed if grid.rows is not None and grid.complete and not grid.once
    }


def _stretched(grid: Grid, parts: Mapping[int, float]) -> Array:
    part = np.array([parts.get(rank, 0.0) for rank in grid.ranks])
    beside = np.where(part > 0, np.inf, 0.0)
    if part.any() and grid.kept:
        at = np.searchsorted(grid.ranks, grid.kept)
        beside[at] = stretched(grid.ns, grid.shared(part)[at])
    return beside


def grids(record: Record) -> list[Grid]:
    """Every section that a launch timed, in the order of its record."""
    by_section: dict[int, list[Series]] = {}
    for series in record.series:
        if series.repetition:
            by_section.setdefault(series.section, []).append(series)
    summaries = {summary.section: summary for summary in record.summaries}
    timed = []
    for section in record.sections:
        series_of = sorted(by_section.get(section.id, []), key=lambda series: series.rank)
        if section.id in summaries:
            timed.append(_of_summary(section, summaries[section.id], series_of))
        elif series_of and not record.summaries:
            timed.append(_of_series(section, series_of))
    return timed


def _of_series(section: Section, series: list[Series]) -> Grid:
    different = {id(rank_series.repetition): rank_series.repetition for rank_series in series}.values()
    once = all(numbers == (-1,) for numbers in different)
    repetitions = sorted({number for numbers in different for number in numbers if once or number >= 0})
    if all(numbers == tuple(repetitions) for numbers in different):  # as nearly always
        ns, calls, work = _together(series)
    else:
        place = {number: column for column, number in enumerate(repetitions)}
        series = [rank_series for rank_series in series if not place.keys().isdisjoint(rank_series.repetition)]
        ns, calls, work = _apart(series, place)
    ranks = tuple(rank_series.rank for rank_series in series)
    complete = not np.isnan(ns).any()
    return Grid(
        section, once, np.nanmax(ns, axis=0), calls.max(axis=0), work, ranks,
        of_rows(ns) if complete else None, complete, ranks, ns,
    )


def _together(series: list[Series]) -> tuple[Array, Array, Array]:
    """Nanoseconds and calls (ranks, repetitions), and work (3, repetitions) of all, where each took part in every repetition."""
    ns = np.array([rank_series.ns for rank_series in series], dtype=np.float64)
    return ns, np.array([each.calls for each in series], dtype=np.float64), _columns_of_all([each.work for each in series])


def _apart(series: list[Series], place: dict[int, int]) -> tuple[Array, Array, Array]:
    """The same where some took part in some: NaN where a rank took no part. `place`: column of each repetition."""
    ns = np.full((len(series), len(place)), np.nan)
    calls, work = np.zeros(ns.shape), np.zeros((3, len(place)))
    for rows in _alike(series):
        numbers = series[rows[0]].repetition
        here = [i for i, number in enumerate(numbers) if number in place]
        at = np.ix_(rows, [place[numbers[i]] for i in here])
        ns[at], calls[at], own = (columns[:, here] for columns in _together([series[row] for row in rows]))
        work[:, at[1][0]] += own
    return ns, calls, work


def _alike(series: list[Series]) -> list[list[int]]:
    """Places of those that took part in the same repetitions."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, rank_series in enumerate(series):
        groups.setdefault(rank_series.repetition, []).append(row)
    return list(groups.values())


def _columns_of_all(works: list[tuple[Work, ...]]) -> Array:
    """(3, repetitions): flop, bytes, messages of all ranks, each with as many repetitions."""
    if all(work.count(work[0]) == len(work) for work in works):  # as nearly always
        each = [(work[0].flop, work[0].bytes_moved, work[0].messages) for work in works]
        return np.repeat(np.array(each, dtype=np.float64).sum(axis=0)[:, None], len(works[0]), axis=1)
    return np.array(sum(map(_columns, works)))


def _columns(work: tuple[Work, ...]) -> Array:
    """(3, repetitions): flop, bytes, messages."""
    return np.array([(share.flop, share.bytes_moved, share.messages) for share in work], dtype=np.float64).T


def _of_summary(section: Section, summary: Summary, series: list[Series]) -> Grid:
    place = {number: column for column, number in enumerate(summary.repetition)}
    taking = set(summary.rank)
    stored = [each for each in series if each.rank in taking and not place.keys().isdisjoint(each.repetition)]
    ns = np.full((len(stored), len(place)), np.nan)
    for row, rank_series in enumerate(stored):
        for number, value in zip(rank_series.repetition, rank_series.ns, strict=True):
            if number in place:
                ns[row, place[number]] = value
    return Grid(
        section, summary.repetition == (-1,), summary.ns, summary.calls, _columns(summary.work), summary.rank, summary.rows,
        summary.complete, tuple(series.rank for series in stored), ns,
    )
