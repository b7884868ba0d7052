"""Work in a child that ends by its time limit: what it answers, and that nothing of it stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.launch import limited, processes
from tenken.launch.limited import Ended, began, end_by, now

DEAF = "import os, signal, subprocess, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
# Has a child in a session of its own, whose parent leaves, so that the child becomes an orphan.
FAMILY = DEAF + (
    "subprocess.Popen([sys.executable, '-c', \"import subprocess, sys; subprocess.Popen("
    "[sys.executable, '-c', 'import time; time.sleep(600)', '{mark}'], start_new_session=True)\"])\n"
    "time.sleep(600)\n"
)


def by_time(seconds: float, work: Callable[[Callable[[str], None]], object]) -> Ended:
    said: list[Ended] = []
    ended = end_by(now() + seconds, work, said.append)
    assert said == [ended]
    return ended


def marked(mark: str) -> list[int]:
    return processes.named((int(name) for name in os.listdir("/proc") if name.isdigit()), mark)


@pytest.fixture
def handlers() -> Iterator[None]:
    """A test may set handlers: those from before come back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.01)


def test_the_answer_and_the_last_step_come_back() -> None:
    def work(step: Callable[[str], None]) -> object:
        step("first")
        step("second")
        return ["text\nof lines", 2]

    assert by_time(600, work) == Ended(["text\nof lines", 2], "second", "")


def test_at_the_limit_all_that_was_started_is_ended(tmp_path: Path) -> None:
    mark = str(tmp_path)

    def work(step: Callable[[str], None]) -> object:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-c", FAMILY.format(mark=mark), mark], start_new_session=True)
        until(lambda: len(marked(mark)) == 2)
        step("all are there")
        return time.sleep(600)

    said: list[list[int]] = []
    ended = end_by(now() + 20, work, lambda _: said.append(marked(mark)))
    assert ended == Ended(None, "all are there", "time")
    assert len(said[0]) == 2 and marked(mark) == []


@pytest.mark.parametrize(("trouble", "sentence"), [
    (TenkenError("no build here"), "no build here"),
    (FileNotFoundError(2, "No such file or directory", "/x"), "cannot use /x: No such file or directory"),
    (RuntimeError("a mistake"), "internal error: RuntimeError: a mistake"),
])
def test_trouble_becomes_a_sentence(trouble: Exception, sentence: str) -> None:
    def work(_step: Callable[[str], None]) -> object:
        raise trouble

    assert by_time(600, work) == Ended(None, "", f"error: {sentence}")


def test_a_child_that_was_killed_has_no_answer() -> None:
    ended = by_time(600, lambda _: os.kill(os.getpid(), signal.SIGKILL))
    assert ended.answer is None and ended.cause.startswith("error: ") and "ended from outside" in ended.cause


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize(("number", "name"), [(signal.SIGTERM, "SIGTERM"), (signal.SIGINT, "Ctrl-C")])
def test_a_signal_ends_the_work_and_the_handlers_are_as_before(number: signal.Signals, name: str) -> None:
    signal.signal(number, before := lambda *_: None)

    def work(_step: Callable[[str], None]) -> object:
        os.kill(os.getppid(), number)
        return time.sleep(600)

    assert by_time(600, work) == Ended(None, "", name)
    assert signal.getsignal(number) is before


@pytest.mark.usefixtures("handlers")
def test_a_signal_that_the_caller_ignores_stays_ignored() -> None:
    """A shell without job control starts commands in the background with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def work(_step: Callable[[str], None]) -> object:
        os.kill(os.getppid(), signal.SIGINT)
        return "to the end"

    assert by_time(600, work) == Ended("to the end", "", "")
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_child_whose_parent_is_killed_tidies_up(tmp_path: Path) -> None:
    place = tmp_path / "place"
    program = f"""
import pathlib, shutil, time
from tenken.launch.limited import end_by, now
place = pathlib.Path({str(place)!r})
def work(step):
    try:
        place.mkdir()
        time.sleep(600)
    finally:
        shutil.rmtree(place)
end_by(now() + 600, work, print)
"""
    python = str(Path(limited.__file__).parents[2])
    parent = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": python})
    until(lambda: place.exists() or parent.poll() is not None)
    assert parent.poll() is None
    parent.kill()
    parent.wait()
    until(lambda: not place.exists())


def test_the_begin_is_that_of_the_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limited.STARTED, "12.5")
    assert began() == 12.5 and limited.STARTED not in os.environ
    for odd in ("", "nan", "-1", "x", str(now() + 1e6)):
        monkeypatch.setenv(limited.STARTED, odd)
        assert began() == limited._IMPORTED
    assert began() == limited._IMPORTED <= now()
