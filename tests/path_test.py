"""The straight path: `./tenken run` to a verdict, on small sizes, with the proofs that must be able to fail."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tenken.store.record import read_record
from whole_tool import SHORT, TREE, run_folder, tenken

VERDICT = re.compile(r"^(DRILL\s+)?(OK|WARN|FAIL|INVALID|ERROR|NOT JUDGED|INCOMPLETE)\b")
RATE = re.compile(r"\d\s*[kMGT]?(FLOP|B)/s")
LQCD = ("lqcd:small", "--ranks", "2", "--threads", "1", "--launches", "1", *SHORT[:2])


def test_one_case_ends_with_a_verdict_and_all_files(tmp_path: Path) -> None:
    answer = tenken("run", "fma_peak:one_core", *SHORT, runs=tmp_path)
    assert answer.code in (0, 1, 3, 4)
    assert VERDICT.match(answer.out)
    assert len(answer.out.splitlines()) <= (3 if answer.code == 0 else 24)
    folder = run_folder(tmp_path)
    for name in ("run.json", "machine.json", "results.json", "report.html", "junit.xml", "log.txt"):
        assert (folder / name).is_file(), name
    results = json.loads((folder / "results.json").read_text())
    assert results["verdict"] in ("OK", "WARN", "NOT JUDGED", "INCOMPLETE")
    # Showing it again judges the same records to the same answer.
    assert tenken("show", "last", runs=tmp_path).out.splitlines()[0] == answer.out.splitlines()[0]


def test_a_record_obeys_the_schema_and_a_section_is_cheap(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    tenken("run", "mpi_collectives", "--ranks", "2", *SHORT, runs=tmp_path)
    path = next(run_folder(tmp_path).glob("launches/*/record.jsonl"))
    validator = jsonschema.Draft202012Validator(json.loads((TREE / "schema" / "record.schema.json").read_text()))
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line))
    record = read_record(path)
    assert record.ranks == 2 and len(record.rank) == 2
    assert record.timer_overhead_ns > 0
    assert record.clock.source in ("tsc", "cntvct", "steady")


def test_a_healthy_lqcd_is_valid(tmp_path: Path) -> None:
    answer = tenken("run", *LQCD, runs=tmp_path)
    assert answer.code in (0, 1, 3, 4), answer.out + answer.err
    results = json.loads((run_folder(tmp_path) / "results.json").read_text())
    proofs = [proof for case in results["cases"] for proof in case["validity"]]
    assert len(proofs) >= 6 and all(proof["holds"] for proof in proofs)


@pytest.mark.parametrize("fault", ["link_sign", "zero_halo_face"])
def test_a_wrong_lqcd_is_invalid_and_prints_no_rate(tmp_path: Path, fault: str) -> None:
    answer = tenken("run", *LQCD, "--set", f"fault={fault}", "--all", runs=tmp_path)
    assert answer.code == 2
    assert "INVALID" in answer.out and "DRILL" in answer.out
    assert not RATE.search(answer.out), RATE.search(answer.out)
    page = (run_folder(tmp_path) / "report.html").read_text()
    assert "INVALID" in page
    results = json.loads((run_folder(tmp_path) / "results.json").read_text())
    for case in results["cases"]:
        assert all(metric["value"] is None for metric in case["metrics"] if "/s" in metric["unit"])
        assert all(section["flop_rate"] is None and section["byte_rate"] is None for section in case["sections"])


def test_reports_of_one_run_agree(tmp_path: Path) -> None:
    tenken("run", "fma_peak:one_core", *SHORT, runs=tmp_path)
    folder = run_folder(tmp_path)
    verdict = json.loads((folder / "results.json").read_text())["verdict"]
    assert verdict in (folder / "report.html").read_text()
    shutil.rmtree(folder / "launches")
    answer = tenken("show", "last", runs=tmp_path)
    assert answer.code in (2, 3)  # nothing left to judge: never green
