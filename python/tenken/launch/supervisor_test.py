"""The supervisor by itself."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenken.launch import processes, scratch


SUPERVISOR = Path(processes.__file__).with_name("supervisor.py")


def supervised(launch: str, *command: str, gone: bool = False) -> subprocess.CompletedProcess[str]:
    """The command of a launch on one node, under a supervisor whose Tenken is there, or was gone before its first word."""
    ours, theirs = socket.socketpair()
    if gone:
        ours.close()
    words = [sys.executable, "-I", "-S", "-B", str(SUPERVISOR), launch, "0.2", "1", "1", "", *command]
    with ours, theirs:
        return subprocess.run(words, stdin=theirs.fileno(), capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def folders() -> Iterator[tuple[str, list[Path]]]:
    """A launch and where its scratch folders are; Tenken names them and makes none, as it may be killed at any moment."""
    launch = f"test{os.getpid():x}"
    variables = scratch.variables(launch)
    found = [Path(variables["TMPDIR"]), Path(variables["OMPI_MCA_btl_vader_backing_directory"])]
    assert not any(folder.exists() for folder in found)
    yield launch, found
    scratch.remove(launch)


def test_scratch_folders_are_there_while_the_command_runs(folders: tuple[str, list[Path]]) -> None:
    launch, places = folders
    done = supervised(launch, "sh", "-c", 'stat -c "%a %F" "$@"', "sh", *map(str, places))
    assert (done.returncode, done.stdout, done.stderr) == (0, "700 directory\n" * 2, "")
    assert not any(folder.exists() for folder in places)


def test_a_supervisor_whose_tenken_was_gone_before_its_first_word_still_tidies_up(folders: tuple[str, list[Path]]) -> None:
    launch, places = folders
    done = supervised(launch, "sleep", "60", gone=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not any(folder.exists() for folder in places)


def test_a_folder_that_another_planted_is_not_used(folders: tuple[str, list[Path]], tmp_path: Path) -> None:
    launch, places = folders
    places[0].symlink_to(tmp_path)
    try:
        done = supervised(launch, "touch", str(places[0] / "written"))
        assert done.stderr == f"cannot make the folder {places[0]}: File exists\n" and not list(tmp_path.iterdir())
    finally:
        places[0].unlink()
