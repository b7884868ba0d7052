"""Which folders of launches a start removes: those of dead launches of this user, and no others."""

from __future__ import annotations

import fcntl
import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenken.launch import processes, scratch


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The folders of a launch whose Tenken and supervisor were killed."""
    launch = secrets.token_hex(8)
    shared = tmp_path / "shm"
    shared.mkdir()
    monkeypatch.setattr(scratch, "_SHARED_MEMORY", shared)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # runs of other tests clean /tmp
    found = list(scratch._folders(launch))
    for folder in found:
        folder.mkdir()
        (folder / "segment").touch()
    yield found
    scratch.remove(launch)


def there(folders: list[Path]) -> list[bool]:
    return [folder.exists() for folder in folders]


def test_folders_of_a_dead_launch_are_removed(folders: list[Path]) -> None:
    scratch.remove_dead()
    assert there(folders) == [False, False]


def test_a_launch_that_runs_keeps_its_folders(folders: list[Path]) -> None:
    launch = folders[0].name.removeprefix("tenken-")
    with subprocess.Popen(["sleep", "60"], env={**os.environ, processes.VARIABLE: launch}) as rank:
        scratch.remove_dead()
        rank.kill()
    assert there(folders) == [True, True]


def test_a_launch_of_a_container_keeps_its_folders(folders: list[Path]) -> None:
    """No process of it can be seen: the lock that its supervisor has shows it."""
    descriptors = [os.open(folder, os.O_RDONLY) for folder in folders]
    for descriptor in descriptors:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    scratch.remove_dead()
    assert there(folders) == [True, True]
    for descriptor in descriptors:
        os.close(descriptor)
    scratch.remove_dead()
    assert there(folders) == [False, False]


def test_the_supervisor_locks_the_folders_that_it_makes(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    launch = folders[0].name.removeprefix("tenken-")
    scratch.remove(launch)
    scratch.make(launch)
    monkeypatch.setattr(processes, "of_launch", lambda launch: [])
    scratch.remove_dead()
    assert there(folders) == [True, True]


def test_without_locks_only_old_folders_are_removed(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refuse)
    os.utime(folders[1], (0, 0))
    scratch.remove_dead()
    assert there(folders) == [True, False]


def test_what_is_not_ours_stays(folders: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shared = folders[1].parent
    own = shared / "tenken-checkout"
    own.mkdir()
    (tmp_path / "target").mkdir()
    (shared / "tenken-0123456789abcdef").symlink_to(tmp_path / "target")
    scratch.remove_dead()
    assert sorted(path.name for path in shared.iterdir()) == ["tenken-0123456789abcdef", "tenken-checkout"]
    another = shared / "tenken-fedcba9876543210"
    another.mkdir()
    user = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: user)
    scratch.remove_dead()
    assert another.exists(), "of another user"
