"""Folders of its own for session files and shared memory of a launch on one node, so that a kill leaves nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_SHARED_MEMORY = Path("/dev/shm")


def variables(launch: str) -> dict[str, str]:
    """What leads MPI to the folders of the launch with this id. Where shared memory has no file system that we may use,
    MPI chooses as it likes.
    """
    temporary, shared = _folders(launch)
    names = ("TMPDIR", "OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base")
    found = dict.fromkeys(names, str(temporary))
    if not _has_shared_memory():
        return found
    # Open MPI 4 and 5; MPICH unlinks its segment as soon as all ranks have it.
    backing = ("btl_vader", "btl_sm", "osc_rdma", "osc_sm")
    return found | {f"OMPI_MCA_{one}_backing_directory": str(shared) for one in backing}


def make(launch: str) -> None:
    """Make those folders, exclusively and for us alone; by the process that outlives Tenken, so that it can remove them."""
    temporary, shared = _folders(launch)
    os.mkdir(temporary, 0o700)
    if _has_shared_memory():
        os.mkdir(shared, 0o700)


def remove(launch: str) -> None:
    """Remove what `make` made, if it is there and ours."""
    for folder in _folders(launch) if launch else ():
        try:
            ours = folder.lstat().st_uid == os.geteuid()
        except OSError:
            continue
        if ours and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def _folders(launch: str) -> tuple[Path, Path]:
    return Path(tempfile.gettempdir(), f"tenken-{launch}"), _SHARED_MEMORY / f"tenken-{launch}"


def _has_shared_memory() -> bool:
    return os.access(_SHARED_MEMORY, os.W_OK | os.X_OK)
