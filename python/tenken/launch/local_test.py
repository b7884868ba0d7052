from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_build import case_run, fake_build

from tenken.launch import processes, waiting
from tenken.launch.command import Command, command
from tenken.launch.local import LAST_LINES, run_launch
from tenken.launch.plan import new_launch
from tenken.model.run import Launch, RankState


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE_S", 0.2)


def launch(tmp_path: Path, timeout_s: float = 20.0, stop=lambda: None, watcher=None, **parameters: object) -> Launch:
    built = fake_build(tmp_path / "build", "one")
    folder = tmp_path / "launch"
    folder.mkdir()
    case = case_run("one", **parameters).case
    words = command(case, built.program("one"), built.environment, folder)
    return run_launch(new_launch(1, case.id), words, folder, timeout_s, stop, watcher)


def gone(pid: int) -> bool:
    """No such process, or one that is dead and waits for its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_done(tmp_path: Path) -> None:
    ended = launch(tmp_path)
    assert (ended.status, ended.returncode, ended.signal, ended.reason, ended.last_lines) == ("done", 0, None, "", ())
    assert [rank.state for rank in ended.ranks] == ["done", "done"]
    assert (tmp_path / "launch/record.jsonl").exists()


def test_crash_says_which_rank_and_where(tmp_path: Path) -> None:
    ended = launch(tmp_path, fault="crash")
    assert (ended.status, ended.returncode, ended.signal) == ("crashed", 137, "SIGKILL")
    assert ended.reason == "rank 1 of 2 on n1 was killed by SIGKILL in solve/operator after 37 of 100 repetitions"
    assert ended.ranks[1] == RankState(1, "n1", ended.ranks[1].pid, "timing", "solve/operator", 37, 100)
    assert "exited on signal 9" in ended.last_lines[-1]


def test_refused_with_the_programs_sentence(tmp_path: Path) -> None:
    ended = launch(tmp_path, fault="refuse")
    assert (ended.status, ended.returncode, ended.reason) == ("refused", 3, "--lattice 7: expected an even length")


def test_what_is_not_here_is_no_crash(tmp_path: Path) -> None:
    ended = launch(tmp_path, fault="lack")
    assert (ended.status, ended.returncode) == ("lacking", 5)
    assert ended.reason == "demo: this MPI offers thread level single, and this case needs multiple"


def test_success_without_a_record_is_a_crash(tmp_path: Path) -> None:
    ended = launch(tmp_path, fault="nothing")
    assert ended.status == "crashed" and "without a complete record" in ended.reason


@pytest.mark.parametrize(
    ("end", "status"), [('{"type": "end"}', "done"), ('{"type": "val', "interrupted"), ("7", "interrupted")]
)
def test_a_signal_after_the_record_was_written_loses_nothing(tmp_path: Path, end: str, status: str) -> None:
    folder = tmp_path / "launch"
    folder.mkdir()
    record = folder / "record.jsonl"
    script = f"printf '%s\\n' '{end}' > {record}.new; mv {record}.new {record}; exec sleep 600"
    stop = lambda: "Ctrl-C" if record.exists() else None  # noqa: E731
    assert run_launch(new_launch(1, "a:b"), Command(("sh", "-c", script), {}), folder, 20.0, stop).status == status


def test_a_hang_is_ended_although_it_ignores_sigterm(tmp_path: Path) -> None:
    """The program is deaf to SIGTERM, and its child left the session: only the page knows it."""
    ended = launch(tmp_path, timeout_s=1.5, fault="hang")
    assert ended.status == "hung"
    assert ended.reason == (
        "no end within 1.5 s: rank 1 of 2 on n1 was still in solve/operator after 37 of 100 repetitions"
    )
    child = ended.ranks[0].pid
    deadline = time.monotonic() + 10
    while not gone(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert gone(child)


def ended_late(tmp_path: Path, fault: str, timeout_s: float = 3.0) -> Launch:
    ended = launch(tmp_path, timeout_s=timeout_s, fault=fault)
    assert {(rank.state, rank.repetitions) for rank in ended.ranks} == {("timing", 100)}
    return ended


def test_work_after_the_last_repetition_is_slow_and_not_hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PROC", tmp_path / "nothing")  # as on a node of its own
    ended = ended_late(tmp_path, "search")
    assert ended.status == "slow", ended.reason
    place = "rank 0 of 2 on n1 was still outside any section after 100 of 100 repetitions"
    assert ended.reason.startswith(f"no end within 3 s, but it advanced: {place}")
    assert ended.reason.endswith("try --timeout 6") and ended.ranks[0].steps > 1


def test_ranks_that_spin_are_hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a deadlock in MPI; on a node of its own, where nobody waits for a processor."""
    monkeypatch.setattr(waiting, "PROC", tmp_path / "nothing")
    ended = ended_late(tmp_path, "spin")
    assert ended.status == "hung"
    assert ended.reason == "no end within 3 s: rank 0 of 2 on n1 was still outside any section after 100 of 100 repetitions"


