"""The program as a whole: copies of every kind, the state of the cache, faults with their place, bad roots, kills."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from programs import SANITIZED, Lines, Program, failed_proofs, run_all, table, values

TREE = ["--large", "1", "--large_bytes", "64KiB", "--small", "4", "--depth", "2"]  # 9 files
SMALL = [*TREE, "--bytes", "64KiB", "--transfer", "16KiB", "--floor", "1"]
IN, CHECKPOINT, OUT = ["--variant", "stage_in"], ["--variant", "checkpoint"], ["--variant", "stage_out"]
ONE_FILE = [*OUT, "--into", "one_file"]
OTHER_BYTES, STALE, EXCHANGED, LENGTH, MISSING, LEFT = 0, 2, 3, 4, 5, 8
PATIENCE_S = 60
PASSES = 5  # 3 timed, warm-up and estimate
TREE_BYTES = (64 << 10) + 8 * 4096


@contextlib.contextmanager
def roots(disk: bool = False) -> Iterator[tuple[Path, Path]]:
    """A global root in memory or on a disk, a local root in memory, where there is one; a launch leaves nothing in them."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="tenken-test-", dir="/var/tmp" if disk else memory) as one, \
            tempfile.TemporaryDirectory(prefix="tenken-test-", dir=memory) as other:
        yield Path(one), Path(other)
        assert not os.listdir(one) and not os.listdir(other), f"left: {os.listdir(one)} {os.listdir(other)}"


def record(program: Program, ranks: int, *words: str, disk: bool = False) -> Lines:
    with roots(disk) as (root, local):
        return program.record(ranks, ["--root", str(root), "--local", str(local), *SMALL, *words])


def row(lines: Lines) -> str:
    return str(table(lines, "staged")["rows"][0])


def wrong(lines: Lines) -> dict[str, Any]:
    """The first row of wrong files by its columns."""
    assert failed_proofs(lines) == {"files"}, failed_proofs(lines)
    found = table(lines, "wrong_files")
    return {"row": found["rows"][0], **dict(zip(found["columns"], found["values"][0], strict=True))}


def sections(lines: Lines) -> set[str]:
    paths = {one["id"]: one["path"] for one in lines[0]["sections"]}
    return {paths[one["section"]] for one in lines if one["type"] == "series"}


def test_copies_of_every_kind_are_right(program: Program) -> None:
    for ranks in program.counts:
        for words, copied, files in (
            ([*IN, "--source", "broadcast"], TREE_BYTES, 9), ([*IN, "--source", "every_rank"], TREE_BYTES, 9),
            ([*IN, "--source", "own", "--small_bytes", "3901"], (64 << 10) + 8 * 3901, 9), (CHECKPOINT, 64 << 10, 1),
            (OUT, 64 << 10, 1), (ONE_FILE, 64 << 10, 1 / ranks),
        ):
            if ranks > 2 and words[-1] in ("every_rank", "stage_out"):
                continue  # where ranks share cores
            lines = record(program, ranks, *words, disk=ranks == 2)
            assert not failed_proofs(lines), f"{ranks} {words}: {failed_proofs(lines)}"
            assert table(lines, "staged")["values"] == [[files * ranks, copied * ranks]], table(lines, "staged")
            name, shown = words[1], [one for (one,) in table(lines, "rates")["values"]]
            assert len(shown) == 3 and all(rate > 0 for rate in shown), shown
            expected = {name: sorted(shown)[1], f"{name}_best": max(shown), f"{name}_mean": sum(shown) / 3}
            for figure, rate in expected.items():
                assert abs(values(lines)[figure] / rate - 1) < 1e-12, figure


def test_files_without_content_and_without_a_large_file(program: Program) -> None:
    lines = record(program, 1, *IN, "--large", "0", "--small_bytes", "0")
    assert not failed_proofs(lines) and table(lines, "staged")["values"] == [[8, 0]]
    assert values(lines)["stage_in_files"] > 0


