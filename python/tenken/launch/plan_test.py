from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import pytest

from fake_build import case_run
from tenken.base.errors import TenkenError
from tenken.launch.plan import Estimate, by_importance, estimate, plan, seconds_by_case, select
from tenken.model.check import CaseSpec, Check, Suite, Topic, VariantSpec, named
from tenken.store.runfolder import RunFolder


def sequence(cases: tuple) -> list[str]:
    launches = sorted((launch for one in cases for launch in one.launches), key=lambda launch: launch.number)
    assert [launch.number for launch in launches] == list(range(1, len(launches) + 1))
    return [launch.case_id for launch in launches]


CASES = [case_run(name, launches=3) for name in "abcd"]


def test_each_round_holds_every_case_once() -> None:
    order = sequence(plan(CASES, seed=1))
    rounds = [order[start:start + 4] for start in range(0, 12, 4)]
    assert all(sorted(one) == ["a:small", "b:small", "c:small", "d:small"] for one in rounds)


@pytest.mark.parametrize("seed", range(50))
def test_no_case_follows_itself(seed: int) -> None:
    assert all(one != other for one, other in itertools.pairwise(sequence(plan(CASES[:2], seed))))


def test_the_seed_decides_the_order() -> None:
    assert plan(CASES, seed=5) == plan(CASES, seed=5)
    assert len({tuple(sequence(plan(CASES, seed))) for seed in range(20)}) > 5


def test_given_order_is_kept() -> None:
    assert sequence(plan(CASES[:2], seed=3, order="given")) == ["a:small", "b:small"] * 3


def test_a_check_that_cannot_be_read_is_refused_where_it_is_named() -> None:
    broken = dataclasses.replace(case_run("bad").check, problem="checks/bad/check.toml: title: is missing")
    for name in ("bad", "bad:small"):
        with pytest.raises(TenkenError, match="bad/check.toml: title: is missing"):
            select([name], {"bad": broken}, {})


def test_unequal_launches_and_what_is_unavailable() -> None:
    absent = dataclasses.replace(case_run("c"), unavailable="no CBLAS")
    cases = [case_run("a", launches=1), case_run("b", launches=3), absent]
    assert sorted(sequence(plan(cases, seed=1))) == ["a:small", "b:small", "b:small", "b:small"]


def test_folder_names() -> None:
    assert plan(CASES[:1], seed=1)[0].launches[0].folder == "launches/0001-a.small"


def spec(name: str, *suites: str) -> CaseSpec:
    return CaseSpec(name, "plain", {}, 1, 1, 1, 10.0, suites)


CASES_OF_EACH = (spec("small", "quick"), spec("large", "check"))
CHECKS = {
    name: Check(name, "t", "q", "r", ("plain",), (), (), (), (), (), (), CASES_OF_EACH, "")
    for name in ("stream", "dgemm")
}
SUITES = {name: Suite(name, "t", "q", 60.0, "given") for name in ("quick", "check")}


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        ([], ["dgemm:small", "stream:small"]),
        (["check"], ["dgemm:large", "stream:large"]),
        (["stream"], ["stream:small", "stream:large"]),
        (["stream:large", "stream:large", "dgemm:small"], ["stream:large", "dgemm:small"]),
        (["stream", "quick"], ["stream:small", "stream:large", "dgemm:small"]),
    ],
)
def test_selection(names: list[str], ids: list[str]) -> None:
    chosen = select(names, CHECKS, SUITES)
    got = [f"{check.name}:{case.name}" for check, case in chosen.cases]
    assert sorted(got) == sorted(ids) and len(got) == len(set(got))
    assert chosen.label == (" ".join(names) or "quick")


def test_a_check_stands_for_its_cases_of_suites() -> None:
    cases = (spec("small", "quick"), spec("of_a_file"))
    checks = {"lqcd": dataclasses.replace(CHECKS["stream"], name="lqcd", cases=cases)}

    def chosen(name: str) -> list[str]:
        return [case.name for _, case in select([name], checks, SUITES).cases]

    assert chosen("lqcd") == ["small"] and chosen("lqcd:of_a_file") == ["of_a_file"]
    checks = {"lqcd": dataclasses.replace(CHECKS["stream"], name="lqcd", cases=cases[1:])}
    assert chosen("lqcd") == ["of_a_file"]  # none is in a suite


