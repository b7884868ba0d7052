"""gmove: the assignment after it becomes one call with the two sides."""

from __future__ import annotations

from xacc.communicate import Communicate
from xacc.directive import Directive
from xacc.openacc import OpenAcc, local
from xacc.messages import Refused, as_many
from xacc.program import Program
from xacc.references import References
from xacc.sections import Assignment, Chain, Sections, inner_type, written
from xacc.text import Source, trim


class Gmove:
    def __init__(self, program: Program, sections: Sections, references: References, communicate: Communicate) -> None:
        self.program, self.tree, self.messages = program, program.tree, program.messages
        self.sections, self.references, self.communicate = sections, references, communicate

    def write(self, d: Directive, assignment: Assignment, acc: OpenAcc | None = None) -> None:
        """Replaces the statement. acc: the copies of the device are meant."""
        source, left = assignment.source, assignment.left
        uses = self.references.within(source, assignment.start, assignment.end)
        first, last = trim(source.blank, assignment.equals + 1, assignment.end)
        right = self.sections.chain(source, last)
        right = right if right is not None and right.start == first and right.brackets else None
        sides = [left] if right is None else [left, right]
        for chain in sides:
            chain.array = self.references.array_at(source, chain.start)
        if (wrong := next((v for v in d.variables if v.text not in [c.name for c in sides]), None)) is not None:
            raise Refused(wrong.offset, f"{wrong.text} of the clause acc is no side of this gmove.")
        whole = written(source, left.end, assignment.equals) == "" and left.start == assignment.start
        known = {c.start for c in sides if c.array is not None}
        others = [u.start for u in uses if u.start not in known] + [assignment.start] * (not whole)
        others += [c.start for c in assignment.right if right is None]
        if others:
            raise Refused(others[0], "each side of gmove is a section, an element or a scalar; compute before or after it.", source)
        for chain in sides:
            if chain.array is not None:
                as_many(len(chain.array.axes), chain.brackets, chain.start, f"array {chain.name}")
        if right is not None and right.ranges and not left.ranges:
            raise Refused(right.start, f"{right.name} has a section here, and the left side has one element.", source)
        if left.ranges:
            self.sections.same_shape(assignment)
        n = self.communicate.declare.number()
        head: list[str] = []
        to = self.side(left, "left", head, n)
        if right is not None and (right.array is not None or right.ranges):
            self.same_type(left, right, source)
            of = self.side(right, "right", head, n)
        else:
            head.append(f"__typeof__({self.element(left)}) xacc_e{n} = {written(source, assignment.equals + 1, assignment.end)};")
            of = f'(xacc_side){{.name = "the right side", .base = &xacc_e{n}, .elem = sizeof xacc_e{n}}}'
        if to is None or of is None:
            return
        self.references.hide(source, assignment.start, assignment.end)
        timed = self.communicate.timed(d.section) if d.section else ""
        wait = d.asynchronous or "-1"
        mode = f"XACC_{d.equals.upper()}" if d.equals else "XACC_COLLECTIVE"
        if acc is not None:
            wait = "-1"  # the copy back to the device ends it
        call = f"xacc_gmove(XACC_HERE, {to}, {of}, {mode}, {wait});"
        if acc is not None:
            there = [c for c in sides if not d.variables or c.name in [v.text for v in d.variables]]  # the others are on the host
            call = acc.around(call, [local(c.array, []) if c.array is not None else c.name for c in there])
        source.replace(assignment.start, assignment.end + 1, f"{{ {timed} {' '.join(head)} {call} }}")

    def element(self, chain: Chain) -> str:
        if chain.array is not None:
            return chain.array.element
        return written(chain.source, chain.start, chain.head) + "[0]" * len(chain.brackets)

    def same_type(self, left: Chain, right: Chain, source: Source) -> None:
        kinds = []
        for chain in (left, right):
            kind = chain.kind
            for _ in chain.brackets:
                kind = inner_type(kind)
            kinds.append(kind.get_canonical().spelling.replace("const ", "").replace("volatile ", "") if kind is not None else "")
        if all(kinds) and kinds[0] != kinds[1]:
            raise Refused(right.start, f"{right.name} has elements of type {kinds[1]} and {left.name} of type {kinds[0]}; "
                                       "gmove copies, so make them alike.", source)

    def side(self, chain: Chain, which: str, head: list[str], n: int) -> str | None:
        """A side as a structure. Triplets are made before."""
        array, source = chain.array, chain.source
        base, brackets, skipped = written(source, chain.start, chain.head), chain.brackets, 0
        if array is None:
            kind = chain.kind
            for i in range(1, len(brackets)):  # behind a pointer another block of memory begins
                kind = inner_type(kind)
                if kind is not None and kind.get_canonical().kind.name == "POINTER":
                    if any(len(b.parts) > 1 for b in brackets[skipped:i]):
                        self.messages.error(source, chain.start, f"{chain.name} is an array of pointers; a section of it is no block of memory.")
                        return None
                    skipped = i
            base += "".join(f"[{written(source, b.open + 1, b.close)}]" for b in brackets[:skipped])
        parts, sections, extents = [], [], []
        for i, bracket in enumerate(brackets[skipped:], skipped):
            x = f"xacc_x{n}_{which}_{i}"
            if len(bracket.parts) > 1:
                head.append(f"const xacc_triplet {x} = {self.sections.triplet(chain, i, bracket)};")
            else:
                head.append(f"const xacc_triplet {x} = {{{written(source, bracket.open + 1, bracket.close)}, 1, 1}};")
            parts.append(x)
            sections.append(str(int(len(bracket.parts) > 1)))
            extents.append(self.sections.extent(chain, i)[0])
        where = f".array = {array.descriptor}" if array is not None else f".base = (void *){'&' if not brackets[skipped:] else ''}{base}"
        fields = [f'.name = "{chain.name}"', where, f".elem = sizeof({self.element(chain)})", f".n = {len(parts)}"]
        if parts:
            fields += [f".at = {{{', '.join(parts)}}}", f".section = {{{', '.join(sections)}}}"]
            if array is None:
                fields.append(f".extent = {{{', '.join(extents)}}}")
        return f"(xacc_side){{{', '.join(fields)}}}"
