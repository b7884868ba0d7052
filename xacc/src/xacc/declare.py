"""nodes, template, distribute, align and shadow: descriptors, and what becomes of the declarations of arrays."""

from __future__ import annotations

import re
from dataclasses import replace

from xacc.ast import Node
from xacc.directive import Directive, Dims, Format, Item, Ref
from xacc.forms import affine, extent, maps, view
from xacc.messages import nearest
from xacc.program import Array, Axis, Program, Symbol, brackets_of
from xacc.text import Source, matching

HERE = "XACC_HERE"


class Declare:
    """Writes code for the declaring directives of a program."""

    def __init__(self, program: Program) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self._count = 0
        self.code: dict[int, list[str]] = {}  # id of directive -> statements that take its place
        self.file_scope: dict[int, bool] = {}

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

    def subscripts(self, ref: Ref, symbol: Symbol) -> str | None:
        """(xacc_sub[]){...} of a reference, fastest dimension first."""
        if ref.dims is None:
            return "(xacc_sub[]){" + ", ".join(["XACC_FULL"] * symbol.dims) + "}"
        if len(ref.dims.items) != symbol.dims:
            self.messages.error(self.source(ref), ref.offset,
                                f"{ref.name} has {symbol.dims} dimensions and is given {len(ref.dims.items)} subscripts.")
            return None
        parts = [self.subscript(item, ref.dims.square, symbol.kind == "nodes") for item in ref.dims.fastest_first()]
        return "(xacc_sub[]){" + ", ".join(parts) + "}"

    def source(self, ref: Ref) -> Source:
        return self._source

    def subscript(self, item: Item, square: bool, nodes: bool) -> str:
        shift = "" if square or not nodes else " - 1"
        parts = [p.strip() for p in item.parts]
        if parts == ["*"]:
            return "XACC_SELF"
        if parts == ["", ""] or parts == ["", "", ""]:
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

    def add(self, directive: Directive, kind: str, dims: Dims, scope: int, order: tuple[int, ...], name: str, offset: int) -> Symbol | None:
        for s in self.program.symbols:
            if s.name == name and s.scope == scope and s.kind == kind:
                if s.scope == -1 and s.directive.source is not directive.source:
                    continue
                self.messages.error(directive.source, offset, f"{name} is declared twice in this scope.")
                return None
        if not 1 <= len(dims.items) <= 7:
            self.messages.error(directive.source, offset, f"{name} has {len(dims.items)} dimensions; 1 to 7 are supported.")
            return None
        symbol = Symbol(kind, name, directive, scope, order, len(dims.items), dims.square)
        self.program.symbols.append(symbol)
        return symbol

    def nodes(self, d: Directive, scope: int, order: tuple[int, ...]) -> None:
        self._source = d.source
        for name, offset in d.names:
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
                if base is None:
                    continue
                subscripts = self.subscripts(d.ref, base)
                if subscripts is None:
                    continue
                part, source = base.variable, "XACC_PART"
            symbol = self.add(d, "nodes", d.dims, scope, order, name, offset)
            if symbol is None:
                continue
            v = symbol.raw
            self.put(d, scope, f"xacc_nodes *{v}",
                     f'{v} = xacc_nodes_new({HERE}, "{name}", {int(d.dims.square)}, {symbol.dims}, (long[]){{{", ".join(sizes)}}}, '
                     f"{source}, {part}, {subscripts})")

    def template(self, d: Directive, scope: int, order: tuple[int, ...]) -> None:
        for name, offset in d.names:
            symbol = self.add(d, "template", d.dims, scope, order, name, offset)
            if symbol is None:
                continue
            symbol.open = any(item.parts == ("", "") for item in d.dims.items)
            if symbol.open:
                if not all(item.parts == ("", "") for item in d.dims.items):
                    self.messages.error(d.source, d.dims.offset, f"all dimensions of template {name} are left open, or none.")
                self.say(d, "")
                continue
            bounds = self.bounds(d, d.dims)
            v = f"xacc_b_{name}"
            if scope < 0:
                assign = "; ".join(f"{v}[{i}] = {b}" for i, b in enumerate(bounds))
                self.put(d, scope, f"long {v}[{len(bounds)}]", assign)
            else:
                self.say(d, f"long {v}[] = {{{', '.join(bounds)}}};")

    def bounds(self, d: Directive, dims: Dims) -> list[str]:
        """Lower and upper bounds, fastest dimension first."""
        bounds = []
        for item in dims.fastest_first():
            parts = [p.strip() for p in item.parts]
            if len(parts) > 2 or "" in parts or "*" in parts:
                self.messages.error(d.source, item.offset, "a dimension of a template is a size or lower:upper in ( ), lower:length in [ ].")
                parts = ["1"]
            if len(parts) == 1:
                low, high = ("0", f"({parts[0]}) - 1") if dims.square else ("1", f"({parts[0]})")
            elif dims.square:
                low, high = f"({parts[0]})", f"({parts[0]}) + ({parts[1]}) - 1"
            else:
                low, high = f"({parts[0]})", f"({parts[1]})"
            bounds += [low, high]
        return bounds

    def formats(self, formats: list[Format]) -> str:
        return ", ".join(
            "{XACC_GBLOCK, 0, 0, 0}" if f.kind == "gblock" and f.argument.strip() == "*"
            else f"{{XACC_GBLOCK, 0, {f.argument}, sizeof(*({f.argument}))}}" if f.kind == "gblock"
            else f"{{XACC_{f.kind.upper()}, {f.argument or 0}, 0, 0}}" for f in formats)

    def template_fix(self, d: Directive) -> str | None:
        (name, offset), = d.names
        t = self.program.lookup(name, ("template",), d.source, offset)
        if t is None or not t.distributed:
            self.program.need(name, ("template",), d.source, offset)
            return None
        if not t.open:
            self.messages.error(d.source, offset, f"template {name} has its shape and blocks already; template_fix is for templates that leave them open.")
            return None
        if d.dims is not None and len(d.dims.items) != t.dims:
            self.messages.error(d.source, d.dims.offset, f"template {name} has {t.dims} dimensions and is given {len(d.dims.items)}.")
            return None
        formats = list(reversed(d.formats)) if d.formats_square else list(d.formats)
        if formats and [f.kind for f in formats] != [f.kind for f in t.formats]:
            self.messages.error(d.source, d.formats[0].offset, f"template {name} is distributed by {', '.join(f.kind.replace('star', '*') for f in t.formats)}; "
                                                               "template_fix gives the same words.")
            return None
        if any(f.kind == "gblock" and f.argument.strip() == "*" for f in formats or t.formats):
            self.messages.error(d.source, offset, f"the block sizes of template {name} are left open; name them, as in template_fix [gblock(m)].")
            return None
        if d.dims is None and t.shapeless:
            self.messages.error(d.source, offset, f"the shape of template {name} is left open; write it after the name.")
            return None
        bounds = "(long[]){" + ", ".join(self.bounds(d, d.dims)) + "}" if d.dims is not None else f"xacc_b_{name}"
        return f"xacc_template_fix({HERE}, {t.raw}, {bounds}, (xacc_format[]){{{self.formats(formats or t.formats)}}});"

    def distribute(self, d: Directive, scope: int, order: tuple[int, ...]) -> None:
        nodes = self.program.need(d.ref.name, ("nodes",), d.source, d.ref.offset)
        if nodes is not None and d.ref.dims is not None:
            nodes = self.part(d, nodes, scope, order)
        for name, offset in d.names:
            t = self.program.lookup(name, ("template",), d.source, offset)
            if t is None:
                known = {s.name for s in self.program.symbols if s.kind == "template"}
                self.messages.error(d.source, offset, f"{name} is not the name of a template here{nearest(name, known) or '.'}")
                continue
            if t.distributed:
                self.messages.error(d.source, offset, f"template {name} is distributed twice.")
                continue
            if nodes is None:
                continue
            if len(d.formats) != t.dims:
                self.messages.error(d.source, offset, f"template {name} has {t.dims} dimensions and is given {len(d.formats)} distributions.")
                continue
            formats = list(reversed(d.formats)) if d.formats_square else list(d.formats)
            if t.scope != scope:
                self.messages.error(d.source, offset, f"template {name} is distributed in another block than its declaration.")
                continue
            if sum(f.kind != "star" for f in formats) != nodes.dims:
                self.messages.error(d.source, offset,
                                    f"{sum(f.kind != 'star' for f in formats)} dimensions of template {name} are distributed and nodes "
                                    f"{nodes.name} has {nodes.dims}; they must be as many.")
                continue
            t.formats, t.nodes, t.distributed = formats, nodes, True
            v = t.raw
            t.shapeless = t.open
            t.open |= any(f.kind == "gblock" and f.argument.strip() == "*" for f in formats)
            text = self.formats(formats)
            if t.open:
                self.put(d, scope, f"xacc_template *{v}", f'{v} = xacc_template_open({HERE}, "{name}", {int(t.square)}, {t.dims}, {nodes.variable}, '
                                                          f"{int(scope < 0)})")
                continue
            self.put(d, scope, f"xacc_template *{v}",
                     f'{v} = xacc_template_new({HERE}, "{name}", {int(t.square)}, {t.dims}, xacc_b_{name}, {nodes.variable}, '
                     f"(xacc_format[]){{{text}}})")

    def part(self, d: Directive, whole: Symbol, scope: int, order: tuple[int, ...]) -> Symbol | None:
        """Nodes without a declaration: of p[1:3][0] those dimensions that are no index."""
        self._source = d.source
        subscripts, items = self.subscripts(d.ref, whole), d.ref.dims.fastest_first()
        kept = [k for k, item in enumerate(items) if len(item.parts) > 1]
        sizes = tuple(Item((i.parts[1] if d.ref.dims.square and len(i.parts) == 2 and i.parts[1] else "*",), i.offset) for i in d.ref.dims.items if len(i.parts) > 1)
        shape = replace(d, dims=replace(d.ref.dims, items=sizes))
        made = Symbol("nodes", f"{whole.name}_part{self.number()}", shape, scope, order, len(kept), d.ref.dims.square)
        if subscripts is None:
            return None
        self.put(d, scope, f"xacc_nodes *{made.raw}", f'{made.raw} = xacc_nodes_part({HERE}, "{whole.name}", {int(made.square)}, {whole.variable}, {subscripts}, '
                                                      f"{sum(1 << k for k in kept)}u)")
        return made

    def align(self, d: Directive, scope: int, order: tuple[int, ...]) -> None:
        t = self.program.need(d.ref.name, ("template",), d.source, d.ref.offset)
        if t is None:
            return
        for name, offset in d.names:
            found, place = self.program.declarations(name, d.source, offset)
            if not found:
                variables = {n.name for n in self.tree.nodes if n.kind in ("VAR_DECL", "PARM_DECL")}
                self.messages.error(d.source, offset, f"no variable {name} is declared before this align{nearest(name, variables) or '.'}")
                continue
            if place == "file" and scope >= 0:  # known to this block only
                place = "static"
                if len(found) > 1 or "extern" in self.tree.nodes[found[0]].source.line_text(self.tree.nodes[found[0]].source.position(
                        self.tree.nodes[found[0]].at)[0]).split():
                    self.messages.error(d.source, offset, f"{name} is declared in more than one place at file scope; align it there too.")
                    continue
            axes = self.axes(d, name, offset, found, t)
            if axes is None:
                continue
            if any(a.name == name and a.nodes == found for a in self.program.arrays):
                self.messages.error(d.source, offset, f"array {name} is aligned twice.")
                continue
            axes, fixed = axes
            array = Array(name, place, found, axes, t, fixed, scope, order, d)
            array.pointer = place != "parameter" and axes[0].extent == ""
            if t.open and place == "file" and not array.pointer:
                self.messages.error(d.source, offset, f"array {name} exists before template {t.name} has its shape; declare a pointer, and call xmp_malloc.")
                continue
            if d.shadow is not None:
                self.widths(array, d.shadow, d.source)
            self.program.arrays.append(array)

    def axes(self, d: Directive, name: str, offset: int, found: list[int], t: Symbol) -> tuple[list[Axis], list[tuple[int, str]]] | None:
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
            self.messages.error(d.source, offset, f"{name} cannot be aligned: {why}.")
            return None
        if brackets and len(brackets) != len(d.dims.items):
            self.messages.error(d.source, offset, f"array {name} has {len(brackets)} dimensions and is given {len(d.dims.items)} subscripts.")
            return None
        if len(d.ref.dims.items) != t.dims:
            self.messages.error(d.source, d.ref.offset, f"template {t.name} has {t.dims} dimensions and is given {len(d.ref.dims.items)} subscripts.")
            return None
        axes = [Axis(extent(node.source.text[a + 1 : b]) if b > 1 else "") for a, b in brackets] or [Axis("")]
        if any(a.extent == "" for a in axes[1:]) or (axes[0].extent == "" and node.kind != "PARM_DECL" and not pointer):
            self.messages.error(d.source, offset, f"array {name} has a dimension without extent; write it in the declaration.")
            return None
        targets, fixed = d.ref.dims.fastest_first(), []
        colons = [k for k, item in enumerate(targets) if item.parts == ("", "")]
        if d.ref.dims.square:
            colons.reverse()
        used = set()
        for axis, item in zip(axes, d.dims.items, strict=True):
            text = item.text.strip()
            if text == "*":
                continue
            if text == ":":
                if not colons:
                    self.messages.error(d.source, item.offset, "more : before with than after it.")
                    return None
                axis.axis = colons.pop(0)
            else:
                if not re.fullmatch(r"[A-Za-z_]\w*", text):
                    self.messages.error(d.source, item.offset, f"{text} is no index name; align takes names, : and *.")
                    return None
                hits = [k for k, target in enumerate(targets) if re.search(rf"\b{text}\b", target.text)]
                if len(hits) != 1:
                    self.messages.error(d.source, item.offset, f"index {text} stands {'in no' if not hits else 'in more than one'} "
                                                               f"dimension of template {t.name}; it must stand in one.")
                    return None
                axis.axis = hits[0]
                shift = affine(targets[hits[0]].text, text)
                if shift is None:
                    self.messages.error(d.source, targets[hits[0]].offset, f"{targets[hits[0]].text} is not {text}, {text} + n or {text} - n.")
                    return None
                axis.offset = shift
            used.add(axis.axis)
            axis.kind = t.formats[axis.axis].kind
        for k, target in enumerate(targets):
            if k in used or target.star:
                continue
            if target.parts == ("", ""):
                self.messages.error(d.source, target.offset, "more : after with than before it.")
                return None
            fixed.append((k, target.text))
        return axes, fixed

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

    def widths(self, array: Array, shadow: Dims, source: Source) -> None:
        if len(shadow.items) != len(array.axes):
            self.messages.error(source, shadow.offset, f"array {array.name} has {len(array.axes)} dimensions and is given {len(shadow.items)} shadow widths.")
            return
        for axis, item in zip(array.axes, shadow.items, strict=True):
            parts = [p.strip() for p in item.parts]
            if parts == ["*"]:
                axis.full = True
            elif len(parts) <= 2 and all(parts):
                axis.below, axis.above = parts[0], parts[-1]
            else:
                self.messages.error(source, item.offset, "a shadow is a width, below:above, or *.")
            if axis.cyclic and not axis.below == axis.above == "0":
                self.messages.error(source, item.offset, f"a cyclic dimension of array {array.name} has no shadow but a full one, *; distribute it by block.")

    def shadow(self, d: Directive, scope: int, order: tuple[int, ...]) -> None:
        for name, offset in d.names:
            array = self.program.array(name, d.source, offset)
            if array is None or array.scope != scope:
                self.messages.error(d.source, offset, f"{name} is not aligned here; put its align directive before the shadow.")
                continue
            self.widths(array, d.shadow, d.source)
            array.directive, array.order = d, order

    def make(self, array: Array) -> None:
        """Code that makes a descriptor, where the array's last mapping directive stands."""
        d, n, name = array.directive, len(array.axes), array.name
        sizes = ", ".join(f"({a.extent})" if a.extent else "-1" for a in array.axes)
        fixed = "0"
        if array.fixed:
            fixed = "(xacc_fixed[]){" + ", ".join(f"{{{k}, {e}}}" for k, e in array.fixed) + "}"
        common = f"XACC_ELEMENT({array.element}), {n}, (long[]){{{sizes}}}, {array.template.variable}, (xacc_align[]){{{maps(array)}}}"
        v = array.raw
        if array.pointer:
            self.say(d, f"xacc_array *{v} = 0; (void){v};" if array.place == "local" else f"static __attribute__((unused)) xacc_array *{v};")
            return
        if array.place == "parameter":
            text = f'xacc_array *{v} = xacc_parameter({HERE}, "{name}", (const void *)xacc_p_{name}, {common}); {view(array)}'
            self.say(d, text)
            return
        holder = f"(void **)&xacc_g_{name}" if array.place == "file" else "0"
        own = int(array.defined)
        call = f'xacc_array_new({HERE}, "{name}", {holder}, {own}, {common}, {len(array.fixed)}, {fixed})'
        if array.place == "file":
            self.put(d, -1, f"xacc_array *{v}", f"{v} = {call}")
        elif array.place == "static":
            self.say(d, f"static xacc_array *{v}; if (!{v}) {v} = {call}; {view(array)}")
        else:
            self.say(d, f"xacc_array *{v} XACC_SCOPED = {call}; {view(array)}")
