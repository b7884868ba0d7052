from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

import builders
from tenken.base.errors import RecordError
from tenken.model.record import Card, CountedSection, Counters, PagesOfNode, Placement, Table, TableSummary, Work, WorstCell
from tenken.store import record as store_record
from tenken.store.record import UPGRADES, read_record, upgrade

GOOD = builders.record(
    builders.Timed("solve", builders.quiet(3e6, 2, 4), leaf=False),
    builders.fma(40e9, 2, "solve/double"),
    builders.Timed("setup", builders.quiet(5e6, 2, 1), once=True),
    values={"residual": ("1", 1e-9)},
)
LINES = builders.record_lines(GOOD)
HEADER, RANK, SERIES = 0, 1, 3
Lines = list[dict[str, Any]]


def test_a_whole_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = builders.write_record(tmp_path / "record.jsonl", GOOD)
    assert read_record(path) == replace(GOOD, path=str(path))


def test_work_may_be_one_object_for_all_repetitions(tmp_path: Path) -> None:
    lines = copy.deepcopy(LINES)
    lines[SERIES]["work"] = {"flop": 7, "bytes_read": 0, "bytes_written": 0, "messages": 0}
    series = read_record(builders.write_lines(tmp_path / "r", lines)).series[0]
    assert series.work == (Work(flop=7),) * 4


def test_words_for_non_finite_numbers_become_floats(tmp_path: Path) -> None:
    lines = copy.deepcopy(LINES)
    lines[-2]["value"] = "nan"
    lines[-2]["limit"] = "inf"
    lines[-3]["value"] = "-inf"
    lines[RANK]["trust"]["frequency_hz"] = ["nan", 1e9]
    read = read_record(builders.write_lines(tmp_path / "r", lines))
    assert math.isnan(read.validity[0].value) and read.validity[0].limit == math.inf
    assert read.values[0].value == -math.inf
    assert math.isnan(read.rank[0].trust.frequency_hz[0])


def test_a_record_with_tables_and_places_is_read_as_it_was_written(tmp_path: Path) -> None:
    whole = Table("pairs", "us", "lower", ("a", "b"), ("x", "y"), ((1.5, None), (math.inf, 0.0)))
    worst = (WorstCell(1, 0, 9.0), WorstCell(0, 2, 8.5))
    short = Table("many", "GB/s", "higher", ("a", "b"), ("x", "y", "z"), None, TableSummary(6, 1, 1.0, 2.0, 9.0, worst))
    rank = replace(GOOD.rank[0], place=1, bound=True, pages=(PagesOfNode(0, 900), PagesOfNode(2, 100)),
                   card=Card("GPU-1", "NVIDIA X", 2, 1))
    record = replace(
        GOOD, tables=(whole, short), rank=(rank, *GOOD.rank[1:]), thread_level="funneled",
        placement=Placement("scatter", 1, "fast", "reversed"),
    )
    path = builders.write_record(tmp_path / "record.jsonl", record)
    assert read_record(path) == replace(record, path=str(path))


COUNTED = CountedSection(0, 9, 1, 900, 880, 10**9, 10**8, 5, None, 9, 1.5e6, 2.5e5, 7, 8, 9)


@pytest.mark.parametrize("counters", [
    Counters("not permitted: /proc/sys/kernel/perf_event_paranoid says 4"),
    Counters(None, "not named: x", 128, 2, 0, (COUNTED, replace(COUNTED, section=1, memory_read=None))),
])
def test_counters_are_read_as_they_were_written(tmp_path: Path, counters: Counters) -> None:
    record = replace(GOOD, counters=counters)
    path = builders.write_record(tmp_path / "record.jsonl", record)
    assert read_record(path) == replace(record, path=str(path))


