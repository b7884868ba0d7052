from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenken.report.draw.labels import apart


def test_what_is_apart_stays_where_it_is() -> None:
    assert apart([40, 10, 90], 14, 0, 100) == [40, 10, 90]


def test_labels_of_one_height_are_spread_around_it() -> None:
    assert apart([50, 50, 50], 10, 0, 100) == [40, 50, 60]
    assert apart([50, 52], 10, 0, 100) == [46, 56]


def test_labels_stay_inside() -> None:
    assert apart([2, 2], 10, 0, 100) == [0, 10]
    assert apart([99, 99], 10, 0, 100) == [90, 100]
    assert apart([], 10, 0, 100) == []


def test_where_there_is_no_room_they_begin_at_the_bottom() -> None:
    assert apart([5, 5, 5], 10, 0, 12) == [0, 10, 20]


@given(st.lists(st.floats(0, 300), max_size=12))
def test_no_two_are_nearer_than_the_gap_and_none_is_outside(wanted: list[float]) -> None:
    found = apart(wanted, 14, 0, 300)
    for one, other in zip(sorted(found), sorted(found)[1:], strict=False):
        assert other - one >= 14 - 1e-6
    assert all(-1e-9 <= one <= 300 + 1e-6 for one in found)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    assert [found[i] for i in order] == pytest.approx(sorted(found))
