"""Accepting, listing, showing and dropping sittings, and what a run then tells, on run folders made of synthetic records."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import builders as b
from sites import Site
from sittings import accepted, sitting
from tenken.base.errors import TenkenError
from tenken.cli import answer
from tenken.cli.accept import describe
from tenken.cli.main import main
from tenken.cli.terminal import Progress
from tenken.store.runfolder import RunFolder

TREE = Path(__file__).resolve().parents[3]
NODE = json.loads((TREE / "tests/machines/two_sockets.node.json").read_text())
HOSTILE = "n1\x1b[2J<script>alert(1)</script>;`reboot`$(id)'\""


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Site(tmp_path, capsys)


def test_accept_list_show_drop(site: Site) -> None:
    for day in (1, 2):
        site.run(f"run{day}", day, rate=(29 + day) * 1e9)
        code, out, _ = site.type("baseline", "accept", f"run{day}", "--note", "after the acceptance test")
        assert code == 0 and "2 of 2 cases of" in out and "accepted demo:a" in out
    assert len(site.files()) == 4
    code, out, _ = site.type("baseline", "list")
    assert code == 0 and out.splitlines()[1].split()[-3:] == ["2", "2026-11-01", "2026-11-02"]
    code, out, _ = site.type("baseline", "show", "demo:a")
    assert code == 0 and "metric:triad" in out and "run2  3 launches on n0  after the acceptance test" in out
    code, out, _ = site.type("baseline", "drop", "demo:a", "run1")
    assert code == 0 and ".json.dropped" in out and len(site.files()) == 4
    assert len(json.loads(site.type("baseline", "show", "demo:a", "--json")[1])["sittings"]) == 1
    assert [row["sittings"] for row in json.loads(site.type("baseline", "list", "--json")[1])["cases"]] == [1, 2]


def test_the_same_run_twice_says_so_and_changes_nothing(site: Site) -> None:
    site.run("run1")
    site.type("baseline", "accept", "run1")
    before = [path.read_bytes() for path in site.files()]
    code, out, _ = site.type("baseline", "accept", "run1", "--note", "again")
    assert code == 0 and out.count("accepted before; nothing was changed") == 2
    assert [path.read_bytes() for path in site.files()] == before


def test_the_clock_is_kept_and_read_again(site: Site) -> None:
    trust = b.trust(frequency_hz=(b.GHZ,) * 24)
    site.run("run1", record={"trusts": trust})
    assert site.type("baseline", "accept", "run1")[0] == 0
    kept = json.loads(site.type("baseline", "show", "demo:a", "--json")[1])["sittings"]
    assert "clock:plain" in {name for launch in kept[0]["launches"] for name in launch["values"]}
    site.run("run2", 2, record={"trusts": trust})
    assert "skipped" not in site.type("show", "run2")[1]


def test_a_mask_finds_its_baseline_and_is_told(site: Site) -> None:
    site.run("run1")
    site.type("baseline", "accept", "run1")
    masked = site.node("n0")
    masked["topology"]["usable"] = masked["topology"]["usable"][:4]
    site.run("run2", 2, nodes=[masked])
    code, out, _ = site.type("show", "run2")
    before = len(NODE["topology"]["usable"])
    assert code == 1 and f"n0: only 4 of {before} hardware threads of its baseline may be used" in " ".join(out.split())
    site.run("run3", 3)
    assert "that its baseline had" not in site.type("show", "run3")[1]


def test_only_the_named_cases(site: Site) -> None:
    site.run("run1")
    code, out, _ = site.type("baseline", "accept", "run1", "--case", "demo:b", "--json")
    assert code == 0 and [row["case"] for row in json.loads(out)["cases"]] == ["demo:b"] and len(site.files()) == 1
    code, _, err = site.type("baseline", "accept", "run1", "--case", "demo:c")
    assert code == 3 and "unknown case 'demo:c' in run run1" in err


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"fault": "delay"}, "a drill is no baseline"),
        ({"validity": [b.proof(value=2.0)]}, "INVALID"),
        ({"validity": []}, "INVALID"),
        ({"trusts": b.trust(run_queue_wait_ns=b.SECOND // 2)}, "disturbed: run-queue wait"),
        ({"threads": 64}, "oversubscribed"),
    ],
)
def test_what_cannot_be_trusted_is_refused(site: Site, changes: dict[str, Any], why: str) -> None:
    site.run("run1", record=changes)
    code, out, _ = site.type("baseline", "accept", "run1")
    assert code == 3 and out.count("refused") == 2 and why in out and site.files() == []
    assert ("./tenken compare-env" in out) == why.startswith("disturbed")


def test_the_rest_of_a_run_is_accepted(site: Site) -> None:
    folder = site.run("run1")
    for path in folder.glob("launches/*demo.a/record.jsonl"):
        path.unlink()
    code, out, _ = site.type("baseline", "accept", "run1")
    assert code == 0 and "1 of 2 cases" in out and "refused  demo:a" in out and len(site.files()) == 1


def test_a_run_of_1970_is_refused(site: Site) -> None:
    site.run("run1", started="1970-01-01T00:00:07Z")
    code, out, _ = site.type("baseline", "accept", "run1")
    assert code == 3 and "the clock was not set" in out


def test_a_run_is_held_against_the_others_and_names_what_changed(site: Site) -> None:
    site.run("run1", 1)
    site.type("baseline", "accept", "run1")
    site.run("run2", 2, build={"compiler": "g++ 13"}, nodes=[site.node("n0", kernel="9.9")])
    results = json.loads(site.type("show", "run2", "--json")[1])
    jsonschema.validate(results, json.loads((TREE / "schema/results.schema.json").read_text()))
    case = results["cases"][0]
    assert {one["fact"]: one["now"] for one in case["differences"]} == {"compiler": "g++ 13", "kernel": "9.9"}
    (history,) = case["histories"]
    assert history["name"] == "metric:triad" and [point["run"] for point in history["points"]] == ["run1", "run2"]
    assert history["points"][1]["changes"] and history["points"][0]["accepted"]
    own = json.loads(site.type("show", "run1", "--json")[1])["cases"][0]
    assert own["histories"] == [] and own["differences"] == [], "a run is not its own judge"


def test_require_baseline(site: Site) -> None:
    folder = RunFolder(site.run("run2", 2))
    site.run("run1", 1)

    def show() -> int:
        return answer.show(folder, Progress(), site.baselines, require_baseline=True)

    with pytest.raises(TenkenError, match="--require-baseline: no accepted sitting of demo:a, demo:b on this node class"):
        show()
    site.type("baseline", "accept", "run1", "--case", "demo:a")
    with pytest.raises(TenkenError, match="no accepted sitting of demo:b on"):
        show()
    site.type("baseline", "accept", "run1")
    assert show() in (0, 1)


def test_damaged_baselines_are_notes(site: Site) -> None:
    site.run("run1")
    site.run("run2", 2)
    site.type("baseline", "accept", "run1")
    for path in site.files():
        path.write_text(path.read_text()[:200])
    results = json.loads(site.type("show", "run2", "--json")[1])
    assert sum("not JSON" in note and "skipped" in note for note in results["notes"]) == 2
    code, _, err = site.type("baseline", "list")
    assert code == 0 and err.count("skipped") == 2


def test_an_odd_node_warns(site: Site) -> None:
    nodes = [site.node("n0"), site.node("n1"), site.node("n2", kernel="9.9")]
    site.run("run1", host="n2", nodes=nodes)
    code, out, _ = site.type("show", "run1")
    assert code == 1 and "node n2 differs from 2 other nodes of the same class: kernel 9.9" in " ".join(out.split())
    site.run("run2", host="n9", nodes=nodes)
    notes = json.loads(site.type("show", "run2", "--json")[1])["notes"]
    assert "n9 took part and was not probed: its differences are unknown" in notes


def test_hostile_names_are_harmless(site: Site) -> None:
    evil = site.node(HOSTILE, kernel="<b>\x1b]0;x\x07\u202e", command_line=HOSTILE)
    site.run("run1", host=HOSTILE, nodes=[evil], build={"modules": [HOSTILE], "compiler": HOSTILE})
    site.run("run2", 2, host=HOSTILE, nodes=[evil, site.node("n2"), site.node("n3")])
    texts = [
        site.type("baseline", "accept", "run1", "--note", HOSTILE)[1], site.type("baseline", "show", "demo:a")[1],
        site.type("baseline", "list")[1], *site.type("show", "run2", "--all")[1:], site.type("report", "run2")[1],
        site.type("history", "demo:a/triad", "--html", str(site.runs / "h.html"))[1],
    ]
    (site.runs / "run2").rename(site.runs / HOSTILE.replace("/", "_"))
    texts.append(site.type("history", "demo:a/triad")[1])
    texts += describe([accepted(sitting(hosts=(HOSTILE,), facts={"kernel": HOSTILE}), node_class=HOSTILE, note=HOSTILE)])
    assert sum("\\x1b" in text for text in texts) > 4, "shown, but made visible"
    for text in texts:
        assert all(char.isprintable() or char == "\n" for char in text)
    for page in (site.runs / HOSTILE.replace("/", "_") / "report.html", site.runs / "h.html"):
        html = page.read_text()
        assert "<script" not in html and "<b>\x1b" not in html and "\x1b" not in html and "\u202e" not in html
    assert all(path.is_relative_to(site.baselines) for path in site.files()) and site.files()
    findings = json.loads((site.runs / HOSTILE.replace("/", "_") / "results.json").read_text())["findings"]
    commands = {found["next_command"] for found in findings}
    assert ["./tenken", "rerun", "run2", "demo:a", "--without", HOSTILE] in map(shlex.split, commands)


def test_history(site: Site) -> None:
    for day, rate in ((1, 30e9), (3, 33e9), (2, 31e9)):
        site.run(f"run{day}", day, rate=rate, nodes=[site.node("n0", kernel="6" if day < 3 else "7")])
        if day != 2:
            site.type("baseline", "accept", f"run{day}")
        site.judge(f"run{day}")
    for path in (site.runs / "run1").rglob("*.json"):
        path.unlink()  # of an old run only the accepted sitting is left
    site.run("run9", 9)
    code, out, err = site.type("history", "demo:a/triad")
    assert code == 0 and "run9: not judged yet" in err
    lines = out.splitlines()
    assert lines[1] == "▁▃█" and [line.split()[2] for line in lines[3:6]] == ["run1", "run2", "run3"]
    assert [line.split()[-1] for line in lines[3:5]] == ["yes", "no"] and lines[5].endswith("kernel 7 instead of 6")
    (history,) = json.loads(site.type("history", "a/triad", "--json", "--svg", str(site.runs / "h.svg"))[1])["histories"]
    assert [point["accepted"] for point in history["points"]] == [True, False, True]
    assert (site.runs / "h.svg").read_text().startswith("<svg")


def test_a_figure_under_other_load_has_a_mark_in_its_history(site: Site) -> None:
    site.run("run1", 1, record={"trusts": b.trust(steal_ns=b.SECOND // 1000)})  # below the limit of 2 %
    site.run("run2", 2, record={"trusts": b.trust(steal_ns=b.SECOND // 5)})
    for day in (1, 2):
        site.judge(f"run{day}")
    for metric in ("demo:a/triad", "demo:a/time:triad"):
        lines = site.type("history", metric)[1].splitlines()
        assert [" ~ " in line for line in lines[3:5]] == [False, True]
        assert lines[5] == "~ measured under other load: a time is an upper bound, a rate a lower bound"


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [("demo:a/triads", "did you mean demo:a/triad or"), ("triad", "fits 4 figures: demo:a/metric:triad, demo:a/time:triad")],
)
def test_a_history_of_nothing_or_of_several(site: Site, metric: str, sentence: str) -> None:
    site.run("run1")
    site.judge("run1")
    code, _, err = site.type("history", metric)
    assert code == 3 and sentence in err


def test_impossible_times_are_said(site: Site) -> None:
    site.run("run1", 1)
    site.run("run2", 2, started="2026-11-09T08:00:00Z")  # its launches say the second
    site.run("run3", 3, started="2999-01-01T00:00:00Z")
    for day in (1, 2, 3):
        site.judge(f"run{day}")
    out = site.type("history", "demo:b/triad")[1]
    assert "run2: its time cannot be right: the clock jumped back" in out
    assert "run3: its time cannot be right: it lies in the future" in out and "run1: its time" not in out


def test_a_damaged_run_is_a_note(site: Site) -> None:
    site.run("run1")
    site.judge("run1")
    folder = site.run("run2", 2)
    for text in ("{", "[]", '{"machine": 1}', "{}"):
        (folder / "results.json").write_text(text)
        code, _, err = site.type("history", "demo:a/triad")
        assert code == 0 and "results.json" in err and "skipped" in err


def test_a_wrong_action_is_refused(site: Site) -> None:
    assert "did you mean accept?" in site.type("baseline", "acept")[2]
    assert main(["baseline"]) == 3 and os.listdir(site.runs) == []
