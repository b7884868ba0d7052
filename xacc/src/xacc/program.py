"""One translation unit: its sources, directives in the order in which the compiler meets them, and what they declare."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from xacc.ast import Node, Tree
from xacc.directive import Directive, Dims
from xacc.messages import Messages, Refused, nearest
from xacc.find import parse_all, structural_macros
from xacc.text import Source, brackets_after

Order = tuple[int, ...]


@dataclass
class Symbol:
    """Nodes or a template, in the scope of directives."""

    kind: str  # nodes | template
    name: str
    directive: Directive
    scope: int  # compound statement, -1: file scope
    order: Order
    dims: int
    square: bool
    formats: list = field(default_factory=list)  # of a template, fastest dimension first
    nodes: Symbol | None = None
    distributed: bool = False
    open: bool = False  # its shape or blocks come by template_fix
    shapeless: bool = False  # its shape does

    @property
    def raw(self) -> str:
        return f"xacc_{'n' if self.kind == 'nodes' else 't'}_{self.name}"

    @property
    def variable(self) -> str:
        return f"xacc_template_now(XACC_HERE, {self.raw})" if self.open else self.raw


@dataclass
class Axis:
    """One dimension of an array: extent as written, and where it goes."""

    extent: str
    axis: int = -1  # of the template, fastest first
    offset: str = "0"
    below: str = "0"
    above: str = "0"
    full: bool = False
    kind: str = ""  # distribution

    @property
    def cyclic(self) -> bool:
        return self.kind == "cyclic"

    @property
    def plain(self) -> bool:
        """Not distributed and without shadow: local and global indices are the same."""
        return (self.axis < 0 or self.kind in ("", "star")) and not self.full and self.below == self.above == "0"


@dataclass(eq=False)
class Array:
    name: str
    place: str  # file | local | static | parameter
    nodes: list[int]  # declarations in the tree
    axes: list[Axis]
    template: Symbol
    fixed: list[tuple[int, str]]
    scope: int
    order: Order
    directive: Directive  # where it is made: the later one of align and shadow
    defined: bool = True
    shadow: Dims | None = None
    pointer: bool = False  # its elements come by xmp_malloc
    kind = "array"

    @property
    def raw(self) -> str:
        return f"xacc_d_{self.name}"

    @property
    def descriptor(self) -> str:
        return f'xacc_there(XACC_HERE, "{self.name}", {self.raw}, xacc_g_{self.name})' if self.pointer else self.raw

    @property
    def base(self) -> str:
        """What stands before the subscripts of an element."""
        if not self.pointer:
            return self.name
        rest = "".join(f"[xacc_ext({self.descriptor}, {i})]" for i in range(1, len(self.axes)))
        return f"((__typeof__({self.element}) {f'(*){rest}' if rest else '*'})xacc_view({self.descriptor}))"

    @property
    def element(self) -> str:
        return f"xacc_p_{self.name}" + "[0]" * len(self.axes) if self.place == "parameter" else f"*xacc_g_{self.name}"

    @property
    def cyclic(self) -> bool:
        return any(a.cyclic for a in self.axes)


def brackets_of(node: Node) -> list[tuple[int, int]]:
    """The [ ] after the name of a declaration: offsets of the brackets."""
    return brackets_after(node.source.blank, node.at + len(node.name))


class Program:
    def __init__(self, tree: Tree, messages: Messages) -> None:
        self.tree, self.messages = tree, messages
        self.directives: list[tuple[Order, Directive]] = []
        self.pragmas: dict[str, list[tuple[str, int, int, int]]] = {}
        self.symbols: list[Symbol] = []
        self.arrays: list[Array] = []
        self.named: dict[tuple[str, int], list[Symbol | Array]] = {}  # by name and scope
        self._placed: dict[str, list[Directive]] = {}
        self._prefix: dict[str, Order] = {}
        included = {what: (where, offset) for where, what, offset in reversed(tree.includes())}  # the first one counts
        for path in tree.sources:
            prefix: Order = ()
            at = path
            while at in included and at != str(tree.source.path):
                at, offset = included[at]
                prefix = (offset, *prefix)
            self._prefix[path] = prefix
        macros = structural_macros([s.blank for s in tree.sources.values()] + tree.others)
        for path, source in tree.sources.items():
            found, others = parse_all(source, messages, tree.skipped(source), macros)
            self.pragmas[path] = others
            self._placed[path] = sorted(found, key=lambda d: d.start)
            self.directives += [(self.order(source, d.start), d) for d in found]
        self.directives.sort(key=lambda pair: pair[0])

    def order(self, source: Source, offset: int) -> Order:
        return (*self._prefix[str(source.path)], offset)

    def scopes(self, source: Source, offset: int) -> list[int]:
        """Compound statements around the place, innermost first, then -1."""
        inner = self.tree.inside(source, offset)
        if inner < 0:
            inner = self.tree.body_after(source, offset)
        around = [inner, *self.tree.ancestors(inner)] if inner >= 0 else []
        return [*(n for n in around if self.tree.nodes[n].kind == "COMPOUND_STMT"), -1]

    def add(self, symbol: Symbol | Array) -> None:
        (self.arrays if isinstance(symbol, Array) else self.symbols).append(symbol)
        self.named.setdefault((symbol.name, symbol.scope), []).append(symbol)

    def lookup(self, name: str, kinds: tuple[str, ...], source: Source, offset: int) -> Any:
        """The last one that is declared before the place, in the innermost scope; None where there is none."""
        order = self.order(source, offset)
        return next((one for scope in self.scopes(source, offset) for one in reversed(self.named.get((name, scope), ()))
                     if one.kind in kinds and one.order <= order), None)

    def declared(self, name: str, kinds: tuple[str, ...], source: Source, offset: int) -> Symbol:
        """Like lookup; says what is missing where nothing is found."""
        symbol = self.lookup(name, kinds, source, offset)
        if symbol is None:
            known = {s.name for s in self.symbols if s.kind in kinds}
            what = " or ".join("nodes" if k == "nodes" else "a template" for k in kinds)
            raise Refused(offset, f"{name} is not the name of {what} here{nearest(name, known) or '.'}")
        return symbol

    def need(self, name: str, kinds: tuple[str, ...], source: Source, offset: int) -> Symbol:
        """The same of nodes, and of templates that are distributed."""
        symbol = self.declared(name, kinds, source, offset)
        if symbol.kind == "template" and not symbol.distributed:
            raise Refused(offset, f"template {name} is not distributed here; put its distribute directive before.")
        return symbol

    def array(self, name: str, source: Source, offset: int) -> Array | None:
        """The distributed array that a directive names."""
        return self.lookup(name, ("array",), source, offset)

    def need_array(self, name: str, source: Source, offset: int) -> Array:
        array = self.array(name, source, offset)
        if array is None:
            known = {a.name for a in self.arrays}
            raise Refused(offset, f"{name} is not a distributed array here{nearest(name, known) or '; align it before.'}")
        return array

    def declarations(self, name: str, source: Source, offset: int) -> tuple[list[int], str]:
        """Declarations of the variable that a directive names, and where it lives."""
        nodes = self.tree.nodes
        for scope in self.scopes(source, offset)[:-1]:
            found = [n for child in nodes[scope].children if nodes[child].kind == "DECL_STMT" for n in nodes[child].children
                     if nodes[n].kind == "VAR_DECL" and nodes[n].name == name and nodes[n].at < offset]
            if found:
                return found[-1:], "static" if "static" in nodes[found[-1]].qualifiers else "local"
            for child in self.tree.parameters(nodes[scope].parent):
                if nodes[child].name == name:
                    return [child], "parameter"
        found = [i for i, n in enumerate(nodes) if n.parent < 0 and n.kind == "VAR_DECL" and n.name == name]
        return found, "file"

    def function_of(self, number: int) -> int:
        around = [number, *self.tree.ancestors(number)] if number >= 0 else []
        return next((n for n in around if self.tree.nodes[n].kind == "FUNCTION_DECL"), -1)

    def directives_in(self, number: int) -> list[Directive]:
        """Those inside of a statement."""
        node, placed = self.tree.nodes[number], self._placed[str(self.tree.nodes[number].source.path)]
        first, last = (bisect_left(placed, at, key=lambda d: d.start) for at in (node.start + 1, node.end))
        return placed[first:last]
