"""Tells CMake the requirements of the checks, by check and by variant, and which source files belong to which variant.

Called at configure time: `python needs.py checks/A/check.toml checks/B/check.toml … > needs.cmake`. An obstacle to the
build of one check becomes a sentence of that check; the others go on. It needs only the standard library.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

# Sources in these languages belong to the variants (else to the check) that require the language.
LANGUAGES = {".f90": "fortran", ".cu": "cuda"}
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SOURCE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")


class Problem(Exception):
    """The reason why a check cannot be built."""


def read_needs(path: Path) -> dict[str, list[str]]:
    """By the end of the CMake variable's name ("requires", "fortran/sources", …): its words."""
    folder = path.parent
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Problem(f"{path}: not a TOML file that can be read: {error}") from None
    variants = _names(content, "variants", path)
    tables = content.get("variant", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise Problem(f"{path}: variant: expected tables [variant.NAME]")
    needs = {"requires": _names(content, "requires", path), "variants": variants}
    for name in variants:
        table = tables.get(name, {})
        needs[f"{name}/requires"] = _names(table, "requires", path)
        needs[f"{name}/sources"] = _names(table, "sources", path, _SOURCE)
        for source in needs[f"{name}/sources"]:
            if ".." in source or not (folder / source).is_file():
                raise Problem(f"{path}: [variant.{name}] sources: there is no {folder / source}")
    if not (folder / "main.cpp").is_file():
        raise Problem(f"{folder} has no main.cpp; see CONTRIBUTING.md, Adding a check")
    if not _kernels(folder):
        raise Problem(f"{folder} has no kernel: no source file beside main.cpp; see CONTRIBUTING.md, Adding a check")
    _share_languages(folder, needs, path)
    return needs


def _names(table: dict[str, Any], key: str, path: Path, pattern: re.Pattern[str] = _NAME) -> list[str]:
    names = table.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) and pattern.fullmatch(name) for name in names):
        raise Problem(f"{path}: {key}: expected a list of names in small letters, digits and _, found {names!r}")
    return names


def _kernels(folder: Path) -> list[Path]:
    paths = [path for path in folder.rglob("*") if path.suffix in (".cpp", *LANGUAGES)]
    return [path for path in paths if not re.search(r"(^|_)(test|main|fuzz)$", path.stem)]


def _share_languages(folder: Path, needs: dict[str, list[str]], path: Path) -> None:
    """Gives each source in another language to the variants, else to the check, that require the language."""
    needs["sources"] = []
    stated = {source for key, words in needs.items() if key.endswith("/sources") for source in words}
    for source in sorted(_kernels(folder)):
        language, name = LANGUAGES.get(source.suffix), source.relative_to(folder).as_posix()
        if language is None or name in stated:
            continue
        owners = [key for key in needs if key.endswith("/requires") and language in needs[key]]
        if not owners and language not in needs["requires"]:
            raise Problem(f"{path}: {name} is there, and nothing requires {language}; add requires = [\"{language}\"]")
        for owner in owners or ["/requires"]:
            needs[owner.replace("requires", "sources").lstrip("/")].append(name)


def cmake_text(paths: list[Path]) -> str:
    """Commands that set the variables; every word has been matched, and a sentence cannot leave its brackets."""
    lines, required = [], set[str]()
    for path in paths:
        name = path.parent.name
        if not _NAME.fullmatch(name):
            print(f"{path.parent}: a check's folder is named in small letters, digits and _; left out", file=sys.stderr)
            continue
        try:
            needs = read_needs(path)
        except Problem as problem:
            sentence = re.sub(r"\s+", " ", str(problem)).replace("]==]", "")
            lines.append(f"set(needs/{name}/problem [==[{sentence}]==])")
            continue
        for key, words in needs.items():
            lines.append(f"set(needs/{name}/{key} {' '.join(words)})")
            if key.endswith("requires"):
                required |= set(words)
    lines.append(f"set(tenken_required {' '.join(sorted(required))})")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(cmake_text([Path(argument) for argument in sys.argv[1:]]), end="")
