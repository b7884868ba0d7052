"""Trouble: killed ranks, hanging launches, a full disk, Ctrl-C. Every one leaves a run folder that says where each rank was."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenken.launch import processes
from whole_tool import SHORT, launch_files, kill, rank_pids, run_folder, start, tenken, wait_for

# Long enough to be killed in the middle.
TWO_RANKS = ("lqcd:small", "--ranks", "2", "--threads", "1", "--launches", "1", "--set", "seconds=20")


def positions(folder: Path) -> list[dict]:
    bad = [launch for launch in launch_files(folder) if launch["status"] != "done"]
    assert bad, "no launch is marked"
    return [rank for launch in bad for rank in launch["ranks"]]


def test_a_crashing_rank_is_an_error_with_its_place(tmp_path: Path) -> None:
    answer = tenken("run", "fma_peak:one_core", *SHORT, "--set", "fault=crash", runs=tmp_path)
    assert answer.code == 2
    assert "ERROR" in answer.out
    launch = launch_files(run_folder(tmp_path))[0]
    assert launch["status"] == "crashed"
    assert "SIGSEGV" in json.dumps(launch)
    assert launch["ranks"][0]["repetitions"] > 0
    assert "DRILL" in answer.out


def test_a_hanging_launch_is_ended_and_says_where_it_was(tmp_path: Path) -> None:
    answer = tenken("run", "fma_peak:one_core", *SHORT, "--set", "fault=hang", "--timeout", "8", runs=tmp_path)
    assert answer.code == 2
    launch = launch_files(run_folder(tmp_path))[0]
    assert launch["status"] == "hung"
    assert launch["ranks"][0]["state"] == "timing"
    assert not Path(f"/proc/{launch['ranks'][0]['pid']}").exists(), "the rank still runs"


@pytest.mark.parametrize("moment", range(int(os.environ.get("TENKEN_KILLS", "3"))))
def test_kill_9_of_a_rank_at_a_random_moment(tmp_path: Path, moment: int) -> None:
    chance = random.Random(20261121 + moment)
    process = start("run", *TWO_RANKS, runs=tmp_path)
    folder = wait_for("the run folder", lambda: next(iter(tmp_path.glob("*/launches")), None)).parent
    pids = wait_for("two sample pages", lambda: p if len(p := rank_pids(folder)) == 2 else None)
    time.sleep(chance.uniform(0, 1.0))
    victim = chance.choice(sorted(pids))
    kill(pids[victim])
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2, err
    assert "Traceback" not in out + err
    assert {rank["rank"] for rank in positions(folder)} == {0, 1}
    assert "SIGKILL" in json.dumps(launch_files(folder))
    shown = tenken("show", str(folder))
    assert shown.code == 2 and "ERROR" in shown.out
    resumed = tenken("run", "--resume", str(folder), "--timeout", "3")
    ended = {launch["status"] for launch in launch_files(folder)}  # the launch continued, to its time-out
    assert resumed.code in (2, 3) and ended & {"slow", "starved"}, "3 where other tests took the processors"


@pytest.mark.parametrize("moment", range(int(os.environ.get("TENKEN_KILLS", "1"))))
def test_kill_9_of_tenken_and_resume_at_once(tmp_path: Path, moment: int) -> None:
    """Nothing of the first launch is left when the second has begun: no process, no segment, no folder; one writer."""
    chance = random.Random(20261122 + moment)
    process = start("run", "fma_peak:one_core", "--ranks", "2", "--set", "seconds=0.3", "--launches", "2", runs=tmp_path)
    folder = wait_for("the run folder", lambda: next(iter(tmp_path.glob("*/launches")), None)).parent
    wait_for("a launch", lambda: list(folder.glob("launches/*/started.json")))
    time.sleep(chance.uniform(0, 1.5))
    tool = int((folder / ".lock").read_text().split()[0])
    ids = {json.loads(path.read_text())["id"] for path in folder.glob("launches/*/started.json")}
    with contextlib.suppress(ProcessLookupError):
        kill(tool)
    process.communicate(timeout=60)
    resumed = tenken("run", "--resume", str(folder), "--all")
    assert json.loads((folder / "run.json").read_text())["state"] == "finished", resumed.out + resumed.err
    launches = launch_files(folder)
    assert len(launches) >= 2 and not any(launch["returncode"] for launch in launches), launches
    for launch in launches:
        head = json.loads(next((folder / launch["folder"]).glob("record.jsonl")).open().readline())
        assert head["launch"] == launch["id"]
    left = [path for one in ids | {launch["id"] for launch in launches} for root in ("/tmp", "/dev/shm")
            if (path := Path(root, f"tenken-{one}")).exists()]
    assert not left and not any(processes.of_launch(one) for one in ids)


@contextlib.contextmanager
def filling(path: Path) -> Iterator[None]:
    """Another user's file that takes all room there is, and all that comes free."""
    ended = threading.Event()

    def fill() -> None:
        with path.open("wb", buffering=0) as file:
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    while True:
                        file.write(b"x" * 4096)
                time.sleep(0.01)

    thread = threading.Thread(target=fill)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small tmpfs needs root")
