"""The linters of `tenken test --ci`: errors that show without a run. Their settings are in pyproject.toml."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tenken.base.errors import TenkenError

PYTHON = ("python", "tests", "checks", "benchmarks", "cmake")
_SECONDS = 900
_NOT_SOURCES = {"build", "runs", "baselines", "__pycache__"}
_FINDING = re.compile(r"[^:\s][^:]*:\d+:")
_NOTE = re.compile(r"\.py:\d+: note: ")  # mypy's additions to a finding
_LAST_LINES = 12


def commands(tree: Path) -> dict[str, list[str]]:
    """The command of each linter, in the tree."""
    folders = [name for name in PYTHON if (tree / name).is_dir()]
    return {
        "pyflakes": [sys.executable, "-m", "pyflakes", *folders],
        "mypy": ["mypy", "--no-error-summary", "--no-pretty"],
        "shellcheck": ["shellcheck", "--format=gcc", *map(str, shell_scripts(tree))],
        "words": [sys.executable, "tests/words_lint.py"],
    }


def shell_scripts(tree: Path) -> list[Path]:
    """The scripts of the tree that say in their first line that a shell runs them, relative to it."""
    paths = []
    for folder, folders, files in os.walk(tree):
        folders[:] = [name for name in folders if name not in _NOT_SOURCES and (not name.startswith(".") or name == ".ci")]
        for path in (Path(folder, name) for name in files):
            with path.open("rb") as file:
                if re.match(rb"#!.*\b(ba)?sh\b", file.readline(80)):
                    paths.append(path.relative_to(tree))
    return sorted(paths)


def findings(tree: Path, command: Sequence[str]) -> tuple[str, ...]:
    """FILE:LINE: … for each finding of a linter; where it failed otherwise, its last line."""
    try:
        done = subprocess.run(
            command, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=_SECONDS, check=False,
        )
    except subprocess.TimeoutExpired:
        return (f"{command[0]} did not end within {_SECONDS} s",)
    except OSError as error:
        raise TenkenError(f"{command[0]} cannot be run: {error.strerror}; install it (./tenken test --ci --yes).") from None
    if done.returncode == 0:
        return ()
    lines = done.stdout.splitlines()
    return tuple(line for line in lines if _FINDING.match(line) and not _NOTE.search(line)) or (
        f"{Path(command[0]).name} ended with exit code {done.returncode}", *lines[-_LAST_LINES:])
