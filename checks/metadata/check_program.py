"""The program as a whole: counts in each kind of folder, faults with their place, phases that do nothing, bad roots, a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from programs import Lines, Program, failed_proofs, run_all, table, values

SMALL = ["--files", "20", "--floor", "1"]
PHASES = ("create", "stat", "read", "remove")
MISSING, LEFT, STRANGE, LENGTH, OTHER_BYTES = 5, 6, 7, 4, 0
PATIENCE_S = 60


def record(program: Program, ranks: int, *words: str, root: str | None = None) -> Lines:
    """The record of a launch, which leaves nothing in its root."""
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        lines = program.record(ranks, ["--root", root or folder, *SMALL, *words])
        assert not os.listdir(root or folder), f"{words}: the launch left {os.listdir(root or folder)}"
        return lines


def row(lines: Lines) -> str:
    return str(table(lines, "entries")["rows"][0])


def wrong(lines: Lines) -> dict[str, Any]:
    """The first row of wrong files by its columns."""
    found = table(lines, "wrong_files")
    return {"row": found["rows"][0], **dict(zip(found["columns"], found["values"][0], strict=True))}


def test_every_kind_of_folder_is_right(program: Program) -> None:
    for ranks in program.counts:
        for folder in ("shared", "own"):
            for more in (["--bytes", "0"], ["--bytes", "3901", "--depth", "3"]):
                if ranks > 2 and more[1] == "0":
                    continue  # where ranks share cores
                lines = record(program, ranks, "--folder", folder, *more)
                assert not failed_proofs(lines), f"{ranks} {folder} {more}: {failed_proofs(lines)}"
                got, shown = values(lines), table(lines, "operations_per_second")
                assert shown["columns"] == list(PHASES) and len(shown["values"]) == 3, shown
                for number, phase in enumerate(PHASES):
                    rates = sorted(one[number] for one in shown["values"])
                    assert all(rate > 0 for rate in rates), rates
                    names = [f"{folder}_{phase}{which}" for which in ("", "_least", "_mean")]
                    expected = (rates[1], rates[0], sum(rates) / 3)
                    for name, figure in zip(names, expected, strict=True):
                        assert abs(got[name] / figure - 1) < 1e-12, f"{name} is {got[name]}, expected {figure}"


def test_files_of_this_rank_and_no_sync(program: Program) -> None:
    ranks = program.counts[1]
    lines = record(program, ranks, "--stat_by", "self", "--bytes", "3901", "--sync", "false")
    assert not failed_proofs(lines), failed_proofs(lines)
    sections = {one["id"]: one["path"] for one in lines[0]["sections"]}
    assert "sync" not in {sections[one["section"]] for one in lines if one["type"] == "series"}
    planted = record(program, ranks, "--stat_by", "self", "--bytes", "3901", "--fault", "flip_byte")
    found = table(planted, "wrong_files")["rows"]
    assert [name.rpartition("/")[2] for name in found] == [str(ranks - 2), str(ranks - 1)], "another rank compares, too"


def test_a_file_system_in_memory_is_no_disk(program: Program) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="tenken-test-") as folder:
        lines = record(program, 1, root=folder)
        assert row(lines) == "tmpfs, 20 files of 0 bytes a rank in a shared folder; the file system lies in memory and is no disk"


def test_faults_in_files_are_found_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    for fault, kind, phase in (("missing_file", MISSING, 1), ("flip_byte", OTHER_BYTES, 2), ("short_file", LENGTH, 1)):
        for folder in ("shared", "own") if fault == "missing_file" else ("shared",):
            lines = record(program, ranks, "--fault", fault, "--folder", folder, "--bytes", "3901")
            found = wrong(lines)
            assert "files" in failed_proofs(lines), fault
            assert ("listed" in failed_proofs(lines)) == (fault == "missing_file"), failed_proofs(lines)
            assert (found["kind"], found["phase"], found["writer"], found["file"]) == (kind, phase, ranks - 1, 10), found
            assert found["row"].rpartition("/")[2] == str(ranks - 2), found
    assert wrong(record(program, 1, "--fault", "short_file", "--bytes", "3901"))["bytes"] == 0
    lines = record(program, ranks, "--fault", "extra_file", "--folder", "own")
    assert failed_proofs(lines) == {"files", "listed"} and wrong(lines)["kind"] == STRANGE, wrong(lines)


def test_a_phase_that_does_nothing_is_an_error(program: Program) -> None:
    ranks = program.counts[1]
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        for number, phase in enumerate(PHASES):
            words = ["--root", folder, *SMALL, "--bytes", "3901", "--fault", f"idle_{phase}", "--folder", ("shared", "own")[number % 2]]
            program.refused(ranks, words, f"phase {phase} of rank {ranks - 1} on ", code=4)
            assert not os.listdir(folder), os.listdir(folder)


def test_faults_in_calls_are_found_and_placed(program: Program) -> None:
    ranks = program.counts[1]
    slow = table(record(program, ranks, "--fault", "slow_root"), "late_operations")
    late = dict(zip(slow["rows"], (dict(zip(slow["columns"], of, strict=True)) for of in slow["values"]), strict=True))
    of_last = next(of for name, of in late.items() if name.endswith(f"/{ranks - 1}"))
    for phase in PHASES:
        share = of_last[f"{phase} late"] / of_last[f"{phase} operations"]
        assert 0.15 < share < 0.25, f"{phase}: {share}"
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        program.refused(ranks, ["--root", folder, *SMALL, "--fault", "full_disk"],
                        f"file t/f.{ranks - 1}.10: No space left on device (create)", code=4)
        assert not os.listdir(folder), os.listdir(folder)


def test_bad_input(program: Program) -> None:
    program.refused(1, SMALL, "no folder named: --set root=DIR", code=5)
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        (Path(folder) / "file").touch()
        named = ["--root", folder, *SMALL]
        for words, sentence in (
            (["--root", f"{folder}/none", *SMALL], "No such file or directory"),
            (["--root", f"{folder}/file", *SMALL], "Not a directory"),
            ([*named, "--depth", "16"], "more than 4096 lowest folders; choose a smaller depth or branch"),
            ([*named, "--depth", "5"], "--files 20 is less than the 32 lowest folders"),
            (["--root", folder, "--files", "1000000", "--bytes", "3901"], "more than 256 MiB a rank; choose fewer files"),
            ([*named, "--stat_by", "other_node"], "needs two nodes"),
            ([*named, "--fault", "flip_byte"], "needs files with content"),
        ):
            program.refused(1, words, sentence)
        program.refused(1, ["--root", folder, "--bytes", "3901", "--floor", "1048576GiB"],
                        "choose fewer bytes or a smaller --floor", code=4)
        assert os.listdir(folder) == ["file"], os.listdir(folder)
        strange = Path(folder) / "a\nb ü"
        strange.mkdir()
        assert not failed_proofs(record(program, 1, root=str(strange)))


def test_a_kill_leaves_nothing_after_the_next_start(program: Program) -> None:
    with tempfile.TemporaryDirectory(prefix="tenken-test-") as folder:
        root, outside = Path(folder) / "root", Path(folder) / "outside"
        outside.mkdir()
        root.mkdir()
        (outside / "precious").write_text("not of a launch")
        words = [program.path, "--root", str(root), "--floor", "1", "--repetitions", "100000"]
        launch = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while not any(root.glob("tenken-*/*/t/f.0.*")):
            assert launch.poll() is None and time.monotonic() < end, "the launch made no file"
            time.sleep(0.002)
        launch.send_signal(signal.SIGSTOP)
        launched = next(root.glob("tenken-*/*+*/"))
        (launched / "out").symlink_to(outside)
        launch.kill()
        launch.wait(PATIENCE_S)
        assert any(root.iterdir()), "the kill left nothing to remove"
        lines = record(program, 1, root=str(root))
        assert values(lines)["earlier_launches_removed"] == 1
        assert (outside / "precious").read_text() == "not of a launch"


if __name__ == "__main__":
    run_all(globals())
