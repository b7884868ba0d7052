"""Reading `formerly` of a check.toml: the older names of a check and of its cases and studies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tenken.base.toml import Table
from tenken.model.check import Check
from tenken.model.formerly import conflicts
from tenken.store.brokencheck import broken_check

_CHECK = re.compile(r"[a-z][a-z0-9_]*")
_CASE = re.compile(r"[a-z][a-z0-9_]*:[a-z][a-z0-9_]*")


def read_formerly(table: Table) -> tuple[str, ...]:
    """Of a case or study: its older names."""
    names = table.words("formerly", ())
    for name in names:
        if not _CASE.fullmatch(name):
            table.fail("formerly", f"expected older names as check:case, found '{name}'")
    return names


def read_check_formerly(root: Table, own: Iterable[str]) -> tuple[str, ...]:
    """Of a check: names of checks, and check:case of cases and studies that are among its `own` under the same name."""
    names, known = root.words("formerly", ()), list(own)
    for name in names:
        if not _CHECK.fullmatch(name) and not _CASE.fullmatch(name):
            root.fail("formerly", f"expected older names as check or check:case, found '{name}'")
        case = name.partition(":")[2]
        if case and case not in known:
            advice = "write formerly in the table of its present case"
            root.fail("formerly", f"'{name}': no case or study here is called {case}; {advice}")
    return names


def without_conflicts(checks: Mapping[str, Check]) -> dict[str, Check]:
    """`checks`, where each that takes a name which is not free has that as its problem."""
    problems = {name: problem for name, problem in conflicts(checks).items() if checks[name].problem is None}
    return {
        name: check if name not in problems
        else broken_check(Path(check.folder), f"{check.folder}/check.toml: formerly: {problems[name]}")
        for name, check in checks.items()
    }
