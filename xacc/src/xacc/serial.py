"""The serial program: constant extents written out, and sections as loops."""

from __future__ import annotations

from xacc.assign import serial
from xacc.ast import Tree
from xacc.messages import Messages
from xacc.program import brackets_of
from xacc.sections import Sections
from xacc.text import Source

_FOLDED = "folded to constant array"  # of arrays whose variable length libclang took for a constant


def write_out(tree: Tree, but: set[int]) -> None:
    """File-scope arrays sized by a constant variable are C for Clang, and for all once the size is written out."""
    places = {(str(s.path), o) for s, o in tree.told(_FOLDED)}
    for number, node in enumerate(tree.nodes):
        if node.kind != "VAR_DECL" or node.parent >= 0 or number in but or (str(node.source.path), node.at) not in places:
            continue
        kind = node.type
        for open_, close in brackets_of(node):
            node.source.replace(open_ + 1, close, str(kind.element_count))
            kind = kind.element_type


def serial_text(source: Source, flags: list[str], messages: Messages) -> str:
    """The file with its constant extents written out, and sections as loops; "" where it is C as it stands."""
    tree = Tree(source, flags)
    if not tree.told(_FOLDED) and not tree.sectioned:
        return ""
    write_out(tree, set())
    head = ""
    if tree.sectioned:
        serial(Sections(tree, messages))
        head = '#include "xacc_section.h"\n'
    return f'{head}#line 1 "{source.name}"\n' + ("" if messages.failed else source.result())
