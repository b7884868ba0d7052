"""What libclang must not see: extension syntax becomes plain C of the same length, so that every offset stays."""

from __future__ import annotations

import re

from xacc.messages import Messages
from xacc.text import Source, matching

_DESC = re.compile(r"\bxmp_desc_of\s*\(\s*([A-Za-z_]\w*)\s*\)")
_SECTION = re.compile(r"[\w\])]\s*(\[)")
_COARRAY = re.compile(r"\]\s*:\s*\[")


def masked(source: Source, messages: Messages | None) -> str:
    """Text for libclang. Sections and coarrays are refused on the way."""
    text, blank = list(source.text), source.blank
    preprocessor = [(m.start(), m.end()) for m in re.finditer(r"^[ \t]*#(?:\\\r?\n|[^\n])*", blank, re.MULTILINE)]
    inside = [False] * len(blank)
    for start, end in preprocessor:
        inside[start:end] = [True] * (end - start)
    for match in _DESC.finditer(blank):  # the argument may be a template or nodes, which C does not know
        start, end = match.span(1)
        text[start:end] = "0" + " " * (end - start - 1)
    for match in _COARRAY.finditer(blank):
        if inside[match.start()]:
            continue
        if messages:
            messages.error(source, match.start(), "coarrays are not supported yet; see docs/differences.md.")
        close = matching(blank, match.end() - 1)
        text[match.start() + 1 : close + 1] = " " * (close - match.start())
    for match in _SECTION.finditer(blank):
        start = match.start(1)
        if inside[start]:
            continue
        close = matching(blank, start)
        depth = 0
        for i in range(start + 1, max(close, start)):
            depth += (blank[i] in "([{") - (blank[i] in ")]}")
            if depth == 0 and blank[i] == ":" and "?" not in blank[start:i] and blank[i - 1 : i + 2].count(":") == 1:
                if messages:
                    messages.error(source, start, "array sections outside of directives are not supported yet; see docs/differences.md.")
                text[start + 1 : close] = "0" + " " * (close - start - 2) if close - start > 1 else ""
                break
    return "".join(c if c < "\x80" else "_" for c in text)


def without_file_scope_variables(source: Source, text: str, offset: int) -> str:
    """Extents of the array at `offset` become 1: file-scope arrays sized by a variable are C only once they are aligned."""
    at = offset
    while at < len(text) and (source.blank[at].isalnum() or source.blank[at] == "_"):
        at += 1
    out = text
    while at < len(out):
        while at < len(out) and out[at].isspace():
            at += 1
        if out[at : at + 1] != "[":
            break
        close = matching(source.blank, at)
        if close < 0:
            break
        out = out[: at + 1] + "1" + " " * (close - at - 2) + out[close:]
        at = close + 1
    return out
