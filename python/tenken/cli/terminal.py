"""Output to a terminal. Names, sentences and output of programs may have control characters: these are made visible.
Where the terminal has the letter, us is shown as µs.

Only Tenken's own colours and redrawing pass, written by `raw`.
"""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from tenken.base import units
from tenken.base.regular import no_link
from tenken.model.run import Launch, RankState
from tenken.report.plain import visible


class Guarded:
    """A stream whose `write` makes control characters visible; all else is that of the stream below it."""

    def __init__(self, below: TextIO) -> None:
        self.below = below
        self._has_micro = (getattr(below, "encoding", None) or "").lower().replace("-", "") == "utf8"

    def write(self, text: str) -> int:
        text_of_person = self._has_micro and not text.startswith("{")  # JSON is for programs
        self.below.write(visible(units.micro(text) if text_of_person else text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


def raw(stream: TextIO) -> TextIO:
    """The stream below, for sequences that Tenken itself makes; text from elsewhere must be made visible before."""
    return stream.below if isinstance(stream, Guarded) else stream


@contextmanager
def guarded() -> Iterator[None]:
    """Standard output and standard error are guarded as long as it lasts."""
    before = sys.stdout, sys.stderr
    # A Guarded has all of a text stream that Tenken uses.
    sys.stdout, sys.stderr = (cast(TextIO, Guarded(raw(stream))) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


# Standard streams that outlive their reader: `tenken list checks | head -1` goes on to its exit code.

class Unread(io.RawIOBase):
    """A file whose writes are dropped once nobody reads its pipe any more."""

    def __init__(self, below: io.RawIOBase) -> None:
        self._below = below

    def write(self, data: Any) -> int | None:
        try:
            return self._below.write(data)
        except BrokenPipeError:
            return len(data)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._below.fileno()

    def isatty(self) -> bool:
        return self._below.isatty()


def outliving(stream: TextIO) -> Any:
    """The same text stream over an Unread; a stream without a file below stays as it is."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    encoding, errors, lines, through = stream.encoding, stream.errors, stream.line_buffering, stream.write_through
    stream.flush()
    buffer: Any = stream.detach()
    if isinstance(buffer, io.BufferedWriter):
        whole: Any = io.BufferedWriter(Unread(buffer.detach()))
    else:
        whole = Unread(buffer)  # PYTHONUNBUFFERED
    return io.TextIOWrapper(whole, encoding, errors, line_buffering=lines, write_through=through)


def outlive_readers() -> None:
    """For this process; to be called before anything is written."""
    sys.stdout = sys.__stdout__ = outliving(sys.stdout)  # shutil asks the latter for its width
    sys.stderr = sys.__stderr__ = outliving(sys.stderr)


# Progress on standard error: redrawn on a terminal, else a line a launch; lasting lines go to log.txt too.

_NAMED = 6  # cases or studies in a line
_SILENT_S = 60.0  # without a line: then the next goes into a file or pipe, too, though it would be redrawn on a terminal


class Progress:
    """Shows the progress of a run. Lines printed before the run folder exists are written to its log when it does."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._drawn = False
        self._printed = time.monotonic()
        self._unwritten: list[str] = []
        self._log: Path | None = None

    def __call__(self, line: str, stays: bool = True) -> None:
        if self._terminal:
            width = shutil.get_terminal_size().columns
            line = visible(line)
            raw(sys.stderr).write("\r\x1b[K" + (line + "\n" if stays else line[: width - 1]))
            self._drawn = not stays
        elif stays or line.endswith("...") or time.monotonic() - self._printed >= _SILENT_S:
            sys.stderr.write(line + "\n")
            self._printed = time.monotonic()
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
        self._left_out = 0
        self._begin = time.monotonic()

    def launch_started(self, launch: Launch, index: int, total: int) -> None:
        passed = time.monotonic() - self._begin
        left = passed / (index - 1) * (total - index + 1) if index > 1 else sum(self._expected.values())
        if launch.confirms and index == 1:
            from tenken.base.words import plural

            self._progress(f"again    {plural(total, 'launch')} met other load, failed, or seem to have changed: measured again")
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

    def left_out(self, launches: Sequence[Launch], why: str) -> None:
        from tenken.base.words import plural

        names = list(dict.fromkeys(launch.case_id.partition("/")[0] for launch in launches))
        named = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        count = plural(len(launches), "more launch" if self._left_out else "launch")
        self._left_out += len(launches)
        self._progress(f"time     {count} left out ({named}): {why}")

    def launch_ended(self, launch: Launch) -> None:
        if launch.status == "done" and self._progress.on_terminal:
            self._progress.log(f"{self._head}   {launch.seconds:.1f} s")
        else:
            why = f"   {launch.status}: {launch.reason}" if launch.status != "done" else ""
            self._progress(f"{self._head}   {launch.seconds:.1f} s{why}")


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
