from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tenken.base.errors import TenkenError
from tenken.launch.plan import select
from tenken.launch.resolve import Facts, Overrides
from tenken.launch.study import expand, impossible
from tenken.model.check import Case, CaseSpec, Check, Parameter, Plot, Study, StudyAxis, Suite, Topic
from tenken.model.study import StudyRun

MIB = 2**20
PARAMETERS = (
    Parameter("size", "size", 8 * MIB, "bytes", low=1024),
    Parameter("lattice", "ints", [8, 8], "lengths", low=2, high=64, length=2),
    Parameter("links", "choice", "auto", "reals of a link", choices=("auto", "18")),
    Parameter("warm", "flag", True, "touch first"),
)
FACTS = Facts(cores=6, memory_bytes=1000 * MIB, l3_bytes=3 * MIB)


def study(**sweeps: Any) -> Study:
    case = CaseSpec("sweep", "plain", {}, 1, 1, 2, 20.0, ())
    axes = tuple(StudyAxis(name, what if isinstance(what, dict) else {name: what}) for name, what in sweeps.items())
    return Study("sweep", "t", "q", case, axes, Plot("curve", axes[0].name, ("rate",), None, None, (), ()))


def check(*studies: Study) -> Check:
    return Check("toy", "t", "q", "r", ("plain", "fast"), (), (), PARAMETERS, (), (), (), (), "", studies)


def expanded(one: Study, overrides: Overrides = Overrides(), only: str | None = None) -> tuple[StudyRun, tuple[Case, ...]]:
    return expand(check(one), one, FACTS, overrides, only)


def names(cases: tuple[Case, ...]) -> list[str]:
    return [case.name.removeprefix("sweep/") for case in cases]


def test_ranges_that_move_together_have_one_length_on_this_machine() -> None:
    both = study(mix={"ranks": "1..cores", "threads": "1..4"})
    with pytest.raises(TenkenError, match="lists of equal length; here they have: ranks 4, threads 3"):
        expanded(both)


def test_points_are_cases_in_the_order_of_the_axes() -> None:
    planned, cases = expanded(study(lattice=[[4, 4], [4, 8]], threads=[1, "fill"]))
    assert [case.id for case in cases] == [
        "toy:sweep/4x4-threads1", "toy:sweep/4x4-threads6", "toy:sweep/4x8-threads1", "toy:sweep/4x8-threads6"
    ]
    assert [point.case_id for point in planned.points] == [case.id for case in cases]
    assert planned.points[3].places == {"lattice": [4, 8], "threads": 6}
    assert (cases[3].parameters, cases[3].threads, cases[3].launches) == ({"lattice": [4, 8]}, 6, 2)


@pytest.mark.parametrize(
    ("sweeps", "expected"),
    [
        ({"threads": [5, "1..cores"]}, ["threads5", "threads1", "threads2", "threads4", "threads6"]),
        ({"lattice": ["4..8", [2, 2]]}, ["4x8", "2x2"]),
        ({"threads": "1..cores"}, ["threads1", "threads2", "threads4", "threads6"]),
        ({"ranks": [1, "cores/2", "core"]}, ["ranks1", "ranks3", "ranks6"]),
        ({"size": "512KiB..4*L3"}, ["size512KiB", "size1MiB", "size2MiB", "size4MiB", "size8MiB", "size12MiB"]),
        ({"size": [1025, "L3/3"]}, ["size1025B", "size1MiB"]),
        ({"variant": ["plain", "fast"], "warm": [True, False]},
         ["plain-warm", "plain-no_warm", "fast-warm", "fast-no_warm"]),
        ({"links": ["auto", "18"]}, ["auto", "links18"]),
        ({"environment": ["gcc", "clang+mpich"]}, ["gcc", "clang+mpich"]),
        ({"ranks_per_node": [1, "cores/2"]}, ["ranks_per_node1", "ranks_per_node3"]),
        ({"placement": ["compact", "one_socket"], "reserve": [0, 1]},
         ["compact-reserve0", "compact-reserve1", "one_socket-reserve0", "one_socket-reserve1"]),
        ({"rank_map": ["row", "reversed", "*x1", "maps/snake.txt"]}, ["row", "reversed", "nx1", "snake"]),
        ({"ranks": [2, 4], "rank_map": ["*x2"]}, ["ranks2-nx2", "ranks4-nx2"]),
        ({"mix": {"ranks": [1, 2, 3], "threads": [6, 3, 2]}}, ["ranks1-threads6", "ranks2-threads3", "ranks3-threads2"]),
    ],
)
def test_names_are_short_and_unique(sweeps: dict[str, Any], expected: list[str]) -> None:
    assert names(expanded(study(**sweeps))[1]) == expected


