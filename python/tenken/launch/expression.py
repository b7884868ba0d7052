"""Integer expressions of a case, such as `4*L3`, `25%mem` or `L3/2 + 8MiB`. No names but the given ones, no calls."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from tenken.launch.suggest import unknown
from tenken.model.errors import TenkenError

_UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "kB": 10**3, "MB": 10**6, "GB": 10**9}
_LONGEST = 80
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z]\w*)|([-+*/%()]))")


def evaluate(text: str, sizes: Mapping[str, int | None], what: str) -> int:
    """The value, rounded down. `sizes` are the known names in bytes (None: unknown here); `what` is named in a refusal.

    Grammar: sum = product {(+|-) product}; product = factor {(*|/) factor};
    factor = number [unit] | number% NAME | NAME | (sum) | - factor.
    """
    parser = _Parser(text, sizes, what)
    value = parser.sum()
    if parser.token is not None or not math.isfinite(value):
        raise parser.refusal()
    return math.floor(value)


class _Parser:
    def __init__(self, text: str, sizes: Mapping[str, int | None], what: str) -> None:
        self.text, self.sizes, self.what = text, sizes, what
        self.position = 0
        self.token: float | str | None = None
        if len(text) > _LONGEST:
            raise self.refusal()
        self.advance()

    def refusal(self) -> TenkenError:
        names = " ".join(self.sizes)
        return TenkenError(
            f"{self.what}: '{self.text}' is not understood; expected an integer or an expression of {names} such as "
            "4*L3, 25%mem or 64MiB."
        )

    def advance(self) -> None:
        if not self.text[self.position:].strip():
            self.token = None
            return
        match = _TOKEN.match(self.text, self.position)
        if not match:
            raise self.refusal()
        self.position = match.end()
        number, name, sign = match.groups()
        if number is not None:
            self.token = float(number) if "." in number else int(number)
        else:
            self.token = name or sign

    def sum(self) -> float:
        value = self.product()
        while self.token in ("+", "-"):
            sign = 1 if self.token == "+" else -1
            self.advance()
            value += sign * self.product()
        return value

    def product(self) -> float:
        value = self.factor()
        while self.token in ("*", "/"):
            divide = self.token == "/"
            self.advance()
            other = self.factor()
            if divide and other == 0:
                raise self.refusal()
            # Whole quotients stay integers: sizes above 2^53 bytes must not be rounded.
            value = (value // other if value % other == 0 else value / other) if divide else value * other
        return value

    def factor(self) -> float:
        token = self.token
        self.advance()
        if token == "-":
            return -self.factor()
        if token == "(":
            value = self.sum()
            if self.token != ")":
                raise self.refusal()
            self.advance()
            return value
        if isinstance(token, (int, float)):
            if isinstance(self.token, str) and self.token in _UNITS:
                unit = _UNITS[self.token]
                self.advance()
                return token * unit
            if self.token == "%":
                self.advance()
                return token * self.factor() / 100
            return token
        if isinstance(token, str) and token[0].isalpha():
            if token not in self.sizes:
                raise unknown("name", token, self.sizes, of=f" in {self.what} ('{self.text}')")
            size = self.sizes[token]
            if size is None:
                raise TenkenError(
                    f"{self.what}: '{self.text}' needs {token}, which is not known of this machine; set a number."
                )
            return size
        raise self.refusal()
