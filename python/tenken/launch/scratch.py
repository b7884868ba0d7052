"""Folders of its own for session files and shared memory of a launch on one node, so that a kill leaves nothing."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tenken.launch import processes

_SHARED_MEMORY = Path("/dev/shm")
_PREFIX = "tenken-"
_NAME = re.compile(_PREFIX + "[0-9a-f]{16}")  # the id of a launch (runner.py); no folder of tests or of checks
_OLD_S = 86400.0


def variables(launch: str) -> dict[str, str]:
    """Variables that lead MPI to the folders of the launch with this id. Where shared memory has no file system that
    we may use, MPI chooses as it likes.
    """
    temporary, shared = _folders(launch)
    names = ("TMPDIR", "OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base")
    by_name = dict.fromkeys(names, str(temporary))
    if not _has_shared_memory():
        return by_name
    # Open MPI 4 and 5; MPICH unlinks its segment as soon as all ranks have it.
    backing = ("btl_vader", "btl_sm", "osc_rdma", "osc_sm")
    return by_name | {f"OMPI_MCA_{component}_backing_directory": str(shared) for component in backing}


def folders(launch: str) -> tuple[str, ...]:
    """The folders that `variables` names."""
    temporary, shared = _folders(launch)
    return (str(temporary), str(shared)) if _has_shared_memory() else (str(temporary),)


def make(launch: str) -> None:
    """Make those folders, exclusively and for us alone; by the process that outlives Tenken, so that it can remove them.

    It locks them until it ends: also a process that cannot see it, outside its container, then leaves them alone.
    """
    for folder in folders(launch):
        os.mkdir(folder, 0o700)
        with suppress(OSError):
            fcntl.flock(_opened(Path(folder)), fcntl.LOCK_SH)


def remove_dead() -> None:
    """Remove the folders of our launches on this node of which nothing runs any more: Tenken and its supervisor were killed."""
    for root in {Path(tempfile.gettempdir()), Path("/tmp"), _SHARED_MEMORY}:
        with suppress(OSError):
            for folder in [root / entry.name for entry in os.scandir(root) if _NAME.fullmatch(entry.name)]:
                if _is_dead(folder):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_dead(folder: Path) -> bool:
    """Whether it is our folder of a launch that no process here has in its environment and whose lock is free."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        return False
    if processes.of_launch(folder.name.removeprefix(_PREFIX)):
        return False
    descriptor = _opened(folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError:  # no locks: only time can tell
        return time.time() - status.st_mtime > _OLD_S
    finally:
        os.close(descriptor)


def _opened(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def remove(launch: str) -> None:
    """Remove the folders of `make`, if they exist and are ours."""
    for folder in _folders(launch) if launch else ():
        try:
            ours = folder.lstat().st_uid == os.geteuid()
        except OSError:
            continue
        if ours and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def _folders(launch: str) -> tuple[Path, Path]:
    return Path(tempfile.gettempdir(), _PREFIX + launch), _SHARED_MEMORY / f"{_PREFIX}{launch}"


def _has_shared_memory() -> bool:
    return os.access(_SHARED_MEMORY, os.W_OK | os.X_OK)
