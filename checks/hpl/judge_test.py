"""What is told of the tuning study, from made-up records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b

from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.run import Measured
from tenken.store.judges import load_judges, load_tellers

FOLDERS = [Path(__file__).resolve().parents[1]]
TELL = load_tellers(FOLDERS, ["hpl"])["hpl"]


def told(rates: dict[tuple[int, int, str], list[float]], name: str = "tune") -> StudyTold:
    """`rates`: NB, rows of the grid of four ranks and broadcast -> GFLOP/s of each launch."""
    spec = CaseSpec(name, "cblas", {}, 4, 1, 1, 20.0, ())
    study = Study(name, "t", "q", spec, (StudyAxis("nb", {"nb": [1]}),), Plot("lines", "nb", ("rate",), None, None, (), ()))
    points = []
    for (nb, rows, broadcast), launches in rates.items():
        case = b.case_run(b.record(b.fma(1e9), check="hpl"), of=b.check("hpl"))
        parameters = {"nb": nb, "broadcast": broadcast, "lookahead": 2}
        of = replace(case.case, name=f"tune/nb{nb}-{rows}-{broadcast}", parameters=parameters)
        measured = []
        for rate in launches:
            record = b.record(b.fma(1e9), check="hpl", values={
                "solved_rate": ("GFLOP/s", rate), "grid_rows": ("1", rows), "grid_columns": ("1", 4 / rows)})
            measured.append(Measured(case.launches[0], record))
        points.append(ToJudge("r", case.check, of, tuple(measured)))
    return TELL(StudyToTell(study, tuple(points)))


def test_the_fastest_point_and_the_command_that_writes_its_file() -> None:
    fastest, command = told(
        {(96, 1, "ring"): [50.0, 52.0], (192, 2, "tree"): [80.0, 84.0], (256, 4, "ring"): [70.0, 72.0]}).notes
    assert fastest == ("the fastest is NB 192, grid 2 x 2, broadcast tree, look-ahead 2: 84 GFLOP/s in its fastest launch, "
                       "1.62 times the slowest")
    assert command == "write its HPL.dat: ./tenken run hpl:tune/nb192-2-tree --launches 1 --set write_input=HPL.dat"


def test_points_whose_launches_reach_the_fastest_are_counted() -> None:
    notes = told({(96, 1, "ring"): [50.0, 81.0], (192, 2, "tree"): [80.0, 84.0]}).notes
    assert notes[0].endswith("; launches of 1 other point reach it")


def test_one_point_and_other_studies_are_left_alone() -> None:
    assert told({(96, 1, "ring"): [50.0]}) == StudyTold()
    assert told({(96, 1, "ring"): [50.0], (192, 1, "ring"): [60.0]}, name="blocks") == StudyTold()
    assert not load_judges(FOLDERS, ["hpl"])
