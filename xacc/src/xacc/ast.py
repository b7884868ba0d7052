"""The syntax tree of libclang, flattened: what translation asks of it, with offsets in our own sources."""

from __future__ import annotations

import ctypes
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
    system: bool = False  # of a reference: declared in a system header
    type: object = None
    children: list[int] = field(default_factory=list)


def _shown(path: str) -> str:
    """A path as short as a user would write it."""
    relative = os.path.relpath(path)
    return path if relative.startswith("../..") else relative


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
        self._names: dict[str, str] = {}
        self._others: list[str] = []
        texts = {str(source.path): mask.masked(source, None)}
        self.unit = self._parse(texts, flags)
        again = False
        for _, included, _ in self.includes():
            if included in self.sources or included.startswith("/usr/"):
                continue
            header = Source.read(Path(included), _shown(included))
            self._others.append(header.blank)
            if "pragma" in header.text and re.search(r"#\s*pragma\s+xmp", header.text, re.IGNORECASE):
                self.sources[included] = header
                texts[included] = mask.masked(header, None)
                again |= texts[included] != header.text
        for d in self.unit.diagnostics:
            if "variable length array declaration not allowed" in d.spelling and d.location.file:
                path = self._path(d.location.file.name)
                if path in texts:
                    texts[path] = mask.without_file_scope_variables(self.sources[path], texts[path], d.location.offset)
                    again = True
        if again:
            self.unit = self._parse(texts, flags)
        self.sectioned = any("gmove" in s.text.lower() or mask.sections(s) for s in self.sources.values())
        self._flatten()

    def _parse(self, texts: dict[str, str], flags: list[str]) -> object:
        index = cindex.Index.create()
        unsaved = [(path, text) for path, text in texts.items()]
        try:
            record = any(_CONDITION.search(s.text) for s in self.sources.values())  # of inactive parts; it costs time
            return index.parse(str(self.source.path), args=flags, unsaved_files=unsaved, options=int(record))
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
            path = self._path(d.location.file.name) if d.location.file else ""
            found.append((self.sources.get(path), d.location.offset, d.spelling))
        return found

    def folded(self) -> list[tuple[Source, int]]:
        """Arrays whose variable length libclang took for a constant."""
        return [(self.sources[self._path(d.location.file.name)], d.location.offset) for d in self.unit.diagnostics
                if "folded to constant array" in d.spelling and d.location.file and self._path(d.location.file.name) in self.sources]

    def _path(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = str(Path(name).resolve())
        return self._names[name]

    def _flatten(self) -> None:
        kinds = cindex.CursorKind
        preprocessing = (kinds.MACRO_DEFINITION, kinds.MACRO_INSTANTIATION, kinds.INCLUSION_DIRECTIVE)
        own = set(self.sources)
        stack = []
        for cursor in self.unit.cursor.get_children():
            if cursor.kind in preprocessing:
                continue
            f = cursor.location.file
            if f is not None and self._path(f.name) in own:
                stack.append((cursor, -1))
        stack.reverse()
        while stack:
            cursor, parent = stack.pop()
            extent = cursor.extent
            start, end = extent.start, extent.end
            f = start.file
            source = self.sources.get(self._path(f.name)) if f is not None else None
            if source is None:
                source = self.nodes[parent].source if parent >= 0 else None
                if source is None:
                    continue
                node = Node(cursor.kind.name, source, self.nodes[parent].start, self.nodes[parent].end, parent)
            else:
                node = Node(cursor.kind.name, source, start.offset, end.offset, parent)
            number = len(self.nodes)
            kind = node.kind
            if kind in (_FUNCTION, _PARAMETER, _VARIABLE, "TYPEDEF_DECL"):
                node.name, node.at, node.type = cursor.spelling, cursor.location.offset, cursor.type
            elif kind in ("DECL_REF_EXPR", "CALL_EXPR"):
                node.name = cursor.spelling
                node.at = start.offset
                target = cursor.referenced
                if target is not None and target.location.file is not None:
                    node.target = (self._path(target.location.file.name), target.location.offset)
                    node.system = node.target[0] not in own
            if self.sectioned and kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
                node.type = cursor.type
            self.nodes.append(node)
            if parent >= 0:
                self.nodes[parent].children.append(number)
            children = [(child, number) for child in cursor.get_children()]
            children.reverse()
            stack += children

    def skipped(self, source: Source) -> list[tuple[int, int]]:
        """Ranges of inactive #if parts."""
        library = cindex.conf.lib
        get = library.clang_getSkippedRanges
        class Ranges(ctypes.Structure):
            _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]
        get.restype = ctypes.POINTER(Ranges)
        get.argtypes = [cindex.TranslationUnit, cindex.File]
        f = self.unit.get_file(str(source.path))
        found = []
        ranges = get(self.unit, f)
        if ranges:
            for i in range(ranges.contents.count):
                r = ranges.contents.ranges[i]
                found.append((r.start.offset, r.end.offset))
            library.clang_disposeSourceRangeList.argtypes = [ctypes.POINTER(Ranges)]
            library.clang_disposeSourceRangeList(ranges)
        return found

    def includes(self) -> list[tuple[str, str, int]]:
        """(including file, included file, offset of the #include) in the order of inclusion."""
        found = []
        for inclusion in self.unit.get_includes():
            place = inclusion.location
            if place.file is not None and inclusion.include is not None:
                found.append((self._path(place.file.name), self._path(inclusion.include.name), place.offset))
        return found

    def other_headers(self) -> list[str]:
        """The texts of the user's headers."""
        return self._others

    # ---- questions ---------------------------------------------------------------------------------------------
    def ancestors(self, number: int) -> list[int]:
        found = []
        number = self.nodes[number].parent
        while number >= 0:
            found.append(number)
            number = self.nodes[number].parent
        return found

    def inside(self, source: Source, offset: int) -> int:
        """The innermost compound statement that holds the offset, -1 at file scope."""
        best = -1
        for number, node in enumerate(self.nodes):
            if node.source is source and node.kind == "COMPOUND_STMT" and node.start < offset < node.end:
                best = number
        return best

    def body_after(self, source: Source, offset: int) -> int:
        """The body of the function whose head the offset is in, -1 where it is in none."""
        for number, node in enumerate(self.nodes):
            if node.kind == _FUNCTION and node.source is source and node.start < offset < node.end:
                body = next((c for c in self.nodes[number].children if self.nodes[c].kind == "COMPOUND_STMT"), -1)
                return body if body >= 0 and offset < self.nodes[body].start else -1
        return -1

    def end_of(self, number: int) -> int:
        """After the statement, with the semicolon that libclang leaves out of expressions."""
        node = self.nodes[number]
        blank, end = node.source.blank, node.end
        while node.kind in ("FOR_STMT", "WHILE_STMT", "IF_STMT") and node.children:
            number = node.children[-1]
            node = self.nodes[number]
            end = max(end, node.end)
        if end > 0 and blank[end - 1] not in ";}":
            at = end
            while at < len(blank) and blank[at].isspace():
                at += 1
            if blank[at : at + 1] == ";":
                end = at + 1
        return end

    def next_statement(self, source: Source, offset: int) -> int:
        """The outermost statement that begins first after the offset, inside the innermost statement around it."""
        around = -1
        for number, node in enumerate(self.nodes):
            if node.source is source and node.start < offset < node.end and node.kind.endswith("_STMT") and node.kind != "DECL_STMT":
                around = number
        if around < 0:
            return -1
        for child in self.nodes[around].children:
            if self.nodes[child].start > offset:
                return child
        return -1

    def descendants(self, number: int) -> list[int]:
        found, stack = [], list(reversed(self.nodes[number].children))
        while stack:
            n = stack.pop()
            found.append(n)
            stack += reversed(self.nodes[n].children)
        return found
