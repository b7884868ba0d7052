"""`tenken rerun` with fake check programs, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import builders as b
from tenken.base.errors import TenkenError
from tenken.cli import rerun
from tenken.cli.run_test import Site
from tenken.model.check import CaseSpec
from tenken.model.run import Run

SLURM = {"name": "e", "on": "slurm", "nodes": 4}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_the_same_case_runs_again_and_names_what_it_repeats(site: Site) -> None:
    site.run("fake", "--set", "seconds=0.01")
    (first,) = site.runs.iterdir()
    code, out, err = site.word("rerun", "last", "fake:small", "--launches", "1")
    assert code in (0, 1, 3) and out
    assert f"rerun    of {first.name}" in err
    second = next(folder for folder in site.runs.iterdir() if folder != first)
    plan = json.loads((second / "run.json").read_text())
    assert plan["environment"]["repeats"] == first.name
    (case,) = plan["cases"]
    assert case["case"]["parameters"] == {"seconds": 0.01} and len(case["launches"]) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("last", "fake:large"), "unknown case 'fake:large' of "),
        (("last", "--section", "sove"), "unknown section 'sove' of "),
        (("last", "--without", "n7"), "unknown node 'n7' of "),
        (("last", "--launches", "0"), "at least 1 launch"),
        (("nonsense",), "no run 'nonsense'"),
    ],
)
def test_what_does_not_exist_is_refused_by_name(site: Site, words: tuple[str, ...], sentence: str) -> None:
    site.run("fake", "--launches", "1")
    code, out, err = site.word("rerun", *words)
    assert code == 3 and sentence in err and not out


def of(environment: dict) -> Run:
    return b.run(environment=environment)


def test_a_local_run_has_no_node_to_leave_out() -> None:
    with pytest.raises(TenkenError, match="started locally"):
        rerun._start(of({"name": "e"}), ("n0",), {})


def test_spare_nodes_take_the_place_of_those_left_out() -> None:
    full = rerun._start(of(SLURM), ("n3",), {"SLURM_JOB_NUM_NODES": "5"})
    assert (full["nodes"], full["without"]) == (4, ["n3"])
    assert rerun._start(of(SLURM), ("n3",), {"SLURM_JOB_NUM_NODES": "4"})["nodes"] == 3
    assert "without" not in rerun._start(of(SLURM), (), {})
    with pytest.raises(TenkenError, match="no node of the allocation is left"):
        rerun._start(of({"name": "e", "on": "slurm", "nodes": 1}), ("n3",), {})


def test_fewer_nodes_keep_their_ranks_each() -> None:
    case_run = b.case_run(b.record(b.fma(1e9, 8)))
    assert rerun._fewer_ranks(case_run, 4, 3)[0].ranks == 6
    assert rerun._fewer_ranks(case_run, 4, 4)[0] == case_run.case
    with pytest.raises(TenkenError, match="8 ranks on 3 nodes"):
        rerun._fewer_ranks(case_run, 3, 2)


def test_a_case_of_a_fixed_number_of_ranks_keeps_them_on_fewer_nodes() -> None:
    """A pair on two nodes of which one is left out is still a pair."""
    spec = CaseSpec("a", "plain", {}, 2, 1, 1, 20.0, ())
    pair = b.case_run(b.record(b.fma(1e9, 2)), of=b.check(cases=(spec,)))
    assert rerun._fewer_ranks(pair, 2, 1)[0].ranks == 2
    a_core_each = b.case_run(b.record(b.fma(1e9, 8)), of=b.check(cases=(replace(spec, ranks="core"),)))
    assert rerun._fewer_ranks(a_core_each, 2, 1)[0].ranks == 4
