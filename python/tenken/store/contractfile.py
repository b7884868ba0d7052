"""Reading requirements.toml and waivers, and the copy that a run has of the terms that it was compared with."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from tenken.base.errors import TenkenError
from tenken.base.regular import MIB, read_regular_text, replace_file
from tenken.base.toml import Table, read_toml
from tenken.base.units import UNITS
from tenken.base.words import nearest, unknown
from tenken.model.contract import Requirement, Terms, Waiver

REQUIREMENTS, WAIVERS = "requirements.toml", "waivers.toml"  # in a run folder


def read_terms(requirements: Path, waivers: Path | None = None) -> Terms:
    """A file of requirements, with the waivers in it and those of another file. TenkenError names file and key at fault."""
    root = read_toml(requirements)
    title = root.text("title")
    rows = tuple(_requirement(table) for table in root.table_list("requirement"))
    if not rows:
        root.fail("requirement", "expected one table [[requirement]] at least")
    _refuse_twice(root, ((requirement.clause, requirement.case, requirement.metric) for requirement in rows), "requirement")
    waived = [(root, _waiver(table)) for table in root.table_list("waiver")]
    root.done()
    if waivers is not None:
        other = read_toml(waivers)
        waived += [(other, _waiver(table)) for table in other.table_list("waiver")]
        other.done()
    clauses = {requirement.clause for requirement in rows}
    for table, waiver in waived:
        if waiver.clause not in clauses:
            raise TenkenError(f"{table.file}: {unknown('clause', waiver.clause, clauses, of=' in a waiver')}")
    _refuse_twice(waived[-1][0] if waived else root, ((waiver.clause,) for _, waiver in waived), "waiver")
    return Terms(title, str(requirements), rows, tuple(waiver for _, waiver in waived))


def _refuse_twice(table: Table, keys: Iterable[tuple[str, ...]], key_name: str) -> None:
    seen: set[tuple[str, ...]] = set()
    for key in keys:
        if key in seen:
            table.fail(key_name, f"two of them are about clause {', '.join(key)}; leave one out")
        seen.add(key)


def _requirement(table: Table) -> Requirement:
    unit = table.text("unit")
    if unit not in UNITS:
        table.fail("unit", f"'{unit}' is unknown; {nearest(unit, UNITS)}")
    case = table.text("case")
    if not all(case.partition(":")[::2]):
        table.fail("case", f"expected check:case, found '{case}'")
    row = Requirement(
        clause=table.text("clause"),
        text=table.text("text"),
        case=case,
        metric=table.text("metric"),
        limit=table.number("limit", 0.0),
        unit=unit,
        pick=table.word("pick", ("best", "worst")) if "pick" in table else "",
    )
    table.done()
    return row


def _waiver(table: Table) -> Waiver:
    expires: Any = table.raw("expires")
    if not isinstance(expires, date) or isinstance(expires, datetime):
        table.fail("expires", f"expected a date without quotes, such as 2027-03-31, found {expires!r}")
    waiver = Waiver(table.text("clause"), table.text("owner"), table.text("reason"), expires.isoformat())
    table.done()
    return waiver


def keep_terms(folder: Path, requirements: Path, waivers: Path | None) -> None:
    """Copy both files into a run folder, so that later reports of the run show the contract."""
    for name, path in ((REQUIREMENTS, requirements), (WAIVERS, waivers)):
        copy = folder / name
        if path is None:
            copy.unlink(missing_ok=True)
        elif path.resolve() != copy.resolve():
            replace_file(copy, read_regular_text(path, 16 * MIB).encode())


def kept_files(folder: Path) -> tuple[Path, Path | None] | None:
    """Requirements and waivers that a run was compared with; None where it never was."""
    requirements, waivers = folder / REQUIREMENTS, folder / WAIVERS
    return (requirements, waivers if waivers.exists() else None) if requirements.exists() else None