def test_a_stopped_rank_is_hung_and_named(tmp_path: Path) -> None:
    ended = ended_late(tmp_path, "stop")
    assert ended.status == "hung"
    place = "outside any section after 100 of 100 repetitions"
    assert ended.reason == f"no end within 3 s: rank 0 of 2 on n1 was stopped (SIGSTOP) {place}"


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="a kernel that does not tell how long a process waited")
def test_a_launch_that_others_keep_from_the_processors_is_not_hung(tmp_path: Path) -> None:
    """No step comes, and the processor is another's nearly all the time: whether it hangs cannot be told."""
    here = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(here)})
    # Each in a session of its own: some systems share processors by sessions.
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(6)]
    try:
        ended = launch(tmp_path, timeout_s=5.0, fault="spin")
    finally:
        os.sched_setaffinity(0, here)
        for one in others:
            one.kill()
            one.wait()
    assert ended.status == "starved", ended.reason
    assert ended.reason.startswith("no end within 5 s: other load, ranks waited for a processor ")
    assert "% of the time; under this load the launch needs up to " in ended.reason
    assert ended.needs_s is not None and ended.needs_s > 10


def test_a_stranger_with_a_number_from_a_page_is_left_alone() -> None:
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        assert processes.named([child], "/no/such/launch") == []
        assert processes.end_all(lambda: processes.named([child], "")) and gone(child)
    finally:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -9


def test_a_signal_to_the_launcher_ends_the_launch(tmp_path: Path) -> None:
    seen: list[tuple[RankState, ...]] = []
    ended = launch(
        tmp_path, stop=lambda: "Ctrl-C" if seen and seen[-1] else None, watcher=seen.append, fault="hang",
    )
    assert ended.status == "interrupted"
    assert ended.reason == "stopped by Ctrl-C while rank 0 was in solve/operator after 50 of 100 repetitions"


def test_hydra_names_the_dead_on_standard_output(tmp_path: Path) -> None:
    folder = tmp_path / "launch"
    folder.mkdir()
    banner = "=   PID 12 RUNNING AT n1\\n=   EXIT CODE: 11\\nEXIT STRING: Segmentation fault (signal 11)\\n"
    ended = run_launch(new_launch(1, "a:b"), Command(("sh", "-c", f"printf '{banner}'; exit 11"), {}), folder, 20.0)
    assert (ended.signal, ended.reason) == ("SIGSEGV", "a rank on n1 was killed by SIGSEGV")


def test_last_lines(tmp_path: Path) -> None:
    folder = tmp_path / "launch"
    folder.mkdir()
    script = "seq 1 100; echo warning >&2; exit 9"
    ended = run_launch(new_launch(1, "a:b"), Command(("sh", "-c", script), {}), folder, 20.0)
    assert len(ended.last_lines) == LAST_LINES and ended.last_lines[-2:] == ("100", "warning")
    assert ended.reason == "a rank ended with exit code 9: warning"


def test_a_missing_launcher_is_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "launch"
    folder.mkdir()
    ended = run_launch(new_launch(1, "a:b"), Command(("no-such-mpirun",), {}), folder, 20.0)
    assert ended.status == "crashed" and "no-such-mpirun" in ended.reason
