"""Evidence between runs, from end to end: a shift that three sittings show, and what a run keeps of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sites import Site
from tenken.cli.answer import assess, write
from tenken.cli.terminal import Progress
from tenken.model.assessment import Assessment
from tenken.store.runfolder import RunFolder

SLOW = 27e9  # the others are about 30e9


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = Site(tmp_path, capsys)
    for day, rate in enumerate((30e9, 30.2e9, 29.9e9, 30.1e9, 29.8e9), start=1):
        made.run(f"run0{day}", day, rate=rate, build=of(day))
        assert made.type("baseline", "accept", f"run0{day}")[0] == 0
    return made


def of(day: int, name: str = "") -> dict[str, Any]:
    return {"sitting": {"place": f"boot {day}", "name": name}}


def answered(site: Site, day: int, rate: float = SLOW, name: str = "", **more: Any) -> Assessment:
    """A run of that day, with its answer written beside it."""
    folder = site.run(f"run{day:02d}", day, rate=rate, build=of(day, name), **more)
    found = assess(RunFolder(folder).read(), site.baselines)
    write(found, folder, Progress())
    return found


def verdicts(found: Assessment) -> set[str]:
    return {one.verdict.value for one in found.findings if one.axis.value == "change"}


def test_the_third_sitting_fails_and_says_why(site: Site) -> None:
    assert [verdicts(answered(site, day)) for day in (6, 7, 8)] == [{"WARN"}, {"WARN"}, {"FAIL"}]
    code, out, _ = site.type("show", "run08")
    assert code == 2 and " in run07 and " in out.replace("\n", " ") and "run06" in out
    kept = json.loads((site.runs / "run08" / "earlier.json").read_text())
    assert [one["id"] for one in kept["sittings"]] == ["run07", "run06"]


def test_judging_anew_reads_what_was_read_then(site: Site) -> None:
    for day in (6, 7, 8):
        answered(site, day)
    for day in (6, 7):
        shutil.rmtree(site.runs / f"run0{day}")
    assert site.type("show", "run08")[0] == 2
    (site.runs / "run08" / "earlier.json").unlink()
    assert site.type("show", "run08")[0] == 1, "without it only this sitting is known"
    (site.runs / "run08" / "earlier.json").write_text('{"schema": "tenken.earlier/1", "sittings": [1]}')
    assert site.type("show", "run08")[0] == 1, "what cannot be read is as good as not there"


def test_nothing_is_read_where_nothing_seems_slower(site: Site) -> None:
    assert answered(site, 6, rate=30e9).earlier is None and not (site.runs / "run06" / "earlier.json").exists()
    assert answered(site, 7).earlier is not None


def test_runs_of_one_sitting_are_one(site: Site) -> None:
    answered(site, 6)
    for minute, name in ((0, "run07"), (30, "run08"), (50, "run09")):
        folder = site.run(name, 7, rate=SLOW, build=of(7), started=f"2026-11-07T08:{minute:02d}:00Z")
        found = assess(RunFolder(folder).read(), site.baselines)
        write(found, folder, Progress())
        assert verdicts(found) == {"WARN"}, name
    assert [one.id for one in found.earlier or ()] == ["run06"]
    assert verdicts(answered(site, 10)) == {"FAIL"}


def test_drills_stay_among_drills(site: Site) -> None:
    answered(site, 6, name="a")
    answered(site, 7, name="b")
    real = answered(site, 8)
    assert verdicts(real) == {"WARN"} and real.earlier == ()
    drill = answered(site, 9, name="c")
    assert drill.drill and verdicts(drill) == {"FAIL"} and [one.id for one in drill.earlier or ()] == ["run07", "run06"]


def test_an_accepted_sitting_in_between_ends_the_row(site: Site) -> None:
    answered(site, 6)
    site.run("run07", 7, rate=30e9, build=of(7))
    site.type("baseline", "accept", "run07")
    answered(site, 8)
    assert verdicts(answered(site, 9)) == {"WARN"}


@pytest.mark.parametrize("odd", [b"{", b"[]", b'{"environment": {}, "state": "finished", "started": 1, "cases": [{}]}'])
def test_results_that_cannot_be_read_are_passed_over(site: Site, odd: bytes) -> None:
    for day in (6, 7):
        answered(site, day)
    (site.runs / "run075").mkdir()
    (site.runs / "run075" / "results.json").write_bytes(odd)
    assert verdicts(answered(site, 8)) == {"FAIL"}


def test_other_sizes_and_planted_faults_are_no_evidence(site: Site) -> None:
    for day in (6, 7):
        answered(site, day)
        path = site.runs / f"run0{day}" / "results.json"
        results = json.loads(path.read_text())
        results["cases"][0]["parameters"]["size"] = 77
        results["cases"][1]["fault"] = "delay"
        path.write_text(json.dumps(results))
    assert verdicts(answered(site, 8)) == {"WARN"}
