"""Drain rules out of the configuration: `[drain]` in config.toml. Without it no node is ever drained."""

from __future__ import annotations

from pathlib import Path

from tenken.base.toml import read_toml
from tenken.judge.health import DrainRules


def read_rules(path: Path) -> DrainRules:
    """The rules in `path`; none where the file or its table is missing. TenkenError names the key that it cannot read.

        [drain]
        wrong_answer = true           # any core, any kernel
        uncorrectable_errors = 1      # of the memory since boot, at least
        below_band_percent = 80       # a metric below 80 % of the low end of its band
        tmp_free_bytes = 1073741824   # less free in /tmp
    """
    if not path.is_file():
        return DrainRules()
    table = read_toml(path).table("drain")
    if table is None:
        return DrainRules()
    wrong = table.raw("wrong_answer", False)
    if not isinstance(wrong, bool):
        table.fail("wrong_answer", "expected true or false")
    rules = DrainRules(
        wrong_answer=wrong,
        uncorrectable_errors=table.count("uncorrectable_errors") if "uncorrectable_errors" in table else None,
        below_band_percent=table.number("below_band_percent", 0.0) if "below_band_percent" in table else None,
        tmp_free_bytes=table.count("tmp_free_bytes") if "tmp_free_bytes" in table else None,
    )
    table.done()
    return rules
