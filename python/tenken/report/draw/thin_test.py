from __future__ import annotations

import assessments
from hypothesis import given
from hypothesis import strategies as st
from tenken.report.draw import thin


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=300), st.integers(2, 60))
def test_samples_keep_order_extremes_and_limit(values: list[float], limit: int) -> None:
    kept = thin.samples(values, limit)
    assert len(kept) <= max(limit, 2)
    assert [index for index, _ in kept] == sorted({index for index, _ in kept})
    assert all(values[index] == value for index, value in kept)
    assert {min(values), max(values)} <= {value for _, value in kept}


def test_of_the_fewest_samples_the_extremes_remain() -> None:
    values = [3.0, 1.0, 4.0, 1.5, 9.0, 2.0]
    assert thin.samples(values, 2) == thin.samples(values, 3) == [(1, 1.0), (4, 9.0)]
    assert thin.samples(values, 5) == [(1, 1.0), (2, 4.0), (3, 1.5), (4, 9.0)]


def test_few_ranks_are_all_kept_slowest_first() -> None:
    times = assessments.ranks(38, 1e6, {5: 2.0})
    kept = thin.ranks(times)
    assert len(kept) == 38 and kept[0] == ("rank 5", times[5])


def test_of_ten_thousand_ranks_the_worst_and_the_quantiles_are_kept() -> None:
    times = assessments.ranks(10_000, 1e6, {77: 2.0})
    order = sorted(times, key=lambda time: -time.median_ns)
    kept = thin.ranks(times)
    assert [time for _, time in kept[:32]] == order[:32] and kept[0][1].rank == 77
    assert [label.split(" (")[0] for label, _ in kept[32:]] == ["90 %", "75 %", "50 %", "25 %", "10 %", "0 %"]
    assert kept[-1][1] == order[-1]
