"""Rates with their 95 % bounds, and tables of them in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt


def wilson(hits: int, of: int) -> tuple[float, float]:
    """95 % bounds of a rate (E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209)."""
    z, p = 1.959964, hits / of
    middle, half = p + z * z / (2 * of), z * sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return max((middle - half) / (1 + z * z / of), 0.0), min((middle + half) / (1 + z * z / of), 1.0)


def rate(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{100 * hits / of:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
