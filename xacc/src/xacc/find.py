"""Finds the pragmas of a source; reads those of xmp, keeps the places of acc and omp."""

from __future__ import annotations

import re

from xacc.ast import Tree
from xacc.directive import Directive
from xacc.messages import Messages, Refused
from xacc.parse import Parser
from xacc.text import Source

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(xmp|XMP|acc|omp)\b", re.MULTILINE)
_LINE = re.compile(r"(?:\\\r*\n|[^\n])*")  # it goes on after a backslash


def pragmas(source: Source) -> list[tuple[str, int, int, int]]:
    """(sentinel, start of the line, end, offset after the sentinel) of every xmp, acc and omp pragma."""
    found = []
    for match in _PRAGMA.finditer(source.blank):
        end = _LINE.match(source.text, match.end()).end()
        end -= end > match.end() and source.text[end - 1] == "\r"
        found.append((match.group(1).lower(), match.start(), end, match.end()))
    return found


_OPERATOR = re.compile(r'\b_Pragma\s*\(\s*"\s*xmp\b')
# What else a macro may stand for, so that this parser must see through it: words of the directives themselves.
_WORD = re.compile(r"(?:block|cyclic|gblock|nowait|nocomm|orthogonal|acc|profile|periodic|async)\b", re.IGNORECASE)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+([^\n]*)", re.MULTILINE)


def structural_macros(texts: list[str]) -> dict[str, str]:
    """Object-like macros that C cannot expand for the parser: *, names, words of directives, a colon or comma outside of brackets."""
    found = {}
    for text in texts:
        for match in _DEFINE.finditer(text):
            body = match.group(2).strip()
            outside = re.sub(r"\([^()]*\)", "", body)
            if body == "*" or _WORD.match(body) or re.fullmatch(r"[A-Za-z_]\w*", body) or (":" in outside and "?" not in outside) or "," in outside or body.startswith(("[", "(") ) and ":" in body and "?" not in body:
                found[match.group(1)] = body
    return found


def parse_all(source: Source, messages: Messages, skipped: list[tuple[int, int]], macros: dict[str, str]) -> tuple[list[Directive], list[tuple[str, int, int, int]]]:
    """All xmp directives of a source that are not in inactive #if parts, and its other pragmas."""
    directives, others = [], []
    for match in _OPERATOR.finditer(source.text):
        if source.blank.startswith("_Pragma", match.start()) and not any(a <= match.start() < b for a, b in skipped):
            messages.error(source, match.start(), "directives in _Pragma are not read; write this directive as #pragma xmp on a separate line.")
    for sentinel, start, end, body in pragmas(source):
        if any(a <= start < b for a, b in skipped):
            continue
        if sentinel != "xmp":
            others.append((sentinel, start, end, body))
            continue
        try:
            directives += Parser(source, start, end, body, macros).parse()
        except Refused as refused:
            messages.error(source, min(refused.offset, max(0, len(source.text) - 1)), refused.text)
    return directives, others


def include_siblings(tree: Tree, sibling: dict[str, str]) -> None:
    """#include lines of translated headers name their siblings."""
    for where, what, offset in tree.includes():
        source = tree.sources.get(where)
        if source is None or what not in sibling:
            continue
        start = source.text.rfind("\n", 0, offset) + 1
        line = re.compile(r'[ \t]*#[ \t]*include[ \t]*(["<][^">\n]*[">])').match(source.text, start)
        if line:
            given = line.group(1)[1:-1]
            folder = given.rpartition("/")[0]
            source.replace(line.start(1), line.end(1), f'"{folder + "/" if folder else ""}{sibling[what]}"')
