from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from tenken.base.errors import RecordError
from tenken.store.schema import SCHEMAS, compile_schema, load_schema, validate

jsonschema = pytest.importorskip("jsonschema")

RECORD = json.loads((SCHEMAS / "record.schema.json").read_text())
WORK = {"flop": 10, "bytes_read": 0, "bytes_written": 0, "messages": 0}
LINES: list[dict[str, Any]] = [
    {
        "type": "header", "schema": "tenken.record/1", "check": "c", "variant": "v", "parameters": {"n": 1},
        "environment": {"name": "e", "compiler": "g", "mpi": "m", "flags": "", "isa": "avx2", "sections": True,
                        "libraries": {"blas": "openblas"}},
        "ranks": 1, "threads": 1, "clock": {"source": "tsc", "ns_per_tick": 0.5, "drift": "nan"},
        "timer_overhead_ns": 20.5, "fault": None, "started": "2026-11-21T00:00:00Z",
        "sections": [{"id": 0, "path": "a", "kind": "compute", "leaf": True, "of": "a", "at": 3}],
    },
    {"type": "rank", "rank": 0, "host": "h", "cpus": [0], "numa": [0],
     "threads": [{"thread": 0, "cpu_begin": 0, "cpu_end": 0}],
     "trust": {"wall_ns": 10, "cpu_ns": None, "frequency_hz": [1e9, "inf"]}},
    {"type": "series", "rank": 0, "section": 0, "repetition": [-1, 0], "calls": [1, 1], "ns": [5, 6], "work": WORK},
    {"type": "series", "rank": 0, "section": 0, "repetition": [0], "calls": [1], "ns": [5], "work": [WORK]},
    {"type": "value", "name": "x", "unit": "s", "value": "nan"},
    {"type": "validity", "name": "x", "value": 1, "expected": 1.0, "limit": 0, "mode": "abs", "source": "s"},
    {"type": "end", "lines": 7},
]  # fmt: skip

# The same strictness as ours: an integer is written as one.
STRICT = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)(RECORD)

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.floats(-5, 5), st.sampled_from(["", "nan", "header", "tsc", "io"])
)
junk = st.one_of(
    scalars, st.lists(scalars, max_size=2), st.dictionaries(st.sampled_from(["flop", "x"]), scalars, max_size=2)
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a JSON value."""
    found: list[tuple[Any, Any]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found.append((value, key))
        found += places(item)
    return found


def accepts(value: Any) -> bool:
    try:
        validate(value, RECORD, "line")
    except RecordError:
        return False
    return True


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["type"])
def test_right_lines_pass(line: dict[str, Any]) -> None:
    validate(line, RECORD, "line")


@settings(max_examples=400)
@given(st.data())
def test_every_mutation_is_judged_as_the_reference_validator_does(data: st.DataObject) -> None:
    line = copy.deepcopy(data.draw(st.sampled_from(LINES)))
    for _ in range(data.draw(st.integers(1, 2))):
        container, key = data.draw(st.sampled_from(places(line)))
        action = data.draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if action == "replace":
            container[key] = data.draw(junk)
        elif action == "remove":
            del container[key]
        elif isinstance(container, dict):
            container["extra"] = data.draw(junk)
        else:
            container.append(data.draw(junk))
        if not places(line):
            break
    assert accepts(line) == STRICT.is_valid(line)


def test_each_required_key_is_required() -> None:
    for line in LINES:
        for definition in [RECORD["$defs"][line["type"]]]:
            for key in definition["required"]:
                broken = {name: value for name, value in line.items() if name != key}
                assert not accepts(broken), (line["type"], key)


@pytest.mark.parametrize(
    ("schema", "good", "bad", "says"),
    [
        ({"type": ["string", "null"]}, None, 3, "w: expected a string or null, found 3"),
        ({"type": "integer", "minimum": 1}, 1, 0, "w: expected at least 1, found 0"),
        ({"type": "integer"}, 1, True, "w: expected an integer, found true"),
        ({"type": "integer"}, 1, 1.0, "w: expected an integer, found 1.0"),
        ({"type": "number"}, 1.5, float("inf"), "w: expected a finite number, found Infinity"),
        ({"type": "string", "minLength": 2}, "ab", "a", "w: expected a string of at least 2 characters"),
        ({"pattern": "^a+$"}, "aa", "ab", "w: expected a string like ^a+$"),
        ({"enum": [1, "x"]}, "x", True, 'w: expected one of 1, "x", found true'),
        ({"const": 1}, 1, 1.0, "w: expected 1, found 1.0"),
        ({"additionalProperties": False, "properties": {"a": {}}}, {"a": 1}, {"b": 1}, "w: 'b' is unknown"),
        ({"additionalProperties": {"type": "null"}}, {"a": None}, {"a": 1}, "w: a: expected null, found 1"),
        ({"items": {"type": "integer", "minimum": 0}}, [0, 1], [0, -1], r"w[1]: expected at least 0, found -1"),
        ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, "x", 5, "w: expected exactly one of 2 forms to fit"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 5, "x", "w: expected"),
        ({"$defs": {"l": {"items": {"$ref": "#/$defs/l"}, "type": "array"}}, "$ref": "#/$defs/l"}, [[[]]], [[[1]]],
         "w[0][0][0]: expected an array"),
    ],
)  # fmt: skip
def test_keywords(schema: dict[str, Any], good: Any, bad: Any, says: str) -> None:
    validate(good, schema, "w")
    with pytest.raises(RecordError) as error:
        validate(bad, schema, "w")
    assert says in str(error.value)


def test_a_schema_beyond_the_supported_part_is_refused() -> None:
    with pytest.raises(ValueError, match="maximum"):
        compile_schema({"maximum": 3})
    with pytest.raises(ValueError, match="nowhere"):
        compile_schema({"$ref": "#/$defs/none"})


def test_every_schema_of_the_tree_is_supported() -> None:
    names = [path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json")]
    assert "record" in names
    for name in names:
        load_schema(name)
        jsonschema.Draft202012Validator.check_schema(json.loads((SCHEMAS / f"{name}.schema.json").read_text()))


def test_the_work_branch_that_came_furthest_is_named() -> None:
    line = copy.deepcopy(LINES[3])
    line["work"][0]["flop"] = -1
    with pytest.raises(RecordError, match=r"line: work\[0\]: flop: expected at least 0, found -1"):
        validate(line, RECORD, "line")


def test_an_integer_that_no_float_holds_does_not_stop_the_check_of_its_array() -> None:
    check = compile_schema({"type": "array", "items": {"type": "number"}})
    check([1.5, 10**400], "figures")
    with pytest.raises(Exception, match=r"figures\[2\]"):
        check([1.5, 10**400, "x"], "figures")