def test_an_environment_belongs_to_the_case_and_ranks_per_node_are_counted_on_each_node() -> None:
    one = study(environment=["gcc", "clang"], ranks_per_node=[2, 3])
    planned, cases = expand(check(one), one, replace(FACTS, nodes=2))
    assert [(case.environment, case.ranks) for case in cases] == [("gcc", 4), ("gcc", 6), ("clang", 4), ("clang", 6)]
    assert planned.points[1].places == {"environment": "gcc", "ranks_per_node": 3}


def test_what_cannot_run_here_is_named_and_left_out() -> None:
    planned, cases = expanded(study(threads=[2, 8], size=["1MiB", "2000MiB"]))
    assert names(cases) == ["threads2-size1MiB"]
    why = {point.name: point.left_out for point in planned.points if point.left_out}
    assert why["threads8-size1MiB"] == "1 x 8 is more than 6 cores" and len(why) == 3
    assert why["threads2-size2000MiB"].startswith("too little memory of case toy:sweep")


def test_where_no_point_can_run_the_first_reason_is_told() -> None:
    with pytest.raises(TenkenError, match="no point of study toy:sweep can run here: 1 x 7 is more than 6 cores"):
        expanded(study(threads=[7, 8]))
    with pytest.raises(TenkenError, match="no point of study toy:sweep can run here: its axes have no values here"):
        expanded(study(threads="7..cores"))
    with pytest.raises(TenkenError, match="'cores/9..cores' starts at 0"):
        expanded(study(threads="cores/9..cores"))


def test_what_was_typed_holds_for_every_point_and_alike_points_are_one() -> None:
    planned, cases = expanded(study(threads="1..cores", lattice=[[4, 4], [8, 8]]), Overrides(threads="2", launches=1))
    assert names(cases) == ["threads2-4x4", "threads2-8x8"] and {case.launches for case in cases} == {1}
    assert len(planned.points) == 2
    with pytest.raises(TenkenError, match="did you mean size"):
        expanded(study(threads=[1]), Overrides({"sizes": "1"}))


def test_one_point_alone() -> None:
    planned, cases = expanded(study(threads="1..cores"), only="threads4")
    assert names(cases) == ["threads4"] and len(planned.points) == 1
    with pytest.raises(TenkenError, match="unknown point 'thread4' of study toy:sweep; did you mean threads4"):
        expanded(study(threads="1..cores"), only="thread4")


def test_names_select_studies_and_their_points() -> None:
    one = study(threads=[1])
    checks = {"toy": check(one)}
    assert select(["toy:sweep"], checks, {}).studies == ((checks["toy"], one, None),)
    assert select(["toy:sweep/threads1"], checks, {}).studies == ((checks["toy"], one, "threads1"),)
    assert select(["toy"], checks, {}).studies == ()
    with pytest.raises(TenkenError, match="unknown case 'sweeps' of check toy; did you mean sweep"):
        select(["toy:sweeps"], checks, {})


def test_points_of_the_same_words_on_two_axes_stay_apart() -> None:
    both = (*PARAMETERS, replace(PARAMETERS[2], name="inner"))
    one = study(links=["auto", "18"], inner=["auto", "18"])
    cases = expand(replace(check(one), parameters=both), one, FACTS)[1]
    assert names(cases) == ["auto-auto", "auto-inner18", "links18-auto", "links18-inner18"]


def test_a_suite_names_studies_in_its_topics() -> None:
    toy = check(study(threads=[1, 2]))
    suite = Suite("evaluate", "t", "q", 60.0, "given", topics=(Topic("x", "X", "?", ("toy:sweep",)),))
    chosen = select(["evaluate"], {"toy": toy}, {"evaluate": suite})
    assert [(one.name, study.name, point) for one, study, point in chosen.studies] == [("toy", "sweep", None)]
    assert chosen.cases == () and chosen.topics == suite.topics and chosen.order == "given"
    gone = impossible(toy, toy.studies[0], "its axes have no values here")
    assert gone.id == "toy:sweep" and [point.left_out for point in gone.points] == ["its axes have no values here"]
