from __future__ import annotations

import math

import pytest
from tenken.base import units
from tenken.base.words import plural


@pytest.mark.parametrize(("value", "text"), [
    (None, "-"), (0, "0"), (3.0, "3"), (153.94, "153.9"), (14.552, "14.55"), (9.4219, "9.422"), (0.01234567, "0.01235"),
    (99999.6, "100000"), (9.99996, "10.00"), (3.1e-12, "3.10e-12"), (2.5e9, "2.50e+09"), (-14.552, "-14.55"),
    (math.nan, "nan"), (-math.inf, "-inf"),
])
def test_numbers_have_four_significant_digits(value: float | None, text: str) -> None:
    assert units.number(value) == text


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (21.4, "21.40 ns"), (999.4, "999.4 ns"), (999.94, "999.9 ns"), (999.96, "1.000 us"), (9_422_000, "9.422 ms"),
        (153.94e9, "153.9 s"), (0, "0 ns"), (None, "-"),
    ],
)
def test_times_choose_their_unit(ns: float | None, text: str) -> None:
    assert units.time_ns(ns) == text


@pytest.mark.parametrize(("median", "mad", "text"), [
    (9_422_000, 31_000, "9.422 +- 0.031 ms"), (300_000, 1_200, "300.0 +- 1.2 us"), (14.55e9, 0, "14.55 s"),
    (14.55e9, 1e6, "14.55 +- <0.01 s"), (None, None, "-"),
])
def test_median_and_mad_share_unit_and_decimals(median: float | None, mad: float | None, text: str) -> None:
    assert units.median_mad_ns(median, mad) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (38.63e9, "byte/s", "38.63 GB/s"), (53.7, "GFLOP/s", "53.7 GFLOP/s"), (1420, "GFLOP/s", "1.42 TFLOP/s"),
        (0.3004, "us", "300.4 ns"), (0.478, "fraction", "47.8 %"), (0.478, "of the ceiling", "47.8 % of the ceiling"),
        (33554432, "byte", "32 MiB"), (1.42, "", "1.42"), (7, "lattices", "7 lattices"), (1e-8, "", "1e-08"),
        (2.5e6, "message/s", "2.5 Mmessage/s"), (100, "", "100"), (None, "GB/s", "-"), (math.inf, "GB/s", "inf"),
        (12, "kB/s", "12 kB/s"),
    ],
)
def test_quantities_in_a_sentence(value: float | None, unit: str, text: str) -> None:
    assert units.quantity(value, unit) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "-"), (0.04, "0.0 s"), (9.1, "9.1 s"), (59.6, "1 min 00 s"), (72.4, "1 min 12 s"), (1300, "21 min 40 s"),
        (7500, "2 h 05 min"),
    ],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert units.duration(seconds) == text


@pytest.mark.parametrize(("fraction", "text"), [
    (0.4781, "47.8 %"), (0, "0 %"), (0.00004, "0.0040 %"), (290.45, "29045 %"), (None, "-"), (math.nan, "nan %"),
])
def test_percent(fraction: float | None, text: str) -> None:
    assert units.percent(fraction) == text


def test_an_effect_beyond_ten_times_has_no_figure() -> None:
    assert units.detectable(0.05) == "5 %" and units.detectable(0.05, 0.3) == "5 to 30 %"
    assert units.detectable(0.05, 10.0) == "5 to 1000 %"
    assert units.detectable(0.05, 10.1) == "5 % at best, elsewhere none, too noisy"
    assert units.detectable(10.1) == units.detectable(10.1, 2e5) == "none, too noisy"


def test_bands_say_which_side_is_bounded() -> None:
    assert units.band(15.2, 16.1, "s") == "15.2 to 16.1 s"
    assert units.band(0.5e-3, 2.0, "s") == "500 us to 2 s"
    assert units.band(None, 1.05, "") == "at most 1.05"
    assert units.band(0.95, None, "fraction") == "at least 95 %"
    assert units.band(None, None, "s") == "-"


def test_sizes_are_binary_and_rates_decimal() -> None:
    assert units.size(1536) == "1.50 KiB" and units.size(8 << 30) == "8 GiB" and units.size(3 << 40) == "3 TiB"
    assert units.rate(1e9, "byte/s") == "1 GB/s"


@pytest.mark.parametrize(("unit", "dimension", "factor"), [
    ("us", "time", 1e-6), ("s", "time", 1.0), ("GFLOP/s", "flop_rate", 1e9), ("MB/s", "byte_rate", 1e6), ("B", "size", 1.0),
    ("kmsg/s", "message_rate", 1e3), ("op/s", "operation_rate", 1.0), ("GHz", "frequency", 1e9), ("TiB", "size", 2.0**40),
    ("KiB", "size", 1024.0), ("EB", "size", 1e18), ("1", "ratio", 1.0), ("%", "ratio", 0.01),
])
def test_a_unit_has_a_dimension_and_a_factor(unit: str, dimension: str, factor: float) -> None:
    assert (units.dimension(unit), units.factor(unit)) == (dimension, factor)


def test_typeset_changes_only_figures() -> None:
    assert units.typeset("9.422 +- 0.031 us") == "9.422 ± 0.031 µs"
    assert units.typeset("1.42x") == "1.42×" and units.typeset("-") == ""
    assert units.typeset("focus box") == "focus box"


def test_time_stamps_lose_seconds_and_what_is_none_is_kept() -> None:
    assert units.moment("2026-11-21T07:40:00Z") == "2026-11-21 07:40 UTC"
    assert units.moment("yesterday") == "yesterday"


def test_plurals() -> None:
    assert [
        plural(n, noun) for n, noun in ((1, "case"), (2, "case"), (3, "launch"))
    ] == ["1 case", "2 cases", "3 launches"]


@pytest.mark.parametrize(("text", "expected"), [
    ("median 806 us (limit 10 us)", "median 806 µs (limit 10 µs)"), ("rate  (us)", "rate  (µs)"), ("us", "µs"),
    ("latency    0.377   us   lower", "latency    0.377   µs   lower"),
    ("tell us: pack_us=3, 2 users", "tell us: pack_us=3, 2 users"),
    (">time [us]<", ">time [µs]<"),
])
def test_micro_changes_the_unit_and_no_word(text: str, expected: str) -> None:
    assert units.micro(text) == expected
