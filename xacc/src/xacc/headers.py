"""The for statements below a loop directive: their headers, and which of them it distributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from xacc.directive import Directive
from xacc.messages import Refused
from xacc.program import Program
from xacc.text import Source, identifiers, matching, split, trim

TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # a < b as b > a


@dataclass
class Header:
    """for (variable = first; variable operator last; variable += step), each with its place."""

    node: int
    variable: str
    first: tuple[int, int]
    last: tuple[int, int]
    operator: tuple[int, int]
    op: str
    step: str
    body: int  # offset after the closing parenthesis
    turned: bool = False  # last operator variable

    def inclusive(self, last: str) -> str:
        before = f"(long)({last})"  # of an unsigned 0 the one before is -1
        return {"<": f"{before} - 1", ">": f"{before} + 1", "!=": f"{before} - ({self.step} > 0 ? 1 : -1)"}.get(self.op, last)


class Headers:
    def __init__(self, program: Program) -> None:
        self.program, self.tree = program, program.tree

    @cache
    def header(self, number: int) -> Header | str:
        """The parts of a for header, or a sentence on what is wrong with it."""
        node = self.tree.nodes[number]
        blank, text = node.source.blank, node.source.text
        if not blank.startswith("for", node.start):
            return "the loop is hidden in a macro; write its for where the directive stands"
        open_ = blank.index("(", node.start)
        close = matching(blank, open_)
        parts = split(blank, open_ + 1, close, ";")
        if len(parts) != 3:
            return "a loop has the form for (i = first; i < last; i += step)"
        (a, b), (c, e), (g, h) = (trim(blank, *p) for p in parts)
        init = re.compile(r"(?:[A-Za-z_][\w\s]*\s)?([A-Za-z_]\w*)\s*=(?!=)\s*").match(blank, a, b)
        if not init or len(split(blank, a, b, ",")) > 1:
            return "the loop must begin with i = first"
        variable = init.group(1)
        test = re.compile(rf"{variable}\s*(<=|>=|!=|<|>)(?![<>=])\s*").match(blank, c, e)
        turned = None if test else re.compile(rf"[^<>=!]*?(<=|>=|!=|<|>)(?![<>=])\s*{variable}\s*$").match(blank[:e], c)
        if not test and not turned:
            return f"the loop must end with {variable} < last, <=, > or >="
        change = text[g:h].strip()
        one = re.fullmatch(rf"{variable}\s*(?:\+\+|--)|(?:\+\+|--)\s*{variable}", change)
        other = re.fullmatch(rf"{variable}\s*=\s*([\w()]+)\s*\+\s*{variable}", change)  # i = n + i
        more = re.fullmatch(rf"{variable}\s*(?:([+-])=|=\s*{variable}\s*([+-]))\s*(.+)", change, re.DOTALL)
        if not (one or other or more):
            return f"the loop must go on with {variable}++, {variable} += n or the like"
        step = (f"{'-' * ('-' in change)}1" if one else f"({other.group(1)})" if other else
                f"{'-' * ('-' in more.group(1, 2))}({more.group(3)})")
        if turned:  # last > i
            op = TURNED.get(turned.group(1), "!=")
            return Header(number, variable, (init.end(), b), trim(blank, c, turned.start(1)), turned.span(1), op, step, close + 1, True)
        return Header(number, variable, (init.end(), b), (test.end(), e), test.span(1), test.group(1), step, close + 1)

    def loops(self, number: int) -> Iterator[tuple[int, Header | str]]:
        """The for statements of a statement with their headers."""
        for n in [number, *self.tree.descendants(number)] if number >= 0 else ():
            if self.tree.nodes[n].kind == "FOR_STMT":
                yield n, self.header(n)

    def nest(self, d: Directive, number: int, variable: str) -> list[Header]:
        """All loops of the nest over the variable, but for those that a directive inside claims."""
        claimed, found = self.claimed(number), []
        for n, header in self.loops(number):
            node = self.tree.nodes[n]
            if n in claimed:
                continue
            if isinstance(header, str):
                if re.match(rf"for\s*\((?:[A-Za-z_][\w\s]*\s)?{variable}\s*=(?!=)", node.source.blank[node.start : node.end]):
                    raise Refused(node.start, f"{header}.", node.source)
            elif header.variable == variable:
                if any(self.tree.nodes[other.node].end > node.start for other in found):
                    raise Refused(node.start, f"loops over {variable} stand inside of each other.", node.source)
                found.append(header)
        for header in found:
            if (place := self.changed(header)) is not None:
                line = d.source.position(d.offset)[0]
                raise Refused(place[1], f"{variable} is changed inside of the loop over it that line {line} distributes.", place[0])
        return found

    def claimed(self, number: int) -> set[int]:
        """The loops that directives inside of the statement distribute."""
        found = set()
        for d in self.program.directives_in(number):
            if d.kind != "loop" or d.ref is None:
                continue
            statement = self.tree.next_statement(d.source, d.end)
            items = d.dims.items if d.dims else d.ref.dims.items if d.ref.dims else ()
            names = set().union(*(identifiers(i.text) for i in items))
            found |= {n for n, header in self.loops(statement) if isinstance(header, Header) and header.variable in names}
        return found

    def changed(self, header: Header) -> tuple[Source, int] | None:
        """Where the body of a loop gives its variable a new value."""
        nodes, loop = self.tree.nodes, self.tree.nodes[header.node]
        inside = [n for n in self.tree.descendants(header.node) if nodes[n].kind == "DECL_REF_EXPR" and nodes[n].name == header.variable]
        own = {nodes[n].target for n in inside if nodes[n].source is loop.source and nodes[n].start < header.body}
        for n in inside:
            parent = nodes[nodes[n].parent]
            text = parent.source.blank[parent.start : parent.end].strip()
            left = parent.children[:1] == [n]
            if nodes[n].target in own and nodes[n].start >= header.body and (
                    (parent.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and left)
                    or (parent.kind == "BINARY_OPERATOR" and left and re.match(rf"{header.variable}\s*=(?!=)", text))
                    or (parent.kind == "UNARY_OPERATOR" and (text[:2] in ("++", "--") or text[-2:] in ("++", "--")))):
                return nodes[n].source, nodes[n].start
        return None

    def variables_below(self, number: int) -> set[str]:
        return {header.variable for _, header in self.loops(number) if isinstance(header, Header)}
