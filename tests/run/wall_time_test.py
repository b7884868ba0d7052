from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from run import choice, steps, wall_time, word
from run.steps import Context, Counts, Step
from run.wall_time import Budget, TimeUp, limited
from tenken.cli.main import main


class Steps:
    """Steps of --ci that write down their names; `clock` is the time that has gone by, in minutes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
        self.clock, self.ran = 0.0, []
        self._patch = monkeypatch
        monkeypatch.setattr(word, "TREE", tree)
        monkeypatch.setattr(word.choice, "changed_paths", lambda tree: ("c0ffee", {"changed/file"}))
        monkeypatch.setattr(word.wall_time, "Budget", lambda minutes: Budget(minutes, lambda: self.clock * 60))

    def step(self, name: str, minutes: float = 1.0, finds: int = 0,
             counts: Counts | Exception = Counts(1), **more) -> Step:
        """A step that lasts `minutes` and finds further ones, which are drawn."""
        def run(context: Context) -> Counts:
            self.ran.append(name)
            self.clock += minutes
            context.drawn.extend(self.step(f"{name} {number}", 20.0) for number in range(finds))
            if isinstance(counts, Exception):
                raise counts
            return counts

        return Step(name, run, **more)

    def main(self, *ci: Step, words: tuple[str, ...] = ()) -> int:
        self._patch.setattr(word, "CI", ci)
        return main(["test", "--ci", *words])


@pytest.fixture
def ci(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Steps:
    return Steps(monkeypatch, tmp_path)


def test_a_drawn_step_beyond_the_budget_is_left_out_and_named(
    ci: Steps, capsys: pytest.CaptureFixture[str]
) -> None:
    unchanged = ci.step("unchanged", 20.0, concerns=("other/",))
    concerned = ci.step("c", concerns=("changed/",))
    assert ci.main(unchanged, ci.step("a", 15.0, finds=4), ci.step("b", 10.0), concerned) == 0
    order = choice.drawn("c0ffee", ["unchanged", *(f"a {number}" for number in range(4))], str)
    assert ci.ran == ["a", "b", "c", *order[:2]], "what must run, then two of 20 minutes in drawn order"
    out, log = capsys.readouterr()
    assert f"left out, the budget of 60 minutes is used: {', '.join(order[2:])}\n" in log
    assert out.splitlines()[-1] == "5 passed, 0 failed, 0 skipped" and "FAILED" not in out


def test_a_longer_budget_leaves_nothing_out(ci: Steps, capsys: pytest.CaptureFixture[str]) -> None:
    assert ci.main(ci.step("a", 15.0, finds=4), words=("--budget", "200")) == 0
    assert len(ci.ran) == 5 and "left out" not in capsys.readouterr().err


def test_without_a_budget_only_what_must_run_runs(ci: Steps) -> None:
    steps = (ci.step("a", finds=2), ci.step("b"), ci.step("c", concerns=("other/",)))
    assert ci.main(*steps, words=("--budget", "0")) == 0
    assert ci.ran == ["a", "b"]


def test_with_all_every_step_must_run(ci: Steps) -> None:
    assert ci.main(ci.step("a", 70.0), ci.step("c", concerns=("other/",)), words=("--all",)) == 0
    assert ci.ran == ["a", "c"]


def test_what_must_run_and_has_no_time_is_a_failure(ci: Steps, capsys: pytest.CaptureFixture[str]) -> None:
    assert ci.main(ci.step("a", 84.0), ci.step("b", 2.0), ci.step("c")) == 1
    assert ci.ran == ["a", "b"]
    out = capsys.readouterr().out.splitlines()
    assert "FAILED c: not run, no time was left" in out and out[-1] == "2 passed, 1 failed, 0 skipped"


def test_a_drawn_step_that_failed_is_a_failure(ci: Steps, capsys: pytest.CaptureFixture[str]) -> None:
    assert ci.main(ci.step("a"), ci.step("b", counts=Counts(1, 1, 0, ("b: bad",)), concerns=("other/",))) == 1
    assert "FAILED b: bad" in capsys.readouterr().out


@pytest.mark.parametrize("counts", [TimeUp(), Counts(2, cut_off=("b: ended because its time was up; 3 not run",))])
@pytest.mark.parametrize("must", [True, False])
def test_a_step_that_is_cut_off(
    ci: Steps, capsys: pytest.CaptureFixture[str], counts: Counts | TimeUp, must: bool
) -> None:
    concerns = () if must else ("other/",)
    assert ci.main(ci.step("a"), ci.step("b", counts=counts, concerns=concerns)) == int(must)
    out, log = capsys.readouterr()
    passed = 1 if isinstance(counts, TimeUp) else 3
    assert out.splitlines()[-1] == f"{passed} passed, {int(must)} failed, 0 skipped"
    assert ("FAILED b: ended because its time was up" in out) == must
    assert ("the budget of 60 minutes is used: b\n" in log) != must


@pytest.mark.parametrize("minutes", ["-1", "nan", "inf"])
def test_a_budget_is_a_number_of_minutes(ci: Steps, capsys: pytest.CaptureFixture[str], minutes: str) -> None:
    assert ci.main(ci.step("a"), words=(f"--budget={minutes}",)) == 3
    assert f"--budget {minutes}: expected minutes, 0 or more; give a number such as 60." in capsys.readouterr().err


@pytest.mark.parametrize(("minutes", "must"), [(60, 85), (10, 85), (0, 85), (120, 145)])
def test_what_must_run_has_more_time_than_the_budget(minutes: float, must: float) -> None:
    budget = Budget(minutes, lambda: 0.0)
    assert budget.left_s(must=False) == minutes * 60 and budget.left_s(must=True) == must * 60


def test_a_command_beyond_the_limit_is_ended(tmp_path: Path) -> None:
    with limited(0.1):
        assert steps._call(Context(tmp_path, tmp_path, lambda *_: None), "s", ["sleep", "1000"]) == 124


def test_a_command_is_ended_in_order_with_all_that_it_started(tmp_path: Path) -> None:
    script = """trap 'echo cleaned >log; exit 0' TERM
sh -c 'trap "" TERM; echo $$ >new; mv new child; while :; do sleep 0.1; done' &
while :; do sleep 0.1; done"""
    process = subprocess.Popen(["sh", "-c", script], cwd=tmp_path, stderr=subprocess.DEVNULL)
    while not (tmp_path / "child").exists():
        time.sleep(0.05)
    wall_time.end(process)
    assert process.returncode == 0 and (tmp_path / "log").read_text() == "cleaned\n"
    child = int((tmp_path / "child").read_text())
    while lives(child):
        time.sleep(0.05)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_limit_ends_with_its_block() -> None:
    old = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeUp), limited(0.01):
        signal.pause()
    with limited(1000.0):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    with limited(float("inf")):
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) == old and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_sigterm_ends_the_command_under_way() -> None:
    process = subprocess.Popen(["sleep", "1000"])
    with pytest.raises(SystemExit) as ended, wall_time.ended_in_order():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            wall_time.end(process)
    assert ended.value.code == 143 and process.returncode == -signal.SIGTERM
