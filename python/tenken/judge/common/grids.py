"""The samples of one section of one launch: of all ranks, or of those that stand out beside figures of each rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tenken.base.rows import Array, Rows, of_rows
from tenken.model.record import Record, Section, Series, Summary, Work
from tenken.stats.bounds import stretched


@dataclass(frozen=True, slots=True, eq=False)
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
    ns: Array  # (kept, repetitions), NaN where a rank took no part

    @property
    def whole(self) -> bool:
        return len(self.kept) == len(self.ranks)


@dataclass(frozen=True, slots=True, eq=False)
class RankRows:
    """Figures of each rank that took part in a repeated section."""

    ranks: tuple[int, ...]  # ascending
    rows: Rows
    stretched: Array  # ns beside the median that other hardware threads explain at most; infinite where samples were not kept


def rank_rows(record: Record, timed: list[Grid]) -> dict[str, RankRows]:
    """By the path of the section; those where ranks took part in different repetitions are left out."""
    parts = {rank.rank: rank.trust.shared_part or 0.0 for rank in record.rank}
    return {
        one.section.path: RankRows(one.ranks, one.rows, _stretched(one, parts))
        for one in timed if one.rows is not None and one.complete and not one.once
    }


def _stretched(grid: Grid, parts: Mapping[int, float]) -> Array:
    part = np.array([parts.get(rank, 0.0) for rank in grid.ranks])
    found = np.where(part > 0, np.inf, 0.0)
    if part.any() and grid.kept:
        at = np.searchsorted(grid.ranks, grid.kept)
        found[at] = stretched(grid.ns, part[at])
    return found


def grids(record: Record) -> list[Grid]:
    """Every section that a launch timed, in the order of its record."""
    by_section: dict[int, list[Series]] = {}
    for series in record.series:
        if series.repetition:
            by_section.setdefault(series.section, []).append(series)
    summaries = {one.section: one for one in record.summaries}
    found = []
    for section in record.sections:
        series_of = sorted(by_section.get(section.id, []), key=lambda series: series.rank)
        if section.id in summaries:
            found.append(_of_summary(section, summaries[section.id], series_of))
        elif series_of and not record.summaries:
            found.append(_of_series(section, series_of))
    return found


def _of_series(section: Section, series: list[Series]) -> Grid:
    different = {id(one.repetition): one.repetition for one in series}.values()
    once = all(numbers == (-1,) for numbers in different)
    repetitions = sorted({number for numbers in different for number in numbers if once or number >= 0})
    place = {number: column for column, number in enumerate(repetitions)}
    series = [one for one in series if not place.keys().isdisjoint(one.repetition)]
    ns = np.full((len(series), len(repetitions)), np.nan)
    calls, work = np.zeros(ns.shape), np.zeros((3, len(repetitions)))
    for rows in _alike(series):
        numbers = series[rows[0]].repetition
        here = [i for i, number in enumerate(numbers) if number in place]
        at = np.ix_(rows, [place[numbers[i]] for i in here])
        ns[at] = np.array([series[row].ns for row in rows], dtype=np.float64)[:, here]
        calls[at] = np.array([series[row].calls for row in rows], dtype=np.float64)[:, here]
        work[:, at[1][0]] += sum(_columns(series[row].work)[:, here] for row in rows)
    ranks = tuple(one.rank for one in series)
    complete = not np.isnan(ns).any()
    return Grid(
        section, once, np.nanmax(ns, axis=0), calls.max(axis=0), work, ranks,
        of_rows(ns) if complete else None, complete, ranks, ns,
    )


def _alike(series: list[Series]) -> list[list[int]]:
    """Places of those that took part in the same repetitions."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, one in enumerate(series):
        groups.setdefault(one.repetition, []).append(row)
    return list(groups.values())


def _columns(work: tuple[Work, ...]) -> Array:
    """(3, repetitions): flop, bytes, messages."""
    if len(set(map(id, work))) == 1:  # as nearly always
        return np.tile([[float(work[0].flop)], [float(work[0].bytes_moved)], [float(work[0].messages)]], len(work))
    return np.array([(one.flop, one.bytes_moved, one.messages) for one in work], dtype=np.float64).T


def _of_summary(section: Section, summary: Summary, series: list[Series]) -> Grid:
    place = {number: column for column, number in enumerate(summary.repetition)}
    taking = set(summary.rank)
    kept = [one for one in series if one.rank in taking and not place.keys().isdisjoint(one.repetition)]
    ns = np.full((len(kept), len(place)), np.nan)
    for row, one in enumerate(kept):
        for number, value in zip(one.repetition, one.ns, strict=True):
            if number in place:
                ns[row, place[number]] = value
    return Grid(
        section, summary.repetition == (-1,), summary.ns, summary.calls, _columns(summary.work), summary.rank, summary.rows,
        summary.complete, tuple(one.rank for one in kept), ns,
    )
