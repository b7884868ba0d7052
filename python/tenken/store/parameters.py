"""Parameters of a check: how `[parameter.NAME]` is read, and which values fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tenken.base.expression import UNITS
from tenken.base.ranges import expanded, split_range
from tenken.base.toml import LARGEST, Table
from tenken.base.words import nearest
from tenken.model.check import Parameter

TYPES = ("int", "float", "choice", "ints", "size", "flag", "path")
# Defaults of types that need none.
_EMPTY = {"flag": False, "path": ""}
# Names that a case may compute with; resolved by the launcher, as units are.
_NAMES = r"L1|L2|L3|mem|cores|ranks|threads"
_UNITS = "|".join(UNITS)
_EXPRESSION = re.compile(rf"(?=.*({_NAMES}|{_UNITS}))(\d+(\.\d+)?\s*({_UNITS})?|{_NAMES}|[-+*/%() ])+")

PLACEMENTS = ("compact", "scatter", "one_socket", "skip_first", "none")
THREAD_LEVELS = ("single", "funneled", "serialized", "multiple")

# Parameters that every check program understands beside its own; None: the program's own default.
GENERIC = (
    Parameter("fault", "choice", None, "a known fault to inject", choices=("none", "crash", "hang", "delay")),
    Parameter("seconds", "float", None, "length of the timed part", low=0.0),
    Parameter("repetitions", "int", None, "timed repetitions; 0 = by seconds", low=0.0),
    Parameter("placement", "choice", None, "which cores the threads are bound to", choices=PLACEMENTS),
    Parameter("reserve", "int", None, "cores of each node left free", low=0.0, high=65536.0),
    Parameter("membind", "text", None, "memory that pages come from: local, a memory node, or main, fast, slow"),
    Parameter("rank_map", "path", None, "rank of each place: row, reversed, a box (4x2) or a file", choices=("row", "reversed")),
    Parameter("thread_level", "choice", None, "thread level that MPI must offer", choices=THREAD_LEVELS),
    Parameter("routes", "path", None, "measured table of routes by which packed messages go"),
    Parameter("counters", "choice", None, "counters of the processor around every sample", choices=("on", "off")),
)
# Those of them that are keys of a case: they set the place and conditions of the run, not the computation.
CASE_KEYS = ("placement", "reserve", "membind", "rank_map", "thread_level")


def read_parameter(name: str, table: Table) -> Parameter:
    """`[parameter.NAME]`, with its default inside its range."""
    kind = table.word("type", TYPES)
    low = high = None
    choices: tuple[str, ...] = ()
    if kind == "choice":
        choices = table.words("range")
        if not choices:
            table.fail("range", "a choice needs at least one value")
    elif kind not in ("flag", "path") and "range" in table:
        low, high = _read_bounds(table)
    length = table.count("length") if kind == "ints" and "length" in table else None
    default = table.raw("default", _EMPTY[kind]) if kind in _EMPTY else table.raw("default")
    parameter = Parameter(name, kind, default, table.text("meaning"), low, high, choices, length)
    problem = misfit(parameter, default)
    if problem:
        table.fail("default", problem)
    table.done()
    return replace(parameter, default=_written_out(table, default)) if kind == "ints" else parameter


def _written_out(table: Table, default: Any) -> list[Any]:
    """A default is of every machine: its ranges have plain numbers for ends."""
    try:
        return expanded(default if isinstance(default, list) else [default], int)
    except ValueError:
        table.fail("default", f"the ends of a range are whole numbers of at least 1 in a default, found {default!r}")


def misfit(parameter: Parameter, value: Any) -> str | None:
    """Why `value` does not fit `parameter`, as the end of a sentence; None where it does.

    Sizes, ints and entries of lists may be expressions such as "4*L3" or "25%mem"; those are resolved, and compared
    with the range, when the machine is known.
    """
    if parameter.type == "flag":
        return None if isinstance(value, bool) else f"expected true or false, found {value!r}"
    if parameter.type == "path":
        return None if isinstance(value, str) else f"expected a path, found {value!r}"
    if parameter.type == "text":
        fits = type(value) is int or (isinstance(value, str) and value)
        return None if fits else f"expected a word or a whole number, found {value!r}"
    if parameter.type == "choice":
        if value in parameter.choices:
            return None
        return f"'{value}' is unknown; {nearest(str(value), parameter.choices)}"
    if parameter.type != "ints":
        return _misfit_number(parameter, value)
    if split_range(value):
        value = [value]
    if not isinstance(value, (list, tuple)):
        return f"expected a list of whole numbers or a text \"A..B\" (doublings from A to B), found {value!r}"
    ranged, value = any(map(split_range, value)), with_ends(value)
    if parameter.length is not None and not ranged and len(value) != parameter.length:
        return f"expected {parameter.length} numbers, found {len(value)}"
    return next((problem for item in value if (problem := _misfit_number(parameter, item))), None)


def with_ends(values: Iterable[Any]) -> list[Any]:
    """`values` with both ends of each "A..B" in its place."""
    both_ends: list[Any] = []
    for value in values:
        ends = split_range(value)
        both_ends += [int(end) if end.isdigit() else end for end in ends] if ends else [value]
    return both_ends


def _misfit_number(parameter: Parameter, value: Any) -> str | None:
    if isinstance(value, str) and parameter.type != "float" and _EXPRESSION.fullmatch(value):
        return None
    types = (int, float) if parameter.type == "float" else (int,)
    if isinstance(value, bool) or not isinstance(value, types):
        whole = "a whole number or an expression such as 4*L3, 25%mem, 64MiB or threads/2"
        expected = "a number" if parameter.type == "float" else whole
        return f"expected {expected}, found {value!r}"
    if parameter.low is not None and value < parameter.low:
        return f"{value} is below {parameter.low:g}, the lowest of its range"
    if parameter.high is not None and value > parameter.high:
        return f"{value} is above {parameter.high:g}, the highest of its range"
    return None


def _read_bounds(table: Table) -> tuple[float, float]:
    bounds = table.raw("range")
    numbers = isinstance(bounds, list) and all(
        type(bound) in (int, float) and abs(bound) <= LARGEST for bound in bounds
    )
    if not numbers or len(bounds) != 2 or bounds[0] > bounds[1]:
        table.fail("range", f"expected [low, high], found {bounds!r}")
    return float(bounds[0]), float(bounds[1])
