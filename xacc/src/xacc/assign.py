"""Assignments of sections as loops on their line: of local arrays, and below `array`."""

from __future__ import annotations

from collections.abc import Callable

from xacc.directive import Directive, Item
from xacc.messages import Messages, Refused, as_many
from xacc.program import Program, Symbol
from xacc.sections import Assignment, Chain, Sections, written
from xacc.text import Source, identifiers


class Assign:
    """Writes the loops. `element`: how an element of a distributed array is written with given subscripts."""

    def __init__(self, sections: Sections, number: Callable[[], int], element: Callable[[Chain, list[str]], str] | None = None) -> None:
        self.sections, self.tree, self.number, self.element = sections, sections.tree, number, element
        self.messages: Messages = sections.messages

    def local(self, assignment: Assignment) -> None:
        """A statement without directive."""
        with self.messages.refusals(assignment.source):
            for chain in (assignment.left, *assignment.right):
                if chain.array is not None:
                    raise Refused(chain.start, f"a section of the distributed array {chain.name} stands below array or gmove.")
            self.write(assignment, lambda name, dims: [whole(f"{name}_{k}", x) for k, (x, _) in enumerate(dims)])

    def write(self, one: Assignment, nest: Callable[[str, list[tuple[str, int]]], list[str]], after: Callable[[list[str]], str] | None = None,
              first: str = "") -> None:
        """nest: the loops over (triplet, dimension) of the left side under the names NAME_0, NAME_1; first, after: what comes around."""
        if not one.left.ranges:
            place = one.right[0].start if one.right else one.start
            text = f"the left side of this assignment has no section; write it as {one.left.name}[first:count]."
            raise Refused(place, text, one.source)
        self.sections.same_shape(one)
        self.sections.plain(one)
        source, n = one.source, self.number()
        index, head = f"xacc_j{n}", [first] if first else []
        names: dict[int, list[str]] = {}
        for c, chain in enumerate((one.left, *one.right)):
            names[c] = [f"xacc_x{n}_{c}_{k}" for k in range(len(chain.ranges))]
            for x, left, (i, bracket) in zip(names[c], names[0], chain.ranges, strict=True):
                head.append(f"const xacc_triplet {x} = {self.sections.triplet(chain, i, bracket)};")
                if c:
                    head.append(f'xacc_conform(XACC_HERE, "{one.left.name}", {left}.len, "{chain.name}", {x}.len);')
        loops = "".join(nest(index, list(zip(names[0], [i for i, _ in one.left.ranges], strict=True))))
        for c, chain in enumerate(one.right, 1):
            self.fill(chain, names[c], index)
        end = after(names[0]) if after else ""
        if one.right and not self.overlap(one):
            self.fill(one.left, names[0], index)
            source.insert(one.start, f"{{ {' '.join(head)} {loops}")
            source.insert_first(one.end + 1, f"{end} }}")
            return
        left = self.copy(one, [self.at(x, f"{index}_{k}", b, source) for k, (x, (_, b)) in enumerate(zip(names[0], one.left.ranges, strict=True))])
        kind = f"__typeof__({self.zero(one)})"
        if not one.right:  # the value is found once
            source.replace(one.start, one.equals + 1, f"{{ {' '.join(head)} {kind} xacc_e{n} =")
            source.insert_first(one.end + 1, f" {loops}{left} = xacc_e{n};{end} }}")
            return
        room, at = f"xacc_e{n}", f"xacc_f{n}"
        head.append(f"long {at} = 0; {loops}{at}++; {kind} *{room} = xacc_room(XACC_HERE, {at}, sizeof *{room}); {at} = 0;")
        source.replace(one.start, one.equals + 1, f"{{ {' '.join(head)} {loops}{room}[{at}++] =")
        last = "; ".join((f" {at} = 0", f"{loops}{left} = {room}[{at}++]", f"free({room})"))
        source.insert_first(one.end + 1, f"{last};{end} }}")

    def fill(self, chain: Chain, names: list[str], index: str) -> None:
        """Puts the indices of an element into the sections where they stand."""
        for k, (_, bracket) in enumerate(chain.ranges):
            chain.source.replace(bracket.open + 1, bracket.close, self.at(names[k], f"{index}_{k}", bracket, chain.source))

    def at(self, x: str, index: str, bracket: object, source: Source) -> str:
        step = written(source, *bracket.parts[2]) if len(bracket.parts) > 2 else ""
        return f"{x}.lo + {index} * {x}.step" if step else f"{x}.lo + {index}"

    def copy(self, assignment: Assignment, subscripts: list[str]) -> str:
        """The left side with these subscripts in place of its sections, for another place than its own."""
        chain, given = assignment.left, iter(subscripts)
        inner = [next(given) if len(b.parts) > 1 else written(chain.source, b.open + 1, b.close) for b in chain.brackets]
        tail = written(assignment.source, chain.end, assignment.equals)
        if chain.array is not None:
            return self.element(chain, inner) + tail
        return written(assignment.source, assignment.start, chain.head) + "".join(f"[{i}]" for i in inner) + tail

    def zero(self, assignment: Assignment) -> str:
        """Some element of the left side, for its type."""
        chain = assignment.left
        if chain.array is None:
            return self.copy(assignment, ["0"] * len(chain.ranges))
        inner = "".join(f"[{written(chain.source, b.open + 1, b.close)}]" for b in chain.brackets[len(chain.array.axes) :])
        return f"({chain.array.element}){inner}{written(assignment.source, chain.end, assignment.equals)}"

    def overlap(self, assignment: Assignment) -> bool:
        """May the right side read what the left side writes elsewhere? Then all is read first."""
        nodes, left = self.tree.nodes, assignment.left
        if not plain_array(left) or left.start != assignment.start:
            return True
        same = [c for c in assignment.right if c.text == left.text]
        for n in self.tree.descendants(assignment.node):
            node = nodes[n]
            if node.start <= assignment.equals or any(c.start <= node.start and node.end <= c.end for c in same):
                continue
            if node.kind == "DECL_REF_EXPR" and (node.name == left.name or pointer(node.type)):
                return True
            if node.kind == "CALL_EXPR" and not node.system or (node.kind == "MEMBER_REF_EXPR" and pointer(node.type)):
                return True
        return any(not plain_array(c) for c in assignment.right if c not in same)


