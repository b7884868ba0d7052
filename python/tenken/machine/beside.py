"""Figures of runs beside published rows and beside each other: figures that are not comparable get a note and no quotient."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tenken.machine.files import Files, MachineFile
from tenken.machine.ours import Ours, figures, missing
from tenken.machine.side_by_side import Footnotes, Item, items, line_of, place, same
from tenken.model.assessment import Assessment
from tenken.model.check import Check
from tenken.model.systems import Block, Line, Systems


@dataclass(frozen=True, slots=True)
class _Row:
    """Published figures of an application, section and size, by system."""

    cells: Mapping[int, Item]

    @property
    def first(self) -> Item:
        return self.cells[min(self.cells)]


def with_runs(
    systems: Systems, machines: Sequence[MachineFile], files: Files, runs: Mapping[int, Assessment], checks: Mapping[str, Check]
) -> Systems:
    """`systems` with the figures of `runs` (by column of `machines`): first beside published rows, then beside each other."""
    notes = Footnotes(systems.footnotes)
    ours = {number: figures(run, checks) for number, run in runs.items()}
    published = [item for number, machine in enumerate(machines) if number not in runs for item in items(number, machine, files)]
    blocks = list(_beside_published(ours, published, systems.names, notes))
    if len(runs) > 1:
        blocks += _among_runs(ours, systems.names, notes)
    for number, run in runs.items():
        for sentence in _not_there(run, checks, published, systems.names[number]):
            notes.number(sentence)
    return replace(systems, blocks=(*blocks, *systems.blocks), footnotes=tuple(notes.sentences))


def _beside_published(
    figures_of: Mapping[int, Sequence[Ours]], published: Sequence[Item], names: Sequence[str], notes: Footnotes
) -> Iterable[Block]:
    counterparts = [counterpart for each in figures_of.values() for ours in each for counterpart in ours.beside]
    wanted = dict.fromkeys((counterpart.application, counterpart.section) for counterpart in counterparts)
    for application, section in wanted:
        rows: list[dict[int, Item]] = []
        for item in published:
            if is_of(item, application, section):
                place(item, rows)
        lines: dict[tuple[str, str], dict[int, Item]] = {}
        for number, each in figures_of.items():
            for ours in each:
                if any((counterpart.application, counterpart.section) == (application, section) for counterpart in ours.beside):
                    lines.setdefault((ours.case, ours.name), {})[number] = _item(number, application, section, ours)
        for row in map(_Row, rows):
            apart = dict.fromkeys(counterpart.note for counterpart in counterparts if counterpart.note
                                  and (counterpart.application, counterpart.section) == (application, section))
            made = [_line(f"{case} {name}", {**row.cells, **own}, row.first.unit, names, notes, apart)
                    for (case, name), own in lines.items()]
            title = f"Beside {application}, {row.first.name}"
            yield Block(title, row.first.size, row.first.unit, "", tuple(apart), (), tuple(made))


def _among_runs(figures_of: Mapping[int, Sequence[Ours]], names: Sequence[str], notes: Footnotes) -> list[Block]:
    cases: dict[str, dict[tuple[str, str], dict[int, Item]]] = {}
    for number, each in figures_of.items():
        for ours in each:
            cells = cases.setdefault(ours.case, {}).setdefault((ours.name, ours.unit), {})
            cells[number] = _item(number, ours.case, ours.name, ours)
    blocks = []
    for case, lines in cases.items():
        apart: dict[str, None] = {}
        made = [_line(name, row, unit, names, notes, apart) for (name, unit), row in lines.items()]
        by_unit: dict[str, list[Line]] = {}
        for (_, unit), line in zip(lines, made, strict=True):
            by_unit.setdefault(unit, []).append(line)
        for unit, own in by_unit.items():
            sizes = dict.fromkeys(item.size for row in lines.values() for item in row.values())
            blocks.append(Block(case, next(iter(sizes)) if len(sizes) == 1 else "", unit, "", tuple(apart), (), tuple(own)))
            apart = {}  # written once a case
    return blocks


def _item(number: int, application: str, name: str, ours: Ours) -> Item:
    note = f"{ours.case} {ours.note}" if ours.note else ""
    return Item(number, application, ours.size, ours.unit, name, ours.value, None, None, ours.basis, note, "", "", ours.percent)


def _line(
    name: str, row: Mapping[int, Item], unit: str, names: Sequence[str], notes: Footnotes, apart: dict[str, None]
) -> Line:
    return replace(line_of(dict(sorted(row.items())), unit, names, notes, apart), name=name)


def is_of(item: Item, application: str, section: str) -> bool:
    """Sections of a whole application carry the number of their table."""
    return item.application == application and same(re.sub(r"^\d{3,4} ", "", item.name), section)


def _not_there(run: Assessment, checks: Mapping[str, Check], published: Sequence[Item], label: str) -> list[str]:
    """Which checks the run lacks that are shown beside a figure of the chosen systems."""
    lacking: dict[str, list[str]] = {}
    for check, counterpart in missing(run, checks):
        if any(is_of(item, counterpart.application, counterpart.section) for item in published):
            lacking.setdefault(check, []).append(f"{counterpart.application}, {counterpart.section}")
    return [
        f"{label} has no case of {check}, which is shown beside {'; '.join(dict.fromkeys(rows))}: ./tenken run {check}"
        for check, rows in lacking.items()
    ]
