from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tenken.launch import priority

GROUP = Path("/proc/self/autogroup")
SUPERVISOR = Path(priority.__file__).with_name("supervisor.py")
with_autogroups = pytest.mark.skipif(priority._of_session() is None, reason="this kernel schedules without autogroups")


def session_of_a_launch(nice: int) -> int:
    """Autogroup nice of a command under a supervisor that was started with `nice`."""
    ours, theirs = socket.socketpair()
    supervisor = [sys.executable, "-I", "-S", "-B", str(SUPERVISOR), "", "0.2", "0", "0", ""]
    words = ["nice", "-n", str(nice), *supervisor, "cat", str(GROUP)]
    with ours, theirs:
        done = subprocess.run(words, stdin=theirs.fileno(), capture_output=True, text=True, timeout=30, check=True)
    return int(done.stdout.split()[-1])


@with_autogroups
@pytest.mark.skipif(os.getpriority(os.PRIO_PROCESS, 0) > 0, reason="these tests run with a nice value of their own")
@pytest.mark.parametrize("nice", [0, 5])
def test_a_launch_has_the_nice_value_of_the_caller(nice: int) -> None:
    assert session_of_a_launch(nice) == nice + priority.own()


@with_autogroups
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may ask for more than its share")
def test_a_launch_of_root_may_have_more_than_its_share() -> None:
    if subprocess.run(["nice", "-n", "-5", "true"], capture_output=True, check=False).stderr:
        pytest.skip("root has no privilege of scheduling here")
    assert session_of_a_launch(-5) == priority.own() - 5


def test_no_sentence_without_a_nice_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priority, "own", lambda: 0)
    assert priority.refusal() == ""


def test_what_is_not_permitted_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priority, "own", lambda: -10)
    answer = subprocess.CompletedProcess([], 0, stdout="Operation not permitted\n")
    monkeypatch.setattr(priority.subprocess, "run", lambda *words, **more: answer)
    assert priority.refusal() == (
        "nice -10 has no effect on the launches: their session has autogroup nice 0 (Operation not permitted)")
    answer.stdout = "\n"
    assert priority.refusal() == ""


def test_a_process_in_no_autogroup_keeps_its_nice_value(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (group := tmp_path / "autogroup").write_text("")
    (enabled := tmp_path / "enabled").write_text("1\n")
    monkeypatch.setattr(priority, "_GROUP", group)
    monkeypatch.setattr(priority, "_ENABLED", enabled)
    assert priority.keep(-3) == "" and group.read_text() == ""


def test_the_kernel_is_asked_again_where_another_user_was_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    busy = [BlockingIOError(11, "Resource temporarily unavailable")] * 2
    group = tmp_path / "autogroup"
    group.write_text("/autogroup-7 nice 0")
    enabled = tmp_path / "enabled"
    enabled.write_text("1\n")

    class Group:
        exists, read_text = group.exists, group.read_text

        @staticmethod
        def write_text(text: str) -> None:
            if busy:
                raise busy.pop()
            group.write_text(f"/autogroup-7 nice {text}\n")

    monkeypatch.setattr(priority, "_GROUP", Group)
    monkeypatch.setattr(priority, "_ENABLED", enabled)
    monkeypatch.setattr(priority.time, "sleep", lambda seconds: None)
    assert priority.keep(-3) == "" and re.search("nice -3$", group.read_text().strip())
    busy += [BlockingIOError(11, "Resource temporarily unavailable")] * 99
    assert priority.keep(4) == "Resource temporarily unavailable"
