"""Series lines of a record, of which there may be a hundred thousand: those that look as programs write them are read without
a JSON reader, all others with it. Both end in the same checks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tenken.model.errors import RecordError
from tenken.model.record import Series, Work
from tenken.store.files import parse_json

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
