"""Only regular files are read, of bounded size and without waiting; nothing is written through a link."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.base.regular import no_link, read_regular, replace_file
from tenken.base.toml import read_toml
from tenken.store.files import read_json, write_json
from tenken.store.record import read_record


@pytest.mark.parametrize("read", [read_json, read_record, read_toml])
@pytest.mark.parametrize("kind", ["fifo", "zero", "folder"])
def test_what_is_no_regular_file_is_a_sentence(tmp_path: Path, read: Callable[[Path], object], kind: str) -> None:
    path = tmp_path / "file"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(TenkenError, match=f"cannot read {path}: not a regular file"):
        read(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with open(tmp_path / "large", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than 1 MiB"):
        read_regular(tmp_path / "large", 1 << 20)


def test_a_planted_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "precious").write_text("kept")
    monkeypatch.setattr("tenken.base.regular.secrets.token_hex", lambda _: "0")
    planted = tmp_path / f".run.json.{os.getpid()}.0"
    planted.symlink_to("precious")
    with pytest.raises(TenkenError, match="cannot write"):
        write_json(tmp_path / "run.json", {})
    planted.unlink(missing_ok=True)
    (tmp_path / "log.txt").symlink_to("precious")
    with pytest.raises(OSError):
        open(tmp_path / "log.txt", "a", opener=no_link)
    replace_file(tmp_path / "log.txt", b"new")
    assert (tmp_path / "precious").read_text() == "kept" and not (tmp_path / "log.txt").is_symlink()
