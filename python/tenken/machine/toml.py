"""TOML whose every key is checked: a wrong one gives a sentence that names file, key, what was expected and found."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tenken.base.regular import MIB, read_regular_text
from tenken.model.errors import TenkenError

NUMBER = (int, float)


class Table:
    """A TOML table whose every access is checked; `done` refuses keys that nobody asked for."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict):
            raise TenkenError(f"{where}: expected a table, found {data!r}")
        self._data, self._where, self._known = data, where, set[str]()

    def __str__(self) -> str:
        return self._where

    def get(self, key: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        self._known.add(key)
        if key not in self._data:
            if default is ...:
                raise TenkenError(f"{self._where}: '{key}' is missing")
            return default
        value = self._data[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TenkenError(f"{self._where}: '{key}' should be {_words(kinds)}, found {value!r}")
        return value

    def ranges(self, key: str) -> tuple[tuple[int, int], ...]:
        pairs = self.get(key, list, [])
        good = all(isinstance(p, list) and len(p) == 2 and all(type(n) is int for n in p) for p in pairs)
        if not good:
            raise TenkenError(f"{self._where}: '{key}' should be a list of [first, last], found {pairs!r}")
        return tuple((first, last) for first, last in pairs)

    def pair(self, key: str, default: Any = ...) -> tuple[float, float]:
        pair = self.get(key, list, default if default is ... else list(default))
        if len(pair) != 2 or not all(type(one) in (int, float) and one > 0 for one in pair):
            raise TenkenError(f"{self._where}: '{key}' should be [double, single], two positive numbers, found {pair!r}")
        return pair[0], pair[1]

    def strings(self, key: str) -> tuple[str, ...]:
        values = self.get(key, list, [])
        if not all(isinstance(value, str) for value in values):
            raise TenkenError(f"{self._where}: '{key}' should be a list of strings, found {values!r}")
        return tuple(values)

    def number_text(self, key: str) -> str | None:
        text = self.get(key, str, None)
        if text is not None and not re.fullmatch(r"\d+(\.\d+)?(e-?\d+)?", text):
            raise TenkenError(f"{self._where}: '{key}' should be a number as printed, in quotes, found {text!r}")
        return text

    def tables(self, key: str) -> list[Table]:
        items = self.get(key, list, [])
        return [Table(item, f"{self._where}, {key} {number}") for number, item in enumerate(items, 1)]

    def named_tables(self, key: str) -> dict[str, Table]:
        items = self.get(key, dict, {})
        return {name: Table(item, f"{self._where}, [{key}.{name}]") for name, item in items.items()}

    def rest(self) -> dict[str, Any]:
        return dict(self._data)

    def done(self) -> None:
        if unknown := sorted(set(self._data) - self._known):
            raise TenkenError(f"{self._where}: unknown key '{unknown[0]}'; valid: {', '.join(sorted(self._known))}")


def _words(kinds: tuple[type, ...]) -> str:
    names = {str: "a string", int: "an integer", float: "a number", bool: "true or false", list: "a list"}
    return names.get(kinds[-1], "a table")


def read_toml(path: Path) -> Table:
    try:
        return Table(tomllib.loads(read_regular_text(path, 16 * MIB)), str(path))
    except (OSError, ValueError, RecursionError) as error:
        raise TenkenError(f"{path}: cannot be read: {error}; correct or remove the file") from None
