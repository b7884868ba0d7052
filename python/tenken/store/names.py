"""Names that a user may mistype."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, valid: Iterable[str]) -> str:
    """The end of an error sentence: the closest valid names, or all of them where none is close."""
    names = sorted(valid)
    close = get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"valid: {', '.join(names) or 'none'}"
