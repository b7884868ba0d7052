"""Arithmetic in configuration files, such as `25%mem`, `L3/2 + 8MiB` or `max(1e-12, 5/sqrt(108*n))`. Nothing is executed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from tenken.base.units import BINARY

UNITS = {**BINARY, "kB": 10**3, "MB": 10**6, "GB": 10**9}  # of sizes
_FUNCTIONS: dict[str, Callable[..., float]] = {"sqrt": math.sqrt, "max": max, "min": min}
_LONGEST = 240
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z]\w*(?:\.\w+)*)|([-+*/%(),]))")


class NotUnderstood(ValueError):
    """No expression, or an expression without a finite value."""


class UnknownName(LookupError):
    """A name without a value; `args[0]` is the name."""


def value(text: str, value_of: Callable[[str], float]) -> float:
    """The value of `text`; `value_of(name)` gives that of a name or raises UnknownName.

    Grammar: sum = product {(+|-) product}; product = factor {(*|/) factor};
    factor = number [unit] | number% factor | NAME | (sqrt|max|min)(sum {, sum}) | (sum) | - factor; a name may hold dots.
    Integers stay exact. NotUnderstood for anything else, quotients by zero and roots of negative numbers included.
    """
    parser = _Parser(text, value_of)
    try:
        result = parser.sum()
        if parser.token is None and math.isfinite(result):
            return result
    except (ArithmeticError, ValueError, TypeError, RecursionError):
        pass
    raise NotUnderstood(text)


class _Parser:
    def __init__(self, text: str, value_of: Callable[[str], float]) -> None:
        self.text, self.value_of = text, value_of
        self.position = 0
        self.token: str | float | None = None
        if len(text) > _LONGEST:
            raise NotUnderstood(text)
        self.advance()

    def advance(self) -> None:
        if not self.text[self.position:].strip():
            self.token = None
            return
        match = _TOKEN.match(self.text, self.position)
        if not match:
            raise NotUnderstood(self.text)
        self.position = match.end()
        number, name, sign = match.groups()
        if number is not None:
            self.token = int(number) if number.isdigit() else float(number)
        else:
            self.token = name or sign

    def expect(self, sign: str) -> None:
        if self.token != sign:
            raise NotUnderstood(self.text)
        self.advance()

    def sum(self) -> float:
        total = self.product()
        while self.token in ("+", "-"):
            sign = 1 if self.token == "+" else -1
            self.advance()
            total += sign * self.product()
        return total

    def product(self) -> float:
        result = self.factor()
        while self.token in ("*", "/"):
            divide = self.token == "/"
            self.advance()
            other = self.factor()
            # Whole quotients stay integers: sizes above 2^53 bytes must not be rounded.
            result = (result // other if result % other == 0 else result / other) if divide else result * other
        return result

    def factor(self) -> float:
        token = self.token
        self.advance()
        if token == "-":
            return -self.factor()
        if token == "(":
            result = self.sum()
            self.expect(")")
            return result
        if isinstance(token, (int, float)):
            if self.token in UNITS:
                unit = UNITS[str(self.token)]
                self.advance()
                return token * unit
            if self.token == "%":
                self.advance()
                return token * self.factor() / 100
            return token
        if isinstance(token, str) and token[0].isalpha():
            return self.function(token) if token in _FUNCTIONS and self.token == "(" else self.value_of(token)
        raise NotUnderstood(self.text)

    def function(self, name: str) -> float:
        self.expect("(")
        arguments = [self.sum()]
        while self.token == ",":
            self.advance()
            arguments.append(self.sum())
        self.expect(")")
        return _FUNCTIONS[name](*arguments) if name == "sqrt" or len(arguments) > 1 else arguments[0]
