"""Words on studies of rank maps and grids, from made-up records of 2 groups of bands x 2 ranks that share waves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b
import pytest

from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.record import Record, Table
from tenken.model.run import Measured
from tenken.store.judges import load_tellers

TELL = load_tellers([Path(__file__).resolve().parents[1]], ["planewave"])["planewave"]
RANK_OF = {"row": (0, 1, 2, 3), "2x2": (0, 2, 1, 3), "reversed": (3, 2, 1, 0)}  # [place]
SAME = ("4 ranks: with the maps row, reversed the same places share each communicator; "
        "chance or other load explains their times")
MS = 1e6


def record(ms: float, rank_map: str = "row", bcast: float = 2.0, place: bool = True, wait_ms: float = 0) -> Record:
    """`wait_ms`: of each iteration, in the run queue."""
    times = {"iteration/fft_inverse/alltoall1": 3.0, "iteration/fft_direct/alltoall2": 4.0, "iteration/gs/wsw_allreduce": 1.0,
             "iteration/density_allreduce": 0.5, "iteration/gs/bcast1": bcast}
    timed = [b.Timed("iteration", b.quiet(ms * MS, 4, noise=0), leaf=False),
             b.Timed("iteration/eigen", b.quiet(5 * MS, 4, noise=0)),
             *(b.Timed(path, b.quiet(one * MS, 4, noise=0), kind="comm") for path, one in times.items())]
    made = b.record(*timed, check="planewave", trusts=b.trust(run_queue_wait_ns=round(40 * wait_ms * MS)))
    table = Table("communicators", "number of the communicator", "lower", tuple(f"n0/{rank}" for rank in range(4)),
                  ("k", "bands", "waves"), tuple((None, float(rank % 2), float(rank // 2)) for rank in range(4)), form="figures")
    ranks = tuple(replace(one, place=RANK_OF[rank_map].index(one.rank) if place else None) for one in made.rank)
    return replace(made, rank=ranks, tables=(table,))


def words_of(points: dict[str, list[Record]], study: str = "maps", parameter: str = "rank_map") -> StudyTold:
    spec = CaseSpec(study, "halves", {}, 4, 1, 1, 20.0, ())
    plot = Plot("lines", parameter, ("r",), None, None, (), ())
    of = Study(study, "t", "q", spec, (StudyAxis(parameter, {parameter: [1]}),), plot)
    made = []
    for value, records in points.items():
        case = b.case_run(*records, of=b.check("planewave"))
        parameters = {parameter: [int(n) for n in value.split("x")] if parameter == "grid" else value}
        measured = tuple(Measured(case.launches[0], one) for one in records)
        made.append(ToJudge("r", case.check, replace(case.case, name=f"{study}/{value}", parameters=parameters), measured))
    return TELL(StudyToTell(of, tuple(made)))


def test_each_map_has_its_classes_of_messages_and_the_fastest_is_named() -> None:
    found = words_of({"row": [record(30), record(32)], "2x2": [record(24, "2x2", 0.5), record(26, "2x2", 0.5)],
                  "reversed": [record(31.5, "reversed", 2.1)]})
    (table,) = found.tables
    assert table.title == "4 ranks: time of a repetition by class of messages, waits for late ranks included (ms)"
    assert table.headings == ("rank_map", "neighbours share", "alltoall", "allreduce", "bcast", "iteration")
    assert table.rows == (("row", "waves", "7", "1.5", "2", "31"), ("2x2", "bands", "7", "1.5", "0.5", "25"),
                          ("reversed", "waves", "7", "1.5", "2.1", "31.5"))
    assert found.notes == ("4 ranks: 2x2 has the shortest iteration, 25 ms; reversed takes 1.26 times as long", SAME)


@pytest.mark.parametrize("row", [[record(25.5), record(32)], [record(28, wait_ms=3), record(32)]])
def test_chance_and_other_load_leave_the_fastest_open(row: list[Record]) -> None:
    found = words_of({"row": row, "2x2": [record(24, "2x2"), record(26, "2x2")]})
    assert found.notes[0].endswith(" times as long (chance or other load can explain row)") and len(found.notes) == 1


def test_of_maps_that_are_all_alike_none_is_the_fastest() -> None:
    found = words_of({"row": [record(30)], "reversed": [record(29, "reversed")]})
    assert found.notes == (SAME,) and len(found.tables) == 1


def test_without_places_no_map_is_like_another() -> None:
    found = words_of({"row": [record(30, place=False)], "reversed": [record(29, "reversed", place=False)]})
    assert found.notes == ("4 ranks: reversed has the shortest iteration, 29 ms; row takes 1.03 times as long",)
    assert [row[1] for row in found.tables[0].rows] == ["no axis", "no axis"]


def test_grids_are_compared_by_class_too() -> None:
    found = words_of({"1x2x2": [record(30)], "1x1x4": [record(20, bcast=0)], "1x4x1": [record(40)]}, "grid", "grid")
    assert [row[0] for row in found.tables[0].rows] == ["1x2x2", "1x1x4", "1x4x1"]
    assert found.notes == ("4 ranks: 1x1x4 has the shortest iteration, 20 ms; 1x4x1 takes 2 times as long",)


def test_one_point_and_other_studies_have_nothing_to_compare() -> None:
    assert words_of({"row": [record(30)]}) == StudyTold()
    assert words_of({"row": [record(30)], "2x2": [record(20)]}, "blocks") == StudyTold()
