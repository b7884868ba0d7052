"""Words on strong scaling and of two faces at once, from made-up records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import builders as b
import numpy as np
import pytest

from tenken.model.check import CaseSpec, Plot, Study, StudyAxis
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.record import Record, Trust
from tenken.model.run import Measured
from tenken.store.judges import load_judges, load_tellers

FOLDERS = [Path(__file__).resolve().parents[1]]
TELL = load_tellers(FOLDERS, ["xacc_lqcd"])["xacc_lqcd"]
GRIDS = {1: (1, 1), 2: (2, 1), 4: (2, 2), 8: (4, 2)}
QUIET = b.trust()
NEIGHBOUR = b.trust(shared_ns=QUIET.wall_ns // 2)
LOADED = b.trust(run_queue_wait_ns=QUIET.wall_ns // 2)


def record(ranks: int, us: float, trust: Trust = QUIET, halo: float = 0.25, reduction: float = 0.05) -> Record:
    parts = (("solve", 1.0), ("solve/reflect", halo), ("solve/reduction", reduction))
    sections = [b.Timed(path, np.full((ranks, 8), round(1e3 * us * part))) for path, part in parts]
    t, z = GRIDS[ranks]
    return b.record(*sections, check="xacc_lqcd", trusts=trust, values={"ranks_t": ("1", t), "ranks_z": ("1", z)})


def point(
    ranks: int, *records: Record, variant: str = "nowait", route: str = "auto", lattice: str = "16", **changes: Any
) -> ToJudge:
    case = b.case_run(records[0], of=b.check("xacc_lqcd"))
    of = replace(case.case, variant=variant, ranks=ranks, parameters={"route": route, "lattice": lattice}, **changes)
    return ToJudge("r", case.check, of, tuple(Measured(case.launches[0], one) for one in records))


def words_of(points: Sequence[ToJudge], name: str = "strong") -> StudyTold:
    spec = CaseSpec(name, "nowait", {}, 1, 1, 1, 20.0, ())
    plot = Plot("strong", "ranks", ("m",), None, None, (), ())
    study = Study(name, "t", "q", spec, (StudyAxis("ranks", {"ranks": [1]}),), plot)
    return TELL(StudyToTell(study, tuple(points)))


def amdahl(times: Mapping[int, float], **changes: Any) -> list[ToJudge]:
    return [point(ranks, record(ranks, us), **changes) for ranks, us in times.items()]


def test_rows_have_grid_efficiency_and_the_shares_of_halo_and_reduction() -> None:
    (table,) = words_of(amdahl({1: 1000.0, 4: 400.0})).tables
    assert table.headings[2:8] == ("t x z", "us", "speed-up", "efficiency %", "halo %", "sums %")
    assert table.rows == (("nowait, auto", "1", "1 x 1", "1000", "1", "100", "25", "5", "alone"),
                          ("nowait, auto", "4", "2 x 2", "400", "2.5", "62.5", "25", "5", "alone"))
    assert "left out" not in table.note


def test_each_program_has_its_own_base_and_fit() -> None:
    found = words_of([*amdahl({1: 1000.0, 2: 600.0, 4: 400.0}), *amdahl({1: 2000.0, 2: 1100.0}, variant="hand", route="packed")])
    assert [row[5] for row in found.tables[0].rows] == ["100", "83.3", "62.5", "100", "90.9"]
    assert found.notes[0] == ("nowait, auto: 200 us + 800 us / ranks fits 3 rows with unshared cores; "
                              "20 % of one rank's time does not scale")
    assert found.notes[1].startswith("hand, packed: 200 us + 1800 us / ranks fits 2 rows")


@pytest.mark.parametrize(("last", "why"), [
    (point(8, record(8, 900.0, NEIGHBOUR)), "another hardware thread"),
    (point(8, record(8, 900.0, LOADED)), "other load"),
    (point(8, record(8, 900.0), oversubscribed=True), "more threads than cores"),
    (point(8, replace(record(8, 900.0), rank=tuple(replace(one, cpus=(one.rank // 2,)) for one in record(8, 900.0).rank))),
     "two ranks on a processor"),
])
def test_a_row_that_shared_its_cores_is_marked_and_left_out_of_the_fit(last: ToJudge, why: str) -> None:
    alone = amdahl({1: 1000.0, 2: 600.0, 4: 400.0})
    found = words_of([*alone, last])
    assert [row[8] for row in found.tables[0].rows] == ["alone", "alone", "alone", f"~ {why}"]
    assert found.notes == words_of(alone).notes and "~ shared its cores" in found.tables[0].note


def test_a_launch_with_cores_of_its_own_counts_alone() -> None:
    (table,) = words_of([point(1, record(1, 1000.0)), point(2, record(2, 5000.0, LOADED), record(2, 500.0))]).tables
    assert (table.rows[1][3], table.rows[1][8]) == ("500", "alone")


def test_a_shared_row_is_no_base_where_another_is() -> None:
    (table,) = words_of([point(1, record(1, 3000.0, LOADED)), *amdahl({2: 1000.0, 4: 500.0})]).tables
    assert [row[5] for row in table.rows] == ["66.7", "100", "100"]


def test_one_row_is_no_fit_and_other_studies_are_left_alone() -> None:
    assert words_of(amdahl({2: 1000.0})).notes == ("no fit, which needs two numbers of ranks with unshared cores",)
    assert words_of(amdahl({1: 1000.0}), name="nowait") == StudyTold() and load_judges(FOLDERS, ["xacc_lqcd"]) == {}


def faces(lattice: str, route: str = "auto", **values: float) -> ToJudge:
    """A launch for each of the lists of values."""
    base = {"face_t_us": 30.0, "face_z_us": 40.0, "both_faces_us": 50.0, "one_route_us": 80.0, "overlap_efficiency": 0.8,
            "route_t": 0.0, "route_z": 2.0, "route_both": 1.0} | values
    one = b.record(b.fma(1e9, 2), check="xacc_lqcd", values={name: ("us", value) for name, value in base.items()})
    return point(2, one, route=route, lattice=lattice)


def test_two_faces_by_their_best_routes_stand_beside_both_by_one() -> None:
    (table,) = words_of([faces("8"), faces("16", both_faces_us=160.0), faces("16", route="packed")], "routes").tables
    assert table.rows == (("8", "datatype", "30", "shared", "40", "50", "80 (packed)", "0.625", "0.8"),
                          ("16", "datatype", "30", "shared", "40", "160", "80 (packed)", "2", "0.8"))


def test_launches_that_chose_other_routes_are_named_and_none_is_no_table() -> None:
    one, other = faces("8"), faces("8", route_t=2.0, face_t_us=20.0)
    (table,) = words_of([replace(one, measured=one.measured + other.measured)], "routes").tables
    assert table.rows[0][1:3] == ("datatype or shared", "25")
    assert words_of([point(2, b.record(b.fma(1e9, 2)))], "routes") == StudyTold()
