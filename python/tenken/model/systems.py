"""Reference systems side by side, for `tenken compare`. Shown, never judged."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A system's figure of a line, as printed."""

    value: str
    percent_printed: str | None = None  # of peak
    percent: float | None = None  # of peak, recomputed
    footnotes: tuple[int, ...] = ()  # from 1


@dataclass(frozen=True, slots=True)
class Line:
    """A section or row; `ratios` are over the first system, None where the figures are not divided."""

    name: str
    cells: tuple[Cell | None, ...]
    ratios: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of an application, size and unit.

    `basis` says the common part of the figures, `apart` the difference, `notes` how each system's were taken.
    """

    application: str
    size: str
    unit: str
    basis: str
    apart: tuple[str, ...]
    notes: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Systems:
    names: tuple[str, ...]
    titles: tuple[str, ...]
    specification: tuple[Line, ...]  # the units are in the names of the lines
    blocks: tuple[Block, ...]
    footnotes: tuple[str, ...]
