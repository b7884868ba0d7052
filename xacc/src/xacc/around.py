"""What stands around a use of a distributed array: its loops with their ranges, directives, and conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from xacc.headers import TURNED, Header
from xacc.loops import Bound, Loops, Nest
from xacc.program import Program, Symbol
from xacc.references import References, Use
from xacc.text import identifiers
from xacc.values import NONE, Values

ALWAYS, SOMETIMES, UNCLEAR = 0, 1, 2  # whether a use is reached in each iteration
_LEFT = re.compile(r"\b(?:return|goto|\w*exit|\w*[aA]bort)\b")  # what may end a function early
_JUMPS = ("BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "RETURN_STMT", "INDIRECT_GOTO_STMT")
_COMPARED = re.compile(r"[\s(]*(\w+)\s*(<=|>=|<|>|!=)\s*([^<>=!&|?]+?)[\s)]*$")


@dataclass
class Run:
    """A loop around a use; bound: where a directive shares it out, widened by so much below and above."""

    header: Header
    bound: Bound | None = None
    below: int | None = 0
    above: int | None = 0
    unbound: bool = False
    guards: list[tuple[str, str]] = field(default_factory=list)  # comparisons of its variable


@dataclass
class Around:
    symbol: Symbol | None  # the template of the loop directives
    runs: dict[str, Run]
    guards: dict[int, str]  # axes of the template with a fixed index
    level: int = ALWAYS
    shared: bool = True  # by a directive
    within: int = ALWAYS  # the same of what stands inside of the outermost directive's loop
    compared: list[tuple[str, str, str]] = field(default_factory=list)  # conditions around the use
    either: set[str] = field(default_factory=set)  # names on the left of ||


class Surroundings:
    def __init__(self, program: Program, loops: Loops, references: References, values: Values) -> None:
        self.program, self.tree, self.loops, self.references, self.values = program, program.tree, loops, references, values
        self.nests = {n.statement: n for n in loops.nests}
        self.bounds = {b.header.node: (n, b) for n in loops.nests for b in n.bounds}
        self.tasks = {self.tree.next_statement(d.source, d.end) for _, d in program.directives if d.kind in ("task", "tasks", "array", "gmove")}

    def of(self, use: Use) -> Around | None:
        """None outside of loop directives."""
        found = self.anywhere(use)
        return found if found is not None and found.shared else None

    @cache
    def anywhere(self, use: Use) -> Around | None:
        """Also in loops that no directive shares out, for nodes that run them whole; None outside of loops."""
        above = [use.node, *self.tree.ancestors(use.node)]
        nests = [self.nests[n] for n in above if n in self.nests]
        top = nests[-1].statement if nests else next((n for n in reversed(above) if self.tree.nodes[n].kind == "FOR_STMT"), -1)
        if top < 0:
            return None
        symbol = nests[0].symbol if nests else use.array.template
        alike = symbol.kind == "template" and all(n.symbol is symbol for n in nests)
        found = Around(symbol if alike else None, {}, {axis: text for n in nests for axis, text in n.guards}, shared=bool(nests))
        inside = True
        for child, number in zip(above, above[1:], strict=False):
            if (number in self.nests or number == top) and self.tree.descendants(number, *_JUMPS):
                found.level = UNCLEAR
            level = self.condition(child, number, found, use, inside)
            if child in self.tasks or (level and not nests and not inside):  # perhaps one node alone, for itself
                level = UNCLEAR
            found.level = max(found.level, level)
            found.within = found.level if inside else found.within
            inside = inside and number != top
        if not nests and _LEFT.search(use.source.blank, self.tree.nodes[above[-1]].start, use.start):
            found.level = max(found.level, SOMETIMES)
        if use.mode == "m":
            found.level = found.within = UNCLEAR if self.left_out(use) else max(found.level, SOMETIMES)
        for variable, word, other in found.compared:
            if variable in found.runs:
                found.runs[variable].guards.append((word, other))
            else:
                found.level = found.within = UNCLEAR
        if found.either & set(found.runs):
            found.level = found.within = UNCLEAR
        return found

    def left_out(self, use: Use) -> bool:
        """May the macro that is given the use do without it?"""
        texts = [*(s.blank for s in self.tree.sources.values()), *self.tree.others]
        given = use.source.blank[self.tree.nodes[use.node].at : use.start]
        define = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{re.split(r'[^0-9A-Za-z_]', given)[0]}\(((?:\\\r?\n|[^\n])*)", re.MULTILINE)
        bodies = {body for text in texts for body in define.findall(text)}
        return len(bodies) != 1 or re.search(r"&&|\|\||[?#]|sizeof|typeof|_Generic", given + bodies.pop()) is not None

    def condition(self, child: int, number: int, found: Around, use: Use, inside: bool) -> int:
        """Whether the child is reached where the node is; loops go into found on the way."""
        node = self.tree.nodes[number]
        first = bool(node.children) and node.children[0] == child
        if node.kind == "FOR_STMT":
            return self.run(number, found, use) if inside and child == node.children[-1] else ALWAYS
        if node.kind in ("IF_STMT", "CONDITIONAL_OPERATOR"):
            if first:
                return ALWAYS
            return (self.guarded(node.children[0], found) if node.children[1] == child else UNCLEAR) if inside else SOMETIMES
        if node.kind == "BINARY_OPERATOR" and not first and len(node.children) == 2:
            left, right = (self.tree.nodes[c] for c in node.children)
            between = node.source.blank[left.end : right.start]
            if "||" in between:  # where it names no loop variable but in subscripts, it is a condition on data
                found.either |= identifiers(re.sub(r"\[[^\]]*\]", "", node.source.blank[left.start : left.end]))
                return SOMETIMES
            return self.guarded(node.children[0], found) if "&&" in between else ALWAYS
        if node.kind in ("WHILE_STMT", "DO_STMT"):
            return (UNCLEAR if inside else ALWAYS) if not first else ALWAYS
        if node.kind == "SWITCH_STMT" and not inside:
            return SOMETIMES
        return UNCLEAR if node.kind in ("SWITCH_STMT", "LABEL_STMT") else ALWAYS

    def run(self, number: int, found: Around, use: Use) -> int:
        header = self.loops.headers.header(number)
        if not isinstance(header, Header):
            return UNCLEAR
        declared = (self.tree.nodes[n] for n in self.tree.descendants(number, "VAR_DECL"))
        again = any(n.name == header.variable and n.source is use.source and header.body < n.at < use.start for n in declared)
        if again or header.variable in found.runs or self.loops.headers.changed(header) is not None:
            found.runs[header.variable] = Run(header, None, None, None)
            return UNCLEAR
        nest, bound = self.bounds.get(number, (None, None))
        run = Run(header, bound)
        if nest is not None and nest.directive.ring is not None:
            self.widen(nest, run)
        found.runs[header.variable] = run
        return ALWAYS if bound is not None or self.range(run) is not None else SOMETIMES

    def widen(self, nest: Nest, run: Run) -> None:
        """expand and margin run over more than the node's part, peel_and_wait over its part."""
        item = (self.loops.ring_items(nest.directive, nest.bounds) or {}).get(run.bound.axis)
        if item is None:
            return
        below, above = (self.values.of(item.parts[k].strip()) for k in (0, -1))
        run.below, run.above = (None if w is None else max(w, 0) for w in (below, above))
        run.unbound = "unbound" in item.modifiers

    def guarded(self, condition: int, found: Around) -> int:
        """A condition that compares loop variables with numbers shortens their ranges."""
        node = self.tree.nodes[condition]
        for text in node.source.blank[node.start : node.end].split("&&"):
            match = _COMPARED.match(text)
            left, word, right = match.groups() if match else ("", "", "")
            if word in TURNED and self.values.of(left) is not None:
                left, word, right = right, TURNED[word], left
            if not re.fullmatch(r"[A-Za-z_]\w*", left):
                return UNCLEAR
            found.compared.append((left, word, right))
        return SOMETIMES

    def range(self, run: Run, given: Mapping[str, int] = NONE, guards: bool = True) -> tuple[int, int, int] | None:
        """First, last and step of a loop, ascending; None where they are not known, or the loop does not run."""
        h = run.header
        source = self.tree.nodes[h.node].source
        first, last = (self.values.of(source.blank[a:b].replace("\n", " ").strip(), given) for a, b in (h.first, h.last))
        step = self.values.of(h.step, given)
        if first is None or last is None or not step:
            return None
        last += {"<": -1, ">": 1, "!=": -1 if step > 0 else 1}.get(h.op, 0)
        if (last - first) * step < 0:
            return None
        last = first + (last - first) // step * step
        found = (first, last, step) if step > 0 else (last, first, -step)
        for word, text in run.guards if guards else ():
            found = self.narrowed(found, word, self.values.of(text, given)) if found else None
        return found

    def narrowed(self, found: tuple[int, int, int], word: str, other: int | None) -> tuple[int, int, int] | None:
        first, last, step = found
        if other is None or step != 1:
            return None
        if word == "!=":
            first, last = first + (other == first), last - (other == last)
            return None if first < other < last or first > last else (first, last, 1)
        if word in (">", ">="):
            first = max(first, other + (word == ">"))
        else:
            last = min(last, other - (word == "<"))
        return (first, last, 1) if first <= last else None
