"""Which tests must run a second and a third time: those of recent changes. The others are drawn while the budget lasts.

This module chooses the tests that run once more, under another compiler and MPI or with sanitizers. Tests of a check run
again where its own files changed, or parts of cpp/ that it uses. The harness, which all checks use alike, has tests of its
own, which then run again, and is tried by the others that are drawn (docs/decisions/tests.md#29).
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
COMMITS = 30  # how far back a change is recent
_OF_ALL = ("cmake/TenkenFlags.cmake", "CMakePresets.json")  # how everything is compiled: a change there is a change of all


@dataclass(frozen=True, slots=True)
class Part:
    labels: tuple[str, ...] | None  # of the tests that must run; None = all
    why: str
    others: tuple[str, ...] = ()  # the labels left, in drawn order


def changed_paths(tree: Path) -> tuple[str, set[str] | None]:
    """The commit, and the paths that differ from COMMITS commits ago, committed or not; None where history is too short."""
    commit = _git(tree, "rev-parse", "HEAD")
    old = _git(tree, "rev-parse", "--verify", "--quiet", f"HEAD~{COMMITS}")
    if not commit or not old:
        return commit or "", None
    differing = _git(tree, "diff", "--name-only", "--no-renames", old)
    new = _git(tree, "ls-files", "--others", "--exclude-standard")
    if differing is None or new is None:
        return commit, None
    return commit, {*differing.splitlines(), *new.splitlines()}


def choose(
    commit: str, changed: Collection[str] | None, made_of: Mapping[str, Collection[str] | None], checks: Collection[str]
) -> Part:
    """The part of the labels (names of checks and of folders of cpp/) whose tests must run again at `commit`.

    `made_of`: label -> paths that its tests are made of, a folder ends in "/"; None: nobody knows, so that it always
    runs. `checks`: the labels that are checks.
    """
    if changed is None:
        return Part(None, f"all: no history of {COMMITS} commits to compare with")
    recently = frozenset(changed)
    everywhere = sorted(recently & set(_OF_ALL))
    if everywhere:
        return Part(None, f"all: {everywhere[0]} changed in the last {COMMITS} commits")
    known = [frozenset(paths) for label in checks if (paths := made_of.get(label)) is not None]
    harness = frozenset.intersection(*known) if len(known) > 1 else frozenset()

    def is_recent(label: str) -> bool:
        paths = made_of[label]
        return paths is None or _holds(frozenset(paths) - (harness if label in checks else frozenset()), recently)

    recent = {label for label in made_of if is_recent(label)}
    others = drawn(commit, made_of.keys() - recent, str)
    if not others:
        return Part(None, f"all: each of {_all(recent)} changed in the last {COMMITS} commits")
    why = f"{_all(recent)} changed in the last {COMMITS} commits; {len(others)} others follow while the budget lasts"
    if not recent:  # a build without any test shows nothing
        recent = {others.pop(0)}
        why += f", but {_all(recent)}, drawn by commit {commit[:12]}, must run"
    return Part(tuple(sorted(recent)), why, tuple(others))


def drawn(commit: str, items: Iterable[T], name: Callable[[T], str]) -> list[T]:
    """`items` in an order that each commit draws anew from their names."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{commit} {name(item)}".encode()).digest())


def concern(changed: Collection[str] | None, paths: Collection[str]) -> bool:
    """Whether any of `paths` changed, a folder ends in "/"; history that is too short counts as a change."""
    return changed is None or _holds(paths, changed)


def _all(labels: Collection[str]) -> str:
    return ", ".join(sorted(labels)) or "nothing"


def _holds(paths: Collection[str], changed: Collection[str]) -> bool:
    folders = tuple(path for path in paths if path.endswith("/"))
    return any(path in paths or path.startswith(folders) for path in changed)


def _git(tree: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
