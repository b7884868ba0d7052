"""Numbers in sentences: three significant digits and a unit."""

from __future__ import annotations

from tenken.model import units


def digits(value: float) -> str:
    """Three significant digits without an exponent where that is readable."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"


def si(value: float, unit: str) -> str:
    """`value` in base units with the fitting prefix: 45.2e9, "FLOP/s" -> "45.2 GFLOP/s"."""
    for prefix in "PTGMk":
        if abs(value) >= units.factor(prefix + unit):
            return f"{digits(value / units.factor(prefix + unit))} {prefix}{unit}"
    return f"{digits(value)} {unit}"


def duration(ns: float) -> str:
    """Nanoseconds in the largest unit that leaves at least 1."""
    for unit in ("s", "ms", "us"):
        if ns >= units.factor(unit) * 1e9:
            return f"{digits(ns / (units.factor(unit) * 1e9))} {unit}"
    return f"{digits(ns)} ns"


def percent(fraction: float) -> str:
    return f"{digits(100 * fraction)} %"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith(('ch', 'ss')) else 's'}"


def size(count: float) -> str:
    """Bytes in powers of two."""
    for unit in ("GiB", "MiB", "KiB"):
        if count >= units.factor(unit):
            return f"{digits(count / units.factor(unit))} {unit}"
    return f"{digits(count)} B"
