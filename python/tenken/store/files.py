"""JSON files that are whole or not there, also when the disk is full or the process is killed; dataclasses in them."""

from __future__ import annotations

import dataclasses
import errno
import json
import math
import os
import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from tenken.base.errors import RecordError, TenkenError
from tenken.base.regular import no_link, read_regular_text, replace_file
from tenken.store.schema import load_schema

RESERVE = ".reserve"  # ballast of a run folder, given up when the disk is full
RESERVE_BYTES = 256 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT)


def write_json(path: Path, value: Any) -> None:
    """Write plain `value` to `path` at once: temporary file, fsync, rename.

    On a full disk the ballast of the run folder around `path` is deleted and the write repeated once.
    TenkenError where it cannot be written; then an older `path` is still whole.
    """
    text = (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()
    try:
        try:
            replace_file(path, text)
        except OSError as error:
            if error.errno not in _FULL or not _drop_reserve(path):
                raise
            replace_file(path, text)
    except OSError as error:
        raise TenkenError(f"cannot write {path}: {error.strerror}; {_advice(error)}") from error


def read_json(path: Path, schema: str | None = None) -> Any:
    """The value in `path`, fitted to `schema/SCHEMA.schema.json`; RecordError where it cannot be believed."""
    try:
        text = read_regular_text(path)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: byte {error.start} is not UTF-8: not a file of Tenken, or damaged") from error
    value = parse_json(text, str(path))
    if schema is not None:
        load_schema(schema)(value, str(path))
    return value


def parse_json(text: str, where: str) -> Any:
    """The JSON value `text`; RecordError, starting with `where`, for anything else, NaN literals included."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RecordError(
            f"{where}: not JSON ({error.msg} at character {error.pos + 1}): damaged or cut off"
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not JSON that can be believed ({error}): damaged") from error


def write_reserve(folder: Path) -> None:
    """Really allocate the ballast file of run folder `folder`."""
    try:
        with open(folder / RESERVE, "wb", opener=no_link) as file:
            file.write(b"\xa5" * RESERVE_BYTES)  # written, not seeked: a hole would reserve nothing
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise TenkenError(f"cannot write into {folder}: {error.strerror}; {_advice(error)}") from error


def _drop_reserve(path: Path) -> bool:
    for folder in list(path.parents)[:3]:  # run.json, launches/, launches/NNNN-case/
        if (folder / RESERVE).exists():
            (folder / RESERVE).unlink(missing_ok=True)
            return True
    return False


def _advice(error: OSError) -> str:
    if error.errno in _FULL:
        return "free some space, or put runs elsewhere with --runs DIR"
    return "choose a folder that you can write to with --runs DIR"


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


# Frozen dataclasses to and from plain JSON values, led by their type hints.

T = TypeVar("T")
Reader = Callable[[Any, str], Any]  # of a value, and where it stands
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
    reader: Callable[[Any, str], T] = _reader(kind)  # type: ignore[arg-type]  # a class is hashable
    return reader(value, where)


@cache
def _reader(kind: Any) -> Reader:
    """The reader of values of type `kind`. A type is taken apart once, not once a value."""
    if kind is Any:
        return lambda value, where: value
    if dataclasses.is_dataclass(kind):
        return _dataclass_reader(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is dict:
        return _dict_reader(arguments[1])
    return _number if kind is float else _scalar_reader(kind)


def _dataclass_reader(kind: Any) -> Reader:
    readers: dict[str, tuple[Reader, bool]] = {}  # filled at first use: a class may hold itself

    def fill() -> None:
        hints = get_type_hints(kind)
        for field in dataclasses.fields(kind):
            needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            readers[field.name] = _reader(hints[field.name]), needed

    def read(value: Any, where: str) -> Any:
        _expect(isinstance(value, dict), "an object", value, where)
        if not readers:
            fill()
        given = {}
        for name, (reader, needed) in readers.items():
            if name in value:
                given[name] = reader(value[name], f"{where}: {name}")
            elif needed:
                raise RecordError(f"{where}: '{name}' is missing")
        return kind(**given)

    return read


def _enum_reader(kind: type[Enum]) -> Reader:
    members = {member.value: member for member in kind}

    def read(value: Any, where: str) -> Any:
        if value not in list(members):
            raise RecordError(f"{where}: expected one of {list(members)}, found {value!r}")
        return members[value]

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    choices = [_reader(kind) for kind in kinds if kind is not type(None)]
    maybe = type(None) in kinds

    def read(value: Any, where: str) -> Any:
        if value is None and maybe:
            return None
        for choice in choices[:-1]:
            try:
                return choice(value, where)
            except RecordError:
                continue
        return choices[-1](value, where)

    return read


def _tuple_reader(kinds: tuple[Any, ...]) -> Reader:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        each = _reader(kinds[0])

        def read_all(value: Any, where: str) -> Any:
            _expect(isinstance(value, list), "an array", value, where)
            return tuple([each(item, f"{where}[{index}]") for index, item in enumerate(value)])

        return read_all
    readers = [_reader(kind) for kind in kinds]

    def read(value: Any, where: str) -> Any:
        _expect(isinstance(value, list), "an array", value, where)
        _expect(len(value) == len(readers), f"an array of {len(readers)}", value, where)
        return tuple(reader(item, f"{where}[{i}]") for i, (reader, item) in enumerate(zip(readers, value, strict=True)))

    return read


def _dict_reader(kind: Any) -> Reader:
    each = _reader(kind)

    def read(value: Any, where: str) -> Any:
        _expect(isinstance(value, dict), "an object", value, where)
        return {key: each(item, f"{where}: {key}") for key, item in value.items()}

    return read


def _number(value: Any, where: str) -> float:
    if isinstance(value, str) and value in NON_FINITE:
        return NON_FINITE[value]
    _expect(isinstance(value, (int, float)) and not isinstance(value, bool), "a number", value, where)
    try:
        return float(value)
    except OverflowError:
        raise RecordError(f"{where}: expected a number, found one beyond every measurement") from None


def _scalar_reader(kind: Any) -> Reader:
    name = {str: "a string", int: "an integer", bool: "true or false", type(None): "null"}[kind]

    def read(value: Any, where: str) -> Any:
        if type(value) is not kind:
            _expect(False, name, value, where)
        return value

    return read


def _expect(holds: bool, expected: str, value: Any, where: str) -> None:
    if not holds:
        raise RecordError(f"{where}: expected {expected}, found {str(value)[:60]!r}")
