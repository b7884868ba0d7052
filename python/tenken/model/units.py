"""The one table of units. Rates use powers of ten, sizes also powers of two."""

from __future__ import annotations

_SI = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}

# name -> (what it measures, factor to the base unit)
UNITS: dict[str, tuple[str, float]] = {
    "s": ("time", 1.0),
    "ms": ("time", 1e-3),
    "us": ("time", 1e-6),
    "ns": ("time", 1e-9),
    **{f"{prefix}FLOP/s": ("flop_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}B/s": ("byte_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}msg/s": ("message_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}Hz": ("frequency", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}B": ("size", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}iB": ("size", 1024.0**power) for power, prefix in enumerate("KMGT", start=1)},
    "1": ("ratio", 1.0),
    "%": ("ratio", 1e-2),
}


def dimension(unit: str) -> str:
    """What `unit` measures: time, flop_rate, byte_rate, message_rate, frequency, size or ratio. KeyError if unknown."""
    return UNITS[unit][0]


def factor(unit: str) -> float:
    """How many base units (s, FLOP/s, B/s, msg/s, Hz, B, 1) one `unit` is. KeyError if unknown."""
    return UNITS[unit][1]
