"""Small disks on loop devices, which only root can make, for tests of checks that write files."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from programs import run_all
from two_nodes import SKIPPED

DISK_BYTES = 64 << 20


class NotPermittedError(Exception):
    """Why this machine does not permit the test: a sentence."""


@contextlib.contextmanager
def loop_disk(*options: str) -> Iterator[Path]:
    """A file system ext4 of 64 MiB on a loop device. `options` are those of mkfs.ext4."""
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as name:
        image, at = Path(name) / "image", Path(name) / "disk"
        at.mkdir()
        with image.open("wb") as file:
            file.truncate(DISK_BYTES)
        _tool("mkfs.ext4", "-q", "-F", "-m", "0", *options, str(image))
        _tool("mount", "-o", "loop", str(image), str(at))
        try:
            yield at
        finally:
            subprocess.run(["umount", "--lazy", str(at)], check=False)


def _tool(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotPermittedError(f"{' '.join(words)}: {done.stderr.strip() or 'refused'}")


def run_as_root(functions: Mapping[str, Any], *needs: Callable[[], contextlib.AbstractContextManager[Any]]) -> None:
    """The tests among `functions`; exit code 77 with the reason where the machine does not permit a loop device or `needs`."""
    if os.geteuid() != 0:
        print("skipped: a loop device needs root")
        sys.exit(SKIPPED)
    try:
        for need in (loop_disk, *needs):
            with need():
                pass
    except (NotPermittedError, FileNotFoundError) as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
    run_all(functions)
