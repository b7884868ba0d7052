from __future__ import annotations

import os
from pathlib import Path

import pytest

from run.root import SCRIPT, Root


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    (tmp_path / SCRIPT).parent.mkdir()
    return tmp_path


def script(tree: Path, body: str) -> None:
    (tree / SCRIPT).write_text(f"#!/bin/sh\n{body}\n")
    (tree / SCRIPT).chmod(0o755)


def test_what_was_fetched_is_lent_and_then_goes(tree: Path) -> None:
    script(tree, 'sleep 0.2; [ "$1" = --fetch ] && touch "$2/fetched"')
    root = Root(tree)
    root.start()
    with root.taken() as words:
        (folder,) = map(Path, words)
        assert (folder / "fetched").exists()
    assert not folder.exists() and not list((tree / "tmp").iterdir())


@pytest.mark.parametrize("body", ["exit 1", "kill -9 $$"])
def test_where_fetching_failed_the_script_begins_itself(tree: Path, body: str) -> None:
    script(tree, body)
    root = Root(tree)
    root.start()
    with root.taken() as words:
        assert words == ()
    assert not list((tree / "tmp").iterdir())


def test_what_is_under_way_ends_with_the_tests(tree: Path) -> None:
    script(tree, 'echo $$ > "$2/../pid"; exec sleep 60')
    root = Root(tree)
    root.start()
    while not (tree / "tmp" / "pid").exists() or not (tree / "tmp" / "pid").read_text():
        pass
    pid = int((tree / "tmp" / "pid").read_text())
    root.drop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_user_who_is_not_root_fetches_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    root = Root(tree)
    root.start()
    with root.taken() as words:
        assert words == () and not list((tree / "tmp").iterdir())
