from __future__ import annotations

from hypothesis import given, strategies as st

from tenken.stats.robust import thin


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=500), st.integers(2, 50))
def test_extremes_stay_and_the_number_is_bounded(samples: list[float], points: int) -> None:
    kept = thin(samples, points)
    assert len(kept) <= points or len(kept) == len(samples)
    assert min(kept) == min(samples) and max(kept) == max(samples)


def test_time_order_is_kept() -> None:
    assert thin([1, 9, 2, 3, 0, 4], 4) == (1.0, 9.0, 0.0, 4.0)
    assert thin([3, 1], 4) == (3.0, 1.0)
