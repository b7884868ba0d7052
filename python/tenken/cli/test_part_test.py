from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tenken.cli import test_part
from tenken.cli.test_part import changed_paths, choose

LABELS = ("base", "dgemm", "stream", "lqcd", "lqcd_pion", "mpi_pairs", "same_answer")


@pytest.mark.parametrize("path", ["cpp/base/a.hpp", "cmake/TenkenFlags.cmake", "python/tenken/model/check.py", "CMakeLists.txt"])
def test_what_all_checks_are_made_of_is_a_change_of_all(path: str) -> None:
    part = choose(LABELS, "c0ffee", {path, "README.md"})
    assert part.labels is None and part.why == f"all: {path} changed in the last 150 commits"


def test_too_little_history_is_everything() -> None:
    assert choose(LABELS, "c0ffee", None).labels is None


def test_what_changed_and_a_third_of_the_others_by_the_commit() -> None:
    changed = {"checks/lqcd/kernel.cpp", "docs/x.md", "python/tenken/judge/case.py"}
    seen = set()
    for commit in map(str, range(40)):
        part = choose(LABELS, commit, changed)
        assert part.labels is not None and "lqcd" in part.labels and len(part.labels) == 3, "two of six others"
        assert part == choose(LABELS, commit, changed), "the same commit, the same part"
        assert part.why.startswith("lqcd changed in the last 150 commits; a third of the others, drawn by commit")
        seen |= set(part.labels)
    assert seen == set(LABELS), "every label has its turn"


def git(folder: Path, *words: str) -> None:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
    subprocess.run(command, check=True, capture_output=True)


def test_changes_are_read_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_part, "COMMITS", 2)
    git(tmp_path, "init", "-q")
    for name in ("a", "b", "c"):
        assert changed_paths(tmp_path)[1] is None, "too short a history"
        (tmp_path / name).write_text(name)
        git(tmp_path, "add", name)
        git(tmp_path, "commit", "-qm", name)
    (tmp_path / "d").write_text("not committed")
    commit, changed = changed_paths(tmp_path)
    assert len(commit) == 40 and changed == {"b", "c", "d"}


def test_a_folder_without_git_is_everything(tmp_path: Path) -> None:
    assert changed_paths(tmp_path) == ("", None)
