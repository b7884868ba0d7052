"""What the constant expressions of a program are: macros without arguments, enumerators, constant variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xacc.program import Program
from xacc.text import identifiers

_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|[-+*/%()])")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+([A-Za-z_]\w*)(\(?)(.*)$", re.MULTILINE)
_CAST = re.compile(r"\(\s*(?:int|long|size_t|unsigned|ptrdiff_t)(?:\s+(?:int|long))*\s*\)")
_DEEP = 50
NONE: Mapping[str, int] = {}


class _Unknown(Exception):
    pass


class Values:
    def __init__(self, program: Program, flags: tuple[str, ...]) -> None:
        self.program, self.tree = program, program.tree
        self._texts = self._macros(flags)
        self._variables: dict[str, str | None] | None = None
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
            return _Reader(text, lambda name, depth: self._name(name, depth, given)).whole(0)
        except (_Unknown, ZeroDivisionError, ValueError):
            return None

    def _name(self, name: str, depth: int, given: Mapping[str, int]) -> int:
        if depth > _DEEP:
            raise _Unknown
        text = self._texts[name] if name in self._texts else self._declared().get(name)
        if text is None:
            if name in given:
                return given[name]
            raise _Unknown
        return _Reader(text, lambda n, d: self._name(n, d, given)).whole(depth + 1)

    def variables(self, text: str) -> set[str]:
        """Names of which the value of the text depends and that have none of their own."""
        found, seen, rest = set(), set(), identifiers(text)
        while rest:
            name = rest.pop()
            seen.add(name)
            inner = self._texts[name] if name in self._texts else self._declared().get(name)
            if inner is None:
                found.add(name)
            else:
                rest |= identifiers(inner) - seen
        return found

    # ---- where names get their values --------------------------------------------------------------------------
    def _macros(self, flags: tuple[str, ...]) -> dict[str, str | None]:
        """Macros that are defined once; None for those with arguments, or with more than one text."""
        found: dict[str, str | None] = {}
        for before, flag in zip(("", *flags), flags, strict=False):
            if match := re.fullmatch(r"(?:-D)?([A-Za-z_]\w*)(?:=(.*))?", flag, re.DOTALL) if before == "-D" or flag.startswith("-D") else None:
                found[match.group(1)] = match.group(2) or "1"
        texts = [(s.blank, self.tree.skipped(s)) for s in self.tree.sources.values()] + [(t, []) for t in self.tree.other_headers()]
        for text, skipped in texts:
            for match in _DEFINE.finditer(text) if "define" in text else ():
                if any(a <= match.start() < b for a, b in skipped):
                    continue
                word, name, arguments, body = match.groups()
                body = body.strip()
                plain = word == "define" and not arguments and not body.endswith("\\") and found.get(name, body) == body
                found[name] = body if plain else None
        return found

    def _declared(self) -> dict[str, str | None]:
        """Initialisers of constant variables and enumerators whose name is declared once."""
        if self._variables is not None:
            return self._variables
        found: dict[str, str | None] = {}
        before: tuple[int, str] = (-1, "")
        for node in self.tree.nodes:
            if node.kind in ("VAR_DECL", "PARM_DECL"):
                text = re.match(r"\s*=\s*([^,;{}]*)$", node.source.blank[node.at + len(node.name) : node.end])
                constant = node.kind == "VAR_DECL" and text and node.type is not None and node.type.is_const_qualified()
                found[node.name] = text.group(1) if constant and node.name not in found else None
            elif node.kind == "ENUM_CONSTANT_DECL":
                name, _, text = (part.strip() for part in node.source.blank[node.start : node.end].partition("="))
                after = f"{before[1]} + 1" if before[0] == node.parent else "0"
                found[name] = None if name in found else text or after
                before = (node.parent, name)
        self._variables = found
        return found


class _Reader:
    """Sums, products and parentheses as C has them."""

    def __init__(self, text: str, name: object) -> None:
        self.text, self.name, self.at = _CAST.sub(" ", text), name, 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        if match is None and self.text[self.at :].strip():
            raise _Unknown
        return match.group(1) if match else ""

    def take(self) -> str:
        token = self.peek()
        self.at = _TOKEN.match(self.text, self.at).end() if token else self.at
        return token

    def whole(self, depth: int) -> int:
        value = self.sum(depth)
        if self.peek():
            raise _Unknown
        return value

    def sum(self, depth: int) -> int:
        value = self.product(depth)
        while self.peek() in ("+", "-") and self.peek():
            value = value + self.product(depth) if self.take() == "+" else value - self.product(depth)
        return value

    def product(self, depth: int) -> int:
        value = self.unary(depth)
        while self.peek() in ("*", "/", "%") and self.peek():
            word, other = self.take(), self.unary(depth)
            quotient = 0 if word == "*" else abs(value) // abs(other) * (1 if (value < 0) == (other < 0) else -1)
            value = value * other if word == "*" else quotient if word == "/" else value - quotient * other
        return value

    def unary(self, depth: int) -> int:
        if depth > _DEEP:
            raise _Unknown
        token = self.take()
        if token in ("+", "-"):
            value = self.unary(depth + 1)
            return -value if token == "-" else value
        if token == "(":
            value = self.sum(depth + 1)
            if self.take() != ")":
                raise _Unknown
            return value
        if token[:1].isdigit():
            return int(token, 16 if token[:2].lower() == "0x" else 8 if len(token) > 1 and token[0] == "0" else 10)
        if token[:1].isalpha() or token[:1] == "_":
            return self.name(token, depth)
        raise _Unknown
