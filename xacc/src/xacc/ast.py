"""The syntax tree of libclang, flattened: what translation asks of it, with offsets in our own sources."""

from __future__ import annotations

import bisect
import ctypes
import functools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from xacc import mask
from xacc.messages import XaccError
from xacc.text import Source

try:
    from clang import cindex
except ImportError:  # pragma: no cover
    cindex = None

_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|else|elif)", re.MULTILINE)
_SEMICOLON = re.compile(r"\s*;")
_FUNCTION, _PARAMETER, _VARIABLE = "FUNCTION_DECL", "PARM_DECL", "VAR_DECL"


@dataclass(slots=True)
class Node:
    kind: str
    source: Source
    start: int
    end: int
    parent: int
    name: str = ""
    at: int = -1  # of the name
    target: tuple[str, int] | None = None  # of a reference: file and offset of the declaration
    system: bool = False  # of a reference: declared in another file than the sources
    library: bool = False  # the same: in a header of a library
    type: object = None
    children: list[int] = field(default_factory=list)

    @property
    def qualifiers(self) -> list[str]:
        """The words of a declaration before the name."""
        blank = self.source.blank
        return blank[max(blank.rfind(c, 0, self.at) for c in ";{}") + 1 : self.at].split()


def shown(path: str) -> str:
    """A path as short as a user would write it."""
    relative = os.path.relpath(path)
    return path if relative.startswith("../..") else relative


@functools.cache
def _resolved(name: str) -> str:
    return str(Path(name).resolve())


def _in_system_header(location: object) -> bool:
    ask = cindex.conf.lib.clang_Location_isInSystemHeader
    ask.argtypes, ask.restype = [cindex.SourceLocation], ctypes.c_int
    return bool(ask(location))


