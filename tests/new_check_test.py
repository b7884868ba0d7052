"""`./tenken new-check` in a copy of the tree: what it makes is listed, passes its tests, is proved, judged and drawn."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from whole_tool import SHORT, TREE, Answer, environment

SMALL = ("fresh:all_cores", "--set", "size=1MiB", *SHORT)


class Copy:
    """A copy of the tree, and what is typed in it."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.runs = folder / "tree", folder / "runs"
        left_out = shutil.ignore_patterns("build", "runs", "baselines", ".*", "__pycache__")
        shutil.copytree(TREE, self.tree, ignore=left_out)

    def type(self, *words: str) -> Answer:
        kept = {name: value for name, value in environment().items() if not name.startswith("PYTEST_")}
        done = subprocess.run([self.tree / "tenken", *words], capture_output=True, text=True, timeout=1200, env=kept, check=False,
                              stdin=subprocess.DEVNULL)
        answer = Answer(done.returncode, done.stdout, done.stderr)
        answer.no_traceback()
        return answer

    def results(self) -> dict:
        newest = max(self.runs.iterdir(), key=lambda path: path.name)
        assert "fresh" in (newest / "report.html").read_text()
        return json.loads((newest / "results.json").read_text())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    copy = Copy(tmp_path_factory.mktemp("new"))
    answer = copy.type("new-check", "fresh", "--with", "judge,library,fortran")
    assert answer.code == 0 and answer.out.startswith("checks/fresh "), answer.err
    return copy


def test_it_is_listed_and_there_once(copy: Copy) -> None:
    assert "fresh:all_cores" in copy.type("list", "checks").out
    again = copy.type("new-check", "fresh")
    assert again.code == 3 and "checks/fresh is there already" in again.err


def test_its_tests_and_the_rules_of_its_folder_pass(copy: Copy) -> None:
    answer = copy.type("test", "--check", "fresh")
    assert answer.code == 0 and "0 failed" in answer.out, answer.out + answer.err
    assert "C++ tests: 2 passed" in answer.err and re.search(r"fresh \d+ of 5;", answer.err), answer.err


def test_it_is_proved_judged_and_drawn_and_its_fault_is_found(copy: Copy) -> None:
    healthy = copy.type("run", *SMALL, "--runs", str(copy.runs))
    assert healthy.code in (0, 1, 3, 4), healthy.out + healthy.err
    case = copy.results()["cases"][0]
    assert [(proof["validity"]["name"], proof["holds"]) for proof in case["validity"]] == [("closed_form", True)]
    faulty = copy.type("run", *SMALL, "--set", "fault=lost_update", "--runs", str(copy.runs))
    assert faulty.code == 2 and "closed_form is 1, should be at most 0" in " ".join(faulty.out.split())
    assert copy.results()["verdict"] == "INVALID"
