"""Sittings from end to end: runs of one morning count once, drills stay among drills, and doubtful files are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sites import Site

from tenken.cli.answer import assess
from tenken.cli.main import main
from tenken.report.html import page as html_page
from tenken.store.runfolder import RunFolder


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Site(tmp_path, capsys)


def of(name: str = "", place: str = "boot a") -> dict[str, Any]:
    """What a run tells of its sitting."""
    return {"sitting": {"place": place, "name": name}}


def shown(site: Site, run: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(site.type("show", run, "--json")[1])
    return answer


def sittings_of(answer: dict[str, Any]) -> set[int]:
    return {change["sittings"] for case in answer["cases"] for change in case["changes"]}


def test_runs_of_one_morning_count_once(site: Site) -> None:
    for number, started in enumerate(("2026-11-01T08:00:00Z", "2026-11-01T08:30:00Z", "2026-11-02T08:00:00Z"), start=1):
        site.run(f"run{number}", 1 if number < 3 else 2, rate=(30 + 0.1 * number) * 1e9, build=of(), started=started)
        code, out, _ = site.type("baseline", "accept", f"run{number}")
        assert code == 0 and ("of one sitting with run1: they count as one" in out) == (number == 2), out
    assert [row["sittings"] for row in json.loads(site.type("baseline", "list", "--json")[1])["cases"]] == [2, 2]
    assert site.type("baseline", "show", "demo:a")[1].count("  of one sitting with run1") == 1
    site.run("run4", 4, rate=30.2e9, build=of())
    answer = shown(site, "run4")
    assert sittings_of(answer) == {2}
    assert [point["run"] for point in answer["cases"][0]["histories"][0]["points"]] == ["run1", "run2", "run3", "run4"]
    assert sittings_of(shown(site, "run2")) == {2}, "without itself its sitting is still there"
    assert sittings_of(shown(site, "run3")) == {1}


def test_a_drill_is_headed_so_and_is_no_baseline(site: Site) -> None:
    site.run("run1", build=of("night"))
    out = site.type("show", "run1")[1]
    assert out.startswith("DRILL  ") and "sitting night" in out.splitlines()[0]
    assert shown(site, "run1")["drill"] is True
    page = html_page(assess(RunFolder(site.runs / "run1").read(), site.baselines))
    assert "DRILL: sitting night (TENKEN_SITTING)." in page
    code, out, err = site.type("baseline", "accept", "run1")
    assert code == 3 and "is a drill (TENKEN_SITTING=night), and a drill is no baseline" in err
    assert site.files() == [] and out == "" and len(err.splitlines()) == 1
    site.judge("run1")
    assert "there is none" in site.type("history", "demo:a/triad")[2], "nor a part of the history"


def test_drills_are_held_against_drills_alone(site: Site) -> None:
    site.run("run1", 1, rate=30e9, build=of("night"))
    assert main(["baseline", "accept", "run1", "--drill", "--runs", str(site.runs)]) == 3
    assert site.type("baseline", "accept", "run1", "--drill")[0] == 0
    assert "a drill: sitting night" in site.type("baseline", "show", "demo:a")[1]
    site.run("run2", 2, rate=31e9, build=of("day"))
    assert sittings_of(shown(site, "run2")) == {1}
    site.run("run3", 3, rate=31e9, build=of())
    answer = shown(site, "run3")
    assert sittings_of(answer) == set() and answer["drill"] is False
    assert "not used: sittings of drills (TENKEN_SITTING): run1" in answer["notes"]
    code, _, err = site.type("baseline", "accept", "run3", "--drill")
    assert code == 3 and "run3 was not named with TENKEN_SITTING, so it is no drill" in err
    assert site.type("baseline", "accept", "run3")[0] == 0
    code, _, err = site.type("baseline", "accept", "run2", "--drill")
    assert code == 3 and "contains other runs" in err
    assert sittings_of(shown(site, "run2")) == {2}, "a drill may be held against this machine"


def test_a_name_that_is_none_is_refused_before_anything_is_built(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    monkeypatch.setenv("TENKEN_SITTING", "a b")
    for words in (["run", "quick"], ["rerun", "last"], ["compare-env", "gcc", "clang"]):
        assert main([*words, "--runs", str(site.runs)]) == 3
        assert "TENKEN_SITTING='a b'" in capsys.readouterr().err and not list(site.runs.iterdir())


def test_a_file_changed_by_hand_is_named_and_does_not_count(site: Site) -> None:
    for number in (1, 2):
        site.run(f"run{number}", number, rate=(30 + number) * 1e9)
        site.type("baseline", "accept", f"run{number}", "--case", "demo:a")
    path = site.files()[0]
    path.write_text(path.read_text().replace('"metric:triad": 31', '"metric:triad": 39'))
    site.run("run3", 3, rate=31e9)
    answer = shown(site, "run3")
    assert sittings_of(answer) == {1}
    assert [note for note in answer["notes"] if note.startswith(str(path)) and "changed by hand after acceptance" in note]


def test_what_cannot_be_is_named_in_the_answer(site: Site) -> None:
    for number, rate in ((1, 30e9), (2, 30.5e9), (3, 31e9), (4, 30e9), (5, 900e9)):
        site.run(f"run{number}", number, rate=rate)
        site.type("baseline", "accept", f"run{number}", "--case", "demo:a")
    site.run("run9", 9, rate=30.2e9)
    answer = shown(site, "run9")
    counted = {change["quantity"]: change["sittings"] for change in answer["cases"][0]["changes"]}
    assert counted["metric:triad"] == 3, "without the copy and without what is thirty times the others"
    assert set(counted.values()) == {3, 4}, "the other figures of that sitting count"
    assert len([note for note in answer["notes"] if "run1 and run4 have identical figures" in note]) == 1
    assert len([note for note in answer["notes"] if "accepted sitting run5: metric:triad" in note]) == 1
    assert [len(case["histories"][0]["points"]) for case in answer["cases"] if case["histories"]] == [6], "all are shown"


def test_a_clock_that_went_back_during_a_run_is_named_and_refused(site: Site) -> None:
    site.run("run1", 2, started="2026-11-09T08:00:00Z")  # its launches say the second
    assert "the time of this run cannot be right: the clock jumped back during the run" in shown(site, "run1")["notes"]
    code, out, _ = site.type("baseline", "accept", "run1")
    assert code == 3 and "its time cannot be right: the clock jumped back" in out and site.files() == []


def test_baselines_from_half_a_year_ago_are_named(site: Site) -> None:
    for number, started in ((1, "2026-01-01T08:00:00Z"), (2, "2026-10-31T08:00:00Z")):
        site.run(f"run{number}", number, rate=(30 + number) * 1e9, started=started)
        site.type("baseline", "accept", f"run{number}")
    site.run("run3", 3, rate=31.5e9)
    notes = [note for note in shown(site, "run3")["notes"] if "older than 180 days" in note]
    assert len(notes) == 1 and notes[0].startswith("demo:a, demo:b: 1 of 2 accepted sittings older than 180 days")
    assert not [note for note in shown(site, "run1")["notes"] if "older than" in note or "future" in note]


def test_five_runs_of_one_morning_prove_no_failure(site: Site) -> None:
    for number in range(1, 6):
        site.run(f"run{number}", rate=(30 + 0.05 * number) * 1e9, build=of(), started=f"2026-11-01T08:{number}0:00Z")
        site.type("baseline", "accept", f"run{number}")
    site.run("run9", 9, rate=20e9)
    answer = shown(site, "run9")
    assert sittings_of(answer) == {1} and answer["verdict"] == "WARN"
    assert [one for one in answer["findings"] if one["what"].endswith("; a FAIL needs 3 sittings, the baseline has 1")]


def test_sittings_of_another_node_class_are_named_and_not_used(site: Site) -> None:
    site.run("run1", host="n0")
    site.type("baseline", "accept", "run1")
    other = site.node("n1")
    other["memory"]["total_bytes"] //= 4
    site.run("run2", 2, host="n1", nodes=[site.node("n0"), other])
    answer = shown(site, "run2")
    assert sittings_of(answer) == set()
    notes = [note for note in answer["notes"] if note.startswith("demo:a: baseline of node class")]
    assert len(notes) == 1 and "is not used: this is" in notes[0]
