from __future__ import annotations

import pytest

from tenken.report.draw import axis


@pytest.mark.parametrize(("low", "high", "expected"), [
    (0.8, 120.0, [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]),
    (1e-6, 1.0, [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]),
    (40.0, 90.0, [50.0, 70.0]),
    (0.9, 7.0, [1.0, 2.0, 5.0]),
])
def test_ticks_of_a_logarithmic_axis(low: float, high: float, expected: list[float]) -> None:
    ticks = axis.decades(low, high)
    assert 3 <= len(ticks) <= 9 and all(low <= tick <= high * (1 + 1e-9) for tick in ticks)
    if len(expected) >= 3:
        assert ticks == pytest.approx(expected)


@pytest.mark.parametrize(("values", "expected"), [([1.0, 29.0], False), ([1.0, 31.0], True), ([0.0, 31.0], False), ([], False)])
def test_a_panel_that_spans_a_factor_of_thirty_is_logarithmic(values: list[float], expected: bool) -> None:
    assert axis.spans_decades(values) is expected
