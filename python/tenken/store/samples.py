"""Series lines of a record, of which there may be a hundred thousand: those that look as programs write them are read without
a JSON reader, all others with it. Both end in the same checks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenken.base.errors import RecordError
from tenken.base.rows import MAD_TO_SIGMA, Array, Rows, of_rows
from tenken.model.record import Card, PagesOfNode, Rank, Series, Summary, Thread, Trust, Work
from tenken.store.files import from_plain, parse_json

MAX_COUNT = 2**63 - 1  # the writer counts in 64-bit integers
MAX_NS = 366 * 86400 * 10**9  # no launch lasts a year
ADVICE = "the record cannot be believed: repeat this launch"

_WRITTEN = re.compile(
    rb'\{"type": ?"series", ?"rank": ?(0|[1-9]\d{0,8}), ?"section": ?(0|[1-9]\d{0,8}), ?"repetition": ?\[([^\]]*)\], ?'
    rb'"calls": ?\[([^\]]*)\], ?"ns": ?\[([\d, ]*)\], ?"work": ?(\{[^{}]*\}|\[[^\[\]]*\])\}'
)


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Like Series, but compact. Equal lists share an object as long as few differ; `work` has one entry where all are alike."""

    where: str
    rank: int
    section: int
    repetition: tuple[int, ...]
    calls: tuple[int, ...]
    ns: NDArray[np.int64]
    work: tuple[Work, ...]

    def series(self) -> Series:
        count = len(self.repetition)
        work = self.work if len(self.work) == count else self.work * count
        return Series(self.rank, self.section, self.repetition, self.calls, tuple(self.ns.tolist()), work)


def as_written(text: bytes, where: str) -> Samples | None:
    """The samples of a line that looks as programs write it and is right; None for any other, whatever is wrong with it."""
    parts = _WRITTEN.fullmatch(text)
    if parts is None:
        return None
    try:
        repetition, calls, work = _repetitions(parts[3]), _counts(parts[4]), _works(parts[6])
        ns = np.fromstring(parts[5], dtype=np.int64, sep=",")  # in text mode, which is not the deprecated mode
    except (RecordError, ValueError, OverflowError, KeyError, TypeError, DeprecationWarning):
        return None
    count = len(repetition)
    if not count == len(calls) == ns.size == parts[5].count(b",") + 1 or (parts[6][:1] == b"[" and len(work) != count):
        return None
    if ns.min() < 0 or ns.max() > MAX_NS:
        return None
    return Samples(where, int(parts[1]), int(parts[2]), repetition, calls, ns, work)


def from_line(line: dict[str, Any], where: str) -> Samples:
    """The samples of a line that fits the schema; RecordError where they cannot be."""
    count, work = len(line["repetition"]), line["work"]
    for name, array in (("calls", line["calls"]), ("ns", line["ns"]), ("work", work)):
        if isinstance(array, list) and len(array) != count:
            raise RecordError(f"{where}: {len(array)} {name} for {count} repetitions; {ADVICE}")
    if not rising(line["repetition"]):
        raise RecordError(f"{where}: repetitions are not in rising order; {ADVICE}")
    stated = stated_work(work)
    largest = max((max(work.flop, work.bytes_read, work.bytes_written, work.messages) for work in set(stated)), default=0)
    if max(line["ns"], default=0) > MAX_NS or max(line["calls"], default=0) > MAX_COUNT or largest > MAX_COUNT:
        raise RecordError(f"{where}: absurd times, calls or work; {ADVICE}")
    return Samples(
        where, line["rank"], line["section"], _once(tuple(line["repetition"])), _once(tuple(line["calls"])),
        np.array(line["ns"], dtype=np.int64), _once(stated),
    )


