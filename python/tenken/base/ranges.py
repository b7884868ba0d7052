"""Lists of whole numbers written as "A..B": A, 2A, 4A, ... up to B, and B itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

_RANGE = re.compile(r"(.*[^.\s])\s*\.\.\s*([^.\s].*)")


def split_range(text: Any) -> tuple[str, str] | None:
    """The two ends of "A..B", None where `text` is something else."""
    match = _RANGE.fullmatch(text.strip()) if isinstance(text, str) else None
    return (match[1], match[2]) if match else None


def doublings(low: int, high: int) -> list[int]:
    """From `low`, at least 1, to `high`; none where that is less. ValueError for a `low` that cannot be doubled."""
    if low < 1:
        raise ValueError(f"starts at {low}; doublings start at 1 or more")
    values = [low << step for step in range(max(high // low, 1).bit_length()) if low << step < high]
    return [*values, high] if high >= low else []


def expanded(items: Iterable[Any], number: Callable[[str], int]) -> list[Any]:
    """`items` with each "A..B" in the place of which its doublings stand; `number` gives the value of an end."""
    values: list[Any] = []
    for item in items:
        ends = split_range(item)
        values += doublings(*map(number, ends)) if ends else [item]
    return values
