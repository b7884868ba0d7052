"""Progress on standard error: redrawn on a terminal, else a line a launch; lasting lines go to log.txt too."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenken.base import units
from tenken.base.regular import no_link
from tenken.cli.terminal import raw
from tenken.launch.budget import Budget
from tenken.model.run import Launch, RankState
from tenken.report.plain import visible

_NAMED = 6  # cases or studies in a line


class Progress:
    """Shows the progress of a run. Lines printed before the run folder exists are written to its log when it does."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._drawn = False
        self._unwritten: list[str] = []
        self._log: Path | None = None

    def __call__(self, line: str, stays: bool = True) -> None:
        if self._terminal:
            width = shutil.get_terminal_size().columns
            line = visible(line)
            raw(sys.stderr).write("\r\x1b[K" + (line + "\n" if stays else line[: width - 1]))
            self._drawn = not stays
        elif stays or line.endswith("..."):
            sys.stderr.write(line + "\n")
        sys.stderr.flush()
        if stays:
            self.log(line)

    @property
    def on_terminal(self) -> bool:
        return self._terminal

    def clear(self) -> None:
        """Take away the redrawn line."""
        if self._drawn:
            raw(sys.stderr).write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False

    def log(self, text: str) -> None:
        """Into log.txt only."""
        if self._log is None:
            self._unwritten.append(text)
            return
        try:
            with open(self._log, "a", encoding="utf-8", opener=no_link) as file:
                file.write(visible(units.micro(text)) + "\n")  # it is read on terminals
        except OSError:  # a full disk: results are written elsewhere, and complain there
            pass

    def log_into(self, folder: Path) -> None:
        self._log = folder / "log.txt"
        for line in self._unwritten:
            self.log(line)
        self._unwritten.clear()


class LaunchProgress:
    """Hears of launches (launch.runner.Observer) and tells how far they are."""

    def __init__(self, progress: Progress, expected_s: Mapping[str, float]) -> None:
        self._progress, self._expected = progress, expected_s
        self._head = ""
        self._exposed = False
        self._begin = time.monotonic()

    def launch_started(self, launch: Launch, index: int, total: int) -> None:
        passed = time.monotonic() - self._begin
        left = passed / (index - 1) * (total - index + 1) if index > 1 else sum(self._expected.values())
        repeat = f" (repeats launch {launch.confirms})" if launch.confirms else ""
        self._head = f"[{index}/{total}]  {launch.case_id}{repeat}"
        self._eta = f"   about {_minutes(left)} left" if left >= 1 else ""
        self._progress(self._head + self._eta, False)

    def ranks_seen(self, ranks: tuple[RankState, ...]) -> None:
        if ranks:
            first = ranks[0]
            where = f"   {first.section or first.state}   {first.repetitions}/{first.planned_repetitions}"
            self._progress(self._head + where + self._eta, False)

    def ports_open(self, ports: tuple[int, ...]) -> None:
        """Once a run: the ports that other nodes can reach while a launch runs."""
        if not self._exposed:
            self._exposed = True
            named = ", ".join(map(str, ports))
            self._progress(
                f"port     the MPI launcher listens on port {named} on all addresses of this node while a launch runs: "
                "a network namespace is not permitted here"
            )

    def left_out(self, launches: Sequence[Launch], budget: Budget) -> None:
        from tenken.base.words import plural

        names = list(dict.fromkeys(launch.case_id.partition("/")[0] for launch in launches))
        named = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        self._progress(
            f"time     {plural(len(launches), 'launch')} left out ({named}): "
            f"the {budget.seconds:g} s of suite {budget.suite} are over{budget.load()}"
        )

    def launch_ended(self, launch: Launch) -> None:
        if launch.status == "done" and self._progress.on_terminal:
            self._progress.log(f"{self._head}   {launch.seconds:.1f} s")
        else:
            why = f"   {launch.status}: {launch.reason}" if launch.status != "done" else ""
            self._progress(f"{self._head}   {launch.seconds:.1f} s{why}")


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
