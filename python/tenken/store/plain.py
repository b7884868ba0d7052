"""Frozen dataclasses to and from plain JSON values, led by their type hints."""

from __future__ import annotations

import dataclasses
import math
import types
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from tenken.model.errors import RecordError

T = TypeVar("T")
NON_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def to_plain(value: Any) -> Any:
    """`value` as dict, list, str, int, float, bool or None; non-finite floats become "nan", "inf", "-inf"."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} has no plain form")


def from_plain(kind: type[T], value: Any, where: str) -> T:
    """The reverse of `to_plain` for type `kind`; RecordError, starting with `where`, if `value` does not fit.

    Unknown keys are left out: newer versions may add optional fields without a new schema number.
    """
    result: T = _read(kind, value, where)
    return result


def _read(kind: Any, value: Any, where: str) -> Any:
    if kind is Any:
        return value
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, value, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        if value not in [member.value for member in kind]:
            raise RecordError(f"{where}: expected one of {[member.value for member in kind]}, found {value!r}")
        return kind(value)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _read_union(arguments, value, where)
    if origin is tuple:
        return _read_tuple(arguments, value, where)
    if origin is dict:
        _expect(isinstance(value, dict), "an object", value, where)
        return {key: _read(arguments[1], item, f"{where}: {key}") for key, item in value.items()}
    return _read_scalar(kind, value, where)


def _read_dataclass(kind: Any, value: Any, where: str) -> Any:
    _expect(isinstance(value, dict), "an object", value, where)
    hints = _hints(kind)
    given = {}
    for field in dataclasses.fields(kind):
        if field.name in value:
            given[field.name] = _read(hints[field.name], value[field.name], f"{where}: {field.name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise RecordError(f"{where}: '{field.name}' is missing")
    return kind(**given)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read_union(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in kinds:
        return None
    choices = [kind for kind in kinds if kind is not type(None)]
    for kind in choices[:-1]:
        try:
            return _read(kind, value, where)
        except RecordError:
            continue
    return _read(choices[-1], value, where)


def _read_tuple(kinds: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    _expect(isinstance(value, list), "an array", value, where)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_read(kinds[0], item, f"{where}[{index}]") for index, item in enumerate(value))
    _expect(len(value) == len(kinds), f"an array of {len(kinds)}", value, where)
    return tuple(_read(kind, item, f"{where}[{i}]") for i, (kind, item) in enumerate(zip(kinds, value, strict=True)))


def _read_scalar(kind: Any, value: Any, where: str) -> Any:
    if kind is float:
        if isinstance(value, str) and value in NON_FINITE:
            return NON_FINITE[value]
        _expect(isinstance(value, (int, float)) and not isinstance(value, bool), "a number", value, where)
        try:
            return float(value)
        except OverflowError:
            raise RecordError(f"{where}: expected a number, found one beyond every measurement") from None
    names = {str: "a string", int: "an integer", bool: "true or false", type(None): "null"}
    _expect(type(value) is kind, names[kind], value, where)
    return value


def _expect(holds: bool, expected: str, value: Any, where: str) -> None:
    if not holds:
        raise RecordError(f"{where}: expected {expected}, found {str(value)[:60]!r}")
