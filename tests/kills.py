"""SIGKILL at a thousand moments: of Tenken, which is resumed at once, and of any process of a launch. Real launches of two ranks.

    PYTHONPATH=python:tests python3 tests/kills.py [--tenken 100] [--any 1000] [--together N] [--most SECONDS]
        [--table docs/kills.md]

Of Tenken: the run that goes on has one writer, ends, and nothing of the killed launch is left. Of any process: what is there can
be read and judged, and nothing is left. `--most` ends each of the two after that time, with the number that was reached.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path

from tenken.cli import answer
from tenken.cli.terminal import Progress
from tenken.launch import environment as environments, processes
from tenken.launch.build import Built, build
from tenken.launch.command import Command, command
from tenken.launch.pages import read_pages
from tenken.launch.plan import plan
from tenken.launch.runner import drive
from tenken.model.check import Case
from tenken.model.run import CaseRun, Launch, RankState
from tenken.store.checkfile import load_checks
from tenken.store.runfolder import RunFolder

TREE = Path(__file__).resolve().parent.parent
MACHINE = TREE / "tests" / "frozen" / "turbo-reference-blas" / "machine.json"
CHECK, RANKS, LAUNCHES = "fma_peak", 2, 2
ROLES = ("tenken", "supervisor", "launcher", "rank")
PATIENCE_S = 60.0


class Killed(Exception):
    """What a kill must not lead to."""


class Run:
    """A run folder, and the processes that drive it, which are children of this one."""

    def __init__(self, built: Built, place: Path) -> None:
        self.built, self.place = built, place
        check = load_checks([TREE / "checks"])[CHECK]
        case = Case(CHECK, "killed", check.variants[0], {"seconds": 0.2}, RANKS, 1, LAUNCHES, 30.0)
        self.folder = RunFolder.create(place, "kills", plan([CaseRun(case, check, (), ())], 1), 1, {"name": built.environment.name})
        machine = json.loads(MACHINE.read_text())
        machine["nodes"][0]["host"] = platform.node()
        (self.folder.path / "machine.json").write_text(json.dumps(machine))

    def start(self) -> int:
        """A new process that drives the run to its end, in a session of its own."""
        return forked(self._drive, self.place / "log")

    def _drive(self) -> None:
        of = self

        class Listener:
            def launch_started(self, launch: Launch, index: int, total: int) -> None:
                alive = [pid for one in of.ids() - {launch.id} for pid in processes.of_launch(one) if processes.is_running(pid)]
                if alive:
                    (of.place / "writers").write_text(f"launch {launch.number} was started beside processes {alive}")

            def ranks_seen(self, ranks: tuple[RankState, ...]) -> None: ...
            def ports_open(self, ports: tuple[int, ...]) -> None: ...
            def launch_ended(self, launch: Launch) -> None: ...
            def left_out(self, *what: object) -> None: ...

        drive(self.folder, self._command, Listener())

    def _command(self, case: Case, folder: Path) -> Command:
        with open(self.place / "ids", "a") as file:  # also of launches whose folder is made anew by the one that resumes
            file.write(json.loads((folder / "started.json").read_text())["id"] + "\n")
        return command(case, self.built.program(CHECK), self.built.environment, folder)

    def ids(self) -> set[str]:
        path = self.place / "ids"
        return set(path.read_text().split()) if path.exists() else set()

    def victims(self, driver: int) -> dict[str, list[int]]:
        """What runs now, by role."""
        found: dict[str, list[int]] = {"tenken": [driver]}
        for pid in processes.below(driver):
            words = command_line(pid)
            if not words:
                continue
            role = "supervisor" if any("supervisor.py" in word for word in words) else "launcher"
            role = "rank" if words[0] == str(self.built.program(CHECK)) else role
            found.setdefault(role, []).append(pid)
        return found

    def nothing_left(self) -> None:
        """Soon after a kill nothing runs, and neither a segment nor a session folder of any launch is there."""
        deadline = time.monotonic() + PATIENCE_S
        while left := self._left():
            if time.monotonic() > deadline:
                raise Killed(f"still there after {PATIENCE_S:.0f} s: {left}")
            time.sleep(0.02)

    def _left(self) -> list[str]:
        running = [f"process {pid} {' '.join(command_line(pid))[:80]}" for one in self.ids() for pid in processes.of_launch(one)
                   if processes.is_running(pid)]
        folders = [str(path) for one in self.ids() for root in (tempfile.gettempdir(), "/dev/shm")
                   for path in Path(root).glob(f"*{one}*")]
        pages = [state.pid for pages in self.folder.path.glob("launches/*/pages") for state in read_pages(pages)]
        running += [f"rank {pid}" for pid in processes.named(pages, str(self.folder.path))]
        return running + folders

    def readable(self) -> int:
        """The exit code of `show`, which must find words for what there is."""
        def show() -> None:
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                code = answer.show(RunFolder(self.folder.path), Progress(), self.place / "baselines", everything=True)
            (self.place / "shown").write_text(f"{code}\n{told.getvalue()}")

        wait(forked(show, self.place / "log"))
        shown = (self.place / "shown").read_text() if (self.place / "shown").exists() else ""
        code, _, text = shown.partition("\n")
        if not text.strip() or "nternal error" in text or "cannot be judged" in text or code not in "01234":
            raise Killed(f"show: {shown[-500:] or (self.place / 'log').read_text()[-500:]}")
        return int(code)


def command_line(pid: int) -> list[str]:
    try:
        return [word.decode(errors="replace") for word in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") if word]
    except OSError:
        return []


def forked(what: Callable[[], None], log: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, 1)
        os.dup2(file, 2)
        what()
        code = 0
    except BaseException as error:  # noqa: BLE001  # whatever it was, the log says it and the parent goes on
        import traceback

        os.write(2, "".join(traceback.format_exception(error)).encode())
        code = 1
    os._exit(code)


def wait(pid: int) -> int:
    """Its exit code, negative for a signal."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise Killed(f"process {pid} had not ended after {PATIENCE_S:.0f} s")
        time.sleep(0.005)


