"""Which band a metric is held against."""

from __future__ import annotations

import builders as b
import pytest

from tenken.judge.launch_set import figures
from tenken.judge.launch_set.figures import band_for
from tenken.model.machine import Band


def test_the_band_of_the_check_s_own_name_and_class_comes_first() -> None:
    bands = tuple(Band(node_class, metric, 1.0, None, "value", f"{metric} on {node_class}") for node_class, metric in (
        ("*", "new.rate"), ("toy", "new.rate"), ("*", "old.rate"), ("toy", "new.rat"), ("*", "older.time"),
    ))  # fmt: skip

    def source(metric: str, node_class: str) -> str | None:
        found = band_for(("new", "old", "older"), metric, node_class, bands)
        return found.source if found else None

    assert source("rate", "toy") == "new.rate on toy" and source("rate", "other") == "new.rate on *"
    assert source("time", "toy") == "older.time on * (formerly older)" and source("none", "toy") is None
    assert band_for(("old",), "rate", "toy", bands) == bands[2]


def test_bands_of_machine_files_follow() -> None:
    old = Band("*", "demo.rate", 0.7, None, "ceiling", "a paper")
    found = band_for(("demo2", "demo"), "rate", "toy", (old,))
    assert found is not None and found.low == 0.7 and found.source == "a paper (formerly demo)"
    own = Band("*", "demo2.rate", 0.8, None, "ceiling", "a paper")
    assert band_for(("demo2", "demo"), "rate", "toy", (old, own)) == own
    assert b.check("demo").formerly == ()


@pytest.mark.parametrize(("at", "expected"), [(2, "triad by 2 threads"), (1, "triad by 1 thread")])
def test_a_headline_has_the_value_that_its_section_is_repeated_over(at: int, expected: str) -> None:
    assert figures._headline("triad by {at} threads", at) == expected