@pytest.mark.parametrize(
    ("counters", "problem"),
    [
        (Counters(None, sections=(COUNTED, COUNTED)), "counters: section 0 is there twice"),
        (Counters(None, sections=(replace(COUNTED, section=99),)), "counters: unknown section 99"),
        (Counters(None, sections=(replace(COUNTED, cycles=-1),)), "cycles"),
        (Counters(None, sections=(replace(COUNTED, memory_written=math.nan),)), "memory_written"),
    ],
)
def test_counters_that_cannot_be_are_refused(tmp_path: Path, counters: Counters, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        read_record(builders.write_record(tmp_path / "record.jsonl", replace(GOOD, counters=counters)))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"values": [[1.0, 2.0]]}, "table pairs: expected 2 rows of 2 cells (null where one is missing)"),
        ({"values": [[1.0, 2.0], [1.0]]}, "expected 2 rows of 2 cells"),
        ({"values": [[1.0, "much"], [1.0, 2.0]]}, "values"),
        ({"values": None}, "neither values nor summary"),
        ({"better": "more"}, "better: expected one of"),
        ({"values": None, "summary": {"cells": 4, "missing": 0, "least": 1, "median": 1, "greatest": 1,
                                      "worst": [{"row": 2, "column": 0, "value": 1}]}}, "a cell outside its 2 x 2"),
        ({"rows": ["r"] * 800, "columns": ["c"] * 800, "values": [[1] * 800] * 800}, "640000 cells are more than"),
    ],
)  # fmt: skip
def test_a_table_that_is_none_is_refused(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    table = {"type": "table", "name": "pairs", "unit": "us", "better": "lower", "rows": ["a", "b"], "columns": ["x", "y"],
             "values": [[1.0, None], [2.0, 3.0]]} | changes  # fmt: skip
    lines = [*copy.deepcopy(LINES[:-1]), table, {"type": "end", "lines": len(LINES) + 1}]
    with pytest.raises(RecordError, match=re.escape(problem)):
        read_record(builders.write_lines(tmp_path / "r", lines))


def change(place: int, key: str, value: Any) -> Callable[[Lines], None]:
    return lambda lines: lines[place].__setitem__(key, value)


def swap(one: int, other: int) -> Callable[[Lines], None]:
    def do(lines: Lines) -> None:
        lines[one], lines[other] = lines[other], lines[one]

    return do


def drop(place: int) -> Callable[[Lines], None]:
    """Leave one line out, with the count mended, so that only the missing line is wrong."""

    def do(lines: Lines) -> None:
        del lines[place]
        lines[-1]["lines"] -= 1

    return do


def double(place: int) -> Callable[[Lines], None]:
    def do(lines: Lines) -> None:
        lines.insert(place, copy.deepcopy(lines[place]))
        lines[-1]["lines"] += 1

    return do


def nested(place: int, key: str, inner: str, value: Any) -> Callable[[Lines], None]:
    return lambda lines: lines[place][key].__setitem__(inner, value)


def section(index: int, key: str, value: Any) -> Callable[[Lines], None]:
    return lambda lines: lines[HEADER]["sections"][index].__setitem__(key, value)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda lines: lines.pop(), ":11: the last line is not 'end': the record is cut off; repeat this launch"),
        (change(-1, "lines", 99), ":12: 'end' counts 99 lines, found 12"),
        (change(HEADER, "schema", "other/1"), ":1: expected a header of schema tenken.record/N"),
        (change(HEADER, "schema", "tenken.record/3"), "newer than this Tenken (reads up to /2); update it"),
        (change(HEADER, "schema", "tenken.record/0"), "tenken.record/0 is unknown"),
        (change(HEADER, "ranks", 3), ":1: the line of rank 2 of 3 is missing"),
        (change(HEADER, "ranks", 1), ":1: rank 1 of 1 is unknown"),
        (change(HEADER, "ranks", 10**9), ":1: 1000000000 ranks are absurd"),
        (section(1, "id", 0), ":1: section id 0 is there twice"),
        (section(1, "path", "solve"), ":1: section path solve is there twice"),
        (section(1, "kind", "sleep"), ':1: sections[1]: kind: expected one of "compute"'),
        (nested(HEADER, "clock", "ns_per_tick", -1.0), ":1: negative clock figures"),
        (nested(HEADER, "clock", "ns_per_tick", 0.0), ":1: negative clock figures"),
        (change(HEADER, "timer_overhead_ns", -1.0), ":1: negative clock figures"),
        (drop(RANK), ":1: the line of rank 0 of 2 is missing"),
        (double(RANK), ":1: rank 0 is there twice"),
        (swap(SERIES, -2), "line is out of order"),
        (nested(RANK, "trust", "steal_ns", -5), ":2: trust counter -5 is negative or absurd"),
        (nested(RANK, "trust", "frequency_hz", [-1e9]), ":2: trust counter -1000000000.0 is negative"),
        (double(SERIES), ":5: second series of rank 0, section 0"),
        (change(SERIES, "rank", 2), ":4: series of unknown rank 2"),
        (change(SERIES, "section", 9), ":4: series of unknown section 9"),
        (change(SERIES, "ns", [1, 2, 3]), ":4: 3 ns for 4 repetitions"),
        (change(SERIES, "calls", [1]), ":4: 1 calls for 4 repetitions"),
        (change(SERIES, "work", []), ":4: 0 work for 4 repetitions"),
        (change(SERIES, "ns", [1, 2, 3, -4]), ":4: ns[3]: expected at least 0, found -4"),
        (change(SERIES, "ns", [1, 2, 3, 10**18]), ":4: absurd times"),
        (change(SERIES, "calls", [1, 1, 1, 2**63]), ":4: absurd times, calls or work"),
        (change(SERIES, "repetition", [0, 1, 1, 2]), ":4: repetitions are not in rising order"),
        (change(SERIES, "repetition", [-2, 0, 1, 2]), ":4: repetition[0]: expected at least -1, found -2"),
        (change(-2, "mode", "near"), ":11: mode: expected one of"),
        (double(-2), "validity answer is there twice"),
        (double(-3), "value residual is there twice"),
        (double(HEADER), ":2: a 'header' line is out of order"),
        (lambda lines: (double(-1)(lines), lines[-2].update(lines=13)), ":13: a 'end' line is out of order"),
    ],
)
def test_damage_is_refused_with_file_line_and_reason(tmp_path: Path, damage: Callable[[Lines], Any], says: str) -> None:
    lines = copy.deepcopy(LINES)
    damage(lines)
    path = builders.write_lines(tmp_path / "record.jsonl", lines)
    with pytest.raises(RecordError) as error:
        read_record(path)
    assert str(error.value).startswith(str(path)) and says in str(error.value)


