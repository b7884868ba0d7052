"""Reading `record.jsonl`, strictly: a record that cannot be believed is refused with file, line and reason."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from tenken.base.errors import RecordError
from tenken.base.regular import read_regular
from tenken.base.rows import Array, Rows, loss
from tenken.model.record import (
    Clock, Counters, Environment, Placement, Rank, Record, Section, Series, Summary, Table, Validity, Value,
)
from tenken.store.files import from_plain, parse_json
from tenken.store.samples import (
    ADVICE, MAX_COUNT, MAX_NS, MOST_SAMPLES, Samples, as_written, from_line, rank_as_written, read_rank, rising,
    stated_work, thinned,
)
from tenken.store.schema import load_schema

MAX_BYTES = 1 << 30  # of a file: more is not the record of any launch planned here
MAX_LINE = 64_000_000  # bytes: a line is parsed as a whole, which takes five times its size
MAX_RANKS = 10_000_000
MAX_CELLS = 1 << 19  # of a table: its line has at most 1 MiB, a cell at least two bytes
SERIES, SUMMARIES = 1, 2  # the schemas since which series lines are as they are, and since which there are summaries
# A writer has a single rank at a time: its line, then its series.
_ORDER = {"header": 0, "rank": 1, "series": 1, "summary": 2, "value": 3, "validity": 3, "table": 3, "end": 4}


def read_record(path: Path) -> Record:
    """The record in `path`; RecordError (file:line: error; remedy) where anything in it is wrong.

    Of a record with more than MOST_SAMPLES samples only summaries remain, and the samples of the ranks that stand out.
    """
    lines = _read_lines(path)
    header = lines[0]
    number = _schema_of(header)
    if number is None:
        raise RecordError(f"{path}:1: expected a header of schema tenken.record/N; this is not a record of Tenken")
    lines = upgrade(lines, number, f"{path}:1")
    _check_lines(lines, path, number)
    by_kind: dict[str, Lines] = {kind: [] for kind in _ORDER}
    for index, line in enumerate(lines):
        if isinstance(line, Samples):
            by_kind["series"].append(line)
        else:
            by_kind[line["type"]].append({**line, "_where": f"{path}:{index + 1}"})
    return _build(by_kind, path)


def _schema_of(header: Any) -> int | None:
    if not isinstance(header, dict) or header.get("type") != "header":
        return None
    number = re.fullmatch(r"tenken\.record/(\d{1,6})", str(header.get("schema")))
    return int(number[1]) if number else None


def _read_lines(path: Path) -> Lines:
    """Every line as a JSON object, series that look as programs write them as Samples; whole up to `end`."""
    try:
        raw = io.BytesIO(read_regular(path, MAX_BYTES))
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    lines: Lines = []
    plain = True  # until the header says which schema this is: as_written() knows those since SERIES alone
    for number, text in enumerate(raw, start=1):
        where = f"{path}:{number}"
        if len(text) > MAX_LINE:
            raise RecordError(f"{where}: a line of {len(text):,} bytes, expected at most {MAX_LINE:,}; {ADVICE}")
        text = text.removesuffix(b"\n")
        samples = None if plain else as_written(text, where)
        if samples is not None:
            lines.append(samples)
            continue
        try:
            line = parse_json(text.decode("utf-8"), where)
        except UnicodeDecodeError as error:
            raise RecordError(f"{where}: not UTF-8; {ADVICE}") from error
        if not isinstance(line, dict):
            raise RecordError(f"{where}: expected one JSON object a line; {ADVICE}")
        lines.append(line)
        if number == 1:
            plain = not SERIES <= (_schema_of(line) or 0) <= CURRENT
    if not lines:
        raise RecordError(f"{path}: empty; the launch ended before it wrote its record: repeat it")
    end = {} if isinstance(lines[-1], Samples) else lines[-1]
    if end.get("type") != "end":
        raise RecordError(f"{path}:{len(lines)}: the last line is not 'end': the record is cut off; repeat this launch")
    if end.get("lines") != len(lines):
        raise RecordError(f"{path}:{len(lines)}: 'end' counts {end.get('lines')} lines, found {len(lines)}; {ADVICE}")
    return lines


def _check_lines(lines: Lines, path: Path, number: int) -> None:
    """Each line against the schema, and the order of the lines. `number` of the schema that the file was written in."""
    check = load_schema("record")
    last = -1
    for index, line in enumerate(lines):
        where = f"{path}:{index + 1}"
        kind = "series"
        if not isinstance(line, Samples):
            try:
                if not rank_as_written(line):
                    check(line, where)
            except RecordError as error:
                raise RecordError(f"{error}; {ADVICE}") from error
            kind = line["type"]
        place = _ORDER[kind]
        if place < last or (place == last and kind in ("header", "end")):
            raise RecordError(f"{where}: a '{kind}' line is out of order; {ADVICE}")
        if kind == "summary" and number < SUMMARIES:
            raise RecordError(f"{where}: a 'summary' line in a record of schema tenken.record/{number}; {ADVICE}")
        last = place


def _build(lines: dict[str, Lines], path: Path) -> Record:
    header = lines["header"][0]
    where = header["_where"]
    sections = tuple(from_plain(Section, section, f"{where}: sections") for section in header["sections"])
    _unique([section.id for section in sections], f"{where}: section id")
    _unique([section.path for section in sections], f"{where}: section path")
    ranks = tuple(read_rank(line, line["_where"]) for line in lines["rank"])
    _check_ranks(header["ranks"], ranks, where)
    series, summaries = _read_samples(lines, header["ranks"], {section.id for section in sections})
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
        series=series,
        values=tuple(from_plain(Value, line, line["_where"]) for line in lines["value"]),
        validity=tuple(from_plain(Validity, line, line["_where"]) for line in lines["validity"]),
        tables=tuple(_read_table(line) for line in lines["table"]),
        placement=from_plain(Placement, header["placement"], f"{where}: placement") if "placement" in header else None,
        thread_level=header.get("thread_level"),
        launch=header.get("launch", ""),
        counters=_read_counters(header, {section.id for section in sections}),
        summaries=summaries,
    )
    clock = record.clock.ns_per_tick, record.clock.drift, record.timer_overhead_ns
    if not all(map(isfinite, clock)) or clock[0] <= 0 or clock[2] < 0:
        raise RecordError(f"{where}: negative clock figures, or such that are not finite; {ADVICE}")
    _unique([value.name for value in record.values], f"{path}: value")
    _unique([table.name for table in record.tables], f"{path}: table")
    _unique([proof.name for proof in record.validity], f"{path}: validity")
    return record


def _check_ranks(count: int, ranks: tuple[Rank, ...], where: str) -> None:
    if count > MAX_RANKS:
        raise RecordError(f"{where}: {count} ranks are absurd; {ADVICE}")
    _unique([rank.rank for rank in ranks], f"{where}: rank")
    missing = set(range(count)) - {rank.rank for rank in ranks}
    if missing:
        raise RecordError(f"{where}: the line of rank {min(missing)} of {count} is missing; {ADVICE}")
    if len(ranks) > count:
        raise RecordError(f"{where}: rank {max(rank.rank for rank in ranks)} of {count} is unknown; {ADVICE}")


def _read_counters(header: dict[str, Any], sections: set[int]) -> Counters | None:
    if "counters" not in header:
        return None
    where = f"{header['_where']}: counters"
    counters = from_plain(Counters, header["counters"], where)
    _unique([counted.section for counted in counters.sections], f"{where}: section")
    if unknown := {counted.section for counted in counters.sections} - sections:
        raise RecordError(f"{where}: unknown section {min(unknown)}; {ADVICE}")
    return counters


def _read_table(line: dict[str, Any]) -> Table:
    table = from_plain(Table, line, line["_where"])
    where, rows, columns = f"{line['_where']}: table {table.name}", len(table.rows), len(table.columns)
    if table.values is None:
        if table.summary is None:
            raise RecordError(f"{where}: neither values nor summary; {ADVICE}")
        if any(cell.row >= rows or cell.column >= columns for cell in table.summary.worst):
            raise RecordError(f"{where}: a cell outside its {rows} x {columns}; {ADVICE}")
    elif len(table.values) != rows or any(len(row) != columns for row in table.values):
        raise RecordError(f"{where}: expected {rows} rows of {columns} cells (null where one is missing); {ADVICE}")
    elif rows * columns > MAX_CELLS:
        raise RecordError(f"{where}: {rows * columns} cells are more than {MAX_CELLS}, the limit of a record; {ADVICE}")
    return table


def _read_samples(
    lines: dict[str, Lines], ranks: int, sections: set[int]
) -> tuple[tuple[Series, ...], tuple[Summary, ...]]:
    seen: set[tuple[int, int]] = set()
    samples: list[Samples] = []
    for line in lines["series"]:
        sample = line if isinstance(line, Samples) else from_line(line, line["_where"])
        if sample.rank >= ranks:
            raise RecordError(f"{sample.where}: series of unknown rank {sample.rank}; {ADVICE}")
        if sample.section not in sections:
            raise RecordError(f"{sample.where}: series of unknown section {sample.section}; {ADVICE}")
        if (sample.rank, sample.section) in seen:
            raise RecordError(f"{sample.where}: second series of rank {sample.rank}, section {sample.section}; {ADVICE}")
        seen.add((sample.rank, sample.section))
        samples.append(sample)
    summaries = tuple(read_summary(line, line["_where"], ranks, sections) for line in lines["summary"])
    _unique([summary.section for summary in summaries], "summary of section")
    if not summaries and sum(len(sample.repetition) for sample in samples) > MOST_SAMPLES:
        summaries, samples = thinned(samples, ranks)
    return tuple(sample.series() for sample in samples), summaries


def _unique(names: list[Any], kind: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise RecordError(f"{kind} {name} is there twice; {ADVICE}")
        seen.add(name)


# Reading `summary` lines of a record: a program's figures of a section where the samples of all ranks were too many.

_OF_REPETITIONS = ("calls", "ns", "slowest")
_OF_RANKS = ("count", "sum_ns", "median_ns", "mad_ns", "loss", "least_ns", "low_ns", "high_ns", "outlying_ns", "memory",
             "flop", "bytes")  # fmt: skip
_ROUNDED = 1e-5  # as programs write the loss


def read_summary(line: dict[str, Any], where: str, ranks: int, sections: set[int]) -> Summary:
    """The summary of a line that fits the schema; RecordError, starting with `where`, where it cannot be believed."""

    def refuse(why: str) -> RecordError:
        return RecordError(f"{where}: {why}; {ADVICE}")

    section, repetition, rank = line["section"], line["repetition"], line["rank"]
    if section not in sections:
        raise refuse(f"summary of unknown section {section}")
    for names, of in ((_OF_REPETITIONS, repetition), (_OF_RANKS, rank)):
        for name in names:
            if len(line[name]) != len(of):
                raise refuse(f"{len(line[name])} {name} for {len(of)} {'ranks' if of is rank else 'repetitions'}")
    if not repetition or not rank or not rising(repetition) or not rising(rank) or rank[-1] >= ranks:
        raise refuse("repetitions or ranks are missing, unknown or not in rising order")
    work = stated_work(line["work"])
    if len(work) not in (1, len(repetition)) or (isinstance(line["work"], list) and len(work) != len(repetition)):
        raise refuse(f"{len(work)} work for {len(repetition)} repetitions")
    if not set(line["slowest"]) <= set(rank):
        raise refuse("the slowest rank of a repetition took no part")
    figure = {name: np.array(line[name], dtype=np.float64) for name in _OF_RANKS}
    ns = np.array(line["ns"], dtype=np.float64)
    least, low, middle, high, most = (figure[f"{statistic}_ns"] for statistic in ("least", "low", "median", "high", "sum"))
    ordered = (least <= low) & (low <= middle) & (middle <= high) & (high <= most) & (figure["count"] >= 1)
    if not bool(ordered.all()) or float(figure["count"].max()) > len(repetition) or float(ns.max()) > MAX_NS:
        raise refuse("figures of ranks contradict each other or are absurd")
    if max(map(float, (figure["flop"].max(), figure["bytes"].max(), *line["calls"]))) > MAX_COUNT:
        raise refuse("absurd calls or work")
    if not _agrees(figure):
        raise refuse("the loss of a rank is not that of its sum, count and median")
    rows = Rows(
        figure["count"], most, middle, figure["mad_ns"], least, low, high, figure["outlying_ns"], figure["memory"]
    )
    return Summary(
        section, tuple(repetition), np.array(line["calls"], dtype=np.float64), ns, tuple(line["slowest"]),
        work * len(repetition) if len(work) == 1 else work, tuple(rank), rows, figure["flop"], figure["bytes"],
    )


def _agrees(figure: dict[str, Array]) -> bool:
    expected = loss(figure["count"], figure["sum_ns"], figure["median_ns"])
    return bool(np.all(np.abs(figure["loss"] - expected) <= _ROUNDED * np.maximum(1.0, np.abs(expected))))


# Records of older schema numbers, brought up to the present number before they are read.

CURRENT = 2  # of tenken.record/N; programs write 1 where they keep all samples

Lines = list[Any]  # a dict each; a series line may be Samples since schema 1

# UPGRADES[n] turns the lines of a record of schema n into those of schema n + 1.
UPGRADES: dict[int, Callable[[Lines], Lines]] = {1: lambda lines: [{**lines[0], "schema": "tenken.record/2"}, *lines[1:]]}


def upgrade(lines: Lines, number: int, where: str, table: Mapping[int, Callable[[Lines], Lines]] = UPGRADES) -> Lines:
    """`lines` of schema `number` as lines of schema CURRENT; RecordError for a number that nobody can read."""
    if number > CURRENT:
        raise RecordError(
            f"{where}: schema tenken.record/{number} is newer than this Tenken (reads up to /{CURRENT}); update it"
        )
    for step in range(number, CURRENT):
        if step not in table:
            raise RecordError(f"{where}: schema tenken.record/{number} is unknown (this Tenken reads /{CURRENT})")
        lines = table[step](lines)
    return lines
