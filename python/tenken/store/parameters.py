"""Parameters of a check: how `[parameter.NAME]` is read, and which values fit."""

from __future__ import annotations

import re
from typing import Any

from tenken.model.check import Parameter
from tenken.store.names import nearest
from tenken.store.toml_table import Table

TYPES = ("int", "float", "choice", "ints", "size", "flag")
_EXPRESSION = re.compile(r"(?=.*(L1|L2|L3|mem))([\d.]+|[-+*/%() ]|L1|L2|L3|mem)+")


def read_parameter(name: str, table: Table) -> Parameter:
    """`[parameter.NAME]`, with its default inside its range."""
    kind = table.word("type", TYPES)
    low = high = None
    choices: tuple[str, ...] = ()
    if kind == "choice":
        choices = table.words("range")
        if not choices:
            table.fail("range", "a choice needs at least one value")
    elif kind != "flag" and "range" in table:
        low, high = _read_bounds(table)
    length = table.count("length") if kind == "ints" and "length" in table else None
    default = table.raw("default", False) if kind == "flag" else table.raw("default")
    parameter = Parameter(name, kind, default, table.text("meaning"), low, high, choices, length)
    problem = misfit(parameter, default)
    if problem:
        table.fail("default", problem)
    table.done()
    return parameter


def misfit(parameter: Parameter, value: Any) -> str | None:
    """Why `value` does not fit `parameter`, as the end of a sentence; None where it does.

    Sizes, ints and entries of lists may be expressions such as "4*L3" or "25%mem"; those are resolved, and held
    against the range, when the machine is known.
    """
    if parameter.type == "flag":
        return None if isinstance(value, bool) else f"expected true or false, found {value!r}"
    if parameter.type == "choice":
        if value in parameter.choices:
            return None
        return f"'{value}' is unknown; {nearest(str(value), parameter.choices)}"
    if parameter.type != "ints":
        return _misfit_number(parameter, value)
    if not isinstance(value, (list, tuple)):
        return f"expected a list of whole numbers, found {value!r}"
    if parameter.length is not None and len(value) != parameter.length:
        return f"expected {parameter.length} numbers, found {len(value)}"
    return next((problem for item in value if (problem := _misfit_number(parameter, item))), None)


def _misfit_number(parameter: Parameter, value: Any) -> str | None:
    if isinstance(value, str) and parameter.type != "float" and _EXPRESSION.fullmatch(value):
        return None
    types = (int, float) if parameter.type == "float" else (int,)
    if isinstance(value, bool) or not isinstance(value, types):
        expected = "a number" if parameter.type == "float" else "a whole number or an expression of L1 L2 L3 mem"
        return f"expected {expected}, found {value!r}"
    if parameter.low is not None and value < parameter.low or parameter.high is not None and value > parameter.high:
        return f"{value} is outside the range {parameter.low:g} to {parameter.high:g}"
    return None


def _read_bounds(table: Table) -> tuple[float, float]:
    bounds = table.raw("range")
    numbers = isinstance(bounds, list) and all(type(bound) in (int, float) for bound in bounds)
    if not numbers or len(bounds) != 2 or bounds[0] > bounds[1]:
        table.fail("range", f"expected [low, high], found {bounds!r}")
    return float(bounds[0]), float(bounds[1])
