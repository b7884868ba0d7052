"""Where builds are: a tree that belongs to somebody else is used as it is built, and missing programs are built for its user."""

from __future__ import annotations

import os
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.base.regular import of_user


def roots(tree: Path) -> list[Path]:
    """Folders of builds: $TENKEN_BUILD alone, else `build/` of the tree and, where that cannot be written, the user's cache.

    New builds go into the last.
    """
    if chosen := os.environ.get("TENKEN_BUILD"):
        return [Path(chosen).absolute()]
    of_tree = tree / "build"
    if os.access(of_tree if of_tree.exists() else tree, os.W_OK):
        return [of_tree]
    return [of_tree, _of_user()]


def writable(build: Path) -> Path:
    """A build folder, or the user's folder of builds where it belongs to somebody else: all nodes see either."""
    return build if os.access(build, os.W_OK) else _of_user()


def _of_user() -> Path:
    own = of_user("XDG_CACHE_HOME", ".cache")
    if own is None:
        raise TenkenError("there is no home folder for a build; name a folder with TENKEN_BUILD or XDG_CACHE_HOME.")
    return own / "build"
