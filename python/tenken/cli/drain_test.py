from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.cli.node_measure import read_rules
from tenken.judge.health import DrainRules


def test_without_file_or_table_there_is_no_rule(tmp_path: Path) -> None:
    assert read_rules(tmp_path / "config.toml") == DrainRules()
    (tmp_path / "config.toml").write_text("[other]\nx = 1\n")
    assert read_rules(tmp_path / "config.toml") == DrainRules()


def test_rules_are_read(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[drain]\nwrong_answer = true\nuncorrectable_errors = 1\nbelow_band_percent = 80\n")
    assert read_rules(file) == DrainRules(True, 1, 80.0, None)


@pytest.mark.parametrize(
    "text", ["wrong_answer = 1", "wrong_anser = true", "below_band_percent = 'x'", "[", "tmp_free_bytes = 0"]
)
def test_a_rule_that_cannot_be_understood_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f"[drain]\n{text}\n")
    with pytest.raises(TenkenError, match="config.toml"):
        read_rules(tmp_path / "config.toml")
