"""Sizes and counts of a case written as expressions, such as `4*L3` or `25%mem`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.toml import NotUnderstood, UnknownName, expanded, split_range, value
from tenken.base.words import unknown


def with_ranges(items: Iterable[Any], sizes: Mapping[str, int | None], subject: str) -> list[Any]:
    """`items` with the doublings of each "A..B" in its place."""
    items = list(items)
    try:
        return expanded(items, lambda end: evaluate(end, sizes, subject))
    except ValueError as problem:
        raise TenkenError(f"{subject}: '{next(filter(split_range, items))}' {problem}.") from None


def evaluate(text: str, sizes: Mapping[str, int | None], subject: str) -> int:
    """The value, rounded down. `sizes` are the known names in bytes (None: unknown here); a refusal names `subject`."""

    def size_of(name: str) -> float:
        size = sizes.get(name)
        if size is None:
            raise UnknownName(name)
        return size

    try:
        return math.floor(value(text, size_of))
    except NotUnderstood:
        raise TenkenError(
            f"{subject}: '{text}' is not understood; expected an integer or an expression of {' '.join(sizes)} such as "
            "4*L3, 25%mem or 64MiB."
        ) from None
    except UnknownName as error:
        name = error.args[0]
        if name not in sizes:
            raise unknown("name", name, sizes, of=f" in {subject} ('{text}')") from None
        raise TenkenError(
            f"{subject}: '{text}' needs {name}, which is not known of this machine; set a number."
        ) from None
