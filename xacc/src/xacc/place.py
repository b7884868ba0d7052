"""Where the elements are that a loop uses: on its node, on another one, or not known at compile time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from xacc.around import SOMETIMES, UNCLEAR, Around, Run, Surroundings
from xacc.forms import affine
from xacc.layout import Layout
from xacc.messages import Messages
from xacc.program import Array
from xacc.references import References, Use
from xacc.text import identifiers
from xacc.values import NONE, Values

BELOW, ABOVE = 0, 1  # sides
PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
_WIDE = 16  # numbers of a loop inside that are added to a subscript
_MOST = 4096  # iterations of a cyclic dimension that are looked at


@dataclass(frozen=True)
class Subscript:
    """variable + c, or the number c alone; more: up to c + more, by a short loop inside."""

    text: str
    offset: int  # in the source
    run: Run | None
    c: int
    more: int = 0


class Place:
    def __init__(self, around: Surroundings, references: References, values: Values, messages: Messages) -> None:
        self.around, self.references, self.values, self.messages = around, references, values, messages
        self.layout = Layout(values)
        self.verdicts: dict[str, int] = dict.fromkeys((PROVED, REFUTED, UNKNOWN), 0)

    def run(self) -> None:
        for use in self.references.uses:
            found = self.around.anywhere(use)
            if found is not None and found.shared:
                self.verdicts[self.judge(use, found)] += 1
            elif found is not None and use.mode in ("r", "w", "b") and len(use.brackets) == len(use.array.axes) and found.level != UNCLEAR:
                self.whole(use, found)

    def whole(self, use: Use, found: Around) -> None:
        """Refuses a loop that no directive shares out, and that uses more elements than any node has."""
        t = use.array.template
        for dimension, axis in enumerate(use.array.axes if not t.open and not t.nodes.directive.equals else ()):
            sub = self.subscript(use, dimension, found)
            if sub is not None and sub.run is not None and self.layout.divided(t, axis.axis) and not axis.full \
                    and t.formats[axis.axis].kind != "gblock" and self.elsewhere(use.array, dimension, sub, found):
                self.say(use, use.array, dimension, sub, found)
                return

    def judge(self, use: Use, found: Around) -> str:
        array = use.array
        if use.mode == "h" or len(use.brackets) != len(array.axes) or found.symbol is None or array.template.open:
            return UNKNOWN
        proved = plain = True
        for dimension in range(len(array.axes)):
            sub = self.subscript(use, dimension, found)
            verdict, ends = self.dimension(array, dimension, sub, found), self.extent(array, dimension, sub)
            if verdict == REFUTED:
                self.say(use, array, dimension, sub, found)
                return REFUTED
            shadow = self.layout.shadow(array, dimension)
            if shadow is not None and found.level != UNCLEAR and (far := self.beyond(array, dimension, sub, *shadow)):
                self.messages.warning(use.source, sub.offset, f"{sub.text} of dimension {dimension + 1} of array {array.name} comes to {far}, beyond its ends.")
            proved &= verdict == PROVED
            plain &= ends is not None and ends[0] >= 0 and ends[1] < ends[2] and self.own(array, dimension, sub)
        if use.mode == "m":
            return UNKNOWN
        use.plain = proved and plain
        return PROVED if proved else UNKNOWN

    def own(self, array: Array, dimension: int, sub: Subscript) -> bool:
        """Are elements that are proved to be on the node the node's own ones?"""
        run, axis = sub.run, array.axes[dimension]
        return not self.layout.divided(array.template, axis.axis) or (
            not axis.full and run is not None and run.bound is not None and self.delta(array, dimension, sub) == run.below == run.above == sub.more == 0)

    def subscript(self, use: Use, dimension: int, found: Around) -> Subscript | None:
        """None for anything else than a loop variable with a number, or a number."""
        at, text = use.subscript(dimension)
        names = sorted(identifiers(text) & set(found.runs), key=lambda n: found.runs[n].bound is None)
        if not names:
            c = self.values.of(text)
            return None if c is None else Subscript(text, at, None, c)
        added, run, low, high = affine(text, names[0]), found.runs[names[0]], {}, {}
        for name in names[1:]:  # i + j, where j runs over a few numbers in each iteration of i
            ends = self.around.range(found.runs[name])
            if run.bound is None or found.runs[name].bound is not None or ends is None or ends[2] != 1 or affine(text, name) is None:
                return None
            low[name], high[name] = ends[:2]
        c, last = (None, None) if added is None else (self.values.of(added, low), self.values.of(added, high))
        if c is None or last is None or not c <= last <= c + _WIDE or run.below is None or run.above is None:
            return None
        return Subscript(text, at, run, c, last - c)

    def extent(self, array: Array, dimension: int, sub: Subscript | None, given: Mapping[str, int] = NONE) -> tuple[int, int, int] | None:
        """First and last index of a use, and how many the array has there; None where they are not known."""
        size = self.values.of(array.axes[dimension].extent, given)
        ends = None if sub is None else (0, 0) if sub.run is None else self.around.range(sub.run, given)
        return None if size is None or ends is None else (ends[0] + sub.c, ends[1] + sub.c + sub.more, size)

    def beyond(self, array: Array, dimension: int, sub: Subscript | None, below: int, above: int, sides: tuple[int, ...] = (BELOW, ABOVE)) -> str:
        """The index that lies so far outside of the array, for each shape that is tried; "" where none does."""
        text, size = "", self.values.of(array.axes[dimension].extent)
        for given in [NONE] if size is not None else self.layout.given(array.template):
            ends = self.extent(array, dimension, sub, given)
            if ends is not None and ends[0] < -below and BELOW in sides:
                text = str(ends[0])
            elif ends is not None and ends[1] >= ends[2] + above and ABOVE in sides:
                text = f"{array.axes[dimension].extent.strip()} + {ends[1] - ends[2]}".removesuffix(" + 0") if given else str(ends[1])
            else:
                return ""
        return text

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
        if run is None or run.bound is None or run.bound.axis != axis.axis or found.symbol is not array.template:
            return False
        shadow, delta = self.layout.shadow(array, dimension), self.delta(array, dimension, sub)
        if delta is None or shadow is None:
            return False
        if delta == run.below == run.above == sub.more == 0:
            return True
        if axis.cyclic or not -shadow[0] <= delta - run.below or not delta + sub.more + run.above <= shadow[1]:
            return False
        return self.home(array, dimension, run)

    def delta(self, array: Array, dimension: int, sub: Subscript) -> int | None:
        """How far the element lies from the one of the iteration."""
        moved = self.values.of(f"({array.axes[dimension].offset}) - ({sub.run.bound.offset})")
        return None if moved is None else sub.c + moved

    def home(self, array: Array, dimension: int, run: Run) -> bool:
        """Has each iteration an element of the array, so that its node has one too?"""
        axis, ends = array.axes[dimension], self.around.range(run, guards=False)
        texts = [f"{e} + ({run.bound.offset})" for e in ends[:2]] if ends else self.layout.bounds(array.template, axis.axis) or ("?", "?")
        size, (low, high) = self.values.of(axis.extent), (self.values.of(f"({text}) - ({axis.offset})") for text in texts)
        return None not in (size, low, high) and low >= 0 and high < size

    def elsewhere(self, array: Array, dimension: int, sub: Subscript, found: Around) -> bool:
        """Is there an iteration with an element of another node, for all numbers of nodes that are tried?"""
        tried: list[bool | None] = []
        for given in self.layout.given(found.symbol) if found.symbol.nodes is array.template.nodes else ():
            shadow = self.layout.shadow(array, dimension, given)
            tried += self.outside(array, dimension, sub, found, given, shadow, None) if shadow is not None else [False]
        return True in tried and False not in tried

    def outside(self, array: Array, dimension: int, sub: Subscript, found: Around, given: Mapping[str, int], shadow: tuple[int, int],
                among: tuple[int, int] | None, sides: tuple[int, ...] = (BELOW, ABOVE)) -> list[bool | None]:
        """For each number of nodes that is tried: does a node use an element on these sides of its own ones and the shadow, of those
        from among[0] to among[1]? None where there cannot be so many nodes."""
        t, axis = array.template, array.axes[dimension].axis
        others = (0,)
        if sub.run is not None and sub.run.bound is not None and self.layout.node_axis(found.symbol, sub.run.bound.axis) != self.layout.node_axis(t, axis):
            others = self.layout.counts(found.symbol, sub.run.bound.axis)[:2]
        return [self.leaves(array, dimension, sub, found, given, shadow, among, sides, n, o) for n in self.layout.counts(t, axis) for o in others]

    def leaves(self, array: Array, dimension: int, sub: Subscript, found: Around, given: Mapping[str, int], shadow: tuple[int, int],
               among: tuple[int, int] | None, sides: tuple[int, ...], nodes: int, others: int) -> bool | None:
        t, axis = array.template, array.axes[dimension]
        part, size, m = self.layout.part(t, axis.axis, nodes, given), self.values.of(axis.extent, given), self.values.of(axis.offset, given)
        if part is None or size is None or m is None:
            return False
        if part.kind == "block" and part.width * nodes <= part.high - part.low:
            return None  # blocks of a size that is written must hold all
        low, high = (0, size - 1) if among is None else (max(among[0], 0), min(among[1], size - 1))
        for node in range(nodes):
            first, last = (e - m for e in part.range(node))
            first, last = max(first, 0), min(last, size - 1)
            runs = self.iterations(sub, found, node, nodes, others, given, self.layout.node_axis(t, axis.axis))
            if runs is None:
                return False
            beyond = False
            for r, c in product(runs if first <= last else (), range(sub.c, sub.c + sub.more + 1)):
                if axis.cyclic:
                    beyond |= any(low <= i + c <= high and part.owner(i + c + m) != node for i in r)
                else:
                    beyond |= (BELOW in sides and hits(r, low - c, min(high, first - shadow[0] - 1) - c)) or (
                        ABOVE in sides and hits(r, max(low, last + shadow[1] + 1) - c, high - c))
            if beyond == found.shared and first <= last:  # of a loop that is shared out one node is enough, else it must be each
                return beyond
        return not found.shared

    def iterations(self, sub: Subscript, found: Around, node: int, nodes: int, others: int, given: Mapping[str, int],
                   place: tuple[int, int]) -> list[range] | None:
        """Values of the variable on the nodes with this coordinate of the array's dimension."""
        for axis, form in enumerate(found.symbol.formats):  # do they run iterations at all?
            if form.kind == "star" or self.layout.node_axis(found.symbol, axis) != place:
                continue
            part = self.layout.part(found.symbol, axis, nodes, given)
            run = next((r for r in found.runs.values() if r.bound is not None and r.bound.axis == axis), None)
            if axis in found.guards:
                index = self.values.of(found.guards[axis], given)
                if part is None or index is None or part.owner(index) != node:
                    return None if part is None or index is None else []
            elif run is not None and not (here := self.of_node(run, found, node, nodes, given)):
                return here
        if sub.run is None:
            return [range(1)]
        bound, ends = sub.run.bound, self.around.range(sub.run, given)
        if ends is None or bound is None:
            return None if ends is None else [range(ends[0], ends[1] + 1, ends[2])]
        if self.layout.node_axis(found.symbol, bound.axis) == place:
            return self.of_node(sub.run, found, node, nodes, given)
        every = [self.of_node(sub.run, found, other, others, given) for other in range(others)]
        return None if None in every else [r for part in every for r in part]

    def of_node(self, run: Run, found: Around, node: int, nodes: int, given: Mapping[str, int]) -> list[range] | None:
        ends, part = self.around.range(run, given), self.layout.part(found.symbol, run.bound.axis, nodes, given)
        k = self.values.of(run.bound.offset, given)
        if ends is None or part is None or k is None or run.below is None or run.above is None:
            return None
        first, last, step = ends
        if part.kind == "cyclic":
            return [range(i, i + 1) for i in range(first, min(last, first + _MOST * step) + 1, step) if part.owner(i + k) == node]
        low, high = (e - k for e in part.range(node))
        if low > high:
            return []
        low, high = low - run.below, high + run.above
        if not run.unbound:
            low, high = max(low, first), min(high, last)
        low = first - (first - low) // step * step
        return [range(low, high + 1, step)] if low <= high else []

    def say(self, use: Use, array: Array, dimension: int, sub: Subscript, found: Around) -> None:
        axis, t = array.axes[dimension], array.template
        gblock = t.formats[axis.axis].kind == "gblock" or found.level == SOMETIMES
        told = self.messages.warning if gblock else self.messages.error
        what = f"{sub.text} of dimension {dimension + 1} of array {array.name}"
        if not found.shared:
            text = f"{what} runs over elements of several nodes, and no directive shares out the loop; put #pragma xmp loop on {t.name} before it."
        elif sub.run is None or sub.run.bound is None:
            text = f"{what} {'is the same' if sub.run is None else 'runs over the same range'} on all nodes, but other nodes have such elements."
        elif sub.run.bound.axis != axis.axis or found.symbol is not t:
            text = f"{what} goes along another dimension of template {found.symbol.name} than the one the array is aligned with: other nodes have such elements."
        elif axis.cyclic:
            text = f"{what} belongs to another node than the iteration: a cyclic dimension has no shadow."
        else:
            delta, shadow = self.delta(array, dimension, sub) or 0, self.layout.shadow(array, dimension) or (0, 0)
            below, above = sub.run.below - delta, delta + sub.more + sub.run.above
            side, far, wide = ("lower", below, axis.below) if delta < 0 and below > shadow[0] else ("upper", above, axis.above)
            text = f"{what} lies {far} beyond the node's own elements, and the {side} shadow of the array is {wide} there; make it {far}, or change the subscript."
            if use.mode == "r":
                self.widen(array, dimension, shadow, int(side == "upper"), far)
        told(use.source, sub.offset, text)

    def widen(self, array: Array, dimension: int, now: tuple[int, int], side: int, width: int) -> None:
        """--fix widens the shadow, or puts one after the directive that aligns the array."""
        d, fixes = array.directive, self.messages.fixes
        if d.shadow is not None and len(d.shadow.items[dimension].parts) < 3:
            fixes.wider(d.source, d.shadow.items[dimension], now, side, width)
        elif d.shadow is None:
            rows = [f"[{f'0:{width}' if side else f'{width}:0'}]" if k == dimension else "[0]" for k in range(len(array.axes))]
            fixes.line(d, f"shadow {array.name}{''.join(rows)}", after=True)


def hits(r: range, low: int, high: int) -> bool:
    """Has the range a number from low to high?"""
    return r.start + max(0, -((r.start - low) // r.step)) * r.step <= min(high, r[-1])
