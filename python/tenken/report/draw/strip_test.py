from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import assessments
import pytest

from tenken.report.draw import bars


def texts(samples: tuple[float, ...]) -> list[str]:
    section = replace(assessments.stream().sections[0], strip_ns=(samples,), median_ns=1000.0, mad_ns=5.0)
    return ["".join(node.itertext()).strip() for node in ElementTree.fromstring(bars.strip([section])).iter("text")]


def test_the_axis_is_scaled_to_quantiles_and_an_outlier_is_counted() -> None:
    samples = tuple(1000.0 + index % 7 for index in range(200))
    assert bars.limits((*samples, 9000.0), 1000.0) == (950.0, 1056.0)
    assert any(text.endswith("1 outlier, the farthest 9 µs") for text in texts((*samples, 9000.0)))
    assert any("2 outliers, the farthest 0.100 µs" in text for text in texts((*samples, 100.0, 700.0)))
    assert not any("outlier" in text for text in texts(samples))


def test_a_few_samples_are_all_drawn() -> None:
    assert bars.limits([1000.0, 1100.0, 1300.0], 1100.0) == pytest.approx((1000.0, 1300.0))
