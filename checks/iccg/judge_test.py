"""What is told of the study of synchronisation, from made-up records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b
import pytest

from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.record import Table
from tenken.model.run import Measured
from tenken.store.judges import load_judges, load_tellers

FOLDERS = [Path(__file__).resolve().parents[1]]
TELL = load_tellers(FOLDERS, ["iccg"])["iccg"]
COLUMNS = ("baseline", "baseline, paper", "nowait", "nowait, paper")
ROWS = ((35.0, 35.0, 23.0, 23.0), (43.0, 43.0, 31.0, 31.0))
COUNTS = Table("directives", "1", "lower", ("do", "barrier (implicit)"), COLUMNS, ROWS)


def told(costs: dict[float, float], table: Table = COUNTS, name: str = "sync") -> StudyTold:
    """`costs`: rows a thread -> percent."""
    spec = CaseSpec(name, "rm_reduction", {}, 1, 1, 1, 20.0, ())
    study = Study(name, "t", "q", spec, (StudyAxis("size", {"size": [1]}),), Plot("metrics", "size", ("m",), None, None, (), ()))
    points = []
    for rows, cost in costs.items():
        record = b.record(b.fma(1e9), check="iccg", values={"rows_a_thread": ("1", rows), "sync_costs": ("%", cost)})
        case = b.case_run(replace(record, tables=(table,)), of=b.check("iccg"))
        points.append(ToJudge("r", case.check, case.case, (Measured(case.launches[0], case.records[0]),)))
    return TELL(StudyToTell(study, tuple(points)))


def test_the_counted_directives_stand_beside_the_papers() -> None:
    (table,) = told({100.0: 20.0, 1000.0: 2.0}).tables
    assert table.title.endswith("counted in 2 launches: all 4 as in the paper's table 2") and "5 + 3 + 35 = 43" in table.note
    assert table.headings == ("", "baseline", "nowait")
    assert table.rows == (("do", "35", "23"), ("barrier (implicit)", "43", "31"))


def test_another_count_shows_the_papers_in_brackets() -> None:
    other = replace(COUNTS, values=((34.0, 35.0, 23.0, 23.0), (43.0, 43.0, 31.0, 31.0)))
    (table,) = told({100.0: 20.0}, other).tables
    assert table.rows[0] == ("do", "34 (35)", "23") and "1 of 4 unlike (in brackets) the paper's" in table.title


@pytest.mark.parametrize(("costs", "where"), [
    ({100.0: 50.0, 10000.0: 0.5}, " 1000 (50 % at 100, 0.5 % at 10000)"),
    ({100.0: 50.0, 10000.0: 7.0}, " more than were measured ("),
    ({100.0: 4.0, 10000.0: -0.2}, " fewer than were measured ("),
    ({100.0: 20.0, 1000.0: -1.0}, " 152 ("),
])
def test_the_size_at_which_the_cost_is_five_percent(costs: dict[float, float], where: str) -> None:
    (note,) = told(costs).notes
    assert f"costs 5 %:{where}" in note


def test_other_studies_are_left_alone_and_there_is_no_judge() -> None:
    assert told({100.0: 20.0}, name="sizes") == StudyTold() and load_judges(FOLDERS, ["iccg"]) == {}
