from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from run import cost
from run.cost import Clock, StepTime, counted, over, page, processor_seconds
from tenken.cli.places import TREE

WRAPPER = TREE / "cmake" / "processor_time.py"
BUSY = "import time\nwhile time.process_time() < 0.3: pass"


def start(times: Path | None, *command: str) -> int:
    env = {name: value for name, value in os.environ.items() if name != "TENKEN_TEST_TIMES"}
    words = [sys.executable, "-S", str(WRAPPER), "one", "one_test", *command]
    return subprocess.run(words, env=env | ({"TENKEN_TEST_TIMES": str(times)} if times else {}), check=False).returncode


def test_a_test_is_counted_with_what_it_starts(tmp_path: Path) -> None:
    times = tmp_path / "times"
    nested = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {BUSY!r}]) or 7)"
    assert start(times, sys.executable, "-c", nested) == 7
    assert start(times, sys.executable, "-c", BUSY) == 0
    assert 0.6 <= processor_seconds(times)["one"] < 10
    assert counted(times) == {"one_test"}


def test_without_a_file_nothing_is_counted_and_signals_stay_signals(tmp_path: Path) -> None:
    assert start(None, "sh", "-c", "exit 3") == 3
    assert start(None, "sh", "-c", "kill -TERM $$") == -15
    assert start(tmp_path / "times", "sh", "-c", "kill -TERM $$") == -15


@pytest.mark.parametrize(("seconds", "is_over"), [(10.0, False), (34.9, False), (35.1, True)])
def test_a_check_over_its_share(seconds: float, is_over: bool) -> None:
    found = over({"one": seconds, "base": 1e6}, {"one": 10.0, "two": 1.0})
    assert bool(found) == is_over
    if found:
        assert "one: its tests took 35 processor seconds, tests_s in checks/one/check.toml is 10" in found[0]


def test_parts_stand_below_their_step_and_the_page_shows_all() -> None:
    clock = Clock()
    with clock.step("C++ tests"):
        with clock.step("C++ tests: compile"):
            pass
        with clock.step("C++ tests: run"):
            subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert [step.name for step in clock.steps] == ["C++ tests", "C++ tests: compile", "C++ tests: run"]
    assert clock.steps[0].processor_s >= clock.steps[2].processor_s >= 0.3
    steps = [*clock.steps, StepTime("lint", 1e6, 1.0)]
    text = page("./tenken test", "c0ffee", steps, {"gcc": {"one": 3.0}, "clang": {}}, {"one": 5.0})
    assert "| lint | 1000000 | 1 |" in text and "| one | 5 | 3.0 | not run |" in text
    assert re.search(r"\*\*all\*\* \| \*\*10000\d\d", text), "parts are not counted twice"


def test_times_are_read_again(tmp_path: Path) -> None:
    steps = [StepTime("a", 1.0, 2.0)]
    assert cost.read(tmp_path) == []
    cost.write(tmp_path, steps)
    assert cost.read(tmp_path) == steps
