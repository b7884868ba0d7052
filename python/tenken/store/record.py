"""Reading `record.jsonl`, strictly: a record that cannot be believed is refused with file, line and reason."""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf, isfinite
from pathlib import Path
from typing import Any

from tenken.base.regular import read_regular
from tenken.model.errors import RecordError
from tenken.model.record import (
    Clock, Environment, Placement, Rank, Record, Section, Series, Table, Validity, Value, Work,
)
from tenken.store.files import parse_json
from tenken.store.plain import from_plain
from tenken.store.schema import load_schema
from tenken.store.upgrade import Lines, upgrade

MAX_BYTES = 1 << 30  # of a file: more is not the record of any launch planned here
MAX_COUNT = 2**63 - 1  # the writer counts in 64-bit integers
MAX_NS = 366 * 86400 * 10**9  # no launch lasts a year
MAX_RANKS = 10_000_000
MAX_CELLS = 1 << 19  # of a table: its line has at most 1 MiB, a cell at least two bytes
# A writer holds one rank at a time: its line, then its series.
_ORDER = {"header": 0, "rank": 1, "series": 1, "value": 2, "validity": 2, "table": 2, "end": 3}
_ADVICE = "the record cannot be believed: repeat this launch"


def read_record(path: Path) -> Record:
    """The record in `path`; RecordError (file:line: what is wrong; what to do) where anything in it is wrong."""
    lines = _read_lines(path)
    header = lines[0]
    number = re.fullmatch(r"tenken\.record/(\d{1,6})", str(header.get("schema")))
    if header.get("type") != "header" or number is None:
        raise RecordError(f"{path}:1: expected a header of schema tenken.record/N; this is not a record of Tenken")
    lines = upgrade(lines, int(number[1]), f"{path}:1")
    _check_lines(lines, path)
    by_kind: dict[str, Lines] = {kind: [] for kind in _ORDER}
    for index, line in enumerate(lines):
        by_kind[line["type"]].append({**line, "_where": f"{path}:{index + 1}"})
    return _build(by_kind, path)


def _read_lines(path: Path) -> Lines:
    """Every line as a JSON object; whole up to `end`."""
    try:
        raw = read_regular(path, MAX_BYTES).split(b"\n")
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    if raw[-1] == b"":
        raw.pop()
    if not raw:
        raise RecordError(f"{path}: empty; the launch ended before it wrote its record: repeat it")
    lines: Lines = []
    for number, text in enumerate(raw, start=1):
        where = f"{path}:{number}"
        try:
            line = parse_json(text.decode("utf-8"), where)
        except UnicodeDecodeError as error:
            raise RecordError(f"{where}: not UTF-8; {_ADVICE}") from error
        if not isinstance(line, dict):
            raise RecordError(f"{where}: expected one JSON object a line; {_ADVICE}")
        lines.append(line)
    end = lines[-1]
    if end.get("type") != "end":
        raise RecordError(f"{path}:{len(lines)}: the last line is not 'end': the record is cut off; repeat this launch")
    if end.get("lines") != len(lines):
        raise RecordError(f"{path}:{len(lines)}: 'end' counts {end.get('lines')} lines, found {len(lines)}; {_ADVICE}")
    return lines


def _check_lines(lines: Lines, path: Path) -> None:
    """Each line against the schema, and the order of the lines."""
    check = load_schema("record")
    last = -1
    for index, line in enumerate(lines):
        where = f"{path}:{index + 1}"
        try:
            check(line, where)
        except RecordError as error:
            raise RecordError(f"{error}; {_ADVICE}") from error
        place = _ORDER[line["type"]]
        if place < last or (place == last and line["type"] in ("header", "end")):
            raise RecordError(f"{where}: a '{line['type']}' line is out of order; {_ADVICE}")
        last = place


def _build(lines: dict[str, Lines], path: Path) -> Record:
    header = lines["header"][0]
    where = header["_where"]
    sections = tuple(from_plain(Section, section, f"{where}: sections") for section in header["sections"])
    _unique([section.id for section in sections], f"{where}: section id")
    _unique([section.path for section in sections], f"{where}: section path")
    ranks = tuple(_read_rank(line) for line in lines["rank"])
    _check_ranks(header["ranks"], ranks, where)
    ids = {section.id for section in sections}
    record = Record(
        path=str(path),
        check=header["check"],
        variant=header["variant"],
        parameters=header["parameters"],
        environment=from_plain(Environment, header["environment"], f"{where}: environment"),
        ranks=header["ranks"],
        threads=header["threads"],
        clock=from_plain(Clock, header["clock"], f"{where}: clock"),
        timer_overhead_ns=from_plain(float, header["timer_overhead_ns"], f"{where}: timer_overhead_ns"),
        sections=sections,
        fault=header["fault"],
        started=header["started"],
        rank=ranks,
        series=_read_all_series(lines["series"], len(ranks), ids),
        values=tuple(from_plain(Value, line, line["_where"]) for line in lines["value"]),
        validity=tuple(from_plain(Validity, line, line["_where"]) for line in lines["validity"]),
        tables=tuple(_read_table(line) for line in lines["table"]),
        placement=from_plain(Placement, header["placement"], f"{where}: placement") if "placement" in header else None,
        thread_level=header.get("thread_level"),
        launch=header.get("launch", ""),
    )
    clock = record.clock.ns_per_tick, record.clock.drift, record.timer_overhead_ns
    if not all(map(isfinite, clock)) or clock[0] <= 0 or clock[2] < 0:
        raise RecordError(f"{where}: negative clock figures, or such that are not finite; {_ADVICE}")
    _unique([value.name for value in record.values], f"{path}: value")
    _unique([table.name for table in record.tables], f"{path}: table")
    _unique([proof.name for proof in record.validity], f"{path}: validity")
    return record