def test_a_full_disk_keeps_what_was_measured(tmp_path: Path) -> None:
    # Room for the run folder and one launch, then none: a file takes the rest as soon as the first launch is done.
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)], check=False).returncode != 0:
        pytest.skip("no permission to mount")
    try:
        process = start("run", "fma_peak:one_core", "--set", "seconds=0.5", "--launches", "3", runs=tmp_path)
        folder = wait_for("the run folder", lambda: next(iter(tmp_path.glob("*/launches")), None)).parent
        wait_for("the first record", lambda: list(folder.glob("launches/*/record.jsonl")))
        # It goes on filling: what the tool frees for its last words must not be enough for another launch.
        with filling(tmp_path / "fill"):
            out, err = process.communicate(timeout=90)
        assert "Traceback" not in out + err
        assert process.returncode in (2, 3), err
        assert "space" in (out + err).lower()
        assert json.loads((folder / "run.json").read_text())
        assert len(list(folder.glob("launches/*/record.jsonl"))) >= 1
        (tmp_path / "fill").unlink()
        shown = tenken("show", str(folder))
        assert shown.code in (0, 1, 2, 3, 4) and shown.out
        resumed = tenken("run", "--resume", str(folder))
        assert resumed.code in (0, 1, 3, 4), resumed.out + resumed.err
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=False)


def test_ctrl_c_keeps_finished_launches_and_resume_goes_on(tmp_path: Path) -> None:
    process = start("run", "fma_peak:one_core", "--set", "seconds=1", "--launches", "3", runs=tmp_path)
    folder = wait_for("the run folder", lambda: next(iter(tmp_path.glob("*/launches")), None)).parent
    wait_for("the first record", lambda: list(folder.glob("launches/*/record.jsonl")))
    time.sleep(0.7)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3, out + err
    assert "Traceback" not in out + err
    assert json.loads((folder / "run.json").read_text())["state"] == "interrupted"
    finished = {launch["folder"] for launch in launch_files(folder) if launch["status"] == "done"}
    assert finished
    assert tenken("show", str(folder)).out
    before = {path: path.stat().st_mtime_ns for path in folder.glob("launches/*/record.jsonl")}
    resumed = tenken("run", "--resume", str(folder))
    assert resumed.code in (0, 1, 3, 4), resumed.out + resumed.err
    assert all(path.stat().st_mtime_ns == time_ns for path, time_ns in before.items()), "a finished launch was run again"
    assert len(list(folder.glob("launches/*/record.jsonl"))) >= 3
    assert json.loads((folder / "run.json").read_text())["state"] == "finished"


def test_unknown_names_are_refused_with_the_nearest(tmp_path: Path) -> None:
    for words, expected in [
        (("run", "lqdc"), "lqcd"),
        (("run", "fma_peak:one_cor"), "one_core"),
        (("run", "fma_peak", "--set", "microsecond=3"), "microseconds"),
        (("run", "fma_peak", "--variant", "avx3"), "avx2"),
        (("show", "nonexistent"), "no runs in"),
        (("rum",), "run"),
    ]:
        answer = tenken(*words, runs=tmp_path if words[0] != "rum" else None)
        assert answer.code == 3, (words, answer)
        assert expected in answer.err, (words, answer.err)


def test_a_foreign_record_is_refused_with_file_and_line(tmp_path: Path) -> None:
    tenken("run", "fma_peak:one_core", *SHORT, runs=tmp_path)
    record = next(run_folder(tmp_path).glob("launches/*/record.jsonl"))
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:-1]))
    answer = tenken("show", "last", "--all", runs=tmp_path)
    assert answer.code in (2, 3)
    assert "record.jsonl" in answer.out + answer.err
