"""Words in sentences: counts of things, figures with three significant digits, lists, and names that a user may mistype."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from tenken.base.errors import TenkenError
from tenken.base.units import brief as digits
from tenken.base.units import brief_percent as percent
from tenken.base.units import brief_percents as percents
from tenken.base.units import brief_rate as si
from tenken.base.units import brief_size as size
from tenken.base.units import brief_time as duration
from tenken.base.units import detectable, hidden

__all__ = [
    "detectable", "digits", "duration", "hidden", "listed", "nearest", "percent", "percents", "plural", "si", "size", "unknown",
]

MOST_NAMED = 16


def plural(count: int, noun: str) -> str:
    """ "1 case", "8 cases", "2 launches"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith(('ch', 'ss')) else 's'}"


def listed(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """ "a, b, c", of many the first with ", ..."; "none" of none."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "") or "none"


def nearest(name: str, valid: Iterable[str]) -> str:
    """The end of an error sentence: the closest valid names, or all of them where none is close."""
    names = sorted(valid)
    close = _close(name, names)
    return f"did you mean {' or '.join(close)}?" if close else f"valid: {', '.join(names) or 'none'}"


def unknown(kind: str, name: str, valid: Iterable[str], of: str = "") -> TenkenError:
    """The refusal of `name`: names the nearest valid ones first, then all where they are few."""
    names = sorted(set(valid))
    close = _close(name, names)
    sentence = f"unknown {kind} '{name}'{of}"
    if close:
        sentence += f"; did you mean {' or '.join(close)}?"
    if not names:
        return TenkenError(f"{sentence}; there is none.")
    return TenkenError(f"{sentence}{' Valid' if close else '; valid'}: {listed(names)}.")


def _close(name: str, names: Sequence[str]) -> list[str]:
    return get_close_matches(name, names, n=3, cutoff=0.6)
