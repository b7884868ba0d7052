"""The odd card and the odd pair are named; cards that are alike, and pairs of another kind, are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b
import pytest

from tenken.judge.assess import assess
from tenken.model.assessment import AxisResult, Finding
from tenken.model.record import Table
from tenken.model.verdict import Axis, Verdict
from tenken.store.judges import load_judges

JUDGES = load_judges([Path(__file__).resolve().parents[1]], ["gpu_paths"])
CARDS = tuple(f"{i} 0000:{i}B:00.0" for i in range(4))
Square = list[list[float | None]]


def square(value: float, n: int = 4) -> Square:
    return [[None if i == j else value for j in range(n)] for i in range(n)]


def judged(
    to_card: list[float], pairs: Square | None = None, peers: Square | None = None, lanes: float = 16
) -> tuple[AxisResult, tuple[Finding, ...]]:
    cards = CARDS[: len(to_card)]
    tables = [
        Table("paths", "GB/s", "higher", cards, ("to card", "to host"), tuple((rate, 25.0) for rate in to_card)),
        Table("links", "1", "higher", cards, ("lanes", "lanes at most"),
              tuple((lanes if i == 1 else 16.0, 16.0) for i in range(len(cards)))),
    ]
    if len(cards) > 1:
        for name, cells in (("pairs", pairs or square(200.0)), ("peers", peers or square(0.0))):
            tables.append(Table(name, "GB/s", "higher", cards, cards, tuple(map(tuple, cells))))
    records = [replace(b.record(b.fma(40e9, path="to_card"), check="gpu_paths", launch=i), tables=tuple(tables)) for i in (1, 2)]
    run = b.run(b.case_run(*records, of=b.check("gpu_paths", validity=())))
    case = assess(run, b.machine(b.node()), (), judges=JUDGES).cases[0]
    return next(one for one in case.axes if one.axis is Axis.BALANCE), case.findings


def test_like_cards_are_ok() -> None:
    axis, findings = judged([25, 24, 25.5, 25])
    assert axis.verdict is Verdict.OK and axis.reason == "4 cards: host to card at 24 to 25.5 GB/s" and not findings


def test_one_card_is_not_compared() -> None:
    axis, findings = judged([25])
    assert axis.verdict is Verdict.NOT_JUDGED and "one card" in axis.reason and not findings


def test_a_card_with_a_slow_path_is_named() -> None:
    axis, (finding,) = judged([25, 25, 12, 25])
    assert axis.verdict is Verdict.WARN and finding.where.host == "n0"
    assert finding.what == f"path 'to card' of card {CARDS[2]} of n0 is slow: 12 GB/s, other cards reach 25 GB/s"


def test_lost_lanes_are_named_before_the_slow_path_that_they_explain() -> None:
    axis, findings = judged([25, 12, 25, 25], lanes=8)
    assert axis.reason.startswith(f"card {CARDS[1]} of n0 is attached by 8 of 16 lanes") and len(findings) == 2
    assert (findings[0].measured, findings[0].expected, findings[0].unit) == (8, 16, "lanes")
    assert findings[0].next_command == "nvidia-smi -q -i 0000:1B:00.0 -d PCI"


def test_a_slow_pair_is_named_with_its_direction() -> None:
    pairs = square(200.0)
    pairs[3][1] = 90.0
    (finding,) = judged([25] * 4, pairs)[1]
    assert finding.what == (f"copies from card {CARDS[3]} to card {CARDS[1]} of n0 are slow: 90 GB/s, pairs of the same kind "
                            "reach 200 GB/s")


@pytest.mark.parametrize(("rank", "named"), [(1.0, False), (-1.0, True)])
def test_pairs_of_another_kind_are_compared_among_themselves(rank: float, named: bool) -> None:
    """A pair with fewer links has another rank of the driver; a pair without peer access is a finding."""
    pairs, peers = square(200.0), square(0.0)
    for i, j in ((0, 1), (1, 0)):
        pairs[i][j], peers[i][j] = 90.0, rank
    findings = judged([25] * 4, pairs, peers)[1]
    assert [finding.what for finding in findings] == (
        [f"cards {CARDS[0]} and {CARDS[1]} of n0 copy over the host; the other pairs have peer access"] if named else [])


def test_a_node_without_peer_access_is_ok() -> None:
    assert judged([25] * 4, square(20.0), square(-1.0))[0].verdict is Verdict.OK
