"""`tenken run` as a process of its own, with fake check programs in place of MPI."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[3]
CHECK = """title = "A fake"
question = "Does the path work?"
repetition = "one pass"
variants = ["plain"]
[section.solve]
kind = "compute"
meaning = "nothing"
[validity.answer]
tolerance = 1e-9
source = "a fake"
[case.small]
variant = "plain"
parameters = {}
ranks = 1
threads = 1
launches = 3
timeout_s = 20
suites = []
"""


STUDY = """
[metric.rate]
section = "solve"
quantity = "flop_rate"
unit = "GFLOP/s"
better = "higher"
class = "compute"
ceiling = "none"
[study.sweep]
title = "A sweep"
question = "Does a study go the whole path?"
ranks = 1
threads = 1
launches = 2
timeout_s = 20
[study.sweep.axis]
variant = ["plain"]
ranks = [1, 4096]
seconds = [0.0, 0.01]
[study.sweep.plot]
x = "seconds"
y = "rate"
lines = "ranks"
panels = "variant"
"""


class Site:
    """A folder with one fake check, its build and its runs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.runs = folder, folder / "runs"
        (folder / "checks/fake").mkdir(parents=True)
        (folder / "checks/fake/check.toml").write_text(CHECK)

    def start(self, *arguments: str, word: str = "run") -> subprocess.Popen[str]:
        path = os.pathsep.join([str(TREE / "python"), str(TREE / "tests"), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, str(TREE / "tests/fake_tenken.py"), str(self.folder / "checks"), str(self.folder / "build")]
        return subprocess.Popen(
            [*command, word, *arguments, "--runs", str(self.runs)], env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        return self.word("run", *arguments)

    def word(self, word: str, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments, word=word)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in out + err
        return process.returncode, out, err

    def sweep_environments(self, *names: str) -> None:
        text = STUDY.replace('variant = ["plain"]\nranks = [1, 4096]', f"environment = {json.dumps(names)}")
        text = text.replace('lines = "ranks"\npanels = "variant"', 'lines = "environment"')
        text = text.replace("ranks = 1\n", 'variant = "plain"\nranks = 1\n')
        (self.folder / "checks/fake/check.toml").write_text(CHECK + text)

    def launches(self) -> list[dict]:
        return [json.loads(path.read_text()) for path in sorted(self.runs.glob("*/launches/*/launch.json"))]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_the_path_from_a_command_to_files(site: Site) -> None:
    code, out, err = site.run("fake")
    assert code in (0, 1, 3, 4) and out
    statuses = [launch["status"] for launch in site.launches()]
    assert len(statuses) >= 3 and set(statuses) == {"done"}
    (folder,) = site.runs.iterdir()
    assert {"run.json", "machine.json", "results.json", "junit.xml", "log.txt"} <= {path.name for path in folder.iterdir()}
    assert "plan     fake: 1 case, 3 launches" in err and "[3/3]  fake:small" in err
    assert out.splitlines()[0] in (folder / "log.txt").read_text()


def test_a_limit_on_threads_of_the_shell_is_named_and_no_launch_inherits_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_THREAD_LIMIT", "1")
    _, _, err = site.run("fake")
    sentence = "shell    OMP_THREAD_LIMIT=1 of the calling shell is not passed on to the launches\n"
    (folder,) = site.runs.iterdir()
    assert sentence in err and sentence in (folder / "log.txt").read_text()
    scripts = [path.read_text() for path in folder.glob("launches/*/command.sh")]
    assert scripts and all(" OMP_THREAD_LIMIT " in text.partition("unset ")[2].partition("\n")[0] for text in scripts)


def test_a_check_that_does_not_compile_is_an_error_of_its_cases_and_the_others_run(site: Site) -> None:
    (site.folder / "checks/uncompiled").mkdir()
    (site.folder / "checks/uncompiled/check.toml").write_text(CHECK)
    code, out, _ = site.run("all")
    assert code == 2 and out.startswith("ERROR") and "uncompiled:small" in out
    assert {launch["case_id"] for launch in site.launches()} == {"fake:small"}
    (folder,) = site.runs.iterdir()
    cases = {case["id"]: case for case in json.loads((folder / "results.json").read_text())["cases"]}
    assert cases["uncompiled:small"]["verdict"] == "ERROR" and cases["fake:small"]["verdict"] != "ERROR"
    assert cases["uncompiled:small"]["reason"] == (
        "the check is broken: does not compile: kernel.cpp:3:1: error: no semicolon; log: build.log")


def test_a_named_sitting_is_a_drill_from_the_first_screen_to_the_answer(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENKEN_SITTING", "night-1")
    _, out, err = site.run("fake")
    assert out.startswith("DRILL  ") and "sitting night-1" in out.splitlines()[0] and "DRILL, sitting night-1" in err
    (folder,) = site.runs.iterdir()
    assert json.loads((folder / "run.json").read_text())["environment"]["sitting"]["name"] == "night-1"
    assert json.loads((folder / "results.json").read_text())["drill"] is True
    code, _, err = site.word("baseline", "accept", "last", "--baselines", str(site.folder / "baselines"))
    assert code == 3 and "a drill is no baseline" in err and not (site.folder / "baselines").exists()


def test_a_run_whose_times_all_met_load_is_not_judged(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (site.folder / "checks/other").mkdir()
    (site.folder / "checks/other/check.toml").write_text(CHECK)
    kept = ("--baselines", str(site.folder / "baselines"))
    monkeypatch.setenv("FAKE_STEAL", "0")
    assert site.run("all", *kept)[0] == 0
    assert site.word("baseline", "accept", "last", *kept)[0] == 0
    monkeypatch.setenv("FAKE_STEAL", "0.6")
    monkeypatch.setenv("FAKE_SLOW", "1.3")  # slower, and what was stolen could explain it
    code, out, _ = site.run("all", *kept)
    first = out.splitlines()[0]
    assert code == 3 and first.startswith("NOT JUDGED") and "2 of 2 right, 0 steady" in first
    assert "the node was busy: 2 cases" in out and "./tenken run fake:small other:small --launches 5" in out


def test_ctrl_c_keeps_and_shows_what_is_finished_and_resume_goes_on(site: Site) -> None:
    process = site.start("fake", "--set", "seconds=1")
    deadline = time.monotonic() + 30
    while not site.launches() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3 and "Traceback" not in out + err
    assert "interrupted" in out
    amid = any(launch["status"] == "interrupted" for launch in site.launches())  # else the signal came between two launches
    assert ("stopped by Ctrl-C" in err) == amid
    before = {launch["number"]: launch["started"] for launch in site.launches() if launch["status"] == "done"}
    assert before
    code, _, err = site.run("--resume", "last")
    assert code in (0, 1, 3, 4)
    after = {launch["number"]: launch["started"] for launch in site.launches()}
    assert len(after) >= 3 and {number: after[number] for number in before} == before
    assert {launch["status"] for launch in site.launches()} == {"done"}


def test_a_crash_ends_bad_and_says_where(site: Site) -> None:
    code, out, err = site.run("fake", "--ranks", "2", "--launches", "1", "--set", "fault=crash")
    assert code == 2
    assert "rank 1 of 2 on n1 was killed by SIGKILL in solve/operator after 37 of 100 repetitions" in err
    assert "ERROR" in out


def test_dry_run_runs_nothing(site: Site) -> None:
    code, out, _ = site.run("fake", "--dry-run", "--launches", "2")
    assert code == 0 and not site.runs.exists()
    assert out.count("--variant plain --threads 1 --record") == 2 and "OMP_NUM_THREADS=1" in out
    assert out.count(" OMP_THREAD_LIMIT ") == 1 and " -u " not in out  # what each launch lacks stands once


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fakee"], "did you mean fake?"),
        (["fake:smal"], "did you mean small?"),
        (["fake", "--set", "secnds=1"], "did you mean seconds?"),
        (["fake", "--timeout", "0"], "--timeout 0: expected a positive number"),
        (["fake", "--nodes", "2"], "--nodes 2: only 1 node without a scheduler"),
        (["fake", "--resume", "last"], "leave out names"),
        (["--resume", "last", "--launches", "2"], "leave out --launches"),
        (["fake", "--machine", "nowhere"], "nowhere"),
    ],
)
def test_refusals_leave_no_run(site: Site, arguments: list[str], sentence: str) -> None:
    code, out, err = site.run(*arguments)
    assert (code, out) == (3, "") and sentence in err and not site.runs.exists()


def test_a_study_runs_is_shown_and_drawn(site: Site) -> None:
    (site.folder / "checks/fake/check.toml").write_text(CHECK + STUDY)
    code, out, _ = site.run("fake:sweep", "--dry-run")
    assert code == 0 and "fake:sweep: 2 cases, 4 launches" in out and "2 points left out" in out
    _, out, err = site.run("fake:sweep")
    assert "fake:sweep/plain-ranks1-seconds0.01" in err and len(site.launches()) >= 4
    assert "study    fake:sweep   A sweep   rate in GFLOP/s" in out
    assert "left out plain-ranks4096-seconds0.0, plain-ranks4096-seconds0.01: 4096 x 1 is more than" in out
    results = json.loads(next(site.runs.glob("*/results.json")).read_text())
    assert [point["name"] for point in results["studies"][0]["points"]] == ["plain-ranks1-seconds0.0", "plain-ranks1-seconds0.01"]


def test_a_study_over_environments_builds_and_runs_its_points_in_them(site: Site) -> None:
    site.sweep_environments("alike", "slow", "nowhere")
    _, out, err = site.run("fake:sweep", "--launches", "1", "--set", "seconds=0")
    assert "left out nowhere-seconds0.0: unknown environment 'nowhere'" in out
    assert {(one["case_id"], one["environment"]) for one in site.launches()} == {
        ("fake:sweep/alike-seconds0.0", "alike"), ("fake:sweep/slow-seconds0.0", "slow")
    }
    (folder,) = site.runs.iterdir()
    scripts = {path.parent.name[5:]: "FAKE_SLOW=1.3" in path.read_text() for path in folder.glob("launches/*/command.sh")}
    assert scripts == {"fake.sweep.alike-seconds0.0": False, "fake.sweep.slow-seconds0.0": True}
    told = json.loads((folder / "run.json").read_text())["environment"]["of_points"]
    assert {name: one["variables"] for name, one in told.items()} == {"alike": {}, "slow": {"FAKE_SLOW": "1.3"}}
    (study,) = json.loads((folder / "results.json").read_text())["studies"]
    assert [point["places"]["environment"] for point in study["points"]] == ["alike", "slow"]
    assert site.run("--resume", "last")[0] in (0, 1, 3)
    assert site.word("rerun", "last", "fake:sweep/slow-seconds0.0")[0] in (0, 1, 3)
    assert site.launches()[-1]["environment"] == "slow"


def test_typed_environments_are_the_values_of_that_axis(site: Site) -> None:
    site.sweep_environments("nowhere")
    code, out, _ = site.run("fake:sweep", "--environment", "slow, alike", "--dry-run")
    assert code == 0 and "fake:sweep/slow-seconds0.0 " in out and "fake:sweep/alike-seconds0.01 " in out and "nowhere" not in out
    code, _, err = site.run("fake", "--environment", "slow,alike")
    assert code == 3 and "several are for studies with the axis environment alone" in err
    code, _, err = site.word("compare-env", "alike", "slow", "fake:sweep")
    assert code == 3 and "belongs to a study that sweeps environments" in err


def test_runs_that_cannot_be_written_are_a_sentence(site: Site) -> None:
    site.runs.write_text("a file, no folder")
    code, _, err = site.run("fake")
    assert code == 3 and str(site.runs) in err


@pytest.mark.parametrize(("steal", "repeated"), [("0.05", False), ("0.6", True)])
def test_a_launch_that_met_load_is_repeated_where_load_left_something_open(
    site: Site, monkeypatch: pytest.MonkeyPatch, steal: str, repeated: bool
) -> None:
    monkeypatch.setenv("FAKE_STEAL", steal)
    _, _, err = site.run("fake")
    assert ("repeats launch" in err) is repeated
