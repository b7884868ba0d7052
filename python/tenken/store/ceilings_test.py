from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tenken.model.machine import Offer
from tenken.store.baseline import CEILINGS, known_ceilings, write_ceilings

MEMORY = Offer("memory", "double", "a.b", "a:c", "toy", 4, 25e9, "working_set_bytes", 1e9, True, False, 3e9)
FLOP = replace(MEMORY, what="flop", rate=5e10, by=None, size=None, uncached=False)


def run(runs: Path, name: str, *offers: Offer) -> None:
    (runs / name).mkdir()
    write_ceilings(runs / name, f"2026-11-{name[6:8]}T08:00:00Z", offers)


def test_the_newest_of_each_kind_and_class_before_this_run(tmp_path: Path) -> None:
    run(tmp_path, "20261101T", replace(MEMORY, rate=1.0), FLOP, replace(MEMORY, node_class="other"))
    run(tmp_path, "20261102T", MEMORY, replace(MEMORY, cores=1, rate=2.0))
    run(tmp_path, "20261103T", replace(MEMORY, rate=3.0))
    found = known_ceilings(tmp_path, "20261103T", {"toy"})
    assert set(found) == {
        replace(MEMORY, date="2026-11-02"), replace(MEMORY, cores=1, rate=2.0, date="2026-11-02"),
        replace(FLOP, date="2026-11-01"),
    }
    assert known_ceilings(tmp_path, "20261101T", {"toy"}) == ()


def test_disturbed_ones_are_not_kept_and_what_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    run(tmp_path, "20261101T", MEMORY)
    run(tmp_path, "20261102T", replace(MEMORY, disturbed=True))
    assert not (tmp_path / "20261102T" / CEILINGS).exists()
    for name, text in (("20261103T", "{"), ("20261104T", "[]"), ("20261105T", '{"offers": [3], "started": 1}')):
        (tmp_path / name).mkdir()
        (tmp_path / name / CEILINGS).write_text(text)
    assert known_ceilings(tmp_path, "20261109T", {"toy"}) == (replace(MEMORY, date="2026-11-01"),)
