"""A validator for the part of JSON Schema that `schema/*.json` use.

It deviates from the standard in two points, both stricter: 1.0 is not an integer, and numbers are finite.
A schema is turned into closures once, so that a record of ten thousand lines is checked in a fraction of a second.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any

from tenken.base.errors import RecordError

SCHEMAS = Path(__file__).resolve().parents[3] / "schema"


class Mismatch(RecordError):
    """A value that does not fit its schema, and where inside it."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where


Check = Callable[[Any, str], None]  # (value, where) -> None, or RecordError

_ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
_KEYWORDS = {"type", "required", "properties", "additionalProperties", "items", "enum", "const", "oneOf", "anyOf",
             "$ref", "minimum", "minLength", "minItems", "maxItems", "pattern"}  # fmt: skip
_NAMES = {
    "object": "an object", "array": "an array", "string": "a string", "integer": "an integer",
    "number": "a finite number", "boolean": "true or false", "null": "null",
}  # fmt: skip


def validate(value: Any, schema: dict[str, Any], where: str) -> None:
    """Raise RecordError, starting with `where` and naming the place inside `value`, unless `value` fits `schema`."""
    compile_schema(schema)(value, where)


@cache
def load_schema(name: str) -> Check:
    """The compiled `schema/NAME.schema.json`."""
    return compile_schema(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


def compile_schema(schema: dict[str, Any]) -> Check:
    """A function that validates; ValueError where the schema itself uses an unsupported keyword."""
    return _Compiler(schema).compile(schema)


def _is(value: Any, kind: str) -> bool:
    if kind == "integer":
        return type(value) is int
    if kind == "number":
        return type(value) is int or (type(value) is float and math.isfinite(value))
    types: dict[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    return type(value) is types[kind]


def _equal(value: Any, expected: Any) -> bool:
    return type(value) is type(expected) and bool(value == expected)


_INTEGERS: frozenset[type] = frozenset({int})


def _all_numbers(values: Collection[Any], minimum: float, kinds: Collection[type] = _INTEGERS) -> bool:
    """Whether all are finite, of a type of `kinds` and at least `minimum`, in a few passes in C."""
    if not values:
        return True
    return set(map(type, values)) <= set(kinds) and min(values) >= minimum and (float not in kinds or _finite_sum(values))


def _finite_sum(values: Collection[float]) -> bool:
    """NaN hides from comparisons, but not from a sum; an overflow says nothing of the values."""
    try:
        return math.isfinite(sum(values))
    except OverflowError:  # of an integer beyond the range of a float
        return False


def _show(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _fail(where: str, expected: str, value: Any) -> None:
    raise Mismatch(where, f"expected {expected}, found {_show(value)}")


class _Compiler:
    def __init__(self, root: dict[str, Any]) -> None:
        self._definitions: dict[str, Any] = root.get("$defs", {})
        self._compiled: dict[str, Check] = {}

    def compile(self, schema: dict[str, Any]) -> Check:
        unknown = schema.keys() - _KEYWORDS - _ANNOTATIONS
        if unknown:
            raise ValueError(f"schema keywords that are not supported: {sorted(unknown)}")
        parts = [
            getattr(self, "_" + keyword.strip("$").lower())(schema)
            for keyword in (
                "$ref", "type", "enum", "const", "minimum", "minLength", "minItems", "maxItems", "pattern", "required",
                "oneOf", "anyOf",
            )
            if keyword in schema
        ]
        if "properties" in schema or "additionalProperties" in schema:
            parts.append(self._properties(schema))
        if "items" in schema:
            parts.append(self._items(schema))
        if len(parts) == 1:
            return parts[0]
        counts = self._counts(schema)

        def check_all(value: Any, where: str) -> None:
            if counts and type(value) is dict and value.keys() == counts and _all_numbers(value.values(), 0):
                return
            for part in parts:
                part(value, where)

        return check_all

    def _ref(self, schema: dict[str, Any]) -> Check:
        name = schema["$ref"].removeprefix("#/$defs/")
        if name not in self._definitions:
            raise ValueError(f"schema reference {schema['$ref']} leads nowhere")

        def check_reference(value: Any, where: str) -> None:  # compiled on first use: definitions may be recursive
            if name not in self._compiled:
                self._compiled[name] = self.compile(self._definitions[name])
            self._compiled[name](value, where)

        return check_reference

    def _resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        return self._definitions[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema

    def _type(self, schema: dict[str, Any]) -> Check:
        kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        expected = " or ".join(_NAMES[kind] for kind in kinds)

        def check_type(value: Any, where: str) -> None:
            if not any(_is(value, kind) for kind in kinds):
                _fail(where, expected, value)

        return check_type

    def _enum(self, schema: dict[str, Any]) -> Check:
        choices = schema["enum"]

        def check_enum(value: Any, where: str) -> None:
            if not any(_equal(value, choice) for choice in choices):
                _fail(where, "one of " + ", ".join(map(_show, choices)), value)

        return check_enum

    def _const(self, schema: dict[str, Any]) -> Check:
        def check_const(value: Any, where: str) -> None:
            if not _equal(value, schema["const"]):
                _fail(where, _show(schema["const"]), value)

        return check_const

    def _minimum(self, schema: dict[str, Any]) -> Check:
        minimum = schema["minimum"]

        def check_minimum(value: Any, where: str) -> None:
            if _is(value, "number") and value < minimum:
                _fail(where, f"at least {minimum}", value)

        return check_minimum

    def _minlength(self, schema: dict[str, Any]) -> Check:
        def check_length(value: Any, where: str) -> None:
            if isinstance(value, str) and len(value) < schema["minLength"]:
                _fail(where, f"a string of at least {schema['minLength']} characters", value)

        return check_length

    def _minitems(self, schema: dict[str, Any]) -> Check:
        def check_least(value: Any, where: str) -> None:
            if isinstance(value, list) and len(value) < schema["minItems"]:
                _fail(where, f"an array of at least {schema['minItems']} items", value)

        return check_least

    def _maxitems(self, schema: dict[str, Any]) -> Check:
        def check_most(value: Any, where: str) -> None:
            if isinstance(value, list) and len(value) > schema["maxItems"]:
                _fail(where, f"an array of at most {schema['maxItems']} items", value)

        return check_most

    def _pattern(self, schema: dict[str, Any]) -> Check:
        pattern = re.compile(schema["pattern"])

        def check_pattern(value: Any, where: str) -> None:
            if isinstance(value, str) and not pattern.search(value):
                _fail(where, f"a string like {schema['pattern']}", value)

        return check_pattern

    def _required(self, schema: dict[str, Any]) -> Check:
        def check_required(value: Any, where: str) -> None:
            if isinstance(value, dict):
                for key in schema["required"]:
                    if key not in value:
                        raise Mismatch(where, f"'{key}' is missing")

        return check_required

    def _properties(self, schema: dict[str, Any]) -> Check:
        checks = {key: self.compile(part) for key, part in schema.get("properties", {}).items()}
        more = schema.get("additionalProperties", True)
        check_more = self.compile(more) if isinstance(more, dict) else None

        def check_properties(value: Any, where: str) -> None:
            if not isinstance(value, dict):
                return
            for key, item in value.items():
                check = checks.get(key, check_more)
                if check is not None:
                    check(item, f"{where}: {key}")
                elif key not in checks and more is False:
                    raise Mismatch(where, f"'{key}' is unknown")

        return check_properties

    def _counts(self, schema: dict[str, Any]) -> set[str]:
        """The keys of an object of nothing but counts, such as work, which a record may hold a million times."""
        properties = schema.get("properties", {})
        plain = schema.keys() == {"type", "required", "properties"} and schema["type"] == "object"
        counts = all(self._resolve(part) == {"type": "integer", "minimum": 0} for part in properties.values())
        return set(properties) if plain and counts and set(schema["required"]) == set(properties) else set()

    def _items(self, schema: dict[str, Any]) -> Check:
        item = self._resolve(schema["items"])
        check = self.compile(schema["items"])
        # Of several forms a plain number is the form that long arrays are full of.
        item = next((form for form in item.get("anyOf", ()) if form.get("type") in ("integer", "number")), item)
        plain = set(item) <= {"type", "minimum"} and item.get("type") in ("integer", "number")
        kinds: set[type] = {int} if item.get("type") == "integer" else {int, float}
        minimum = item.get("minimum", -math.inf)

        def check_items(value: Any, where: str) -> None:
            if not isinstance(value, list):
                return
            if plain and _all_numbers(value, minimum, kinds):
                return
            for index, entry in enumerate(value):
                check(entry, f"{where}[{index}]")

        return check_items

    def _anyof(self, schema: dict[str, Any]) -> Check:
        checks = [self.compile(branch) for branch in schema["anyOf"]]
        return lambda value, where: _matches(checks, value, where, at_most_one=False)

    def _oneof(self, schema: dict[str, Any]) -> Check:
        branches = schema["oneOf"]
        kinds = [_kind(self._resolve(branch)) for branch in branches]
        checks = [self.compile(branch) for branch in branches]
        if None in kinds or len(set(kinds)) < len(kinds):
            return lambda value, where: _matches(checks, value, where, at_most_one=True)
        by_kind = dict(zip(kinds, checks, strict=True))

        def dispatch(value: Any, where: str) -> None:
            kind = value.get("type") if isinstance(value, dict) else None
            if not isinstance(kind, str) or kind not in by_kind:
                _fail(where, "an object whose type is one of " + ", ".join(map(str, by_kind)), value)
            by_kind[kind](value, where)

        return dispatch


def _kind(schema: dict[str, Any]) -> str | None:
    """The constant that property `type` must have, where it must be there at all."""
    constant = schema.get("properties", {}).get("type", {}).get("const")
    must = schema.get("type") == "object" and "type" in schema.get("required", ())
    return constant if must and isinstance(constant, str) else None


def _matches(checks: list[Check], value: Any, where: str, at_most_one: bool) -> None:
    errors: list[Mismatch] = []
    for check in checks:
        try:
            check(value, where)
        except Mismatch as error:
            errors.append(error)
    fitting = len(checks) - len(errors)
    if fitting == 0:
        raise max(errors, key=lambda error: len(error.where))  # the branch that came furthest is the branch meant
    if at_most_one and fitting > 1:
        _fail(where, f"exactly one of {len(checks)} forms to fit", value)
