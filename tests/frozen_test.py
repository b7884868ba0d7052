"""Real runs kept with their true answer (tests/frozen), judged again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from whole_tool import TREE, tenken

KEPT = TREE / "tests" / "frozen" / "turbo-reference-blas"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    shutil.copytree(KEPT, tmp_path / "run")
    return tmp_path / "run"


def unlaunched(run: Path, *cases: str) -> None:
    """Take away what two cases are judged by: their launches were never made."""
    for path in run.glob("launches/*/launch.json"):
        launch = json.loads(path.read_text())
        if launch["case_id"] in cases:
            path.write_text(json.dumps({**launch, "status": "planned"}))
            path.with_name("record.jsonl").unlink()


def test_a_reference_blas_is_named_on_a_machine_whose_clock_moves() -> None:
    """Quiet, turbo steps of 100 MHz, a core that cores.toml does not know: dgemm at 2 % of the peak was once OK."""
    answer = tenken("show", str(KEPT))
    assert answer.code == 1
    head, why = answer.out.splitlines()[:2]
    assert head.startswith("WARN ") and "5 of 5 right, 5 steady, speed of 3 compared  1 WARN" in head
    assert why.startswith("why      dgemm:one_and_all_cores")
    assert "2.11 % of peak" in answer.out and "install or load an optimised BLAS" in answer.out.replace("\n         ", " ")


def test_percent_of_peak_of_an_unknown_core_is_measured() -> None:
    cases = json.loads(tenken("show", str(KEPT), "--json").out)["cases"]
    peaks = {case["id"]: case["metrics"][0]["fraction"] for case in cases if case["check"] in ("fma_peak", "dgemm")}
    assert 0.95 < peaks["fma_peak:one_core"] < 1.02 and 0.95 < peaks["fma_peak:all_cores"] < 1.02
    assert 0.02 < peaks["dgemm:one_and_all_cores"] < 0.05


def test_what_is_not_judged_makes_a_run_incomplete(kept: Path) -> None:
    unlaunched(kept, "dgemm:one_and_all_cores", "stream:all_cores")
    answer = tenken("show", str(kept))
    assert answer.code == 4 and answer.out.startswith("INCOMPLETE") and "3 of 5 right" in answer.out.splitlines()[0]
    assert "./tenken run dgemm:one_and_all_cores stream:all_cores" in answer.out


def test_layers_on_two_sides_are_uneven_work_and_no_slow_node() -> None:
    """Four ranks in x with times set by hand: only ranks 0 and 3 have layers, and the others wait for both.

    The judge once named rank 3 alone as late, and no section with more work.
    """
    answer = tenken("show", str(TREE / "tests" / "frozen" / "seismic-layers-on-two-sides"), "--json")
    (case,) = json.loads(answer.out)["cases"]
    balance = next(axis for axis in case["axes"] if axis["axis"] == "balance")
    assert (answer.code, case["verdict"], balance["verdict"]) == (1, "WARN", "WARN")
    found = [(one["section"], one["what"]) for one in case["findings"]]
    assert [section for section, _ in found[:2]] == ["step/absorb_update_vel", "step/absorb_update_stress"]
    assert all("ranks 0 and 3 take up to" in what and "2.00 times the mean work" in what for _, what in found[:2])
    assert {section for section, _ in found[2:]} == {"step/kernel_update_vel", "step/kernel_update_stress"}
    assert balance["reason"] == found[0][1]
    assert not any(word in what for _, what in found for word in ("late", "slower", "n0"))


def test_the_slow_rank_of_an_atmosphere_is_named_by_its_own_section() -> None:
    """Four ranks with times set by hand: small_step of rank 2 takes 1.6 times the time, and the others wait for rank 2."""
    answer = tenken("show", str(TREE / "tests" / "frozen" / "atmosphere-slow-rank"), "--json")
    (case,) = json.loads(answer.out)["cases"]
    assert (answer.code, case["verdict"]) == (1, "WARN")
    (finding,) = case["findings"]
    assert finding["section"] == "dynstep/small_step" and finding["what"].startswith("rank 2 on n0 is slower than the others")


def test_the_slow_communicator_of_paper_002_is_named_with_its_ranks() -> None:
    """Eight ranks with times set by hand: FFT_D/alltoall1 takes 153.9 ms in a communicator of four, 15.5 ms in three."""
    answer = tenken("show", str(TREE / "tests" / "frozen" / "planewave-slow-communicator"), "--json")
    (case,) = json.loads(answer.out)["cases"]
    assert (answer.code, case["verdict"]) == (1, "WARN")
    (finding,) = case["findings"]
    assert (finding["axis"], finding["section"]) == ("balance", "iteration/fft_direct/alltoall1")
    assert finding["what"] == (
        "communicator 2 of axis rows (counted from 0; ranks 2 and 6 on n1 and n3) takes 154 ms in "
        "iteration/fft_direct/alltoall1, 9.94 times the others of this axis (15.5 ms)"
    )
