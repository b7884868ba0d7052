"""Rank lines of a record, of which there may be ten thousand, each with a hundred figures."""

from __future__ import annotations

from itertools import chain
from math import inf
from typing import Any

from tenken.model.errors import RecordError
from tenken.model.record import Card, PagesOfNode, Rank, Thread, Trust
from tenken.store.plain import from_plain
from tenken.store.samples import ADVICE, MAX_COUNT

_COUNTERS = ("wall_ns", "cpu_ns", "run_queue_wait_ns", "steal_ns", "throttled_ns", "migrations", "involuntary_switches",
             "major_faults")  # fmt: skip
_SAMPLES = ("frequency_hz", "vector_frequency_hz", "additions_per_cycle")
_MAYBE_INTEGER = {int, type(None)}
_KEYS = {"type", "rank", "host", "cpus", "numa", "threads", "place", "bound", "pages", "trust"}


def as_written(line: dict[str, Any]) -> bool:
    """Whether a line has the form that programs write, which the schema allows; the schema checks any other."""
    try:
        trust, pages = line["trust"], line["pages"]
        return (
            line.keys() - {"card"} == _KEYS and ("card" not in line or _card(line["card"]))
            and trust.keys() <= {*_COUNTERS, *_SAMPLES} and line["type"] == "rank"
            and {*map(type, (line["rank"], line["place"], trust["wall_ns"]))} == {int}
            and min(line["rank"], line["place"], trust["wall_ns"]) >= 0
            and type(line["host"]) is str and type(line["bound"]) is bool
            and _counts(line["cpus"]) and _counts(line["numa"])
            and all(thread.keys() == {"thread", "cpu_begin", "cpu_end"} and set(map(type, thread.values())) == {int}
                    and thread["thread"] >= 0 for thread in line["threads"])
            and (pages is None or all(page.keys() == {"node", "pages"} and _counts(list(page.values())) for page in pages))
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
        and (card["numa"] is None or _counts([card["numa"]]))
    )


def _counts(values: Any) -> bool:
    return type(values) is list and set(map(type, values)) <= {int} and min(values, default=0) >= 0


def read_rank(line: dict[str, Any], where: str) -> Rank:
    """The rank of a line that fits the schema. Written out: `from_plain` would look at every figure again."""
    trust = line["trust"]
    counters = [trust.get(name) for name in _COUNTERS]
    samples = [_numbers(trust.get(name, ()), where) for name in _SAMPLES]
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


def _numbers(samples: Any, where: str) -> tuple[float, ...]:
    if set(map(type, samples)) <= {int, float}:
        try:
            return tuple(map(float, samples))
        except OverflowError:
            pass
    return from_plain(tuple[float, ...], samples, f"{where}: trust")
