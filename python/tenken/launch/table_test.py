from __future__ import annotations

from pathlib import Path

import pytest

from tenken.launch.table import main

GOOD = 'title = "T"\nquestion = "Q?"\nrepetition = "a pass"\nvariants = ["plain", "fast"]\n[section.solve]\nkind = "compute"\n'


def test_a_check_that_is_no_table_is_left_out_and_the_others_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"bad": "title = ", "empty": GOOD + '[section.""]\nkind = "compute"\n', "good": GOOD, "less": "title = 'T'\n"}
    tables = [tmp_path / "checks" / name / "check.toml" for name in texts]
    for table, text in zip(tables, texts.values(), strict=True):
        table.parent.mkdir(parents=True)
        table.write_text(text)
    unavailable = tmp_path / "unavailable.txt"
    unavailable.write_text("good\tfast\tFFTW was not found\n")
    main(tmp_path, unavailable, tables)
    assert capsys.readouterr().out == "good"
    header = tmp_path / "good/generated/this_check.hpp"
    assert 'fast = false;' in header.read_text() and 'plain = true;' in header.read_text()
    lines = [line.split("\t") for line in unavailable.read_text().splitlines()[1:]]
    assert [(name, variant) for name, variant, _ in lines] == [("bad", ""), ("empty", ""), ("less", "")]
    assert all(f"{name}/check.toml cannot be turned into a table: " in sentence for name, _, sentence in lines)

    header.chmod(0o444)
    before = header.stat().st_mtime_ns
    main(tmp_path, unavailable, [tables[2]])
    assert header.stat().st_mtime_ns == before, "the same text would compile the check anew"
