from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.launch.resolve import Facts, Overrides, of_each, resolve
from tenken.model.check import CaseSpec, Check, Parameter

MIB = 2**20
PARAMETERS = (
    Parameter("size", "size", 8 * MIB, "bytes of all arrays", low=1024, high=None),
    Parameter("lattice", "ints", [8, 8, 8, 8], "lengths", low=2, high=64, length=4),
    Parameter("mass", "float", 0.1, "mass", low=0.0, high=1.0),
    Parameter("pages", "choice", "4k", "page size", choices=("4k", "2m")),
    Parameter("warm", "flag", True, "touch first"),
    Parameter("input", "path", "", "a file"),
)
CHECK = Check("stream", "t", "q", "r", ("plain", "nontemporal"), ("tear",), (), PARAMETERS, (), (), (), (), "/checks/stream")
FACTS = Facts(cores=8, memory_bytes=1000 * MIB, l3_bytes=32 * MIB, numa_nodes=2, sockets=1)


def spec(ranks: int | str = 1, threads: int | str = 1, **parameters: object) -> CaseSpec:
    return CaseSpec("big", "plain", parameters, ranks, threads, 3, 20.0, ("quick",))


@pytest.mark.parametrize(
    ("ranks", "threads", "nodes", "expected"),
    [
        (2, 3, 1, (2, 3)),
        ("core", 1, 1, (8, 1)),
        ("core", 3, 1, (2, 3)),
        ("core", 16, 1, (1, 16)),
        ("core", "fill", 2, (16, 1)),
        ("numa", "fill", 1, (2, 4)),
        ("socket", "fill", 2, (2, 8)),
        (3, "fill", 1, (3, 2)),
        (3, "fill", 2, (3, 4)),
        (20, "fill", 1, (20, 1)),
    ],
)
def test_ranks_and_threads(ranks: int | str, threads: int | str, nodes: int, expected: tuple[int, int]) -> None:
    facts = Facts(cores=8, memory_bytes=MIB, numa_nodes=2, nodes=nodes)
    case = resolve(CHECK, spec(ranks, threads), facts)
    assert (case.ranks, case.threads) == expected
    assert case.oversubscribed == (expected[0] * expected[1] > 8 * nodes)


def test_written_and_typed_parameters() -> None:
    typed = Overrides(
        {"mass": "0.5", "lattice": "4,4,4,8", "warm": "no", "pages": "2m", "fault": "tear", "seconds": "2"}
    )
    case = resolve(CHECK, spec(size="4*L3"), FACTS, typed)
    assert case.parameters == {
        "size": 128 * MIB, "mass": 0.5, "lattice": [4, 4, 4, 8], "warm": False, "pages": "2m", "fault": "tear",
        "seconds": 2.0,
    }
    assert case.id == "stream:big" and case.launches == 3 and not case.oversubscribed


def test_lists_of_whole_numbers_know_doublings() -> None:
    assert resolve(CHECK, spec(lattice=[4, "8..4*cores"]), FACTS).parameters["lattice"] == [4, 8, 16, 32]
    typed = Overrides({"lattice": "4..32"})
    assert resolve(CHECK, spec(), FACTS, typed).parameters["lattice"] == [4, 8, 16, 32]
    with pytest.raises(TenkenError, match=r"parameter lattice of case stream:big: '0..8' starts at 0; doublings start at 1"):
        resolve(CHECK, spec(), FACTS, Overrides({"lattice": "0..8"}))


def test_paths_start_where_they_were_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    for typed, absolute in (("a/b", f"{tmp_path}/a/b"), ("../b", f"{tmp_path.parent}/b"), ("/b", "/b"),
                            ("~/b", "/home/me/b"), ("", "")):
        assert resolve(CHECK, spec(), FACTS, Overrides({"input": typed})).parameters == {"input": absolute}
    assert resolve(CHECK, spec(input="data/b"), FACTS).parameters == {"input": "/checks/stream/data/b"}


def test_the_folder_for_files_is_that_of_the_machine_unless_it_is_typed() -> None:
    here = replace(FACTS, storage_root="/scratch")
    files = replace(CHECK, parameters=(*PARAMETERS, Parameter("root", "path", "", "a folder")))
    assert resolve(files, spec(), here).parameters == {"root": "/scratch"}
    assert resolve(files, spec(), here, Overrides({"root": "/data"})).parameters == {"root": "/data"}
    assert resolve(files, spec(), here, Overrides({"root": ""})).parameters == {"root": ""}
    assert resolve(files, spec(), FACTS).parameters == {}
    assert resolve(CHECK, spec(), here).parameters == {}, "no such parameter"


