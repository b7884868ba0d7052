"""Copies the tree with its builds into a folder of its version, which others run and nobody writes."""

from __future__ import annotations

import compileall
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tenken import VERSION
from tenken.base.errors import TenkenError
from tenken.launch.build import STAMP, Built

# Written by Tenken and its tests into a tree; and the tests, which need a tree that can be written.
_NOT_INSTALLED = {"build", "runs", "baselines", "Testing", "xacc/build", "tests"}
_NEVER = shutil.ignore_patterns(".git", "__pycache__", "*.pyc", ".pytest_cache", ".hypothesis", "*.egg-info", ".ccache")


def install(tree: Path, builds: Sequence[Built], prefix: Path) -> Path:
    """The tree as `share/tenken-VERSION` of `prefix`, and the link `bin/tenken` to it, which is returned.

    All or nothing: an earlier copy of this version is replaced at the end. TenkenError where that cannot be written.
    """
    place, link = prefix / "share" / f"tenken-{VERSION}", prefix / "bin" / "tenken"
    if tree.resolve() in (prefix.resolve(), *prefix.resolve().parents):
        raise TenkenError(f"--prefix {prefix}: lies in the tree {tree} that is copied; name a folder outside of it.")
    if link.exists() and not link.is_symlink():
        raise TenkenError(f"{link} is no link that `tenken install` made; move it away, or name another --prefix.")
    mark = f".{secrets.token_hex(4)}"
    copy, new_link = place.with_name(place.name + mark), link.with_name(link.name + mark)
    try:
        with _all_or_nothing((place.parent, link.parent), copy, new_link):
            new_link.symlink_to(os.path.relpath(place / "tenken", link.parent))
            _copy_tree(tree, copy)
            for built in builds:
                _copy_build(built.folder, copy / "build" / built.folder.name)
            compileall.compile_dir(copy / "python", quiet=2, stripdir=copy, prependdir=place)
            _readable_by_all(copy)
            _put(copy, place, new_link, link)
    except OSError as error:
        raise TenkenError(f"cannot install into {prefix}: {_why(error)}; nothing was changed. Name another --prefix.") from None
    return link


@contextmanager
def _all_or_nothing(folders: Sequence[Path], *temporary: Path) -> Iterator[None]:
    """Makes `folders`; where that or the rest fails, those and `temporary` are gone again."""
    made: list[Path] = []
    try:
        for folder in folders:
            for each in reversed((folder, *folder.parents)):
                if not each.exists():
                    each.mkdir()
                    made.append(each)
                    each.chmod(0o755)
        yield
    except BaseException:
        for path in temporary:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def _copy_tree(tree: Path, copy: Path) -> None:
    def left_out(folder: str, names: list[str]) -> set[str]:
        stay = {name for name in names if (Path(folder) / name).relative_to(tree).as_posix() in _NOT_INSTALLED}
        return stay | _NEVER(folder, names)

    shutil.copytree(tree, copy, symlinks=True, ignore=left_out)


def _copy_build(folder: Path, copy: Path) -> None:
    """The facts and programs of a build folder, as runs need them; their time shows whether a build fits its sources."""
    copy.mkdir(parents=True)
    facts = [path for path in folder.iterdir() if path.suffix in (".json", ".txt") and path.name != "compile_commands.json"]
    programs = [*folder.glob("checks/*/*"), *folder.glob("cpp/probe/*")]
    for path in [*facts, *(program for program in programs if program.is_file() and os.access(program, os.X_OK))]:
        target = copy / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    if not (copy / STAMP).exists():
        raise OSError(2, "the build has no end", str(folder))


def _readable_by_all(copy: Path) -> None:
    """Whatever the umask and the modes of the tree are."""
    copy.chmod(0o755)
    for folder, folders, files in os.walk(copy):
        for path in (Path(folder) / name for name in (*folders, *files)):
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(0o755 if path.is_dir() or mode & 0o100 else 0o644)


def _put(copy: Path, place: Path, new_link: Path, link: Path) -> None:
    """The copy in its place, in that of an earlier copy, and the link to it."""
    old = copy.with_name(f"{copy.name}.old")
    try:
        if place.exists():
            place.rename(old)
        copy.rename(place)
        os.replace(new_link, link)
    except BaseException:
        if not copy.exists():
            place.rename(copy)
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _why(error: OSError) -> str:
    """The first reason: a copy of a tree collects all."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list) and error.args[0]:
        return re.sub(r"^\[Errno \d+\] ", "", str(error.args[0][0][2]))
    return f"{error.strerror or error}{f' ({error.filename})' if error.filename else ''}"
