"""Every use of a distributed array: which functions need its declaration, which subscripts change, what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xacc.ast import Node
from xacc.loops import BlockLoop
from xacc.program import Array, Program
from xacc.text import Source, brackets_after, matching, trim

_POINTER = ("UNARY_OPERATOR", "BINARY_OPERATOR", "VAR_DECL", "RETURN_STMT", "CSTYLE_CAST_EXPR", "CONDITIONAL_OPERATOR", "INIT_LIST_EXPR",
            "COMPOUND_ASSIGNMENT_OPERATOR")
_MEMORY = re.compile(r"(?:__builtin_)?_*(mem|str|bcopy|bzero|qsort|fread|fwrite|wmem)\w*$")


@dataclass(eq=False)
class Use:
    array: Array
    source: Source
    start: int  # of the name
    end: int
    brackets: list[tuple[int, int]]  # of its subscripts, as many as it has dimensions at most
    node: int  # -1: in the argument of a macro
    mode: str = "r"
    plain: bool = False  # proved to be of the node's own elements

    def subscript(self, dimension: int) -> tuple[int, str]:
        """Its offset and its text."""
        start, end = trim(self.source.blank, self.brackets[dimension][0] + 1, self.brackets[dimension][1])
        return start, self.source.blank[start:end]


class References:
    def __init__(self, program: Program, shift: bool, check: bool, aligned_elsewhere: set[tuple[str, int]], defined: set[str],
                 whole: bool) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self.shift, self.check = shift, check
        self.elsewhere, self.defined, self.whole = aligned_elsewhere, defined, whole
        self.uses: list[Use] = []
        self.seen: set[tuple[str, int]] = set()
        declared = [(self.tree.nodes[n], array) for array in program.arrays for n in array.nodes]
        self.aligned = {tuple(a.nodes) for a in program.arrays}
        self.by_place = {(str(node.source.path), node.at): array for node, array in declared}

    def refuse(self, use: Use, text: str) -> None:
        self.messages.error(use.source, use.start, text)

    def find(self) -> None:
        for number, node in enumerate(self.tree.nodes):
            if node.kind == "DECL_REF_EXPR" and node.target in self.by_place:
                array, source = self.by_place[node.target], node.source
                if re.compile(rf"{array.name}(?!\w)").match(source.blank, node.at):
                    self.add(array, source, node.at, number)
                else:
                    self.in_macro(array, source, node.at, number)

    def add(self, array: Array, source: Source, start: int, number: int, mode: str = "r") -> None:
        """A use, once."""
        if (str(source.path), start) not in self.seen:
            self.seen.add((str(source.path), start))
            end = start + len(array.name)
            brackets = brackets_after(source.blank, end, len(array.axes))
            self.uses.append(Use(array, source, start, brackets[-1][1] + 1 if brackets else end, brackets, number, mode))

    def within(self, source: Source, start: int, end: int) -> list[Use]:
        return [u for u in self.uses if u.source is source and start <= u.start < end]

    def array_at(self, source: Source, start: int) -> Array | None:
        """The array of the use that begins here."""
        return next((u.array for u in self.within(source, start, start + 1)), None)

    def hide(self, source: Source, start: int, end: int) -> None:
        """These uses are not written again: their text is replaced."""
        for use in self.within(source, start, end):
            use.mode = "h"

    def in_macro(self, array: Array, source: Source, at: int, number: int) -> None:
        """A use inside a macro call: in its arguments it is rewritten there, in its body it cannot be."""
        match = re.compile(r"([A-Za-z_]\w*)\s*(\()?").match(source.blank, at)
        hits = []
        if match and match.group(2):
            close = matching(source.blank, match.end() - 1)
            hits = [*re.compile(rf"(?<![\w.>]){array.name}\b").finditer(source.blank, match.end(), max(close, match.end()))]
        for hit in hits:
            self.add(array, source, hit.start(), number, "m")
        if not hits:
            self.uses.append(Use(array, source, at, at, [], number, "h"))
            if array.cyclic or array.pointer or not self.shift:
                why = "its cyclic dimension" if array.cyclic else "its late origin" if array.pointer else "--no-shift"
                self.messages.error(source, at, f"macro {match.group(1) if match else 'a macro'} hides a subscript of array {array.name}, which {why} has to "
                                                "change; write it out.")

    def judge(self) -> None:
        for use in self.uses:
            array = use.array
            if array.order > self.program.order(use.source, use.start) and array.place != "file":
                self.refuse(use, f"array {array.name} is used before its align and shadow directives.")
            elif array.place == "static" and self.tree.nodes[array.nodes[0]].parent < 0 and array.scope not in self.program.scopes(use.source, use.start):
                self.refuse(use, f"array {array.name} is aligned in a block, and this use stands outside; align it at file scope.")
            elif self.program.function_of(use.node) < 0:
                self.refuse(use, f"array {array.name} is distributed and has no address before the program starts; use it in a function.")
            elif use.mode not in ("h", "m"):
                self.one(use)

    def one(self, use: Use) -> None:
        nodes, text = self.tree.nodes, use.source.blank
        array, name, full = use.array, use.array.name, len(use.brackets) == len(use.array.axes)
        child, number = use.node, nodes[use.node].parent
        while number >= 0 and (
                nodes[number].kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") or (nodes[number].kind == "MEMBER_REF_EXPR" and full)
                or (nodes[number].kind == "ARRAY_SUBSCRIPT_EXPR" and nodes[number].children[:1] == [child])):
            child, number = number, nodes[number].parent
        if number < 0:
            return
        node, kind = nodes[number], nodes[number].kind
        rows = bool(use.brackets) and all(a.plain for a in array.axes[len(use.brackets) :])  # a local row is like a global one
        if kind == "CXX_UNARY_EXPR":
            use.mode = "a"
            if not full and not rows and text.startswith("sizeof", node.start):
                self.refuse(use, f"sizeof of the distributed array {name} is not its size on a node; use its extents.")
        elif kind == "UNARY_OPERATOR" and text[node.start] == "&":
            use.mode = "a"
            if full:
                self.address(use, number)
            elif not rows:
                self.messages.error(use.source, node.start, f"the address of the distributed array {name} means nothing on a node; pass the array by its name.")
        elif full:
            first, signs = node.children[:1] == [child], ("++", "--")
            if kind == "BINARY_OPERATOR" and first and self.assigns(node):
                use.mode = "w"
            elif (kind == "COMPOUND_ASSIGNMENT_OPERATOR" and first) or (
                    kind == "UNARY_OPERATOR" and (text[node.start : node.start + 2] in signs or text[node.end - 2 : node.end] in signs)):
                use.mode = "b"
        elif not rows:
            self.part(use, number, child)

    def part(self, use: Use, number: int, child: int) -> None:
        """Refuses an array, or a part of one, by itself."""
        name, kind = use.array.name, self.tree.nodes[number].kind
        what = f"{name}{'[...]' * len(use.brackets)}"
        if kind == "CALL_EXPR":
            self.argument(use, number, child, what)
        elif kind == "ARRAY_SUBSCRIPT_EXPR":
            self.refuse(use, f"array {name} is distributed; write its subscripts as {name}[i].")
        elif kind in _POINTER:
            self.refuse(use, f"{what} of a distributed array as a pointer: other nodes have parts of the array; use {name} with all its subscripts.")

    def assigns(self, node: Node) -> bool:
        return re.match(r"\s*\)*\s*=(?!=)", node.source.blank[self.tree.nodes[node.children[0]].end : node.end]) is not None

    def address(self, use: Use, number: int) -> None:
        up, child = self.tree.outward(number, ("UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR"))
        call = self.tree.nodes[up]
        if up < 0 or call.kind == "UNARY_OPERATOR":
            return
        if call.kind == "CALL_EXPR" and call.children and call.children[0] != child:
            fine = (call.system and not _MEMORY.match(call.name)) or self.stays(call.name, call.children.index(child) - 1, set())
        else:
            fine = self.kept(up, child)
        if not fine:
            self.messages.warning(use.source, self.tree.nodes[number].start, f"a pointer to an element of the distributed array {use.array.name}: "
                                                                             "only its neighbours on the same node can be reached from it.")

    def kept(self, number: int, child: int) -> bool:
        """Is it kept in a variable of the function that is used for the one element only?"""
        nodes, node = self.tree.nodes, self.tree.nodes[number]
        variable = None
        if node.kind == "VAR_DECL" and node.parent >= 0:
            variable = (str(node.source.path), node.at)
        elif node.kind == "BINARY_OPERATOR" and node.children[1:] == [child] and self.assigns(node):
            variable = nodes[node.children[0]].target
        if not any(n.kind in ("VAR_DECL", "PARM_DECL") and (str(n.source.path), n.at) == variable and n.parent >= 0 for n in nodes):
            return False
        uses = [n for n, other in enumerate(nodes) if other.kind == "DECL_REF_EXPR" and other.target == variable]
        return all(self.stays_here(n, set()) or self.assigned(n) for n in uses)

    def assigned(self, number: int) -> bool:
        parent = self.tree.nodes[self.tree.nodes[number].parent]
        return parent.kind == "BINARY_OPERATOR" and parent.children[0] == number and self.assigns(parent)

    def stays(self, name: str, place: int, asked: set[tuple[str, int]]) -> bool:
        """Does this function use its pointer parameter for the one element only: by ->, *, or handed on to its like?"""
        if (name, place) in asked:
            return True
        asked.add((name, place))
        nodes, function = self.tree.nodes, self.tree.defined.get(name, -1)
        parameters = self.tree.parameters(function)
        if not 0 <= place < len(parameters):
            return False
        own = (str(nodes[parameters[place]].source.path), nodes[parameters[place]].at)
        return all(self.stays_here(n, asked) for n in self.tree.descendants(function, "DECL_REF_EXPR") if nodes[n].target == own)

    def stays_here(self, number: int, asked: set[tuple[str, int]]) -> bool:
        up, child = self.tree.outward(number)
        node = self.tree.nodes[up]
        if node.kind == "CALL_EXPR" and child in node.children[1:]:
            return self.stays(node.name, node.children.index(child) - 1, asked)
        return node.kind == "MEMBER_REF_EXPR" or (node.kind == "UNARY_OPERATOR" and node.source.blank[node.start] == "*")

    def argument(self, use: Use, number: int, child: int, what: str) -> None:
        call, given = self.tree.nodes[number], f"is given the distributed array {use.array.name},"
        function = call.name or "a function"
        if call.name.startswith("xmp_"):
            return
        if call.library or _MEMORY.match(call.name):
            self.refuse(use, f"{function} of a system library {given} of which a node has a part; use a loop directive.")
            return
        if use.brackets:
            self.refuse(use, f"{what} is part of a distributed array; pass the whole array {use.array.name}.")
            return
        place = call.children.index(child) - 1 if child in call.children else -1
        if place >= 0 and call.name in self.tree.defined:
            parameters = self.tree.parameters(self.tree.defined[call.name])
            if place < len(parameters) and (parameters[place],) not in self.aligned:
                self.refuse(use, f"{call.name} {given} but does not align its parameter {self.tree.nodes[parameters[place]].name or place + 1}.")
        elif (call.name, place) in self.elsewhere or not self.whole:
            return
        elif call.name in self.defined:
            self.refuse(use, f"{call.name} {given} but does not align its parameter {place + 1}.")
        else:
            self.refuse(use, f"{function} {given} but its definition is not among the files given; translate them together.")

    def rewrite(self, block_loops: list[BlockLoop]) -> None:
        for use in self.uses:
            array, source, check = use.array, use.source, self.check and not use.plain
            if use.mode == "h":
                continue
            if array.pointer and not (check and len(use.brackets) == len(array.axes)):
                source.replace(use.start, use.start + len(array.name), array.base)
            if not use.brackets:
                continue
            d = array.descriptor
            if check and len(use.brackets) == len(array.axes):
                source.replace(use.start, use.brackets[0][0] + 1, self.looked_at(array, "r" if use.mode == "m" else use.mode) + "(long)(")
                for (_, close), (open_, _) in zip(use.brackets, use.brackets[1:], strict=False):
                    source.replace(close, open_ + 1, "), (long)(")
                source.replace(use.brackets[-1][1], use.brackets[-1][1] + 1, ")))")
                continue
            for i, ((open_, close), axis) in enumerate(zip(use.brackets, array.axes, strict=False)):
                if check:
                    call = f"xacc_index({d}, XACC_HERE, {i}, "
                elif axis.cyclic:
                    block = self.block_of(use, i, source.blank[open_ + 1 : close].strip(), block_loops)
                    call = f"({block}.shift + " if block else f"xacc_cyclic({d}, {i}, "
                elif not self.shift and not axis.plain:
                    call = f"xacc_local({d}, {i}, "
                else:
                    continue
                source.insert(open_ + 1, call)
                source.insert_first(close, ")")

    def looked_at(self, array: Array, mode: str) -> str:
        """What comes before the subscripts where --check looks at an access."""
        return f"(*(__typeof__({array.element})*)xacc_at({array.descriptor}, XACC_HERE, '{mode}', {len(array.axes)}, "

    def element(self, array: Array, subscripts: list[str], mode: str) -> str:
        """An element with these subscripts, as rewrite would leave it; of elements that are arrays, with the subscripts after them."""
        d, n = array.descriptor, len(array.axes)
        rest = "".join(f"[{s}]" for s in subscripts[n:])
        if self.check:
            return f"{self.looked_at(array, mode)}{', '.join(f'(long)({s})' for s in subscripts[:n])})){rest}"
        inner = []
        for i, (s, axis) in enumerate(zip(subscripts, array.axes, strict=False)):
            call = "xacc_cyclic" if axis.cyclic else "" if self.shift or axis.plain else "xacc_local"
            inner.append(f"[{call}({d}, {i}, {s})]" if call else f"[{s}]")
        return f"{array.base}{''.join(inner)}{rest}"

    def block_of(self, use: Use, dimension: int, subscript: str, block_loops: list[BlockLoop]) -> str:
        """The blocks of the loop around a use whose variable is the subscript and runs over the block in which the element is; "" else."""
        axis = use.array.axes[dimension]
        inside = [one for one in block_loops if one.source is use.source and one.body[0] <= use.start < one.body[1] and one.variable == subscript]
        one = max(inside, key=lambda one: one.body[0], default=None)
        if one is None or use.mode == "m" or axis.full or (one.template, one.axis) != (use.array.template.variable, axis.axis):
            return ""
        return one.name if "".join(one.offset.split()) == "".join(axis.offset.split()) else ""
