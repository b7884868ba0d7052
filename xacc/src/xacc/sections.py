"""Assignments of array sections, a[first:count:step] = ..., found in the tree: their sides, brackets and shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from xacc.ast import Tree
from xacc.forms import extent
from xacc.mask import Bracket, parts, sections
from xacc.messages import Messages, Refused
from xacc.program import Array, brackets_of
from xacc.text import Source, matching, without_comments
from xacc.values import Values

_OTHER = re.compile(r"\+\+|--|[-+*/%&|^]=|<<=|>>=|(?<![=!<>])=(?!=)")  # what a side must not do besides


@dataclass
class Chain:
    """name[i][first:count]: the expression before the first bracket, and the brackets."""

    source: Source
    start: int
    head: int  # after the expression that the brackets follow
    brackets: list[Bracket]
    kind: object = None  # type of that expression
    parameter: int = -1  # the declaration, where it is a parameter of the function
    array: Array | None = None

    @property
    def name(self) -> str:
        return " ".join(self.source.blank[self.start : self.head].replace(chr(34), chr(39)).split())

    @property
    def end(self) -> int:
        return self.brackets[-1].close + 1 if self.brackets else self.head

    @property
    def ranges(self) -> list[tuple[int, Bracket]]:
        """Its dimensions with colons."""
        return [(i, b) for i, b in enumerate(self.brackets) if len(b.parts) > 1]

    @property
    def text(self) -> str:
        return "".join(self.source.blank[self.start : self.end].split())


@dataclass
class Assignment:
    """left = right; equals: the offset of =; end: that of the semicolon."""

    source: Source
    node: int
    start: int
    equals: int
    end: int
    left: Chain
    right: list[Chain] = field(default_factory=list)  # with sections


def written(source: Source, start: int, end: int) -> str:
    """The text in a line, without comments."""
    return without_comments(source.text[start:end]).replace("\n", " ").strip()


class Sections:
    """All sections of the sources of a tree."""

    def __init__(self, tree: Tree, messages: Messages) -> None:
        self.tree, self.messages = tree, messages
        self.constants = Values(tree)
        self.brackets = {path: [b for b in sections(source) if not any(x <= b.open < y for x, y in tree.skipped(source))]
                         for path, source in tree.sources.items()}
        self.open: dict[int, Assignment] = {}  # statement -> what is still to be translated
        for path, source in tree.sources.items():
            for bracket in self.brackets[path]:
                with messages.refusals(source):
                    self.sort(source, bracket)

    def sort(self, source: Source, bracket: Bracket) -> None:
        """Puts the section into the assignment in which it stands."""
        nodes = self.tree.nodes
        if len(bracket.parts) > 3:
            raise Refused(bracket.parts[3][0] - 1, "a section is first:count:step.")
        number = next((n for n, node in enumerate(nodes) if node.kind == "ARRAY_SUBSCRIPT_EXPR" and node.source is source
                       and node.end == bracket.close + 1 and node.start < bracket.open), -1)
        child = number
        while number >= 0 and (up := nodes[number].parent) >= 0:
            if nodes[up].kind.endswith("_STMT") or nodes[up].kind == "VAR_DECL":
                break
            if nodes[up].kind == "ARRAY_SUBSCRIPT_EXPR" and nodes[up].children[0] not in (number, child):
                raise Refused(bracket.open, "a section stands in the subscript of an array; put its values into an array first.")
            number = up
            child = number if nodes[number].kind != "UNEXPOSED_EXPR" else child
        made = self.assignment(source, number)
        if made is None:
            raise Refused(bracket.open, "an array section stands where none can: write a[first:count] = ... as a statement.")
        made = self.open.setdefault(number, made)
        if bracket.open < made.equals:
            if not (made.left.brackets and made.left.brackets[0].open <= bracket.open < made.left.end):
                raise Refused(bracket.open, "a section of a member of a section; write a loop over the outer one.")
            return
        if not any(c.start <= bracket.open < c.end for c in made.right):
            chain = self.chain(source, bracket.close + 1)
            if chain is not None:
                made.right.append(chain)

    def assignment(self, source: Source, number: int) -> Assignment | None:
        """The statement as left = right; None where it is anything else."""
        nodes = self.tree.nodes
        if number < 0 or nodes[number].kind != "BINARY_OPERATOR" or len(nodes[number].children) != 2 or nodes[number].source is not source:
            return None
        up = nodes[number].parent
        if up < 0 or not nodes[up].kind.endswith("_STMT") or nodes[up].kind in ("RETURN_STMT", "DECL_STMT"):
            return None
        node, (first, second) = nodes[number], (nodes[c] for c in nodes[number].children)
        equals = source.blank.find("=", first.end, second.start)
        end = self.tree.end_of(number) - 1
        if equals < 0 or source.blank[first.end : second.start].strip("() \t\r\n") != "=" or source.blank[end : end + 1] != ";":
            return None
        inside = next((b for b in self.brackets[str(source.path)] if node.start <= b.open < equals), None)
        left = self.chain(source, inside.close + 1 if inside else first.end)
        if left is None:
            left = Chain(source, first.start, first.end, [], first.type)
        return Assignment(source, number, node.start, equals, end, left)

    def chain(self, source: Source, end: int) -> Chain | None:
        """The subscripted expression that ends at `end`; members after it are none of it."""
        nodes = self.tree.nodes
        found = [n for n, node in enumerate(nodes) if node.source is source and node.end == end and node.kind in ("ARRAY_SUBSCRIPT_EXPR", "DECL_REF_EXPR")]
        if not found:
            return None
        number = min(found, key=lambda n: nodes[n].start)
        while (up := nodes[number].parent) >= 0 and nodes[up].kind in ("ARRAY_SUBSCRIPT_EXPR", "UNEXPOSED_EXPR") and nodes[up].start == nodes[number].start:
            number = up
        end, brackets = nodes[number].end, []
        while nodes[number].kind in ("ARRAY_SUBSCRIPT_EXPR", "UNEXPOSED_EXPR") and nodes[number].children:
            inner = nodes[number].children[0]
            if nodes[number].kind == "ARRAY_SUBSCRIPT_EXPR":
                open_ = source.blank.find("[", nodes[inner].end)
                close = matching(source.blank, open_)
                if open_ < 0 or close < 0:
                    return None
                brackets.insert(0, Bracket(open_, close, tuple(parts(source.blank, open_, close))))
            number = inner
        base = nodes[number]
        chain = Chain(source, base.start, base.end, brackets, base.type)
        chain.parameter = next((n for n, node in enumerate(nodes) if base.target is not None and node.kind == "PARM_DECL"
                                and (str(node.source.path), node.at) == base.target), -1)
        return chain

    def extent(self, chain: Chain, i: int) -> tuple[str, int | None]:
        """Elements of a dimension: as an expression, -1 where they are not known, and as a number where it is a constant."""
        if chain.array is not None and i < len(chain.array.axes):
            return f"{chain.array.descriptor}->size[{i}]", self.constants.of(chain.array.axes[i].extent)
        kind = chain.kind
        if i == 0 and chain.parameter >= 0:
            declared = self.tree.nodes[chain.parameter]
            inner = [extent(declared.source.text[a + 1 : b]) for a, b in brackets_of(declared)[:1]]
            return (f"({inner[0]})", self.constants.of(inner[0])) if inner and inner[0] else ("-1", None)
        for _ in range(i):
            kind = inner_type(kind)
        kind = kind.get_canonical() if kind is not None else None
        if kind is None or "ARRAY" not in kind.kind.name:
            return "-1", None
        head = chain.source.text[chain.start : chain.head] + "[0]" * i
        known = kind.element_count if kind.kind.name == "CONSTANTARRAY" else None
        return f"(long)(sizeof({head}) / sizeof({head}[0]))", known

    def triplet(self, chain: Chain, i: int, bracket: Bracket) -> str:
        """The call that makes a triplet of a dimension; constants that are wrong are refused here."""
        source, values = chain.source, [written(chain.source, a, b) for a, b in bracket.parts]
        low, length, step = (*values, *[""] * (3 - len(values)))
        given = (["XACC_LOW"] if low else []) + (["XACC_LENGTH"] if length else [])
        size, many = self.extent(chain, i)
        lo, n, by = (self.constants.of(v) if v else None for v in (low, length, step))
        places = [a + len(source.blank[a:b]) - len(source.blank[a:b].lstrip()) for a, b in bracket.parts]
        name = chain.name
        if by == 0:
            self.messages.error(source, places[2], f"the section of array {name} has the step 0.")
        elif n is not None and n < 0:
            self.messages.error(source, places[1], f"the section of array {name} has the length {n}; lengths start at 0.")
        elif size == "-1" and not length:
            self.messages.error(source, bracket.open, f"{name} is a pointer here; write the number of elements of the section.")
        elif (low == "" or lo is not None) and n and many is not None and (step == "" or by is not None):
            by = by or 1
            lo = lo if lo is not None else 0 if by > 0 else many - 1
            if not (0 <= lo < many and 0 <= lo + (n - 1) * by < many):
                self.messages.error(source, bracket.open, f"the section {lo}:{n}:{by} of array {name} leaves its elements 0 to {many - 1}.")
        return (f'xacc_triplet_of(XACC_HERE, "{name}", {i + 1}, {size}, {" | ".join(given) or 0}, {low or 0}, {length or 0}, {step or 1})')

    def length(self, chain: Chain, i: int, bracket: Bracket) -> int | None:
        """The number of elements of a section where it is a constant."""
        values = [written(chain.source, a, b) for a, b in bracket.parts]
        if len(values) > 1 and values[1]:
            return self.constants.of(values[1])
        many = self.extent(chain, i)[1]
        low, by = self.constants.of(values[0] or "0"), self.constants.of(values[2] if len(values) > 2 and values[2] else "1")
        if many is None or low is None or by is None or by <= 0:
            return None
        return max(0, (many - low + by - 1) // by)

    def same_shape(self, one: Assignment) -> None:
        """Refuses sides whose shapes cannot agree."""
        left = one.left.ranges
        for chain in one.right:
            right = chain.ranges
            if len(right) != len(left):
                raise Refused(chain.start, f"the section of {chain.name} has {len(right)} dimensions and that of {one.left.name} "
                                           f"has {len(left)}; they must be as many.", one.source)
            for (i, a), (j, b) in zip(left, right, strict=True):
                n, m = self.length(one.left, i, a), self.length(chain, j, b)
                if n is not None and m is not None and n != m:
                    raise Refused(b.open, f"this section of {chain.name} has {m} elements and that of {one.left.name} has {n}; "
                                          "make them as many.", one.source)

    def plain(self, assignment: Assignment) -> None:
        """Refuses what would happen once for each element."""
        left = assignment.source.blank[assignment.start : assignment.equals]
        right = assignment.source.blank[assignment.equals + 1 : assignment.end]
        for text, offset in ((left, assignment.start), *([(right, assignment.equals + 1)] if assignment.right else [])):
            if found := _OTHER.search(text):
                raise Refused(offset + found.start(), "an assignment of sections does this once for each element; put it before.",
                              assignment.source)


def inner_type(kind: object) -> object:
    """Of what an array or a pointer is made."""
    kind = kind.get_canonical() if kind is not None else None
    if kind is None:
        return None
    return kind.get_pointee() if kind.kind.name == "POINTER" else kind.element_type if "ARRAY" in kind.kind.name else None
