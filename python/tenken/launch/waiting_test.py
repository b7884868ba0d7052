from __future__ import annotations

import os
from pathlib import Path

import pytest

from tenken.launch import waiting
from tenken.launch.waiting import Waiting, stopped
from tenken.model.run import RankState

MARK = "/runs/launches/0001"


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(waiting, "PROC", tmp_path)
    return tmp_path


def process(
    tree: Path, pid: int, ran_s: float, waited_s: float, state: str = "R", threads_s: float = 0.0, mark: str = MARK
) -> None:
    """As Linux writes it; `threads_s`: processor time of its other threads."""
    folder = tree / str(pid)
    folder.mkdir(exist_ok=True)
    ticks = round((ran_s + threads_s) * os.sysconf("SC_CLK_TCK"))
    (folder / "schedstat").write_text(f"{round(ran_s * 1e9)} {round(waited_s * 1e9)} 77\n")
    times = f"{ticks // 2} {ticks - ticks // 2}"
    (folder / "stat").write_text(f"{pid} (a (b) c) {state} 1 1 1 0 -1 4194304 102 0 0 0 {times} 0 0 20 0 1\n")
    (folder / "cmdline").write_bytes(f"program\0--pages\0{mark}/pages\0".encode())


def test_of_each_look_the_longest_wait_counts(tree: Path) -> None:
    seen = Waiting(MARK)
    for now, waits in ((10.0, (5.0, 7.0)), (11.0, (5.9, 7.1)), (13.0, (6.1, 8.9))):
        for pid, wait in zip((21, 22), waits, strict=True):
            process(tree, pid, now - wait, wait)
        seen.look(now, (21, 22))
    assert seen.seconds == pytest.approx(0.9 + 1.8)
    assert seen.share() == pytest.approx(2.7 / 3) and seen.known


def test_a_wait_that_is_not_over_counts_too_but_not_that_of_a_sleeper(tree: Path) -> None:
    for state, share in (("R", 1.0), ("S", 0.0), ("T", 0.0)):
        seen = Waiting(MARK)
        for now in (10.0, 14.0):
            process(tree, 21, 3.0, 5.0, state)
            seen.look(now, (21,))
        assert seen.share() == share


def test_strangers_and_ranks_of_other_nodes_are_left_alone(tree: Path) -> None:
    seen = Waiting(MARK)
    for now in (10.0, 11.0):
        process(tree, 21, 0.0, now, mark="/runs/launches/0002")
        seen.look(now, (21, 22))
    assert (seen.seconds, seen.share()) == (0.0, 0.0) and not seen.by_others() and not seen.known


@pytest.mark.parametrize(("processors", "threads_s", "others"), [(2, 0.0, True), (2, 1.0, True), (2, 1.6, False), (1, 0.0, True),
                                                                 (1, 0.6, False)])
def test_whether_others_had_the_processors(
    tree: Path, monkeypatch: pytest.MonkeyPatch, processors: int, threads_s: float, others: bool
) -> None:
    """In two seconds two ranks and their threads run for 0.4 s and `threads_s` a rank, on so many processors together."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {pid % processors})
    seen = Waiting(MARK)
    for now, ran, more in ((10.0, 3.0, 0.0), (12.0, 3.2, threads_s)):
        for pid in (20, 21):
            process(tree, pid, ran, now - ran, threads_s=more)
        seen.look(now, (20, 21))
    assert seen.by_others() is others


def test_the_stopped_rank_is_named(tree: Path) -> None:
    ranks = tuple(RankState(rank, "n1", 20 + rank, "timing", None, 1, 9) for rank in range(4))
    process(tree, 21, 0, 0, "T", mark="/runs/launches/0002")
    process(tree, 22, 0, 0, "S")
    assert stopped(ranks, MARK) is None
    process(tree, 23, 0, 0, "T")
    assert stopped(ranks, MARK) is ranks[3]
    process(tree, 23, 0, 0, "t")
    assert stopped(ranks, MARK) is ranks[3]


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="a kernel that does not tell how long a process waited")
def test_it_reads_what_this_system_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PROC", Path("/proc"))
    seen = Waiting(Path(os.readlink("/proc/self/exe")).name[:6])
    seen.look(0.0, (os.getpid(),))
    sum(range(10**6))
    seen.look(1000.0, (os.getpid(),))
    assert 0 <= seen.share() < 1 and seen.by_others()