def test_work_beyond_what_the_writer_can_count_is_absurd(tmp_path: Path) -> None:
    lines = copy.deepcopy(LINES)
    lines[SERIES]["work"][0]["flop"] = 2**63
    with pytest.raises(RecordError, match="absurd"):
        read_record(builders.write_lines(tmp_path / "r", lines))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", ": empty; the launch ended before it wrote its record"),
        (b"\xff\xfe\n", ":1: not UTF-8"),
        (b"hello\n", ":1: not JSON (Expecting value at character 1)"),
        (b"[1]\n", ":1: expected one JSON object a line"),
        (b'{"type": NaN}\n', ":1: not JSON that can be believed (NaN is not a JSON number)"),
        (b"[" * 100_000 + b"\n", ":1: not JSON"),
        (b'{"type": "end", "lines": 1}\n', ":1: expected a header"),
        (b'{"a": ' + b"9" * 5000 + b"}\n", ":1: not JSON"),
    ],
)
def test_files_that_are_no_record_are_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError) as error:
        read_record(path)
    assert says in str(error.value)


def test_a_missing_file_and_one_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RecordError, match="cannot read .*No such file"):
        read_record(tmp_path / "none.jsonl")
    path = builders.write_record(tmp_path / "record.jsonl", GOOD)
    monkeypatch.setattr(store_record, "MAX_LINE", 100)
    with pytest.raises(RecordError, match=r":1: a line of [0-9,]+ bytes, expected at most 100; "):
        read_record(path)
    monkeypatch.setattr(store_record, "MAX_BYTES", 100)
    with pytest.raises(RecordError, match="larger than"):
        read_record(path)


@settings(max_examples=150, suppress_health_check=[*HealthCheck.all()])
@given(st.data())
def test_any_cut_or_flipped_byte_is_read_or_refused_but_never_crashes(tmp_path: Path, data: st.DataObject) -> None:
    whole = b"".join(json.dumps(line).encode() + b"\n" for line in LINES)
    if data.draw(st.booleans()):
        cut = data.draw(st.integers(0, len(whole) - 2))
        content = whole[:cut]
    else:
        place = data.draw(st.integers(0, len(whole) - 1))
        content = whole[:place] + bytes([data.draw(st.integers(0, 255))]) + whole[place + 1 :]
        cut = None
    path = tmp_path / "record.jsonl"
    path.write_bytes(content)
    try:
        read_record(path)
    except RecordError as error:
        assert str(path) in str(error)
    else:
        assert cut is None


def test_older_schemas_are_upgraded_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up schema 0 called the section list `regions`."""

    def from_zero(lines: Lines) -> Lines:
        header = {("sections" if key == "regions" else key): value for key, value in lines[0].items()}
        return [{**header, "schema": "tenken.record/1"}, *lines[1:]]

    old = copy.deepcopy(LINES)
    old[0]["regions"] = old[0].pop("sections")
    old[0]["schema"] = "tenken.record/0"
    path = builders.write_lines(tmp_path / "record.jsonl", old)
    with pytest.raises(RecordError, match="tenken.record/0 is unknown"):
        read_record(path)
    monkeypatch.setitem(store_record.upgrade.__globals__["UPGRADES"], 0, from_zero)
    assert read_record(path) == replace(GOOD, path=str(path))
    assert upgrade(old, 0, "w", {**UPGRADES, 0: from_zero})[0]["schema"] == "tenken.record/2"


def test_ten_thousand_lines_are_validated_without_trying_every_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: a series line is held against its own branch only."""
    from tenken.store import schema

    calls = 0
    inner = schema._matches

    def counting(*arguments: Any, **named: Any) -> None:
        nonlocal calls
        calls += 1
        inner(*arguments, **named)

    monkeypatch.setattr(schema, "_matches", counting)
    check = schema.compile_schema(json.loads((schema.SCHEMAS / "record.schema.json").read_text()))
    for _ in range(100):
        check(LINES[SERIES], "line")
    assert calls == 100  # one for the two forms of `work`, none for the kind of line
