"""--fix: the repairs that messages name, as edits of the sources: reflects and waits before loops, wider shadows and widths."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from xacc.directive import Directive, Item
from xacc.text import Source

_ITEM = re.compile(r"(?:[^()\[\],]|\([^()]*\))*")


class Fixes:
    def __init__(self) -> None:
        self._texts: dict[str, str] = {}  # of the sources that the edits are of
        self._lines: dict[tuple[str, int], list[str]] = {}
        self._widths: dict[tuple[str, int], tuple[Item, list[int]]] = {}

    def line(self, d: Directive, text: str, after: bool = False) -> None:
        """A directive before another one, or after it."""
        before = d.source.text[: d.start].rstrip().rpartition("\n")[2].lstrip()
        if d.first is None and not re.match(r"#\s*pragma\s+(?:omp|acc)\b", before):  # not between such a pragma and its loop
            self._texts[str(d.source.path)] = d.source.text
            place = (str(d.source.path), min(d.end + 1, len(d.source.text)) if after else d.start)
            indent = re.compile(r"[ \t]*").match(d.source.text, d.start).group()
            lines = self._lines.setdefault(place, [])
            lines += [] if f"{indent}#pragma xmp {text}\n" in lines else [f"{indent}#pragma xmp {text}\n"]

    def wider(self, source: Source, item: Item, now: tuple[int, int], side: int, width: int) -> None:
        """A width of a shadow or a reflect becomes so large on one side."""
        start, end = item.offset, _ITEM.match(source.text, item.offset).end()
        written = "".join(f"/{m}/" for m in item.modifiers) + item.text
        if "".join(source.text[start:end].split()) == "".join(written.split()):  # and not by a macro
            self._texts[str(source.path)] = source.text
            widths = self._widths.setdefault((str(source.path), start), (item, [*now]))[1]
            widths[side] = max(widths[side], width)

    def applied(self, source: Source) -> str:
        """The text of a source with all repairs; a text that was already made anew has none."""
        if self._texts.get(str(source.path)) != source.text:
            return source.text
        edits = [(at, at, "".join(lines)) for (path, at), lines in self._lines.items() if path == str(source.path)]
        for (path, start), (item, (below, above)) in self._widths.items():
            if path == str(source.path):
                width = "".join(f"/{m}/" for m in item.modifiers) + (f"{below}:{above}" if below != above else str(below))
                edits.append((start, _ITEM.match(source.text, start).end(), width))
        text = source.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def patch(source: Source, text: str) -> Iterator[str]:
    """What makes the text out of the source, for patch -p0."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", t) for t in (source.text, text))
    for line in difflib.unified_diff(before, after, source.name, source.name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
