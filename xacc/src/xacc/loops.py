"""The loop directive: bounds of the caller's part, in place of those in the for headers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xacc.communicate import Communicate
from xacc.declare import HERE, Declare, affine
from xacc.directive import Directive
from xacc.program import Program, Symbol
from xacc.text import identifiers, matching, split, trim


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
        return {"<": f"({last}) - 1", ">": f"({last}) + 1", "!=": f"({last}) - ({self.step} > 0 ? 1 : -1)"}.get(self.op, last)


@dataclass
class Bound:
    header: Header
    template: str  # variable of the template
    axis: int
    offset: str
    kind: str
    names: tuple[str, str]
    symbol: Symbol


class Loops:
    def __init__(self, program: Program, declare: Declare, communicate: Communicate, check: bool) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self.declare, self.communicate, self.check = declare, communicate, check
        self.headers: dict[int, Header | str] = {}

    # ---- for headers -------------------------------------------------------------------------------------------
    def header(self, number: int) -> Header | str:
        """The parts of a for header, or a sentence on what is wrong with it."""
        if number not in self.headers:
            self.headers[number] = self.read_header(number)
        return self.headers[number]

    def read_header(self, number: int) -> Header | str:
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
        forms = ((rf"{variable}\s*\+\+|\+\+\s*{variable}", "1"), (rf"{variable}\s*--|--\s*{variable}", "-1"))
        step = next((s for form, s in forms if re.fullmatch(form, change)), "")
        if not step:
            more = re.fullmatch(rf"{variable}\s*(\+|-)=\s*(.+)", change, re.DOTALL) or re.fullmatch(
                rf"{variable}\s*=\s*{variable}\s*(\+|-)\s*(.+)", change, re.DOTALL)
            other = re.fullmatch(rf"{variable}\s*=\s*([\w()]+)\s*\+\s*{variable}", change)
            if other:  # i = n + i
                step = f"({other.group(1)})"
            elif not more:
                return f"the loop must go on with {variable}++, {variable} += n or the like"
            else:
                step = f"{'-' if more.group(1) == '-' else ''}({more.group(2)})"
        if turned:  # last > i
            op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(turned.group(1), "!=")
            return Header(number, variable, (init.end(), b), trim(blank, c, turned.start(1)), turned.span(1), op, step, close + 1, True)
        return Header(number, variable, (init.end(), b), (test.end(), e), test.span(1), test.group(1), step, close + 1)

    def nest(self, number: int, wanted: set[str]) -> dict[str, int]:
        """Loops of the nest by variable, outermost first."""
        found: dict[str, int] = {}
        for n in [number, *self.tree.descendants(number)]:
            if self.tree.nodes[n].kind != "FOR_STMT":
                continue
            header = self.header(n)
            if isinstance(header, Header) and header.variable in wanted and header.variable not in found:
                found[header.variable] = n
        return found

    def variables_below(self, number: int) -> set[str]:
        names = set()
        for n in [number, *self.tree.descendants(number)]:
            if self.tree.nodes[n].kind == "FOR_STMT":
                header = self.header(n)
                if isinstance(header, Header):
                    names.add(header.variable)
        return names

    # ---- the directive -----------------------------------------------------------------------------------------
    def loop(self, d: Directive, number: int) -> tuple[str, str] | None:
        """Text before and after the statement; header edits go into the source. None after an error."""
        node = self.tree.nodes[number]
        if node.kind != "FOR_STMT":
            self.messages.error(d.source, d.offset, "loop must stand before a for statement.")
            return None
        symbol = self.program.need(d.ref.name, ("nodes", "template"), d.source, d.ref.offset)
        if symbol is None:
            return None
        bounds = self.bounds(d, number, symbol)
        if bounds is None:
            return None
        before, after, body = [], [], []
        template = symbol.variable
        if symbol.kind == "nodes":
            template = f"xacc_l{self.declare.number()}"
            before.append(f"const xacc_template *{template} = xacc_template_of_nodes({symbol.variable}, "
                          f"{int(not (d.ref.dims and d.ref.dims.square))});")
            for b in bounds:
                b.template = template
        guards = self.guards(d, symbol, template)
        if guards is None:
            return None
        axes = sum(1 << b.axis for b in bounds)
        for r in d.reductions:
            for v in r.variables:
                found, locations = self.communicate.variable(v, d), self.communicate.locations(v, d)
                if found is None or locations is None:
                    return None
                name = f"xacc_r{self.declare.number()}"
                address, count, element = found
                before.append(f"xacc_reduction {name} = xacc_reduction_begin({HERE}, {address}, {count}, XACC_TYPE({element}), "
                              f"{self.communicate.op(r.op)}, {locations[1]}, {locations[0]});")
                after.append(f"xacc_reduction_end(&{name}, xacc_loop_set({template}, {axes}u));")
        if d.ring is not None and d.ring[0] != "expand":
            if not self.ring(d, bounds, before, body):
                return None
        elif not self.plain(d, bounds, before):
            return None
        for b in bounds:
            if b.kind == "cyclic":
                node.source.insert(b.header.body, f" if (xacc_mine({b.template}, {b.axis}, {b.header.variable} + {b.offset}))")
        if d.section:  # what the loop does, and apart from it the reduction
            first = next((i for i, text in enumerate(before) if not text.startswith(("xacc_reduction ", "const xacc_template"))), len(before))
            before.insert(first, f"{{ {self.communicate.timed(d.section)}")
            if after:
                after.insert(0, f"}} {{ {self.communicate.timed('reduction')}")
            after.append("}")
        if self.communicates(number, symbol):
            inner = max(bounds, key=lambda b: self.tree.nodes[b.header.node].start)
            self.executing(d, inner, number, after)
        head = "{ " + " ".join(before) + (f" if ({guards})" if guards else "") + (" " + " ".join(body) if body else "")
        self.headers_of(bounds)
        return head, (" }" if body else "") + (" " + " ".join(after) if after else "") + " }"

    def communicates(self, number: int, symbol: Symbol) -> bool:
        """Does the loop hold directives about its executing nodes? One over nodes may call functions that hold them, too."""
        node = self.tree.nodes[number]
        inside = [d for _, d in self.program.directives if d.source is node.source and node.start < d.start < node.end]
        if symbol.kind == "template":
            return any(d.kind in ("reduction", "bcast", "barrier") and d.ref is None for d in inside)
        return bool(inside) or any(
            self.tree.nodes[n].kind == "CALL_EXPR" and self.tree.nodes[n].target is not None and not self.tree.nodes[n].system
            for n in self.tree.descendants(number))

    def executing(self, d: Directive, inner: Bound, number: int, after: list[str]) -> None:
        """The nodes of an iteration are those that execute it."""
        name, source = f"xacc_k{self.declare.number()}", self.tree.nodes[number].source
        source.insert(inner.header.body, f" {{ xacc_task {name} XACC_TASK = xacc_enter({self.communicate.on(d.ref, d.source)}); if ({name}.in)")
        end = self.tree.end_of(inner.header.node)
        if end == self.tree.end_of(number):
            after.insert(0, "}")
        else:
            source.insert_first(end, " }")

    def bounds(self, d: Directive, number: int, symbol: Symbol) -> list[Bound] | None:
        source = d.source
        if d.ref.dims is None:
            self.messages.error(source, d.ref.offset, f"loop needs subscripts of {d.ref.name}.")
            return None
        if len(d.ref.dims.items) != symbol.dims:
            self.messages.error(source, d.ref.offset, f"{d.ref.name} has {symbol.dims} dimensions and is given {len(d.ref.dims.items)} subscripts.")
            return None
        known = self.variables_below(number)
        listed = [i.text.strip() for i in d.dims.items] if d.dims else []
        for item in d.dims.items if d.dims else ():
            if item.text.strip() not in known:
                reason = self.header(number)
                why = reason if isinstance(reason, str) else f"no loop over {item.text.strip()} follows"
                self.messages.error(source, item.offset, f"{why}.")
                return None
        found: list[Bound] = []
        self.other: list[tuple[int, str]] = []
        for axis, item in enumerate(d.ref.dims.fastest_first()):
            if item.star or item.parts == ("", ""):
                continue
            names = identifiers(item.text) & (set(listed) if listed else known)
            if len(names) > 1:
                self.messages.error(source, item.offset, f"{item.text} has more than one loop variable.")
                return None
            if not names:
                self.other.append((axis, item.text))
                continue
            variable = names.pop()
            if any(b.header.variable == variable for b in found):
                self.messages.error(source, item.offset, f"loop variable {variable} stands in two dimensions of {d.ref.name}.")
                return None
            offset = affine(item.text, variable)
            if offset is None:
                self.messages.error(source, item.offset, f"{item.text} is not {variable}, {variable} + n or {variable} - n.")
                return None
            header = self.header(self.nest(number, {variable})[variable])
            kind = symbol.formats[axis].kind if symbol.kind == "template" else "block"
            n = self.declare.number()
            found.append(Bound(header, symbol.variable, axis, offset, kind, (f"xacc_b{n}", f"xacc_e{n}"), symbol))
        if not found:
            reason = self.header(number)
            self.messages.error(source, d.ref.offset, f"{reason}." if isinstance(reason, str) else
                                f"none of the loop variables {', '.join(sorted(known))} is a subscript of {d.ref.name}.")
            return None
        return found

    def guards(self, d: Directive, symbol: Symbol, template: str) -> str | None:
        return " && ".join(f"xacc_mine({template}, {axis}, {text})" for axis, text in self.other)

    def text(self, b: Bound, place: tuple[int, int]) -> str:
        return self.tree.nodes[b.header.node].source.text[place[0] : place[1]].replace("\n", " ").strip()

    def outer(self, bounds: list[Bound], b: Bound) -> bool:
        """Can the bounds be found before the nest? Not where they hold variables that change inside."""
        first = min(bounds, key=lambda x: self.tree.nodes[x.header.node].start).header.node
        used = identifiers(self.text(b, b.header.first)) | identifiers(self.text(b, b.header.last)) | identifiers(b.header.step)
        if b.header.node == first:
            return True
        inside = set()
        node = self.tree.nodes[first]
        for n in [first, *self.tree.descendants(first)]:
            child = self.tree.nodes[n]
            if child.kind == "VAR_DECL":
                inside.add(child.name)
        text = node.source.blank[node.start : self.tree.nodes[b.header.node].start]
        inside |= set(re.findall(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", text))
        inside |= set(re.findall(r"([A-Za-z_]\w*)\s*(?:\+\+|--)", text)) | set(re.findall(r"(?:\+\+|--)\s*([A-Za-z_]\w*)", text))
        return not used & inside

    def expands(self, d: Directive, bounds: list[Bound]) -> dict[int, str] | None:
        """xacc_expand of each bound, by axis."""
        if d.ring is None:
            return {}
        word, items, offset = d.ring
        subscripts = d.ref.dims.items
        if len(items) == len(subscripts):
            order = list(range(len(subscripts)))
            if d.ref.dims.square:
                order.reverse()
            pairs = dict(zip(order, items, strict=True))
        elif len(items) == len(bounds):
            by_text = [i for i in d.ref.dims.items if not (i.star or i.parts == ("", ""))]
            axes = [len(subscripts) - 1 - k if d.ref.dims.square else k for k, i in enumerate(subscripts) if i in by_text]
            pairs = dict(zip(axes, items, strict=False))
        else:
            self.messages.error(d.source, offset, f"{word} gives {len(items)} widths for {len(subscripts)} dimensions.")
            return None
        out = {}
        for b in bounds:
            item = pairs.get(b.axis)
            if item is None:
                out[b.axis] = "{0, 0, 0}"
                continue
            parts = [p.strip() for p in item.parts]
            if len(parts) > 2 or not all(parts) or "*" in parts or "periodic" in item.modifiers:
                self.messages.error(d.source, item.offset, "a width is a number or below:above, with /unbound/ before it where wanted.")
                return None
            if b.kind == "cyclic":
                self.messages.error(d.source, offset, f"{word} needs a block distribution.")
                return None
            out[b.axis] = f"{{{parts[0]}, {parts[-1]}, {int('unbound' in item.modifiers)}}}"
        return out

    def plain(self, d: Directive, bounds: list[Bound], before: list[str]) -> bool:
        expands = self.expands(d, bounds)
        if expands is None:
            return False
        for b in bounds:
            h = b.header
            if not self.outer(bounds, b):
                if not expands:
                    continue
                self.messages.error(d.source, d.ring[2], "expand needs loops whose bounds do not depend on each other.")
                return False
            first, last = self.text(b, h.first), self.text(b, h.last)
            expand = f"&(xacc_expand){expands[b.axis]}" if b.axis in expands else "0"
            inclusive = int(h.op in ("<=", ">="))
            before.append(f"long {b.names[0]}, {b.names[1]}; xacc_span({b.template}, {b.axis}, {b.offset}, {first}, "
                          f"{h.inclusive(last)}, {h.step}, {inclusive}, {expand}, &{b.names[0]}, &{b.names[1]});")
        return True

    def ring(self, d: Directive, bounds: list[Bound], before: list[str], body: list[str]) -> bool:
        expands = self.expands(d, bounds)
        if expands is None:
            return False
        name = f"xacc_o{self.declare.number()}"
        peel = d.ring[0] == "peel_and_wait"
        ids = ", ".join(d.ids)
        before.append(f"xacc_ring {name} = {{.peel = {int(peel)}, .nasync = {len(d.ids)}, .async = {{{ids or 0}}}}};")
        for k, b in enumerate(bounds):
            h = b.header
            if h.step != "1":
                self.messages.error(d.source, d.ring[2], f"{d.ring[0]} needs loops of step 1.")
                return False
            if not self.outer(bounds, b):
                self.messages.error(d.source, d.ring[2], f"{d.ring[0]} needs loops whose bounds do not depend on each other.")
                return False
            before.append(f"xacc_ring_dim(&{name}, {b.template}, {b.axis}, {b.offset}, {self.text(b, h.first)}, "
                          f"{h.inclusive(self.text(b, h.last))}, &(xacc_expand){expands[b.axis]});")
            stop = "" if h.op != "<=" else " - 1"
            body.append(f"long {b.names[0]} = {name}.lo[{k}], {b.names[1]} = {name}.hi[{k}]{stop};")
        body.insert(0, f"while (xacc_ring_next(&{name})) {{")
        return True

    def headers_of(self, bounds: list[Bound]) -> None:
        for b in bounds:
            h, source = b.header, self.tree.nodes[b.header.node].source
            if self.outer(bounds, b):
                begin, end = b.names
            else:
                begin = f"xacc_begin({b.template}, {b.axis}, {b.offset}, {self.text(b, h.first)}, {h.step})"
                end = (f"xacc_end({b.template}, {b.axis}, {b.offset}, {h.inclusive(self.text(b, h.last))}, {h.step}, "
                       f"{int(h.op in ('<=', '>='))})")
            source.replace(*h.first, begin)
            source.replace(*h.last, end)
            if h.op == "!=":
                source.replace(*h.operator, "<" if h.step.startswith("-") == h.turned else ">")
