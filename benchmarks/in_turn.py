"""What benchmarks share: a launch and its record, programs in turn, ratios with their spread, the head of a page."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

TREE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TREE / "python"))

from tenken.stats.interval import median_interval  # noqa: E402

T = TypeVar("T")
Lines = list[dict[str, Any]]
MPI = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
ENVIRONMENT = MPI | {"OMP_NUM_THREADS": "1"}
ACTIVE = MPI | {"OMP_WAIT_POLICY": "active", "OMPI_MCA_hwloc_base_binding_policy": "none"}  # threads that wait for work by spinning


def parser(description: str | None, rounds: int) -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--build", type=Path, required=True, help="build folder of the environment to measure")
    found.add_argument("--rounds", type=int, default=rounds)
    return found


def answer(words: Sequence[object], folder: Path | None = None, environment: Mapping[str, str] = ENVIRONMENT, timeout: int = 3600) -> str:
    """What the command prints; a failure ends the benchmark."""
    command = list(map(str, words))
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def launched(program: Path, *words: object, ranks: int = 1, environment: Mapping[str, str] = ENVIRONMENT,
             mpirun: Sequence[str] = ("mpirun.openmpi", "--bind-to", "none")) -> Lines:
    """The record of a launch whose proofs hold."""
    with tempfile.TemporaryDirectory() as name:
        record = Path(name) / "record.jsonl"
        launcher = [*mpirun, "-n", ranks] if ranks > 1 else []
        answer([*launcher, program.resolve(), *words, "--record", record], Path(name), environment)
        lines: Lines = [json.loads(line) for line in record.read_text().splitlines()]
    require_proofs(program.name, lines)
    return lines


def require_proofs(check: str, lines: Lines) -> None:
    for line in (line for line in lines if line["type"] == "validity"):
        found, expected, limit = float(line["value"]), float(line["expected"]), float(line["limit"])
        if not (found if line["mode"] == "max" else abs(found - expected)) <= limit:
            sys.exit(f"{check}: the proof {line['name']} does not hold: {line['value']}")


def values(lines: Lines) -> dict[str, float]:
    return {line["name"]: float(line["value"]) for line in lines if line["type"] == "value"}


def timed(lines: Lines) -> dict[str, dict[str, Any]]:
    """By path of a section: its timed series, of the first rank that has one."""
    paths = {section["id"]: section["path"] for section in lines[0]["sections"]}
    found: dict[str, dict[str, Any]] = {}
    for line in (line for line in lines if line["type"] == "series" and line["repetition"] != [-1]):
        found.setdefault(paths[line["section"]], line)
    return found


def per_call(series: Mapping[str, Any]) -> list[float]:
    """Nanoseconds of a call, by repetition."""
    return [ns / calls for ns, calls in zip(series["ns"], series["calls"], strict=True)]


def in_turn(ways: Mapping[str, Callable[[], T]], rounds: int, shown: Callable[[Mapping[str, T]], str] = str) -> list[dict[str, T]]:
    """Every way once a round, half of the rounds the other way round; a line of each round goes to stderr."""
    found = []
    for number in range(rounds):
        names = list(ways) if number % 2 == 0 else list(ways)[::-1]
        results = {name: ways[name]() for name in names}
        found.append({name: results[name] for name in ways})
        print(f"round {number + 1} of {rounds}: {shown(found[-1])}", file=sys.stderr, flush=True)
    return found


def spread(values: Sequence[float]) -> str:
    return f"{median(values):.4g} | {min(values):.4g} to {max(values):.4g}"


def bounds(ratios: Sequence[float]) -> str:
    """Median, and its 95 % interval."""
    interval = median_interval(ratios)
    return f"{median(ratios):.3f} | " + (f"{interval[0]:.3f} to {interval[1]:.3f}" if interval else "too few rounds")


def last_level_cache() -> int:
    """Bytes."""
    sizes = [path.read_text().strip() for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return max((int(size[:-1]) * {"K": 1024, "M": 1024**2}[size[-1]] for size in sizes), default=0)


def processor() -> str:
    model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    name = model[1] if model else "unknown"
    return f"{name}, {len(os.sched_getaffinity(0))} processors, last cache {last_level_cache() // 1024}K"


def head(title: str, command: str) -> list[str]:
    """The beginning of a page; `command` is that of the script."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=TREE, capture_output=True, text=True, check=False).stdout.strip()
    now = datetime.datetime.now(datetime.timezone.utc)
    return [f"# {title}", "", f"Made by `benchmarks/{Path(sys.argv[0]).name}`; do not edit.", "", f"- Processor: {processor()}",
            f"- Date: {now:%Y-%m-%d %H:%M} UTC, commit {commit}", f"- Command: `{command}`"]


def finish(lines: Sequence[str], page: Path | None) -> None:
    """Printed, and written where a page is asked for."""
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if page:
        page.write_text(text, encoding="utf-8")
