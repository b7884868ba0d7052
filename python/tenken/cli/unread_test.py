from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path

import pytest

from tenken.cli.terminal import outliving

TREE = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_went_away_changes_neither_output_nor_exit_code(
    monkeypatch: pytest.MonkeyPatch, unbuffered: str
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    typed = "set -o pipefail; for i in 1 2 3 4; do ./tenken list checks | head -1 || exit 9; done"
    done = subprocess.run(["bash", "-c", typed], cwd=TREE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.count("\n") == 4
    refused = "./tenken show /no/run 2>&1 | true; exit ${PIPESTATUS[0]}"
    assert subprocess.run(["bash", "-c", refused], cwd=TREE, check=False).returncode == 3


@pytest.mark.parametrize("buffered", [False, True])
def test_all_is_written_as_long_as_somebody_reads(buffered: bool) -> None:
    reader, writer = os.pipe()
    file = io.FileIO(writer, "w")
    stream = outliving(io.TextIOWrapper(io.BufferedWriter(file) if buffered else file, "utf-8", write_through=not buffered))
    stream.write("点検\n")
    stream.flush()
    assert os.read(reader, 99).decode() == "点検\n"
    os.close(reader)
    print("x" * 100_000, file=stream)
    stream.flush()
    assert stream.fileno() == writer and not stream.isatty()
    stream.close()


def test_what_has_no_file_below_stays() -> None:
    stream = io.StringIO()
    assert outliving(stream) is stream
