"""Parts of a check.toml: parameters, the common keys of cases and studies, older names; and a check.toml that is refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tenken.base.toml import LARGEST, UNITS, Table, expanded, split_range
from tenken.base.words import nearest
from tenken.model.check import CaseSpec, Check, Parameter, conflicts

RANK_WORDS = ("core", "numa", "socket")
THREAD_WORDS = ("fill",)


def read_case(
    name: str, table: Table, variants: tuple[str, ...], parameters: Mapping[str, Parameter],
    swept: Collection[str] = (),
) -> CaseSpec:
    """The case in `table`, of no suite. Variant, ranks and threads may be missing where they are `swept`."""
    values = table.raw("parameters", {})
    if not isinstance(values, dict):
        table.fail("parameters", f"expected a table, found {values!r}")
    known = known_parameters(parameters)
    for key, value in values.items():
        if key not in known:
            table.fail("parameters", f"'{key}' is unknown; {nearest(key, known)}")
        problem = misfit(known[key], value)
        if problem:
            table.fail("parameters", f"{key}: {problem}")
    values = values | _read_case_keys(table, values, known)
    missing = {key for key in ("variant", "ranks", "threads") if key in swept and key not in table}
    if "ranks_per_node" in swept:
        if "ranks" in table or "ranks" in swept:
            table.fail("ranks", "ranks_per_node is swept and sets the number; leave ranks out")
        missing |= {"ranks"}
    return CaseSpec(
        name=name,
        variant=variants[0] if "variant" in missing else table.word("variant", variants),
        parameters=values,
        ranks=1 if "ranks" in missing else _read_count_or(table, "ranks", RANK_WORDS),
        threads=1 if "threads" in missing else _read_count_or(table, "threads", THREAD_WORDS),
        launches=table.count("launches"),
        timeout_s=table.number("timeout_s", 1.0),
        suites=(),
        formerly_set=_read_formerly_set(table, known),
    )


def _read_formerly_set(table: Table, known: Mapping[str, Parameter]) -> dict[str, Any]:
    """Further parameters of older names: nothing that a case of this check can set."""
    formerly_set = table.raw("formerly_set", {})
    if not isinstance(formerly_set, dict) or (formerly_set and "formerly" not in table):
        table.fail("formerly_set", f"expected a table of parameters that the older names in formerly had, found {formerly_set!r}")
    for name in formerly_set:
        if name in known:
            table.fail("formerly_set", f"'{name}' is a parameter here; set it in parameters")
    return formerly_set


def _read_case_keys(table: Table, values: Mapping[str, Any], known: Mapping[str, Parameter]) -> dict[str, Any]:
    """Placement and its like: keys of a case, and parameters of its program."""
    of_case = {key: table.raw(key) for key in CASE_KEYS if key in table}
    for key, value in of_case.items():
        if key in values:
            table.fail(key, "is among the parameters too; leave it out there")
        if problem := misfit(known[key], value):
            table.fail(key, problem)
    return of_case


def known_parameters(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The check's own parameters and those of every check."""
    return {parameter.name: parameter for parameter in GENERIC} | dict(parameters)


def _read_count_or(table: Table, key: str, names: tuple[str, ...]) -> int | str:
    if isinstance(table.raw(key), str):
        return table.word(key, names)
    return table.count(key)


# A check whose `check.toml` is refused: its readable parts, so that it is missed where it would have run.

def broken_check(folder: Path, problem: str) -> Check:
    """The check in `folder` with its problem and, as far as they can be read, the names of its cases and their suites."""
    content = _content(folder)
    tables = content.get("case", {})
    cases = tuple(
        CaseSpec(name, "unknown", {}, 1, 1, 1, 1.0, _texts(table, "suites"), _texts(table, "formerly"))
        for name, table in (tables.items() if isinstance(tables, dict) else ())
    )
    return Check(
        name=folder.name, title="cannot be read", question="unknown", repetition="unknown", variants=("unknown",),
        faults=(), requires=(), parameters=(), sections=(), metrics=(), validity=(), cases=cases, folder=str(folder),
        formerly=_texts(content, "formerly"), problem=problem,
    )


def _content(folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((folder / "check.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def _texts(table: Any, key: str) -> tuple[str, ...]:
    """The texts of a list, as far as it is a list."""
    texts = table.get(key, []) if isinstance(table, dict) else []
    return tuple(text for text in texts if isinstance(text, str)) if isinstance(texts, list) else ()


# Reading `formerly` of a check.toml: the older names of a check and of its cases and studies.

_CHECK = re.compile(r"[a-z][a-z0-9_]*")
_CASE = re.compile(r"[a-z][a-z0-9_]*:[a-z][a-z0-9_]*")


def read_formerly(table: Table) -> tuple[str, ...]:
    """Of a case or study: its older names."""
    names = table.words("formerly", ())
    for name in names:
        if not _CASE.fullmatch(name):
            table.fail("formerly", f"expected older names as check:case, found '{name}'")
    return names


def read_check_formerly(root: Table, own: Iterable[str]) -> tuple[str, ...]:
    """Of a check: names of checks, and check:case of cases and studies that are among its `own` under the same name."""
    names, known = root.words("formerly", ()), list(own)
    for name in names:
        if not _CHECK.fullmatch(name) and not _CASE.fullmatch(name):
            root.fail("formerly", f"expected older names as check or check:case, found '{name}'")
        case = name.partition(":")[2]
        if case and case not in known:
            advice = "write formerly in the table of its present case"
            root.fail("formerly", f"'{name}': no case or study here is called {case}; {advice}")
    return names


def without_conflicts(checks: Mapping[str, Check]) -> dict[str, Check]:
    """`checks`, where each that takes a name which is not free has that as its problem."""
    problems = {name: problem for name, problem in conflicts(checks).items() if checks[name].problem is None}
    return {
        name: check if name not in problems
        else broken_check(Path(check.folder), f"{check.folder}/check.toml: formerly: {problems[name]}")
        for name, check in checks.items()
    }


# Parameters of a check: how `[parameter.NAME]` is read, and which values fit.

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