def test_sections_and_the_row_follow_the_parameters(program: Program) -> None:
    ranks = program.counts[1]
    lines = record(program, ranks, *IN)
    assert sections(lines) == {"list", "open", "read", "broadcast", "make", "write", "sync", "wait"}
    assert row(lines).startswith("one tree, read by rank 0 and broadcast; from "), row(lines)
    lines = record(program, ranks, *IN, "--source", "own", "--sync", "false")
    assert sections(lines) == {"list", "open", "read", "make", "write", "wait"}
    assert row(lines).startswith("a tree of each rank; ") and row(lines).endswith("page cache, without fsync"), row(lines)
    lines = record(program, ranks, *CHECKPOINT)
    assert sections(lines) == {"make", "write", "sync", "rename", "sync_folder"}
    assert "cache_state" not in values(lines)
    with roots() as (root, _):
        lines = program.proved(ranks, ["--root", str(root), *SMALL, *ONE_FILE])
        assert sections(lines) == {"open", "read", "make", "write", "sync"}
        assert "results of all ranks into one file" in row(lines) and row(lines).endswith("which is the same file system")


def test_the_state_of_the_cache_is_shown(program: Program) -> None:
    for words in (IN, OUT):
        with roots(disk=True) as (root, _):
            common = ["--root", str(root), *SMALL, *words]
            dropped, cached = (values(program.proved(1, [*common, "--cache", one]))["cache_state"] for one in ("dropped", "cached"))
            not_dropped = program.proved(1, [*common, "--fault", "cached_read"])
        if dropped != 1:
            assert dropped in (5, 6), "the file system lies in memory, or nothing shows the cache"
            continue
        assert cached == 0 and values(not_dropped)["cache_state"] == 0
        assert "cache state of reads cached instead of dropped: 100 % of the file was still in the page cache" in row(not_dropped)


def test_memory_is_no_disk(program: Program) -> None:
    with roots() as (_, local):
        lines = program.proved(1, ["--root", str(local), *SMALL, *OUT])
    if "tmpfs" in row(lines):
        assert values(lines)["cache_state"] == 5 and "tmpfs (in memory, no disk)" in row(lines), row(lines)


def test_wrong_files_are_found_by_another_rank_and_placed(program: Program) -> None:
    for ranks in program.counts[:2]:
        finder = 0 if ranks == 2 else ranks - 1  # the rank before the last, in a circle of two
        for words, fault, kind in (
            (IN, "flip_byte", OTHER_BYTES), (IN, "missing_file", MISSING), (IN, "short_file", LENGTH),
            ([*IN, "--source", "own"], "stale_block", STALE), (CHECKPOINT, "swap_blocks", EXCHANGED),
            (CHECKPOINT, "stale_block", STALE), (ONE_FILE, "flip_byte", OTHER_BYTES), (OUT, "short_file", LENGTH),
        ):
            if ranks == 1 and words is not IN:
                continue
            of = wrong(record(program, ranks, *words, "--fault", fault))
            owner = ranks - 1 if words[1] != "stage_in" or words[-1] == "own" else 0
            assert of["kind"] == kind and of["wrong files"] == PASSES, f"{words} {fault}: {of}"
            assert of["owner"] == owner and of["row"].endswith(f"/{finder}"), f"{words} {fault}: {of}"
            if fault == "flip_byte":
                assert of["at byte"] == (32 << 10) + ((64 << 10) * owner if words is ONE_FILE else 0), of


def test_a_rename_without_effect_leaves_an_old_state(program: Program) -> None:
    ranks = program.counts[1]
    of = wrong(record(program, ranks, *CHECKPOINT, "--fault", "lost_rename"))
    assert of["kind"] == MISSING and of["wrong files"] == 2 * PASSES, f"neither is the state there nor is its new name gone: {of}"


def test_faults_in_calls_are_found_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    slow = table(record(program, ranks, *CHECKPOINT, "--bytes", "160KiB", "--fault", "slow_root"), "late_calls")
    of_last = next(of for name, of in zip(slow["rows"], slow["values"], strict=True) if name.endswith(f"/{ranks - 1}"))
    late = dict(zip(slow["columns"], of_last, strict=True))
    assert 0.15 < late["late writes"] / late["writes"] < 0.25, late
    with roots() as (root, local):
        common = ["--root", str(root), "--local", str(local), *SMALL]
        for words, name in ((IN, f"copy.{ranks - 1}/large/f.0"), (CHECKPOINT, f"state.{ranks - 1}.new"), (OUT, f"result.{ranks - 1}")):
            program.refused(ranks, [*common, *words, "--fault", "full_disk"], f", file {name}: No space left on device (write)", code=4)
        program.refused(ranks, [*common, *IN, "--fault", "link_out"], "the link to ../.. leads out of the tree", code=4)


