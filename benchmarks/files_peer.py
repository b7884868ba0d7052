"""metadata beside a plain loop of the same calls, and staging beside `cp`, in turn, by a single process.

    python3 benchmarks/files_peer.py --build build/NAME --disk FOLDER --memory /dev/shm [--rounds 5] [--write]

A round of metadata is ours and benchmarks/operations_by_hand.cpp in the same folder of a file system in memory, on a disk a
second round. A round of staging is ours (`--source own`, pages dropped before) and `cp -a` of a tree of the same files, whose
pages are dropped with `dd ... nocache` before, then `sync -f` of the copy; the time of cp has the start of two processes. A
figure is the median of the rounds, beside least and most. --write writes checks/metadata/measured.md and
checks/staging/measured.md; without it the pages are printed.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from in_turn import ENVIRONMENT, answer, launched, parser, processor, values


MIB = 1 << 20
FILES, CONTENT = 2000, (0, 3901)
LARGE, LARGE_BYTES, SMALL, SMALL_BYTES = 4, 32 * MIB, 500, 4096
PHASES = ("create", "stat", "read", "remove")
LEAST = 0.80  # of the rate of the peer: half of the loop's calls cost less than a microsecond, and ours are timed one by one
CHECKS = Path(__file__).resolve().parents[1] / "checks"
Row = tuple[str, list[float], list[float]]


def ours(build: Path, check: str, *words: str) -> dict[str, float]:
    """The named values of a launch whose answers are right."""
    return values(launched(build / "checks" / check / check, "--floor", "1", *words))


def operations(build: Path, root: Path, rounds: int) -> list[Row]:
    rows: list[Row] = [(f"{phase}, {size} bytes", [], []) for size in CONTENT for phase in PHASES]
    for _ in range(rounds):
        for first, size in zip((0, 4), CONTENT, strict=True):
            got = ours(build, "metadata", "--root", str(root), "--files", str(FILES), "--bytes", str(size), "--repetitions", "5",
                       "--sync", "false", "--folder", "own")
            loop = json.loads(answer([str(build / "benchmarks/operations_by_hand"), str(root), str(FILES), str(size), "5"], root))
            for phase, (_, mine, theirs) in zip(PHASES, rows[first:first + 4], strict=True):
                mine.append(got[f"own_{phase}"])
                theirs.append(median(loop[phase]))
    return rows


def copied(source: Path, target: Path) -> float:
    """MB/s of cp with sync, from a tree whose pages were dropped."""
    files = [path for path in source.rglob("*") if path.is_file()]
    for path in files:
        subprocess.run(["dd", f"if={path}", "iflag=nocache", "count=0"], check=True, capture_output=True)
    begin = time.monotonic()
    subprocess.run(["cp", "-a", str(source), str(target / "copy")], check=True)
    subprocess.run(["sync", "-f", str(target / "copy")], check=True)
    seconds = time.monotonic() - begin
    subprocess.run(["rm", "-r", str(target / "copy")], check=True)
    return sum(path.stat().st_size for path in files) / seconds * 1e-6


def trees(build: Path, disk: Path, memory: Path, rounds: int) -> list[Row]:
    rows: list[Row] = [("disk to memory", [], []), ("memory to disk", [], []), ("memory to memory", [], [])]
    tree = ["--variant", "stage_in", "--source", "own", "--large", str(LARGE), "--large_bytes", str(LARGE_BYTES), "--small", str(SMALL),
            "--small_bytes", str(SMALL_BYTES), "--repetitions", "1"]
    for _ in range(rounds):
        for (_, mine, theirs), (source, target) in zip(rows, ((disk, memory), (memory, disk), (memory, memory)), strict=True):
            mine.append(ours(build, "staging", "--root", str(source), "--local", str(target), *tree)["stage_in"])
            with tempfile.TemporaryDirectory(dir=source) as one, tempfile.TemporaryDirectory(dir=target) as other:
                for number in range(LARGE + SMALL):
                    size = LARGE_BYTES if number < LARGE else SMALL_BYTES
                    path = Path(one) / "tree" / ("large" if number < LARGE else "small") / f"f.{number}"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(os.urandom(size))
                subprocess.run(["sync", "-f", one], check=True)
                theirs.append(copied(Path(one) / "tree", Path(other)))
    return rows


def table(rows: list[Row], unit: str, check: str, peer: str) -> list[str]:
    text = [f"| | {check}, {unit} | {peer}, {unit} | median of ratios | expected | |", "| --- | --- | --- | --- | --- | --- |"]
    for name, mine, theirs in rows:
        ratio = median(own / other for own, other in zip(mine, theirs, strict=True))
        figures = " | ".join(f"{median(of):.4g} ({min(of):.4g} to {max(of):.4g})" for of in (mine, theirs))
        text.append(f"| {name} | {figures} | {ratio:.3f} | at least {LEAST:.2f} | {'near' if ratio >= LEAST else 'less'} |")
    return text


def main() -> int:
    typed = parser(__doc__, 5)
    typed.add_argument("--disk", type=Path, required=True, help="a folder on a disk; files there are removed")
    typed.add_argument("--memory", type=Path, required=True, help="a folder of a file system in memory")
    typed.add_argument("--write", action="store_true")
    asked = typed.parse_args()
    if asked.rounds < 1:
        typed.error("--rounds must be 1 at least")
    os.environ.update(ENVIRONMENT)
    build, disk, memory = asked.build.resolve(), asked.disk.resolve(), asked.memory.resolve()
    kind = subprocess.run(["stat", "-f", "-c", "%T", disk], check=True, capture_output=True, text=True).stdout.strip()

    def page(check: str, *sections: str) -> str:
        return "\n".join((
            f"# {check}, measured", "", "Made by `benchmarks/files_peer.py`; do not edit.", "",
            f"- Processor: {processor()}",
            f"- File system of the disk: {kind}, a virtual disk that other machines share",
            f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, load {os.getloadavg()[0]:.1f}",
            f"- Command: `python3 benchmarks/files_peer.py --build BUILD --disk DIR --memory /dev/shm --rounds {asked.rounds}`",
            f"- Medians of {asked.rounds} rounds in turn (least to most), one process", "", *sections, "",
        ))

    pages = {"metadata": page(
        "metadata",
        f"## In memory (tmpfs), {FILES} files", "", *table(operations(build, memory, asked.rounds), "op/s", "metadata", "plain loop"), "",
        f"## On a disk, {FILES} files, without fsync", "",
        *table(operations(build, disk, asked.rounds), "op/s", "metadata", "plain loop"),
    ), "staging": page(
        "staging",
        f"## A tree of {LARGE} files of {LARGE_BYTES // MIB} MiB and {SMALL} files of {SMALL_BYTES} bytes, with fsync", "",
        "staging synchronises file by file, `sync -f` the whole file system at once.", "",
        *table(trees(build, disk, memory, asked.rounds), "MB/s", "staging", "cp"),
    )}
    for check, text in pages.items():
        if asked.write:
            (CHECKS / check / "measured.md").write_text(text, encoding="utf-8")
        else:
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
