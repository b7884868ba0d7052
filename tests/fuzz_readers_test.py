"""The fuzzers of the readers, for a moment; and that they find what is planted."""

from __future__ import annotations

import time
from pathlib import Path

import fuzz_readers
import pytest


@pytest.mark.parametrize("name", fuzz_readers.fuzzers)
def test_readers_refuse_in_sentences(name: str) -> None:
    assert fuzz_readers.fuzzers[name](0.5, 20261121) > 0


def test_a_reader_that_trips_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fuzz_readers.tempfile, "gettempdir", lambda: str(tmp_path))

    read_record = fuzz_readers.read_record

    def trips(path: Path) -> object:
        int(path.read_bytes().split(b'"ranks": ')[1][:1])
        return read_record(path)

    monkeypatch.setattr(fuzz_readers, "read_record", trips)
    assert fuzz_readers.main("record", "20") == 1
    said = capsys.readouterr().out
    assert "record reader, seed 0, input" in said and (kept := list(tmp_path.glob("tenken-fuzz-record-0-*")))
    with pytest.raises((ValueError, IndexError)):
        trips(kept[0])


def test_a_reader_that_hangs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fuzz_readers.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(fuzz_readers, "HANGS", 1)
    monkeypatch.setattr(fuzz_readers, "read_record", lambda path: time.sleep(30))
    assert fuzz_readers.main("record", "20") == 1
    assert "input 1 " in (said := capsys.readouterr().out) and "TimeoutError: no answer after 1 s" in said
