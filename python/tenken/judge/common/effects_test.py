"""Quantities on one scale, and how the probability of an error is shared among them."""

from __future__ import annotations

from math import inf, isnan, log, log1p

import numpy as np
import pytest

from tenken.judge.common import effects
from tenken.judge.common.effects import demands, groups_of, kind_of, numbered, scaled, unscaled
from tenken.model import limits
from tenken.model.baseline import Quantity


def quantity(name: str, better: str = "lower", klass: str = "compute") -> Quantity:
    return Quantity(name, "ns", better, klass)


@pytest.mark.parametrize(("name", "kind"), [
    ("metric:rate", "time"), ("time:cg/operator", "time"), ("loss:a", "loss"), ("jitter:a", "jitter"), ("clock:plain", "clock"),
    ("metric:loss:x", "time"),
])  # fmt: skip
def test_metrics_and_times_are_of_one_kind(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize(("of", "value", "expected"), [
    (quantity("time:a"), 8.0, log(8)), (quantity("metric:r", "higher"), 8.0, -log(8)), (quantity("metric:l"), 0.5, log(0.5)),
    (quantity("loss:a"), 0.0, 0.0), (quantity("loss:a"), 1.5, log1p(1.5)), (quantity("jitter:a"), -0.5, log(0.5)),
    (quantity("clock:plain", "higher"), 3.0, -log(3)),
])  # fmt: skip
def test_larger_is_worse_and_there_is_a_way_back(of: Quantity, value: float, expected: float) -> None:
    assert scaled(of, value) == pytest.approx(expected)
    assert unscaled(of, scaled(of, value)) == pytest.approx(value)


@pytest.mark.parametrize(("of", "value"), [
    (quantity("time:a"), 0.0), (quantity("time:a"), -1.0), (quantity("time:a"), inf), (quantity("time:a"), float("nan")),
    (quantity("loss:a"), -1.0), (quantity("jitter:a"), -2.0),
])  # fmt: skip
def test_what_has_no_logarithm_is_unknown(of: Quantity, value: float) -> None:
    assert isnan(scaled(of, value))


def test_smallest_effects_are_those_of_the_class_and_the_kind() -> None:
    of = (quantity("time:a"), quantity("metric:m", "higher", "memory"), quantity("loss:a"), quantity("jitter:a", klass="memory"),
          quantity("clock:plain", "higher"))  # fmt: skip
    found = demands(of)
    assert np.expm1(found.warn) == pytest.approx([
        limits.CHANGE_WARN["compute"], limits.CHANGE_WARN["memory"], 0.10, limits.JITTER["memory"], 0.05])
    assert np.expm1(found.fail) == pytest.approx([limits.CHANGE_FAIL["compute"], limits.CHANGE_FAIL["memory"], 0.25, inf, 0.15])
    assert np.expm1(found.hopeless) == pytest.approx([limits.HOPELESS["compute"], limits.HOPELESS["memory"], 1.0, 1.0, 0.5])
    assert found.kind.tolist() == ["time", "time", "loss", "jitter", "time"]
    assert found.clock.tolist() == [False, False, False, False, True]
    assert demands(()).warn.shape == (0,)


def test_kinds_share_the_error_and_the_quantities_of_a_kind_their_part() -> None:
    kinds = np.array(["time", "time", "loss", "jitter", "time"])
    known = np.array([[True, True, True, False, False], [True, True, False, False, True], [False] * 5])
    assert effects.tests_of(known, kinds) == pytest.approx(np.array([
        [2.5, 2.5, 10, 10, 2.5], [3.75, 3.75, 10, 10, 3.75], [1.25, 1.25, 10, 10, 1.25]]))
    assert effects.tests_of(np.array([True, True]),
        np.array(["odd", "time"])) == pytest.approx([1.0, 1.25]), "of no kind: by itself"


def test_noise_is_alike_in_a_kind_and_class() -> None:
    of = (quantity("time:a"), quantity("loss:a"), quantity("metric:b", "higher"), quantity("time:c", klass="memory"),
          quantity("loss:d"))  # fmt: skip
    assert groups_of(of).tolist() == [0, 1, 0, 2, 1]
    assert numbered(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2] and numbered([]).size == 0
