"""The loop directive: bounds of the caller's part, in place of those in the for headers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xacc.communicate import Communicate
from xacc.declare import HERE, Declare
from xacc.forms import affine
from xacc.directive import Directive, Item
from xacc.headers import Header, Headers
from xacc.messages import Refused, as_many
from xacc.program import Program, Symbol
from xacc.text import Source, identifiers

_GIVEN = re.compile(r"([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)")  # a variable gets a value


@dataclass
class Bound:
    header: Header
    template: str  # variable of the template
    axis: int
    offset: str
    kind: str
    names: tuple[str, str]
    symbol: Symbol


@dataclass(frozen=True)
class Nest:
    directive: Directive
    statement: int
    bounds: list[Bound]
    guards: list[tuple[int, str]]  # axes of the template with an index that is no loop variable
    symbol: Symbol


@dataclass(frozen=True)
class BlockLoop:
    """A loop that goes from block to block of a cyclic dimension, under the name of its blocks."""

    source: Source
    body: tuple[int, int]
    name: str
    variable: str
    template: str
    axis: int
    offset: str


class Loops:
    def __init__(self, program: Program, declare: Declare, communicate: Communicate, check: bool) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self.declare, self.communicate, self.check = declare, communicate, check
        self.headers = Headers(program)
        self.block_loops: list[BlockLoop] = []
        self.nests: list[Nest] = []

    def loop(self, d: Directive, number: int) -> tuple[str, str]:
        """Text before and after the statement; header edits go into the source."""
        node = self.tree.nodes[number]
        if node.kind != "FOR_STMT":
            raise Refused(d.offset, "loop must stand before a for statement.")
        self.statement = number
        symbol = self.program.need(d.ref.name, ("nodes", "template"), d.source, d.ref.offset)
        bounds = self.bounds(d, number, symbol)
        self.nests.append(Nest(d, number, bounds, self.other, symbol))
        before, after, body = [], [], []
        template = symbol.variable
        if symbol.kind == "nodes":
            template = f"xacc_l{self.declare.number()}"
            before.append(f"const xacc_template *{template} = xacc_template_of_nodes({symbol.variable}, "
                          f"{int(not (d.ref.dims and d.ref.dims.square))});")
            for b in bounds:
                b.template = template
        guards = " && ".join(f"xacc_mine({template}, {axis}, {text})" for axis, text in self.other)
        axes = sum(1 << axis for axis in {b.axis for b in bounds})
        for r in d.reductions:
            for v in r.variables:
                address, count, element = self.communicate.variable(v, d)
                locations, many = self.communicate.locations(v, d)
                overwritten = self.overwritten(d, number, r.op, v.text.strip())
                name = f"xacc_r{self.declare.number()}"
                before.append(f"xacc_reduction {name} = xacc_reduction_begin({HERE}, {address}, {count}, XACC_TYPE({element}), "
                              f"{self.communicate.op(r.op)}, {many}, {locations});")
                before += [f"xacc_reduction_forget(&{name});"] if overwritten else []
                after.append(f"xacc_reduction_end(&{name}, xacc_loop_set({template}, {axes}u));")
        expands = self.expands(d, bounds)
        write = self.ring if d.ring is not None and d.ring[0] != "expand" else self.plain
        write(d, bounds, expands, before, body)
        for b in bounds:
            if b.kind == "cyclic" and not self.by_blocks(d, b):
                node.source.insert(b.header.body, f" if (xacc_mine({b.template}, {b.axis}, {b.header.variable} + {b.offset}))")
        if d.section:  # what the loop does, and apart from it the reduction
            first = next((i for i, text in enumerate(before) if not text.startswith(("xacc_reduction ", "const xacc_template"))), len(before))
            before.insert(first, f"{{ {self.communicate.timed(d.section)}")
            if after:
                after.insert(0, f"}} {{ {self.communicate.timed('reduction')}")
            after.append("}")
        if self.communicates(number, symbol):
            for b in bounds:
                loop = self.tree.nodes[b.header.node]
                if not any(loop.start < self.tree.nodes[other.header.node].start < loop.end for other in bounds):
                    self.executing(d, b, number, after)
        head = "{ " + " ".join(before) + (f" if ({guards})" if guards else "") + (" " + " ".join(body) if body else "")
        self.headers_of(d, bounds)
        return head, (" }" if body else "") + (" " + " ".join(after) if after else "") + " }"

    def overwritten(self, d: Directive, number: int, op: str, variable: str) -> bool:
        """Is the value before the loop lost? Warns where the body assigns a reduction variable instead of combining with it. max and min are
        often written with an if, and logical ones by a constant."""
        nodes = self.tree.nodes
        for n in self.tree.descendants(number, "BINARY_OPERATOR") if op in ("+", "-", "*", "^", "&", "|", "&&", "||") else ():
            if len(nodes[n].children) != 2:
                continue
            node, (left, right) = nodes[n], (nodes[c] for c in nodes[n].children)
            between = node.source.blank[left.end : right.start].strip("( \t\r\n")
            text = node.source.blank[right.start : right.end]
            constant = op not in "+-*^" and re.fullmatch(r"[\d(). ]+|true|false", text)
            if left.kind == "DECL_REF_EXPR" and left.name == variable and between == "=" and variable not in identifiers(text) and not constant:
                self.messages.warning(node.source, node.start, f"{variable} is assigned inside of a loop with reduction({op}:{variable}), which leaves "
                                                               f"the last value of each node and not their combination; write {variable} = {variable} {op} ...")
                return True
        return False

    def communicates(self, number: int, symbol: Symbol) -> bool:
        """Does the loop hold directives about its executing nodes? One over nodes may call functions that hold them, too."""
        inside = self.program.directives_in(number)
        if symbol.kind == "template":
            return any(d.kind in ("reduction", "bcast", "barrier") and d.ref is None for d in inside)
        return bool(inside) or any(
            self.tree.nodes[n].target is not None and not self.tree.nodes[n].system for n in self.tree.descendants(number, "CALL_EXPR"))

    def executing(self, d: Directive, inner: Bound, number: int, after: list[str]) -> None:
        """The nodes of an iteration are those that execute it."""
        name, source = f"xacc_k{self.declare.number()}", self.tree.nodes[number].source
        source.insert(inner.header.body, f" {{ xacc_task {name} XACC_TASK = xacc_enter({self.communicate.on(d.ref, d.source)}); if ({name}.in)")
        end = self.tree.end_of(inner.header.node)
        if end == self.tree.end_of(number):
            after.insert(0, "}")
        else:
            source.insert_first(end, " }")

    def bounds(self, d: Directive, number: int, symbol: Symbol) -> list[Bound]:
        if d.ref.dims is None:
            raise Refused(d.ref.offset, f"loop needs subscripts of {d.ref.name}.")
        as_many(symbol.dims, d.ref.dims.items, d.ref.offset, d.ref.name)
        known = self.headers.variables_below(number)
        listed = [i.text.strip() for i in d.dims.items] if d.dims else []
        for item in d.dims.items if d.dims else ():
            if item.text.strip() not in known:
                reason = self.headers.header(number)
                why = reason if isinstance(reason, str) else f"no loop over {item.text.strip()} follows"
                raise Refused(item.offset, f"{why}.")
        found: list[Bound] = []
        self.other: list[tuple[int, str]] = []
        for axis, item in enumerate(d.ref.dims.fastest_first()):
            if item.star or item.colon:
                continue
            names = identifiers(item.text) & (set(listed) if listed else known)
            if len(names) > 1:
                raise Refused(item.offset, f"{item.text} has more than one loop variable.")
            if not names:
                self.other.append((axis, item.text))
                continue
            variable = names.pop()
            if any(b.header.variable == variable for b in found):
                raise Refused(item.offset, f"loop variable {variable} stands in two dimensions of {d.ref.name}.")
            offset = affine(item.text, variable)
            if offset is None:
                raise Refused(item.offset, f"{item.text} is not {variable}, {variable} + n or {variable} - n.")
            kind = symbol.formats[axis].kind if symbol.kind == "template" else "block"
            for header in self.headers.nest(d, number, variable):
                n = self.declare.number()
                found.append(Bound(header, symbol.variable, axis, offset, kind, (f"xacc_b{n}", f"xacc_e{n}"), symbol))
        if not found:
            reason = self.headers.header(number)
            raise Refused(d.ref.offset, f"{reason}." if isinstance(reason, str) else
                                f"none of the loop variables {', '.join(sorted(known))} is a subscript of {d.ref.name}.")
        return found

    def text(self, b: Bound, place: tuple[int, int]) -> str:
        return self.tree.nodes[b.header.node].source.text[place[0] : place[1]].replace("\n", " ").strip()

    def outer(self, b: Bound) -> bool:
        """Can the bounds be found before the nest? Not where they hold variables that change inside."""
        first = self.statement
        used = identifiers(self.text(b, b.header.first)) | identifiers(self.text(b, b.header.last)) | identifiers(b.header.step)
        if b.header.node == first:
            return True
        inside, node = {self.tree.nodes[n].name for n in self.tree.descendants(first, "VAR_DECL")}, self.tree.nodes[first]
        text = node.source.blank[node.start : self.tree.nodes[b.header.node].start]
        return not used & (inside | {name for names in _GIVEN.findall(text) for name in names})

    def ring_items(self, d: Directive, bounds: list[Bound]) -> dict[int, Item] | None:
        """The widths of expand, margin or peel_and_wait by axis of the template; None where they are too many or too few."""
        subscripts = d.ref.dims.items
        axes = [len(subscripts) - 1 - k if d.ref.dims.square else k for k in range(len(subscripts))]
        items = d.ring[1]
        if len(items) != len(subscripts):
            axes = [axis for axis, i in zip(axes, subscripts, strict=True) if not (i.star or i.colon)]
            if len(items) != len({b.axis for b in bounds}):
                return None
        return dict(zip(axes, items, strict=False))

    def expands(self, d: Directive, bounds: list[Bound]) -> dict[int, str]:
        """xacc_expand of each bound, by axis."""
        if d.ring is None:
            return {}
        word, items, offset = d.ring
        pairs = self.ring_items(d, bounds)
        if pairs is None:
            raise Refused(offset, f"{word} gives {len(items)} widths for {len(d.ref.dims.items)} dimensions.")
        out = {}
        for b in bounds:
            item = pairs.get(b.axis)
            if item is None:
                out[b.axis] = "{0, 0, 0}"
                continue
            parts = item.parts
            if len(parts) > 2 or not all(parts) or "*" in parts or "periodic" in item.modifiers:
                raise Refused(item.offset, "a width is a number or below:above, with /unbound/ before it where wanted.")
            if b.kind == "cyclic":
                raise Refused(offset, f"{word} needs a block distribution.")
            out[b.axis] = f"{{{parts[0]}, {parts[-1]}, {int('unbound' in item.modifiers)}}}"
        return out

    def plain(self, d: Directive, bounds: list[Bound], expands: dict[int, str], before: list[str], _: list[str]) -> None:
        for b in bounds:
            h = b.header
            if self.by_blocks(d, b) or not (expands or self.outer(b)):
                continue
            if not self.outer(b):
                raise Refused(d.ring[2], "expand needs loops whose bounds do not depend on each other.")
            first, last = self.text(b, h.first), self.text(b, h.last)
            expand = f"&(xacc_expand){expands[b.axis]}" if b.axis in expands else "0"
            inclusive = int(h.op in ("<=", ">="))
            before.append(f"long {b.names[0]}, {b.names[1]}; xacc_span({b.template}, {b.axis}, {b.offset}, {first}, "
                          f"{h.inclusive(last)}, {h.step}, {inclusive}, {expand}, &{b.names[0]}, &{b.names[1]});")

    def ring(self, d: Directive, bounds: list[Bound], expands: dict[int, str], before: list[str], body: list[str]) -> None:
        if len({b.axis for b in bounds}) < len(bounds):
            raise Refused(d.ring[2], f"{d.ring[0]} needs one loop over each variable.")
        name = f"xacc_o{self.declare.number()}"
        before.append(f"xacc_ring {name} = {{.peel = {int(d.ring[0] == 'peel_and_wait')}, .nasync = {len(d.ids)}, .async = {{{', '.join(d.ids) or 0}}}}};")
        for k, b in enumerate(bounds):
            h = b.header
            if h.step != "1" or not self.outer(b):
                what = "of step 1" if h.step != "1" else "whose bounds do not depend on each other"
                raise Refused(d.ring[2], f"{d.ring[0]} needs loops {what}.")
            before.append(f"xacc_ring_dim(&{name}, {b.template}, {b.axis}, {b.offset}, {self.text(b, h.first)}, "
                          f"{h.inclusive(self.text(b, h.last))}, &(xacc_expand){expands[b.axis]});")
            stop = "" if h.op != "<=" else " - 1"
            body.append(f"long {b.names[0]} = {name}.lo[{k}], {b.names[1]} = {name}.hi[{k}]{stop};")
        body.insert(0, f"while (xacc_ring_next(&{name})) {{")

    def by_blocks(self, d: Directive, b: Bound) -> bool:
        """Does a loop over a cyclic dimension step from block to block? Not where OpenMP or OpenACC want one header, nor around a break."""
        if b.kind != "cyclic":
            return False
        nodes, loop = self.tree.nodes, self.tree.nodes[b.header.node]
        around = self.tree.nodes[self.tree.next_statement(d.source, d.end)]
        for kind, start, end, _ in self.program.pragmas[str(loop.source.path)]:
            between = re.sub(r"#(?:\\\r?\n|[^\n])*", "", loop.source.blank[end : around.start]) if end <= around.start else ""
            if kind in ("omp", "acc") and start < b.header.body and not between.strip():
                return False
        around = ("FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT")  # what a break may leave
        return not any(next(a for a in self.tree.ancestors(n) if nodes[a].kind in around) == b.header.node
                       for n in self.tree.descendants(b.header.node, "BREAK_STMT"))

    def headers_of(self, d: Directive, bounds: list[Bound]) -> None:
        for b in bounds:
            h, source = b.header, self.tree.nodes[b.header.node].source
            last, inclusive, unsigned = h.inclusive(self.text(b, h.last)), int(h.op in ("<=", ">=")), f"XACC_UNSIGNED({h.variable})"
            place = f"{b.template}, {b.axis}, {b.offset}"
            if self.by_blocks(d, b):
                q = f"xacc_q{self.declare.number()}"
                source.insert(self.tree.nodes[h.node].start, f"for (xacc_blocks {q} = xacc_blocks_of({place}, {self.text(b, h.first)}, "
                              f"{last}, {h.step}); xacc_blocks_left({q}, {h.step}); {q}.at += {q}.period, {q}.shift += {q}.slide) ")
                self.block_loops.append(
                    BlockLoop(source, (h.body, self.tree.end_of(h.node)), q, h.variable, b.symbol.variable, b.axis, b.offset))
                begin, end = f"xacc_blocks_begin({q}, {h.step})", f"xacc_blocks_end({q}, {h.step}, {inclusive})"
            elif self.outer(b):
                begin, end = b.names
            else:
                begin = f"xacc_begin({place}, {self.text(b, h.first)}, {last}, {h.step}, {unsigned})"
                end = f"xacc_end({place}, {last}, {h.step}, {inclusive}, {unsigned})"
            source.replace(*h.first, begin)
            source.replace(*h.last, end)
            if h.op == "!=":
                source.replace(*h.operator, "<" if h.step.startswith("-") == h.turned else ">")
