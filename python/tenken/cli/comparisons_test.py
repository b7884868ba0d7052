from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from tenken.base.errors import RecordError, TenkenError
from tenken.cli.comparisons import find_comparison, new_folder, read_plan, write_plan

DAYS = [datetime(2026, 11, day, tzinfo=timezone.utc) for day in (1, 2)]


def folders(runs: Path) -> list[Path]:
    made = [new_folder(runs, "quick & more", day) for day in DAYS]
    for path in made:
        write_plan(path, "quick & more", 7, ("old", "new"), ("a", "b"), ["dgemm"], 96)
    return made


def test_a_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    first, second = folders(tmp_path)
    plan = read_plan(second)
    assert second.name.startswith("20261102T000000Z-compare-quick-more-")
    assert (plan.suite, plan.seed, plan.environments, plan.runs) == ("quick & more", 7, ("old", "new"), ("a", "b"))
    assert (plan.essential, plan.most_pairs, plan.name, plan.folder) == (("dgemm",), 96, second.name, str(second))
    assert find_comparison(tmp_path, "last") == second and find_comparison(tmp_path, "20261101") == first
    assert find_comparison(tmp_path / "elsewhere", str(first)) == first


@pytest.mark.parametrize(
    ("name", "sentence"), [("2026", "fits 2 comparisons"), ("", "no comparison ''"), ("2027", "no comparison")],
)
def test_names_that_fit_none_or_many(tmp_path: Path, name: str, sentence: str) -> None:
    folders(tmp_path)
    with pytest.raises(TenkenError, match=sentence):
        find_comparison(tmp_path, name)


def test_none_at_all(tmp_path: Path) -> None:
    with pytest.raises(TenkenError, match="compare-env A B makes one"):
        find_comparison(tmp_path, "last")


@pytest.mark.parametrize("change", ['"runs": ["../../etc", "b"]', '"runs": ["a"]', '"seed": -1', '"schema": "tenken.run/1"'])
def test_what_cannot_be_a_plan_is_refused(tmp_path: Path, change: str) -> None:
    path = folders(tmp_path)[0] / "comparison.json"
    key = change.split(":")[0]
    start = path.read_text().rstrip().removesuffix("}")
    path.write_text(f"{start}, {change}}}" if key else start)
    with pytest.raises(RecordError):
        read_plan(path.parent)
