from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenken.stats.tournament import partner_of, rounds_of

# The C++ test of the check reads the same file.
GOLDEN = Path(__file__).parents[3] / "checks" / "mpi_pairs" / "rounds.json"


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 17, 64])
def test_everybody_meets_everybody_once(n: int) -> None:
    met = set()
    for number in rounds_of(n):
        here = {player: partner_of(player, number, n) for player in range(n)}
        assert all(here[other] == player for player, other in here.items() if other is not None)
        assert sum(other is None for other in here.values()) == n % 2
        met |= {(player, other) for player, other in here.items() if other is not None and player < other}
    assert len(met) == n * (n - 1) // 2


def test_many_participants_play_some_rounds_only() -> None:
    assert len(rounds_of(256)) == 255 and len(rounds_of(1)) == 0
    assert len(rounds_of(257)) == 18 and len(set(rounds_of(1024))) == 20


def test_the_check_plays_the_same_rounds() -> None:
    golden = json.loads(GOLDEN.read_text())
    assert {int(n) for n in golden["partners"]} == {2, 5, 8, 1000}
    for n, by_round in golden["partners"].items():
        for number, partners in by_round.items():
            mine = [partner_of(player, int(number), int(n)) for player in range(len(partners))]
            assert [-1 if one is None else one for one in mine] == partners
    for n, rounds in golden["rounds"].items():
        assert rounds_of(int(n)) == rounds
