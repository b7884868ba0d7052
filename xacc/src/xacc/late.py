"""Arrays that get their elements when the program runs: xmp_malloc and xmp_free of pointers that are aligned; the library's other calls."""

from __future__ import annotations

import re
from pathlib import Path

from xacc.ast import Node
from xacc.forms import new_array
from xacc.messages import Refused, as_many, nearest
from xacc.program import Array, Program
from xacc.references import References, Use
from xacc.sections import Sections, written
from xacc.text import matching, split

_FREE = ("free", "xmp_free")
_OF = re.compile(r"\s*xmp_desc_of\s*\(\s*([A-Za-z_]\w*)\s*\)\s*$")
HEADER = (Path(__file__).parent / "runtime" / "xmp.h").read_text(encoding="utf-8")
LIBRARY = frozenset(re.findall(r"\bxmpc?_\w+", HEADER))


def arguments(call: Node) -> list[str]:
    """As they are written; none where a macro has them."""
    blank, end = call.source.blank, call.start + len(call.name)
    open_ = blank.find("(", end) if blank.startswith(call.name, call.start) else -1
    close = matching(blank, open_)
    return [written(call.source, a, b) for a, b in split(blank, open_ + 1, close, ",")] if 0 <= open_ < close else []


class Late:
    def __init__(self, program: Program, sections: Sections, references: References) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self.sections, self.references = sections, references
        self.done: list[tuple[str, int, int]] = []  # ranges of sources that are replaced

    def calls(self, defined: set[str]) -> None:
        """Replaces the calls that make and free arrays, and refuses those that the runtime does not have."""
        for number, node in enumerate(self.tree.nodes):
            if node.kind != "CALL_EXPR" or not node.source.blank.startswith(node.name or " ", node.start):
                continue
            if node.name == "xmp_malloc":
                with self.messages.refusals(node.source):
                    self.malloc(number)
            elif node.name in _FREE:
                self.free(number)
            elif node.name.startswith(("xmp_", "xmpc_")) and node.name not in LIBRARY | {"xmp_desc_of"} and node.name not in defined:
                near = nearest(node.name, LIBRARY) or "; see docs/differences.md."
                self.messages.error(node.source, node.start, f"{node.name} is not in the library{near}")

    def use(self, number: int, name: str) -> Use | None:
        """The use of a pointer array inside of a node."""
        node = self.tree.nodes[number]
        inside = self.references.within(node.source, node.start, node.end)
        return next((u for u in inside if u.array.pointer and u.array.name == name), None)

    def malloc(self, number: int) -> None:
        node, (up, _) = self.tree.nodes[number], self.tree.outward(number, ("UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR"))
        one = self.sections.assignment(node.source, up)
        use = self.use(up, one.left.name) if one is not None and not one.left.brackets else None
        if use is None:
            raise Refused(node.start, "xmp_malloc is for a pointer that is aligned: write a = xmp_malloc(xmp_desc_of(a), extents);")
        array, (first, *extents) = use.array, arguments(self.tree.nodes[number])
        of = _OF.match(first)
        if of is None or of.group(1) != array.name:
            raise Refused(node.start, f"the first argument of this xmp_malloc is xmp_desc_of({array.name}).")
        as_many(len(array.axes), extents, node.start, f"array {array.name}", " extents by xmp_malloc")
        call = new_array(array, "0", 1, [f"({e})" for e in extents])
        self.replace(use, one.start, one.end + 1, f"{{ {array.raw} = {call}; xacc_g_{array.name} = xacc_view({array.raw}); }}")

    def free(self, number: int) -> None:
        node, given = self.tree.nodes[number], arguments(self.tree.nodes[number])
        if len(given) != 1:
            return
        of = _OF.match(given[0])
        use = self.use(number, of.group(1) if of else given[0])
        array = use.array if use is not None else self.program.array(of.group(1), node.source, node.start) if of else None
        if array is not None and array.pointer:
            self.replace(use, node.start, node.end, f"(xacc_array_release(&{array.raw}), xacc_g_{array.name} = 0)")
        elif node.name == "xmp_free":
            self.messages.error(node.source, node.start, "xmp_free frees an array that xmp_malloc has made.")

    def replace(self, use: Use | None, start: int, end: int, text: str) -> None:
        source = use.source if use is not None else self.tree.source
        source.replace(start, end, text)
        self.done.append((str(source.path), start, end))
        self.references.hide(source, start, end)

    def taken(self, path: str, offset: int) -> bool:
        return any(p == path and a <= offset < b for p, a, b in self.done)


def declarator(array: Array, node: object, rows: list[tuple[int, int]]) -> tuple[int, int, str]:
    """What replaces the declarator of a pointer that is aligned: its range and the new text."""
    blank = node.source.blank
    if not rows:
        return node.at, node.at + len(node.name), f"xacc_g_{array.name}"
    return blank.rfind("(", 0, node.at), rows[-1][1] + 1, f"*xacc_g_{array.name}"