def test_with_a_variant_of_a_device_a_check_stands_for_the_cases_of_that_variant() -> None:
    check = CHECKS["stream"]
    small = spec("small", "quick")
    cases = (small, dataclasses.replace(small, name="card", variant="cuda", suites=()))
    of = dataclasses.replace(check, cases=cases, variants=("plain", "cuda"), variant_needs=(VariantSpec("cuda", ("cuda",)),))

    def ids(variant: str | None, check: Check = of) -> list[str]:
        return [case.name for _, case in select(["stream"], {"stream": check}, SUITES, variant).cases]

    assert ids("cuda") == ["card"]
    assert ids("plain") == ids("unknown") == ids(None) == ["small"]
    assert ids("cuda", dataclasses.replace(of, cases=(small,))) == ["small"], "it has no cases of that variant"
    assert ids("cuda", dataclasses.replace(of, variant_needs=())) == ["small"], "a variant of processors"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("quik", r"unknown suite or check 'quik'; did you mean quick\?"),
        ("sream:small", r"unknown check 'sream'; did you mean stream\?"),
        ("stream:smal", r"unknown case 'smal' of check stream; did you mean small\?"),
        ("stream:", r"unknown case '' of check stream; valid: large, small"),
    ],
)
def test_unknown_names(name: str, sentence: str) -> None:
    with pytest.raises(TenkenError, match=sentence):
        select([name], CHECKS, SUITES)


def test_estimate_learns_from_earlier_runs(tmp_path: Path) -> None:
    cases = plan([case_run("a", launches=2, timeout_s=20.0)], seed=1)
    assert estimate(cases, tmp_path) == Estimate(pytest.approx(12.0), 1)
    assert estimate(cases, tmp_path, most=5.0) == Estimate(5.0, 1)
    stated = plan([case_run("a", launches=2, timeout_s=20.0, seconds=0.5)], seed=1)
    assert estimate(stated, tmp_path) == Estimate(pytest.approx(3.0), 1)
    folder = RunFolder.create(tmp_path, "quick", cases, 1, {})
    for launch, seconds in zip(cases[0].launches, (3.0, 5.0), strict=True):
        folder.write_launch(dataclasses.replace(launch, status="done", seconds=seconds))
    assert estimate(cases, tmp_path) == Estimate(pytest.approx(8.0), 0)
    assert seconds_by_case(cases, tmp_path) == pytest.approx({cases[0].case.id: 8.0})
    (folder.path / "launches/0001-a.small/launch.json").write_text("{")
    assert estimate(cases, tmp_path) == Estimate(pytest.approx(10.0), 0)
    launches = tuple(dataclasses.replace(one, status="done") for one in cases[0].launches)
    done = [dataclasses.replace(cases[0], launches=launches)]
    assert estimate(done, tmp_path / "none") == Estimate(0.0, 0), "what is done is no guess"


def test_a_guess_is_told_as_one() -> None:
    assert str(Estimate(89.4, 0)) == "about 89 s"
    assert str(Estimate(90.0, 1)) == "about 2 min, guessed of 1 case that never ran here"
    assert str(Estimate(600.0, 2)) == "about 10 min, guessed of 2 cases that never ran here"


def test_topics_take_turns_in_the_order_of_their_importance() -> None:
    topics = [Topic("x", "X", "?", ("a:small", "c:sweep", "b:small")), Topic("y", "Y", "?", ("d:small",))]
    assert named(topics) == ("a:small", "d:small", "c:sweep", "b:small")
    point = dataclasses.replace(CASES[2], case=dataclasses.replace(CASES[2].case, name="sweep/threads2"))
    cases = by_importance([*CASES, point], topics)
    assert [one.case.id for one in cases] == ["a:small", "d:small", "c:sweep/threads2", "b:small", "c:small"]
