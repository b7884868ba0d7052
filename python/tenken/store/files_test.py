from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tenken.base.errors import RecordError, TenkenError
from tenken.store import files
from tenken.store.files import RESERVE, RESERVE_BYTES, read_json, write_json, write_reserve


def test_written_values_are_read_back_and_no_temporary_stays(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"x": [1, 2.5, None]})
    assert read_json(tmp_path / "a.json") == {"x": [1, 2.5, None]}
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_failed_write_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(tmp_path / "a.json", 1)

    def refuse(source: Any, target: Any) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(TenkenError, match="cannot write .*a.json: Permission denied; choose a folder"):
        write_json(tmp_path / "a.json", 2)
    assert read_json(tmp_path / "a.json") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def full_until(monkeypatch: pytest.MonkeyPatch, is_free: Any) -> None:
    inner = os.fsync

    def fsync(descriptor: int) -> None:
        if not is_free():
            raise OSError(errno.ENOSPC, "No space left on device")
        inner(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)


def test_on_a_full_disk_the_ballast_is_given_up_for_the_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_reserve(tmp_path)
    assert (tmp_path / RESERVE).stat().st_size == RESERVE_BYTES
    assert (tmp_path / RESERVE).stat().st_blocks * 512 >= RESERVE_BYTES  # allocated, not a hole
    place = tmp_path / "launches" / "0001-a.b"
    place.mkdir(parents=True)
    full_until(monkeypatch, lambda: not (tmp_path / RESERVE).exists())
    write_json(place / "launch.json", {"a": 1})
    assert read_json(place / "launch.json") == {"a": 1}
    assert not (tmp_path / RESERVE).exists()


def test_a_disk_that_stays_full_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_reserve(tmp_path)
    full_until(monkeypatch, lambda: False)
    with pytest.raises(TenkenError, match="No space left on device; free some space, or put runs elsewhere"):
        write_json(tmp_path / "a.json", 1)
    with pytest.raises(TenkenError, match="cannot write into .*No space left"):
        files.write_reserve(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [RESERVE]  # of the second attempt


def test_other_errors_keep_the_ballast(tmp_path: Path) -> None:
    write_reserve(tmp_path)
    with pytest.raises(TenkenError, match="No such file or directory"):
        write_json(tmp_path / "none" / "a.json", 1)
    assert (tmp_path / RESERVE).exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "not JSON (Expecting property name"),
        (b"\xff", "byte 0 is not UTF-8"),
        (b"NaN", "NaN is not a JSON number"),
    ],
)
def test_what_is_no_json_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(RecordError) as error:
        read_json(tmp_path / "a.json")
    assert says in str(error.value) and "a.json" in str(error.value)


def test_missing_files_and_misfits_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read .*No such file"):
        read_json(tmp_path / "none.json")
    write_json(tmp_path / "launch.json", {"schema": "tenken.launch/1"})
    with pytest.raises(RecordError, match="launch.json: 'number' is missing"):
        read_json(tmp_path / "launch.json", "launch")
