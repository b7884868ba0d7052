"""The scenes of innocents.py, made again: what did not change is not called slower, and what is slower is."""

from __future__ import annotations

import json
import os

import pytest
from rates import innocents

KEPT = json.loads(innocents.FILE.read_text(encoding="utf-8"))
ALL = [(scene, sittings) for scene in innocents.SCENES for sittings in innocents.SITTINGS]
SOME = [one for one in ALL if one[1] == 5]  # the rest is made again by ./tenken test --ci


@pytest.mark.parametrize(("scene", "sittings"), ALL if os.environ.get("TENKEN_RATES") else SOME[::2], ids=str)
def test_counts_are_those_committed(scene: innocents.Scene, sittings: int) -> None:
    assert innocents.counts_of(scene, sittings, innocents.RUNS) == KEPT[f"{scene.name}/{sittings}"]


def test_the_page_shows_these_counts() -> None:
    assert innocents.PAGE.read_text(encoding="utf-8") == innocents.page(KEPT)


@pytest.mark.parametrize(("scene", "sittings"), ALL, ids=str)
def test_innocents_are_not_named(scene: innocents.Scene, sittings: int) -> None:
    one = KEPT[f"{scene.name}/{sittings}"]
    assert one["runs"] == innocents.RUNS and one["named"] <= innocents.MOST * one["innocents"]
    assert one["faster"] <= innocents.MOST * one["innocents"]


@pytest.mark.parametrize(("scene", "sittings"), [one for one in ALL if one[0].by >= 0.2], ids=str)
def test_what_is_much_slower_is_found(scene: innocents.Scene, sittings: int) -> None:
    one = KEPT[f"{scene.name}/{sittings}"]
    assert one["found"] >= innocents.LEAST * one["slow"]
