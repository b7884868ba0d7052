from __future__ import annotations

import pytest

from tenken.base.toml import doublings, expanded, split_range


def test_a_range_is_two_ends() -> None:
    assert split_range(" 4KiB .. 4*L3 ") == ("4KiB", "4*L3")
    assert [split_range(one) for one in ("1...8", "..8", "1..", "8", 8, None)] == [None] * 6


@pytest.mark.parametrize(("low", "high", "values"), [
    (1, 8, [1, 2, 4, 8]), (1, 6, [1, 2, 4, 6]), (3, 3, [3]), (3, 20, [3, 6, 12, 20]), (4, 3, []), (1, 1, [1]),
])
def test_doublings_end_with_the_end(low: int, high: int, values: list[int]) -> None:
    assert doublings(low, high) == values


def test_lists_hold_ranges_beside_numbers() -> None:
    assert expanded([7, "1..4", "x"], int) == [7, 1, 2, 4, "x"]
    with pytest.raises(ValueError, match="starts at 0; doublings start at 1 or more"):
        expanded(["0..4"], int)