@pytest.mark.parametrize(
    ("stated", "threads"),
    [
        ({}, 8), ({"placement": "scatter"}, 8), ({"reserve": 2}, 6), ({"placement": "skip_first"}, 7),
        ({"placement": "skip_first", "reserve": 3}, 4), ({"placement": "one_socket"}, 4),
        ({"placement": "one_socket", "reserve": 3}, 4), ({"placement": "one_socket", "reserve": 5}, 3),
        ({"reserve": 99}, 1),
    ],
)  # fmt: skip
def test_fill_takes_the_cores_that_placement_and_reserve_leave(stated: dict[str, object], threads: int) -> None:
    facts = Facts(cores=8, memory_bytes=MIB, sockets=2)
    case = resolve(CHECK, spec(1, "fill", **stated), facts)
    assert case.threads == threads and case.parameters == stated
    typed = Overrides({name: str(value) for name, value in stated.items()})
    assert resolve(CHECK, spec(1, "fill"), facts, typed) == case


def test_a_rank_map_is_a_word_or_a_file_of_the_check() -> None:
    for written, resolved in (("reversed", "reversed"), ("row", "row"), ("maps/torus", "/checks/stream/maps/torus")):
        assert resolve(CHECK, spec(rank_map=written), FACTS).parameters == {"rank_map": resolved}
    assert resolve(CHECK, spec(membind=1), FACTS).parameters == {"membind": "1"}


def test_a_rank_map_is_a_box_of_all_ranks() -> None:
    for written, resolved in (("2x3", "2x3"), ("*x2", "3x2"), ("3x*x1", "3x2x1"), ("*x6", "1x6")):
        assert resolve(CHECK, spec(6, rank_map=written), FACTS).parameters == {"rank_map": resolved}
    for wrong in ("2x2", "*x4", "*x*", "0x6", "*x0"):
        with pytest.raises(TenkenError, match=re.escape(f"rank_map {wrong}: the lengths of the box must give 6 ranks")):
            resolve(CHECK, spec(6, rank_map=wrong), FACTS)


def test_overrides_of_the_case() -> None:
    overrides = Overrides(variant="nontemporal", ranks="16", threads="2", launches=7)
    case = resolve(CHECK, spec("core", "fill"), FACTS, overrides)
    assert (case.variant, case.ranks, case.threads, case.launches) == ("nontemporal", 16, 2, 7)
    assert case.oversubscribed


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"sise": "1"}, r"unknown parameter 'sise' of check stream; did you mean size\? Valid: counters, fault, input, lattice"),
        ({"mass": "2"}, r"parameter mass of case stream:big: 2 is out of range; expected 0 to 1"),
        ({"mass": "nan"}, "out of range"),
        ({"mass": "heavy"}, "expected a number, got 'heavy'"),
        ({"size": "8"}, "expected at least 1024"),
        ({"lattice": "4,4"}, "expected 4 integers"),
        ({"lattice": "4,4,4,400"}, "400 is out of range"),
        ({"pages": "4m"}, r"unknown value of parameter pages of case stream:big: '4m'; valid: 2m, 4k"),
        ({"warm": "maybe"}, "expected true or false"),
        ({"fault": "tera"}, r"did you mean tear\? Valid: crash, delay, hang, none, tear"),
        ({"size": "2GiB"}, r"too little memory .*size = 2GiB is 2,048 MiB, and 1,000 MiB are .* --set size=500MiB"),
    ],
)
def test_refusals(typed: dict[str, str], sentence: str) -> None:
    with pytest.raises(TenkenError, match=sentence):
        resolve(CHECK, spec(), FACTS, Overrides(typed))


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        (Overrides(variant="nontemporel"), r"unknown variant 'nontemporel' of check stream; did you mean nontemporal"),
        (Overrides(ranks="cores"), r"ranks 'cores' must be a positive integer or one of: core, numa, socket"),
        (Overrides(ranks="0"), "positive integer"),
        (Overrides(threads="-1"), r"threads '-1' must be a positive integer or one of: fill"),
        (Overrides(launches=0), "at least 1 launch"),
    ],
)
def test_refused_overrides(overrides: Overrides, sentence: str) -> None:
    with pytest.raises(TenkenError, match=sentence):
        resolve(CHECK, spec(), FACTS, overrides)


def test_available_memory_counts_before_total() -> None:
    with pytest.raises(TenkenError, match="10 MiB are available"):
        resolve(CHECK, spec(size="64MiB"), Facts(cores=1, memory_bytes=1000 * MIB, available_bytes=10 * MIB))


def test_a_typed_parameter_is_for_the_checks_that_have_it() -> None:
    other = replace(CHECK, name="other", parameters=PARAMETERS[:1])
    found = of_each({"stream": CHECK, "other": other}, Overrides({"mass": "0.5", "size": "4096", "seconds": "1"}, ranks="2"))
    assert found["stream"].parameters == {"mass": "0.5", "size": "4096", "seconds": "1"}
    assert found["other"].parameters == {"size": "4096", "seconds": "1"} and found["other"].ranks == "2"
    with pytest.raises(TenkenError, match="unknown parameter 'mas' of check stream; did you mean mass"):
        of_each({"stream": CHECK, "other": other}, Overrides({"mas": "0.5"}))
