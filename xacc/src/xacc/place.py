"""Where the elements are that a loop uses: on its node, on another one, or not known at compile time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xacc.around import SOMETIMES, UNCLEAR, Around, Run, Surroundings, offset_of
from xacc.layout import Layout
from xacc.messages import Messages
from xacc.program import Array
from xacc.references import References, Use
from xacc.text import identifiers
from xacc.values import Values

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
_MOST = 4096  # iterations of a cyclic dimension that are looked at


@dataclass(frozen=True)
class Subscript:
    """variable + c, or the number c alone."""

    text: str
    offset: int  # in the source
    run: Run | None
    c: int


class Place:
    def __init__(self, around: Surroundings, references: References, values: Values, messages: Messages) -> None:
        self.around, self.references, self.values, self.messages = around, references, values, messages
        self.layout = Layout(values)
        self.verdicts: dict[str, int] = dict.fromkeys((PROVED, REFUTED, UNKNOWN), 0)

    def run(self) -> None:
        for use in self.references.uses:
            found = self.around.of(use)
            if found is not None:
                self.verdicts[self.judge(use, found)] += 1

    def judge(self, use: Use, found: Around) -> str:
        array = use.array
        if use.mode in ("h", "m") or len(use.brackets) != len(array.axes) or found.symbol is None or array.template.open:
            return UNKNOWN
        verdicts = []
        for dimension in range(len(array.axes)):
            sub = self.subscript(use, dimension, found)
            verdict = self.dimension(array, dimension, sub, found)
            if verdict == REFUTED:
                self.say(use, array, dimension, sub, found)
                return REFUTED
            verdicts.append(verdict)
        return PROVED if all(v == PROVED for v in verdicts) else UNKNOWN

    def subscript(self, use: Use, dimension: int, found: Around) -> Subscript | None:
        """None for anything else than a loop variable with a number, or a number."""
        a, b = use.brackets[dimension]
        text = use.source.blank[a + 1 : b].strip()
        at = a + 1 + len(use.source.blank[a + 1 : b]) - len(use.source.blank[a + 1 : b].lstrip())
        names = identifiers(text) & set(found.runs)
        if not names:
            c = self.values.of(text)
            return None if c is None else Subscript(text, at, None, c)
        name = names.pop()
        c = None if names else offset_of(text, name, self.values)
        run = found.runs[name]
        return None if c is None or run.below is None or run.above is None else Subscript(text, at, run, c)

    # ---- one dimension -----------------------------------------------------------------------------------------
    def dimension(self, array: Array, dimension: int, sub: Subscript | None, found: Around) -> str:
        axis = array.axes[dimension]
        if not self.layout.divided(array.template, axis.axis) or axis.full:
            return PROVED
        if sub is None:
            return UNKNOWN
        if self.here(array, dimension, sub, found):
            return PROVED
        return REFUTED if found.level != UNCLEAR and self.elsewhere(array, dimension, sub, found) else UNKNOWN

    def here(self, array: Array, dimension: int, sub: Subscript, found: Around) -> bool:
        """Is the element on the node in each iteration, whatever the number of nodes?"""
        axis, run = array.axes[dimension], sub.run
        if run is None or run.bound is None or run.bound.axis != axis.axis or not self.layout.same(found.symbol, array.template):
            return False
        shadow, delta = self.layout.shadow(array, dimension), self.delta(array, dimension, sub)
        if delta is None or shadow is None:
            return False
        if delta == run.below == run.above == 0:
            return True
        if axis.cyclic or not -shadow[0] <= delta - run.below or not delta + run.above <= shadow[1]:
            return False
        return self.home(array, dimension, run)

    def delta(self, array: Array, dimension: int, sub: Subscript) -> int | None:
        """How far the element lies from the one of the iteration."""
        moved = self.values.of(f"({array.axes[dimension].offset}) - ({sub.run.bound.offset})")
        return None if moved is None else sub.c + moved

    def home(self, array: Array, dimension: int, run: Run) -> bool:
        """Has each iteration an element of the array, so that its node has one too?"""
        axis = array.axes[dimension]
        size, moved = self.values.of(axis.extent), self.values.of(f"({run.bound.offset}) - ({axis.offset})")
        ends = self.around.range(run, guards=False)
        if size is not None and moved is not None and ends is not None:
            return ends[0] + moved >= 0 and ends[1] + moved < size
        bounds = self.layout.bounds(array.template, axis.axis)
        if bounds is None or moved is None:
            return False
        low, high = self.values.of(f"({bounds[0]}) - ({axis.offset})"), self.values.of(f"({bounds[1]}) - ({axis.offset})")
        return size is not None and low is not None and high is not None and low >= 0 and high < size

    # ---- elsewhere ---------------------------------------------------------------------------------------------
    def elsewhere(self, array: Array, dimension: int, sub: Subscript, found: Around) -> bool:
        """Is there an iteration with an element of another node, for all numbers of nodes that are tried?"""
        t, axis = array.template, array.axes[dimension].axis
        if found.symbol.nodes is not t.nodes:
            return False
        tried = 0
        for given in self.layout.given(found.symbol, self.around.steady):
            for nodes in self.layout.counts(t, axis):
                for others in self.other_counts(sub, found, t, axis):
                    wrong = self.wrong(array, dimension, sub, found, nodes, others, given)
                    if wrong is False:
                        return False
                    tried += bool(wrong)
        return tried > 0

    def other_counts(self, sub: Subscript, found: Around, t: object, axis: int) -> tuple[int, ...]:
        """Numbers of nodes along the axis of the loop, where that is another one than the array's."""
        if sub.run is None or sub.run.bound is None or self.layout.node_axis(found.symbol, sub.run.bound.axis) == self.layout.node_axis(t, axis):
            return (0,)
        return self.layout.counts(found.symbol, sub.run.bound.axis)[:2]

    def wrong(self, array: Array, dimension: int, sub: Subscript, found: Around, nodes: int, others: int, given: Mapping[str, int]) -> bool | None:
        """None where such a number of nodes cannot be."""
        t, axis = array.template, array.axes[dimension]
        mine = self.layout.part(t, axis.axis, nodes, given)
        shadow, size, m = self.layout.shadow(array, dimension, given), self.values.of(axis.extent, given), self.values.of(axis.offset, given)
        if mine is None or shadow is None or size is None or m is None:
            return False
        if not mine.valid:
            return None
        for node in range(nodes):
            iterations = self.iterations(sub, found, node, nodes, others, given, self.layout.node_axis(t, axis.axis))
            if iterations is None:
                return False
            first, last = (e - m for e in mine.range(node))
            first, last = max(first, 0), min(last, size - 1)
            for i in iterations:
                e = i + sub.c
                if not 0 <= e < size:
                    continue
                if mine.owner(e + m) != node if axis.cyclic else first <= last and not first - shadow[0] <= e <= last + shadow[1]:
                    return True
        return False

    def iterations(self, sub: Subscript, found: Around, node: int, nodes: int, others: int, given: Mapping[str, int],
                   place: tuple[int, int]) -> list[int] | None:
        """Values of the variable on the nodes with this coordinate of the array's dimension: ends alone, but for cyclic ones."""
        here = self.shared(found, node, nodes, given, place)
        if here is None:
            return None
        if not here:
            return []
        if sub.run is None:
            return [0]
        ends = self.around.range(sub.run, given)
        if ends is None:
            return None
        bound = sub.run.bound
        if bound is None:
            return [ends[0], ends[1]]
        if self.layout.node_axis(found.symbol, bound.axis) == place:
            return self.of_node(sub.run, found, node, nodes, given)
        every = [self.of_node(sub.run, found, other, others, given) for other in range(others)]
        return None if None in every else [i for part in every for i in part]

    def shared(self, found: Around, node: int, nodes: int, given: Mapping[str, int], place: tuple[int, int]) -> bool | None:
        """Do nodes with this coordinate run iterations at all?"""
        for axis, form in enumerate(found.symbol.formats):
            if form.kind == "star" or self.layout.node_axis(found.symbol, axis) != place:
                continue
            if axis in found.guards:
                part, index = self.layout.part(found.symbol, axis, nodes, given), self.values.of(found.guards[axis], given)
                return None if part is None or index is None else part.owner(index) == node
            run = found.by_axis(axis)
            if run is not None:
                iterations = self.of_node(run, found, node, nodes, given)
                return None if iterations is None else bool(iterations)
        return True

    def of_node(self, run: Run, found: Around, node: int, nodes: int, given: Mapping[str, int]) -> list[int] | None:
        ends, part = self.around.range(run, given), self.layout.part(found.symbol, run.bound.axis, nodes, given)
        k = self.values.of(run.bound.offset, given)
        if ends is None or part is None or k is None or run.below is None or run.above is None:
            return None
        first, last, step = ends
        if part.kind == "cyclic":
            return [i for i in range(first, min(last, first + _MOST * step) + 1, step) if part.owner(i + k) == node]
        low, high = (e - k for e in part.range(node))
        if low > high:
            return []
        low, high = low - run.below, high + run.above
        if not run.unbound:
            low, high = max(low, first), min(high, last)
        low, high = first + -((first - low) // step) * step, first + (high - first) // step * step
        return [low, high] if low <= high else []

    # ---- messages ----------------------------------------------------------------------------------------------
    def say(self, use: Use, array: Array, dimension: int, sub: Subscript, found: Around) -> None:
        axis, t = array.axes[dimension], array.template
        gblock = t.formats[axis.axis].kind == "gblock" or found.level == SOMETIMES
        told = self.messages.warning if gblock else self.messages.error
        what = f"{sub.text} of dimension {dimension + 1} of array {array.name}"
        if sub.run is None or sub.run.bound is None:
            text = f"{what} {'is the same' if sub.run is None else 'runs over the same range'} on all nodes, but other nodes have such elements."
        elif sub.run.bound.axis != axis.axis or not self.layout.same(found.symbol, t):
            text = f"{what} goes along another dimension of template {found.symbol.name} than the one the array is aligned with: other nodes have such elements."
        elif axis.cyclic:
            text = f"{what} belongs to another node than the iteration: a cyclic dimension has no shadow."
        else:
            delta = self.delta(array, dimension, sub) or 0
            side, far, wide = ("lower", -delta + sub.run.below, axis.below) if delta < 0 else ("upper", delta + sub.run.above, axis.above)
            text = f"{what} lies {far} beyond the node's own elements, and the {side} shadow of the array is {wide} there; make it {far}, or change the subscript."
        told(use.source, sub.offset, text)
