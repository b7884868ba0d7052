"""Configuration files: tables read key by key, where every mistake names file, table and key; arithmetic; ranges."""

from __future__ import annotations

import math
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

from tenken.base.errors import TenkenError
from tenken.base.regular import MIB, read_regular_text
from tenken.base.units import BINARY
from tenken.base.words import nearest

LARGEST = sys.float_info.max
_MISSING = object()


class Table:
    """A table; `done()` after the last key refuses the keys that nobody asked for."""

    def __init__(self, file: Path, name: str, content: dict[str, Any]) -> None:
        self.file = file
        self.name = name
        self._content = content
        self._asked: set[str] = set()

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise the sentence `FILE: [TABLE] KEY: PROBLEM`."""
        table = f"[{self.name}] " if self.name else ""
        raise TenkenError(f"{self.file}: {table}{key}: {problem}")

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._content

    def raw(self, key: str, default: Any = _MISSING) -> Any:
        self._asked.add(key)
        if key not in self._content:
            if default is _MISSING:
                self.fail(key, "is missing")
            return default
        return self._content[key]

    def text(self, key: str, default: Any = _MISSING) -> str:
        value = self.raw(key, default)
        if not isinstance(value, str) or not value.strip():
            self.fail(key, f"expected a text that is not empty, found {value!r}")
        return value

    def any_text(self, key: str, default: Any = _MISSING) -> str:
        """A text that may be empty."""
        value = self.raw(key, default)
        if not isinstance(value, str):
            self.fail(key, f"expected a text, found {value!r}")
        return value

    def printed(self, key: str) -> str | None:
        """A figure as it was printed, in quotes, so that its digits remain; None where it is missing."""
        text = self.raw(key, None)
        if text is not None and not (isinstance(text, str) and re.fullmatch(r"\d+(\.\d+)?(e-?\d+)?", text)):
            self.fail(key, f"expected a number as printed, in quotes, found {text!r}")
        return text

    def optional_text(self, key: str) -> str | None:
        return self.text(key) if key in self else None

    def word(self, key: str, valid: Iterable[str], default: Any = _MISSING) -> str:
        value = self.text(key, default)
        names = list(valid)
        if value not in names:
            self.fail(key, f"'{value}' is unknown; {nearest(value, names)}")
        return value

    def words(self, key: str, default: Any = _MISSING) -> tuple[str, ...]:
        value = self.raw(key, default)
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) and item for item in value):
            self.fail(key, f"expected a list of texts, found {value!r}")
        if len(set(value)) < len(value):
            self.fail(key, f"a name is there twice in {list(value)}")
        return tuple(value)

    def flag(self, key: str, default: Any = _MISSING) -> bool:
        value = self.raw(key, default)
        if not isinstance(value, bool):
            self.fail(key, f"expected true or false, found {value!r}")
        return value

    def number(self, key: str, low: float, default: Any = _MISSING) -> float:
        value = self.raw(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= LARGEST:
            self.fail(key, f"expected a number of at least {low:g}, found {value!r}")
        return float(value)

    def optional_number(self, key: str, low: float) -> float | None:
        return self.number(key, low) if key in self else None

    def count(self, key: str, default: Any = _MISSING, low: int = 1) -> int:
        value = self.raw(key, default)
        if type(value) is not int or value < low:
            self.fail(key, f"expected a whole number of at least {low}, found {value!r}")
        return value

    def optional_count(self, key: str, low: int = 1) -> int | None:
        return self.count(key, low=low) if key in self else None

    def pairs(self, key: str) -> tuple[tuple[int, int], ...]:
        """Ranges of whole numbers, each with both ends; none where the key is missing."""
        value = self.raw(key, [])
        good = isinstance(value, list) and all(
            isinstance(pair, list) and len(pair) == 2 and all(type(end) is int for end in pair) for pair in value
        )
        if not good:
            self.fail(key, f"expected a list of [first, last], found {value!r}")
        return tuple((first, last) for first, last in value)

    def tables(self, key: str) -> dict[str, Table]:
        """The sub-tables `[KEY.NAME]`, in the order of the file."""
        value = self.raw(key, {})
        if not isinstance(value, dict):
            self.fail(key, f"expected tables [{key}.NAME], found {value!r}")
        tables = {}
        for name, content in value.items():
            label = f"{key}.{name}" if name.replace("_", "").isalnum() else f'{key}."{name}"'
            if not isinstance(content, dict):
                self.fail(f"{key}.{name}", f"expected a table [{label}], found {content!r}")
            tables[name] = Table(self.file, label, content)
        return tables

    def table_list(self, key: str) -> list[Table]:
        """The tables `[[KEY]]`, in the order of the file."""
        value = self.raw(key, [])
        if not isinstance(value, list):
            self.fail(key, f"expected tables [[{key}]], found {value!r}")
        tables = []
        for number, content in enumerate(value, start=1):
            label = f"{self.name + '.' if self.name else ''}{key} {number}"
            if not isinstance(content, dict):
                self.fail(f"{key} {number}", f"expected a table, found {content!r}")
            tables.append(Table(self.file, label, content))
        return tables

    def content(self) -> dict[str, Any]:
        """All keys as they are: another reader checks them."""
        self._asked |= self._content.keys()
        return dict(self._content)

    def table(self, key: str) -> Table | None:
        """The sub-table `[KEY]`; None where it is missing."""
        value = self.raw(key, None)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.fail(key, f"expected a table [{key}], found {value!r}")
        return Table(self.file, f"{self.name}.{key}" if self.name else key, value)

    def done(self) -> None:
        for key in self._content:
            if key not in self._asked:
                self.fail(key, f"is unknown; {nearest(key, self._asked)}")


def read_toml(path: Path) -> Table:
    """The root table of a TOML file; TenkenError where it is none."""
    try:
        return Table(path, "", tomllib.loads(read_regular_text(path, 16 * MIB)))
    except OSError as error:
        raise TenkenError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TenkenError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:  # tomllib lets numbers of 5000 digits and endless brackets escape
        raise TenkenError(f"{path}: not TOML: {error}") from error


# Arithmetic in configuration files, such as `25%mem`, `L3/2 + 8MiB` or `max(1e-12, 5/sqrt(108*n))`. Nothing is executed.

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


# Lists of whole numbers written as "A..B": A, 2A, 4A, ... up to B, and B itself.

_RANGE = re.compile(r"(.*[^.\s])\s*\.\.\s*([^.\s].*)")


def split_range(text: Any) -> tuple[str, str] | None:
    """The two ends of "A..B", None where `text` is something else."""
    match = _RANGE.fullmatch(text.strip()) if isinstance(text, str) else None
    return (match[1], match[2]) if match else None


def doublings(low: int, high: int) -> list[int]:
    """From `low`, at least 1, to `high`; none where that is less. ValueError for a `low` that cannot be doubled."""
    if low < 1:
        raise ValueError(f"starts at {low}; doublings start at 1 or more")
    values = [low << step for step in range(max(high // low, 1).bit_length()) if low << step < high]
    return [*values, high] if high >= low else []


def expanded(items: Iterable[Any], number: Callable[[str], int]) -> list[Any]:
    """`items` with each "A..B" in the place of which its doublings stand; `number` gives the value of an end."""
    values: list[Any] = []
    for item in items:
        ends = split_range(item)
        values += doublings(*map(number, ends)) if ends else [item]
    return values
