"""What libclang must not see: extension syntax becomes plain C of the same length, so that every offset stays."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xacc.messages import Messages
from xacc.text import Source, brackets_after, matching

DESC = re.compile(r"\bxmp_desc_of\s*\(\s*([A-Za-z_]\w*)\s*\)")
_SECTION = re.compile(r"[\w\])]\s*(\[)")
_COLON = re.compile(r"\[[^;{}]*?:")
_COARRAY = re.compile(r"[\]\w]\s*:\s*\[(?!\[)")


def program(blank: str) -> str:
    """Without the lines of the preprocessor, of the same length."""
    return re.sub(r"^[ \t]*#(?:\\\r?\n|[^\n])*", lambda m: " " * len(m.group()), blank, flags=re.MULTILINE)


def parts(blank: str, open_: int, close: int) -> list[tuple[int, int]]:
    """What stands between the colons in a bracket; the colon of a ? is none of them."""
    found, first, depth, asked = [], open_ + 1, 0, 0
    for i in range(open_ + 1, close):
        depth += (blank[i] in "([{") - (blank[i] in ")]}")
        if depth or blank[i] not in "?:":
            continue
        if blank[i] == "?":
            asked += 1
        elif asked:
            asked -= 1
        else:
            found.append((first, i))
            first = i + 1
    return [*found, (first, close)]


@dataclass(frozen=True)
class Bracket:
    """[first:count:step] in a source: the offsets of its brackets, and the ranges between the colons."""

    open: int
    close: int
    parts: tuple[tuple[int, int], ...]


def sections(source: Source) -> list[Bracket]:
    blank, found = source.blank, []
    if not _COLON.search(blank):
        return found
    for match in _SECTION.finditer(program(blank)):
        open_ = match.start(1)
        close = matching(blank, open_)
        if close > 0 and len(between := parts(blank, open_, close)) > 1:
            found.append(Bracket(open_, close, tuple(between)))
    return found


def masked(source: Source, messages: Messages | None) -> str:
    """Text for libclang: of a section the expressions stay. Coarrays are refused on the way."""
    text, blank = list(source.text), source.blank
    for match in DESC.finditer(blank):  # the argument may be a template or nodes, which C does not know
        start, end = match.span(1)
        text[start:end] = "0" + " " * (end - start - 1)
    for match in _COARRAY.finditer(program(blank)):
        if messages:
            messages.error(source, match.start(), "coarrays are not supported yet; see docs/differences.md.")
        close = matching(blank, match.end() - 1)
        text[match.start() + 1 : close + 1] = " " * (close - match.start())
    for bracket in sections(source):
        before = False
        for (a, b), (c, e) in zip(bracket.parts, bracket.parts[1:], strict=False):
            before |= bool(blank[a:b].strip())
            text[b] = "," if before and blank[c:e].strip() else " "
        if not before and not blank[slice(*bracket.parts[-1])].strip():
            text[bracket.open + 1] = "0"
    return "".join(c if c < "\x80" else "_" for c in text)


def without_file_scope_variables(source: Source, text: str, offset: int) -> str:
    """Extents of the array at `offset` become 1: file-scope arrays sized by a variable are C only once they are aligned."""
    at = re.compile(r"\w*").match(source.blank, offset).end()
    for open_, close in brackets_after(source.blank, at):
        text = text[: open_ + 1] + "1" + " " * (close - open_ - 2) + text[close:]
    return text
