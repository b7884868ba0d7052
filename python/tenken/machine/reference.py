"""Machine files on reference systems beside the node: their parts, and results of any quantity as printed.

Figures stay as printed: their digits say how far they are rounded. Each names the `entry` of docs/references.md
(paper/table) that it was taken from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tenken.base import units
from tenken.base.toml import Table
from tenken.base.words import nearest

# Units of published figures that no metric of ours has: unit -> (its quantity, factor to its base unit).
UNITS = {
    **units.UNITS,
    "Gbit/s": ("byte_rate", 1e9 / 8), "GT/s": ("transfer_rate", 1e9),
    "lines": ("lines", 1.0), "count": ("count", 1.0), "GiB/s": ("byte_rate", float(1 << 30)),
}
# Figures that a part may have, and their quantities.
FIGURES = {
    "capacity": "size", "rate": "byte_rate", "peak": "flop_rate", "frequency": "frequency", "highest_frequency": "frequency",
    "transfers": "transfer_rate", "latency": "time",
}
KINDS = ("processor", "memory", "cache", "link", "network", "device", "storage")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as printed, and its unit."""

    printed: str
    unit: str

    @property
    def value(self) -> float:
        """In the base unit (byte, byte/s, FLOP/s, Hz, s, ...)."""
        return float(self.printed) * UNITS[self.unit][1]

    def __str__(self) -> str:
        return f"{self.printed} {self.unit}"


@dataclass(frozen=True, slots=True)
class Part:
    """A processor, memory, cache, link, network, device or storage; `count` of them in each `of`."""

    kind: str
    name: str
    of: str  # node, processor, core, device, system, ...
    count: int
    figures: Mapping[str, Figure]
    entry: str
    note: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a published table; several values are a line of a matrix."""

    name: str
    values: tuple[str, ...]
    percent_of_peak: str | None
    nodes: int | None  # None: not stated; a peak is then of a node
    sockets: int | None  # of each node; None: all
    devices: int  # of each node
    ranks: int | None
    peak: Figure | None  # as the paper states it; None: of the nodes, sockets and devices
    note: str
    slip: str  # the error of the paper on this row


@dataclass(frozen=True, slots=True)
class Results:
    """Rows of a published table that share their quantity, statistic, size and precision."""

    entry: str
    application: str
    size: str
    unit: str
    statistic: str  # "best of 5", "mean", "not stated", ...
    precision: str  # "double", "single" or "" where the quantity has none
    note: str
    rows: tuple[Row, ...]


def read_part(table: Table) -> Part:
    """A table `[[part]]`. TenkenError names a unit that does not fit."""
    figures = {name: _figure(table, name, quantity) for name, quantity in FIGURES.items() if name in table}
    part = Part(
        kind=table.word("kind", KINDS),
        name=table.text("name"),
        of=table.text("of"),
        count=table.count("count", 1),
        figures=figures,
        entry=table.text("entry"),
        note=table.any_text("note", ""),
    )
    table.done()
    return part


def _figure(table: Table, key: str, quantity: str | None) -> Figure:
    """ "16 GB": a number and a unit of `quantity`."""
    number, _, unit = table.text(key).partition(" ")
    if not NUMBER.fullmatch(number):
        table.fail(key, f"expected a number and a unit as in '16 GB', found {table.text(key)!r}")
    return Figure(number, _unit(table, key, unit, quantity))


def _unit(table: Table, key: str, unit: str, quantity: str | None = None) -> str:
    if unit not in UNITS:
        table.fail(key, f"unit '{unit}' is unknown; {nearest(unit, UNITS)}")
    if quantity and UNITS[unit][0] != quantity:
        fitting = [name for name, (measured, _) in UNITS.items() if measured == quantity]
        table.fail(key, f"unit '{unit}' does not fit; expected one of {', '.join(fitting)}")
    return unit


def read_results(table: Table) -> Results:
    """A table `[[results]]`. TenkenError names a number, unit or key at fault."""
    unit = _unit(table, "unit", table.text("unit"))
    results = Results(
        entry=table.text("entry"),
        application=table.text("application"),
        size=table.any_text("size", ""),
        unit=unit,
        statistic=table.text("statistic"),
        precision=table.word("precision", ("double", "single"), "double") if UNITS[unit][0] == "flop_rate" else "",
        note=table.any_text("note", ""),
        rows=tuple(_row(line, unit) for line in table.table_list("rows")),
    )
    table.done()
    return results


def _row(table: Table, unit: str) -> Row:
    key = "values" if "values" in table else "value"
    values = tuple(table.text(key).split())
    if not all(map(NUMBER.fullmatch, values)) or (key == "value" and len(values) > 1):
        numbers = "numbers" if key == "values" else "a number"
        table.fail(key, f"expected {numbers} as printed, in quotes, found {table.text(key)!r}")
    row = Row(
        name=table.text("name"),
        values=values,
        percent_of_peak=table.printed("percent_of_peak"),
        nodes=table.optional_count("nodes"),
        sockets=table.optional_count("sockets", low=0),
        devices=table.count("devices", 0, low=0),
        ranks=table.optional_count("ranks"),
        peak=_figure(table, "peak", UNITS[unit][0]) if "peak" in table else None,
        note=table.any_text("note", ""),
        slip=table.any_text("slip", ""),
    )
    table.done()
    return row


def refuse_twice(table: Table, results: Iterable[Results]) -> None:
    """TenkenError where two rows have the same application, size, unit and name."""
    seen: set[tuple[str, ...]] = set()
    for result in results:
        for row in result.rows:
            key = (result.application, result.size, result.unit, row.name)
            if key in seen:
                where = f"{result.application}{f', {result.size}' if result.size else ''}"
                table.fail("results", f"two rows of {where} are named '{row.name}'")
            seen.add(key)
