"""Which elements of a dimension a node has, for numbers of nodes that are tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xacc.program import Array, Symbol
from xacc.values import NONE, Values

TRIED = (2, 3, 4, 5, 6, 7, 8)  # numbers of nodes along a dimension that the program leaves open
_FREE = (64, 101)  # values of variables that give a template its shape


@dataclass(frozen=True)
class Part:
    """One dimension of a template over so many nodes."""

    kind: str
    low: int
    high: int
    width: int
    nodes: int

    def owner(self, index: int) -> int:
        place = (index - self.low) // self.width
        return place % self.nodes if self.kind == "cyclic" else place

    def range(self, node: int) -> tuple[int, int]:
        """First and last index of a node; of a cyclic dimension those of all."""
        if self.kind == "cyclic":
            return self.low, self.high
        first = self.low + node * self.width
        return first, min(first + self.width - 1, self.high)


class Layout:
    def __init__(self, values: Values) -> None:
        self.values = values

    def node_axis(self, t: Symbol, axis: int) -> tuple[int, int]:
        """The nodes and their dimension on which a divided axis of a template lies."""
        return id(t.nodes), sum(f.kind != "star" for f in t.formats[:axis])

    def counts(self, t: Symbol, axis: int) -> tuple[int, ...]:
        """Numbers of nodes along the axis: the one that is written, or those that are tried."""
        if t.formats[axis].kind == "star" or t.nodes is None:
            return (1,)
        item = t.nodes.directive.dims.fastest_first()[self.node_axis(t, axis)[1]]
        given = None if item.star else self.values.of(item.text)
        return TRIED if given is None else (given,)

    def divided(self, t: Symbol, axis: int) -> bool:
        return axis >= 0 and self.counts(t, axis) != (1,)

    def bounds(self, t: Symbol, axis: int) -> tuple[str, str] | None:
        """Texts of the lower and the upper bound."""
        dims = t.directive.dims
        return None if t.open else dims.fastest_first()[axis].bounds(dims.square)

    def part(self, t: Symbol, axis: int, nodes: int, given: Mapping[str, int]) -> Part | None:
        texts = self.bounds(t, axis)
        low, high = (self.values.of(text, given) for text in texts) if texts else (None, None)
        form = t.formats[axis]
        if low is None or high is None or high < low:
            return None
        width: int | None = high - low + 1
        if form.kind == "cyclic":
            width = self.values.of(form.argument or "1", given)
        elif form.kind in ("block", "gblock"):
            width = self.values.of(form.argument, given) if form.kind == "block" and form.argument else -(-width // nodes)
        return Part(form.kind, low, high, width, nodes) if width and width > 0 else None

    def given(self, t: Symbol) -> list[Mapping[str, int]]:
        """Numbers in place of the variables of which the shape depends; none where one of them changes."""
        names: set[str] = set()
        for axis in range(t.dims):
            texts = self.bounds(t, axis)
            names |= set().union(*(self.values.variables(text) for text in texts)) if texts else {""}
        if not all(self.values.steady(name) for name in names):
            return []
        return [dict.fromkeys(names, value) for value in _FREE] if names else [NONE]

    def shadow(self, array: Array, dimension: int, given: Mapping[str, int] = NONE) -> tuple[int, int] | None:
        axis = array.axes[dimension]
        below, above = self.values.of(axis.below, given), self.values.of(axis.above, given)
        return None if below is None or above is None else (below, above)
