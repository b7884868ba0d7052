"""Is a card attached by fewer lanes than it could be, and is a path slower than the same path of the other cards?"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import TypeVar

from tenken.judge.common import digits, finding, plural
from tenken.model.assessment import AxisResult, Finding, Where
from tenken.model.judgement import OwnJudgement, ToJudge
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict

SLOW = 0.85  # of the median of the others: like paths differ by less, noise included
OVER_HOST = -1.0  # in table `peers`
BETWEEN = {"pairs": "copies from", "exchanges": "copies in both directions between"}
Cells = dict[tuple[str, str], float]
_K = TypeVar("_K")


def judge(of: ToJudge) -> OwnJudgement:
    """The balance axis: each card against the others, each pair against pairs of the same kind."""
    tables = [table for each in of.measured for table in each.record.tables]
    paths = _medians(tables, "paths")
    if not paths:
        return OwnJudgement()
    host = of.measured[0].record.rank[0].host
    launches = f"medians of {plural(len(of.measured), 'launch')}"

    def slow(what: str, ratio: float) -> Finding:
        return finding(Axis.BALANCE, Verdict.WARN, of.case.id, what, launches, measured=ratio, expected=1.0,
                       band=(None, 1 / SLOW), unit="others/this", where=Where(host=host))

    findings = [slow(what, ratio) for what, ratio in (*_links(_medians(tables, "links"), host), *_cards(paths, host))]
    peers = _medians(tables, "peers")
    findings += [slow(what, ratio) for what, ratio in _without_peer_access(peers, host)]
    for name, words in BETWEEN.items():
        findings += [slow(what, ratio) for what, ratio in _pairs(_medians(tables, name), peers, words, host)]
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
    for table in (one for one in tables if one.name == name and one.values is not None):
        for row, cells in zip(table.rows, table.values or (), strict=False):
            for column, cell in zip(table.columns, cells, strict=False):
                if cell is not None and abs(cell) < float("inf"):
                    found.setdefault((row, column), []).append(cell)
    return {place: median(values) for place, values in found.items()}


def _links(links: Cells, host: str) -> Iterator[tuple[str, float]]:
    for (card, column), most in links.items():
        lanes = links.get((card, "lanes"))
        if column == "lanes at most" and lanes is not None and 0 < lanes < most:
            yield (f"card {card} of {host} is attached by {digits(lanes)} of {digits(most)} lanes: reseat the card, or examine "
                   "slot and riser", most / lanes)


def _cards(paths: Cells, host: str) -> Iterator[tuple[str, float]]:
    for column in dict.fromkeys(column for _, column in paths):
        rates = {card: rate for (card, name), rate in paths.items() if name == column and rate > 0}
        for card, others in _slow(rates).items():
            yield (f"path '{column}' of card {card} of {host} is slow: {digits(rates[card])} GB/s, other cards reach "
                   f"{digits(others)} GB/s", others / rates[card])


def _without_peer_access(peers: Cells, host: str) -> Iterator[tuple[str, float]]:
    """Pairs that copy over the host while most pairs do not."""
    lost = [pair for pair, rank in peers.items() if rank == OVER_HOST]
    if 2 * len(lost) >= len(peers):
        return
    for one, other in lost:
        if one < other or (other, one) not in lost:
            yield f"cards {one} and {other} of {host} copy over the host; the other pairs have peer access", 1.0


def _pairs(rates: Cells, peers: Cells, words: str, host: str) -> Iterator[tuple[str, float]]:
    """Each pair against the pairs with the same rank of the driver."""
    for rank in sorted(set(peers.values())):
        alike = {pair: rate for pair, rate in rates.items() if rate > 0 and peers.get(pair) == rank}
        for (one, other), others in _slow(alike).items():
            yield (f"{words} card {one} {'to' if words.endswith('from') else 'and'} card {other} of {host} are slow: "
                   f"{digits(alike[one, other])} GB/s, pairs of the same kind reach {digits(others)} GB/s",
                   others / alike[one, other])


def _slow(rates: dict[_K, float]) -> dict[_K, float]:
    """Of each slow key the median of the other rates."""
    found = {}
    for key, rate in rates.items():
        others = [other for name, other in rates.items() if name != key]
        if others and rate < SLOW * median(others):
            found[key] = median(others)
    return found
