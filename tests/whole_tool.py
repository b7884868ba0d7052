"""Helpers of the whole-tool tests: they type `./tenken` as a user does and look at what comes out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parent.parent
SHORT = ("--set", "seconds=0.2", "--launches", "1")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    def no_traceback(self) -> None:
        assert "Traceback" not in self.out + self.err


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TENKEN_") or name == "TENKEN_PYTHON"}
    return {**kept, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", **more}


def tenken(*words: str, runs: Path | None = None, timeout: float = 180, **env: str) -> Answer:
    """Type `./tenken words`; `runs` is the folder for runs."""
    command = [str(TREE / "tenken"), *words, *(("--runs", str(runs)) if runs else ())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment(**env), check=False,
                          stdin=subprocess.DEVNULL)
    answer = Answer(done.returncode, done.stdout, done.stderr)
    answer.no_traceback()
    return answer


def start(*words: str, runs: Path) -> subprocess.Popen[str]:
    """Start `./tenken words` in a process group of its own and go on."""
    return subprocess.Popen([str(TREE / "tenken"), *words, "--runs", str(runs)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=environment(), stdin=subprocess.DEVNULL, start_new_session=True)


def wait_for(what: str, condition: Any, seconds: float = 30) -> Any:
    """The first true value of condition(), or a failure that says what never came."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come within {seconds} s")


def run_folder(runs: Path) -> Path:
    """The only run in `runs`."""
    folders = [p for p in runs.iterdir() if (p / "run.json").is_file()]
    assert len(folders) == 1, folders
    return folders[0]


def launch_files(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(p.read_text()) for p in sorted(folder.glob("launches/*/launch.json"))]


def rank_pids(folder: Path) -> dict[int, int]:
    """Process ids of the ranks, from their sample pages."""
    pids: dict[int, int] = {}
    for page in folder.glob("launches/*/pages/rank-*.page"):
        head = page.read_bytes()[:16]
        if len(head) == 16 and head[:8] == b"TKNPAGE1":
            pids[int.from_bytes(head[8:12], "little")] = int.from_bytes(head[12:16], "little")
    return pids


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
