"""What the compiler says: file:line:col, a sentence, the line with a caret; or the same as JSON."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass

from xacc.fixes import Fixes
from xacc.text import Source


class XaccError(Exception):
    """A sentence for the user; where a place in a source is to blame, `Messages.error` is used instead."""


class Refused(Exception):
    """What is wrong at a place of the source that is looked at, or of another one. `Messages.refusals` makes it an error."""

    def __init__(self, offset: int, text: str, source: Source | None = None) -> None:
        super().__init__(text)
        self.offset, self.text, self.source = offset, text, source


def as_many(dims: int, given: Sized, offset: int, name: str, what: str = " subscripts") -> None:
    """Refuses another number of subscripts, or the like, than there are dimensions."""
    if len(given) != dims:
        raise Refused(offset, f"{name} has {dims} dimensions and is given {len(given)}{what}.")


@dataclass(frozen=True, slots=True)
class Message:
    level: str  # error | warning | note
    source: Source
    offset: int
    text: str

    def __str__(self) -> str:
        line, column = self.source.position(self.offset)
        shown = self.source.line_text(line).replace("\t", " ")
        first = max(0, column - 80)  # of lines of thousands of columns only the neighbourhood
        caret = " " * (column - 1 - first) + "^"
        return f"{self.source.name}:{line}:{column}: {self.level}: {self.text}\n  {shown[first:first + 120]}\n  {caret}"

    def to_json(self) -> dict[str, object]:
        line, column = self.source.position(self.offset)
        return {"file": self.source.name, "line": line, "column": column, "level": self.level, "message": self.text}


class Messages:
    """Collects messages; translation goes on after an error so that one run tells them all."""

    def __init__(self) -> None:
        self.list: list[Message] = []
        self.fixes = Fixes()

    def error(self, source: Source, offset: int, text: str) -> None:
        self._add(Message("error", source, offset, text))

    def warning(self, source: Source, offset: int, text: str) -> None:
        self._add(Message("warning", source, offset, text))

    def note(self, source: Source, offset: int, text: str) -> None:
        self._add(Message("note", source, offset, text))

    @contextmanager
    def refusals(self, source: Source) -> Iterator[None]:
        """The first refusal inside ends what is done there, and is an error of this source."""
        try:
            yield
        except Refused as refused:
            self.error(refused.source or source, refused.offset, refused.text)

    def _add(self, message: Message) -> None:
        if not any(m.source is message.source and m.offset == message.offset and m.text == message.text for m in self.list):
            self.list.append(message)

    @property
    def failed(self) -> bool:
        return any(m.level == "error" for m in self.list)

    def render(self, as_json: bool) -> str:
        return json.dumps([m.to_json() for m in self.list], indent=1) if as_json else "\n".join(map(str, self.list))

    def show(self, as_json: bool) -> None:
        if self.list:
            print(self.render(as_json), file=sys.stderr)


def nearest(word: str, words: Iterable[str]) -> str:
    """ "; did you mean X?" with the nearest of `words`, or nothing."""
    near = difflib.get_close_matches(word.lower(), sorted(words), 1, 0.6)
    return f"; did you mean {near[0]}?" if near else ""
