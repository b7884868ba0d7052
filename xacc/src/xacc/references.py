"""Every use of a distributed array: which functions need its declaration, which subscripts change, what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xacc.loops import BlockLoop
from xacc.program import Array, Program
from xacc.text import Source, matching

_MEMORY = re.compile(r"(?:__builtin_)?_*(mem|str|bcopy|bzero|qsort|fread|fwrite|wmem)\w*$")


@dataclass
class Use:
    array: Array
    source: Source
    start: int  # of the name
    end: int
    brackets: list[tuple[int, int]]  # of its subscripts, as many as it has dimensions at most
    node: int  # -1: in the argument of a macro
    mode: str = "r"
    plain: bool = False  # proved to be of the node's own elements


class References:
    def __init__(self, program: Program, shift: bool, check: bool, aligned_elsewhere: set[tuple[str, int]], defined: set[str],
                 whole: bool) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self.shift, self.check = shift, check
        self.elsewhere, self.defined, self.whole = aligned_elsewhere, defined, whole
        self.uses: list[Use] = []
        self.by_place = {}
        for array in program.arrays:
            for number in array.nodes:
                node = self.tree.nodes[number]
                self.by_place[(str(node.source.path), node.at)] = array

    # ---- finding -----------------------------------------------------------------------------------------------
    def find(self) -> None:
        seen = set()
        for number, node in enumerate(self.tree.nodes):
            if node.kind != "DECL_REF_EXPR" or node.target not in self.by_place:
                continue
            array, source = self.by_place[node.target], node.source
            if source.blank.startswith(array.name, node.at) and not source.blank[node.at + len(array.name) : node.at + len(array.name) + 1].isalnum():
                use = self.chain(array, source, node.at, number)
                if (str(source.path), use.start) not in seen:
                    seen.add((str(source.path), use.start))
                    self.uses.append(use)
                continue
            self.in_macro(array, source, node.at, number, seen)

    def in_macro(self, array: Array, source: Source, at: int, number: int, seen: set) -> None:
        """A use inside a macro call: in its arguments it is rewritten there, in its body it cannot be."""
        match = re.compile(r"[A-Za-z_]\w*\s*").match(source.blank, at)
        found = False
        if match and source.blank[match.end() : match.end() + 1] == "(":
            close = matching(source.blank, match.end())
            for hit in re.compile(rf"(?<![\w.>]){array.name}\b").finditer(source.blank, match.end(), max(close, match.end())):
                found = True
                if (str(source.path), hit.start()) not in seen:
                    seen.add((str(source.path), hit.start()))
                    use = self.chain(array, source, hit.start(), -1)
                    use.node = number
                    use.mode = "m"
                    self.uses.append(use)
        if not found:
            seen.add((str(source.path), at, array.name))
            name = match.group().strip() if match else "a macro"
            use = Use(array, source, at, at, [], number, "h")
            self.uses.append(use)
            if array.cyclic or array.pointer or not self.shift:
                why = "its cyclic dimension" if array.cyclic else "its late origin" if array.pointer else "--no-shift"
                self.messages.error(source, at, f"macro {name} hides a subscript of array {array.name}, which {why} has to change; write it out.")

    def chain(self, array: Array, source: Source, start: int, number: int) -> Use:
        end = at = start + len(array.name)
        brackets = []
        blank = source.blank
        while len(brackets) < len(array.axes):
            while at < len(blank) and blank[at].isspace():
                at += 1
            if blank[at : at + 1] != "[":
                break
            close = matching(blank, at)
            brackets.append((at, close))
            end = at = close + 1
        return Use(array, source, start, end, brackets, number)

    # ---- judging -----------------------------------------------------------------------------------------------
    def judge(self) -> None:
        for use in self.uses:
            array = use.array
            if array.order > self.program.order(use.source, use.start) and array.place != "file":
                self.messages.error(use.source, use.start, f"array {array.name} is used before its align and shadow directives.")
                continue
            outside = array.place == "static" and self.tree.nodes[array.nodes[0]].parent < 0 and array.scope not in self.program.scopes(use.source, use.start)
            if outside:
                self.messages.error(use.source, use.start, f"array {array.name} is aligned in a block, and this use stands outside; align it at file scope.")
                continue
            if self.program.function_of(use.node) < 0:
                self.messages.error(use.source, use.start, f"array {array.name} is distributed and has no address before the program starts; use it in a function.")
                continue
            if use.mode != "h":
                self.one(use)

    def inner(self, array: Array, given: int) -> bool:
        """Do the dimensions after the given ones mean the same in a local row as in a global one?"""
        return all(a.plain for a in array.axes[given:])

    def one(self, use: Use) -> None:
        nodes = self.tree.nodes
        array, name, full = use.array, use.array.name, len(use.brackets) == len(use.array.axes)
        child, number = use.node, nodes[use.node].parent
        steps = 0
        part = False
        while number >= 0:
            node = nodes[number]
            kind = node.kind
            if kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
                pass
            elif kind == "ARRAY_SUBSCRIPT_EXPR" and node.children and node.children[0] == child:
                steps += 1
            elif kind == "MEMBER_REF_EXPR" and full:
                part = True
            else:
                break
            child, number = number, node.parent
        if number < 0 or use.mode == "m":
            return
        node, text = nodes[number], use.source.blank
        kind = node.kind
        rows = self.inner(array, len(use.brackets))
        if kind == "CXX_UNARY_EXPR":
            use.mode = "a"
            if not full and text.startswith("sizeof", node.start) and not (use.brackets and rows):
                self.messages.error(use.source, use.start, f"sizeof of the distributed array {name} is not its size on a node; "
                                                           "use its extents.")
            return
        if kind == "UNARY_OPERATOR" and text[node.start] == "&":
            use.mode = "a"
            if not full and not (use.brackets and rows):
                self.messages.error(use.source, node.start, f"the address of the distributed array {name} means nothing on a node; pass the array by its name.")
            elif full:
                self.address(use, number)
            return
        if full and not part and steps <= len(array.axes) or full:
            if kind == "BINARY_OPERATOR" and node.children and node.children[0] == child and self.operator(node, child) == "=":
                use.mode = "w"
            elif kind == "COMPOUND_ASSIGNMENT_OPERATOR" and node.children and node.children[0] == child:
                use.mode = "b"
            elif kind == "UNARY_OPERATOR" and ("++" in text[node.start : node.end] or "--" in text[node.start : node.end]) \
                    and (text[node.start : node.start + 2] in ("++", "--") or text[node.end - 2 : node.end] in ("++", "--")):
                use.mode = "b"
            return
        if use.brackets and rows:
            return
        what = f"{name}{'[...]' * len(use.brackets)}"
        if kind == "CALL_EXPR":
            self.argument(use, number, child, what)
        elif kind in ("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "VAR_DECL", "RETURN_STMT", "CSTYLE_CAST_EXPR",
                      "CONDITIONAL_OPERATOR", "INIT_LIST_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            if kind == "ARRAY_SUBSCRIPT_EXPR":
                self.messages.error(use.source, use.start, f"array {name} is distributed; write its subscripts as {name}[i].")
            else:
                self.messages.error(use.source, use.start, f"{what} of a distributed array as a pointer: other nodes have parts of the array; "
                                                           f"use {name} with all its subscripts.")

    def operator(self, node, left: int) -> str:
        text = node.source.blank[self.tree.nodes[left].end : node.end]
        match = re.match(r"\s*\)*\s*(=(?!=))", text)
        return "=" if match else ""

    def address(self, use: Use, number: int) -> None:
        nodes = self.tree.nodes
        child, up = number, nodes[number].parent
        while up >= 0 and nodes[up].kind in ("UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR"):
            child, up = up, nodes[up].parent
        if up < 0:
            return
        call = nodes[up]
        if call.kind == "CALL_EXPR" and call.children and call.children[0] != child:
            if call.system and not _MEMORY.match(call.name):
                return
            if self.stays(call.name, call.children.index(child) - 1, set()):
                return
        elif call.kind == "UNARY_OPERATOR":
            return
        elif self.kept(up, child):
            return
        self.messages.warning(use.source, nodes[number].start,
                              f"a pointer to an element of the distributed array {use.array.name}: only its neighbours on the same node can be "
                              "reached from it.")

    def kept(self, number: int, child: int) -> bool:
        """Is it kept in a variable of the function that is used for the one element only?"""
        nodes, node = self.tree.nodes, self.tree.nodes[number]
        variable = None
        if node.kind == "VAR_DECL" and node.parent >= 0:
            variable = (str(node.source.path), node.at)
        elif node.kind == "BINARY_OPERATOR" and node.children[1:] == [child] and self.operator(node, node.children[0]) == "=":
            variable = nodes[node.children[0]].target
        declared = next((n for n in nodes if n.kind in ("VAR_DECL", "PARM_DECL") and (str(n.source.path), n.at) == variable and n.parent >= 0), None)
        if declared is None:
            return False
        uses = [n for n, other in enumerate(nodes) if other.kind == "DECL_REF_EXPR" and other.target == variable]
        return all(self.stays_here(n, set()) or self.assigned(n) for n in uses)

    def assigned(self, number: int) -> bool:
        parent = self.tree.nodes[self.tree.nodes[number].parent]
        return parent.kind == "BINARY_OPERATOR" and parent.children[0] == number and self.operator(parent, number) == "="

    def stays(self, name: str, place: int, asked: set[tuple[str, int]]) -> bool:
        """Does this function use its pointer parameter for the one element only: by ->, *, or handed on to its like?"""
        if (name, place) in asked:
            return True
        asked.add((name, place))
        nodes = self.tree.nodes
        for number, f in enumerate(nodes):
            if f.kind != "FUNCTION_DECL" or f.name != name or not any(nodes[c].kind == "COMPOUND_STMT" for c in f.children):
                continue
            parameters = [nodes[c] for c in f.children if nodes[c].kind == "PARM_DECL"]
            if not 0 <= place < len(parameters):
                return False
            own = (str(parameters[place].source.path), parameters[place].at)
            uses = [n for n in self.tree.descendants(number) if nodes[n].kind == "DECL_REF_EXPR" and nodes[n].target == own]
            return all(self.stays_here(n, asked) for n in uses)
        return False

    def stays_here(self, number: int, asked: set[tuple[str, int]]) -> bool:
        nodes = self.tree.nodes
        child, up = number, nodes[number].parent
        while nodes[up].kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
            child, up = up, nodes[up].parent
        node = nodes[up]
        if node.kind == "CALL_EXPR" and child in node.children[1:]:
            return self.stays(node.name, node.children.index(child) - 1, asked)
        return node.kind == "MEMBER_REF_EXPR" or (node.kind == "UNARY_OPERATOR" and node.source.blank[node.start] == "*")

    def argument(self, use: Use, number: int, child: int, what: str) -> None:
        call, name = self.tree.nodes[number], use.array.name
        if call.system or _MEMORY.match(call.name):
            if call.name.startswith("xmp_"):
                return
            self.messages.error(use.source, use.start, f"{call.name or 'a function'} of a system library is given the distributed array {name}, "
                                                       "of which a node has a part; use a loop directive.")
            return
        if use.brackets:
            self.messages.error(use.source, use.start, f"{what} is part of a distributed array; pass the whole array {name}.")
            return
        place = call.children.index(child) - 1 if child in call.children else -1
        for n in self.tree.nodes:
            if n.kind != "FUNCTION_DECL" or n.name != call.name or place < 0:
                continue
            if not any(self.tree.nodes[c].kind == "COMPOUND_STMT" for c in n.children):
                continue
            parameters = [c for c in n.children if self.tree.nodes[c].kind == "PARM_DECL"]
            if place < len(parameters) and not any(a.nodes == [parameters[place]] for a in self.program.arrays):
                self.messages.error(use.source, use.start, f"{call.name} is given the distributed array {name}, but does not align its parameter "
                                                           f"{self.tree.nodes[parameters[place]].name or place + 1}.")
            return
        if (call.name, place) in self.elsewhere or not self.whole:
            return
        if call.name in self.defined:
            self.messages.error(use.source, use.start, f"{call.name} is given the distributed array {name}, but does not align its parameter {place + 1}.")
        else:
            self.messages.error(use.source, use.start, f"{call.name or 'a function'} is given the distributed array {name}, but its definition is not "
                                                       "among the files given; translate them together.")

    # ---- writing -----------------------------------------------------------------------------------------------
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
                mode = {"m": "r"}.get(use.mode, use.mode)
                source.replace(use.start, use.brackets[0][0] + 1,
                               f"(*(__typeof__({array.element})*)xacc_at({d}, XACC_HERE, '{mode}', {len(array.axes)}, (long)(")
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

    def element(self, array: Array, subscripts: list[str], mode: str) -> str:
        """An element with these subscripts, as rewrite would leave it; of elements that are arrays, with the subscripts after them."""
        d, n = array.descriptor, len(array.axes)
        rest = "".join(f"[{s}]" for s in subscripts[n:])
        if self.check:
            given = ", ".join(f"(long)({s})" for s in subscripts[:n])
            return f"(*(__typeof__({array.element})*)xacc_at({d}, XACC_HERE, '{mode}', {n}, {given})){rest}"
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
