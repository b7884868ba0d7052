from __future__ import annotations

import errno
import io
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.cli import main as module
from tenken.cli.main import WORDS, main
from tenken.cli.terminal import LaunchProgress, Progress, guarded
from tenken.model.run import Launch

PYTHON = Path(__file__).resolve().parents[2]


@pytest.fixture
def word(monkeypatch: pytest.MonkeyPatch):
    """Makes the word `run` do what a test wants."""

    def does(action) -> None:
        fake = types.ModuleType("tenken.cli.run")
        fake.main = action
        monkeypatch.setitem(sys.modules, "tenken.cli.run", fake)

    return does


def raises(error: BaseException):
    def action(_arguments: list[str]) -> int:
        raise error

    return action


def test_help_lists_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == main([]) == main(["run", "--help"][1:]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^  ([\w-]+) ", out, re.MULTILINE) == list(WORDS) * 3


@pytest.mark.parametrize("name", WORDS)
def test_every_word_has_help_without_modules_that_are_installed(name: str) -> None:
    """Before anything is installed, and as `tenken` starts it: the standard library is enough."""
    command = [sys.executable, "-S", "-m", "tenken.cli", name, "--help"]
    done = subprocess.run(command, env={"PYTHONPATH": str(PYTHON)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and f"usage: tenken {name}" in done.stdout


def test_yes_is_the_bootstraps(word) -> None:
    word(lambda arguments: len(arguments))
    assert main(["--yes", "run", "a", "--yes", "b"]) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rum"], "unknown word 'rum'; did you mean run?"),
        (["run", "--lanches", "3"], "unknown option '--lanches' of tenken run; did you mean --launches"),
        (["run", "--launches", "many"], "invalid int value: 'many'; see tenken run --help"),
        (["run", "--set", "seconds"], "--set 'seconds': expected PARAMETER=VALUE"),
        (["show", "a", "b"], "'b' is one argument too many"),
        (["list", "cheks"], "unknown list 'cheks'; did you mean checks"),
    ],
)
def test_wrong_arguments_exit_with_3(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 3
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (TenkenError("no such thing; try another."), "tenken: no such thing; try another.\n"),
        (KeyboardInterrupt(), "tenken: interrupted.\n"),
        (OSError(errno.ENOSPC, "No space left on device", "/r/run.json"), "cannot use /r/run.json: No space left"),
        (PermissionError(errno.EACCES, "Permission denied", "/r"), "cannot use /r: Permission denied"),
    ],
)
def test_trouble_is_one_sentence(word, error: BaseException, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    word(raises(error))
    assert main(["run"]) == 3
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1


def test_an_internal_error_leaves_its_traceback_in_a_file(word, capsys: pytest.CaptureFixture[str]) -> None:
    word(raises(ZeroDivisionError("oops")))
    assert main(["run"]) == 3
    err = capsys.readouterr().err
    details = Path(re.search(r"details in (\S+)\)\.", err)[1])
    assert "internal error: ZeroDivisionError: oops" in err and "Traceback" not in err
    assert "Traceback" in details.read_text()
    details.unlink()


def test_an_installed_tenken_has_no_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tenken.cli.test.TESTS", tmp_path / "tests")
    assert main(["test"]) == 3
    assert f"{tmp_path} is an installed Tenken without tests" in capsys.readouterr().err


def test_the_entry_stays_small() -> None:
    assert len(Path(module.__file__).read_text().splitlines()) <= 80


HOSTILE = "evil\x1b[2J\x9b\u202e\r"


def test_control_characters_never_reach_a_terminal(word, capsys: pytest.CaptureFixture[str]) -> None:
    def says(_arguments: list[str]) -> int:
        print(HOSTILE)
        Progress()(HOSTILE)
        raise TenkenError(f"{HOSTILE}: refused.\nsecond line")

    word(says)
    assert main(["run"]) == main([HOSTILE]) == 3
    out, err = capsys.readouterr()
    assert not set("\x1b\x9b\u202e\r") & set(out + err)
    assert out == "evil\\x1b[2J\\x9b\\u202e\\x0d\n" and "refused.\nsecond line" in err and err.count("evil\\x1b[2J") == 3


def test_a_terminal_is_redrawn_without_what_others_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with guarded():
        Progress()(HOSTILE, False)
    assert screen.getvalue() == "\r\x1b[Kevil\\x1b[2J\\x9b\\u202e\\x0d" and sys.stderr is screen


def test_a_long_step_prints_a_line_a_minute_where_nothing_is_redrawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    progress, clock = Progress(), iter((0.0, 59.0, 61.0, 61.0, 90.0))
    progress._printed = 0.0
    monkeypatch.setattr("tenken.cli.terminal.time.monotonic", lambda: next(clock))
    for number in range(1, 5):
        progress(f"compile {number}/4", False)
    assert capsys.readouterr().err == "compile 3/4\n"


def test_launches_that_are_left_out_later_are_more(capsys: pytest.CaptureFixture[str]) -> None:
    shown = LaunchProgress(Progress(), {})
    for number in (1, 2):
        shown.left_out([Launch(number, "a:a", "planned", "f")], "the time is over")
    first, second = capsys.readouterr().err.splitlines()
    assert first == "time     1 launch left out (a:a): the time is over"
    assert second == "time     1 more launch left out (a:a): the time is over"


def test_a_second_round_of_launches_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    shown = LaunchProgress(Progress(), {})
    shown.launch_started(Launch(3, "a:a", "planned", "f", confirms=1), 1, 2)
    shown.launch_started(Launch(4, "a:a", "planned", "f", confirms=2), 2, 2)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["again    2 launches met other load, failed, or seem to have changed: measured again"]
