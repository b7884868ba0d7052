"""The words of one directive, and what all directives are made of: subscripts, names, expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from xacc.directive import Dims, Item, Ref
from xacc.messages import Refused, nearest
from xacc.text import Source

_TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|\d[\w.]*|&&|\|\||::|.", re.DOTALL)


class Tokens:
    """Reads the text of one directive. Raises Refused with the place and a sentence."""

    def __init__(self, source: Source, start: int, end: int, body: int, macros: dict[str, str] | None = None) -> None:
        self.source, self.start, self.end = source, start, end
        text = re.sub(r"\\(\r?\n)", lambda m: " " * len(m.group()), source.blank[body:end])
        self.text = text
        self.base = body
        self.tokens = [(m.group(), m.start() + body) for m in _TOKEN.finditer(self.text) if not m.group().isspace()]
        self.expanded = False
        if macros and any(t in macros for t, _ in self.tokens):
            self.tokens = [pair for t, at in self.tokens for pair in self._expand(t, at, macros)]
        self.at = 0

    def _expand(self, token: str, at: int, macros: dict[str, str]) -> list[tuple[str, int]]:
        """Macros that stand for more than an expression (2:1, *) must be seen by this parser; the others C expands."""
        if token not in macros:
            return [(token, at)]
        self.expanded = True
        rest = {name: text for name, text in macros.items() if name != token}
        return [pair for m in _TOKEN.finditer(macros[token]) if not m.group().isspace() for pair in self._expand(m.group(), at, rest)]

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    @property
    def offset(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else max(self.base, self.end - 1)

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def skip(self, token: str) -> bool:
        """Takes this token, where it is the next one."""
        found = self.peek() == token
        self.at += found
        return found

    def expect(self, token: str, after: str) -> None:
        if not self.skip(token):
            raise Refused(self.offset, f"{token} expected after {after}; {self.here()}.")

    def here(self) -> str:
        return f"found {self.peek()}" if self.peek() else "the directive ends"

    def name(self, what: str) -> tuple[str, int]:
        if not re.match(r"[A-Za-z_]", self.peek()):
            raise Refused(self.offset, f"the name of {what} expected; {self.here()}.")
        offset = self.offset
        return self.take(), offset

    def _raw(self, first: int, last: int) -> str:
        """Text of the tokens from number first to last - 1, as written."""
        if first >= last:
            return ""
        if self.expanded:
            return " ".join(t for t, _ in self.tokens[first:last])
        start = self.tokens[first][1]
        end = self.tokens[last - 1][1] + len(self.tokens[last - 1][0])
        text = re.sub(r"\\(\r?\n)", lambda m: " " * len(m.group()), self.source.text[start:end])
        return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL))

    def expression(self, stops: str) -> str:
        """Up to one of the stop tokens outside brackets."""
        first, depth = self.at, 0
        while self.at < len(self.tokens):
            token = self.peek()
            if depth == 0 and token in stops.split():
                break
            depth += (token in "([{") - (token in ")]}")
            if depth < 0:
                break
            self.at += 1
        return self._raw(first, self.at)

    def item(self, close: str) -> Item:
        offset, modifiers, parts = self.offset, [], []
        while self.skip("/"):
            word, _ = self.name("a modifier")
            if word.lower() not in ("periodic", "unbound"):
                raise Refused(self.tokens[self.at - 1][1], f"unknown modifier /{word}/{nearest(word, ('periodic', 'unbound'))}.")
            modifiers.append(word.lower())
            self.expect("/", "the modifier")
        while True:
            if self.skip("::"):  # an empty middle: both colons
                parts += ["", ""]
                continue
            if self.peek() == "*" and self.peek(1) in (",", close):
                self.take()
                parts.append("*")
            else:
                parts.append(self.expression(f": :: , {close}").strip())
            if not self.skip(":"):
                break
        return Item(tuple(parts), offset, tuple(modifiers))

    def dims(self, what: str) -> Dims:
        offset, items = self.offset, []
        if self.peek() == "[":
            while self.skip("["):
                items.append(self.item("]"))
                self.expect("]", f"the subscript of {what}")
            return Dims(True, tuple(items), offset)
        self.expect("(", what)
        items = self.listed(lambda: self.item(")"))
        self.expect(")", f"the subscripts of {what}")
        return Dims(False, tuple(items), offset)

    def has_dims(self) -> bool:
        return self.peek() in ("[", "(")

    def ref(self, what: str) -> Ref:
        name, offset = self.name(what)
        return Ref(name, offset, self.dims(name) if self.has_dims() else None)

    def array_name(self) -> tuple[str, int]:
        found = self.name("an array")
        if self.peek() == "." or (self.peek() == "-" and self.peek(1) == ">"):
            raise Refused(found[1], f"{found[0]} is a structure: members are aligned as TAG.member, where variables of struct TAG stand at file scope.")
        return found

    def word_list(self, what: str, read: Callable[[], tuple[str, int]] | None = None) -> tuple[tuple[str, int], ...]:
        """Names with commas between them, each read by `read`."""
        return tuple(self.listed(read or (lambda: self.name(what))))

    def listed(self, read: Callable[[], Any]) -> list[Any]:
        """What `read` finds, with commas between."""
        found = [read()]
        while self.skip(","):
            found.append(read())
        return found

    def argument(self, what: str) -> str:
        self.expect("(", what)
        text = self.expression(")")
        self.expect(")", f"the argument of {what}")
        if not text:
            raise Refused(self.offset, f"{what} needs a value in its parentheses.")
        return text

    def arguments(self, what: str) -> tuple[str, ...]:
        self.expect("(", what)
        values = self.listed(lambda: self.expression(", )"))
        self.expect(")", f"the arguments of {what}")
        return tuple(values)

    def word(self, wanted: str) -> None:
        word, offset = self.name(wanted) if self.peek() else ("", self.offset)
        if word.lower() != wanted:
            raise Refused(offset, f"{wanted} expected" + (f"; found {word}{nearest(word, (wanted,))}" if word else "; the directive ends."))
