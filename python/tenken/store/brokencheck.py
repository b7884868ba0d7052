"""A check whose `check.toml` is refused: what can still be said of it, so that it is missed where it would have run."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tenken.model.check import CaseSpec, Check


def broken_check(folder: Path, problem: str) -> Check:
    """The check in `folder` with its problem and, as far as they can be read, the names of its cases and their suites."""
    cases = tuple(
        CaseSpec(name, "unknown", {}, 1, 1, 1, 1.0, tuple(suites)) for name, suites in _cases(folder).items()
    )
    return Check(
        name=folder.name, title="cannot be read", question="unknown", repetition="unknown", variants=("unknown",),
        faults=(), requires=(), parameters=(), sections=(), metrics=(), validity=(), cases=cases, folder=str(folder),
        problem=problem,
    )


def _cases(folder: Path) -> dict[str, list[str]]:
    """Suites by case."""
    try:
        content: Any = tomllib.loads((folder / "check.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    found = {}
    tables = content.get("case", {})
    for name, table in tables.items() if isinstance(tables, dict) else ():
        suites = table.get("suites", []) if isinstance(table, dict) else []
        found[name] = [one for one in suites if isinstance(one, str)] if isinstance(suites, list) else []
    return found