@lru_cache(maxsize=64)
def _once(some: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same object for equal lists, as long as few differ."""
    return some


def stated_work(work: Any) -> tuple[Work, ...]:
    works = work if isinstance(work, list) else [work]
    return tuple(_work(work["flop"], work["bytes_read"], work["bytes_written"], work["messages"]) for work in works)


_work = lru_cache(maxsize=1024)(Work)  # the same in nearly every repetition


def rising(numbers: list[int] | tuple[int, ...]) -> bool:
    return all(later > earlier for earlier, later in zip(numbers, numbers[1:], strict=False))


@lru_cache(maxsize=64)
def _numbers(text: bytes, least: int) -> tuple[int, ...]:
    numbers = parse_json("[" + text.decode("ascii") + "]", "")
    if set(map(type, numbers)) - {int} or min(numbers, default=0) < least or max(numbers, default=0) > MAX_COUNT:
        raise ValueError
    return tuple(numbers)


@lru_cache(maxsize=64)
def _repetitions(text: bytes) -> tuple[int, ...]:
    repetitions = _numbers(text, -1)
    if not rising(repetitions):
        raise ValueError
    return repetitions


def _counts(text: bytes) -> tuple[int, ...]:
    return _numbers(text, 0)


@lru_cache(maxsize=64)
def _works(text: bytes) -> tuple[Work, ...]:
    stated = stated_work(parse_json(text.decode("utf-8"), ""))
    for work in stated:
        counts = (work.flop, work.bytes_read, work.bytes_written, work.messages)
        if set(map(type, counts)) != {int} or min(counts) < 0 or max(counts) > MAX_COUNT:
            raise ValueError
    return stated


# Rank lines of a record, of which there may be ten thousand, each with a hundred figures.

_COUNTERS = ("wall_ns", "cpu_ns", "run_queue_wait_ns", "steal_ns", "throttled_ns", "migrations", "involuntary_switches",
             "major_faults")  # fmt: skip
_SAMPLES = ("frequency_hz", "vector_frequency_hz", "additions_per_cycle")
_MAYBE_INTEGER = {int, type(None)}
_KEYS = {"type", "rank", "host", "cpus", "numa", "threads", "place", "bound", "pages", "trust"}


def rank_as_written(line: dict[str, Any]) -> bool:
    """Whether a line has the form that programs write, which the schema allows; the schema checks any other."""
    try:
        trust, pages = line["trust"], line["pages"]
        return (
            line.keys() - {"card"} == _KEYS and ("card" not in line or _card(line["card"]))
            and trust.keys() <= {*_COUNTERS, *_SAMPLES} and line["type"] == "rank"
            and {*map(type, (line["rank"], line["place"], trust["wall_ns"]))} == {int}
            and min(line["rank"], line["place"], trust["wall_ns"]) >= 0
            and type(line["host"]) is str and type(line["bound"]) is bool
            and _ranks_counts(line["cpus"]) and _ranks_counts(line["numa"])
            and all(thread.keys() == {"thread", "cpu_begin", "cpu_end"} and set(map(type, thread.values())) == {int}
                    and thread["thread"] >= 0 for thread in line["threads"])
            and (pages is None or all(page.keys() == {"node", "pages"} and _ranks_counts(list(page.values())) for page in pages))
            and {type(trust.get(name)) for name in _COUNTERS} <= _MAYBE_INTEGER
            and all(
                set(map(type, trust.get(name, ()))) <= {int, float} and type(trust.get(name, [])) is list for name in _SAMPLES
            )
        )
    except (KeyError, AttributeError, TypeError):
        return False


def _card(card: Any) -> bool:
    return (
        card.keys() == {"id", "name", "visible", "numa"} and type(card["id"]) is type(card["name"]) is str
        and card["id"] != "" and type(card["visible"]) is int and card["visible"] > 0
        and (card["numa"] is None or _ranks_counts([card["numa"]]))
    )


def _ranks_counts(values: Any) -> bool:
    return type(values) is list and set(map(type, values)) <= {int} and min(values, default=0) >= 0


def read_rank(line: dict[str, Any], where: str) -> Rank:
    """The rank of a line that fits the schema. Written out: `from_plain` would look at every figure again."""
    trust = line["trust"]
    counters = [trust.get(name) for name in _COUNTERS]
    samples = [_ranks_numbers(trust.get(name, ()), where) for name in _SAMPLES]
    for counter in chain(counters, *samples):
        if counter is not None and (counter < 0 or MAX_COUNT < counter < inf):
            raise RecordError(f"{where}: trust counter {counter} is negative or absurd; {ADVICE}")
    pages, card = line.get("pages"), line.get("card")
    return Rank(
        line["rank"], line["host"], tuple(line["cpus"]), tuple(line["numa"]),
        tuple([Thread(thread["thread"], thread["cpu_begin"], thread["cpu_end"]) for thread in line["threads"]]),
        Trust(*counters, *samples), line.get("place"), line.get("bound"),
        None if pages is None else tuple([PagesOfNode(page["node"], page["pages"]) for page in pages]),
        None if card is None else Card(card["id"], card["name"], card["visible"], card["numa"]),
    )


def _ranks_numbers(samples: Any, where: str) -> tuple[float, ...]:
    if set(map(type, samples)) <= {int, float}:
        try:
            return tuple(map(float, samples))
        except OverflowError:
            pass
    return from_plain(tuple[float, ...], samples, f"{where}: trust")


# The reduction of too many samples of all ranks: a summary of each section, and all samples of the ranks that stand out.
# Programs write such records themselves (cpp/measure/many_ranks.hpp, of which this is the twin); here it is done to records
# with all samples.

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
