"""Reference systems side by side, in plain text."""

from __future__ import annotations

import textwrap

from tenken.base.units import NONE, number
from tenken.model.systems import Block, Cell, Systems
from tenken.report.plain import plain
from tenken.report.table import table

MOST_VALUES = 8


def systems_text(systems: Systems) -> str:
    """The titles, the specification, a table for each application, and footnotes."""
    names = systems.names
    lines = [plain(f"{name}: {title}") for name, title in zip(names, systems.titles, strict=True)]
    over = [f"{name}/{names[0]}" for name in names[1:]]
    lines += ["", "Specification"]
    lines += table(
        ["", *names, *over],
        [[line.name, *(cell.value if cell else NONE for cell in line.cells), *map(_ratio, line.ratios[1:])]
         for line in systems.specification], left=1 + len(names),
    )
    for block in systems.blocks:
        lines += ["", *_block(block, systems, over)]
    if systems.footnotes:
        lines += ["", *(f"[{place}] {sentence}" for place, sentence in enumerate(systems.footnotes, start=1))]
    lines += ["", "Figures as printed; % is of peak, recomputed from value and peak (of times: from the work that all agree on),",
              "of a run of its measured ceiling.",
              "Shown, never judged. Sources: docs/references.md"]
    return "\n".join(lines) + "\n"


def _block(block: Block, systems: Systems, over: list[str]) -> list[str]:
    size = f", {block.size}" if block.size else ""
    lines = [plain(f"{block.application}{size} [{block.unit}]{f': {block.basis}' if block.basis else ''}")]
    headings = [""]
    for name in systems.names:
        headings += [name, "% printed", "%"]
    rows = [
        [line.name, *(text for cell in line.cells for text in _cell(cell)), *map(_ratio, line.ratios[1:])] for line in block.lines
    ]
    lines += table([*headings, *over], rows)
    for sentence in (*block.apart, *block.notes):
        lines += textwrap.wrap(plain(sentence), 130, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return lines


def _cell(cell: Cell | None) -> tuple[str, str, str]:
    if cell is None:
        return NONE, NONE, NONE
    values = cell.value.split()
    value = cell.value
    if len(values) > MOST_VALUES:  # a line of a matrix: all of them are in --json
        value = f"{len(values)} values, {min(values, key=float)} to {max(values, key=float)}"
    marks = "".join(f" [{place}]" for place in cell.footnotes)
    return value + marks, cell.percent_printed or NONE, NONE if cell.percent is None else f"{cell.percent:.2f}"


def _ratio(ratio: float | None) -> str:
    return NONE if ratio is None else f"{number(ratio, 3)}x"

