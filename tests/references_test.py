"""Every number of a machine file has its place in docs/references.md, and agrees with a second reading of the papers.

tests/second_reading.tsv was taken from the papers' text by tests/second_reading.py, which shares nothing with the machine
files: for each table its rows and the sum of its printed values; for specifications and text all numbers that stand there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

from tenken.machine.files import MachineFile, read_files
from tenken.machine.published import published_points
from tenken.machine.side_by_side import node_peak, percentages, verify
from tenken.model.check import Check
from tenken.store.checkfile import load_checks

TREE = Path(__file__).resolve().parent.parent
FILES = read_files([TREE / "machines"])
PAGE = (TREE / "docs" / "references.md").read_text(encoding="utf-8")
ENTRIES = {entry: where for entry, where in re.findall(r"^\| (\w+/\S+) \| [^|]+ \| ([^|]+) \|$", PAGE, re.MULTILINE)}
READING = [line.split("\t") for line in (TREE / "tests" / "second_reading.tsv").read_text(encoding="utf-8").splitlines()]
SYSTEMS = {one.name: one for one in FILES.machines.values() if one.reference}
NOT_IN_A_PAPER = {"nakao/logs"}  # the authors' public logs
Rows = list[list[str]]


def rows_by_entry(machine: MachineFile) -> dict[str, Rows]:
    """The printed figures of each row. Rates that studies draw are repeats of rows (see below) and left out."""
    found: dict[str, Rows] = defaultdict(list)
    for results in machine.results:
        for row in results.rows:
            found[results.entry].append([*row.values, *([row.percent_of_peak] if row.percent_of_peak else [])])
    for table in machine.published:
        for section in table.sections:
            if section.seconds:
                found[table.entry].append([section.seconds, *([section.percent_of_peak] if section.percent_of_peak else [])])
    return found


def figures_by_entry(machine: MachineFile) -> dict[str, list[str]]:
    """The printed figures of parts and rows alike."""
    found: dict[str, list[str]] = defaultdict(list)
    for part in machine.parts:
        found[part.entry] += [figure.printed for figure in part.figures.values()]
    for entry, rows in rows_by_entry(machine).items():
        found[entry] += [value for row in rows for value in row]
    return found


@pytest.mark.parametrize("machine", SYSTEMS.values(), ids=SYSTEMS)
def test_every_row_has_an_entry(machine: MachineFile) -> None:
    for entry in [one.entry for one in (*machine.published, *machine.parts, *machine.results)]:
        assert entry in ENTRIES, f"{machine.path}: '{entry}' has no line in docs/references.md"
        assert f"`{Path(machine.path).name}`" in ENTRIES[entry], f"docs/references.md, {entry}: does not name {machine.path}"


def test_no_entry_names_a_file_without_rows_of_it() -> None:
    named = {(entry, name) for entry, where in ENTRIES.items() for name in re.findall(r"`([\w-]+\.toml)`", where)}
    there = {
        (one.entry, Path(machine.path).name)
        for machine in SYSTEMS.values() for one in (*machine.published, *machine.parts, *machine.results)
    }
    assert named == there
    others = {where for where in ENTRIES.values() if ".toml" not in where}
    assert others == {"drawing only", "drawing only; numbers from logs", "code", "see results-1 and results-2"}


@pytest.mark.parametrize("line", [one for one in READING if one[1] != "*"], ids=lambda one: f"{one[0]} {one[1]}")
def test_rows_and_sum_of_each_table(line: list[str]) -> None:
    entry, machine, count, total = line
    rows = rows_by_entry(SYSTEMS[machine])[entry]
    assert (len(rows), sum(Decimal(value) for row in rows for value in row)) == (int(count), Decimal(total))


@pytest.mark.parametrize("line", [one for one in READING if one[1] == "*"], ids=lambda one: one[0])
def test_figures_stand_in_the_text(line: list[str]) -> None:
    entry, _, numbers = line
    there = {Decimal(one) for one in numbers.split()}
    for machine in SYSTEMS.values():
        for figure in figures_by_entry(machine).get(entry, ()):
            assert Decimal(figure) in there, f"{machine.name}, {entry}: {figure} is not in the paper"


def test_every_entry_was_read_twice() -> None:
    read = {(entry, machine) for entry, machine, *_ in READING}
    for machine in SYSTEMS.values():
        for entry, figures in figures_by_entry(machine).items():
            twice = (entry, machine.name) in read or (entry, "*") in read or entry in NOT_IN_A_PAPER
            assert twice or not figures, f"{machine.name}, {entry}: no second reading"


def test_a_wrong_digit_is_seen() -> None:
    entry, machine, _, total = next(one for one in READING if one[:2] == ["kitazawa/results-2", "fx100"])
    values = [value for row in rows_by_entry(SYSTEMS[machine])[entry] for value in row]
    assert sum(map(Decimal, ["12.724" if one == "12.723" else one for one in values])) != Decimal(total)


def test_rates_that_studies_draw_are_rows_of_their_tables() -> None:
    ito = SYSTEMS["ito-b"]
    drawn = [(table, section) for table in ito.published for section in table.sections if section.rate]
    assert len(drawn) == 2
    for table, section in drawn:
        row = next(one.rows[0] for one in ito.results if one.entry == table.entry)
        scale = {"HPL": 10**12, "HPCG": 10**9}[table.application]
        assert Decimal(section.rate or 0) == Decimal(row.values[0]) * scale and section.percent_of_peak == row.percent_of_peak


def test_no_rate_is_above_its_peak() -> None:
    verify(FILES)


def test_slips_are_those_that_the_page_lists() -> None:
    lines = [
        f"| {one.machine} | {one.entry} | {one.application}: {one.row} | {one.printed} | {one.recomputed:.3f} |"
        for one in percentages(FILES) if not one.fits
    ]
    listed = PAGE.partition("### Percentages of peak")[2].partition("\n- ")[0]
    assert [one for one in listed.splitlines() if one.startswith("| ") and "| system |" not in one] == lines
    assert len(lines) >= 10


def value(machine: str, entry: str, row: str, column: int = 0, size: str = "") -> float:
    found = [
        one for results in SYSTEMS[machine].results if results.entry == entry and size in results.size
        for one in results.rows if one.name == row
    ]
    assert len(found) == 1, f"{machine} {entry} {row}"
    return float(found[0].values[column])


def seconds(machine: str, size: str) -> float:
    tables = [one for one in SYSTEMS[machine].published if one.application == "GeoFEM-Cube/CG" and one.size.endswith(size)]
    assert len(tables) == 1
    return float(next(one.seconds or "nan" for one in tables[0].sections if one.name == "iteration"))


def test_recomputed_ratios_are_those_that_the_page_says() -> None:
    lines = value("ha-pacs-tca", "nakao/table-2", "XcalableACC")
    hybrid, logs = "XcalableACC, hybrid", "nakao/logs"
    before, after = (value("oakforest-pacs", "hanawa/table-3", name) for name in ("before", "after"))
    size = "16x16x16x16"

    def gain(other: str, nodes: int) -> float:
        first = next(one.rows for one in SYSTEMS["ha-pacs-tca"].results if one.entry == logs and one.size == size)
        rates = {row.name: float(row.values[nodes.bit_length() - 1]) for row in first}
        return 100 * (rates[hybrid] / rates[other] - 1)

    k = "hirokawa/"
    wanted = [
        value("ito-b", "oshima/section-3.2", "2 sockets, highest")
        / value("reedbush-u", "oshima/section-3.2", "2 sockets, highest"),
        value("ito-b", "oshima/table-6", "1 node") / value("reedbush-u", "oshima/section-3.4", "1 node"),
        seconds("reedbush-u", "2 sockets") / seconds("ito-b", "2 sockets, AVX2"),
        128 * sum(value("ito-b", "oshima/section-2", f"{what} of a node") for what in ("processors", "devices")) / 1e3,
        100 * (before / after - 1),
        100 * (1 - after / before),
        value("oakforest-pacs", k + "table-2", "explicit vectors", size="Si:")
        / value("oakforest-pacs", k + "table-2", "compiler's vectors", size="Si:"),
        value("oakforest-pacs", k + "table-4", "explicit vectors, C", size="Si:")
        / value("oakforest-pacs", k + "table-4", "compiler's vectors, Fortran", size="Si:"),
        gain("CUDA+MPI", 32),
        gain("OpenACC+MPI", 64),
        100 * (1 - lines / value("ha-pacs-tca", "nakao/table-2", "CUDA+MPI")),
        100 * (1 - lines / value("ha-pacs-tca", "nakao/table-2", "OpenACC+MPI")),
    ]
    listed = PAGE.partition("### Ratios and differences")[2].partition("\n- ")[0]
    said = [one.split("|")[-2].strip() for one in listed.splitlines() if re.match(r"\| \w+/", one)]
    assert said == [f"{one:.3f}" for one in wanted]


@pytest.mark.parametrize(("name", "gflops"), [
    ("oakforest-pacs", 3046.4), ("ofp-mini", 2662.4), ("coma", 400.0), ("fx100-nagoya", 1126.4), ("ito-a", 3456.0),
    ("ito-large", 12390.4), ("reedbush-h", 1209.6),
])
def test_peaks_of_nodes(name: str, gflops: float) -> None:
    assert node_peak(FILES, SYSTEMS[name]) == pytest.approx(gflops * 1e9)
    processors = [part for part in SYSTEMS[name].parts if part.kind == "processor"]
    printed = sum(part.figures["peak"].value * part.count for part in processors)
    assert printed == pytest.approx(gflops * (2 if len(processors) > 1 else 1) * 1e9, rel=5e-4)


CHECKS = [one for one in load_checks([TREE / "checks"]).values() if any(study.published for study in one.studies)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda one: one.name)
def test_studies_name_published_rows_that_are_there(check: Check) -> None:
    for study in check.studies:
        found = published_points(check, study, FILES)
        assert len(found) == len(study.published), "a row that is not there refuses the whole study"