def of_tenken(run: Run, chance: random.Random, length: float) -> str:
    """Kill Tenken, resume at once; what is judged at the end has one writer."""
    driver = run.start()
    time.sleep(chance.uniform(0, length))
    before = "measuring" if run.ids() and processes.below(driver) else "between launches"
    os.kill(driver, signal.SIGKILL)
    wait(driver)
    if wait(run.start()) != 0:
        raise Killed(f"the run could not be resumed: {(run.place / 'log').read_text()[-500:]}")
    if (run.place / "writers").exists():
        raise Killed((run.place / "writers").read_text())
    found = run.folder.read()
    if found.state != "finished" or {one.status for one in found.cases[0].launches} != {"done"} or found.cases[0].unreadable:
        raise Killed(f"{found.state}, launches {[one.status for one in found.cases[0].launches]}, {found.cases[0].unreadable}")
    if [one.launch for one in found.cases[0].records] != [one.id for one in found.cases[0].launches]:
        raise Killed("a record is of another launch")
    return before


def of_any(run: Run, chance: random.Random, length: float) -> str:
    """Kill one process of those that run; what is there can be read."""
    driver = run.start()
    time.sleep(chance.uniform(0, length))
    victims = run.victims(driver)
    role = chance.choice([one for one in ROLES if one in victims])
    with contextlib.suppress(ProcessLookupError):
        os.kill(chance.choice(victims[role]), signal.SIGKILL)
    code = wait(driver)
    if role != "tenken" and code != 0:
        raise Killed(f"Tenken ended with {code} after a kill of its {role}: {(run.place / 'log').read_text()[-500:]}")
    run.nothing_left()
    run.readable()
    return role


SERIES = {
    "kill -9 of tenken, resumed at once": (of_tenken, "finished with one writer, nothing left"),
    "kill -9 of any process": (of_any, "readable, nothing left"),
}


def attempt(title: str, number: int, built: Built, length: float, until: float) -> tuple[str, str]:
    """What was killed or going on, and what went wrong; nothing of either where the time was up."""
    if time.monotonic() > until:
        return "", ""
    place = Path(tempfile.mkdtemp(prefix="tenken-kills-"))
    run = Run(built, place)
    try:
        name = SERIES[title][0](run, random.Random(f"{title} {number}"), length)
        run.nothing_left()
        shutil.rmtree(place)
        return name, ""
    except Killed as error:
        print(told := f"{title} {number} ({place}): {error}", file=sys.stderr, flush=True)
        return "", told


def series(title: str, times: int, built: Built, length: float, typed: argparse.Namespace) -> tuple[Counter[str], list[str]]:
    """How often it went well, by what was killed, and what went wrong."""
    until = time.monotonic() + typed.most
    with ProcessPoolExecutor(typed.together) as pool:
        ends = list(pool.map(partial(attempt, title, built=built, length=length, until=until), range(times)))
    return Counter(name for name, wrong in ends if name and not wrong), [wrong for _, wrong in ends if wrong]


def usual_length(built: Built) -> float:
    """Seconds of a run that nobody kills."""
    place = Path(tempfile.mkdtemp(prefix="tenken-kills-"))
    run, begin = Run(built, place), time.monotonic()
    if wait(run.start()) != 0:
        raise SystemExit(f"kills: a run that nobody kills: FAILED\n{(place / 'log').read_text()}")
    length = time.monotonic() - begin
    shutil.rmtree(place)
    return length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tenken", type=int, default=100, help="kills of Tenken, resumed at once")
    parser.add_argument("--any", type=int, default=1000, help="kills of any process")
    parser.add_argument("--together", type=int, default=1, metavar="N", help="so many at a time")
    parser.add_argument("--most", type=float, default=float("inf"), metavar="SECONDS")
    parser.add_argument("--table", type=Path, metavar="FILE")
    typed = parser.parse_args()
    progress = Progress()
    built = build(TREE, environments.select(None, {}), progress, targets=[CHECK])
    length = usual_length(built)
    rows = []
    for (title, (_, what)), times in zip(SERIES.items(), (typed.tenken, typed.any), strict=True):
        well, wrong = series(title, times, built, length, typed)
        told = ", ".join(f"{name} {count}" for name, count in sorted(well.items()))
        rows.append(f"| {title} | {sum(well.values()) + len(wrong)} | {told} | {sum(well.values())} {what} | {len(wrong)} |")
        if well or wrong:
            print(f"kills: {title}: {'FAILED' if wrong else 'passed'}", flush=True)
    if typed.table:
        typed.table.write_text(page(rows))


def page(rows: list[str]) -> str:
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), "unknown processor")
    words = " ".join(["PYTHONPATH=python:tests python3 tests/kills.py", *sys.argv[1:]])
    return "\n".join([
        "# Kills", "", f"Made by `{words}` on {date.today()}, {model}; do not edit.",
        f"Runs of {LAUNCHES} launches of {RANKS} ranks under mpirun.", "",
        "| case | kills | process killed, or state at the kill | right | wrong |", "|---|---:|---|---|---:|", *rows, "",
        "Moments are drawn evenly over the length of a run without a kill. \"Nothing left\": no process of a",
        "launch, no segment of shared memory, no session folder. \"Readable\": `show` prints a verdict and the",
        "reason.", "",
    ])


if __name__ == "__main__":
    main()
