from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import assessments
import pytest

from tenken.model.assessment import TableAssessment, TableCell
from tenken.report import html
from tenken.report.draw.tables import tables
from tenken.report.results import results

RANKS = ("rank 0", "rank 1", "rank 2")
PAIRS = TableAssessment(
    "pair_times", "us", "lower", 3, RANKS, RANKS, 1, ((None, 1.25, 1.5), (1.25, None, 7.5), (1.5, 7.0, None)), 1.5,
    (TableCell("rank 1", "rank 2", 7.5), TableCell("rank 2", "rank 1", 7.0)),
)
LARGE = dataclasses.replace(PAIRS, name="bandwidth", rows=(), columns=(), block=0, values=())


def page(*own: TableAssessment) -> str:
    case = dataclasses.replace(assessments.pingpong(), tables=own)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.page(assessments.run([case]))))


def test_a_recorded_table_is_a_matrix_on_the_page_and_a_too_large_one_a_sentence() -> None:
    words = page(PAIRS, LARGE)
    assert "pair_times (µs)" in words and words.count(" 7.50 ") == 2  # its cell and the scale
    assert "Median of each cell over 3 launches; dark: worse" in words and "rank 1, rank 2: 7.50; rank 2, rank 1: 7" in words
    assert "bandwidth in µs: the table was too large for its record." in words
    assert "pair_times (µs)" not in page(LARGE) and "worst of 3 x 3 cells" in page(dataclasses.replace(PAIRS, block=3))


def test_figures_are_text_with_eight_digits_and_nothing_is_dark() -> None:
    energies = dataclasses.replace(
        PAIRS, name="some_energies", unit="Hartree", rows=("total", "ABINIT"), columns=("energy", "gap"), form="figures",
        values=((-31.738546123, None), (-31.73855, 1.0)), median=None, worst=())
    assert tables(dataclasses.replace(assessments.pingpong(), tables=(energies,))) == [(energies, "")]
    words = page(energies)
    assert "some energies energy gap total -31.738546 ABINIT -31.738550 1 " in words
    assert "Unit: Hartree. Median over 3 launches." in words and "dark: worse" not in words
    assert "1 row and column of 2 is shown" in page(dataclasses.replace(energies, block=2))
    evil = dataclasses.replace(energies, rows=(assessments.HOSTILE,) * 2, columns=(assessments.HOSTILE,) * 2)
    case = dataclasses.replace(assessments.pingpong(), tables=(evil, energies))
    assert "<script" not in html.page(assessments.run([case]))


def test_figures_in_many_columns_become_rows() -> None:
    names = tuple(f"level {band}" for band in range(9))
    wide = dataclasses.replace(PAIRS, name="levels", rows=("k 0",), columns=names, form="figures",
                               values=(tuple(band + 0.5 for band in range(9)),), median=None, worst=())
    words = page(wide)
    assert "levels k 0 level 0 0.50000000 level 1 1.5000000 " in words and "level 8 8.5000000 Unit: µs." in words
    narrow = dataclasses.replace(wide, columns=names[:8], values=(wide.values[0][:8],))
    assert "levels level 0 level 1 " in page(narrow)


def test_cells_without_a_figure_draw_nothing() -> None:
    empty = dataclasses.replace(PAIRS, values=((None,),), rows=("a",), columns=("a",), median=None, worst=())
    case = dataclasses.replace(assessments.pingpong(), tables=(empty,))
    assert tables(case) == [(empty, "")] and html.page(assessments.run([case]))


def test_hostile_labels_are_text() -> None:
    evil = dataclasses.replace(PAIRS, name=assessments.HOSTILE, rows=(assessments.HOSTILE,) * 3)
    assert "<script" not in html.page(assessments.run([dataclasses.replace(assessments.pingpong(), tables=(evil,))]))


def test_results_hold_tables() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parents[4] / "schema" / "results.schema.json").read_text(encoding="utf-8"))
    figures = dataclasses.replace(PAIRS, form="figures")
    written = results(assessments.run([dataclasses.replace(assessments.pingpong(), tables=(PAIRS, LARGE, figures))]))
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(json.loads(json.dumps(written, allow_nan=False)))
    assert written["cases"][0]["tables"][0]["worst"][0] == {"row": "rank 1", "column": "rank 2", "value": 7.5}


def history(*columns: str, rows: tuple[str, ...] = ("iteration 1", "iteration 7", "iteration 20")) -> TableAssessment:
    values = tuple(tuple(factor * value for factor in range(1, 1 + len(columns))) for value in (1.0, 1e-3, 1e-9))
    return dataclasses.replace(PAIRS, name="residual_history", unit="1", rows=rows, columns=columns, values=values)


def drawn(table: TableAssessment) -> str:
    ((_, svg),) = tables(dataclasses.replace(assessments.pingpong(), tables=(table,)))
    return svg


def test_how_a_solve_went_is_a_curve_over_its_iterations() -> None:
    one, two = drawn(history("|r| / |b|")), drawn(history("recurred", "true"))
    assert "residual history: |r| / |b|" in one and ">iteration<" in one.replace(" <", "<").replace("> ", ">")
    assert "mathdefault" not in one and "1e-" in one
    assert "recurred" in two and "true" in two and "residual history against the iteration" in two
    assert "iteration by iteration" in page(history("r")) and "dark: worse" not in page(history("r"))
    assert "dark: worse" in page(history("r", rows=("rank 1", "rank 2", "rank 3")))
    flat = dataclasses.replace(history("r"), values=((2.0,), (None,), (3.0,)))
    assert drawn(flat) and drawn(dataclasses.replace(flat, values=((None,),) * 3)) == ""
