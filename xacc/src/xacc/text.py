"""A source file as bytes that keep their places: Latin-1 gives one character a byte, whatever the encoding of the file."""

from __future__ import annotations

import bisect
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

_SKIP = re.compile(
    r"""//(?:[^\\\n]|\\\r?\n|\\.)*          # comments; a continued line goes on
      | /\*.*?(?:\*/|\Z)
      | "(?:[^"\\\n]|\\\r?\n|\\.)*"?       # strings and characters
      | '(?:[^'\\\n]|\\\r?\n|\\.)*'?""",
    re.VERBOSE | re.DOTALL,
)
_NOT_NEWLINE = re.compile(r"[^\r\n]")


def _blank(match: re.Match[str]) -> str:
    text = match.group()
    if text[0] in "\"'":  # quotes stay, so that nothing is taken for empty
        return text[0] + _NOT_NEWLINE.sub(" ", text[1:-1]) + text[-1] if len(text) > 1 else " "
    return _NOT_NEWLINE.sub(" ", text)


def without_comments(text: str) -> str:
    """The text with comments blanked; lines stay."""
    return _SKIP.sub(lambda m: m.group() if m.group()[0] in "\"'" else _NOT_NEWLINE.sub(" ", m.group()), text)


@dataclass
class Source:
    """One file. `blank` is the text with comments and strings blanked, of the same length."""

    path: Path
    name: str  # as the user wrote it
    text: str
    blank: str = field(init=False)
    edits: list[tuple[int, int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.blank = _SKIP.sub(_blank, self.text)
        self._lines = [0] + [m.end() for m in re.finditer("\n", self.text)]

    @classmethod
    def read(cls, path: Path, name: str | None = None) -> Source:
        return cls(path, name or str(path), path.read_bytes().decode("latin-1"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        line = bisect.bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def line_text(self, line: int) -> str:
        end = self._lines[line] if line < len(self._lines) else len(self.text)
        return self.text[self._lines[line - 1] : end].rstrip("\r\n")

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace a range; line breaks inside it are kept, so that no line moves."""
        new += self.text.count("\n", start, end) * "\n"
        self.edits.append((start, end, len(self.edits), new))

    def insert(self, at: int, new: str) -> None:
        self.edits.append((at, at, len(self.edits), new))

    def insert_first(self, at: int, new: str) -> None:
        """Before other insertions at the same place."""
        self.edits.append((at, at, -len(self.edits) - 1, new))

    def result(self) -> str:
        out, at = [], 0
        for start, end, _, new in sorted(self.edits):
            if start < at:
                raise AssertionError(f"edits overlap at {self.position(start)} of {self.name}")
            out += [self.text[at:start], new]
            at = end
        return "".join(out) + self.text[at:]

    def edit_at(self, place: int) -> int | None:
        """The offset here of the edit that wrote the letter at a place of the result; None where it was there before."""
        shift = 0
        for start, end, _, new in sorted(self.edits):
            if place < start + shift:
                return None
            if place < start + shift + len(new):
                return start
            shift += len(new) - (end - start)
        return None


OPEN, CLOSE = "([{", ")]}"
_PAIR = re.compile(r"[][(){}]")


def matching(blank: str, at: int) -> int:
    """The offset of the bracket that closes the one at `at`, -1 where there is none."""
    depth = 0
    for found in _PAIR.finditer(blank, at):
        depth += 1 if found.group() in OPEN else -1
        if depth == 0:
            return found.start()
    return -1


_BRACKET = re.compile(r"\s*\[")


def brackets_after(blank: str, at: int, most: int = sys.maxsize) -> list[tuple[int, int]]:
    """Offsets of the pairs of [ ] that follow each other from here, as many as there are at most."""
    found: list[tuple[int, int]] = []
    while len(found) < most and (opened := _BRACKET.match(blank, at)) and (close := matching(blank, opened.end() - 1)) > 0:
        found.append((opened.end() - 1, close))
        at = close + 1
    return found


def split(blank: str, start: int, end: int, separator: str) -> list[tuple[int, int]]:
    """Ranges between separators outside brackets."""
    parts, depth, first = [], 0, start
    for i in range(start, end):
        c = blank[i]
        depth += (c in OPEN) - (c in CLOSE)
        if c == separator and depth == 0:
            parts.append((first, i))
            first = i + 1
    return parts + [(first, end)]


def trim(blank: str, start: int, end: int) -> tuple[int, int]:
    text = blank[start:end]
    return (start + len(text) - len(text.lstrip()), start + len(text.rstrip())) if text.strip() else (end, end)


_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def identifiers(text: str) -> set[str]:
    return set(_IDENTIFIER.findall(text))
