"""Which tests run a second and a third time: those of what changed lately, and a third of the others in turn."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tenken.base.words import listed

COMMITS = 150  # how far back a change is recent
# What every check is made of: a change there is a change of all.
_OF_ALL = ("cpp/", "cmake/", "CMakeLists.txt", "CMakePresets.json", "python/tenken/model/", "python/tenken/launch/table.py")


@dataclass(frozen=True, slots=True)
class Part:
    labels: tuple[str, ...] | None  # of the tests that run; None = all
    why: str


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


def choose(labels: Collection[str], commit: str, changed: Collection[str] | None) -> Part:
    """The part of `labels` (names of checks and of folders of cpp/) whose tests run again at `commit`."""
    if changed is None:
        return Part(None, f"all: no history of {COMMITS} commits to compare with")
    everywhere = sorted(path for path in changed if path.startswith(_OF_ALL))
    if everywhere:
        return Part(None, f"all: {everywhere[0]} changed in the last {COMMITS} commits")
    recent = {label for label in labels if any(path.startswith(f"checks/{label}/") for path in changed)}
    others = sorted(set(labels) - recent, key=lambda label: hashlib.sha256(f"{commit} {label}".encode()).digest())
    drawn = sorted(others[: -(-len(others) // 3)])
    why = (f"{listed(sorted(recent))} changed in the last {COMMITS} commits; a third of the others, "
           f"drawn by commit {commit[:12]}: {listed(drawn)}")
    return Part(tuple(sorted(recent | set(drawn))), why)


def _git(tree: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
