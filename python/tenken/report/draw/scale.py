"""The numbers that labels of rows and columns state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers that labels state, alike in name and unit: "z 0.25 km" is 0.25 of z in km."""

    name: str
    unit: str
    numbers: tuple[float, ...]  # as many as labels


def scale_of(labels: Sequence[str]) -> Scale | None:
    """None where a label is no "NAME NUMBER[ UNIT]", or name and unit differ."""
    words = [label.split(" ") for label in labels]
    if not words or any(len(each) not in (2, 3) or [each[0], *each[2:]] != [words[0][0], *words[0][2:]] for each in words):
        return None
    try:
        numbers = tuple(float(each[1]) for each in words)
    except ValueError:
        return None
    return Scale(words[0][0], "".join(words[0][2:]), numbers) if all(map(isfinite, numbers)) else None
