"""`tenken compare-env` as a process of its own, with fake check programs and environments that are wrong on purpose."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest
from tenken.cli.run_test import CHECK, Site

OTHER = CHECK.replace('title = "A fake"', 'title = "Another"')
BRIEF = """
[case.brief]
variant = "plain"
parameters = {seconds = 0.02}
ranks = 1
threads = 1
launches = 1
timeout_s = 20
suites = []
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path)
    for name in ("other", "third"):
        (tmp_path / f"checks/{name}").mkdir()
        (tmp_path / f"checks/{name}/check.toml").write_text(OTHER)
    return made


def compare(site: Site, b: str, *words: str) -> tuple[int, str, str]:
    return site.word("compare-env", "alike", b, "fake", "other", "third", *words)


def results(site: Site) -> dict:
    (path,) = site.runs.glob("*-compare-*/results.json")
    return json.loads(path.read_text())


def test_two_that_are_alike_are_released(site: Site) -> None:
    code, out, err = compare(site, "alike")
    assert code == 0, out + err
    assert out.startswith("RELEASE   fake other third: alike (B) instead of alike (A) on ")
    assert "differ   no recorded difference of environments" in out and len(out.splitlines()) <= 24
    found = results(site)
    assert found["schema"] == "tenken.compared/1" and found["decision"] == "release"
    assert [case["answers"] for case in found["cases"]] == [["right", "right"]] * 3
    runs = [json.loads((site.runs / name / "run.json").read_text()) for name in found["plan"]["runs"]]
    assert [(run["environment"]["side"], run["environment"]["comparison"]) for run in runs] == [
        ("A", found["plan"]["name"]), ("B", found["plan"]["name"]),
    ]
    assert all(len(case["launches"]) >= 6 for run in runs for case in run["cases"])
    page = next(site.runs.glob("*-compare-*/report.html")).read_text()
    assert "<svg" in page and "<script" not in page
    assert out in next(site.runs.glob("*-compare-*/log.txt")).read_text()
    again = site.word("compare-env", "--show", "last")
    assert (again[0], again[1]) == (0, out)
    assert site.word("show", found["plan"]["runs"][0])[0] in (0, 1, 3), "each half is a run like any other"


def test_slower_in_one_check_is_a_restriction_that_is_named(site: Site) -> None:
    code, out, _ = compare(site, "lame", "--launches", "4")
    assert code == 1 and out.startswith("RELEASE WITH RESTRICTIONS")
    assert "restrict fake:small   " in out and "slower" in out and "restrict other" not in out
    assert "variables of the environment with FAKE_ONLY=fake, FAKE_SLOW=1.3" in out
    assert "next     ./tenken compare-env alike lame fake:small --launches " in out


@pytest.mark.parametrize(
    ("b", "words"),
    [
        ("wrong", "wrong answer: answer is 1, should be 0"), ("crash", "was killed by SIGKILL"),
        ("slow", "slower beyond the limits in 3 of 3 judged cases"),
    ],
)
def test_what_must_not_be_released(site: Site, b: str, words: str) -> None:
    code, out, _ = compare(site, b, "--launches", "2")
    assert code == 2 and out.startswith("HOLD") and words in " ".join(out.split()), out


@pytest.mark.parametrize(("typed", "seconds"), [((), 1.0), (("--set", "seconds=0.05"), 0.05)])
def test_a_launch_times_a_second_unless_the_user_says_otherwise(site: Site, typed: tuple[str, ...], seconds: float) -> None:
    folder = site.runs.parent / "checks/fake/check.toml"
    folder.write_text(folder.read_text() + BRIEF)
    site.word("compare-env", "alike", "alike", "fake:brief", "--launches", "1", *typed)
    (case,) = json.loads((site.runs / results(site)["plan"]["runs"][0] / "run.json").read_text())["cases"]
    assert case["case"]["parameters"] == {"seconds": seconds}


def test_ctrl_c_keeps_pairs_and_resume_goes_on(site: Site) -> None:
    process = site.start("alike", "alike", "fake", "--set", "seconds=0.3", word="compare-env")
    deadline = time.monotonic() + 30
    while not site.launches() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3 and "Traceback" not in out + err and "interrupted" in out
    assert "next     ./tenken compare-env --resume " in out
    one_half = results(site)["plan"]["runs"][0]
    code, _, err = site.word("run", "--resume", one_half)
    assert code == 3 and f"{one_half} is one half of " in err
    code, out, err = site.word("compare-env", "--resume", "last")
    assert code == 0, out + err
    assert {launch["status"] for launch in site.launches()} == {"done"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["alike"], "compare-env takes two environments, such as"),
        (["alike", "alke", "fake"], "did you mean alike?"),
        (["alike", "slow", "fakee"], "did you mean fake?"),
        (["alike", "slow", "fake", "--essential", "fak"], "did you mean fake?"),
        (["alike", "slow", "--show", "last"], "leave out alike"),
        (["--resume", "last"], "no comparisons in "),
    ],
)
def test_refusals_leave_nothing(site: Site, arguments: list[str], sentence: str) -> None:
    code, out, err = site.word("compare-env", *arguments)
    assert (code, out) == (3, "") and sentence in err and not site.runs.exists()
