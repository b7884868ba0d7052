"""Which runs may be a hold-out: sittings of their own, some time apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rates import frozen
from rates.frozen import APART_S, FEWEST, joined, read_all, require_sittings

GOOD = [(f"run{i}", f"2026-11-0{1 + i // 12}T{8 + i % 12:02d}:00:00Z", f"s{i}") for i in range(FEWEST)]


def test_named_sittings_some_time_apart_are_taken() -> None:
    require_sittings(GOOD)
    require_sittings(GOOD[::-1])


@pytest.mark.parametrize(("runs", "sentence"), [
    ([*GOOD[1:], ("late", "2026-11-05T08:00:00Z", "")], "late has no named sitting"),
    ([*GOOD, ("late", "2026-11-05T08:00:00Z", "s3")], "run3 is of the sitting s3 as another"),
    ([*GOOD, ("late", "2026-11-01T08:15:00Z", "s99")], "late began 15 minutes after the one before; at least 20"),
])
def test_others_are_refused_in_a_sentence(runs: list[tuple[str, str, str]], sentence: str) -> None:
    assert APART_S == 1200 and FEWEST == 16
    with pytest.raises(SystemExit, match=sentence):
        require_sittings(runs)


def kept(node: str, *runs: str, case: str = "a:b", names: tuple[str, ...] = ("time",)) -> dict[str, Any]:
    return {"machine": node, "node": node, "quantities": {case: [{"name": one} for one in names]},
            "runs": [{"run": one} for one in runs]}


def test_sittings_of_several_days_are_joined_in_order_and_each_counts_once() -> None:
    both = joined(kept("zen", "1", "2"), kept("zen", "2", "3", names=("time", "loss")))
    assert [one["run"] for one in both["runs"]] == ["1", "2", "3"]
    assert both["quantities"] == {"a:b": [{"name": "time"}, {"name": "loss"}]}
    assert set(joined(kept("zen", "1", case="c:d"), kept("zen", "2"))["quantities"]) == {"a:b", "c:d"}


def test_sittings_are_kept_by_node_class_and_enough_of_them_stand_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frozen, "KEPT", tmp_path / "sittings")

    def collected(node: str, *runs: tuple[str, str, str]) -> None:
        told = [{"run": name, "started": started, "sitting": sitting, "cases": {}} for name, started, sitting in runs]
        monkeypatch.setattr(frozen, "freeze", lambda *_: {"machine": node, "node": node, "quantities": {}, "runs": told})
        frozen.main(tmp_path, node)

    def known(path: str) -> list[str]:
        return [one["run"] for one in json.loads((tmp_path / path).read_text(encoding="utf-8"))["runs"]]

    collected("zen", *GOOD[:2])
    collected("xeon", *GOOD[:1])
    collected("zen", *GOOD[1:9])
    assert known("sittings/zen.json") == sorted(name for name, _, _ in GOOD[:9]) and known("sittings/xeon.json") == ["run0"]
    assert [one.name for one in read_all()] == ["xeon", "zen"]
    with pytest.raises(SystemExit, match="other is of the sitting s9 as another"):
        collected("zen", *GOOD[9:], ("other", "2026-11-05T08:00:00Z", "s9"))
    collected("zen", *GOOD[9:])
    assert known("sittings/zen.json") == sorted(name for name, _, _ in GOOD)
    assert [(one.name, len(one.runs)) for one in read_all()] == [("zen", FEWEST), ("xeon", 1)]
    collected("zz", ("later", "2026-12-01T08:00:00Z", "s1"))
    assert [one.name for one in read_all()] == ["zen", "zz", "xeon"], "of those with few the latest first"
