"""Is a card attached by fewer lanes than it could be, and is a path slower than the same path of the other cards?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from tenken.judge.common import digits, finding, plural
from tenken.model.assessment import AxisResult, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict

SLOW = 0.85  # of the median of the others: like paths differ by less, noise included
OVER_HOST = -1.0  # in table `peers`
BETWEEN = {"pairs": "copies from", "exchanges": "copies in both directions between"}
Cells = dict[tuple[str, str], float]
_K = TypeVar("_K")


@dataclass(frozen=True, slots=True)
class Odd:
    """A card or a pair that is unlike the others."""

    what: str
    measured: float | None = None
    expected: float | None = None
    unit: str = "GB/s"
    part: float = SLOW  # of what is expected, at least
    next_command: str | None = None


def judge(of: ToJudge) -> OwnJudgement:
    """The balance axis: each card against the others, each pair against pairs of the same kind."""
    tables = [table for each in of.measured for table in each.record.tables]
    paths = _medians(tables, "paths")
    if not paths:
        return OwnJudgement()
    host = of.measured[0].record.rank[0].host
    launches = f"medians of {plural(len(of.measured), 'launch')}"

    peers = _medians(tables, "peers")
    odd = [*_links(_medians(tables, "links"), host), *_cards(paths, host), *_without_peer_access(peers, host)]
    for name, words in BETWEEN.items():
        odd += _pairs(_medians(tables, name), peers, words, host)
    findings = [
        finding(Axis.BALANCE, Verdict.WARN, of.case.id, one.what, launches, measured=one.measured, expected=one.expected,
                band=(None if one.expected is None else one.part * one.expected, None), unit=one.unit, where=Where(host=host),
                next_command=one.next_command)
        for one in odd
    ]
    cards = list(dict.fromkeys(card for card, _ in paths))
    if findings:
        axis = AxisResult(Axis.BALANCE, Verdict.WARN, findings[0].what)
    elif len(cards) < 2:
        axis = AxisResult(Axis.BALANCE, Verdict.NOT_JUDGED, "one card: there is no other card to compare with")
    else:
        rates = [paths[card, "to card"] for card in cards if (card, "to card") in paths]
        axis = AxisResult(Axis.BALANCE, Verdict.OK, f"{len(cards)} cards: host to card at {digits(min(rates))} to "
                                                     f"{digits(max(rates))} GB/s")
    return OwnJudgement(axes=(axis,), findings=tuple(findings))


def _medians(tables: list[Table], name: str) -> Cells:
    """Median over launches of each cell that was measured."""
    found: dict[tuple[str, str], list[float]] = {}
    for table in (table for table in tables if table.name == name and table.values is not None):
        for row, cells in zip(table.rows, table.values or (), strict=False):
            for column, cell in zip(table.columns, cells, strict=False):
                if cell is not None and abs(cell) < float("inf"):
                    found.setdefault((row, column), []).append(cell)
    return {place: median(values) for place, values in found.items()}


def _links(links: Cells, host: str) -> Iterator[Odd]:
    for (card, column), most in links.items():
        lanes = links.get((card, "lanes"))
        if column == "lanes at most" and lanes is not None and 0 < lanes < most:
            what = f"card {card} of {host} is attached by {digits(lanes)} of {digits(most)} lanes"
            look = f"nvidia-smi -q -i {card.split(' ')[-1]} -d PCI"
            yield Odd(f"{what}: reseat it, or examine slot and riser", lanes, most, "lanes", 1.0, look)


def _cards(paths: Cells, host: str) -> Iterator[Odd]:
    for column in dict.fromkeys(column for _, column in paths):
        rates = {card: rate for (card, name), rate in paths.items() if name == column and rate > 0}
        for card, others in _slow(rates).items():
            yield Odd(f"path '{column}' of card {card} of {host} is slow: {digits(rates[card])} GB/s, other cards reach "
                      f"{digits(others)} GB/s", rates[card], others)


def _without_peer_access(peers: Cells, host: str) -> Iterator[Odd]:
    """Pairs that copy over the host while most pairs do not."""
    lost = [pair for pair, rank in peers.items() if rank == OVER_HOST]
    if 2 * len(lost) >= len(peers):
        return
    for one, other in lost:
        if one < other or (other, one) not in lost:
            yield Odd(f"cards {one} and {other} of {host} copy over the host; the other pairs have peer access",
                      next_command="nvidia-smi topo -p2p r")


def _pairs(rates: Cells, peers: Cells, words: str, host: str) -> Iterator[Odd]:
    """Each pair against the pairs with the same rank of the driver."""
    for rank in sorted(set(peers.values())):
        alike = {pair: rate for pair, rate in rates.items() if rate > 0 and peers.get(pair) == rank}
        for (one, other), others in _slow(alike).items():
            yield Odd(f"{words} card {one} {'to' if words.endswith('from') else 'and'} card {other} of {host} are slow: "
                      f"{digits(alike[one, other])} GB/s, pairs of the same kind reach {digits(others)} GB/s",
                      alike[one, other], others)


def _slow(rates: dict[_K, float]) -> dict[_K, float]:
    """Of each slow key the median of the other rates."""
    found = {}
    for key, rate in rates.items():
        others = [other for name, other in rates.items() if name != key]
        if others and rate < SLOW * median(others):
            found[key] = median(others)
    return found