def whole(j: str, x: str) -> str:
    """The loop over all elements of a triplet."""
    return f"for (long {j} = 0; {j} < {x}.len; {j}++) "


def pointer(kind: object) -> bool:
    return kind is not None and kind.get_canonical().kind.name == "POINTER"


def plain_array(chain: Chain) -> bool:
    """Is it an array by its name, and no parameter or member, which may be another array, too?"""
    kind = chain.kind.get_canonical().kind.name if chain.kind is not None else ""
    named = identifiers(chain.name) == {chain.name}
    return named and chain.parameter < 0 and "ARRAY" in kind


def serial(sections: Sections) -> None:
    """All assignments of a program without directives."""
    count = iter(range(1, 1 << 30))
    assign = Assign(sections, lambda: next(count))
    for one in sections.open.values():
        assign.local(one)


class ArrayOn:
    """`array on t[...]`: which loops of an assignment are shared out over the nodes."""

    def __init__(self, program: Program, assign: Assign, check: bool) -> None:
        self.program, self.assign, self.check = program, assign, check
        self.messages = program.messages

    def write(self, d: Directive, one: Assignment, head: str) -> None:
        """`head`: what comes first in the block of the statement."""
        symbol = self.program.need(d.ref.name, ("template",), d.source, d.ref.offset)
        items = d.ref.dims.items if d.ref.dims is not None else ()
        as_many(symbol.dims, items, d.ref.offset, symbol.name)
        if (long := next((i for i in items if len(i.parts) > 3), None)) is not None:
            raise Refused(long.offset, f"{long.text} is no section of a template: it has more than three parts.")
        order = [symbol.dims - 1 - p if d.ref.dims.square else p for p in range(symbol.dims)]
        sections = {axis: item for axis, item in zip(order, items, strict=True) if len(item.parts) > 1}
        left, axes, free = one.left, {}, [a for a in order if a in sections]
        aligned = left.array is not None and left.array.template is symbol
        for i, bracket in enumerate(left.brackets):
            section = len(bracket.parts) > 1
            if not aligned:
                if section and free:
                    axes[i] = free.pop(0)
                continue
            axis = left.array.axes[i].axis if i < len(left.array.axes) else -1
            if axis in sections and not section:
                raise Refused(sections[axis].offset, f"{symbol.name} has a section here, where {left.name} has one element; write its index.")
            if axis in sections:
                axes[i] = axis
            elif axis >= 0 and section and left.array.axes[i].kind not in ("", "star") and not items[order.index(axis)].star:
                text = f"{left.name} has a section here, where {symbol.name} has one element; write both as sections."
                raise Refused(bracket.open, text, left.source)
        for i, axis in axes.items():
            self.constant(d, one, i, sections[axis], symbol, axis)
        guards = "".join(f"if (xacc_mine({symbol.variable}, {axis}, {item.text})) " for axis, item in zip(order, items, strict=True)
                         if len(item.parts) == 1 and not item.star)

        def nest(name: str, dims: list[tuple[str, int]]) -> list[str]:
            loops = [self.loop(f"{name}_{k}", x, symbol, axes.get(i), sections, d, left, i if aligned else -1) for k, (x, i) in enumerate(dims)]
            return [guards, *loops]

        self.assign.write(one, nest, (lambda names: self.stale(one, names)) if self.check and left.array is not None else None, head)

    def loop(self, j: str, x: str, symbol: Symbol, axis: int | None, sections: dict[int, Item], d: Directive, left: Chain, aligned: int) -> str:
        if axis is None:
            return whole(j, x)
        low, high, step = (*sections[axis].parts, "")[:3]
        if not low and not high and not step and aligned >= 0:
            runs = f"xacc_runs_along({symbol.variable}, {axis}, {x}, {left.array.axes[aligned].offset})"
        else:
            if high and not d.ref.dims.square:  # lower:upper
                high = f"(({high}) - ({low or f'xacc_lower({symbol.variable}, {axis})'})) / ({step or 1}) + 1"
            given = ["XACC_LOW"] * bool(low) + ["XACC_LENGTH"] * bool(high)
            runs = (f'xacc_runs_of(XACC_HERE, {symbol.variable}, {axis}, "{left.name}", {x}, {" | ".join(given) or 0}, {low or 0}, '
                    f"{high or 0}, {step or 1})")
        return f"for (xacc_runs {j}r = {runs}; xacc_runs_next(&{j}r);) for (long {j} = {j}r.lo; {j} < {j}r.hi; {j}++) "

    def constant(self, d: Directive, one: Assignment, i: int, item: Item, symbol: Symbol, axis: int) -> None:
        """Refuses numbers of elements that are constant and differ."""
        value, (low, high, step) = self.assign.sections.constants.of, (*item.parts, "")[:3]
        n, first, by = value(high), value(low), value(step or "1")
        if not d.ref.dims.square:
            n = (n - first) // by + 1 if None not in (n, first) and by else None
        m = self.assign.sections.length(one.left, i, one.left.brackets[i])
        if n is not None and m is not None and n != m:
            self.messages.error(d.source, item.offset, f"this section of {symbol.name} has {n} elements and that of {one.left.name} has {m}; "
                                                       "make them as many.")

    def stale(self, assignment: Assignment, names: list[str]) -> str:
        """--check: whoever has these elements in a halo has old ones now."""
        array, given = assignment.left.array, iter(names)
        if array.cyclic:
            return ""
        parts = []
        for b in assignment.left.brackets[: len(array.axes)]:
            text = written(assignment.source, b.open + 1, b.close)
            parts.append(f"xacc_written_of({next(given)})" if len(b.parts) > 1 else f"{{1, {text}, {text}, 1}}")
        return f" xacc_stale({array.descriptor}, (xacc_written[]){{{', '.join(parts)}}});"
