"""The parser of one directive."""

from __future__ import annotations

import re
from collections.abc import Callable

from xacc.directive import Directive, Format, Reduction, Variable
from xacc.messages import Refused, nearest
from xacc.tokens import Tokens

LATER = frozenset("coarray post wait lock unlock image devices barrier_device".split())
OPERATORS = ("+", "-", "*", "&", "|", "^", "&&", "||", "max", "min", "firstmax", "firstmin", "lastmax", "lastmin")

_OF_HALOS = {"reflect": {"width", "async", "acc"}, "reflect_init": {"width", "acc"}, "reflect_do": {"async", "nowait", "acc"},
             "reduce_shadow": {"width", "async"}}


class Parser(Tokens):
    """Reads one directive. Raises Refused with the place and a sentence."""

    def parse(self) -> list[Directive]:
        """The directive; nodes and template may declare several, which have the first in common."""
        if not self.tokens:
            raise Refused(self.base, "a directive has no name.")
        word, offset = self.name("a directive")
        kind = word.lower()
        if kind in LATER:
            raise Refused(offset, f"{kind} is not supported yet; see docs/differences.md.")
        method: Callable[[Directive], None] | None = getattr(self, f"read_{kind}", None)
        if method is None:
            words = [n[5:] for n in dir(self) if n.startswith("read_")] + list(LATER)
            raise Refused(offset, f"unknown directive {word}{nearest(word, words)}")
        found = [Directive(kind, self.source, self.start, self.end, offset)]
        method(found[0])
        while kind in ("nodes", "template") and self.skip(","):
            found.append(Directive(kind, self.source, self.start, self.end, self.offset, first=found[0]))
            method(found[-1])
        if self.peek():
            raise Refused(self.offset, f"{self.peek()} is left over after the {kind} directive.")
        return found

    def shaped(self, d: Directive, kind: str, what: str) -> None:
        """A shape before the names, or after the name."""
        if self.has_dims():
            d.dims = self.dims(kind)
            self.expect("::", "the shape")
            d.names = self.word_list(what)
        else:
            d.names = (self.name(what),)
            d.dims = self.dims(kind)

    def read_nodes(self, d: Directive) -> None:
        self.shaped(d, "nodes", "nodes")
        if self.skip("="):
            if self.skip("*"):
                d.equals = "=**" if self.skip("*") else "=*"
            else:
                d.equals, d.ref = "=", self.ref("nodes")

    def read_template(self, d: Directive) -> None:
        self.shaped(d, "template", "a template")

    def format(self) -> Format:
        offset = self.offset
        if self.skip("*"):
            return Format("star", "", offset)
        word, offset = self.name("a distribution")
        if word.lower() not in ("block", "cyclic", "gblock"):
            raise Refused(offset, f"unknown distribution {word}{nearest(word, ('block', 'cyclic', 'gblock')) or '; block, cyclic and gblock exist.'}")
        argument = self.argument(word) if self.peek() == "(" else ""
        if word.lower() == "gblock" and argument.strip() == "":
            raise Refused(offset, "gblock needs the name of an array with the block sizes, or * where template_fix names it.")
        return Format(word.lower(), argument, offset)

    def read_distribute(self, d: Directive) -> None:
        front = not self.has_dims()
        if front:
            d.names = self.word_list("a template") if self.peek(1) == "," else (self.name("a template"),)
        self.format_list(d)
        self.word("onto")
        d.ref = self.ref("nodes")
        if not front:
            self.expect("::", "the nodes")
            d.names = self.word_list("a template")

    def read_template_fix(self, d: Directive) -> None:
        if self.has_dims():
            self.format_list(d)
        d.names = (self.name("a template"),)
        if self.has_dims():
            d.dims = self.dims("template")

    def format_list(self, d: Directive) -> None:
        formats = []
        d.formats_square = self.peek() == "["
        if d.formats_square:
            while self.skip("["):
                formats.append(self.format())
                self.expect("]", "the distribution")
        else:
            self.expect("(", "the template")
            formats = self.listed(self.format)
            self.expect(")", "the distributions")
        d.formats = tuple(formats)

    def read_align(self, d: Directive) -> None:
        front = not self.has_dims()
        if front:
            d.names = (self.array_name(),)
        d.dims = self.dims("the array")
        self.word("with")
        d.ref = self.ref("a template")
        if d.ref.dims is None:
            raise Refused(d.ref.offset, f"align needs subscripts of template {d.ref.name}.")
        if self.peek().lower() == "shadow":
            self.take()
            d.shadow = self.dims("shadow")
        elif re.match(r"[A-Za-z_]", self.peek()):
            raise Refused(self.offset, f"unknown clause {self.peek()} of align{nearest(self.peek(), ('shadow',))}")
        if not front:
            self.expect("::", "the mapping")
            d.names = self.word_list("an array", self.array_name)

    def read_shadow(self, d: Directive) -> None:
        front = not self.has_dims()
        if front:
            d.names = (self.array_name(),)
        d.shadow = self.dims("shadow")
        if not front:
            self.expect("::", "the widths")
            d.names = self.word_list("an array", self.array_name)

    def read_static_desc(self, d: Directive) -> None:
        self.skip("::")
        d.names = self.word_list("a name")

    read_save_desc = read_static_desc

    def read_loop(self, d: Directive) -> None:
        if self.has_dims():
            d.dims = self.dims("loop")
        self.clauses(d, {"on", "reduction", "expand", "margin", "peel_and_wait", "acc", "profile"})
        if d.ref is None:
            raise Refused(d.offset, "loop needs on TEMPLATE or on NODES.")

    def read_task(self, d: Directive) -> None:
        self.clauses(d, {"on", "nocomm", "profile"})
        if d.ref is None and not d.equals:
            raise Refused(d.offset, "task needs on NODES or on TEMPLATE.")

    def read_array(self, d: Directive) -> None:
        self.clauses(d, {"on", "profile"})
        if d.ref is None:
            raise Refused(d.offset, "array needs on TEMPLATE.")

    def read_gmove(self, d: Directive) -> None:
        if self.peek().lower() in ("in", "out"):
            d.equals = self.take().lower()
        self.clauses(d, {"async", "acc", "profile"})

    def read_local_alias(self, d: Directive) -> None:
        d.variables = (Variable(*self.name("a pointer")),)
        self.expect("=", "the pointer")
        self.expect(">", "=")
        d.names = (self.array_name(),)

    def read_tasks(self, d: Directive) -> None: ...

    def read_barrier(self, d: Directive) -> None:
        self.clauses(d, {"on", "acc", "profile"})

    def read_reduction(self, d: Directive) -> None:
        d.reductions = (self.reduction(),)
        self.clauses(d, {"on", "async", "acc", "profile"})

    def read_bcast(self, d: Directive) -> None:
        self.expect("(", "bcast")
        d.variables = self.variables()
        self.expect(")", "the variables")
        self.clauses(d, {"on", "from", "async", "acc", "profile"})

    def read_reflect(self, d: Directive) -> None:
        self.expect("(", d.kind)
        d.names = self.word_list("an array", self.array_name)
        self.expect(")", "the names")
        self.clauses(d, _OF_HALOS[d.kind] | {"orthogonal", "profile"})

    read_reflect_init = read_reflect_do = read_reduce_shadow = read_reflect

    def read_wait_async(self, d: Directive) -> None:
        d.ids = self.arguments("wait_async")
        self.clauses(d, {"on", "acc", "profile"})

    def clauses(self, d: Directive, allowed: set[str]) -> None:
        flags = set()
        while self.peek():
            if self.skip(","):
                continue
            word, offset = self.name(f"a clause of {d.kind}")
            clause = word.lower()
            if clause not in allowed:
                raise Refused(offset, f"unknown clause {word} of {d.kind}{nearest(word, allowed)}")
            if clause == "profile":
                d.section = self.argument("profile").strip() if self.peek() == "(" else d.kind
            elif clause in ("orthogonal", "nocomm", "nowait", "acc"):
                flags.add(clause)
                if clause == "acc" and self.peek() == "(":
                    if d.kind != "gmove":
                        raise Refused(self.offset, f"acc of {d.kind} has no list of variables; that of gmove may have one.")
                    self.take()
                    d.variables = self.variables()
                    self.expect(")", "the variables")
            elif clause == "on" and self.skip("*"):
                d.equals = "=*"
            elif clause == "on":
                d.ref = self.ref("nodes or a template")
            elif clause == "from":
                d.from_ref = self.ref("nodes or a template")
            elif clause == "async":
                d.asynchronous = self.argument("async")
            elif clause == "reduction":
                d.reductions += (self.reduction(),)
            elif clause == "width":
                d.widths = self.dims("width").items
            else:
                items = self.dims(clause).items
                if clause == "peel_and_wait":
                    d.ids, items = (items[0].text,), items[1:]
                    if not items:
                        raise Refused(offset, "peel_and_wait needs the async number and then the widths.")
                d.ring = (clause, items, offset)
        d.flags = frozenset(flags)

    def reduction(self) -> Reduction:
        offset = self.offset
        self.expect("(", "reduction")
        op = self.take()
        if op.lower() not in OPERATORS:
            raise Refused(offset + 1, f"unknown reduction {op}{nearest(op, OPERATORS) or '; + * - & | ^ && || max min exist.'}")
        self.expect(":", "the operation")
        variables = self.variables()
        self.expect(")", "the variables")
        return Reduction(op.lower(), variables, offset)

    def variables(self) -> tuple[Variable, ...]:
        return tuple(self.listed(self.variable))

    def variable(self) -> Variable:
        offset, locations = self.offset, []
        text = self.expression(", / )").strip()
        if not text:
            raise Refused(offset, "the name of a variable expected.")
        if self.skip("/"):
            locations = self.listed(lambda: self.expression(", / )").strip())
            self.expect("/", "the locations")
        return Variable(text, offset, tuple(locations))
