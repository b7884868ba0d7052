"""Plain text: strings from the outside made harmless to terminals, XML and eyes, lines that are wrapped, aligned tables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from tenken.base.units import NONE


def plain(text: object, limit: int = 2000) -> str:
    """`text` on a single line; unprintable characters (escape sequences, direction marks) are shown as \\xNN or \\uNNNN.

    White space becomes a single blank; beyond `limit` characters the rest is cut, marked "...".
    """
    line = " ".join(str(text)[: 2 * limit].split())
    safe = "".join(char if char.isprintable() else _visible(char) for char in line)
    return clip(safe, limit)


def visible(text: str) -> str:
    """`text` with its lines and tabs; every other control character, direction mark or lone surrogate is made visible."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else _visible(char) for char in text)


def clip(text: str, width: int) -> str:
    """At most `width` characters, the last three dots where something was cut."""
    return text if len(text) <= width else text[: max(width - 3, 0)].rstrip() + "..."[:width]


def clip_middle(text: str, width: int) -> str:
    """At most `width` characters, three dots in place of the middle: for names that differ at their end."""
    if len(text) <= width:
        return text
    kept = max(width - 3, 0)
    return text[: kept // 3] + "..."[:width] + text[len(text) - (kept - kept // 3):]


def _visible(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


LABEL = 9  # columns before the text of a line


def phrases(label: str, parts: Sequence[str], width: int, lines: int = 4) -> list[str]:
    """Phrases beside each other after a label, wrapped; none at all gives no line. A command (`next`) is never cut."""
    joined = "   ".join(part for part in parts if part)
    indent = f"{label:<{LABEL}}" if len(label) < LABEL else f"{label}  "
    return textwrap.wrap(joined, max(width, 40), initial_indent=indent, subsequent_indent=" " * LABEL,
                         max_lines=99 if label == "next" else lines, placeholder=" ...", break_on_hyphens=False,
                         drop_whitespace=True)


def line(label: str, text: str, width: int) -> str:
    """A label and the text beside it, cut at `width`."""
    return clip(f"{label:<{LABEL}}{text}" if len(label) < LABEL else f"{label}  {text}", width)


def text(lines: Iterable[str]) -> str:
    """Lines as they are printed."""
    return "\n".join(line.rstrip() for line in lines) + "\n"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, width: int | None = None,
          expendable: Sequence[str] = ()) -> list[str]:
    """Lines of a table, the heading first.

    The first `left` columns are set left, the others right. With a `width`, `expendable` columns are given up one by
    one (first named, first gone) until the table fits.
    """
    columns = [(index, heading) for index, heading in enumerate(headings)
               if any(row[index] not in (NONE, "") for row in rows)]
    victims = list(expendable)
    while True:
        widths = [max(len(heading), *(len(row[index]) for row in rows)) for index, heading in columns]
        if not victims or width is None or sum(widths) + 2 * (len(widths) - 1) <= width:
            break
        gone = victims.pop(0)
        columns = [column for column in columns if column[1] != gone]
    lines = []
    for row in (headings, *rows):
        cells = [row[index].ljust(size) if index < left else row[index].rjust(size)
                 for (index, _), size in zip(columns, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines
