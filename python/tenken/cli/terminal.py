"""Output to a terminal. Names, sentences and output of programs may have control characters: these are made visible.
Where the terminal has the letter, us is shown as µs.

Only Tenken's own colours and redrawing pass, written by `raw`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from tenken.base import units
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
