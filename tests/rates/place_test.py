from __future__ import annotations

import pytest
from rates import place
from rates.bounds import rate, table, wilson
from rates.place import Rate


def test_bounds_of_the_literature() -> None:
    """Newcombe, Stat. Med. 17 (1998) 857, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29, without continuity correction."""
    for hits, of, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)):
        assert wilson(hits, of) == pytest.approx((low, high), abs=1e-4)
    assert rate(1, 29) == "3.4 % (0.6 to 17.2)" and wilson(7, 7)[1] <= 1.0
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_what_is_planted_on_a_quiet_machine_is_named_and_nobody_else() -> None:
    clean, *planted = place.node_rates(place.NOISES[0], 8, 4)
    assert (clean.hits, clean.runs) == (0, 4) and [(one.hits, one.runs, one.planted) for one in planted] == [(4, 4, (3, 40))]
    clean, *planted = place.pair_rates(place.NOISES[0], 8, 8)
    assert (clean.hits, clean.runs) == (0, 8) and all((one.hits, one.runs) == (2, 2) for one in planted)


def test_goals_and_page() -> None:
    def counted(false: int, right: int) -> tuple[list[Rate], list[Rate]]:
        places = [Rate("typical", 4, None, false, 1000), Rate("typical", 4, (1, 40), right, 1000)]
        return places, [Rate("quiet", 64, None, false, 1000), Rate("quiet", 64, ("path", 2.0), right, 1000)]

    assert [reached for _, reached in place.goals(*counted(10, 990))] == [True] * 4
    assert [reached for _, reached in place.goals(*counted(11, 960))] == [False, False, False, True]
    assert [reached for _, reached in place.goals([], [])] == [False] * 4
    text = place.page(*counted(10, 990))
    assert "| typical | 4 | 1000 | 1.0 % (0.5 to 1.8) |\n" in text and "| quiet | 64 | path | 2.0 | 1000 | 99.0 %" in text