class Tree:
    """`nodes` in the order of the text; only of the given sources."""

    def __init__(self, source: Source, flags: list[str]) -> None:
        if cindex is None:
            raise XaccError("libclang for Python is missing: install the Debian package python3-clang, or pip install libclang.")
        self.source = source
        self.sources = {str(source.path): source}
        self.nodes: list[Node] = []
        self.others: list[str] = []  # texts of the user's headers
        texts = {str(source.path): mask.masked(source, None)}
        self.unit = self._parse(texts, flags)
        again = False
        for _, included, _ in self.includes():
            if included in self.sources or included.startswith("/usr/"):
                continue
            header = Source.read(Path(included), shown(included))
            self.others.append(header.blank)
            if "pragma" in header.text and re.search(r"#\s*pragma\s+xmp", header.text, re.IGNORECASE):
                self.sources[included] = header
                texts[included] = mask.masked(header, None)
                again |= texts[included] != header.text
        for header, offset in self.told("variable length array declaration not allowed"):
            path = str(header.path)
            texts[path] = mask.without_file_scope_variables(header, texts[path], offset)
            again = True
        if again:
            self.unit = self._parse(texts, flags)
        self.sectioned = any("gmove" in s.text.lower() or mask.sections(s) for s in self.sources.values())
        self._flatten()
        functions = [n for n, node in enumerate(self.nodes) if node.kind == _FUNCTION]
        self.defined = {self.nodes[n].name: n for n in functions if self.body(n) >= 0}
        self._functions = {path: [n for n in functions if self.nodes[n].source is one] for path, one in self.sources.items()}
        self._statements: dict[str, tuple[list[int], list[int]]] = {}
        for path, one in self.sources.items():
            found = sorted((node.start, n) for n, node in enumerate(self.nodes) if node.source is one and node.kind.endswith("_STMT"))
            self._statements[path] = ([start for start, _ in found], [n for _, n in found])

    def _parse(self, texts: dict[str, str], flags: list[str]) -> object:
        record = any(_CONDITION.search(s.text) for s in self.sources.values())  # of inactive parts; it costs time
        try:
            return cindex.Index.create().parse(str(self.source.path), args=flags, unsaved_files=[*texts.items()], options=int(record))
        except cindex.TranslationUnitLoadError:
            raise XaccError(f"{self.source.name}: libclang cannot read this file.") from None

    def errors(self) -> list[tuple[Source | None, int, str]]:
        """What libclang found wrong, where it is not the file-scope arrays above.

        Errors inside system headers are none of the source: headers of GCC have attributes that libclang does not know, and
        the compiler reads them again.
        """
        found = []
        for d in self.unit.diagnostics:
            if d.severity < cindex.Diagnostic.Error or (d.severity == cindex.Diagnostic.Error and _in_system_header(d.location)):
                continue
            path = _resolved(d.location.file.name) if d.location.file else ""
            found.append((self.sources.get(path), d.location.offset, d.spelling))
        return found

    def told(self, what: str) -> list[tuple[Source, int]]:
        """Where libclang says this of our sources."""
        found = [(_resolved(d.location.file.name), d.location.offset) for d in self.unit.diagnostics if what in d.spelling and d.location.file]
        return [(self.sources[path], offset) for path, offset in found if path in self.sources]

    def _flatten(self) -> None:
        kinds = cindex.CursorKind
        preprocessing = (kinds.MACRO_DEFINITION, kinds.MACRO_INSTANTIATION, kinds.INCLUSION_DIRECTIVE)
        own = set(self.sources)
        stack = [(cursor, -1) for cursor in self.unit.cursor.get_children() if cursor.kind not in preprocessing
                 and cursor.location.file is not None and _resolved(cursor.location.file.name) in own][::-1]
        while stack:
            cursor, parent = stack.pop()
            extent = cursor.extent
            start, end = extent.start, extent.end
            f = start.file
            source = self.sources.get(_resolved(f.name)) if f is not None else None
            if source is not None:
                node = Node(cursor.kind.name, source, start.offset, end.offset, parent)
            elif parent >= 0:
                node = Node(cursor.kind.name, self.nodes[parent].source, self.nodes[parent].start, self.nodes[parent].end, parent)
            else:
                continue
            number, kind = len(self.nodes), node.kind
            if kind in (_FUNCTION, _PARAMETER, _VARIABLE, "TYPEDEF_DECL"):
                node.name, node.at, node.type = cursor.spelling, cursor.location.offset, cursor.type
            elif kind in ("DECL_REF_EXPR", "CALL_EXPR"):
                node.name, node.at = cursor.spelling, start.offset
                target = cursor.referenced
                if target is not None and target.location.file is not None:
                    node.target = (_resolved(target.location.file.name), target.location.offset)
                    node.system = node.target[0] not in own
                    node.library = node.system and _in_system_header(target.location)
            if self.sectioned and kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
                node.type = cursor.type
            self.nodes.append(node)
            if parent >= 0:
                self.nodes[parent].children.append(number)
            stack += [(child, number) for child in cursor.get_children()][::-1]

    def skipped(self, source: Source) -> list[tuple[int, int]]:
        """Ranges of inactive #if parts."""
        library = cindex.conf.lib
        get = library.clang_getSkippedRanges
        class Ranges(ctypes.Structure):
            _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]
        get.restype = ctypes.POINTER(Ranges)
        get.argtypes = [cindex.TranslationUnit, cindex.File]
        if not (ranges := get(self.unit, self.unit.get_file(str(source.path)))):
            return []
        found = [(r.start.offset, r.end.offset) for r in ranges.contents.ranges[: ranges.contents.count]]
        library.clang_disposeSourceRangeList.argtypes = [ctypes.POINTER(Ranges)]
        library.clang_disposeSourceRangeList(ranges)
        return found

    def includes(self) -> list[tuple[str, str, int]]:
        """(including file, included file, offset of the #include) in the order of inclusion."""
        return [(_resolved(i.location.file.name), _resolved(i.include.name), i.location.offset) for i in self.unit.get_includes()
                if i.location.file is not None and i.include is not None]

    def ancestors(self, number: int) -> list[int]:
        found = []
        while number >= 0 and (number := self.nodes[number].parent) >= 0:
            found.append(number)
        return found

    def outward(self, number: int, kinds: tuple[str, ...] = ("UNEXPOSED_EXPR", "PAREN_EXPR")) -> tuple[int, int]:
        """The first node around that is none of these kinds, and what of it the number is in."""
        up = self.nodes[number].parent
        while up >= 0 and self.nodes[up].kind in kinds:
            number, up = up, self.nodes[up].parent
        return up, number

    def innermost(self, source: Source, offset: int, *kinds: str) -> int:
        """The innermost statement that holds the offset, of these kinds or any but declarations; -1 at file scope."""
        starts, numbers = self._statements[str(source.path)]
        at = bisect.bisect_left(starts, offset) - 1
        for number in (numbers[at], *self.ancestors(numbers[at])) if at >= 0 else ():
            node = self.nodes[number]
            if node.end > offset and (node.kind in kinds if kinds else node.kind.endswith("_STMT") and node.kind != "DECL_STMT"):
                return number
        return -1

    def inside(self, source: Source, offset: int) -> int:
        """The innermost block that holds the offset, -1 at file scope."""
        return self.innermost(source, offset, "COMPOUND_STMT")

    def body(self, function: int) -> int:
        """The block of a function's definition; -1 of a declaration."""
        return next((c for c in self.nodes[function].children if self.nodes[c].kind == "COMPOUND_STMT"), -1)

    def parameters(self, function: int) -> list[int]:
        """Of a function; none of anything else."""
        found = self.nodes[function].children if function >= 0 and self.nodes[function].kind == _FUNCTION else ()
        return [c for c in found if self.nodes[c].kind == _PARAMETER]

    def body_after(self, source: Source, offset: int) -> int:
        """The body of the function whose head the offset is in, -1 where it is in none."""
        functions = self._functions[str(source.path)]
        at = bisect.bisect_left(functions, offset, key=lambda n: self.nodes[n].start) - 1
        body = self.body(functions[at]) if at >= 0 else -1
        return body if body >= 0 and offset < self.nodes[body].start else -1

    def end_of(self, number: int) -> int:
        """After the statement, with the semicolon that libclang leaves out of expressions."""
        node = self.nodes[number]
        blank, end = node.source.blank, node.end
        while node.kind in ("FOR_STMT", "WHILE_STMT", "IF_STMT") and node.children:
            number = node.children[-1]
            node = self.nodes[number]
            end = max(end, node.end)
        semicolon = _SEMICOLON.match(blank, end) if end > 0 and blank[end - 1] not in ";}" else None
        return semicolon.end() if semicolon else end

    def next_statement(self, source: Source, offset: int) -> int:
        """The outermost statement that begins first after the offset, inside the innermost statement around it."""
        around = self.innermost(source, offset)
        children = self.nodes[around].children if around >= 0 else []
        at = bisect.bisect_right(children, offset, key=lambda c: self.nodes[c].start)
        return children[at] if at < len(children) else -1

    def descendants(self, number: int, *kinds: str) -> list[int]:
        """All nodes below, or those of these kinds, in the order of the text."""
        found, stack = [], self.nodes[number].children[::-1]
        while stack:
            n = stack.pop()
            found.append(n)
            stack += self.nodes[n].children[::-1]
        return [n for n in found if self.nodes[n].kind in kinds] if kinds else found
