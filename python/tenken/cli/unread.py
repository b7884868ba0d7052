"""Standard streams that outlive their reader: `tenken list checks | head -1` goes on to its exit code."""

from __future__ import annotations

import io
import sys
from typing import Any, TextIO


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
