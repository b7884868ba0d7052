"""The minimal Debian of the clean root, fetched while the builds compute: a network is waited for, a processor is not."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

SCRIPT = Path("tests/clean_root.sh")


class Root:
    """A folder for the root. `start` begins to fetch, `taken` waits for it and lends the folder, which then goes."""

    def __init__(self, tree: Path) -> None:
        self._script = tree / SCRIPT
        self._folder: Path | None = None
        self._fetching: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Nothing where a root cannot be made. The script that then makes the root itself reports the trouble."""
        if os.geteuid() != 0:
            return
        self._folder = Path(tempfile.mkdtemp(prefix="tenken-clean-root."))
        with contextlib.suppress(OSError):
            self._fetching = subprocess.Popen(
                [str(self._script), "--fetch", str(self._folder)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    @contextlib.contextmanager
    def taken(self) -> Iterator[tuple[str, ...]]:
        """The argument of the script: the folder where all was fetched; none where it is to begin itself."""
        whole = self._fetching is not None and self._fetching.wait() == 0
        try:
            yield (str(self._folder),) if whole else ()
        finally:
            self.drop()

    def drop(self) -> None:
        """End running work, and remove the folder."""
        if self._fetching is not None and self._fetching.poll() is None:
            self._fetching.terminate()
            self._fetching.wait()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.with_name(f"{self._folder.name}.log").unlink(missing_ok=True)
        self._folder = self._fetching = None
