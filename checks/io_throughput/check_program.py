"""Runs the check as a program: `check_program.py PROGRAM MPIEXEC RANKS…`. Exit code 1 with the failures named.

All files lie in temporary folders. No time is looked at. Kills: check_kills.py.
"""

from __future__ import annotations

import math
import os
import tempfile
import zlib
from pathlib import Path
from typing import Any

import check_kills
from programs import Lines, Program, failed_proofs, run_all, table, values

STATES = ("cached", "dropped", "direct", "outgrown", "other_node", "memory", "unknown")
SMALL = ["--bytes", "1MiB", "--transfer", "64KiB", "--floor", "1"]
BLOCK, MIB = 4096, 1 << 20
MIDDLE = 8 * 65536  # offset of the fault in a file a rank


def record(program: Program, ranks: int, *words: str, root: str | None = None) -> Lines:
    """The record of a launch, which leaves nothing in its root."""
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        lines = program.record(ranks, ["--root", root or folder, *SMALL, *words])
        assert not os.listdir(folder), f"{words}: the launch left {os.listdir(folder)}"
        return lines


def state(lines: Lines) -> str:
    return STATES[int(values(lines)["cache_state"])]


def row(lines: Lines) -> str:
    return str(table(lines, "cache_state")["rows"][0])


def paths(lines: Lines) -> dict[int, str]:
    """Names of the sections by their number."""
    return {one["id"]: one["path"] for one in lines[0]["sections"]}


def wrong(lines: Lines) -> dict[str, Any]:
    """The only row of wrong data by its columns."""
    found = table(lines, "wrong_data")
    assert len(found["rows"]) == 1, found
    return {"row": found["rows"][0], **dict(zip(found["columns"], found["values"][0], strict=True))}


def test_every_layout_is_right(program: Program) -> None:
    for ranks in program.counts:
        for variant in ("posix", "mpiio"):
            for layout in ("file_a_rank", "segmented", "strided"):
                if ranks > 2 and layout != "strided":
                    continue  # the layout with most neighbours is enough where ranks share cores
                lines = record(program, ranks, "--variant", variant, "--layout", layout)
                assert not failed_proofs(lines), f"{ranks} {variant} {layout}: {failed_proofs(lines)}"
                got = values(lines)
                for name in (f"{variant}_{what}{which}" for what in ("write", "read") for which in ("", "_best", "_mean")):
                    assert math.isfinite(got[name]) and got[name] > 0, name
                shown = table(lines, "rates_with_open_and_close")
                assert len(shown["values"]) == 3 and got[f"{variant}_write_best"] == max(one[0] for one in shown["values"])


def test_bytes_that_are_no_multiple_of_a_call(program: Program) -> None:
    lines = record(program, program.counts[1], "--bytes", "1000000", "--layout", "segmented")
    assert not failed_proofs(lines), failed_proofs(lines)


def test_files_of_one_call_and_writes_without_sync(program: Program) -> None:
    lines = record(program, program.counts[1], "--bytes", "4096", "--transfer", "4096", "--sync", "false")
    assert not failed_proofs(lines), failed_proofs(lines)
    assert "; writes end in the page cache, without fsync" in row(lines), row(lines)
    assert "sync" not in {paths(lines)[one["section"]] for one in lines if one["type"] == "series"}


def test_the_state_of_the_cache(program: Program) -> None:
    """The same read twice: with and without its pages in the cache."""
    cached, dropped = record(program, 1, "--cache", "cached"), record(program, 1)
    if state(dropped) in ("memory", "unknown"):
        return  # temporary files of this node lie in memory or on a network: below
    assert (state(cached), state(dropped)) == ("cached", "dropped"), f"{row(cached)}; {row(dropped)}"
    planted = record(program, 1, "--fault", "cached_read")
    assert state(planted) == "cached" and "was still in the page cache" in row(planted), row(planted)


def test_a_file_system_in_memory_is_no_disk(program: Program) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="tenken-test-") as folder:
        for cache in ("dropped", "cached"):
            lines = record(program, 1, "--cache", cache, root=folder)
            assert state(lines) == "memory" and "tmpfs" in row(lines), row(lines)
            assert "read_over_direct" not in values(lines)


def test_direct(program: Program) -> None:
    """Direct calls, or code 5 in a sentence where the file system refuses them; never through the cache unseen."""
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        words = ["--root", folder, *SMALL, "--cache", "direct", "--bytes", "1000000"]
        done = program.start(1, [*words, "--record", f"{folder}/record.jsonl"])
        if done.returncode == 5:
            assert "takes no reads or writes with O_DIRECT" in done.stderr, done.stderr
            return
    lines = record(program, program.counts[1], "--cache", "direct", "--bytes", "1000000")
    assert not failed_proofs(lines), failed_proofs(lines)
    got = values(lines)
    assert got["bytes_without_direct"] == 1000000 % got["direct_alignment"]
    assert state(lines) in ("direct", "memory", "unknown") or "came from a device" in row(lines), row(lines)


