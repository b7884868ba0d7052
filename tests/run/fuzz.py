"""The fuzzers of `tenken test`, side by side. A fuzzer is a name and a callable that runs for a number of seconds."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

# Longest input, and memory and time of a single input: 64 MiB and 10 s are far above any reader's need.
_LIMITS = ("-max_len=4096", "-rss_limit_mb=1024", "-malloc_limit_mb=64", "-timeout=10")
# libFuzzer ends a little after its time; far beyond it something hangs.
_GRACE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Fuzzer:
    name: str
    run: Callable[[int], str | None]  # for that many seconds; returns the failure, or None


def compiled(tree: Path, programs: Path, folder: Path) -> list[Fuzzer]:
    """Every `NAME_fuzz.cpp` of the tree, built as `programs`/NAME; logs and inputs that crashed it go to `folder`."""
    sources = sorted(path for root in ("cpp", "checks") for path in (tree / root).rglob("*_fuzz.cpp"))
    return [_compiled(source, programs, folder) for source in sources]


def readers(tree: Path, folder: Path) -> list[Fuzzer]:
    """The readers of stored files; logs go to `folder`."""
    return [_reader(tree, name, folder) for name in ("baseline", "check", "folder", "record")]


def side_by_side(fuzzers: Sequence[Fuzzer], seconds: int) -> tuple[str, ...]:
    """Run all, as many at a time as there are processors; a sentence for each that failed or did not run."""
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        answers = list(pool.map(lambda fuzzer: fuzzer.run(seconds), fuzzers))
    return tuple(f"fuzz: {fuzzer.name}: {answer}" for fuzzer, answer in zip(fuzzers, answers, strict=True) if answer)


def _compiled(source: Path, programs: Path, folder: Path) -> Fuzzer:
    name = source.stem.removesuffix("_fuzz")

    def run(seconds: int) -> str | None:
        return _libfuzzer(programs / name, source.parent / "corpus", folder / f"fuzz-{name}", seconds)

    return Fuzzer(name, run)


def _reader(tree: Path, name: str, folder: Path) -> Fuzzer:
    def run(seconds: int) -> str | None:
        script, seed = tree / "tests" / "fuzz_readers.py", secrets.randbelow(10**9)
        log = folder / f"fuzz-{name}.log"
        answer = _run([sys.executable, str(script), name, str(seconds), str(seed)], log, seconds)
        return answer if isinstance(answer, str) else None if answer == 0 else f"failed with seed {seed}; see {log}"

    return Fuzzer(f"{name} reader", run)


def _libfuzzer(program: Path, seeds: Path, folder: Path, seconds: int) -> str | None:
    """`folder` keeps the inputs that reach new code, so that later runs start from them; beside it the log."""
    folder.mkdir(parents=True, exist_ok=True)
    crashes = folder.parent / f"{folder.name}-found"
    crashes.mkdir(exist_ok=True)
    old = set(crashes.iterdir())
    command = [str(program), f"-max_total_time={seconds}", f"-artifact_prefix={crashes}/", "-print_final_stats=1", *_LIMITS,
               str(folder), str(seeds)]
    log = folder.parent / f"{folder.name}.log"
    code = _run(command, log, seconds)
    if isinstance(code, str):
        return code
    crashed = sorted(str(path) for path in set(crashes.iterdir()) - old)
    if code or crashed:
        return f"failed on {', '.join(crashed) or 'no input'} (exit code {code}; see {log})"
    executed = re.search(r"number_of_executed_units:\s*(\d+)", log.read_text(encoding="utf-8", errors="replace"))
    return None if executed and int(executed[1]) > 0 else f"no input was executed; see {log}"


def _run(command: Sequence[str], log: Path, seconds: int) -> int | str:
    """Exit code of `command`, or a sentence where it did not start or end."""
    try:
        with log.open("wb") as out:
            return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                  timeout=seconds + _GRACE_SECONDS, check=False).returncode
    except OSError as error:
        return f"{command[0]} cannot be run: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"still ran {_GRACE_SECONDS} s after its end; see {log}"
