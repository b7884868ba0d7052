"""Text of a directive that is no C here: found by a second parse, and shown where the user wrote it.

Expressions of clauses go into the translation as they are written. What a compiler would say of them there names a column of a line
that nobody wrote; libclang says the same of the translated text, and its place leads back to the directive.
"""

from __future__ import annotations

import re

from xacc.ast import cindex
from xacc.directive import Directive
from xacc.messages import Messages
from xacc.text import Source

_LONGEST = 40  # letters of the translation that are looked up in the directive


def verify(source: Source, text: str, head: int, siblings: dict[str, str], directives: list[Directive], flags: list[str],
           messages: Messages) -> None:
    """Errors in what the edits of `source` wrote. `text`: its translation, of which the first `head` letters come before the source;
    siblings: translated headers by path."""
    plain = {str(source.path): _ascii(text), **{path: _ascii(other) for path, other in siblings.items()}}
    try:
        unit = cindex.Index.create().parse(str(source.path), args=flags, unsaved_files=list(plain.items()))
    except cindex.TranslationUnitLoadError:
        return
    seen = set()
    for found in unit.diagnostics:
        if found.severity < cindex.Diagnostic.Error or found.location.file is None or found.location.file.name != str(source.path):
            continue
        edit = source.edit_at(found.location.offset - head)
        if edit is None:
            continue
        d = max((d for d in directives if d.source is source and d.start <= edit), key=lambda d: d.start, default=None)
        if d is None or id(d) in seen:
            continue
        seen.add(id(d))
        messages.error(source, _place(d, found.spelling, text[found.location.offset :]), f"{found.spelling}.")


def _ascii(text: str) -> str:
    return "".join(c if c < "\x80" else "_" for c in text)


def _place(d: Directive, sentence: str, rest: str) -> int:
    """Where the directive has what the sentence is about: the name in quotes, or the longest text that the translation has there."""
    written = d.source.blank[d.start : d.end]
    quoted = re.search(r"'([A-Za-z_]\w*)'", sentence)
    named = re.search(rf"\b{quoted.group(1)}\b", written[d.offset - d.start :]) if quoted else None
    if named:
        return d.offset + named.start()
    for length in range(min(_LONGEST, len(rest)), 0, -1):
        at = written.find(rest[:length], d.offset - d.start)
        if at >= 0 and rest[:length].strip():
            return d.start + at
    return d.offset