def test_faults_in_files_are_found_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    last, reader = str(ranks - 1), str(ranks - 2)
    for fault, kind, at in (("flip_byte", 0, MIDDLE), ("short_file", 4, (1 << 20) - 4096), ("swap_blocks", 3, 0),
                            ("stale_block", 2, MIDDLE)):
        lines = record(program, ranks, "--fault", fault)
        assert "data" in failed_proofs(lines), fault
        found = wrong(lines)
        assert (found["kind"], found["writer"], found["at byte"]) == (kind, int(last), at), f"{fault}: {found}"
        assert found["row"].rpartition("/")[2] == reader, f"{fault}: {found}"
        if fault == "swap_blocks":
            assert (found["found byte"], found["found rank"]) == (MIDDLE, int(last)), found
        if fault == "short_file":
            assert (found["file bytes"], found["expected bytes"]) == ((1 << 20) - 4096, 1 << 20), found


def test_faults_in_calls_are_found_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    slow = table(record(program, ranks, "--fault", "slow_root"), "late_calls")
    late = {}
    for name, numbers in zip(slow["rows"], slow["values"], strict=True):
        of = dict(zip(slow["columns"], numbers, strict=True))
        late[name.rpartition("/")[2]] = (of["late writes"] / of["writes"], of["late reads"] / of["reads"])
    assert all(0.15 < share < 0.25 for share in late[str(ranks - 1)]), late
    lines = record(program, ranks, "--fault", "late_close")
    of_last = [one for one in lines if one["type"] == "series" and one["rank"] == ranks - 1]
    spent = {paths(lines)[one["section"]]: sum(one["ns"]) for one in of_last}
    assert spent["close"] > spent["write"] + spent["sync"], spent
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        program.refused(ranks, ["--root", folder, *SMALL, "--fault", "full_disk"],
                        f"file data.{ranks - 1}, offset {MIDDLE}: No space left on device (write)", code=4)
        assert not os.listdir(folder), os.listdir(folder)


def test_bad_input(program: Program) -> None:
    program.refused(1, SMALL, "no folder named: --set root=DIR", code=5)
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        (Path(folder) / "file").touch()
        named = ["--root", folder, *SMALL]
        for words, sentence in (
            (["--root", f"{folder}/none", *SMALL], "No such file or directory"),
            (["--root", f"{folder}/file", *SMALL], "Not a directory"),
            (["--root", f"{folder}/{'n' * 256}", *SMALL], "File name too long"),
            ([*named, "--transfer", "2MiB"], "is larger than --bytes"),
            ([*named, "--bytes", "1000004"], "must be multiples of 8"),
            ([*named, "--cache", "other_node"], "needs two nodes"),
            ([*named, "--cache", "outgrown"], "needs 1.5 times the memory"),
            ([*named, "--variant", "mpiio", "--cache", "direct"], "no way to ask for O_DIRECT"),
            ([*named, "--bytes", "512MiB", "--fault", "late_close"], "at most here; choose fewer --bytes"),
        ):
            program.refused(1, words, sentence)
        program.refused(1, ["--root", folder, "--bytes", "1MiB", "--transfer", "64KiB", "--floor", "1048576GiB"],
                        "choose fewer bytes or a smaller --floor", code=4)
        assert os.listdir(folder) == ["file"], os.listdir(folder)
        strange = Path(folder) / "a\nb ü"
        strange.mkdir()
        assert not failed_proofs(record(program, 1, root=str(strange)))
        assert not failed_proofs(record(program, 1, "--variant", "mpiio", root=str(strange)))


def test_words_are_incompressible_and_no_two_blocks_are_alike(program: Program) -> None:
    """Of the files of two ranks as they lie on the disk, so that neither compression nor deduplication makes them smaller."""
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        launch = check_kills.start(program, program.counts[1], Path(folder))
        try:
            parts = []
            for rank in range(program.counts[1]):
                parts.append(check_kills.written(Path(folder), f"data.{rank}"))
        finally:
            check_kills.kill(launch, "launcher", program.path)
    for part in parts:
        assert len(zlib.compress(part, 9)) >= 0.99 * len(part), len(zlib.compress(part, 9)) / len(part)
    blocks = [part[at:at + BLOCK] for part in parts for at in range(0, len(part), BLOCK)]
    assert len(set(blocks)) == len(blocks) >= 2 * MIB // BLOCK, f"{len(set(blocks))} of {len(blocks)} blocks differ"


def test_kills(program: Program) -> None:
    check_kills.kills_leave_nothing(program)


if __name__ == "__main__":
    run_all(globals())
