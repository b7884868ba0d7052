"""What the constant expressions of a program are: macros without arguments, enumerators, constant variables."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping
from functools import cache, cached_property

from xacc.ast import Tree
from xacc.text import identifiers

_DEFINE = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+([A-Za-z_]\w*)(\(?)(.*)$", re.MULTILINE)
_CAST = re.compile(r"\(\s*(?:int|long|size_t|unsigned|ptrdiff_t)(?:\s+(?:int|long))*\s*\)")
_SUM = re.compile(r"(?:[\s()+*/%-]|\w+\b(?!\s*\())+")
_DEEP = 50


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: _quotient,
               ast.Mod: lambda a, b: a - _quotient(a, b) * b}
NONE: Mapping[str, int] = {}


class Values:
    def __init__(self, tree: Tree, flags: tuple[str, ...] = ()) -> None:
        self.tree = tree
        self._texts = self._macros(flags)
        self._kept: dict[str, int | None] = {}

    def of(self, text: str, given: Mapping[str, int] = NONE) -> int | None:
        """The value of an integer expression; None where it is not known. given: numbers in place of variables."""
        if text.isdigit():
            return int(text)
        if text not in self._kept:
            self._kept[text] = self._value(text, NONE)
        return self._value(text, given) if given and self._kept[text] is None else self._kept[text]

    def _value(self, text: str, given: Mapping[str, int]) -> int | None:
        try:
            return self._read(text, given, 0)
        except (ArithmeticError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def _read(self, text: str, given: Mapping[str, int], depth: int) -> int:
        if depth > _DEEP:
            raise ValueError
        return self._node(ast.parse(_CAST.sub(" ", text).strip(), mode="eval").body, given, depth)

    def _node(self, node: ast.expr, given: Mapping[str, int], depth: int) -> int:
        """Sums and products are read alike in C and in Python, but for the direction in which quotients are rounded."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            text = self._texts[node.id] if node.id in self._texts else self._declared.get(node.id)
            if text is None and node.id not in given:
                raise ValueError
            return given[node.id] if text is None else self._read(text, given, depth + 1)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self._node(node.operand, given, depth)
            return -value if isinstance(node.op, ast.USub) else value
        if not isinstance(node, ast.BinOp):
            raise ValueError
        a, b = self._node(node.left, given, depth), self._node(node.right, given, depth)
        if type(node.op) not in _OPERATIONS:
            raise ValueError
        return _OPERATIONS[type(node.op)](a, b)

    def variables(self, text: str) -> set[str]:
        """Names of which the value of the text depends and that have none of their own."""
        found, seen, rest = set(), set(), identifiers(text)
        while rest:
            name = rest.pop()
            seen.add(name)
            inner = self._texts[name] if name in self._texts else self._declared.get(name)
            if inner is None:
                found.add(name)
            else:
                rest |= identifiers(inner) - seen
        return found

    @cache
    def steady(self, name: str) -> bool:
        """Is a variable declared once, and given one value at most?"""
        declared = [n.kind for n in self.tree.nodes if n.name == name and n.kind in ("VAR_DECL", "PARM_DECL")]
        given = re.compile(rf"(?<![\w.>]){name}\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--|&)\s*{name}\b")
        texts = [s.blank for s in self.tree.sources.values()] + self.tree.others
        return len(declared) == 1 and sum(len(given.findall(t)) for t in texts) <= (declared[0] == "VAR_DECL")

    def _macros(self, flags: tuple[str, ...]) -> dict[str, str | None]:
        """Macros that are defined once; None for those with arguments, or with more than one text."""
        found: dict[str, str | None] = {}
        for before, flag in zip(("", *flags), flags, strict=False):
            if match := re.fullmatch(r"(?:-D)?([A-Za-z_]\w*)(?:=(.*))?", flag, re.DOTALL) if before == "-D" or flag.startswith("-D") else None:
                found[match.group(1)] = match.group(2) or "1"
        texts = [(s.blank, self.tree.skipped(s)) for s in self.tree.sources.values()] + [(t, []) for t in self.tree.others]
        for text, skipped in texts:
            for match in _DEFINE.finditer(text) if "define" in text else ():
                if any(a <= match.start() < b for a, b in skipped):
                    continue
                word, name, arguments, body = match.groups()
                body = body.strip()
                plain = word == "define" and not arguments and not body.endswith("\\") and found.get(name, body) == body
                found[name] = body if plain else None
        return found

    def _assigned(self) -> dict[tuple[str, int] | None, str]:
        """What variables get by statements that come first in main, or in their own function, whatever happens: by place of the declaration."""
        nodes, found = self.tree.nodes, {}
        for name, function in self.tree.defined.items():
            early = name == "main"
            for child in nodes[self.tree.body(function)].children:
                rest = [child]
                while rest:
                    node = nodes[rest.pop()]
                    if node.kind != "BINARY_OPERATOR" or len(node.children) != 2:
                        continue
                    left, right = (nodes[c] for c in node.children)
                    between = node.source.blank[left.end : right.start].strip("() \t\r\n")
                    if between == ",":
                        rest += node.children
                    elif between == "=" and left.kind == "DECL_REF_EXPR" and left.target is not None and (
                            early or (left.target[0] == str(node.source.path) and nodes[function].start < left.target[1] < node.start)):
                        found[left.target] = node.source.blank[right.start : right.end]
                early = early and not any(nodes[n].name in self.tree.defined for n in (child, *self.tree.descendants(child, "CALL_EXPR")))
        return found

    @cached_property
    def _declared(self) -> dict[str, str | None]:
        """Enumerators, and initialisers of variables that are constant or never change, whose name is declared once."""
        found: dict[str, str | None] = {}
        before, assigned = (-1, ""), self._assigned()
        for node in self.tree.nodes:
            if node.kind in ("VAR_DECL", "PARM_DECL"):
                match = re.match(r"\s*=\s*([^,;{}]*)$", node.source.blank[node.at + len(node.name) : node.end])
                text = match.group(1) if match else assigned.get((str(node.source.path), node.at), "")
                here = node.parent >= 0 or "static" in node.qualifiers  # and not given its value by another file
                constant = node.kind == "VAR_DECL" and node.type is not None and (node.type.is_const_qualified() or (here and self.steady(node.name)))
                found[node.name] = text if constant and node.name not in found and _SUM.fullmatch(text) else None
            elif node.kind == "ENUM_CONSTANT_DECL":
                name, _, text = (part.strip() for part in node.source.blank[node.start : node.end].partition("="))
                after = f"{before[1]} + 1" if before[0] == node.parent else "0"
                found[name] = None if name in found else text or after
                before = (node.parent, name)
        return found
