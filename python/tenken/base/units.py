"""Units, and how every figure is written: the only place for digits, prefixes and units.

Rates carry SI prefixes (GB/s = 1e9 byte/s), sizes binary ones (KiB, MiB, GiB). Text is plain ASCII, as in results.json;
pages and terminals show it through `micro` (µs for us), figures of a page through `typeset` (± and × too).
"""

from __future__ import annotations

import math
import re
from datetime import datetime, timezone

NONE = "-"  # where there is no figure
BOUNDLESS = 100.0  # times a figure: a bound so far away is none
_SI = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_RATES = {"flop": "FLOP/s", "b": "B/s", "byte": "B/s", "bytes": "B/s", "message": "message/s", "messages": "message/s"}
_RATE_UNIT = re.compile(r"^([kKMGTPE]?)(flop|byte|bytes|b|message|messages)/s$", re.IGNORECASE)
_TIME_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
BINARY = {f"{prefix}iB": 1 << 10 * power for power, prefix in enumerate("KMGT", start=1)}

# name -> (its quantity, factor to the base unit)
UNITS: dict[str, tuple[str, float]] = {
    **{unit: ("time", ns / 1e9) for unit, ns in _TIME_NS.items()},
    **{f"{prefix}FLOP/s": ("flop_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}B/s": ("byte_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}msg/s": ("message_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}op/s": ("operation_rate", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}Hz": ("frequency", factor) for prefix, factor in _SI.items()},
    **{f"{prefix}B": ("size", factor) for prefix, factor in _SI.items()},
    **{unit: ("size", float(count)) for unit, count in BINARY.items()},
    "1": ("ratio", 1.0),
    "%": ("ratio", 1e-2),
}


def dimension(unit: str) -> str:
    """The quantity of `unit`: time, a rate (of flop, byte, message, operation), frequency, size or ratio. KeyError if unknown."""
    return UNITS[unit][0]


def factor(unit: str) -> float:
    """How many base units (s, FLOP/s, B/s, msg/s, op/s, Hz, B, 1) a `unit` is. KeyError if unknown."""
    return UNITS[unit][1]


def number(value: float | None, digits: int = 4) -> str:
    """`value` with that many significant digits; an exponent only below 1e-4 and from 1e7 on."""
    if value is None:
        return NONE
    if not math.isfinite(value):
        return str(float(value))
    if value == int(value) and abs(value) < 1e7:
        return str(int(value))
    return _significant(value, digits)


def _significant(value: float, digits: int) -> str:
    """Not `number`: a whole value keeps its decimals."""
    exponent = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}")))) if value else 0
    if exponent < -4 or exponent >= 7:
        return f"{value:.{max(digits - 2, 1)}e}"
    return f"{value:.{max(digits - 1 - exponent, 0)}f}"


def percent(fraction: float | None) -> str:
    """A fraction as percent: 0.4781 is "47.8 %"."""
    return NONE if fraction is None else f"{bare_percent(fraction)} %"


def bare_percent(fraction: float | None) -> str:
    """As `percent`, without the sign: for columns whose heading says it."""
    if fraction is None or not math.isfinite(fraction):
        return number(fraction)
    scaled = 100 * fraction
    return f"{scaled:.0f}" if abs(scaled) >= 999.5 else f"{scaled:.1f}" if abs(scaled) >= 0.05 else number(scaled, 2)


def ratio(value: float | None) -> str:
    return NONE if value is None else f"{number(value, 3)}x"


def time_ns(ns: float | None, digits: int = 4) -> str:
    """A measured time: 9422000 is "9.422 ms"."""
    if ns is None or not math.isfinite(ns):
        return number(ns)
    unit, scale = time_scale(ns)
    return f"{number(ns / scale, digits)} {unit}"


def time_scale(ns: float) -> tuple[str, float]:
    """The unit in which `ns` has one to three digits before the point, and its length in ns."""
    for unit, scale in reversed(_TIME_NS.items()):
        if abs(ns) >= 0.99995 * scale:
            return unit, scale
    return "ns", 1.0


def median_mad_ns(median: float | None, mad: float | None) -> str:
    """ "9.422 +- 0.031 ms": both with the decimals of the median."""
    if median is None or mad is None or not math.isfinite(median):
        return time_ns(median)
    unit, scale = time_scale(median)
    return f"{median_mad(median / scale, mad / scale)} {unit}"


def median_mad(median: float | None, mad: float | None) -> str:
    """ "9.422 +- 0.031"; a MAD below the last digit shown is written "<0.001", that of a single sample not at all."""
    if median is None or mad is None or not math.isfinite(median):
        return number(median)
    text = _significant(median, 4)
    if "e" in text or mad == 0:
        return text
    decimals = len(text.partition(".")[2])
    step = 10.0**-decimals
    return f"{text} +- {f'<{step:.{decimals}f}' if 0 < mad < step / 2 else f'{mad:.{decimals}f}'}"


def duration(seconds: float | None) -> str:
    """How long something took or will take: "1 min 12 s", "2 h 05 min"."""
    if seconds is None or not math.isfinite(seconds):
        return NONE
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def moment(iso: str) -> str:
    """A time stamp: "2026-11-21T07:40:00Z" is "2026-11-21 07:40 UTC"; anything else remains."""
    match = re.match(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?(?:Z|\+00:00)$", iso)
    return f"{match[1]} {match[2]} UTC" if match else iso


def size(count: float | None) -> str:
    """Bytes with binary prefixes: 33554432 is "32 MiB"."""
    if count is None:
        return NONE
    unit, scale = size_scale(count)
    return f"{number(count / scale, 3)} {unit}"


def size_scale(count: float) -> tuple[str, float]:
    """The unit of powers of two in which `count` bytes are at least 1, and its bytes."""
    return next(((unit, scale) for unit, scale in reversed(BINARY.items()) if abs(count) >= scale), ("B", 1))


def hidden(fraction: float) -> str:
    """How much of a figure other load can explain: "up to 32 %", in words where that is a hundred times the figure."""
    return "any difference" if not fraction < BOUNDLESS else f"up to {brief_percent(fraction)}"


def brief(value: float) -> str:
    """Three significant digits for a sentence: no trailing zeros, no exponent where that is readable."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"


def brief_percent(fraction: float) -> str:
    return f"{brief(100 * fraction)} %"


def brief_percents(low: float, high: float) -> str:
    """A range of parts, both ends with one unit: 0.077, 0.16 -> "7.7 to 16 %"; a single figure where they are printed alike."""
    first, last = brief(100 * low), brief_percent(high)
    return last if last == f"{first} %" else f"{first} to {last}"


TOO_NOISY = 10.0  # an effect that multiplies a figure by more than that bounds nothing


def detectable(least: float, most: float | None = None) -> str:
    """ "4 to 9 %": the smallest effects that would have been seen; those beyond TOO_NOISY have no figure."""
    most = least if most is None else most
    if least > TOO_NOISY:
        return "none, too noisy"
    return brief_percents(least, most) if most <= TOO_NOISY else f"{brief_percent(least)} at best, elsewhere none, too noisy"


def brief_time(ns: float) -> str:
    unit, scale = time_scale(ns)
    return f"{brief(ns / scale)} {unit}"


def brief_rate(value: float, unit: str) -> str:
    """`value` in base units with the fitting prefix: 45.2e9, "FLOP/s" -> "45.2 GFLOP/s"."""
    prefix, scale = rate_scale(value)
    return f"{brief(value / scale)} {prefix}{unit}"


def brief_size(count: float) -> str:
    unit, scale = size_scale(count)
    return f"{brief(count / scale)} {unit}"


def rate(value: float | None, unit: str, digits: int = 4) -> str:
    """A rate given in `unit` ("flop/s", "byte/s", "GB/s", …) with the prefix that suits it: "38.2 GB/s"."""
    match = _RATE_UNIT.match(unit)
    if value is None or match is None or not math.isfinite(value):
        return number(value)
    value *= _SI[match[1].upper().replace("K", "k")]
    prefix, scale = rate_scale(value)
    return f"{number(value / scale, digits)} {prefix}{_RATES[match[2].lower()]}"


def rate_scale(value: float) -> tuple[str, float]:
    """SI prefix and factor in which `value` has one to three digits before the point."""
    for prefix in "EPTGMk":
        if abs(value) >= 0.99995 * _SI[prefix]:
            return prefix, _SI[prefix]
    return "", 1.0


def quantity(value: float | None, unit: str, digits: int = 4) -> str:
    """`value` given in `unit`, written for a sentence: with the prefix that suits it and without trailing zeros.

    An unknown unit stays as it is.
    """
    if value is None:
        return NONE
    if unit in _TIME_NS:
        text = time_ns(value * _TIME_NS[unit], digits)
    elif unit == "fraction":
        text = percent(value)
    elif unit.startswith("of "):
        text = f"{percent(value)} {unit}"
    elif unit in ("B", "byte", "bytes"):
        text = size(value)
    elif _RATE_UNIT.match(unit):
        text = rate(value, unit, digits)
    else:
        text = f"{number(value, digits)} {unit}".rstrip()
    return re.sub(r"^(-?\d+)(?:\.0+|(\.\d*?)0+)(?=e| |$)", r"\1\2", text)


def band(low: float | None, high: float | None, unit: str) -> str:
    """An allowed interval: "15.2 to 16.1 s", "at most 1.02", "at least 95 %"; "-" where there is none."""
    if low is None and high is None:
        return NONE
    if low is None:
        return f"at most {quantity(high, unit)}"
    if high is None:
        return f"at least {quantity(low, unit)}"
    first, last = quantity(low, unit), quantity(high, unit)
    figure, _, own = first.partition(" ")
    return f"{figure if own and last.endswith(' ' + own) else first} to {last}"


def typeset(text: str) -> str:
    """The same figure for a page: ± for +-, µs for us, × for the x of a ratio, nothing where there is none."""
    text = re.sub(r"(?<=\d)x$", "×", text.replace(" +- ", " ± "))
    return "" if text == NONE else micro(text)


_MICRO = re.compile(r"(?<=\d )us\b|(?<=[(\[>])us(?=[)\]<])|(?<=  )us(?=  |$)|(?<= in )us(?=[:,.])|(?<=Unit: )us\b|^us$",
                    re.MULTILINE)


def micro(text: str) -> str:
    """Text with µs where it has us as a unit: behind a figure, in brackets, or alone in its column."""
    return _MICRO.sub("µs", text) if "us" in text else text


# Moments as files tell them: ISO 8601, UTC.

DAY_S = 86400.0


def moment_s(text: str) -> float | None:
    """Seconds since 1970 in UTC, None where `text` is no moment."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()
    except ValueError:
        return None


def moment_text(at: datetime) -> str:
    """`at` as files tell it."""
    return f"{at.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