def test_bad_input(program: Program) -> None:
    program.refused(1, SMALL, "no folder named: --set root=DIR", code=5)
    with roots() as (root, local):
        both = ["--root", str(root), "--local", str(local)]
        for words, sentence in (
            (["--root", f"{root}/none", *SMALL], "No such file or directory"),
            (["--root", str(root), "--local", f"{root}/none", *SMALL], "No such file or directory"),
            ([*both, "--bytes", "8193"], "must be multiples of 8"),
            ([*both, "--large", "4096", "--small", "8000"], "has more than 8192; choose fewer --large or --small files"),
            ([*both, *SMALL, *CHECKPOINT, "--fault", "cached_read"], "is planted in reads"),
            ([*both, *SMALL, *OUT, "--fault", "link_out"], "choose --variant stage_in"),
            ([*both, *SMALL, *OUT, "--fault", "lost_rename"], "choose --variant checkpoint"),
            ([*both, "--large", "0", "--fault", "swap_blocks"], "needs a large file"),
        ):
            program.refused(1, words, sentence)
        program.refused(1, [*both, "--floor", "1048576GiB"], "choose fewer bytes or a smaller --floor", code=4)
        strange = root / "a\nb ü"
        strange.mkdir()
        program.proved(1, ["--root", str(strange), *SMALL])
        strange.rmdir()


def descendants(of: int) -> list[int]:
    children = [int(pid) for task in Path(f"/proc/{of}/task").iterdir() for pid in (task / "children").read_text().split()]
    return [*children, *(pid for child in children for pid in descendants(child))]


def test_kills_leave_nothing_after_the_next_start(program: Program) -> None:
    """Of the program, of a rank and of the launcher, in each variant; files of others stay."""
    moments = [(1, "program", IN), (2, "rank", CHECKPOINT), (2, "launcher", OUT), (1, "program", OUT), (1, "program", CHECKPOINT)]
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        root, outside = Path(folder) / "root", Path(folder) / "outside"
        own = root / f"tenken-{os.geteuid()}"
        for path in (outside, own / "notes"):
            path.mkdir(parents=True)
            (path / "precious").write_text("not of a launch")
        own.chmod(0o700)
        (root / "theirs").symlink_to(outside)
        for number, (ranks, whom, words) in enumerate(moments[:3] if SANITIZED else moments):
            launcher = [program.mpiexec, "-n", str(ranks)] if ranks > 1 else []
            command = [*launcher, program.path, "--root", str(root), *SMALL, *words, "--repetitions", "1000000"]
            launch = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            end = time.monotonic() + PATIENCE_S
            pattern = {"stage_in": "copy.*", "checkpoint": "state.*", "stage_out": "out.*"}[words[1]]
            while not any(own.glob(f"*+*/{pattern}")):
                assert launch.poll() is None and time.monotonic() < end, f"{words}: the launch began no pass"
                time.sleep(0.002)
            time.sleep(0.005 * number)
            with contextlib.suppress(OSError):  # a link out of a folder that is removed
                (next(own.glob("*+*/")) / "planted").symlink_to(outside)
            if whom == "rank":
                program_of = Path(program.path).resolve()
                rank = next(pid for pid in descendants(launch.pid) if Path(f"/proc/{pid}/exe").resolve() == program_of)
                os.kill(rank, signal.SIGKILL)
            else:
                launch.kill()
            launch.wait(PATIENCE_S)
            while True:  # ranks of a dead launcher end a little later
                program.proved(1, ["--root", str(root), *SMALL])
                if not any(own.glob("*+*")):
                    break
                assert time.monotonic() < end + PATIENCE_S, f"{whom}: {list(own.glob('*+*'))} are left"
                time.sleep(0.2)
            for kept in (outside / "precious", own / "notes/precious", root / "theirs/precious"):
                assert kept.read_text() == "not of a launch", f"after a kill of the {whom}"


if __name__ == "__main__":
    run_all(globals())
