"""Where Tenken's files are: its tree, the user's configuration, the runs, the baselines."""

from __future__ import annotations

import os
from pathlib import Path

TREE = Path(__file__).resolve().parents[3]


def runs(option: str | None) -> Path:
    """The folder of all runs: --runs, $TENKEN_RUNS, `runs/` in the tree if it can be written, else the user's data."""
    return _written("runs", option or os.environ.get("TENKEN_RUNS"))


def baselines(option: str | None) -> Path:
    """The folder of accepted sittings, by the same rules: --baselines, $TENKEN_BASELINES, else beside `runs/`."""
    return _written("baselines", option or os.environ.get("TENKEN_BASELINES"))


def _written(name: str, chosen: str | None) -> Path:
    if chosen:
        return Path(chosen).absolute()
    tree = TREE / name
    if os.access(tree if tree.exists() else TREE, os.W_OK):
        return tree
    return _xdg("XDG_DATA_HOME", ".local/share") / name


def folders(kind: str) -> list[Path]:
    """The folders of `machines`, `suites` or `environments`: the tree's, then the user's, which has the last word."""
    return [TREE / kind, _xdg("XDG_CONFIG_HOME", ".config") / kind]


def config(name: str) -> Path:
    """A file of the user's configuration, which may not exist."""
    return _xdg("XDG_CONFIG_HOME", ".config") / name


def _xdg(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / default) / "tenken"
