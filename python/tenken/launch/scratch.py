"""Folders of its own for session files and shared memory of a launch on one node, so that a kill leaves nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_SHARED_MEMORY = Path("/dev/shm")


def make(launch: str) -> dict[str, str]:
    """Make the folders of the launch with this id, and return the variables that lead MPI there.

    They are made exclusively and for us alone; where shared memory has no file system, MPI chooses as it likes.
    """
    temporary, shared = _folders(launch)
    os.mkdir(temporary, 0o700)
    names = ("TMPDIR", "OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base")
    variables = dict.fromkeys(names, str(temporary))
    try:
        os.mkdir(shared, 0o700)
    except OSError:
        return variables
    # Open MPI 4 and 5; MPICH unlinks its segment as soon as all ranks have it.
    backing = ("btl_vader", "btl_sm", "osc_rdma", "osc_sm")
    return variables | {f"OMPI_MCA_{one}_backing_directory": str(shared) for one in backing}


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
