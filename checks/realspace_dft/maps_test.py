"""Words on studies of rank maps and groups, from made-up records of two ranks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b

from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.run import Measured
from tenken.store.judges import load_tellers

TELL = load_tellers([Path(__file__).resolve().parents[1]], ["realspace_dft"])["realspace_dft"]


def words_of(study: str, parameter: str, times: dict[str, tuple[float, float]]) -> StudyTold:
    """`times`: value of the parameter -> ms of an iteration and of its halo."""
    spec = CaseSpec(study, "real", {}, 2, 1, 1, 20.0, ())
    plot = Plot("lines", parameter, ("r",), None, None, (), ())
    of = Study(study, "t", "q", spec, (StudyAxis(parameter, {parameter: [1]}),), plot)
    points = []
    for value, (ms, halo) in times.items():
        sections = (b.Timed("iteration", b.quiet(ms * 1e6, 2, noise=0), leaf=False),
                    b.Timed("iteration/halo", b.quiet(halo * 1e6, 2, noise=0), kind="comm"))
        case = b.case_run(b.record(*sections, check="realspace_dft"), of=b.check("realspace_dft"))
        points.append(ToJudge("r", case.check, replace(case.case, name=f"{study}/{value}", parameters={parameter: value}),
                              (Measured(case.launches[0], case.records[0]),)))
    return TELL(StudyToTell(of, tuple(points)))


def test_the_fastest_map_and_number_of_groups_are_named() -> None:
    found = words_of("maps", "rank_map", {"row": (30, 2), "2x1": (20, 4)})
    assert found.tables[0].headings == ("", "halo", "iteration")
    assert found.tables[0].rows == (("rank_map row", "2", "30"), ("rank_map 2x1", "4", "20"))
    assert found.notes == ("2 ranks: rank_map 2x1 has the shortest iteration, 20 ms; rank_map row takes 1.5 times as long",)
    (note,) = words_of("groups", "groups", {"1": (10, 2), "2": (20, 0)}).notes
    assert note == "2 ranks: groups 1 has the shortest iteration, 10 ms; groups 2 takes 2 times as long"


def test_other_studies_are_left_alone() -> None:
    assert words_of("blocks", "block", {"16": (10, 2), "32": (20, 0)}) == StudyTold()
