"""A check whose `check.toml` is refused: its readable parts, so that it is missed where it would have run."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tenken.model.check import CaseSpec, Check


def broken_check(folder: Path, problem: str) -> Check:
    """The check in `folder` with its problem and, as far as they can be read, the names of its cases and their suites."""
    content = _content(folder)
    tables = content.get("case", {})
    cases = tuple(
        CaseSpec(name, "unknown", {}, 1, 1, 1, 1.0, _texts(table, "suites"), _texts(table, "formerly"))
        for name, table in (tables.items() if isinstance(tables, dict) else ())
    )
    return Check(
        name=folder.name, title="cannot be read", question="unknown", repetition="unknown", variants=("unknown",),
        faults=(), requires=(), parameters=(), sections=(), metrics=(), validity=(), cases=cases, folder=str(folder),
        formerly=_texts(content, "formerly"), problem=problem,
    )


def _content(folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((folder / "check.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def _texts(table: Any, key: str) -> tuple[str, ...]:
    """The texts of a list, as far as it is a list."""
    texts = table.get(key, []) if isinstance(table, dict) else []
    return tuple(text for text in texts if isinstance(text, str)) if isinstance(texts, list) else ()
