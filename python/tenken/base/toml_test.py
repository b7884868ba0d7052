"""Every reader of a table: what it takes, and the sentence with which it refuses. Ranges and lists of numbers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tenken.base.errors import TenkenError
from tenken.base.toml import Table, doublings, expanded, read_toml, split_range


def table(text: str) -> Table:
    return Table(Path("a.toml"), "part", tomllib.loads(text))


@pytest.mark.parametrize(("reader", "words", "text", "value"), [
    ("printed", (), 'x = "8.10e-3"', "8.10e-3"), ("printed", (), "", None),
    ("word", (("a", "b"),), 'x = "b"', "b"), ("words", (), 'x = ["a", "b"]', ("a", "b")), ("words", ((),), "", ()),
    ("flag", (), "x = true", True), ("flag", (False,), "", False),
    ("number", (0.5,), "x = 0.5", 0.5), ("number", (0.5,), "x = 1", 1.0), ("optional_number", (0.5,), "", None),
    ("count", (), "x = 1", 1), ("count", (7,), "", 7), ("optional_count", (), "x = 1", 1), ("optional_count", (), "", None),
    ("pairs", (), "x = [[0, 3], [-1, 2]]", ((0, 3), (-1, 2))), ("pairs", (), "", ()), ("optional_text", (), "", None),
])
def test_a_good_value_is_taken(reader: str, words: tuple[Any, ...], text: str, value: Any) -> None:
    of = table(text)
    taken = getattr(of, reader)("x", *words)
    assert taken == value and type(taken) is type(value)
    of.done()  # every key was asked for


@pytest.mark.parametrize(("reader", "words", "text", "sentence"), [
    ("printed", (), "x = 8.1", "expected a number as printed, in quotes, found 8.1"),
    ("word", (("first", "second"),), 'x = "secnd"', "'secnd' is unknown; did you mean second?"),
    ("words", (), 'x = ["a", 1]', "expected a list of texts"), ("words", (), 'x = ["a", ""]', "expected a list of texts"),
    ("words", (), 'x = ["a", "a"]', "a name is there twice in ['a', 'a']"),
    ("flag", (), "x = 1", "expected true or false, found 1"),
    ("number", (0.5,), "x = 0.49", "expected a number of at least 0.5, found 0.49"),
    ("number", (0.0,), "x = true", "expected a number"), ("number", (0.0,), "x = inf", "expected a number"),
    ("optional_number", (0.0,), "x = nan", "expected a number"),
    ("count", (), "x = 0", "expected a whole number of at least 1, found 0"), ("count", (), "x = 1.0", "expected a whole number"),
    ("count", (), "x = true", "expected a whole number"), ("optional_count", (), "x = 0", "of at least 1, found 0"),
    ("pairs", (), "x = [[0, 1, 2]]", "expected a list of [first, last]"), ("pairs", (), "x = [[0, 1.0]]", "expected a list of"),
    ("pairs", (), "x = 3", "expected a list of"), ("tables", (), "x = 3", "expected tables [x.NAME], found 3"),
    ("tables", (), "x.a = 3", "expected a table [x.a], found 3"), ("table_list", (), "x = 3", "expected tables [[x]], found 3"),
    ("table_list", (), "x = [3]", "expected a table, found 3"), ("table", (), "x = 3", "expected a table [x], found 3"),
])
def test_a_bad_value_is_refused_with_file_place_and_expectation(
    reader: str, words: tuple[Any, ...], text: str, sentence: str
) -> None:
    with pytest.raises(TenkenError) as refused:
        getattr(table(text), reader)("x", *words)
    assert str(refused.value).startswith("a.toml: [part] x") and sentence in str(refused.value)


def test_an_unknown_key_is_refused_with_the_nearest_name() -> None:
    of = table("size = 1\nsiez = 2")
    of.count("size")
    with pytest.raises(TenkenError, match="siez: is unknown; did you mean size"):
        of.done()


def test_tables_have_their_places_as_names() -> None:
    of = table('[x.a]\n[x."b c"]\n[[y]]\n[[y]]\n[z]\n')
    assert [each.name for each in of.tables("x").values()] == ["x.a", 'x."b c"']
    assert [each.name for each in of.table_list("y")] == ["part.y 1", "part.y 2"]
    z = of.table("z")
    assert z is not None and z.name == "part.z" and of.table("w") is None


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    for content, sentence in ((b"x = \xff", "byte 4 is not UTF-8"), (b"x = ", "not TOML"), (b"x = " + b"[" * 9999, "not TOML")):
        (tmp_path / "a.toml").write_bytes(content)
        with pytest.raises(TenkenError, match=sentence):
            read_toml(tmp_path / "a.toml")
    with pytest.raises(TenkenError, match="cannot read .*: No such file"):
        read_toml(tmp_path / "missing.toml")


def test_a_range_is_two_ends() -> None:
    assert split_range(" 4KiB .. 4*L3 ") == ("4KiB", "4*L3")
    assert [split_range(one) for one in ("1...8", "..8", "1..", "8", 8, None)] == [None] * 6


@pytest.mark.parametrize(("low", "high", "values"), [
    (1, 8, [1, 2, 4, 8]), (1, 6, [1, 2, 4, 6]), (3, 3, [3]), (3, 20, [3, 6, 12, 20]), (4, 3, []), (1, 1, [1]),
])
def test_doublings_end_with_the_end(low: int, high: int, values: list[int]) -> None:
    assert doublings(low, high) == values


def test_lists_hold_ranges_beside_numbers() -> None:
    assert expanded([7, "1..4", "x"], int) == [7, 1, 2, 4, "x"]
    with pytest.raises(ValueError, match="starts at 0; doublings start at 1 or more"):
        expanded(["0..4"], int)