def _check_ranks(count: int, ranks: tuple[Rank, ...], where: str) -> None:
    if count > MAX_RANKS:
        raise RecordError(f"{where}: {count} ranks are absurd; {_ADVICE}")
    _unique([rank.rank for rank in ranks], f"{where}: rank")
    missing = set(range(count)) - {rank.rank for rank in ranks}
    if missing:
        raise RecordError(f"{where}: the line of rank {min(missing)} of {count} is missing; {_ADVICE}")
    if len(ranks) > count:
        raise RecordError(f"{where}: rank {max(rank.rank for rank in ranks)} of {count} is unknown; {_ADVICE}")


def _read_rank(line: dict[str, Any]) -> Rank:
    rank = from_plain(Rank, line, line["_where"])
    trust = rank.trust
    counters = (trust.wall_ns, trust.cpu_ns, trust.run_queue_wait_ns, trust.steal_ns, trust.throttled_ns,
                trust.migrations, trust.involuntary_switches, trust.major_faults)  # fmt: skip
    for counter in (*counters, *trust.frequency_hz, *trust.vector_frequency_hz):
        if counter is not None and (counter < 0 or MAX_COUNT < counter < inf):
            raise RecordError(f"{line['_where']}: trust counter {counter} is negative or absurd; {_ADVICE}")
    return rank


def _read_table(line: dict[str, Any]) -> Table:
    table = from_plain(Table, line, line["_where"])
    where, rows, columns = f"{line['_where']}: table {table.name}", len(table.rows), len(table.columns)
    if table.values is None:
        if table.summary is None:
            raise RecordError(f"{where}: neither values nor summary; {_ADVICE}")
        if any(cell.row >= rows or cell.column >= columns for cell in table.summary.worst):
            raise RecordError(f"{where}: a cell outside its {rows} x {columns}; {_ADVICE}")
    elif len(table.values) != rows or any(len(row) != columns for row in table.values):
        raise RecordError(f"{where}: expected {rows} rows of {columns} cells (null where one is missing); {_ADVICE}")
    elif rows * columns > MAX_CELLS:
        raise RecordError(f"{where}: {rows * columns} cells are more than the {MAX_CELLS} that a record may hold; {_ADVICE}")
    return table


def _read_all_series(lines: Lines, ranks: int, sections: set[int]) -> tuple[Series, ...]:
    seen: set[tuple[int, int]] = set()
    series = []
    for line in lines:
        one = _read_series(line)
        if one.rank >= ranks:
            raise RecordError(f"{line['_where']}: series of unknown rank {one.rank}; {_ADVICE}")
        if one.section not in sections:
            raise RecordError(f"{line['_where']}: series of unknown section {one.section}; {_ADVICE}")
        if (one.rank, one.section) in seen:
            raise RecordError(f"{line['_where']}: second series of rank {one.rank}, section {one.section}; {_ADVICE}")
        seen.add((one.rank, one.section))
        series.append(one)
    return tuple(series)


def _read_series(line: dict[str, Any]) -> Series:
    where = line["_where"]
    count = len(line["repetition"])
    work = line["work"]
    for name, array in (("calls", line["calls"]), ("ns", line["ns"]), ("work", work)):
        if isinstance(array, list) and len(array) != count:
            raise RecordError(f"{where}: {len(array)} {name} for {count} repetitions; {_ADVICE}")
    if any(later <= earlier for earlier, later in zip(line["repetition"], line["repetition"][1:], strict=False)):
        raise RecordError(f"{where}: repetitions are not in rising order; {_ADVICE}")
    works = work if isinstance(work, list) else [work]
    stated = tuple(_work(one["flop"], one["bytes_read"], one["bytes_written"], one["messages"]) for one in works)
    largest = max((max(one.flop, one.bytes_read, one.bytes_written, one.messages) for one in set(stated)), default=0)
    if max(line["ns"], default=0) > MAX_NS or max(line["calls"], default=0) > MAX_COUNT or largest > MAX_COUNT:
        raise RecordError(f"{where}: absurd times, calls or work; {_ADVICE}")
    return Series(
        rank=line["rank"],
        section=line["section"],
        repetition=tuple(line["repetition"]),
        calls=tuple(line["calls"]),
        ns=tuple(line["ns"]),
        work=stated if isinstance(work, list) else stated * count,
    )


_work = lru_cache(maxsize=1024)(Work)  # the same in nearly every repetition


def _unique(names: list[Any], what: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise RecordError(f"{what} {name} is there twice; {_ADVICE}")
        seen.add(name)
