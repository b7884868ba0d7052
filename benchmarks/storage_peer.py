"""io_throughput beside fio (`apt install fio`) on a disk, and beside a plain loop of writes in memory, in turn.

    python3 benchmarks/storage_peer.py --build build/NAME --disk FOLDER --memory /dev/shm [--rounds 5] \
      [--page checks/io_throughput/measured.md]

A round is ours, fio, ours, fio on the disk: two ranks or jobs write a file each in calls of 1 MiB, with fsync; then they
write and read a file each with O_DIRECT in calls of 4 MiB. In memory a round is ours and the plain loop
(benchmarks/files_by_hand.cpp), in calls of 64 KiB, by a single process. A figure is the median of the rounds, beside least
and most. fio's figure is the bytes of all jobs over the run time of the slowest job.
fio writes one buffer again and again: new data for each call would be made in its time, ours are made outside of timing.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from in_turn import answer, finish, launched, parser, processor, values

RANKS, MIB = 2, 1 << 20
BYTES, SMALL = 256 * MIB, 64 * MIB  # of a rank: on the disk, in memory
NEAR = 0.20  # of fio's median
OVER_LOOP = 0.10
Row = tuple[str, list[float], list[float]]


def ours(build: Path, root: Path, ranks: int, *words: str) -> dict[str, float]:
    """The named values of a launch whose data are right."""
    return values(launched(build / "checks/io_throughput/io_throughput", "--root", root, "--floor", "1", *words, ranks=ranks))


def fio(root: Path, transfer: int, direct: bool) -> tuple[float, float]:
    """MB/s of write with fsync and of read, of files of the jobs."""
    with tempfile.TemporaryDirectory(dir=root) as name:
        common = ["fio", "--name=peer", f"--directory={name}", f"--size={BYTES}", f"--bs={transfer}", f"--numjobs={RANKS}",
                  "--ioengine=psync", f"--direct={int(direct)}", "--fallocate=none", "--refill_buffers=0",
                  "--scramble_buffers=0", "--group_reporting", "--output-format=json", "--thread=0"]
        rates = []
        for how, key in ((["--rw=write", "--end_fsync=1", "--create_on_open=1"], "write"),
                         (["--rw=read", "--invalidate=1"], "read")):
            job = json.loads(answer([*common, *how], Path(name)))["jobs"][0][key]
            rates.append(RANKS * BYTES / (job["runtime"] * 1e-3) * 1e-6)
        return rates[0], rates[1]


def on_disk(build: Path, root: Path, rounds: int) -> list[Row]:
    rows: list[Row] = [("write with fsync, calls of 1 MiB", [], []), ("direct write, calls of 4 MiB", [], []),
                       ("direct read, calls of 4 MiB", [], [])]
    plain = ["--bytes", str(BYTES), "--transfer", str(MIB), "--repetitions", "1"]
    direct = ["--bytes", str(BYTES), "--transfer", str(4 * MIB), "--repetitions", "1", "--cache", "direct"]
    for _ in range(rounds):
        rows[0][1].append(ours(build, root, RANKS, *plain)["posix_write"])
        rows[0][2].append(fio(root, MIB, False)[0])
        got = ours(build, root, RANKS, *direct)
        write, read = fio(root, 4 * MIB, True)
        for row, mine, theirs in ((rows[1], got["posix_write"], write), (rows[2], got["posix_read"], read)):
            row[1].append(mine)
            row[2].append(theirs)
    return rows


def in_memory(build: Path, root: Path, rounds: int) -> list[Row]:
    rows: list[Row] = [("write, calls of 64 KiB", [], []), ("read, calls of 64 KiB", [], [])]
    for _ in range(rounds):
        got = ours(build, root, 1, "--bytes", str(SMALL), "--transfer", str(MIB // 16), "--repetitions", "5")
        loop = json.loads(answer([build / "benchmarks/files_by_hand", root, SMALL, MIB // 16, 5]))
        for row, key in zip(rows, ("write", "read"), strict=True):
            row[1].append(got[f"posix_{key}"])
            row[2].append(median(loop[key]))
    return rows


def table(rows: list[Row], peer: str, limit: float, both: bool) -> list[str]:
    text = [f"| | io_throughput, MB/s | {peer}, MB/s | median of ratios | expected | |",
            "| --- | --- | --- | --- | --- | --- |"]
    for name, mine, theirs in rows:
        ratio = median(own / other for own, other in zip(mine, theirs, strict=True))
        near = abs(ratio - 1) <= limit if both else ratio >= 1 - limit
        inside = both and min(theirs) <= median(mine) <= max(theirs)
        word = "near" if near else f"within the range of {peer}" if inside else "differs"
        figures = " | ".join(f"{median(of):.4g} ({min(of):.4g} to {max(of):.4g})" for of in (mine, theirs))
        expected = f"{1 - limit:.2f} to {1 + limit:.2f}" if both else f"at least {1 - limit:.2f}"
        text.append(f"| {name} | {figures} | {ratio:.3f} | {expected} | {word} |")
    return text


def main() -> int:
    typed = parser(__doc__, 5)
    typed.add_argument("--disk", type=Path, required=True, help="a folder on a disk; files there are removed")
    typed.add_argument("--memory", type=Path, required=True, help="a folder of a file system in memory")
    typed.add_argument("--page", type=Path, help="the page to write; else it is printed")
    asked = typed.parse_args()
    if asked.rounds < 1:
        typed.error("--rounds must be 1 at least")
    build = asked.build.resolve()
    disk, memory = on_disk(build, asked.disk.resolve(), asked.rounds), in_memory(build, asked.memory.resolve(), asked.rounds)
    kind = subprocess.run(["stat", "-f", "-c", "%T", asked.disk], check=True, capture_output=True, text=True).stdout.strip()
    text = ["# io_throughput, measured", "", "Made by `benchmarks/storage_peer.py`; do not edit.", "",
            f"- Processor: {processor()}; file system of the disk: {kind}, a virtual disk that other machines share",
            f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}",
            f"- Command: `python3 benchmarks/storage_peer.py --build BUILD --disk DIR --memory /dev/shm --rounds {asked.rounds}`",
            f"- {answer(['fio', '--version'], Path('/')).strip()}; medians of {asked.rounds} rounds in turn (least to most)", "",
            f"## On a disk, {RANKS} ranks, {BYTES // MIB} MiB each", "", *table(disk, "fio", NEAR, True), "",
            f"## In memory (tmpfs), 1 rank, {SMALL // MIB} MiB", "", *table(memory, "plain loop", OVER_LOOP, False), ""]
    finish(text, asked.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
