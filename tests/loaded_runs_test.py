"""Real runs of a healthy node beside other load (tests/frozen/loaded.tar.xz), judged again: the first word is true."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from whole_tool import TREE, tenken

STARVED = "the answers are right; times not judged: "


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded")
    with tarfile.open(TREE / "tests" / "frozen" / "loaded.tar.xz") as packed:
        packed.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # Python >= 3.11.4 warns else
    return folder


def judged(run: Path) -> tuple[int, Mapping[str, Any]]:
    answer = tenken("show", str(run), "--json")
    return answer.code, json.loads(answer.out)


def words(of: Mapping[str, Any]) -> dict[str, str]:
    return {case["id"]: case["verdict"] for case in of["cases"]}


def test_a_shared_core_and_a_section_of_26_us_leave_a_run_ok(kept: Path) -> None:
    code, answer = judged(kept / "loaded-a")
    assert (code, answer["verdict"]) == (0, "OK") and set(words(answer).values()) == {"OK"}
    head = tenken("show", str(kept / "loaded-a")).out.splitlines()[0]
    assert "13 of 13 right, 13 steady" in head


def test_bursts_name_what_they_took_and_find_nothing(kept: Path) -> None:
    code, answer = judged(kept / "bursts-b")
    assert (code, answer["verdict"], answer["findings"]) == (4, "INCOMPLETE", [])
    assert words(answer)["lqcd:small"] == words(answer)["dgemm:one_and_all_cores"] == "NOT JUDGED"
    assert "7.5 % of peak" in next(case["reason"] for case in answer["cases"] if case["check"] == "dgemm")


def test_a_rank_that_was_faster_in_one_launch_of_two_is_no_finding(kept: Path) -> None:
    code, answer = judged(kept / "small-pack-j")
    assert (code, answer["verdict"], answer["findings"]) == (4, "INCOMPLETE", [])
    assert words(answer)["lqcd:small"] == "OK"


@pytest.mark.parametrize(("run", "cases"), [
    ("starved-stream-e", {"stream:all_cores"}), ("starved-peak-g", {"stream:all_cores", "fma_peak:all_cores"}),
])
def test_ranks_that_waited_for_processors_are_not_judged_by_their_times(kept: Path, run: str, cases: set[str]) -> None:
    code, answer = judged(kept / run)
    assert (code, answer["verdict"], answer["findings"]) == (3, "NOT JUDGED", [])
    assert words(answer) == dict.fromkeys(cases, "NOT JUDGED")
    assert all(case["reason"].startswith(STARVED) for case in answer["cases"])


def test_a_launch_without_a_processor_is_not_hung(kept: Path) -> None:
    code, answer = judged(kept / "starved-messages-f")
    assert (code, answer["verdict"], answer["findings"]) == (3, "NOT JUDGED", [])
    (case,) = answer["cases"]
    assert case["reason"] == (
        "launch 1 was ended: no end within 30 s: other load, ranks waited for a processor 97 % of the time; "
        "under this load the launch needs up to 1000 s"
    )
    assert "./tenken run mpi_pt2pt:pair --timeout 1000" in tenken("show", str(kept / "starved-messages-f")).out


def test_fewer_threads_than_asked_for_are_named_and_no_rate_is_called_impossible(kept: Path) -> None:
    code, answer = judged(kept / "fewer-threads-i")
    assert (code, answer["verdict"]) == (2, "ERROR")
    (case,) = answer["cases"]
    assert case["reason"].startswith("1 of 2 threads ran on rank 0 (vm): a variable such as OMP_THREAD_LIMIT")
    assert all(metric["value"] is None for metric in case["metrics"])
