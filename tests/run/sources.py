"""The sources of the C++ tests of a check, or of a folder of cpp/: their own files and all that these include."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
_OF_TREE = re.compile(r"\$\{PROJECT_SOURCE_DIR\}/([\w./-]*\w)")  # paths that a CMake file takes from elsewhere
_READ = (".cpp", ".hpp", ".h", ".c", ".cu", ".inl")
_NOT_MADE_OF = re.compile(r"\.md$|(^|/)judge\w*\.py$|_test\.py$|/corpus/|_fuzz\.cpp$")  # text, Python's own tests, fuzzers


def sources(tree: Path, label: str) -> frozenset[str] | None:
    """Paths in `tree`, relative to it, that the tests of `label` are made of; a folder ends in "/". None: no such folder.

    With a header count the sources compiled for it: the source of the same name, and those beside it that include it and have
    no header of their own.
    """
    folder = _folder(tree, label)
    if folder is None:
        return None
    own = {path for path in folder.rglob("*") if path.is_file() and not _NOT_MADE_OF.search(path.relative_to(tree).as_posix())}
    if folder.is_relative_to(tree / "cpp"):  # a folder in it with tests of its own is another label
        own = {path for path in own if path.parent == folder}
    seen, left = set(own), [path for path in own if path.suffix in _READ]
    while left:
        path = left.pop()
        for header in _included(tree, path):
            for source in (header, *_compiled_for(header)):
                if source not in seen:
                    seen.add(source)
                    left.append(source)
    return frozenset(path.relative_to(tree).as_posix() for path in seen) | _from_elsewhere(tree, folder)


def _folder(tree: Path, label: str) -> Path | None:
    check = tree / "checks" / label
    if check.is_dir():
        return check
    return next((path for path in sorted((tree / "cpp").rglob(label)) if path.is_dir()), None)


def _included(tree: Path, path: Path) -> Iterable[Path]:
    """Headers beside a file and those of cpp/; a check's own files count anyhow."""
    for name in _names(path):
        for root in (path.parent, tree / "cpp"):
            if (root / name).is_file():
                yield root / name
                break


@cache
def _names(path: Path) -> tuple[str, ...]:
    return tuple(_INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace")))


@cache
def _compiled_for(header: Path) -> tuple[Path, ...]:
    beside = [path for path in header.parent.glob("*.cpp") if not path.name.endswith(("_test.cpp", "_fuzz.cpp", "main.cpp"))]
    return tuple(
        path for path in beside
        if path.stem == header.stem or (header.name in {Path(name).name for name in _names(path)}
                                        and not path.with_suffix(".hpp").exists())
    )


def _from_elsewhere(tree: Path, folder: Path) -> frozenset[str]:
    """Paths of the tree that a check's check.cmake and the files of its requirements name."""
    files, table = [folder / "check.cmake"], folder / "check.toml"
    if table.is_file():
        try:
            check = tomllib.loads(table.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # reported where it is read
            check = {}
        requires = [*check.get("requires", ()), *(word for table in check.get("variant", {}).values() if isinstance(table, dict)
                                                  for word in table.get("requires", ()))]
        files += [tree / "cmake" / "requires" / f"{word}.cmake" for word in requires]
    named = {name for file in files if file.is_file() for name in _OF_TREE.findall(file.read_text(encoding="utf-8"))}
    paths = {f"{name}/" if (tree / name).is_dir() else name for name in named}
    return frozenset(paths | {file.relative_to(tree).as_posix() for file in files if file.is_file()})
