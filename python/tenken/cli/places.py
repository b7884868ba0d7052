"""Where Tenken's files are: its tree, the configuration of site and user, the runs, the baselines."""

from __future__ import annotations

import os
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.base.regular import of_user

TREE = Path(__file__).resolve().parents[3]


SITE = Path("/etc/tenken")
_VARIABLE = {"runs": "TENKEN_RUNS", "baselines": "TENKEN_BASELINES"}
_typed: list[Path] = []  # --config


def runs(option: str | None) -> Path:
    """The folder of all runs: --runs, $TENKEN_RUNS, `runs/` in the tree if it can be written, else the user's data."""
    return _written("runs", option or os.environ.get(_VARIABLE["runs"]))


def baselines(option: str | None) -> Path:
    """The folder of accepted sittings, by the same rules: --baselines, $TENKEN_BASELINES, else beside `runs/`."""
    return _written("baselines", option or os.environ.get(_VARIABLE["baselines"]))


def _written(name: str, chosen: str | None) -> Path:
    if chosen:
        return Path(chosen).absolute()
    tree = TREE / name
    if os.access(tree if tree.exists() else TREE, os.W_OK):
        return tree
    own = of_user("XDG_DATA_HOME", ".local/share")
    if own is None:
        raise TenkenError(f"there is no home folder for {name}; name a folder with --{name} DIR or ${_VARIABLE[name]}.")
    return own / name


def folders(kind: str) -> list[Path]:
    """The folders of `machines`, `suites` or `environments`; a file in a later folder replaces its namesake."""
    return [folder / kind for folder in (TREE, *_configured())]


def config(name: str) -> Path:
    """A file of the configuration: the last that exists, else the user's or, without a home folder, the site's."""
    files = [folder / name for folder in _configured()]
    return next((file for file in reversed(files) if file.exists()), files[min(1, len(files) - 1)])


def configure(folder: str) -> None:
    """The configuration in `folder` has the last word. TenkenError where there is no such folder."""
    if not Path(folder).is_dir():
        raise TenkenError(f"--config {folder}: no such folder; name one with config.toml, machines/, suites/ or environments/.")
    _typed[:] = [Path(folder).absolute()]


def typed_config() -> dict[str, str]:
    """`--config DIR` as it is recorded in a run, so that commands to type next have it too."""
    return {"config": str(_typed[0])} if _typed else {}


def _configured() -> list[Path]:
    own = of_user("XDG_CONFIG_HOME", ".config")
    return [SITE, *([own] if own else []), *_typed]
