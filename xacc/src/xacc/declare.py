"""nodes, template, distribute, align and shadow: descriptors, and what becomes of the declarations of arrays."""

from __future__ import annotations

import re
from dataclasses import replace

from xacc.ast import Node
from xacc.directive import Directive, Dims, Format, Item, Ref
from xacc.forms import affine, extent, mapping, new_array, view
from xacc.messages import Refused, as_many, nearest
from xacc.program import Array, Axis, Program, Symbol, brackets_of
from xacc.text import matching

HERE = "XACC_HERE"


class Declare:
    """Writes code for the declaring directives of a program."""

    def __init__(self, program: Program) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self._count = 0
        self.code: dict[int, list[str]] = {}  # id of directive -> statements that take its place
        self.onto: Symbol | None = None  # the nodes of the distribute directive that is read

    def number(self) -> int:
        self._count += 1
        return self._count

    def put(self, directive: Directive, scope: int, declaration: str, assignment: str) -> None:
        """At file scope the assignment goes into a function that runs at the start; in a block it is the initialiser."""
        if scope < 0:
            name = f"xacc_i{self.number()}_{directive.source.position(directive.start)[0]}"
            text = f"static {declaration}; static void {name}(void) {{ {assignment}; }} XACC_INIT({name})"
        else:
            left, _, right = assignment.partition(" = ")
            text = f"{declaration} = {right};" if declaration.endswith(left) else f"{declaration}; {assignment};"
        self.say(directive, text)

    def say(self, directive: Directive, text: str) -> None:
        self.code.setdefault(id(directive.first or directive), []).append(text)

    def subscripts(self, ref: Ref, symbol: Symbol) -> str:
        """(xacc_sub[]){...} of a reference, fastest dimension first."""
        if ref.dims is None:
            return "(xacc_sub[]){" + ", ".join(["XACC_FULL"] * symbol.dims) + "}"
        as_many(symbol.dims, ref.dims.items, ref.offset, ref.name)
        parts = [self.subscript(item, ref.dims.square, symbol.kind == "nodes") for item in ref.dims.fastest_first()]
        return "(xacc_sub[]){" + ", ".join(parts) + "}"

    def subscript(self, item: Item, square: bool, nodes: bool) -> str:
        shift = "" if square or not nodes else " - 1"
        parts = item.parts
        if item.star:
            return "XACC_SELF"
        if parts in (("", ""), ("", "", "")):
            return "XACC_FULL"
        if len(parts) == 1:
            return f"XACC_TO(({parts[0]}){shift}, ({parts[0]}){shift}, 1)"
        step = parts[2] if len(parts) > 2 and parts[2] else "1"
        low = parts[0] or ("0" if nodes and square else "1" if nodes else "-(1L << 60)")
        if not parts[1]:
            high = "1L << 60"
        elif square:
            high = f"({low}) + (({parts[1]}) - 1) * ({step})"
        else:
            high = f"({parts[1]}){shift}"
        return f"XACC_TO(({low}){shift}, {high}, {step})"

    def each(self, d: Directive, scope: int, order: tuple[int, ...]) -> None:
        """Declares the names of a directive; after an error in one of them goes on with the next."""
        self.onto = None
        with self.messages.refusals(d.source):
            self.onto = self.target(d, scope, order) if d.kind == "distribute" else None
        for name, offset in d.names:
            with self.messages.refusals(d.source):
                getattr(self, d.kind)(d, scope, order, name, offset)

    def add(self, d: Directive, scope: int, order: tuple[int, ...], name: str, offset: int) -> Symbol:
        for s in self.program.symbols:
            if s.name == name and s.scope == scope and s.kind == d.kind and (scope >= 0 or s.directive.source is d.source):
                raise Refused(offset, f"{name} is declared twice in this scope.")
        if not 1 <= len(d.dims.items) <= 7:
            raise Refused(offset, f"{name} has {len(d.dims.items)} dimensions; 1 to 7 are supported.")
        symbol = Symbol(d.kind, name, d, scope, order, len(d.dims.items), d.dims.square)
        self.program.add(symbol)
        return symbol

    def nodes(self, d: Directive, scope: int, order: tuple[int, ...], name: str, offset: int) -> None:
        sizes = []
        for item in d.dims.fastest_first():
            if len(item.parts) > 1:
                self.messages.error(d.source, item.offset, "a dimension of nodes is a size or *.")
            sizes.append("-1" if item.star else f"({item.text})")
        part, subscripts, source = "0", "0", "XACC_ENTIRE"
        if d.equals == "=*":
            source = "XACC_EXECUTING"
        elif d.ref is not None:
            base = self.program.need(d.ref.name, ("nodes",), d.source, d.ref.offset)
            part, subscripts, source = base.variable, self.subscripts(d.ref, base), "XACC_PART"
        symbol = self.add(d, scope, order, name, offset)
        v = symbol.raw
        self.put(d, scope, f"xacc_nodes *{v}",
                 f'{v} = xacc_nodes_new({HERE}, "{name}", {int(d.dims.square)}, {symbol.dims}, (long[]){{{", ".join(sizes)}}}, '
                 f"{source}, {part}, {subscripts})")

    def template(self, d: Directive, scope: int, order: tuple[int, ...], name: str, offset: int) -> None:
        symbol = self.add(d, scope, order, name, offset)
        symbol.open = any(item.colon for item in d.dims.items)
        if symbol.open:
            if not all(item.colon for item in d.dims.items):
                self.messages.error(d.source, d.dims.offset, f"all dimensions of template {name} are left open, or none.")
            self.say(d, "")
            return
        bounds = self.bounds(d, d.dims)
        v = f"xacc_b_{name}"
        if scope < 0:
            assign = "; ".join(f"{v}[{i}] = {b}" for i, b in enumerate(bounds))
            self.put(d, scope, f"long {v}[{len(bounds)}]", assign)
        else:
            self.say(d, f"long {v}[] = {{{', '.join(bounds)}}};")

    def bounds(self, d: Directive, dims: Dims) -> list[str]:
        """Lower and upper bounds, fastest dimension first."""
        bounds: list[str] = []
        for item in dims.fastest_first():
            ends = item.bounds(dims.square)
            if ends is None:
                self.messages.error(d.source, item.offset, "a dimension of a template is a size or lower:upper in ( ), lower:length in [ ].")
            bounds += ends or ()
        return bounds

    def formats(self, formats: list[Format]) -> str:
        return ", ".join(
            "{XACC_GBLOCK, 0, 0, 0}" if f.open
            else f"{{XACC_GBLOCK, 0, {f.argument}, sizeof(*({f.argument}))}}" if f.kind == "gblock"
            else f"{{XACC_{f.kind.upper()}, {f.argument or 0}, 0, 0}}" for f in formats)

    def template_fix(self, d: Directive) -> str:
        (name, offset), = d.names
        t = self.program.need(name, ("template",), d.source, offset)
        if not t.open:
            raise Refused(offset, f"template {name} has its shape and blocks already; leave them open for template_fix.")
        if d.dims is not None:
            as_many(t.dims, d.dims.items, d.dims.offset, f"template {name}", "")
        formats, kinds = d.formats_fastest_first(), [f.kind for f in t.formats]
        if formats and [f.kind for f in formats] != kinds:
            raise Refused(d.formats[0].offset, f"template {name} is distributed by {', '.join(kinds).replace('star', '*')}; "
                                               "template_fix gives the same words.")
        if any(f.open for f in formats or t.formats):
            raise Refused(offset, f"the block sizes of template {name} are left open; name them, as in template_fix [gblock(m)].")
        if d.dims is None and t.shapeless:
            raise Refused(offset, f"the shape of template {name} is left open; write it after the name.")
        bounds = "(long[]){" + ", ".join(self.bounds(d, d.dims)) + "}" if d.dims is not None else f"xacc_b_{name}"
        return f"xacc_template_fix({HERE}, {t.raw}, {bounds}, (xacc_format[]){{{self.formats(formats or t.formats)}}});"

    def distribute(self, d: Directive, scope: int, order: tuple[int, ...], name: str, offset: int) -> None:
        t, nodes = self.program.declared(name, ("template",), d.source, offset), self.onto
        if t.distributed:
            raise Refused(offset, f"template {name} is distributed twice.")
        if nodes is None:  # the message is out
            return
        as_many(t.dims, d.formats, offset, f"template {name}", " distributions")
        if t.scope != scope:
            raise Refused(offset, f"template {name} is distributed in another block than its declaration.")
        formats = d.formats_fastest_first()
        divided = sum(f.kind != "star" for f in formats)
        if divided != nodes.dims:
            raise Refused(offset, f"{divided} dimensions of template {name} are distributed and nodes {nodes.name} has "
                                  f"{nodes.dims}; they must be as many.")
        t.formats, t.nodes, t.distributed = formats, nodes, True
        t.shapeless = t.open
        t.open |= any(f.open for f in formats)
        common = f'{HERE}, "{name}", {int(t.square)}, {t.dims}'
        call = (f"xacc_template_open({common}, {nodes.variable}, {int(scope < 0)})" if t.open else
                f"xacc_template_new({common}, xacc_b_{name}, {nodes.variable}, (xacc_format[]){{{self.formats(formats)}}})")
        self.put(d, scope, f"xacc_template *{t.raw}", f"{t.raw} = {call}")

    def target(self, d: Directive, scope: int, order: tuple[int, ...]) -> Symbol:
        """The nodes of distribute; of p[1:3][0] nodes without a declaration, those dimensions that are no index."""
        whole = self.program.need(d.ref.name, ("nodes",), d.source, d.ref.offset)
        if d.ref.dims is None:
            return whole
        subscripts, items = self.subscripts(d.ref, whole), d.ref.dims.fastest_first()
        kept = [k for k, item in enumerate(items) if len(item.parts) > 1]
        sizes = tuple(Item((i.parts[1] if d.ref.dims.square and len(i.parts) == 2 and i.parts[1] else "*",), i.offset) for i in d.ref.dims.items if len(i.parts) > 1)
        shape = replace(d, dims=replace(d.ref.dims, items=sizes))
        made = Symbol("nodes", f"{whole.name}_part{self.number()}", shape, scope, order, len(kept), d.ref.dims.square)
        self.put(d, scope, f"xacc_nodes *{made.raw}", f'{made.raw} = xacc_nodes_part({HERE}, "{whole.name}", {int(made.square)}, {whole.variable}, {subscripts}, '
                                                      f"{sum(1 << k for k in kept)}u)")
        return made

    def align(self, d: Directive, scope: int, order: tuple[int, ...], name: str, offset: int) -> None:
        t = self.program.need(d.ref.name, ("template",), d.source, d.ref.offset)
        found, place = self.program.declarations(name, d.source, offset)
        if not found:
            variables = {n.name for n in self.tree.nodes if n.kind in ("VAR_DECL", "PARM_DECL")}
            raise Refused(offset, f"no variable {name} is declared before this align{nearest(name, variables) or '.'}")
        if place == "file" and scope >= 0:  # known to this block only
            place, first = "static", self.tree.nodes[found[0]]
            if len(found) > 1 or "extern" in first.source.line_text(first.source.position(first.at)[0]).split():
                raise Refused(offset, f"{name} is declared in more than one place at file scope; align it there too.")
        axes = self.axes(d, name, offset, found, t)
        fixed = self.targets_of(d, axes, t)
        if any(a.kind == "array" and a.nodes == found for a in self.program.named.get((name, scope), ())):
            raise Refused(offset, f"array {name} is aligned twice.")
        array = Array(name, place, found, axes, t, fixed, scope, order, d)
        array.pointer = place != "parameter" and axes[0].extent == ""
        if t.open and place == "file" and not array.pointer:
            raise Refused(offset, f"array {name} exists before template {t.name} has its shape; declare a pointer, and call xmp_malloc.")
        self.program.add(array)
        if d.shadow is not None:
            self.widths(array, d)

    def axes(self, d: Directive, name: str, offset: int, found: list[int], t: Symbol) -> list[Axis]:
        """The dimensions of an array with their extents."""
        best = max(found, key=lambda i: len(brackets_of(self.tree.nodes[i])))
        node = self.tree.nodes[best]
        brackets = brackets_of(node)
        pointer = node.type is not None and node.type.get_canonical().kind.name == "POINTER"
        rows = self.rows(node) if pointer and not brackets else []
        if rows:  # T (*a)[n] is T a[][n]
            brackets = [(0, 1), *rows]
        if not brackets and not (pointer and len(d.dims.items) == 1):  # T *a is T a[]
            kind = node.type.get_canonical().kind.name if node.type is not None else ""
            why = ("its type hides the extents in a typedef; write them in the declaration" if "ARRAY" in kind
                   else "a pointer to rows is declared as T (*a)[n]" if kind == "POINTER" else "it is no array")
            raise Refused(offset, f"{name} cannot be aligned: {why}.")
        as_many(len(brackets) or 1, d.dims.items, offset, f"array {name}")
        as_many(t.dims, d.ref.dims.items, d.ref.offset, f"template {t.name}")
        axes = [Axis(extent(node.source.text[a + 1 : b]) if b > 1 else "") for a, b in brackets] or [Axis("")]
        if any(a.extent == "" for a in axes[1:]) or (axes[0].extent == "" and node.kind != "PARM_DECL" and not pointer):
            raise Refused(offset, f"array {name} has a dimension without extent; write it in the declaration.")
        return axes

    def targets_of(self, d: Directive, axes: list[Axis], t: Symbol) -> list[tuple[int, str]]:
        """Gives the dimensions of an array those of the template; the fixed subscripts of others are returned."""
        targets, fixed = d.ref.dims.fastest_first(), []
        colons = [k for k, item in enumerate(targets) if item.colon]
        if d.ref.dims.square:
            colons.reverse()
        used = set()
        for axis, item in zip(axes, d.dims.items, strict=True):
            text = item.text
            if item.star:
                continue
            if item.colon:
                if not colons:
                    raise Refused(item.offset, "more : before with than after it.")
                axis.axis = colons.pop(0)
            else:
                if not re.fullmatch(r"[A-Za-z_]\w*", text):
                    raise Refused(item.offset, f"{text} is no index name; align takes names, : and *.")
                hits = [k for k, target in enumerate(targets) if re.search(rf"\b{text}\b", target.text)]
                if len(hits) != 1:
                    raise Refused(item.offset, f"index {text} stands {'in no' if not hits else 'in more than one'} dimension of "
                                               f"template {t.name}; it must stand in one.")
                axis.axis = hits[0]
                shift = affine(targets[hits[0]].text, text)
                if shift is None:
                    raise Refused(targets[hits[0]].offset, f"{targets[hits[0]].text} is not {text}, {text} + n or {text} - n.")
                axis.offset = shift
            used.add(axis.axis)
            axis.kind = t.formats[axis.axis].kind
        for k, target in enumerate(targets):
            if k in used or target.star:
                continue
            if target.colon:
                raise Refused(target.offset, "more : after with than before it.")
            fixed.append((k, target.text))
        return fixed

    def rows(self, node: Node) -> list[tuple[int, int]]:
        """The brackets of a pointer to rows, T (*a)[n]."""
        blank, at, found = node.source.blank, node.at + len(node.name), []
        if not re.search(r"\(\s*\*\s*(?:(?:_*restrict_*|const|volatile)\s+)*$", blank[: node.at]):
            return []
        close = re.compile(r"\s*\)").match(blank, at)
        at = close.end() if close else at
        while close and (open_ := re.compile(r"\s*\[").match(blank, at)):
            at = matching(blank, open_.end() - 1) + 1
            found.append((open_.end() - 1, at - 1))
        return found

    def widths(self, array: Array, d: Directive) -> None:
        as_many(len(array.axes), d.shadow.items, d.shadow.offset, f"array {array.name}", " shadow widths")
        for axis, item in zip(array.axes, d.shadow.items, strict=True):
            if item.star:
                axis.full = True
            elif len(item.parts) <= 2 and all(item.parts):
                axis.below, axis.above = item.parts[0], item.parts[-1]
            else:
                self.messages.error(d.source, item.offset, "a shadow is a width, below:above, or *.")
            if axis.cyclic and not axis.below == axis.above == "0":
                self.messages.error(d.source, item.offset, f"a cyclic dimension of array {array.name} has a full shadow, *, or none; distribute it by block.")

    def shadow(self, d: Directive, scope: int, order: tuple[int, ...], name: str, offset: int) -> None:
        array = self.program.array(name, d.source, offset)
        if array is None or array.scope != scope:
            raise Refused(offset, f"{name} is not aligned here; put its align directive before the shadow.")
        array.directive, array.order = d, order
        self.widths(array, d)

    def make(self, array: Array) -> None:
        """Code that makes a descriptor, where the array's last mapping directive stands."""
        d, name, v = array.directive, array.name, array.raw
        sizes = [f"({a.extent})" if a.extent else "-1" for a in array.axes]
        if array.pointer:
            local = array.place == "local"
            self.say(d, f"xacc_array *{v} = 0; (void){v};" if local else f"static __attribute__((unused)) xacc_array *{v};")
            return
        if array.place == "parameter":
            call = f'xacc_parameter({HERE}, "{name}", (const void *)xacc_p_{name}, {mapping(array, sizes)})'
            self.say(d, f"xacc_array *{v} = {call}; {view(array)}")
            return
        holder = f"(void **)&xacc_g_{name}" if array.place == "file" else "0"
        call = new_array(array, holder, int(array.defined), sizes)
        if array.place == "file":
            self.put(d, -1, f"xacc_array *{v}", f"{v} = {call}")
        elif array.place == "static":
            self.say(d, f"static xacc_array *{v}; if (!{v}) {v} = {call}; {view(array)}")
        else:
            self.say(d, f"xacc_array *{v} XACC_SCOPED = {call}; {view(array)}")
