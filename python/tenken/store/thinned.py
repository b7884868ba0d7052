"""The reduction of too many samples of all ranks: a summary of each section, and all samples of the ranks that stand
out. Programs write such records themselves (cpp/measure/many_ranks.hpp, of which this is the twin); here it is done to
records with all samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tenken.base.rows import MAD_TO_SIGMA, Array, Rows, of_rows
from tenken.model.record import Summary, Work
from tenken.store.samples import Samples

MOST_SAMPLES = 1 << 21  # of all ranks, sections and repetitions, that are read as they are
MOST_KEPT = 1 << 19  # of the ranks that stand out, where there are more
STANDS_OUT = 5.0  # spreads of the ranks, by which a rank is beyond their median
LEAST_SPREAD = 0.01  # of the median over ranks: below this nobody stands out


def thinned(samples: Sequence[Samples], ranks: int) -> tuple[tuple[Summary, ...], list[Samples]]:
    """The summaries of all sections, and the samples of the ranks that stand out, in the order given."""
    by_section: dict[int, list[Samples]] = {}
    for sample in samples:
        if sample.repetition:
            by_section.setdefault(sample.section, []).append(sample)
    summaries = tuple(
        _summary(section, sorted(of_it, key=lambda samples: samples.rank)) for section, of_it in sorted(by_section.items())
    )
    each = np.zeros(ranks, dtype=np.int64)
    for sample in samples:
        each[sample.rank] += len(sample.repetition)
    remaining = set(standing_out(summaries, ranks, int(each.max(initial=1))))
    return summaries, [sample for sample in samples if sample.rank in remaining]


def standing_out(summaries: Sequence[Summary], ranks: int, samples_each: int) -> list[int]:
    """Ranks whose samples remain: the slowest of each section, then those that are far from the others, farthest first."""
    score = np.zeros(ranks)
    slowest: dict[int, float] = {}
    for summary in summaries:
        rank = np.array(summary.rank)
        worst = int(rank[int(np.argmax(summary.rows.median))])
        slowest[worst] = max(slowest.get(worst, 0.0), float(summary.ns.sum()))
        relative = summary.rows.mad / np.maximum(summary.rows.median, 1e-300)
        for figure, scale in ((summary.rows.median, None), (summary.rows.loss, 1.0), (relative, 1.0)):
            score[rank] = np.maximum(score[rank], _away(figure, scale))
    first = sorted(slowest, key=lambda rank: (-slowest[rank], rank))
    far = np.flatnonzero(score >= STANDS_OUT)
    others = [int(rank) for rank in far[np.argsort(-score[far], kind="stable")] if int(rank) not in slowest]
    return sorted([*first, *others][:max(MOST_KEPT // max(samples_each, 1), 1)])


def _away(figure: Array, scale: float | None) -> Array:
    """Distance above the median over ranks, in spreads of the ranks."""
    middle = float(np.median(figure))
    spread = MAD_TO_SIGMA * float(np.median(np.abs(figure - middle)))
    least = LEAST_SPREAD * (middle if scale is None else scale)
    return (figure - middle) / max(spread, least, 1e-300)


def _summary(section: int, samples: list[Samples]) -> Summary:
    once = all(sample.repetition == (-1,) for sample in samples)
    different = {id(sample.repetition): sample.repetition for sample in samples}.values()
    numbers = sorted({number for each in different for number in each if once or number >= 0})
    columns = {number: column for column, number in enumerate(numbers)}
    shape = len(numbers)
    most, slowest = np.full(shape, -1.0), np.full(shape, -1)
    calls, flop, read, written, messages = (np.zeros(shape) for _ in range(5))
    ranks: list[int] = []
    figures: list[Rows] = []
    work_of: list[tuple[Array, Array]] = []
    for group in _alike(samples):
        repetition = group[0].repetition
        common = [i for i, number in enumerate(repetition) if number in columns]
        if not common:
            continue
        at = np.array([columns[repetition[i]] for i in common])
        ns = np.array([samples.ns for samples in group], dtype=np.float64)[:, common]
        ranks += [samples.rank for samples in group]
        figures.append(of_rows(ns))
        work_of.append(_rank_work(group, common))
        row, greatest = ns.argmax(axis=0), ns.max(axis=0)
        own = np.array([group[i].rank for i in row])
        beyond = (greatest > most[at]) | ((greatest == most[at]) & (own < slowest[at]))
        most[at], slowest[at] = np.where(beyond, greatest, most[at]), np.where(beyond, own, slowest[at])
        for numbers_of in {id(samples.calls): samples.calls for samples in group}.values():
            calls[at] = np.maximum(calls[at], np.array(numbers_of, dtype=np.float64)[common])
        different_work = {id(samples.work): samples.work for samples in group}
        for which, count in Counter(id(samples.work) for samples in group).items():
            each = _columns(different_work[which], len(repetition))[:, common] * count
            for total, part in zip((flop, read, written, messages), each, strict=True):
                total[at] += part
    order = np.argsort(np.array(ranks), kind="stable")
    rows = Rows(*(
        np.concatenate([getattr(figure, name) for figure in figures])[order]
        for name in ("count", "sum", "median", "mad", "least", "low", "high", "outlying", "memory")
    ))
    work = tuple(Work(*map(int, each)) for each in zip(flop, read, written, messages, strict=True))
    rank_flop, rank_bytes = (np.concatenate([rank_work[i] for rank_work in work_of])[order] for i in (0, 1))
    return Summary(
        section, tuple(numbers), calls, most, tuple(slowest.tolist()), work, tuple(int(ranks[i]) for i in order), rows,
        rank_flop, rank_bytes,
    )


def _alike(samples: list[Samples]) -> list[list[Samples]]:
    """Those with the same list of repetitions together. Lists that are equal may be two: that costs time alone."""
    groups: dict[int, list[Samples]] = {}
    for sample in samples:
        groups.setdefault(id(sample.repetition), []).append(sample)
    return list(groups.values())


def _columns(works: tuple[Work, ...], count: int) -> Array:
    """(4, repetitions): flop, bytes read, bytes written, messages."""
    columns = np.array([(work.flop, work.bytes_read, work.bytes_written, work.messages) for work in works], dtype=np.float64).T
    return columns if len(works) == count else np.broadcast_to(columns, (4, count))


def _rank_work(group: list[Samples], common: list[int]) -> tuple[Array, Array]:
    """Flop, and bytes read and written, of each rank."""
    known: dict[int, tuple[float, float]] = {}
    for samples in group:
        if id(samples.work) not in known:
            each = _columns(samples.work, len(samples.repetition))[:, common].sum(axis=1)
            known[id(samples.work)] = float(each[0]), float(each[1] + each[2])
    return np.array([known[id(sample.work)][0] for sample in group]), np.array([known[id(sample.work)][1] for sample in group])
